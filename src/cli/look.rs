//! How a report looks: its language and its theme.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::near;
use crate::cli::{Failure, Outcome, exit};
use crate::discover::names;
use crate::files::{Disk, EntryKind, Source};
use crate::language::theme::Theme;
use crate::language::{LANGUAGES, Language};
use crate::render::{Look, Publication};
use crate::settings::{Robots, Settings};

/// The largest file a theme may bring, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
const EJECT: &str = "`evalbook theme --eject DIR` writes every file a theme can replace";

#[derive(Debug, Default, Args)]
pub(super) struct LookArgs {
    /// Folder whose templates, words and assets replace the built-in ones of the same name
    #[arg(long, value_name = "DIR")]
    pub(super) theme: Option<PathBuf>,
}

/// The look that the flags ask for, in the language of the first of `settings` that names one.
pub(super) fn from_flags<'s>(
    args: &LookArgs,
    settings: impl IntoIterator<Item = &'s Settings>,
) -> Outcome<Look> {
    let settings: Vec<&Settings> = settings.into_iter().collect();
    let named = settings.iter().find_map(|settings| settings.language.as_deref());
    let theme = args.theme.as_deref().map(theme).transpose()?.unwrap_or_default();
    let language = Language::new(named.unwrap_or("en"), &theme).map_err(|error| {
        Failure::usage(error.to_string()).help(format!("there are `{}`", LANGUAGES.join("` and `")))
    })?;
    // One workspace that is not to be listed hides the whole report.
    let publication = Publication {
        url: settings.iter().find_map(|settings| settings.url.clone()),
        folder: None,
        is_unlisted: settings.iter().any(|settings| settings.robots == Some(Robots::Noindex)),
    };
    Ok(Look { language, theme, publication, is_served: false })
}

fn theme(folder: &Path) -> Outcome<Theme> {
    let failed = |path: &Path, error: &std::io::Error| Failure {
        code: exit::USAGE,
        ..Failure::io("read the theme", path, error)
    };
    let disk = Disk::open(folder).map_err(|error| match near::alike(folder) {
        None => failed(folder, &error).help(EJECT),
        near => failed(folder, &error).meant(near),
    })?;
    let mut files = Vec::new();
    for entry in disk.list(&names::is_never_entered) {
        // Whatever is shared by a project about a theme is not part of it.
        let is_part = entry.path.contains('/') && !entry.path.starts_with('.');
        if entry.kind == EntryKind::File && is_part {
            let content = disk.read(&entry.path, MAX_BYTES);
            let content = content.map_err(|error| failed(&folder.join(&entry.path), &error))?;
            files.push((entry.path, content));
        }
    }
    Theme::new(files).map_err(|error| {
        Failure::usage(format!("cannot use the theme `{}`: {error}", folder.display())).help(EJECT)
    })
}
