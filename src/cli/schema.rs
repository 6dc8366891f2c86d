//! `evalbook schema`: print what a document of a kind holds, as JSON Schema.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::cli::{Console, Outcome};
use crate::schema::{self, KINDS};

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
    #[arg(value_parser = PossibleValuesParser::new(kinds()))]
    kind: Option<String>,
    /// For a prompt: one spelling of each field, on one line
    #[arg(long, requires = "kind")]
    compact: bool,
}

pub(super) fn run(args: &SchemaArgs, console: &mut Console) -> Outcome {
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

fn kinds() -> impl Iterator<Item = PossibleValue> {
    KINDS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.about))
}
