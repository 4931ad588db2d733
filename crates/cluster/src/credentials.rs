//! Credentials files: who somebody is, signed by an account that the server trusts through its operator.
//!
//! NATS calls this decentralised authentication: three kinds of keys, each of which signs a JSON web token about the next. The
//! server knows the operator only; users carry their own proof and are told apart without a change of its configuration.

use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use serde_json::{Value, json};

use crate::connection::ConnectionError;

/// What a worker may publish: signs of life, results, acknowledgements, and requests for jobs and files. It can neither see nor
/// change results of others.
const WORKER_PUBLISHES: [&str; 15] = [
    "lanista.signs.worker.*",
    "lanista.results.*",
    "$JS.ACK.LANISTA_JOBS.>",
    "$O.lanista-files.>",
    "$JS.API.STREAM.INFO.*",
    "$JS.API.STREAM.CREATE.*",
    "$JS.API.CONSUMER.INFO.LANISTA_JOBS.*",
    "$JS.API.CONSUMER.MSG.NEXT.LANISTA_JOBS.*",
    "$JS.API.DIRECT.GET.OBJ_lanista-files",
    "$JS.API.DIRECT.GET.OBJ_lanista-files.>",
    "$JS.API.STREAM.MSG.GET.OBJ_lanista-files",
    "$JS.API.CONSUMER.CREATE.OBJ_lanista-files",
    "$JS.API.CONSUMER.CREATE.OBJ_lanista-files.>",
    "$JS.FC.>",
    "$JS.API.STREAM.PURGE.OBJ_lanista-files",
];
/// What a worker may hear.
const WORKER_HEARS: [&str; 2] = ["lanista.signs.run.*", "_INBOX.>"];

/// The files of a cluster whose server trusts an operator.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The configuration of the server.
    pub server: String,
    /// The credentials of all workers.
    pub worker: String,
    /// The credentials of all coordinators.
    pub coordinator: String,
}

impl Credentials {
    /// New ones. The keys of the operator and of the account are forgotten: nobody can add users to this cluster later.
    pub fn new() -> Result<Credentials, ConnectionError> {
        let made = || -> Result<Credentials, nkeys::error::Error> {
            let (operator, system, account) = (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
            let about = json!({"type": "operator", "system_account": system.public_key()});
            let operator_token = token(&operator, &operator, "lanista", about)?;
            let system_token = token(&operator, &system, "system", account_of(false))?;
            let account_token = token(&operator, &account, "laboratory", account_of(true))?;
            let server = format!(
                "# A server that lets in whoever shows credentials of this operator.\n\
                 jetstream: enabled\n\
                 operator: \"{operator_token}\"\n\
                 system_account: \"{}\"\n\
                 resolver: MEMORY\n\
                 resolver_preload: {{\n  {}: \"{system_token}\"\n  {}: \"{account_token}\"\n}}\n",
                system.public_key(),
                system.public_key(),
                account.public_key(),
            );
            let worker = json!({"pub": {"allow": WORKER_PUBLISHES}, "sub": {"allow": WORKER_HEARS}});
            Ok(Credentials {
                server,
                worker: user(&account, "worker", worker)?,
                coordinator: user(&account, "coordinator", json!({"pub": {}, "sub": {}}))?,
            })
        };
        made().map_err(|error| ConnectionError::File("new credentials".into(), error.to_string()))
    }
}

/// What is true of an account: no limits, and JetStream or not.
fn account_of(jetstream: bool) -> Value {
    let storage = if jetstream { -1 } else { 0 };
    json!({
        "type": "account",
        "limits": {
            "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
            "mem_storage": storage, "disk_storage": storage, "streams": storage, "consumer": storage,
        },
    })
}

/// A credentials file: the token of a new user, and the secret that proves that it is the user's own.
fn user(account: &KeyPair, name: &str, permissions: Value) -> Result<String, nkeys::error::Error> {
    let pair = KeyPair::new_user();
    let mut about = json!({"type": "user", "subs": -1, "data": -1, "payload": -1});
    if let (Value::Object(about), Value::Object(permissions)) = (&mut about, permissions) {
        about.extend(permissions);
    }
    let token = token(account, &pair, name, about)?;
    Ok(format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         This is a secret: whoever has it is let in.\n\n\
         -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        pair.seed()?
    ))
}

/// What one key says about another, signed.
fn token(by: &KeyPair, of: &KeyPair, name: &str, mut about: Value) -> Result<String, nkeys::error::Error> {
    about["version"] = json!(2);
    // Tools show it; no server refuses a token because its clock is another one.
    let made = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let claims = json!({
        "jti": nuid::next().as_str(),
        "iat": made,
        "iss": by.public_key(),
        "sub": of.public_key(),
        "name": name,
        "nats": about,
    });
    let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let signed = format!("{}.{}", part(&json!({"typ": "JWT", "alg": "ed25519-nkey"})), part(&claims));
    let signature = by.sign(signed.as_bytes())?;
    Ok(format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two ways to let workers in, one list of what they may do.
    #[test]
    fn workers_may_do_the_same_with_keys_and_with_credentials() {
        let with_keys = include_str!("../../../deploy/tls/nats.conf");
        let quoted = |list: &[&str]| list.iter().map(|subject| format!("\"{subject}\"")).collect::<Vec<_>>();
        for subject in quoted(&WORKER_PUBLISHES).into_iter().chain(quoted(&WORKER_HEARS)) {
            assert!(with_keys.contains(&subject), "{subject}");
        }
        let listed = with_keys.matches("\"lanista.").count() + with_keys.matches("\"$").count();
        let here = WORKER_PUBLISHES.iter().chain(&WORKER_HEARS).filter(|subject| !subject.starts_with('_')).count();
        assert_eq!(listed, here, "nothing else there");
    }

    #[test]
    fn tokens_are_signed_by_who_they_say() {
        let (account, user) = (KeyPair::new_account(), KeyPair::new_user());
        let token = token(&account, &user, "anna", json!({"type": "user"})).expect("a token");
        let parts: Vec<&str> = token.split('.').collect();
        let bytes = |part: &str| BASE64URL_NOPAD.decode(part.as_bytes()).expect("base64");
        let claims: Value = serde_json::from_slice(&bytes(parts[1])).expect("JSON");
        assert_eq!((&claims["iss"], &claims["sub"]), (&account.public_key().into(), &user.public_key().into()));
        assert_eq!((&claims["nats"]["version"], &claims["nats"]["type"]), (&2.into(), &"user".into()));
        let signed = format!("{}.{}", parts[0], parts[1]);
        assert!(account.verify(signed.as_bytes(), &bytes(parts[2])).is_ok());
        assert!(user.verify(signed.as_bytes(), &bytes(parts[2])).is_err());
    }
}
