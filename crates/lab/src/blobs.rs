//! Files by their content: what jobs need of weights and tables, wherever they run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::shipped;

/// What a reference to content begins with, where a file's name could stand.
const MARK: &str = "b3-";
/// Larger files are refused.
const LARGEST: u64 = 256 << 20;

/// A set of files, each known by the hash of its content, and by its name where it had one.
#[derive(Debug, Default)]
pub struct Blobs {
    reach: Reach,
    content: Mutex<BTreeMap<String, Arc<[u8]>>>,
    names: Mutex<BTreeMap<String, String>>,
}

/// Where files are looked for that are not in a set yet.
#[derive(Debug)]
enum Reach {
    /// In a folder, then in the present one, then among those that the program carries.
    Disk(PathBuf),
    /// Among those that the program carries.
    Shipped,
    /// Nowhere.
    Nothing,
}

impl Default for Reach {
    fn default() -> Reach {
        Reach::Disk(PathBuf::new())
    }
}

/// A file as a store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The reference to its content.
    pub reference: String,
    /// The name that it was asked for by; empty for content that never was a file.
    pub name: String,
    /// What is in it.
    pub content: Arc<[u8]>,
}

impl Blobs {
    /// A set whose files are looked for beside `file` first, then in the present folder, then among those that the program
    /// carries: a text of the project finds its players wherever it was copied to.
    pub fn beside(file: &Path) -> Blobs {
        Blobs::within(Reach::Disk(file.parent().map(Path::to_path_buf).unwrap_or_default()))
    }

    /// A set that never reads the disk: only what is put into it is found. For jobs of others, who may not touch the files of this
    /// machine. It also starts no other programs.
    pub fn sealed() -> Blobs {
        Blobs::within(Reach::Nothing)
    }

    /// A sealed set that finds the files which the program carries (`players/NAME`), too. For texts of others.
    pub fn shipped() -> Blobs {
        Blobs::within(Reach::Shipped)
    }

    fn within(reach: Reach) -> Blobs {
        Blobs { reach, ..Blobs::default() }
    }

    /// Whether it never reads the disk. Players that would start other programs are refused then, too.
    pub fn is_sealed(&self) -> bool {
        !matches!(self.reach, Reach::Disk(_))
    }

    /// Whether a file's name in a player's text is a reference to content.
    pub fn is_reference(name: &str) -> bool {
        name.strip_prefix(MARK).is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }

    /// The reference to some content.
    pub fn reference(content: &[u8]) -> String {
        format!("{MARK}{}", blake3::hash(content).to_hex())
    }

    /// Keeps some content. Returns its reference.
    pub fn add(&self, content: impl Into<Arc<[u8]>>) -> String {
        let content = content.into();
        let reference = Blobs::reference(&content);
        lock(&self.content).insert(reference.clone(), content);
        reference
    }

    /// Puts back what a store kept.
    pub fn put(&self, blob: Blob) {
        lock(&self.content).insert(blob.reference.clone(), blob.content);
        if !blob.name.is_empty() {
            lock(&self.names).insert(blob.name, blob.reference);
        }
    }

    /// Forgets some content.
    pub fn remove(&self, reference: &str) {
        lock(&self.content).remove(reference);
    }

    /// The content of a reference.
    pub fn get(&self, reference: &str) -> Option<Arc<[u8]>> {
        lock(&self.content).get(reference).cloned()
    }

    /// The content of a file and its reference. A file is looked for once; from then on its name means what it held.
    pub fn load(&self, name: &str) -> Result<(String, Arc<[u8]>), String> {
        if let Some(reference) = lock(&self.names).get(name)
            && let Some(content) = self.get(reference)
        {
            return Ok((reference.clone(), content));
        }
        let content: Arc<[u8]> = match &self.reach {
            Reach::Disk(folder) => {
                let places = [folder.join(name), PathBuf::from(name)];
                match (places.iter().find(|path| path.exists()), shipped::player_file(name)) {
                    (None, Some(content)) => content.into(),
                    (found, _) => read(found.unwrap_or(&places[1]))?.into(),
                }
            }
            Reach::Shipped => shipped::player_file(name)
                .ok_or(
                    "files of this machine are out of reach here; expected one that ships with the program \
                     (players/NAME), or one named by its content (b3-…)",
                )?
                .into(),
            Reach::Nothing => {
                return Err("files of this machine are out of reach here; name it by its content (b3-…)".into());
            }
        };
        let reference = self.add(Arc::clone(&content));
        lock(&self.names).insert(name.to_string(), reference.clone());
        Ok((reference, content))
    }

