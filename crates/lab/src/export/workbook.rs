//! An Excel workbook: a sheet for each table, and a chart.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use rust_xlsxwriter::{
    Chart, ChartAxisLabelPosition, ChartErrorBars, ChartErrorBarsType, ChartRange, ChartType, DocProperties, Format,
    FormatAlign, Workbook as Book, Worksheet, XlsxError,
};

use super::place::{PlaceError, part_of};
use super::rows::{Rows, Table, Value};
use super::tables::Source;
use super::{ExportError, Exported};
use crate::run::Measurement;

/// Rows of a sheet, the header among them.
const EXCEL_ROWS: u32 = 1_048_576;
/// Letters of a cell.
const EXCEL_LETTERS: usize = 32_767;
/// Bars of the chart.
const MOST_BARS: usize = 60;
/// What marks a workbook as ours, in its properties.
const MARK: &str = "Written by lanista export.";
/// What is charted, the first that there is.
const HEADLINES: [&str; 4] = ["rating", "score", "nodes", "fitness"];

/// Sheets under way.
pub(super) struct Workbook {
    book: Book,
    header: Format,
    file: String,
    most_rows: u32,
    sheet: usize,
    table: &'static str,
    columns: u16,
    /// The next row.
    row: u32,
    left_out: u64,
    cut: u64,
    notes: Vec<String>,
}

impl Workbook {
    fn new(file: &Path, most_rows: u32) -> Workbook {
        Workbook {
            book: Book::new(),
            header: Format::new().set_bold().set_align(FormatAlign::Left),
            file: file.display().to_string(),
            most_rows,
            sheet: 0,
            table: "",
            columns: 0,
            row: 0,
            left_out: 0,
            cut: 0,
            notes: Vec::new(),
        }
    }

    fn begin_table(&mut self, table: &Table) -> Result<(), XlsxError> {
        let sheet = self.book.add_worksheet_with_constant_memory()?;
        sheet.set_name(table.name)?;
        sheet.set_freeze_panes(1, 0)?;
        for (index, column) in (0..).zip(table.columns) {
            sheet.set_column_width(index, f64::from(column.width))?;
            sheet.write_string_with_format(0, index, column.name, &self.header)?;
        }
        self.sheet = self.book.worksheets().len() - 1;
        self.columns = table.columns.len() as u16;
        (self.table, self.row, self.left_out, self.cut) = (table.name, 1, 0, 0);
        Ok(())
    }

