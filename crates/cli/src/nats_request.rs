//! How a command gets to a NATS server.

use std::path::PathBuf;

use clap::Args;
use lanista_cluster::Access;

/// What a server wants to see before it lets anybody in.
#[derive(Args, Clone)]
#[command(next_help_heading = "Security of the connection")]
pub struct NatsSecrets {
    /// Certificates of authorities to trust (PEM), for a server with tls:// and a certificate of your own making.
    #[arg(long, value_name = "FILE", env = "LANISTA_NATS_CA")]
    tls_ca: Option<PathBuf>,
    /// The certificate of this client (PEM).
    #[arg(long, value_name = "FILE", env = "LANISTA_NATS_CERT", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of that certificate (PEM).
    #[arg(long, value_name = "FILE", env = "LANISTA_NATS_KEY", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// A credentials file, as NATS makes them.
    #[arg(long, value_name = "FILE", env = "LANISTA_NATS_CREDS")]
    creds: Option<PathBuf>,
    /// A file with the seed of an nkey.
    #[arg(long, value_name = "FILE", env = "LANISTA_NATS_NKEY", conflicts_with = "creds")]
    nkey: Option<PathBuf>,
}

impl NatsSecrets {
    /// The way to a server with these secrets.
    pub fn access(&self, url: &str) -> Access {
        Access {
            url: url.to_string(),
            tls_ca: self.tls_ca.clone(),
            tls_client: self.tls_cert.clone().zip(self.tls_key.clone()),
            credentials: self.creds.clone(),
            nkey: self.nkey.clone(),
        }
    }
}

/// A server.
#[derive(Args, Clone)]
pub struct NatsRequest {
    /// The NATS server; several addresses of one cluster separated by commas.
    #[arg(long, value_name = "URL", env = "LANISTA_NATS", default_value = "nats://127.0.0.1:4222")]
    nats: String,
    #[command(flatten)]
    secrets: NatsSecrets,
}

impl NatsRequest {
    /// The way to the server.
    pub fn access(&self) -> Access {
        self.secrets.access(&self.nats)
    }
}
