//! `evalbook settings`, and the flags that override the settings file.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::workspaces::{self, OpenedWorkspace};
use crate::cli::{CommandResult, Console, Failure, exit, name_checks};
use crate::discover::names;
use crate::files::{Disk, Entry, EntryKind, Source};
use crate::language::theme::Theme;
use crate::language::{LANGUAGES, Language};
use crate::render::{Publication, RenderOptions};
use crate::settings::keys::{self, KEYS, Key, quoted};
use crate::settings::{Origin, Robots, Settings};
use crate::text::printable;

/// Every flag that stands above a setting.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct AllSettingsArgs {
    #[command(flatten)]
    settings: SettingsArgs,

    #[command(flatten)]
    publish: PublishArgs,

    #[command(flatten)]
    gate: GateArgs,
}

impl AllSettingsArgs {
    pub(super) fn settings(&self) -> CommandResult<Settings> {
        let mut settings = self.settings.settings()?;
        settings.override_with(&self.publish.settings()?);
        settings.override_with(&self.gate.settings()?);
        Ok(settings)
    }
}

/// The flags that say what a report is about.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Settings (override evalbook.toml)")]
pub(super) struct SettingsArgs {
    /// Title of the report
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Language of the pages: `en` or `zh-TW`
    #[arg(long, value_name = "TAG")]
    lang: Option<String>,

    /// The configuration the others are compared against
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,

    /// A second baseline: an iteration's name, `best`, `first` or `previous`
    #[arg(long, value_name = "ITERATION")]
    against: Option<String>,

    /// Configurations in the order shown
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    order: Vec<String>,

    /// What a configuration is called in the report
    #[arg(long, value_name = "NAME=LABEL")]
    label: Vec<String>,

    /// Pattern of paths that are not read
    #[arg(long, value_name = "GLOB")]
    leave_out: Vec<String>,

    /// Show secrets and home folders as they are in the workspace
    #[arg(long)]
    no_redact: bool,

    /// Publish files with tokens that cannot be replaced in them, such as office files and archives
    #[arg(long)]
    keep_secret_files: bool,

    /// Pattern of outputs that are listed and not published
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    /// Which outputs are published: `none`, `failed` (of runs with a failed expectation) or `all`
    #[arg(long, value_name = "WHICH")]
    outputs: Option<String>,

    /// US dollars per million tokens of a model, as `MODEL={ input = 3, output = 15 }`; for
    /// runs that recorded tokens and no cost
    #[arg(long, value_name = "MODEL=TABLE")]
    price: Vec<String>,
}

/// The flags that say what a report holds besides its pages, where it is published, and to whom.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Settings (override evalbook.toml)")]
struct PublishArgs {
    /// Files for other programs in the report: `csv`, `jsonl`, `junit`
    #[arg(long, value_name = "FORM,…", value_delimiter = ',')]
    export: Vec<String>,

    /// Where the report is published, or with `--into` the site, such as
    /// `https://me.example/report/`: for links to it from comments and feeds
    #[arg(long, value_name = "ADDRESS")]
    url: Option<String>,

    /// Whether search engines may list the pages: `index` or `noindex`
    #[arg(long, value_name = "WORD")]
    robots: Option<String>,

    /// How many reports a site keeps when `--into` adds one; the oldest are removed
    #[arg(long, value_name = "N")]
    keep: Option<String>,
}

/// The flags that say when a gate fails.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Gate (overrides evalbook.toml)")]
pub(super) struct GateArgs {
    /// Fail on `worse`, `settled-worse`, `regression` or `regression-strict`
    #[arg(long, value_name = "CHANGE,…", value_delimiter = ',')]
    fail_on: Vec<String>,

    /// Smallest pass rate of the candidate: `0.8` or `80%`
    #[arg(long, value_name = "RATE")]
    min_pass_rate: Option<String>,

    /// How much longer a run may take: `20%`, or a number of seconds
    #[arg(long, value_name = "LIMIT")]
    max_time_increase: Option<String>,

    /// How many more tokens a run may use: `20%`, or a number
    #[arg(long, value_name = "LIMIT")]
    max_token_increase: Option<String>,

    /// A loss that fails no gate, as `{ case = "…", expectation = "…", reason = "…", expires = DAY }`
    #[arg(long, value_name = "TABLE")]
    known_issue: Vec<String>,
}

