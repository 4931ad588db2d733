//! What goes over the wire: bundles of jobs and their answers, as compact, compressed, checked bytes.

use bytes::Bytes;
use lanista_lab::blobs::Blobs;
use lanista_lab::jobs::{Job, JobResult};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a message begins with that holds its content.
const HERE: &[u8; 4] = b"LAN1";
/// What a message begins with whose content is in the object store.
const ELSEWHERE: &[u8; 4] = b"LANF";
/// Bytes of the hash behind the mark.
const HASH: usize = 8;
/// No message grows larger than this when it is unpacked.
pub const LARGEST_MESSAGE: usize = 256 << 20;

/// Jobs that travel together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// Which start of the coordinator made it.
    pub epoch: String,
    /// Its number in that start.
    pub number: u64,
    /// A worker that must not do it: it has done the same jobs before.
    pub not_by: Option<String>,
    /// The jobs with their tickets.
    pub jobs: Vec<(u64, Job)>,
}

/// A bundle about to be sent: it borrows its jobs. It looks the same on the wire.
#[derive(Debug, Serialize)]
pub(crate) struct Sending<'a> {
    pub epoch: &'a str,
    pub number: u64,
    pub not_by: Option<&'a str>,
    pub jobs: Vec<(u64, &'a Job)>,
}

/// What a worker made of a bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The epoch of the bundle.
    pub epoch: String,
    /// The number of the bundle.
    pub bundle: u64,
    /// The identity of the worker.
    pub worker: String,
    /// The name of the worker, for people.
    pub name: String,
    /// What came of each job; nothing if the worker must not do them and nobody else took them.
    pub jobs: Vec<JobAnswer>,
}

/// What a worker made of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobAnswer {
    /// The ticket of the job.
    pub ticket: u64,
    /// What it gave.
    pub result: Result<JobResult, Failure>,
    /// How long it took.
    pub seconds: f64,
}

/// Why a worker has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Failure {
    /// The job failed or broke down.
    #[error("{0}")]
    Failed(String),
    /// A file that it needs is not in the object store.
    #[error("the file {0} is not in the object store")]
    MissingFile(String),
    /// It was handed to so many workers before, and none lived to answer.
    #[error("{0} workers took it and none of them answered")]
    Lost(i64),
}

/// Why bytes are no message.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// They begin with something else, or end too early.
    #[error("{0} bytes that are no message")]
    Mark(usize),
    /// They changed on their way.
    #[error("a message that was damaged on its way")]
    Hash,
    /// They would be too many.
    #[error("a message of {0} bytes, expected at most {LARGEST_MESSAGE}")]
    Size(usize),
    /// They cannot be unpacked.
    #[error("a message that cannot be unpacked: {0}")]
    Packed(String),
    /// They unpack to something else.
    #[error("a message that cannot be read: {0}")]
    Content(String),
    /// The object store does not say now whether it has them: nothing is known of them yet.
    #[error("the object store does not give {0}: {1}")]
    Store(String, String),
}

/// A value as the bytes of a message.
pub fn encode(value: &impl Serialize) -> Result<Bytes, WireError> {
    let plain = postcard::to_stdvec(value).map_err(|error| WireError::Content(error.to_string()))?;
    if plain.len() > LARGEST_MESSAGE {
        return Err(WireError::Size(plain.len()));
    }
    let packed = lz4_flex::compress_prepend_size(&plain);
    let mut bytes = Vec::with_capacity(HERE.len() + HASH + packed.len());
    bytes.extend_from_slice(HERE);
    bytes.extend_from_slice(&blake3::hash(&packed).as_bytes()[..HASH]);
    bytes.extend_from_slice(&packed);
    Ok(bytes.into())
}

/// The value of a message.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    let rest = bytes.strip_prefix(HERE).filter(|rest| rest.len() >= HASH + 4).ok_or(WireError::Mark(bytes.len()))?;
    let (hash, packed) = rest.split_at(HASH);
    if blake3::hash(packed).as_bytes()[..HASH] != *hash {
        return Err(WireError::Hash);
    }
    // The size is claimed before anything is unpacked.
    let (size, _) = lz4_flex::block::uncompressed_size(packed).map_err(|error| WireError::Packed(error.to_string()))?;
    if size > LARGEST_MESSAGE {
        return Err(WireError::Size(size));
    }
    let plain = lz4_flex::decompress_size_prepended(packed).map_err(|error| WireError::Packed(error.to_string()))?;
    let (value, rest) = postcard::take_from_bytes(&plain).map_err(|error| WireError::Content(error.to_string()))?;
    if !rest.is_empty() {
        return Err(WireError::Content(format!("{} bytes too many", rest.len())));
    }
    Ok(value)
}

/// A message that says where its content is.
pub(crate) fn pointer(reference: &str) -> Bytes {
    [ELSEWHERE, reference.as_bytes()].concat().into()
}

/// Where the content of a message is, if it is not in the message itself.
pub(crate) fn pointed(bytes: &[u8]) -> Option<&str> {
    let reference = std::str::from_utf8(bytes.strip_prefix(ELSEWHERE)?).ok()?;
    Blobs::is_reference(reference).then_some(reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer() -> Answer {
        let jobs = (0..50).map(|ticket| JobAnswer {
            ticket,
            result: Err(Failure::Failed("the same words again and again".into())),
            seconds: 0.5,
        });
        Answer { epoch: "e".into(), bundle: 3, worker: "w".into(), name: "n".into(), jobs: jobs.collect() }
    }

    #[test]
    fn messages_are_read_back_and_packed() {
        let bytes = encode(&answer()).expect("bytes");
        assert_eq!(decode::<Answer>(&bytes).expect("an answer"), answer());
        assert!(bytes.len() < 500, "{} bytes", bytes.len());
    }

    #[test]
    fn any_change_of_any_byte_is_seen() {
        let bytes = encode(&answer()).expect("bytes");
        for at in 0..bytes.len() {
            let mut changed = bytes.to_vec();
            changed[at] ^= 1 << (at % 8);
            assert!(decode::<Answer>(&changed).is_err(), "byte {at}");
            assert!(decode::<Answer>(&bytes[..at]).is_err(), "{at} bytes");
        }
    }

    #[test]
    fn what_claims_to_be_huge_is_not_unpacked() {
        let mut packed = lz4_flex::compress_prepend_size(b"small");
        packed[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        let hash = blake3::hash(&packed);
        let bytes = [HERE.as_slice(), &hash.as_bytes()[..HASH], &packed].concat();
        assert!(matches!(decode::<Answer>(&bytes), Err(WireError::Size(_))));
    }

    /// A message of a few kilobytes could otherwise use up the stack.
    #[test]
    fn nothing_nests_without_end() {
        use lanista_lab::learning::Body;
        let flat = Body::OneOf(["a", "b"].map(|name| Body::Linear { evaluator: name.into() }).to_vec());
        let nested = encode(&Body::OneOf(vec![flat.clone()])).expect("bytes");
        assert!(matches!(decode::<Body>(&nested), Err(WireError::Content(_))));
        assert_eq!(decode::<Body>(&encode(&flat).expect("bytes")).expect("a body"), flat);
    }

    #[test]
    fn pointers_name_content_and_nothing_else() {
        let reference = Blobs::reference(b"content");
        assert_eq!(pointed(&pointer(&reference)), Some(reference.as_str()));
        assert_eq!(pointed(&pointer("/etc/passwd")), None);
        assert_eq!(pointed(b"LAN1"), None);
    }
}
