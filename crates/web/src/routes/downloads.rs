//! Reports and exports as downloads.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use lanista_lab::export::{self, Format};
use lanista_lab::report;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::run_games::download;
use super::runs::find_run;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Path, Query};
use crate::guard::REPORT_POLICY;
use crate::state::App;

/// A file goes to a page in pieces of this size.
const PIECE: u64 = 256 << 10;

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
        let failed = |error: io::Error| ApiError::failed(format!("the files cannot be read: {error}"));
        let (name, file) = match format {
            Format::Xlsx => (format!("run-{run}.xlsx"), File::open(&path)),
            Format::Csv | Format::Parquet => {
                let name = if format == Format::Csv { "csv" } else { "parquet" };
                (format!("run-{run}-{name}.zip"), zipped(&files, scratch.0.join("archive.zip")))
            }
        };
        Ok((name, file.map_err(failed)?, scratch))
    });
    let (name, file, scratch) = exported.await?;
    let kind = if name.ends_with("zip") {
        "application/zip"
    } else {
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    };
    Ok(download(&name, kind, in_pieces(file, scratch)))
}

/// An archive of some files, which are gone then.
fn zipped(files: &[PathBuf], path: PathBuf) -> io::Result<File> {
    let mut archive = ZipWriter::new(File::create_new(&path)?);
    for path in files {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut file = File::open(path)?;
        let is_large = file.metadata()?.len() >= u64::from(u32::MAX);
        archive.start_file(name, SimpleFileOptions::default().large_file(is_large))?;
        io::copy(&mut file, &mut archive)?;
        fs::remove_file(path)?;
    }
    archive.finish()?;
    File::open(&path)
}

/// Sends a file as fast as the page takes it. Its folder goes when all is sent or the page has left.
fn in_pieces(mut file: File, scratch: Scratch) -> Body {
    let (sender, receiver) = mpsc::channel(2);
    tokio::spawn(async move {
        let _scratch = scratch;
        loop {
            let read = spawn_blocking(move || {
                let mut piece = Vec::new();
                let read = (&mut file).take(PIECE).read_to_end(&mut piece);
                (file, read.map(|_| piece))
            });
            let Ok((same, piece)) = read.await else { return };
            file = same;
            let is_last = piece.as_ref().map_or(true, Vec::is_empty);
            if sender.send(piece).await.is_err() || is_last {
                return;
            }
        }
    });
    Body::from_stream(ReceiverStream::new(receiver))
}
