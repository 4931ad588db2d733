//! `lanista serve`: the browser application.

use clap::Args;
use lanista_lab::experiment::Plan;
use lanista_web::{Address, Server, Settings};
use serde_json::json;

use super::runs::{ClusterSetting, PROGRAM, RunSetting};
use crate::output::{Output, remark};
use crate::store_request::StoreRequest;

/// Serve the browser application: play, watch, analyse, run experiments.
///
/// It listens on this machine only. Other addresses need --host; then whoever opens the application must know a token, which is
/// part of the printed address.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista serve
  lanista serve --port 0 --open
  lanista serve --store results.db --max-cost 3600
  lanista serve --nats nats://head-node:4222
  lanista serve --host 0.0.0.0")]
pub struct ServeCommand {
    /// The port; 0 for any that is free.
    #[arg(long, value_name = "N", default_value_t = 7417)]
    port: u16,
    /// The address to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// What an experiment from the browser may cost: seconds on this machine, as estimated.
    #[arg(long, value_name = "SECONDS", default_value_t = 86_400)]
    max_cost: u64,
    /// Threads for runs; all cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Open the browser.
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    store: StoreRequest,
    #[command(flatten)]
    cluster: ClusterSetting,
}

impl ServeCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        // What is no store is told now, not by every page.
        if self.store.store.exists() {
            drop(self.store.open()?);
        }
        let mut settings = Settings::new(self.store.store.clone(), PROGRAM);
        settings.max_cost = self.max_cost as f64;
        settings.threads = self.threads.map_or(0, usize::from);
        settings.cluster = self.cluster.cluster();
        let server = Server::bind(&Address { host: self.host.clone(), port: self.port }, settings)?;
        serve(server, None, self.open, output)
    }
}

/// Runs an experiment and serves the application until it is stopped.
pub fn watch(plan: &Plan, file: &str, setting: &RunSetting, output: &mut Output) -> anyhow::Result<()> {
    let mut settings = Settings::new(setting.store.store.clone(), PROGRAM);
    settings.threads = setting.threads.map_or(0, usize::from);
    settings.cluster = setting.cluster.cluster();
    let server = Server::bind(&Address { host: "127.0.0.1".into(), port: 0 }, settings)?;
    let run = server.begin(plan, file)?;
    serve(server, Some(run), false, output)
}

fn serve(server: Server, run: Option<i64>, open_browser: bool, output: &mut Output) -> anyhow::Result<()> {
    let page = run.map_or(String::new(), |run| format!("#/run/{run}"));
    let url = server.url() + &page;
    if output.is_json() {
        output.json(&json!({"url": url, "port": server.port(), "run": run}))?;
    } else {
        output.line(format!("Lanista is at {url} (Ctrl-C stops it; runs can go on later)"))?;
    }
    if !lanista_web::is_built() {
        remark("lanista: this binary is without the application; `make ui` builds it, then build the program again");
    }
    let stopper = server.stopper();
    // Without a handler the program ends at once, and runs can be resumed all the same.
    let _ = ctrlc::set_handler(move || stopper.stop());
    // The laboratory is there without a browser, too.
    if open_browser && open::that_detached(&url).is_err() {
        remark(format!("lanista: there is no browser to open here; open {url} in yours"));
    }
    Ok(server.run()?)
}
