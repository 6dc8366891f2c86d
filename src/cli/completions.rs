//! `evalbook completions`: scripts for shells.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::cli::{CommandResult, Console};

/// Print a script by which a shell completes commands, flags and paths
///
/// Read it where the shell starts, or write it where the shell looks for such scripts.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  evalbook completions bash > ~/.local/share/bash-completion/completions/evalbook\n  \
                  evalbook completions zsh > ~/.zfunc/_evalbook\n  \
                  evalbook completions fish > ~/.config/fish/completions/evalbook.fish\n  \
                  evalbook completions powershell >> $PROFILE"
)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(
    args: &CompletionsArgs,
    mut program: Command,
    console: &mut Console,
) -> CommandResult {
    let mut bytes = Vec::new();
    generate(args.shell, &mut program, "evalbook", &mut bytes);
    console.result(&String::from_utf8_lossy(&bytes))
}
