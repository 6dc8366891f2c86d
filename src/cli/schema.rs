//! `evalbook schema`: print what a document of a kind holds, as JSON Schema.

use clap::Args;

use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::{Outcome, exit};
use crate::schema::{self, KINDS};
use crate::settings::keys::nearest;

/// Print the JSON Schema of a kind of file, for graders and editors
///
/// Draft 2020-12. Lists the kinds when none is given. Fields that evalbook does not know are
/// allowed everywhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook schema\n  \
                        evalbook schema grading > grading.schema.json")]
pub(super) struct SchemaArgs {
    /// The kind of file
    kind: Option<String>,
}

/// Runs the command.
pub(super) fn run(args: &SchemaArgs, console: &mut Console) -> Outcome {
    let Some(name) = &args.kind else {
        let lines = KINDS.iter().map(|kind| format!("{:<14} {}\n", kind.name, kind.about));
        console.result(&lines.collect::<String>());
        return Ok(exit::FINE);
    };
    let found = schema::of(name).and_then(|schema| serde_json::to_string_pretty(&schema).ok());
    match found {
        Some(text) => {
            console.result(&(text + "\n"));
            Ok(exit::FINE)
        }
        None => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Failure {
    let failure = Failure::usage(format!("there is no schema of `{name}`"));
    match nearest(name, KINDS.iter().map(|kind| kind.name)) {
        Some(near) => failure.help(format!("did you mean `{near}`?")),
        None => failure.help("`evalbook schema` lists the kinds"),
    }
}