    /// Everything in it, once under each name that it has.
    pub fn all(&self) -> Vec<Blob> {
        let (names, content) = (lock(&self.names), lock(&self.content));
        let mut all = Vec::new();
        for (reference, content) in content.iter() {
            let mut own: Vec<&str> =
                names.iter().filter(|(_, named)| *named == reference).map(|(name, _)| name.as_str()).collect();
            if own.is_empty() {
                own.push("");
            }
            let blob = |name: &str| Blob {
                reference: reference.clone(),
                name: name.to_string(),
                content: Arc::clone(content),
            };
            all.extend(own.into_iter().map(blob));
        }
        all
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let file = fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
        _ => error.to_string(),
    })?;
    if !file.is_file() {
        return Err("not a file".into());
    }
    let size = file.len();
    if size > LARGEST {
        return Err(format!("{size} bytes, expected at most {LARGEST}"));
    }
    fs::read(path).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_set_never_looks_at_the_disk() {
        let blobs = Blobs::sealed();
        for name in ["Cargo.toml", "/etc/hostname", "../lab/Cargo.toml"] {
            assert!(blobs.load(name).is_err_and(|reason| reason.contains("by its content")), "{name}");
        }
        let reference = blobs.add(b"weights".to_vec());
        assert!(blobs.get(&reference).is_some());
        blobs.remove(&reference);
        assert_eq!(blobs.get(&reference), None);
    }

    #[test]
    fn shipped_files_are_found_wherever_a_text_lies() {
        let name = "../../players/tdloa.safetensors";
        let carried = Blobs::shipped().load(name).expect("a shipped file");
        let elsewhere = std::env::temp_dir().join("nowhere").join("experiment.toml");
        assert_eq!(Blobs::beside(&elsewhere).load(name), Ok(carried));
        assert!(Blobs::sealed().load(name).is_err() && Blobs::shipped().is_sealed());
        for name in ["Cargo.toml", "/etc/hostname", "../../players/../Cargo.toml", "players/none.txt"] {
            assert!(Blobs::shipped().load(name).is_err_and(|reason| reason.contains("ships with")), "{name}");
        }
    }

    #[test]
    fn content_with_two_names_keeps_both() {
        let blobs = Blobs::shipped();
        for name in ["players/tdloa.safetensors", "../players/tdloa.safetensors"] {
            blobs.load(name).expect("a shipped file");
        }
        let kept = Blobs::sealed();
        blobs.all().into_iter().for_each(|blob| kept.put(blob));
        assert_eq!(kept.all(), blobs.all());
        assert_eq!(kept.all().len(), 2);
    }

    #[test]
    fn content_is_found_by_its_reference_only() {
        let blobs = Blobs::default();
        let reference = blobs.add(b"weights".to_vec());
        assert!(Blobs::is_reference(&reference) && !Blobs::is_reference("weights.txt"));
        assert_eq!(blobs.get(&reference).as_deref(), Some(b"weights".as_slice()));
        assert_eq!(blobs.get(&Blobs::reference(b"others")), None);
    }

    #[test]
    fn a_sealed_set_reads_no_disk() {
        let blobs = Blobs::sealed();
        assert!(blobs.load("Cargo.toml").is_err() && Blobs::default().load("Cargo.toml").is_ok());
        let reference = blobs.add(b"weights".to_vec());
        blobs.put(Blob { reference, name: "weights.txt".into(), content: b"weights".to_vec().into() });
        assert!(blobs.load("weights.txt").is_ok());
    }
}
