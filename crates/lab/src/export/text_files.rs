//! CSV: a text file for each table, with a line of names on top.

use std::fs::File;
use std::io::BufWriter;

use super::ExportError;
use super::place::Folder;
use super::rows::{Rows, Table, Value};

/// Writes the tables to a folder.
pub(super) struct TextFiles<'a> {
    folder: &'a mut Folder,
    writer: Option<csv::Writer<BufWriter<File>>>,
    name: String,
}

impl<'a> TextFiles<'a> {
    pub fn new(folder: &'a mut Folder) -> TextFiles<'a> {
        TextFiles { folder, writer: None, name: String::new() }
    }

    fn wrong(&self, reason: impl ToString) -> ExportError {
        ExportError::Format { file: self.name.clone(), reason: reason.to_string() }
    }
}

impl Rows for TextFiles<'_> {
    fn begin(&mut self, table: &Table) -> Result<(), ExportError> {
        self.name = format!("{}.csv", table.name);
        let mut writer = csv::Writer::from_writer(BufWriter::new(self.folder.create(&self.name)?));
        writer.write_record(table.columns.iter().map(|column| column.name)).map_err(|error| self.wrong(error))?;
        self.writer = Some(writer);
        Ok(())
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<(), ExportError> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let written = (|| {
            for value in values {
                match *value {
                    Value::Text(text) => writer.write_field(text)?,
                    Value::Whole(number) => writer.write_field(number.to_string())?,
                    // The shortest text that reads back as the same number.
                    Value::Number(number) => writer.write_field(number.to_string())?,
                    Value::Flag(flag) => writer.write_field(if flag { "true" } else { "false" })?,
                    Value::Missing => writer.write_field("")?,
                }
            }
            writer.write_record(None::<&[u8]>)
        })();
        written.map_err(|error| self.wrong(error))
    }

    fn end(&mut self) -> Result<(), ExportError> {
        match self.writer.take().map(csv::Writer::into_inner) {
            Some(Err(error)) => Err(self.wrong(error.error())),
            Some(Ok(mut file)) => std::io::Write::flush(&mut file).map_err(|error| self.wrong(error)),
            None => Ok(()),
        }
    }
}
