//! Signs of life: what workers and coordinators tell everybody about themselves, every second.
//!
//! They are JSON, so that programs of other versions understand each other well enough to say that they do not fit.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::connection::Connection;

/// Signs of workers are published below this subject.
pub const WORKER_SIGNS: &str = "lanista.signs.worker";
/// Signs of runs are published below this subject.
pub const RUN_SIGNS: &str = "lanista.signs.run";
/// A sign is not longer than this.
const LONGEST: usize = 64 << 10;

/// The subject of the signs of one worker or run.
pub fn sign_subject(kind: &str, id: &str) -> String {
    format!("{kind}.{id}")
}

/// A worker's sign of life.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerSign {
    /// Its identity: another one at every start.
    pub id: String,
    /// Its name, for people.
    pub name: String,
    /// Its program and version.
    pub program: String,
    /// What its program computes.
    pub signature: String,
    /// Who fits: programs with the same value work for each other.
    pub compatibility: String,
    /// Its threads.
    pub threads: usize,
    /// Threads at work.
    pub busy: usize,
    /// Jobs done since it began.
    pub jobs: u64,
    /// Jobs that failed since it began.
    pub failures: u64,
    /// Seconds that its threads have worked, all together.
    pub worked: f64,
    /// Whether it is about to leave.
    pub leaving: bool,
}

/// A coordinator's sign of life.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSign {
    /// The key of the run.
    pub key: String,
    /// This start of its coordinator.
    pub epoch: String,
    /// What it is called.
    pub title: String,
    /// The program and version that work for it must have.
    pub program: String,
    /// What that program computes.
    pub signature: String,
    /// Who fits.
    pub compatibility: String,
    /// Jobs that wait.
    pub queued: u64,
    /// Jobs that workers have, or that wait for them on the stream.
    pub out: u64,
    /// Jobs done since it began.
    pub done: u64,
    /// Results that were compared with another worker's.
    pub verified: u64,
    /// Messages that were thrown away because they could not be read.
    pub dropped: u64,
    /// Whose results were wrong: identities.
    pub quarantined: Vec<String>,
    /// Their names, for people: they leave when they hear of it.
    pub quarantined_names: Vec<String>,
    /// A worker that shows no sign of life for so many seconds is taken for dead.
    pub patience: f64,
    /// Whether it is over.
    pub over: bool,
}

/// Shows a sign. Without a server nobody would hear it in time, and it must not wait for one: signs that pile up would block who
/// shows them.
pub(crate) async fn show(connection: &Connection, subject: String, sign: &impl Serialize) {
    if connection.is_up() {
        // Lost signs are followed by others.
        let _ = connection.client.publish(subject, write(sign)).await;
    }
}

/// A sign as bytes.
fn write(sign: &impl Serialize) -> bytes::Bytes {
    // Plain structures of texts and numbers can always be written.
    serde_json::to_vec(sign).unwrap_or_default().into()
}

/// The sign in some bytes, if it is one.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    (bytes.len() <= LONGEST).then(|| serde_json::from_slice(bytes).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::connection::Access;
    use crate::server::Server;

    /// Far more signs than the client's queue has room for.
    #[test]
    fn signs_that_nobody_hears_block_nobody() {
        let mut server = Server::start();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let access = Access { url: server.url(), ..Access::default() };
            let connection = access.connect("a test", false, Arc::new(|_| {})).await.expect("a connection");
            assert!(connection.is_up());
            server.kill();
            let deadline = Instant::now() + Duration::from_secs(60);
            while connection.is_up() {
                assert!(Instant::now() < deadline, "nobody notices that the server is gone");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let many = async {
                for _ in 0..10_000 {
                    show(&connection, sign_subject(WORKER_SIGNS, "x"), &WorkerSign::default()).await;
                }
            };
            tokio::time::timeout(Duration::from_secs(30), many).await.expect("nobody waits for the server");
        });
    }

    #[test]
    fn signs_of_other_versions_are_understood_as_far_as_they_go() {
        let sign: WorkerSign = read(br#"{"id":"w1","program":"lanista 9.9","later":"field"}"#).expect("a sign");
        assert_eq!((sign.id.as_str(), sign.program.as_str(), sign.threads), ("w1", "lanista 9.9", 0));
        assert_eq!(read::<WorkerSign>(b"nonsense"), None);
        assert_eq!(read::<RunSign>(&vec![b' '; LONGEST + 1]), None);
    }

    #[test]
    fn no_sign_tells_the_time() {
        let (worker, run) = (write(&WorkerSign::default()), write(&RunSign::default()));
        for text in [worker, run].map(|bytes| String::from_utf8(bytes.to_vec()).expect("text")) {
            for word in ["time", "date", "clock", "since", "at\""] {
                assert!(!text.contains(word), "{text} tells {word}");
            }
        }
    }
}