/// A flag with its key and the value in TOML.
type Flag = (&'static str, &'static str, Option<String>);

impl SettingsArgs {
    pub(super) fn settings(&self) -> CommandResult<Settings> {
        let mut settings = read(&[
            ("--title", "title", one(&self.title, quoted)),
            ("--lang", "language", one(&self.lang, quoted)),
            ("--baseline", "baseline", one(&self.baseline, quoted)),
            ("--against", "against", one(&self.against, quoted)),
            ("--order", "order", list(&self.order, quoted)),
            ("--label", "labels", table("--label", "LABEL", &self.label, quoted)?),
            ("--leave-out", "leave_out", list(&self.leave_out, quoted)),
            ("--exclude", "exclude", list(&self.exclude, quoted)),
            ("--outputs", "outputs", one(&self.outputs, quoted)),
            ("--price", "prices", table("--price", PRICE, &self.price, str::to_owned)?),
        ])?;
        settings.no_redact = self.no_redact;
        settings.keep_secret_files = self.keep_secret_files;
        Ok(settings)
    }
}

impl PublishArgs {
    fn settings(&self) -> CommandResult<Settings> {
        read(&[
            ("--export", "export", list(&self.export, quoted)),
            ("--url", "url", one(&self.url, quoted)),
            ("--robots", "robots", one(&self.robots, quoted)),
            ("--keep", "keep", one(&self.keep, number)),
        ])
    }
}

impl GateArgs {
    pub(super) fn settings(&self) -> CommandResult<Settings> {
        let is_text = |entry: &&String| !entry.trim_start().starts_with('{');
        if let Some(entry) = self.known_issue.iter().find(is_text) {
            return Err(Failure::usage(format!("`--known-issue`: `{entry}` is not a table"))
                .help(format!("write it as `--known-issue '{ISSUE}'`")));
        }
        read(&[
            ("--fail-on", "gate.fail_on", list(&self.fail_on, quoted)),
            ("--min-pass-rate", "gate.min_pass_rate", one(&self.min_pass_rate, number)),
            ("--max-time-increase", "gate.max_time_increase", one(&self.max_time_increase, number)),
            (
                "--max-token-increase",
                "gate.max_token_increase",
                one(&self.max_token_increase, number),
            ),
            ("--known-issue", "known_issues", list(&self.known_issue, str::to_owned)),
        ])
    }
}

fn read(flags: &[Flag]) -> CommandResult<Settings> {
    let mut settings = Settings::default();
    for (flag, key, value) in flags {
        let Some(value) = value else { continue };
        let setting = Settings::from_flag(key, value).map_err(|error| {
            let failure = Failure::usage(format!("`{flag}`: {}", error.message));
            error.help.into_iter().fold(failure, Failure::help)
        })?;
        settings.override_with(&setting);
    }
    Ok(settings)
}

/// A number in TOML, anything else as a string, so that a percentage needs no quotes.
fn number(written: &str) -> String {
    match written.parse::<f64>() {
        Ok(number) if number.is_finite() => number.to_string(),
        _ => quoted(written),
    }
}

fn one(value: &Option<String>, write: fn(&str) -> String) -> Option<String> {
    value.as_deref().map(write)
}

fn list(items: &[String], write: fn(&str) -> String) -> Option<String> {
    keys::list(items.iter().map(|item| write(item)))
}

pub(super) fn summed_up(line: String, settings: &Settings) -> String {
    if settings.no_redact { format!("{line}; {UNGUARDED}") } else { line }
}

/// The same for an output without such a line.
pub(super) fn warn_unguarded(settings: &Settings, console: &mut Console) {
    if settings.no_redact {
        console.remark(UNGUARDED);
    }
}

const UNGUARDED: &str = "secrets and home folders are not replaced (`--no-redact`)";

const PRICE: &str = "{ input = 3, output = 15 }";
const ISSUE: &str = "{ case = \"…\", expectation = \"…\", reason = \"…\", expires = 2026-12-31 }";

