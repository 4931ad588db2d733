//! `lanista doctor`.

use clap::Args;
use lanista_lab::store::Store;
use serde_json::json;

use crate::output::Output;
use crate::store_request::StoreRequest;

/// Look whether a store is sound, and repair what can be.
///
/// Without --repair nothing is changed. A file too damaged to be repaired in place is copied row by row into a new one,
/// and kept beside it.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista doctor
  lanista doctor --store results.db --repair")]
pub struct DoctorCommand {
    /// Repair what can be.
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    store: StoreRequest,
}

impl DoctorCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let found = Store::examine(&self.store.store, self.repair)?;
        let name = self.store.store.display();
        if output.is_json() {
            output.json(&json!({
                "store": name.to_string(), "sound": found.is_sound(), "faults": found.faults, "repairs": found.repairs, "left": found.left,
                "kept_as": found.kept_as.as_ref().map(|path| path.display().to_string()),
            }))?;
        } else if found.is_sound() {
            output.line(format!("{name} is sound"))?;
        } else {
            for fault in &found.faults {
                output.line(format!("fault: {fault}"))?;
            }
            for repair in &found.repairs {
                output.line(format!("repair: {repair}"))?;
            }
            if let Some(path) = &found.kept_as {
                output.line(format!("the damaged file is kept as {}", path.display()))?;
            }
        }
        let faults = |count: usize| format!("{count} {}", if count == 1 { "fault" } else { "faults" });
        anyhow::ensure!(
            found.is_sound() || self.repair,
            "{name}: {}; --repair repairs what can be",
            faults(found.faults.len())
        );
        let left = &found.left;
        anyhow::ensure!(left.is_empty(), "{name}: {} left after the repair: {}", faults(left.len()), left.join("; "));
        Ok(())
    }
}
