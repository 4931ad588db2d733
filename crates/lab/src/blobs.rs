//! Files by their content: what jobs need of weights and tables, wherever they run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What a reference to content begins with, where a file's name could stand.
const MARK: &str = "b3-";
/// Larger files are refused.
const LARGEST: u64 = 256 << 20;

/// A set of files, each known by the hash of its content, and by its name where it was read from the disk.
#[derive(Debug, Default)]
pub struct Blobs {
    /// Whether nothing is ever read from the disk.
    sealed: bool,
    folder: Option<PathBuf>,
    content: Mutex<BTreeMap<String, Arc<[u8]>>>,
    names: Mutex<BTreeMap<String, String>>,
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
    /// A set whose files are looked for beside `file` first, then in the present folder.
    pub fn beside(file: &Path) -> Blobs {
        Blobs { folder: file.parent().map(Path::to_path_buf), ..Blobs::default() }
    }

    /// A set that never reads the disk: only what is put into it is found. For jobs and texts of others, who may not touch the
    /// files of this machine. It also starts no other programs.
    pub fn sealed() -> Blobs {
        Blobs { sealed: true, ..Blobs::default() }
    }

    /// Whether it never reads the disk. Players that would start other programs are refused then, too.
    pub fn is_sealed(&self) -> bool {
        self.sealed
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

    /// The content of a file and its reference. A file is read once; from then on its name means what it held.
    pub fn load(&self, name: &str) -> Result<(String, Arc<[u8]>), String> {
        if let Some(reference) = lock(&self.names).get(name)
            && let Some(content) = self.get(reference)
        {
            return Ok((reference.clone(), content));
        }
        if self.sealed {
            return Err("files of this machine are out of reach here; name it by its content (b3-…)".into());
        }
        let beside = self.folder.as_ref().map(|folder| folder.join(name)).filter(|path| path.exists());
        let content: Arc<[u8]> = read(&beside.unwrap_or_else(|| PathBuf::from(name)))?.into();
        let reference = self.add(Arc::clone(&content));
        lock(&self.names).insert(name.to_string(), reference.clone());
        Ok((reference, content))
    }

    /// Everything in it.
    pub fn all(&self) -> Vec<Blob> {
        let (names, content) = (lock(&self.names), lock(&self.content));
        let name_of =
            |reference: &String| names.iter().find(|(_, named)| *named == reference).map_or("", |(name, _)| name);
        let blob = |(reference, content): (&String, &Arc<[u8]>)| Blob {
            reference: reference.clone(),
            name: name_of(reference).to_string(),
            content: Arc::clone(content),
        };
        content.iter().map(blob).collect()
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