/// `NAME=VALUE` flags as one table, each value written as TOML by `write`. `example` is a value.
fn table<'e>(
    flag: &str,
    example: &str,
    entries: &'e [String],
    write: fn(&str) -> String,
) -> CommandResult<Option<String>> {
    let entry = |entry: &'e String| match entry.split_once('=') {
        Some((name, value)) => Ok((name.trim(), write(value.trim()))),
        None => Err(Failure::usage(format!("`{flag}`: `{entry}` has no `=`"))
            .help(format!("write it as `{flag} '{entry}={example}'`"))),
    };
    let entries = entries.iter().map(entry).collect::<CommandResult<Vec<_>>>()?;
    Ok(keys::table(entries.into_iter()))
}

/// Print every setting with its value and where it was set
///
/// Settings are read from `evalbook.toml` in the workspace and in the folders above it, up to the
/// folder given; flags stand above them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook settings my-skill-workspace --baseline old_skill")]
pub(super) struct ShowArgs {
    /// Folders to read; the current folder when none is given
    workspaces: Vec<PathBuf>,

    #[command(flatten)]
    settings: AllSettingsArgs,
}

pub(super) fn run(args: &ShowArgs, console: &mut Console) -> CommandResult {
    let flags = args.settings.settings()?;
    let opened = workspaces::open(&args.workspaces, &flags)?.checked()?.opened;
    let section = |opened: &OpenedWorkspace| {
        let lines = KEYS.iter().map(|key| line(key, &opened.settings)).collect::<String>();
        match opened.prefix.as_str() {
            "" => lines,
            prefix => format!("# {}\n{lines}", printable(prefix)),
        }
    };
    console.result(&opened.iter().map(section).collect::<Vec<_>>().join("\n"))
}

fn line(key: &Key, settings: &Settings) -> String {
    let name = key.name;
    let Some(value) = (key.show)(settings) else { return format!("# {name} is not set\n") };
    let origin = match settings.origin(name) {
        Origin::Default => "default".to_owned(),
        Origin::File { path, line } => format!("{path}:{line}"),
        Origin::Flag => "flag".to_owned(),
    };
    format!("{name} = {value}  # {}\n", printable(&origin))
}

/// The most bytes of a theme's file.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
const EJECT: &str = "`evalbook theme --eject DIR` writes every file a theme can replace";

#[derive(Debug, Args)]
pub(super) struct LookArgs {
    /// Folder whose templates, words and assets replace the built-in ones of the same name
    #[arg(long, value_name = "DIR")]
    pub(super) theme: Option<PathBuf>,
}

/// The options with this theme, in the language of the first of `settings` that names one.
pub(super) fn render_options<'s>(
    theme: Option<&Path>,
    settings: impl IntoIterator<Item = &'s Settings>,
) -> CommandResult<RenderOptions> {
    let settings: Vec<&Settings> = settings.into_iter().collect();
    let named = settings.iter().find_map(|settings| settings.language.as_deref());
    let theme = theme.map(read_theme).transpose()?.unwrap_or_default();
    let language = Language::new(named.unwrap_or("en"), &theme).map_err(|error| {
        Failure::usage(error.to_string()).help(format!("there are `{}`", LANGUAGES.join("` and `")))
    })?;
    // One workspace that must not be listed hides the whole report.
    let publication = Publication {
        url: settings.iter().find_map(|settings| settings.url.clone()),
        folder: None,
        is_unlisted: settings.iter().any(|settings| settings.robots == Some(Robots::Noindex)),
    };
    Ok(RenderOptions { language, theme, publication, is_served: false })
}

fn read_theme(folder: &Path) -> CommandResult<Theme> {
    let failed = |path: &Path, error: &std::io::Error| Failure {
        code: exit::USAGE,
        ..Failure::io("read the theme", path, error)
    };
    let disk = Disk::open(folder).map_err(|error| match name_checks::similar_path(folder) {
        None => failed(folder, &error).help(EJECT),
        near => failed(folder, &error).meant(near),
    })?;
    let mut files = Vec::new();
    // Other files of a project about a theme are not part of it.
    let is_part = |path: &str| path.contains('/') && !path.starts_with('.');
    for Entry { path, kind, .. } in disk.list(&names::is_never_entered) {
        if kind == EntryKind::File && is_part(&path) {
            let content = disk.read(&path, MAX_BYTES);
            let content = content.map_err(|error| failed(&folder.join(&path), &error))?;
            files.push((path, content));
        }
    }
    Theme::new(files).map_err(|error| {
        Failure::usage(format!("cannot use the theme `{}`: {error}", folder.display())).help(EJECT)
    })
}
