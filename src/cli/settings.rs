//! `evalbook settings`, and what commands say about settings.

use std::path::PathBuf;

use clap::Args;

use crate::cli::workspaces;
use crate::cli::{CommandResult, Console};
use input::settings::keys::shown_values;
use input::settings::{GateFlags, Origin, Publish, Settings};
use text::printable;

/// Print every setting with its value and where it was set
///
/// Settings are read from `evalbook.toml` in the workspace and in the folders above it, up to the
/// folder given; flags override them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook settings my-skill-workspace --baseline old_skill")]
pub(super) struct ShowArgs {
    /// Folders to read; the current folder when none is given
    workspaces: Vec<PathBuf>,

    #[command(flatten)]
    settings: AllSettingsArgs,
}

/// Every flag that overrides a setting.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct AllSettingsArgs {
    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    publish: Publish,

    #[command(flatten)]
    gate: GateFlags,
}

impl AllSettingsArgs {
    pub(super) fn settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        settings.publish = self.publish.clone();
        settings.gate = self.gate.gate.clone();
        settings.known_issues = self.gate.known_issues.clone();
        settings.as_flags()
    }
}

pub(super) fn run(args: &ShowArgs, console: &mut Console) -> CommandResult {
    let flags = args.settings.settings();
    let opened = workspaces::open(&args.workspaces, &flags)?.checked()?.opened;
    let mut sections = Vec::new();
    for opened in &opened {
        let mut section = String::new();
        if !opened.prefix.is_empty() {
            section += &format!("# {}\n", printable(&opened.prefix));
        }
        for (key, value) in shown_values(&opened.settings) {
            section += &line(key, value, opened.settings.origin(key));
        }
        sections.push(section);
    }
    console.result(&sections.join("\n"))
}

fn line(key: &str, value: Option<String>, origin: Origin) -> String {
    let Some(value) = value else { return format!("# {key} is not set\n") };
    let origin = match origin {
        Origin::Default => "default".to_owned(),
        Origin::File { path, line } => format!("{path}:{line}"),
        Origin::Flag => "flag".to_owned(),
    };
    format!("{key} = {}  # {}\n", printable(&value), printable(&origin))
}

const UNGUARDED: &str = "secrets and home folders are not replaced (`--no-redact`)";

/// The last line of a command on what it did, with a warning where secrets are shown.
pub(super) fn summed_up(line: String, settings: &Settings) -> String {
    if settings.no_redact { format!("{line}; {UNGUARDED}") } else { line }
}

/// The same for a command without such a line.
pub(super) fn warn_unguarded(settings: &Settings, console: &mut Console) {
    if settings.no_redact {
        console.remark(UNGUARDED);
    }
}
