//! Where reports and exports go: written as a whole, and never over what somebody else put there.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// The file in a folder that lists what we put there.
const MARK: &str = ".lanista-files";
/// Its first line.
const MARK_TITLE: &str = "# Files that lanista wrote here and may replace.";

/// Why files are not written.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// Something else is there.
    #[error("{0} is there already and was not written by lanista: choose another place with -o, or say --force")]
    Foreign(String),
    /// Not a folder, or not a file.
    #[error("{0} is there already and is no {1}: choose another place with -o")]
    OtherKind(String, &'static str),
    /// A name that would lead out of the folder.
    #[error("{0:?} is no name for a file in a folder")]
    Name(String),
    /// The disk says no.
    #[error("cannot write {path}: {reason}")]
    Disk {
        /// Where.
        path: String,
        /// Why.
        reason: io::Error,
    },
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> PlaceError {
    let path = path.display().to_string();
    move |reason| PlaceError::Disk { path, reason }
}

/// Puts new content into a file of ours: the old or the new, whatever ends it early.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), PlaceError> {
    let part = part_of(path);
    fs::write(&part, content).map_err(disk(&part))?;
    fs::rename(&part, path).map_err(disk(path))
}

/// A folder of files that appear together: under other names at first, and under their own when all are complete.
pub struct Folder {
    path: PathBuf,
    force: bool,
    /// Whether it was made here.
    is_new: bool,
    /// What an earlier call wrote.
    before: BTreeSet<String>,
    /// Names in order, not yet given.
    waiting: Vec<String>,
}

impl Folder {
    /// A folder to write to; made if it is not there. One with files of somebody else is refused without `force`.
    pub fn open(path: &Path, force: bool) -> Result<Folder, PlaceError> {
        let name = path.display().to_string();
        let is_new = !path.exists();
        if !is_new && !path.is_dir() {
            return Err(PlaceError::OtherKind(name, "folder"));
        }
        let mut before = BTreeSet::new();
        if !is_new {
            match fs::read_to_string(path.join(MARK)) {
                Ok(mark) => before.extend(mark.lines().skip(1).map(str::to_string)),
                Err(_) => {
                    let empty = fs::read_dir(path).map_err(disk(path))?.next().is_none();
                    if !empty && !force {
                        return Err(PlaceError::Foreign(name));
                    }
                }
            }
        }
        fs::create_dir_all(path).map_err(disk(path))?;
        Ok(Folder { path: path.to_path_buf(), force, is_new, before, waiting: Vec::new() })
    }

    /// A file in it, by a name that may begin with folders, separated by `/`.
    pub fn create(&mut self, name: &str) -> Result<File, PlaceError> {
        let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || name.is_empty() || name == MARK || name.contains(['\n', '\r']) {
            return Err(PlaceError::Name(name.to_string()));
        }
        let target = self.path.join(name);
        if target.is_dir() {
            return Err(PlaceError::OtherKind(target.display().to_string(), "file"));
        }
        if target.exists() && !self.force && !self.before.contains(name) {
            return Err(PlaceError::Foreign(target.display().to_string()));
        }
        let part = part_of(&target);
        if let Some(folder) = part.parent() {
            fs::create_dir_all(folder).map_err(disk(folder))?;
        }
        let file = File::create(&part).map_err(disk(&part))?;
        self.waiting.push(name.to_string());
        Ok(file)
    }

    /// Writes a file as a whole.
    pub fn write(&mut self, name: &str, content: &[u8]) -> Result<(), PlaceError> {
        let mut file = self.create(name)?;
        io::Write::write_all(&mut file, content).map_err(disk(&self.path.join(name)))
    }

    /// Gives all files their names and removes those that an earlier call wrote and this one did not. Returns the files.
    pub fn finish(mut self) -> Result<Vec<PathBuf>, PlaceError> {
        let names = std::mem::take(&mut self.waiting);
        let mut files = Vec::new();
        // The mark comes first: whatever happens, what is named there is ours.
        let listed: BTreeSet<&String> = self.before.iter().chain(&names).collect();
        self.mark(listed)?;
        for name in &names {
            let target = self.path.join(name);
            fs::rename(part_of(&target), &target).map_err(disk(&target))?;
            files.push(target);
        }
        for name in self.before.iter().filter(|&old| !names.contains(old)) {
            let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            if plain {
                // It may be gone already.
                let _ = fs::remove_file(self.path.join(name));
            }
        }
        self.mark(names.iter().collect())?;
        self.is_new = false;
        Ok(files)
    }

    fn mark(&self, names: BTreeSet<&String>) -> Result<(), PlaceError> {
        let path = self.path.join(MARK);
        let lines: Vec<&str> = std::iter::once(MARK_TITLE).chain(names.into_iter().map(String::as_str)).collect();
        replace(&path, (lines.join("\n") + "\n").as_bytes())
    }
}

/// What was not finished goes.
impl Drop for Folder {
    fn drop(&mut self) {
        for name in &self.waiting {
            let _ = fs::remove_file(part_of(&self.path.join(name)));
        }
        if self.is_new {
            // Only succeeds if it is empty.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// The name of a file while it is not complete.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.part"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("lanista-place-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    fn write(path: &Path, force: bool, names: &[&str]) -> Result<Vec<PathBuf>, PlaceError> {
        let mut folder = Folder::open(path, force)?;
        for name in names {
            folder.write(name, name.as_bytes())?;
        }
        folder.finish()
    }

    #[test]
    fn own_files_are_replaced_others_are_not() {
        let path = empty("own");
        assert_eq!(write(&path, false, &["a", "b", "c/d"]).expect("written").len(), 3);
        fs::write(path.join("mine"), "x").expect("written");
        write(&path, false, &["a"]).expect("written again");
        assert!(path.join("a").exists() && !path.join("b").exists() && !path.join("c/d").exists());
        assert_eq!(fs::read_to_string(path.join("mine")).expect("still there"), "x");
        assert!(matches!(write(&path, false, &["mine"]), Err(PlaceError::Foreign(_))));
        assert_eq!(fs::read_to_string(path.join("mine")).expect("still there"), "x");
        write(&path, true, &["mine"]).expect("forced");
        assert_eq!(fs::read_to_string(path.join("mine")).expect("replaced"), "mine");
        fs::remove_dir_all(&path).expect("removed");
    }

    #[test]
    fn foreign_folders_are_refused() {
        let path = empty("foreign");
        fs::create_dir(&path).expect("made");
        write(&path, false, &["a"]).expect("an empty folder is nobody's");
        fs::remove_dir_all(&path).expect("removed");
        fs::create_dir(&path).expect("made");
        fs::write(path.join("other"), "").expect("written");
        assert!(matches!(write(&path, false, &["a"]), Err(PlaceError::Foreign(_))));
        assert!(!path.join("a").exists());
        write(&path, true, &["a"]).expect("forced");
        assert!(path.join("other").exists() && path.join("a").exists());
        fs::remove_dir_all(&path).expect("removed");
        fs::write(&path, "").expect("written");
        assert!(matches!(write(&path, true, &["a"]), Err(PlaceError::OtherKind(_, "folder"))));
        fs::remove_file(&path).expect("removed");
    }

    #[test]
    fn nothing_is_left_of_what_was_broken_off() {
        let path = empty("broken");
        let mut folder = Folder::open(&path, false).expect("opened");
        folder.write("a", b"x").expect("written");
        for name in ["../a", "/a", "", "a/../b", MARK] {
            assert!(matches!(folder.write(name, b""), Err(PlaceError::Name(_))), "{name}");
        }
        drop(folder);
        assert!(!path.exists());
    }
}
