//! `evalbook man`: the manual, made from the definition of the commands.

use std::path::PathBuf;

use clap::builder::Resettable;
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::console::ENVIRONMENT;
use crate::cli::{CommandResult, Console, Failure, exit};
use crate::write;
use text::count;
use text::most_similar;

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

pub(super) fn run(args: &ManArgs, program: Command, console: &mut Console) -> CommandResult {
    // `evalbook-help.1` would repeat the page of the program.
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let pages = pages(&program);
    if let Some(folder) = &args.output {
        for (file, text) in &pages {
            write::file(&folder.join(file), text.as_bytes())?;
        }
        console.remark(&format!("wrote {} to {}", count(pages.len(), "page"), folder.display()));
        return Ok(exit::FINE);
    }
    let wanted = match &args.command {
        Some(command) => file_name(command),
        None => "evalbook.1".to_owned(),
    };
    match pages.iter().find(|(file, _)| *file == wanted) {
        Some((_, text)) => console.result(text),
        None => Err(no_such_command(args.command.as_deref().unwrap_or_default(), &program)),
    }
}

fn no_such_command(name: &str, program: &Command) -> Failure {
    let failure = Failure::usage(format!("there is no command `{name}`"));
    match most_similar(name, program.get_subcommands().map(Command::get_name)) {
        Some(near) => failure.meant(Some(format!("evalbook man {near}"))),
        None => failure.help("`evalbook --help` lists the commands"),
    }
}

fn file_name(command: &str) -> String {
    format!("evalbook-{command}.1")
}

/// The files of the manual with their texts.
fn pages(program: &Command) -> Vec<(String, String)> {
    let mut environment = Roff::new();
    environment.control("SH", ["ENVIRONMENT"]);
    for (name, effect) in ENVIRONMENT {
        write_entry(&mut environment, name, effect);
    }
    let mut see_also = Roff::new();
    see_also.control("SH", ["SEE ALSO"]);
    see_also.text([bold("evalbook"), roman("(1)")]);
    let mut pages = vec![("evalbook.1".to_owned(), page(program, &environment))];
    for command in program.get_subcommands() {
        pages.push((file_name(command.get_name()), page(command, &see_also)));
    }
    pages
}

/// A page that ends with `last`.
fn page(command: &Command, last: &Roff) -> String {
    // The text after the help gets its own headings, and the version is in the footer.
    let plain = command.clone().after_help(Resettable::Reset).version(Resettable::Reset);
    let source = concat!("evalbook ", env!("CARGO_PKG_VERSION"));
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = Man::new(plain).source(source).manual("evalbook").render(&mut bytes);
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    text.push_str(&after_help(command).to_roff());
    text.push_str(&exit_codes().to_roff());
    text.push_str(&last.to_roff());
    in_ascii(&text)
}

/// `man` decodes pages by the locale, so other characters are written by their number.
fn in_ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            ascii.push(c);
        } else {
            ascii.push_str(&format!("\\[u{:04X}]", u32::from(c)));
        }
    }
    ascii
}

/// What clap would put at the end of the description: examples get a heading of their own.
fn after_help(command: &Command) -> Roff {
    let mut roff = Roff::new();
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for block in text.split("\n\n") {
        if let Some(examples) = block.strip_prefix("Examples:\n") {
            roff.control("SH", ["EXAMPLES"]);
            roff.control("nf", []);
            for line in examples.lines() {
                roff.text([roman(line.trim_start())]);
            }
            roff.control("fi", []);
        } else if !block.is_empty() && !block.starts_with("Exit codes") {
            roff.control("PP", []);
            roff.text([roman(block)]);
        }
    }
    roff
}

fn exit_codes() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    for (code, says, detail) in exit::TABLE {
        write_entry(&mut roff, &code.to_string(), &format!("{says}: {detail}"));
    }
    roff
}

fn write_entry(roff: &mut Roff, head: &str, text: &str) {
    roff.control("TP", []);
    roff.text([bold(head)]);
    roff.text([roman(text)]);
}
