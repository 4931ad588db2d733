//! Files that commands write: as a whole, never over what they read, and over something else only if that is wished.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::Args;

/// What becomes of a file that is there already.
#[derive(Args, Clone, Copy)]
pub struct ForceRequest {
    /// Replace a file that is there already, whatever is in it; never the store or a file that is read.
    #[arg(long)]
    force: bool,
}

impl ForceRequest {
    /// Says no where a file may not be written: never over one of `reads`, and over something else only by force.
    ///
    /// What is there may be replaced if it is empty or of the same kind: `is_alike` looks, `kind` says it to people.
    pub fn allow(
        self,
        path: &Path,
        reads: &[&Path],
        kind: &str,
        is_alike: impl FnOnce() -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        // What cannot be looked at cannot be written either; that shows later.
        let Ok(there) = fs::metadata(path) else { return Ok(()) };
        let name = path.display();
        anyhow::ensure!(!there.is_dir(), "{name} is a folder, expected a file to write");
        spare(path, reads)?;
        if self.force || !there.is_file() || there.len() == 0 {
            return Ok(());
        }
        anyhow::ensure!(
            is_alike()?,
            "{name} is there already and holds no {kind}: choose another file to write, or say --force"
        );
        Ok(())
    }
}

/// Says no if a file to be written is one of those that are read, under whatever name.
pub fn spare(path: &Path, reads: &[&Path]) -> anyhow::Result<()> {
    let Ok(whole) = path.canonicalize() else { return Ok(()) };
    let is_read = reads.iter().any(|read| read.canonicalize().is_ok_and(|read| read == whole));
    anyhow::ensure!(!is_read, "{} is what the command reads: choose another file to write", path.display());
    Ok(())
}

/// Writes a file as a whole: the old one stays until the new one is complete.
pub fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
    replace_if(path, |out| content(out).map(|()| true)).map(|_| ())
}

/// Writes a file as a whole, if `content` finds in the end that it is worth it. Returns what it found.
pub fn replace_if(path: &Path, content: impl FnOnce(&mut dyn Write) -> anyhow::Result<bool>) -> anyhow::Result<bool> {
    let written = match fs::metadata(path) {
        // A pipe or a device cannot be replaced, only written to.
        Ok(there) if !there.is_file() && !there.is_dir() => write(path, content),
        _ => write_beside(path, content),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Says no if a file cannot be written, before there is anything to write.
pub fn try_out(path: &Path) -> anyhow::Result<()> {
    replace_if(path, |_| Ok(false)).map(|_| ())
}

fn write(path: &Path, content: impl FnOnce(&mut dyn Write) -> anyhow::Result<bool>) -> anyhow::Result<bool> {
    let mut out = io::BufWriter::new(File::options().write(true).open(path)?);
    let is_worth_it = content(&mut out)?;
    out.flush()?;
    Ok(is_worth_it)
}

fn write_beside(path: &Path, content: impl FnOnce(&mut dyn Write) -> anyhow::Result<bool>) -> anyhow::Result<bool> {
    let mut name = path.file_name().context("expected the name of a file")?.to_os_string();
    name.push(".part");
    let part = path.with_file_name(name);
    let written = (|| {
        let mut file = io::BufWriter::new(File::create(&part)?);
        let is_worth_it = content(&mut file)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        if is_worth_it {
            fs::rename(&part, path)?;
        }
        anyhow::Ok(is_worth_it)
    })();
    if !matches!(written, Ok(true)) {
        // The unfinished file is of no use; that it cannot be removed would hide the real error.
        let _ = fs::remove_file(&part);
    }
    written
}
