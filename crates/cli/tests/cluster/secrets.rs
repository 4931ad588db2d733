//! The examples of docs/cluster.md that let in only whom the server knows.

use std::path::Path;
use std::process::Command;

use super::*;

/// Makes the secrets of the examples in deploy/tls.
fn make_secrets(folder: &Folder) {
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/tls");
    let made = Command::new(deploy.join("make-secrets"))
        .arg(&**folder)
        .arg(env!("CARGO_BIN_EXE_lanista"))
        .output()
        .expect("the script starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// A server with a configuration in a folder.
fn server_with(folder: &Folder, configuration: &str) -> Server {
    Server::with(&["-c", &folder.join(configuration).display().to_string()])
}

/// A worker and a run get in with their secrets and come to what threads come to; others are turned away with one line.
fn only_these_get_in(folder: &Folder, url: &str, worker: &[&str], run: &[&str], others: &[&[&str]]) {
    let file = folder.write("small.toml", &PLOGANN.replace("GENERATIONS", "2"));
    json(folder, &["run", &file, "--store", "one.db", "--threads", "2"]);
    let _worker = Process::worker(folder, url, "anna", worker);
    json(folder, &[&["run", &file, "--store", "nats.db", "--nats", url][..], run].concat());
    assert_eq!(content(folder, "nats.db"), content(folder, "one.db"));
    for more in others {
        let output = lanista(folder, &[&["run", &file, "--store", "no.db", "--nats", url][..], more].concat());
        let message = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(!output.status.success() && message.contains("no connection with NATS"), "{more:?}: {message}");
        assert_eq!(message.lines().filter(|line| line.starts_with("lanista: ")).count(), 1, "{message}");
    }
}

/// Certificates of our own making, an nkey for workers and one for coordinators.
#[test]
fn the_example_with_tls_and_keys_works_and_lets_nobody_else_in() {
    let folder = Folder::new("tls");
    make_secrets(&folder);
    let server = server_with(&folder, "nats.conf");
    let url = format!("tls://127.0.0.1:{}", server.port);
    let ca = ["--tls-ca", "ca.pem"];
    let key = ["--nkey", "coordinator.nk"];
    let worker = [&ca[..], &["--nkey", "worker.nk"]].concat();
    // Without the authority's certificate, and without a key.
    only_these_get_in(&folder, &url, &worker, &[&ca[..], &key].concat(), &[&key, &ca]);
}

/// The server wants to see a certificate of the client before it looks at keys.
#[test]
fn the_example_with_certificates_of_clients_works_and_lets_nobody_else_in() {
    let folder = Folder::new("certificates");
    make_secrets(&folder);
    let server = server_with(&folder, "nats-certificates.conf");
    let url = format!("tls://127.0.0.1:{}", server.port);
    let shown = ["--tls-ca", "ca.pem", "--tls-cert", "client.pem", "--tls-key", "client.key"];
    let [worker, run] = ["worker.nk", "coordinator.nk"].map(|key| [&shown[..], &["--nkey", key]].concat());
    // Without a certificate, with one that is for servers, and without a key.
    let without = ["--tls-ca", "ca.pem", "--nkey", "coordinator.nk"];
    let wrong = [&without[..], &["--tls-cert", "server.pem", "--tls-key", "server.key"]].concat();
    only_these_get_in(&folder, &url, &worker, &run, &[&without, &wrong, &shown]);
}

/// Credentials files: tokens that an account signed whose operator the server trusts.
#[test]
fn the_example_with_credentials_works_and_lets_nobody_else_in() {
    let folder = Folder::new("credentials");
    let made = json(&folder, &["cluster", "--make-credentials", "secrets"]);
    assert_eq!(made["worker"], "secrets/worker.creds");
    json(&folder, &["cluster", "--make-credentials", "others"]);
    let server = server_with(&folder, "secrets/nats.conf");
    let strangers: [&[&str]; 2] = [&["--creds", "others/coordinator.creds"], &[]];
    let [worker, run] = ["worker", "coordinator"].map(|who| ["--creds".to_string(), format!("secrets/{who}.creds")]);
    let [worker, run] = [&worker, &run].map(|pair| pair.each_ref().map(String::as_str));
    only_these_get_in(&folder, &server.url(), &worker, &run, &strangers);
    // A secret is never overwritten.
    let again = lanista(&folder, &["cluster", "--make-credentials", "secrets"]);
    let message = String::from_utf8_lossy(&again.stderr).to_string();
    assert!(!again.status.success() && message.contains("cannot write secrets/nats.conf"), "{message}");
}
