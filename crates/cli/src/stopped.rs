//! Runs that somebody stopped: how they go on.

use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;
use lanista_lab::run::RunError;

/// The command that goes on with a run, if the error is that it was stopped. Its number is what the error is about: `run 3`.
pub fn way_on(error: &anyhow::Error, matches: &ArgMatches) -> Option<String> {
    let is_stopped =
        |cause: &(dyn std::error::Error + 'static)| matches!(cause.downcast_ref::<RunError>(), Some(RunError::Stopped));
    let about = error.to_string();
    let run: i64 = about.strip_prefix("run ").filter(|_| error.chain().any(is_stopped))?.parse().ok()?;
    let store = named_store(matches).map_or(String::new(), |store| format!(" --store {}", quoted(&store)));
    Some(format!("lanista resume {run}{store}"))
}

/// The store, if the command line names one. The default, and the one that the environment names, need not be named again.
fn named_store(matches: &ArgMatches) -> Option<String> {
    let (_, matches) = matches.subcommand()?;
    let store = matches.try_get_one::<PathBuf>("store").ok().flatten()?;
    let is_named = matches.value_source("store") == Some(ValueSource::CommandLine);
    is_named.then(|| store.display().to_string())
}

/// A file's name as a shell reads it.
fn quoted(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:".contains(letter);
    if name.chars().all(is_plain) { name.to_string() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("a/b-1.db"), "a/b-1.db");
        assert_eq!(quoted("my runs.db"), "'my runs.db'");
        assert_eq!(quoted("it's.db"), r"'it'\''s.db'");
    }
}
