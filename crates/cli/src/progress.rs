//! A run as people see it: a bar in a terminal, plain lines elsewhere, nothing if they want quiet.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use lanista_lab::jobs::Cancel;
use lanista_lab::run::Event;

use crate::output::remark;

/// How much to say.
#[derive(Args, Clone, Copy)]
pub struct ProgressRequest {
    /// Say nothing while it runs.
    #[arg(long, short)]
    pub quiet: bool,
    /// Print every event as a line of JSON on standard error, for programs that follow.
    #[arg(long, conflicts_with = "quiet")]
    pub events: bool,
}

/// Plain lines come so often.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows the events of a run.
pub struct ProgressView {
    request: ProgressRequest,
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl ProgressView {
    /// A view that shows nothing yet.
    pub fn new(request: ProgressRequest) -> ProgressView {
        ProgressView { request, bar: None, last_line: Instant::now() }
    }

    /// Shows an event.
    pub fn show(&mut self, event: &Event) {
        if self.request.events {
            if let Ok(text) = serde_json::to_string(event) {
                remark(text);
            }
            return;
        }
        if self.request.quiet {
            return;
        }
        match event {
            Event::Started { .. } if io::stderr().is_terminal() => {
                let template = "{spinner} {prefix}{wide_bar} {pos}/{len}  {msg}";
                let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style);
                bar.enable_steady_tick(Duration::from_millis(200));
                self.bar = Some(bar);
            }
            Event::Started { title, trials, resumed } => {
                let trials = if *trials > 1 { format!(", {trials} trials") } else { String::new() };
                let goes_on = if *resumed { ", goes on" } else { "" };
                remark(format!("{title}{trials}{goes_on}"));
            }
            Event::Progress { progress, trials_done, trials, rate, left, .. } => {
                let left = left.map_or(String::new(), |left| {
                    format!(", {} left", HumanDuration(Duration::from_secs_f64(left.min(1e9))))
                });
                let rate = format!("{} {}/s{left}", human(*rate), progress.unit);
                match &self.bar {
                    Some(bar) => {
                        bar.set_length(progress.total);
                        bar.set_position(progress.done);
                        if *trials > 1 {
                            bar.set_prefix(format!("trial {trials_done}/{trials} "));
                        }
                        let figures = shortened(&progress.figures);
                        bar.set_message(if figures.is_empty() { rate } else { format!("{rate}; {figures}") });
                    }
                    None if self.last_line.elapsed() >= LINE_EVERY => {
                        self.last_line = Instant::now();
                        let (done, total, unit) = (progress.done, progress.total, &progress.unit);
                        remark(format!("{done} of {total} {unit}, {rate}; {}", progress.figures));
                    }
                    None => {}
                }
            }
            Event::Warning { text } => match &self.bar {
                Some(bar) => bar.suspend(|| remark(format!("lanista: warning: {text}"))),
                None => remark(format!("lanista: warning: {text}")),
            },
            Event::Finished(_) => self.clear(),
        }
    }

    /// Takes the bar away.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for ProgressView {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Ctrl-C stops the run in good order; what was absorbed is written. A second one ends the program at once.
pub fn stop_on_interrupt(cancel: &Cancel) {
    let cancel = cancel.clone();
    // Without a handler the program ends at once, and the run can be resumed all the same.
    let _ = ctrlc::set_handler(move || {
        if cancel.is_cancelled() {
            std::process::exit(130);
        }
        cancel.cancel();
    });
}

/// Ctrl-C where runs follow each other: it stops the one under way, and none begins after it.
#[derive(Clone, Default)]
pub struct Interrupts {
    came: Cancel,
    current: Arc<Mutex<Cancel>>,
}

impl Interrupts {
    /// Waits for Ctrl-C. A second one ends the program at once.
    pub fn watch() -> Interrupts {
        let interrupts = Interrupts::default();
        let watched = interrupts.clone();
        // Without a handler the program ends at once, and the run can be resumed all the same.
        let _ = ctrlc::set_handler(move || {
            if watched.came() {
                std::process::exit(130);
            }
            watched.came.cancel();
            watched.current.lock().unwrap_or_else(PoisonError::into_inner).cancel();
        });
        interrupts
    }

    /// Whether it came.
    pub fn came(&self) -> bool {
        self.came.is_cancelled()
    }

    /// What stops the next run.
    pub fn next_run(&self) -> Cancel {
        let next = Cancel::default();
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = next.clone();
        if self.came() {
            next.cancel();
        }
        next
    }
}

fn human(rate: f64) -> String {
    match rate {
        _ if rate >= 1e6 => format!("{:.1} million", rate / 1e6),
        _ if rate >= 100.0 => format!("{rate:.0}"),
        _ => format!("{rate:.1}"),
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 60 { text.to_string() } else { text.chars().take(59).chain(['…']).collect() }
}
