//! `evalbook theme`: write the built-in templates, words and assets, to be changed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{Console, Failure, Outcome, exit};
use crate::language::theme;
use crate::text::count;
use crate::write;

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

pub(super) fn run(args: &ThemeArgs, console: &mut Console) -> Outcome {
    let files: Vec<_> = theme::built_in().collect();
    let taken = files
        .iter()
        .map(|(path, _)| args.eject.join(path))
        .find(|path| path.symlink_metadata().is_ok());
    if let Some(path) = taken {
        return Err(Failure::nothing(format!("`{}` exists", path.display()))
            .help("give a new folder, or remove the file"));
    }
    for (path, content) in &files {
        write::new_file(&args.eject.join(path), content)?;
    }
    let count = count(files.len(), "file");
    console.remark(&format!("wrote {count} to {}", args.eject.display()));
    Ok(exit::FINE)
}
