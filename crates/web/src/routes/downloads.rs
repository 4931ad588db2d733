//! Reports and exports as downloads.

use std::fs;
use std::io::{Cursor, Write};
use std::path::PathBuf;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use lanista_lab::export::{self, Format};
use lanista_lab::report;
use serde::Deserialize;
use utoipa::IntoParams;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::run_games::download;
use super::runs::find_run;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Path, Query};
use crate::guard::REPORT_POLICY;
use crate::state::App;

/// A folder that is gone when this is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, ApiError> {
        let number = getrandom::u64().map_err(|error| ApiError::failed(format!("no random numbers: {error}")))?;
        let path = std::env::temp_dir().join(format!("lanista-{}-{number:016x}", std::process::id()));
        fs::create_dir(&path).map_err(|error| ApiError::failed(format!("no place for the files: {error}")))?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The report of a run as a page.
#[utoipa::path(get, path = "/api/runs/{run}/report", operation_id = "run_report", tag = "runs", params(("run" = i64, Path)),
    responses((status = 200, body = String, content_type = "text/html"), (status = 404, body = ErrorBody)))]
pub async fn run_report(State(app): State<App>, Path(run): Path<i64>) -> Result<impl IntoResponse, ApiError> {
    let page = app.blocking(move |app| {
        let (store, _) = find_run(app, run)?;
        report::page(&store, run).map_err(|error| ApiError::failed(error.to_string()))
    });
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
    Ok(([kind, (header::CONTENT_SECURITY_POLICY, REPORT_POLICY)], page.await?))
}

/// Which format.
#[derive(Clone, Debug, Deserialize, IntoParams)]
pub struct ExportQuery {
    /// `csv`, `parquet` or `xlsx`.
    pub to: String,
}

/// The tables of a run for other programs: an Excel workbook, or a ZIP archive of CSV or Parquet files.
#[utoipa::path(get, path = "/api/runs/{run}/export", operation_id = "export_run", tag = "runs",
    params(("run" = i64, Path), ExportQuery),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn export_run(
    State(app): State<App>,
    Path(run): Path<i64>,
    Query(query): Query<ExportQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let format = match query.to.as_str() {
        "csv" => Format::Csv,
        "parquet" => Format::Parquet,
        "xlsx" => Format::Xlsx,
        other => return Err(ApiError::wrong("to", format!("{other:?}: expected csv, parquet or xlsx"))),
    };
    let exported = app.blocking(move |app| {
        let (store, _) = find_run(app, run)?;
        let scratch = Scratch::new()?;
        let path = scratch.0.join(format.default_path(run));
        let exported = export::export(&store, run, format, &path, false);
        let files = exported.map_err(|error| ApiError::failed(error.to_string()))?.files;
        let failed = |error: std::io::Error| ApiError::failed(format!("the files cannot be read: {error}"));
        match format {
            Format::Xlsx => Ok((format!("run-{run}.xlsx"), fs::read(&path).map_err(failed)?)),
            Format::Csv | Format::Parquet => {
                let name = if format == Format::Csv { "csv" } else { "parquet" };
                Ok((format!("run-{run}-{name}.zip"), zipped(&files).map_err(failed)?))
            }
        }
    });
    let (name, bytes) = exported.await?;
    let kind = if name.ends_with("zip") {
        "application/zip"
    } else {
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    };
    Ok(download(&name, kind, bytes))
}

fn zipped(files: &[PathBuf]) -> std::io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(&fs::read(file)?)?;
    }
    Ok(archive.finish()?.into_inner())
}
