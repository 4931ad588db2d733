//! Studies: the experiment files of a folder, one folder inside it a document, and their runs in a store.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::blobs::Blobs;
use crate::experiment::{ExperimentError, FULL, Plan, essence, is_same_study, scale_names, text_of};
use crate::store::{RunRow, Store, StoreError};

/// A file that describes a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFile {
    /// The document and the study: `box/random-search`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// The files `FOLDER/DOCUMENT/STUDY.toml`, in the order of their names.
pub fn study_files(folder: &Path) -> io::Result<Vec<StudyFile>> {
    let mut found = Vec::new();
    for document in fs::read_dir(folder)? {
        let document = document?.path();
        if !document.is_dir() {
            continue;
        }
        for file in fs::read_dir(&document)? {
            let path = file?.path();
            let name = [document.file_name(), path.file_stem()].map(|part| part.and_then(|part| part.to_str()));
            if let (Some("toml"), [Some(document), Some(study)]) = (path.extension().and_then(|end| end.to_str()), name)
            {
                found.push(StudyFile { name: format!("{document}/{study}"), path });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

impl StudyFile {
    /// The text of the file.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        fs::read(&self.path)
    }

    /// The plan of the study at a scale, and which scale that is: a file without a scale of that name is taken in full.
    pub fn plan<'a>(&self, bytes: &[u8], scale: &'a str) -> Result<(Plan, &'a str), ExperimentError> {
        let file = self.path.display().to_string();
        let text = text_of(bytes, &file)?;
        let scale = if scale_names(text).iter().any(|name| name == scale) { scale } else { FULL };
        Ok((Plan::read_scale(text, scale, &file, Arc::new(Blobs::beside(&self.path)))?, scale))
    }
}

/// What a study is known by wherever it was run: the hash of what is done in it and of the files of its players.
pub fn study_hash(plan: &Plan) -> String {
    let files: BTreeSet<String> = plan.blobs.all().into_iter().map(|blob| blob.reference).collect();
    let mut hasher = blake3::Hasher::new();
    hasher.update(essence(&plan.text).unwrap_or_default().as_bytes());
    for file in &files {
        hasher.update(file.as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_string()
}

/// The run of a study in a store: the latest that is finished, else the latest that can go on. Files of players must be the same, too.
pub fn run_of(store: &Store, plan: &Plan) -> Result<Option<RunRow>, StoreError> {
    let needed: HashSet<String> = plan.blobs.all().into_iter().map(|blob| blob.reference).collect();
    let mut found: Option<RunRow> = None;
    for row in store.runs()? {
        let is_better = row.status == "finished" || found.as_ref().is_none_or(|found| found.status != "finished");
        if !is_better || row.parent.is_some() || !is_same_study(&row.experiment, &plan.text) {
            continue;
        }
        let has: HashSet<String> = store.blobs(row.run)?.all().into_iter().map(|blob| blob.reference).collect();
        if needed.is_subset(&has) {
            found = Some(row);
        }
    }
    Ok(found)
}

/// The way from a folder to a file, both given from the root, as links are written.
pub fn way_between(folder: &Path, file: &Path) -> String {
    let shared = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| "..".to_string());
    let down = file.components().skip(shared).filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_go_up_and_down() {
        let way = |folder: &str, file: &str| way_between(Path::new(folder), Path::new(file));
        assert_eq!(way("/a/docs/studies/box/x", "/a/experiments/box/x.toml"), "../../../../experiments/box/x.toml");
        assert_eq!(way("/a", "/a/b.toml"), "b.toml");
    }
}
