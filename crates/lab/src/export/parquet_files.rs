//! Parquet: a file for each table, written a group of rows at a time.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::ExportError;
use super::place::Folder;
use super::rows::{Kind, Rows, Table, Value};

/// So many rows wait in memory.
const GROUP: usize = 65_536;

/// Writes the tables to a folder.
pub(super) struct ParquetFiles<'a> {
    folder: &'a mut Folder,
    name: String,
    writer: Option<SerializedFileWriter<File>>,
    columns: Vec<Waiting>,
    rows: usize,
}

/// The values of a column that wait, and for each row whether it has one (1) or not (0).
struct Waiting {
    values: Values,
    present: Vec<i16>,
}

enum Values {
    Text(Vec<ByteArray>),
    Whole(Vec<i64>),
    Number(Vec<f64>),
    Flag(Vec<bool>),
}

impl<'a> ParquetFiles<'a> {
    pub fn new(folder: &'a mut Folder) -> ParquetFiles<'a> {
        ParquetFiles { folder, name: String::new(), writer: None, columns: Vec::new(), rows: 0 }
    }

    fn wrong(&self, error: ParquetError) -> ExportError {
        ExportError::Format { file: self.name.clone(), reason: error.to_string() }
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = writer.next_row_group()?;
        for waiting in &mut self.columns {
            let Some(mut column) = group.next_column()? else { break };
            let present = Some(waiting.present.as_slice());
            match (column.untyped(), &mut waiting.values) {
                (ColumnWriter::ByteArrayColumnWriter(to), Values::Text(values)) => {
                    to.write_batch(values, present, None)?;
                    values.clear();
                }
                (ColumnWriter::Int64ColumnWriter(to), Values::Whole(values)) => {
                    to.write_batch(values, present, None)?;
                    values.clear();
                }
                (ColumnWriter::DoubleColumnWriter(to), Values::Number(values)) => {
                    to.write_batch(values, present, None)?;
                    values.clear();
                }
                (ColumnWriter::BoolColumnWriter(to), Values::Flag(values)) => {
                    to.write_batch(values, present, None)?;
                    values.clear();
                }
                _ => return Err(ParquetError::General("a column of another kind".into())),
            }
            waiting.present.clear();
            column.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

/// The description of a table in the language of the format.
fn schema(table: &Table) -> String {
    let column = |column: &super::Column| {
        let name = column.name;
        match column.kind {
            Kind::Text => format!("OPTIONAL BYTE_ARRAY {name} (UTF8);"),
            Kind::Whole => format!("OPTIONAL INT64 {name};"),
            Kind::Number => format!("OPTIONAL DOUBLE {name};"),
            Kind::Flag => format!("OPTIONAL BOOLEAN {name};"),
        }
    };
    let columns: Vec<String> = table.columns.iter().map(column).collect();
    format!("message {} {{ {} }}", table.name, columns.join(" "))
}

impl Rows for ParquetFiles<'_> {
    fn begin(&mut self, table: &Table) -> Result<(), ExportError> {
        self.name = format!("{}.parquet", table.name);
        let file = self.folder.create(&self.name)?;
        let program = concat!("lanista version ", env!("CARGO_PKG_VERSION"));
        let properties =
            WriterProperties::builder().set_compression(Compression::SNAPPY).set_created_by(program.into()).build();
        let writer = parse_message_type(&schema(table))
            .and_then(|schema| SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)));
        self.writer = Some(writer.map_err(|error| self.wrong(error))?);
        let waiting = |column: &super::Column| Waiting {
            values: match column.kind {
                Kind::Text => Values::Text(Vec::new()),
                Kind::Whole => Values::Whole(Vec::new()),
                Kind::Number => Values::Number(Vec::new()),
                Kind::Flag => Values::Flag(Vec::new()),
            },
            present: Vec::new(),
        };
        self.columns = table.columns.iter().map(waiting).collect();
        Ok(())
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<(), ExportError> {
        for (waiting, value) in self.columns.iter_mut().zip(values) {
            match (&mut waiting.values, *value) {
                (Values::Text(texts), Value::Text(text)) => texts.push(text.into()),
                (Values::Whole(numbers), Value::Whole(number)) => numbers.push(number),
                (Values::Number(numbers), Value::Number(number)) => numbers.push(number),
                (Values::Flag(flags), Value::Flag(flag)) => flags.push(flag),
                _ => {
                    waiting.present.push(0);
                    continue;
                }
            }
            waiting.present.push(1);
        }
        self.rows += 1;
        if self.rows >= GROUP {
            return self.flush().map_err(|error| self.wrong(error));
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), ExportError> {
        self.flush().map_err(|error| self.wrong(error))?;
        match self.writer.take() {
            Some(writer) => writer.close().map(drop).map_err(|error| self.wrong(error)),
            None => Ok(()),
        }
    }
}
