//! What the program says: text for people, JSON for machines, never both.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Color, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lanista_core::{Cell, Picture, Side};
use serde::Serialize;

/// Standard output in one of its two languages. Colours are dropped where they would not show.
pub struct Output {
    json: bool,
    out: Box<dyn Write + Send>,
}

impl Output {
    /// Text, or JSON.
    pub fn new(json: bool) -> Output {
        Output { json, out: Box::new(anstream::AutoStream::auto(io::stdout())) }
    }

    /// Text that nobody sees.
    #[cfg(test)]
    pub fn silent() -> Output {
        Output { json: false, out: Box::new(io::sink()) }
    }

    /// Whether JSON was asked for.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Whether a person looks at it.
    pub fn is_terminal(&self) -> bool {
        !self.json && io::stdout().is_terminal()
    }

    /// Writes one JSON value on a line.
    pub fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        writeln!(self.out)?;
        Ok(())
    }

    /// Writes a line of text.
    pub fn line(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Writes text as it is, and shows it at once.
    pub fn text(&mut self, text: impl Display) -> io::Result<()> {
        write!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Draws a board: in colours for a terminal, with what changed since `before` marked.
    pub fn board(&mut self, picture: &Picture, before: Option<&Picture>) -> io::Result<()> {
        if !self.is_terminal() {
            return self.text(picture);
        }
        let drawn = coloured(picture, before);
        self.text(drawn)
    }
}

/// Writes a line on standard error. If nobody reads it any more, or its disk is full, the work goes on all the same.
pub fn remark(text: impl Display) {
    // As one piece: lines of several threads do not mix. There is nowhere to tell that it cannot be told.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// A progress bar with the time left, on standard error; nothing where that is no terminal.
pub fn progress_bar(steps: u64, what: &'static str) -> ProgressBar {
    bar(steps, what, "{msg} {wide_bar} {pos}/{len}, {eta} left")
}

/// A progress bar for a file yet to be opened.
pub fn byte_bar(what: &'static str) -> ProgressBar {
    bar(0, what, "{msg} {wide_bar} {bytes}/{total_bytes}, {eta} left")
}

fn bar(steps: u64, what: &'static str, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr()).with_style(style).with_message(what)
}

fn coloured(picture: &Picture, before: Option<&Picture>) -> String {
    const LIGHT: Color = Color::Ansi256(anstyle::Ansi256Color(180));
    const DARK: Color = Color::Ansi256(anstyle::Ansi256Color(137));
    const CHANGED: Color = Color::Ansi256(anstyle::Ansi256Color(107));
    const NAME: Color = Color::Ansi256(anstyle::Ansi256Color(95));
    let margin = picture.row_labels.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (row, cells) in picture.rows.iter().enumerate() {
        let label = picture.row_labels.get(row).map_or("", String::as_str);
        text += &format!("{label:>margin$} ");
        for (column, cell) in cells.iter().enumerate() {
            let changed = before.is_some_and(|before| before.rows[row][column] != *cell);
            let ground = match (changed, (row + column) % 2) {
                (true, _) => CHANGED,
                (_, 0) => LIGHT,
                _ => DARK,
            };
            let name = picture.square_names.get(row).map_or("", |names| names[column].as_str());
            let style = Style::new().bg_color(Some(ground));
            let (content, style) = match *cell {
                Cell::Unused => (String::new(), style),
                Cell::Empty => (name.to_string(), style.fg_color(Some(NAME))),
                Cell::Piece(Side::First, letter) => {
                    (letter.to_string(), style.fg_color(Some(AnsiColor::Black.into())).bold())
                }
                Cell::Piece(Side::Second, letter) => {
                    (letter.to_string(), style.fg_color(Some(AnsiColor::BrightWhite.into())).bold())
                }
            };
            text += &format!("{style}{content:^3}{style:#}");
        }
        text.push('\n');
    }
    if !picture.column_labels.is_empty() {
        text += &format!("{:margin$} ", "");
        for label in &picture.column_labels {
            text += &format!("{label:^3}");
        }
        text.push('\n');
    }
    text
}
