//! Opening and replacing files, with their names in the errors.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::Context;
use indicatif::ProgressBar;
use lanista_games::files::{Format, GameFiles};

/// The file of that name, `-` being standard input, with the bar counting its bytes.
pub fn open(path: &str, bar: &ProgressBar) -> anyhow::Result<Box<dyn Read>> {
    if path == "-" {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
    let size = file.metadata().with_context(|| format!("cannot read {path}"))?;
    anyhow::ensure!(!size.is_dir(), "{path} is a folder, expected a file of games");
    bar.set_length(size.len());
    bar.set_position(0);
    Ok(Box::new(bar.wrap_read(file)))
}

/// The format of that id, or the one that the file's name tells.
pub fn format<G: GameFiles>(id: Option<&str>, path: &str) -> anyhow::Result<Format<G>> {
    match id {
        None => Ok(G::format_of_file(path)),
        Some(id) => G::format(id).with_context(|| {
            let known: Vec<&str> = G::formats().iter().map(|format| format.id).collect();
            format!("unknown format {id:?} for {}, expected one of: {}", G::ID, known.join(", "))
        }),
    }
}

/// Writes a file as a whole: the old one stays until the new one is complete.
pub fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut name = path.file_name().with_context(|| format!("{} is not a file name", path.display()))?.to_os_string();
    name.push(".part");
    let part = path.with_file_name(name);
    let written = (|| {
        let mut file = io::BufWriter::new(File::create(&part)?);
        content(&mut file)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        std::fs::rename(&part, path)?;
        anyhow::Ok(())
    })();
    if written.is_err() {
        // The unfinished file is of no use; that it cannot be removed would hide the real error.
        let _ = std::fs::remove_file(&part);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}
