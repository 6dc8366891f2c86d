//! Standard output and standard error: colors, and data made safe for a terminal.

use std::borrow::Cow;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

use crate::cli::last_look::fault;
use crate::cli::workspaces::OpenedWorkspace;
use crate::cli::{CommandResult, Failure, exit};
use crate::write;
use guard::LastLook;
use input::files;
use text::printable;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorWhen {
    /// On a terminal that has color, unless `NO_COLOR` is set
    Auto,
    /// Whatever the output is
    Always,
    /// Without color
    Never,
}

/// Where a command prints. It is not an error if the reader closes its end early.
pub(super) struct Console {
    out: AutoStream<std::io::Stdout>,
    err: AutoStream<std::io::Stderr>,
    /// What no text may hold.
    looks: Vec<LastLook>,
}

impl Console {
    pub(super) fn new(color: ColorWhen) -> Self {
        let choice = match color {
            ColorWhen::Auto => ColorChoice::Auto,
            ColorWhen::Always => ColorChoice::Always,
            ColorWhen::Never => ColorChoice::Never,
        };
        let (out, err) = (std::io::stdout(), std::io::stderr());
        Self {
            out: AutoStream::new(out, choice),
            err: AutoStream::new(err, choice),
            looks: Vec::new(),
        }
    }

    /// From now on no result has a secret that was found in `opened`.
    pub(super) fn hide_secrets_of(&mut self, opened: &[OpenedWorkspace]) {
        self.hide(LastLook::new(opened.iter().map(|opened| &opened.source)));
    }

    pub(super) fn hide(&mut self, look: LastLook) {
        self.looks.push(look);
    }

    /// `text` with marks, and the fault named, if a secret came as far as `place`.
    fn without_secrets<'t>(&mut self, text: &'t str, place: &str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for look in &self.looks {
            if let Some(clean) = look.replaced_in(text.as_bytes()) {
                text = Cow::Owned(String::from_utf8_lossy(&clean).into_owned());
            }
        }
        if matches!(text, Cow::Owned(_)) {
            self.remark(&fault(place));
        }
        text
    }

    pub(super) fn result(&mut self, text: &str) -> CommandResult {
        let text = self.without_secrets(text, "standard output");
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        match written {
            // `evalbook check | head` closes its end when it has seen enough.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                let reason = files::reason(&error);
                Err(Failure::nothing(format!("cannot write to standard output: {reason}")))
            }
            _ => Ok(exit::FINE),
        }
    }

    pub(super) fn put(&mut self, text: &str, output: Option<&Path>) -> CommandResult<()> {
        match output {
            Some(file) => {
                let text = self.without_secrets(text, &file.display().to_string());
                Ok(write::file(file, text.as_bytes())?)
            }
            None => self.result(text).map(|_| ()),
        }
    }

    /// Prints a line on what was done. Text of the data in it cannot be obeyed by the terminal.
    pub(super) fn remark(&mut self, text: &str) {
        let _ = writeln!(self.err, "{}", printable(text));
    }

    /// Prints the message of clap, which has colors.
    pub(super) fn usage_error(&mut self, text: &str) {
        let _ = writeln!(self.err, "{}", text.trim_end());
    }

    pub(super) fn gate(&mut self, text: &str, color: AnsiColor) {
        let style = Style::new().bold().fg_color(Some(color.into()));
        // A check may span lines, and a log has one line for each rule.
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(self.err, "{style}gate{style:#}: {}", printable(&line));
    }

    pub(super) fn failure(&mut self, failure: &Failure) {
        let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let message = printable(&failure.message);
        let _ = writeln!(self.err, "{style}error{style:#}: {message}");
        for help in &failure.help {
            let _ = writeln!(self.err, "  {}", printable(help));
        }
    }
}

/// Every variable with its effect; the source of manual and reference.
pub const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "no color, where it is set and not empty; `--color` takes precedence"),
    ("CLICOLOR_FORCE", "color even where the output is not a terminal, if it is set and not empty"),
    ("CLICOLOR", "no color where it is `0`"),
    ("TERM", "no color and no bar of progress where it is `dumb`"),
    ("CI", "no bar of progress, where it is set and neither empty nor `false`"),
    (
        "SOURCE_DATE_EPOCH",
        "the time that `snapshot`, `benchmark` and `serve` write down, in seconds since 1970",
    ),
    ("TMPDIR", "where `serve` keeps its reports; not in a workspace"),
    ("COLUMNS", "how wide help is where there is no terminal"),
];
