//! Outputs of the program itself: its manual, completions, schemas and theme.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, Resettable};
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::console::ENVIRONMENT;
use crate::cli::{CommandResult, Console, Failure, command, exit};
use crate::language::theme;
use crate::schema::{self, KINDS};
use crate::settings::keys::nearest;
use crate::text::count;
use crate::write;

/// Print a page of the manual, or write all of them
///
/// The program has a page, and so has every command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook man | man -l -\n  \
                        evalbook man compare | man -l -\n  \
                        evalbook man -o ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// The command whose page is printed; that of the program when none is given
    command: Option<String>,

    /// Write every page into this folder instead
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,
}

pub(super) fn print_manual(args: &ManArgs, console: &mut Console) -> CommandResult {
    let pages = pages();
    if let Some(folder) = &args.output {
        for (file, text) in &pages {
            write::file(&folder.join(file), text.as_bytes())?;
        }
        console.remark(&format!("wrote {} to {}", count(pages.len(), "page"), folder.display()));
        return Ok(exit::FINE);
    }
    let name = args.command.as_deref();
    let wanted = name.map_or("evalbook.1".to_owned(), file_of);
    if let Some((_, text)) = pages.iter().find(|(file, _)| *file == wanted) {
        return console.result(text);
    }
    let name = name.unwrap_or_default();
    let failure = Failure::usage(format!("there is no command `{name}`"));
    let program = command();
    Err(match nearest(name, program.get_subcommands().map(Command::get_name)) {
        None => failure.help("`evalbook --help` lists the commands"),
        near => failure.meant(near.map(|near| format!("evalbook man {near}"))),
    })
}

fn file_of(command: &str) -> String {
    format!("evalbook-{command}.1")
}

/// The files of the manual with their texts.
fn pages() -> Vec<(String, String)> {
    let mut program = command().disable_help_subcommand(true);
    program.build();
    let mut pages = vec![("evalbook.1".to_owned(), page(&program, true))];
    for command in program.get_subcommands() {
        pages.push((file_of(command.get_name()), page(command, false)));
    }
    pages
}

fn page(command: &Command, is_program: bool) -> String {
    // The text after the help gets its own headings, and the version is in the footer.
    let plain = command.clone().after_help(Resettable::Reset).version(Resettable::Reset);
    let source = concat!("evalbook ", env!("CARGO_PKG_VERSION"));
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = Man::new(plain).source(source).manual("evalbook").render(&mut bytes);
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    text.push_str(&rest(command, is_program).to_roff());
    // Non-ASCII characters by their number, so that the locale does not matter.
    let ascii = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => format!("\\[u{:04X}]", u32::from(c)),
    };
    text.chars().map(ascii).collect()
}

/// Sections that clap does not know of: examples, exit codes, the environment, the other pages.
fn rest(command: &Command, is_program: bool) -> Roff {
    let mut roff = Roff::new();
    let after_help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for block in after_help.split("\n\n").filter(|block| !block.is_empty()) {
        match block.split_once(":\n").filter(|(head, _)| head.starts_with("Example")) {
            Some((_, lines)) => {
                roff.control("SH", ["EXAMPLES"]);
                roff.control("nf", []);
                for line in lines.lines() {
                    roff.text([roman(line.trim_start())]);
                }
                roff.control("fi", []);
            }
            // The codes have a heading of their own.
            None if block.starts_with("Exit codes") => {}
            None => {
                roff.control("PP", []);
                roff.text([roman(block)]);
            }
        }
    }
    roff.control("SH", ["EXIT STATUS"]);
    for (code, says, detail) in exit::TABLE {
        entry(&mut roff, &code.to_string(), &format!("{says}: {detail}"));
    }
    if is_program {
        roff.control("SH", ["ENVIRONMENT"]);
        ENVIRONMENT.iter().for_each(|(name, decides)| entry(&mut roff, name, decides));
    } else {
        roff.control("SH", ["SEE ALSO"]);
        roff.text([bold("evalbook"), roman("(1)")]);
    }
    roff
}

fn entry(roff: &mut Roff, head: &str, text: &str) {
    roff.control("TP", []);
    roff.text([bold(head)]);
    roff.text([roman(text)]);
}

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

pub(super) fn print_completions(args: &CompletionsArgs, console: &mut Console) -> CommandResult {
    let mut bytes = Vec::new();
    generate(args.shell, &mut command(), "evalbook", &mut bytes);
    console.result(&String::from_utf8_lossy(&bytes))
}

/// Print the JSON Schema of a kind of file, for graders and editors
///
/// Draft 2020-12. Lists the kinds when none is given. Fields that evalbook does not know are
/// allowed everywhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook schema\n  \
                        evalbook schema grading > grading.schema.json\n  \
                        evalbook schema grading --compact\n  \
                        evalbook schema report > report.schema.json")]
pub(super) struct SchemaArgs {
    /// The kind of file
    #[arg(value_parser = PossibleValuesParser::new(
        KINDS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.about))
    ))]
    kind: Option<String>,
    /// For a prompt: one spelling of each field, on one line
    #[arg(long, requires = "kind")]
    compact: bool,
}

pub(super) fn print_schema(args: &SchemaArgs, console: &mut Console) -> CommandResult {
    let Some(name) = &args.kind else {
        let lines = KINDS.iter().map(|kind| format!("{:<14} {}\n", kind.name, kind.about));
        return console.result(&lines.collect::<String>());
    };
    let schema = if args.compact {
        schema::compact(name).map(|schema| schema.to_string())
    } else {
        schema::json_schema(name).and_then(|schema| serde_json::to_string_pretty(&schema).ok())
    };
    console.result(&(schema.unwrap_or_default() + "\n"))
}

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

pub(super) fn eject_theme(args: &ThemeArgs, console: &mut Console) -> CommandResult {
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
