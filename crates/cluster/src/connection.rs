//! The way to the server: addresses, secrets, reconnecting.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event};

use crate::streams;

/// Who wants to know what happens to a connection: one line at a time.
pub type Say = Arc<dyn Fn(String) + Send + Sync>;

/// The longest pause between attempts to connect.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Where the server is and how one gets in.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Addresses, separated by commas: `nats://host:4222`, `tls://user:password@host:4222`.
    pub url: String,
    /// Certificates of authorities to trust (PEM).
    pub tls_ca: Option<PathBuf>,
    /// The certificate of this client and its key (PEM).
    pub tls_client: Option<(PathBuf, PathBuf)>,
    /// A credentials file, as NATS makes them (JWT and seed).
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// A file with secrets cannot be used.
    #[error("{0}: {1}")]
    File(String, String),
    /// The address makes no sense.
    #[error("{0:?} is no address of a NATS server, expected something like nats://127.0.0.1:4222")]
    Address(String),
    /// Nobody answers, or we are not let in.
    #[error("no connection with NATS at {0}: {1}")]
    Server(String, String),
    /// A stream cannot be had.
    #[error("NATS gives no {0}: {1} (is JetStream on? nats-server --jetstream)")]
    Stream(String, String),
}

/// A connection that comes back by itself.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The client.
    pub client: Client,
    /// JetStream.
    pub context: Context,
}

impl Connection {
    /// Whether the server is there now. What is sent without one waits in a queue of the client, and whoever sends waits for
    /// room when that is full.
    pub fn is_up(&self) -> bool {
        self.client.connection_state() == State::Connected
    }
}

impl Access {
    /// The server as people may see it: without passwords.
    pub fn shown(&self) -> String {
        let shown = |address: &str| match (address.split_once("://"), address.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            (None, Some((_, host))) => host.to_string(),
            _ => address.to_string(),
        };
        self.url.split(',').map(shown).collect::<Vec<_>>().join(",")
    }

    async fn options(&self, name: &str, say: &Say) -> Result<ConnectOptions, ConnectionError> {
        let (say, place) = (Arc::clone(say), self.shown());
        // The first connection needs no words.
        let lost = Arc::new(AtomicBool::new(false));
        let mut options = ConnectOptions::new()
            .name(name)
            .ping_interval(Duration::from_secs(10))
            .connection_timeout(Duration::from_secs(5))
            .request_timeout(Some(Duration::from_secs(5)))
            .subscription_capacity(1 << 17)
            .reconnect_delay_callback(pause)
            .event_callback(move |event| {
                match event {
                    Event::Disconnected if !lost.swap(true, Ordering::Relaxed) => {
                        say(format!("the connection with {place} is lost, trying again"));
                    }
                    Event::Connected if lost.swap(false, Ordering::Relaxed) => {
                        say(format!("connected with {place} again"))
                    }
                    Event::ServerError(error) => say(format!("{place} says: {error}")),
                    _ => {}
                }
                std::future::ready(())
            });
        if let Some(path) = &self.tls_ca {
            readable(path)?;
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.tls_client {
            readable(certificate)?;
            readable(key)?;
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        if let Some(path) = &self.credentials {
            let opened = options.credentials_file(path).await;
            options = opened.map_err(|error| ConnectionError::File(path.display().to_string(), error.to_string()))?;
        }
        if let Some(path) = &self.nkey {
            let seed = readable(path)?;
            options = options.nkey(seed.trim().to_string());
        }
        Ok(options)
    }

    /// Connects. With `patiently` it tries until it succeeds, otherwise a few seconds.
    pub async fn connect(&self, name: &str, patiently: bool, say: Say) -> Result<Connection, ConnectionError> {
        let mut addresses = Vec::new();
        for address in self.url.split(',').map(str::trim) {
            let parsed: Result<async_nats::ServerAddr, _> = address.parse();
            addresses.push(parsed.map_err(|_| ConnectionError::Address(address.to_string()))?);
        }
        let shown = self.shown();
        let mut attempt = 0;
        let client = loop {
            match self.options(name, &say).await?.connect(addresses.clone()).await {
                Ok(client) => break client,
                Err(error) if patiently => {
                    let wait = pause(attempt);
                    say(format!("no connection with {shown}: {}; again in {:.1} s", cause(&error), wait.as_secs_f64()));
                    tokio::time::sleep(wait).await;
                    attempt += 1;
                }
                Err(error) => return Err(ConnectionError::Server(shown, cause(&error))),
            }
        };
        let mut context = jetstream::new(client.clone());
        context.set_timeout(Duration::from_secs(5));
        Ok(Connection { client, context })
    }

    /// Connects and makes the streams that are missing.
    pub async fn join(&self, name: &str, patiently: bool, say: Say) -> Result<Connection, ConnectionError> {
        let connection = self.connect(name, patiently, Arc::clone(&say)).await?;
        let mut attempt = 0;
        loop {
            match streams::prepare(&connection.context).await {
                Ok(()) => return Ok(connection),
                Err(error) if patiently => {
                    say(error.to_string());
                    tokio::time::sleep(pause(attempt)).await;
                    attempt += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// A new key for a user of the server: the secret seed, and what the server's configuration needs to know of it.
pub fn new_key() -> Result<(String, String), ConnectionError> {
    let pair = nkeys::KeyPair::new_user();
    let seed = pair.seed().map_err(|error| ConnectionError::File("a new key".into(), error.to_string()))?;
    Ok((seed, pair.public_key()))
}

/// Pauses between attempts grow, and differ from machine to machine, so that a thousand do not come back at once.
fn pause(attempt: usize) -> Duration {
    let grown = Duration::from_millis(100 << attempt.min(8)).min(LONGEST_PAUSE);
    let jitter = blake3::hash(nuid::next().as_bytes()).as_bytes()[0];
    grown / 2 + grown / 2 * u32::from(jitter) / 255
}

fn readable(path: &Path) -> Result<String, ConnectionError> {
    std::fs::read_to_string(path).map_err(|error| ConnectionError::File(path.display().to_string(), error.to_string()))
}

/// The innermost reason: what people can do something about.
fn cause(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => cause(source),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("nats://127.0.0.1:4222", "nats://127.0.0.1:4222"),
            ("tls://user:secret@host:4222", "tls://host:4222"),
            ("user:secret@host,nats://other", "host,nats://other"),
        ] {
            assert_eq!(Access { url: url.into(), ..Access::default() }.shown(), shown);
        }
    }

    #[test]
    fn pauses_grow_to_a_limit() {
        for attempt in 0..40 {
            let pause = pause(attempt);
            assert!(pause >= Duration::from_millis(50) && pause <= LONGEST_PAUSE, "{attempt}: {pause:?}");
        }
    }
}
