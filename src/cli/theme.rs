//! `evalbook theme`, and the flag that chooses a theme.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::{CommandResult, Console, Failure, exit, name_checks};
use crate::language::LANGUAGES;
use crate::language::theme::{self, Theme};
use crate::render::RenderOptions;
use crate::write;
use input::files::{Disk, EntryKind, Source};
use input::names;
use input::settings::Settings;
use text::count;

/// Write the built-in templates, words and assets to a folder, to make a theme of them
///
/// Delete what you do not change: a file that is not in the theme is taken from the program.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook theme --eject my-theme\n  \
                        evalbook build my-skill-workspace --theme my-theme")]
pub(super) struct ThemeArgs {
    /// Where to write them; no file that is there already is touched
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "theme", required = true)]
    eject: PathBuf,
}

pub(super) fn run(args: &ThemeArgs, console: &mut Console) -> CommandResult {
    let files: Vec<_> = theme::built_in().collect();
    // Nothing is written unless everything can be.
    for (path, _) in &files {
        let path = args.eject.join(path);
        if path.symlink_metadata().is_ok() {
            return Err(Failure::nothing(format!("`{}` exists", path.display()))
                .help("give a new folder, or remove the file"));
        }
    }
    for (path, content) in &files {
        write::new_file(&args.eject.join(path), content)?;
    }
    let count = count(files.len(), "file");
    console.remark(&format!("wrote {count} to {}", args.eject.display()));
    Ok(exit::FINE)
}

/// The flag of commands that make pages.
#[derive(Debug, Args)]
pub(super) struct LookArgs {
    /// Folder whose templates, words and assets replace the built-in ones of the same name
    #[arg(long, value_name = "DIR")]
    pub(super) theme: Option<PathBuf>,
}

/// The options that `settings` ask for, with this theme.
pub(super) fn render_options<'s>(
    theme: Option<&Path>,
    settings: impl IntoIterator<Item = &'s Settings>,
) -> CommandResult<RenderOptions> {
    let theme = match theme {
        Some(folder) => read_theme(folder)?,
        None => Theme::default(),
    };
    RenderOptions::new(theme, settings).map_err(|error| {
        Failure::usage(error.to_string()).help(format!("there are `{}`", LANGUAGES.join("` and `")))
    })
}

fn read_theme(folder: &Path) -> CommandResult<Theme> {
    let help = "`evalbook theme --eject DIR` writes every file a theme can replace";
    let disk = Disk::open(folder).map_err(|error| {
        let failure = unreadable(folder, &error);
        match name_checks::similar_path(folder) {
            None => failure.help(help),
            near => failure.meant(near),
        }
    })?;
    let mut files = Vec::new();
    for entry in disk.list(&names::is_never_entered) {
        let path = entry.path;
        // Themes lie in repositories, whose README and settings are not part of them.
        if entry.kind != EntryKind::File || !path.contains('/') || path.starts_with('.') {
            continue;
        }
        let content =
            disk.read(&path, u64::MAX).map_err(|error| unreadable(&folder.join(&path), &error))?;
        files.push((path, content));
    }
    Theme::new(files).map_err(|error| {
        Failure::usage(format!("cannot use the theme `{}`: {error}", folder.display())).help(help)
    })
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure { code: exit::USAGE, ..Failure::io("read the theme", path, error) }
}