    fn write_row(&mut self, values: &[Value<'_>]) -> Result<(), XlsxError> {
        if self.row >= self.most_rows {
            self.left_out += 1;
            return Ok(());
        }
        let sheet = self.book.worksheet_from_index(self.sheet)?;
        for (index, value) in (0..).zip(values) {
            match *value {
                Value::Text(text) => {
                    let (text, whole) = first_letters(text);
                    self.cut += u64::from(!whole);
                    sheet.write_string(self.row, index, text)?;
                }
                Value::Whole(number) => drop(sheet.write_number(self.row, index, number as f64)?),
                Value::Number(number) if number.is_finite() => drop(sheet.write_number(self.row, index, number)?),
                Value::Number(number) => drop(sheet.write_string(self.row, index, number.to_string())?),
                Value::Flag(flag) => drop(sheet.write_boolean(self.row, index, flag)?),
                Value::Missing => {}
            }
        }
        self.row += 1;
        Ok(())
    }

    fn end_table(&mut self) -> Result<(), XlsxError> {
        let sheet = self.book.worksheet_from_index(self.sheet)?;
        sheet.autofilter(0, 0, self.row - 1, self.columns - 1)?;
        if self.left_out > 0 {
            self.notes.push(format!(
                "{} {} were left out: a sheet holds {} rows; `lanista export --to csv` has all",
                self.left_out,
                self.table,
                self.most_rows - 1
            ));
        }
        if self.cut > 0 {
            self.notes.push(format!(
                "{} cells of {} were cut after {EXCEL_LETTERS} letters; `lanista export --to csv` has all",
                self.cut, self.table
            ));
        }
        Ok(())
    }

    /// A sheet with the figures that people look at first, and a chart of them.
    fn chart(&mut self, title: &str, figures: &[Measurement]) -> Result<(), XlsxError> {
        let Some(name) = HEADLINES
            .into_iter()
            .find(|name| figures.iter().any(|figure| figure.name == *name))
            .or_else(|| figures.first().map(|figure| figure.name.as_str()))
        else {
            return Ok(());
        };
        let charted: Vec<&Measurement> =
            figures.iter().filter(|figure| figure.name == name && figure.value.is_finite()).take(MOST_BARS).collect();
        let last = charted.len() as u32;
        let sheet = self.book.add_worksheet();
        sheet.set_name("chart")?;
        sheet.set_freeze_panes(1, 0)?;
        for (column, (header, width)) in (0..).zip([("of", 44.0), (name, 14.0), ("error", 14.0)]) {
            sheet.set_column_width(column, width)?;
            sheet.write_string_with_format(0, column, header, &self.header)?;
        }
        for (row, figure) in (1..).zip(&charted) {
            let (of, _) = first_letters(if figure.of.is_empty() { name } else { &figure.of });
            sheet.write_string(row, 0, of)?;
            sheet.write_number(row, 1, figure.value)?;
            sheet.write_number(row, 2, figure.error.unwrap_or(0.0))?;
        }
        insert_chart(sheet, title, name, last)
    }
}

fn insert_chart(sheet: &mut Worksheet, title: &str, name: &str, last: u32) -> Result<(), XlsxError> {
    let mut chart = Chart::new(ChartType::Bar);
    let errors = || ChartRange::new_from_range("chart", 1, 2, last, 2);
    let mut bars = ChartErrorBars::new();
    bars.set_type(ChartErrorBarsType::Custom(errors(), errors()));
    chart
        .add_series()
        .set_name(name)
        .set_categories(("chart", 1, 0, last, 0))
        .set_values(("chart", 1, 1, last, 1))
        // In a bar chart, error bars along the values are those of y.
        .set_y_error_bars(&bars);
    let title: String = title.chars().take(200).collect();
    // A title that begins with = would be a formula.
    chart.title().set_name(&format!("{name}: {title}"));
    chart.legend().set_hidden();
    // The categories of a bar chart are its vertical axis: the best on top, names left of the longest negative bar.
    chart.y_axis().set_reverse().set_label_position(ChartAxisLabelPosition::Low);
    chart.set_alt_text(format!("Bars of {name}, with 95 % intervals"));
    chart.set_width(760).set_height(160 + 28 * last);
    sheet.insert_chart(1, 4, &chart)?;
    Ok(())
}

/// As many letters as a cell holds, and whether that is all.
fn first_letters(text: &str) -> (&str, bool) {
    // Excel counts as UTF-16 does.
    let mut units = 0;
    for (at, letter) in text.char_indices() {
        units += letter.len_utf16();
        if units > EXCEL_LETTERS {
            return (&text[..at], false);
        }
    }
    (text, true)
}

impl Workbook {
    fn wrong(&self, error: XlsxError) -> ExportError {
        ExportError::Format { file: self.file.clone(), reason: error.to_string() }
    }
}

impl Rows for Workbook {
    fn begin(&mut self, table: &Table) -> Result<(), ExportError> {
        self.begin_table(table).map_err(|error| self.wrong(error))
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<(), ExportError> {
        self.write_row(values).map_err(|error| self.wrong(error))
    }

    fn end(&mut self) -> Result<(), ExportError> {
        self.end_table().map_err(|error| self.wrong(error))
    }
}

/// Whether a workbook is one of ours.
fn is_ours(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let Ok(mut archive) = zip::ZipArchive::new(file) else { return false };
    let Ok(properties) = archive.by_name("docProps/core.xml") else { return false };
    let mut text = String::new();
    // Properties are short; a longer file is none.
    properties.take(1 << 16).read_to_string(&mut text).is_ok() && text.contains(MARK)
}

/// Exports a run.
pub(super) fn export(source: &Source<'_>, path: &Path, force: bool) -> Result<Exported, ExportError> {
    export_rows(source, path, force, EXCEL_ROWS)
}

fn export_rows(source: &Source<'_>, path: &Path, force: bool, most_rows: u32) -> Result<Exported, ExportError> {
    let name = path.display().to_string();
    if path.is_dir() {
        return Err(PlaceError::OtherKind(name, "file").into());
    }
    if path.exists() && !force && !is_ours(path) {
        return Err(PlaceError::Foreign(name).into());
    }
    let mut workbook = Workbook::new(path, most_rows);
    let run = source.run;
    let properties = DocProperties::new().set_title(&run.title).set_author("Lanista").set_comment(MARK);
    workbook.book.set_properties(&properties);
    source.write(&mut workbook)?;
    let figures: Vec<Measurement> =
        source.store.measurements(run.run, false)?.into_iter().map(|found| found.measurement).collect();
    workbook.chart(&run.title, &figures).map_err(|error| workbook.wrong(error))?;
    let part = part_of(path);
    let saved = workbook.book.save(&part).map_err(|error| workbook.wrong(error));
    let renamed =
        saved.and_then(|()| fs::rename(&part, path).map_err(|reason| PlaceError::Disk { path: name, reason }.into()));
    if let Err(error) = renamed {
        let _ = fs::remove_file(&part);
        return Err(error);
    }
    Ok(Exported { files: vec![path.to_path_buf()], notes: workbook.notes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::TRIALS;

    #[test]
    fn rows_beyond_the_limit_are_counted() {
        let mut workbook = Workbook::new(Path::new("x.xlsx"), 3);
        workbook.begin(&TRIALS).expect("begun");
        for number in 0..5 {
            workbook.row(&[Value::Whole(number)]).expect("written");
        }
        workbook.end().expect("ended");
        let expected = "3 trials were left out: a sheet holds 2 rows; `lanista export --to csv` has all";
        assert_eq!(workbook.notes, [expected]);
    }

    #[test]
    fn long_text_is_cut_between_letters() {
        let text = "\u{1d11e}".repeat(20_000);
        let (cut, whole) = first_letters(&text);
        assert_eq!((cut.chars().count(), whole), (EXCEL_LETTERS / 2, false));
        assert_eq!(first_letters("abc"), ("abc", true));
    }
}
