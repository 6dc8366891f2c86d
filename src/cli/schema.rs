//! `evalbook schema`: prints JSON Schemas.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::cli::{CommandResult, Console, Failure};
use crate::language::Language;
use crate::render::text::grading_prompt::grading_rules;
use crate::schema::{self, KINDS};

/// Print the JSON Schema of a kind of file, for graders and editors
///
/// Draft 2020-12, on one line. Lists the kinds when none is given. Fields that evalbook does not
/// know are allowed everywhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook schema\n  \
                        evalbook schema grading > grading.schema.json\n  \
                        evalbook schema grading --prompt > grader.md\n  \
                        evalbook schema grading --all-spellings\n  \
                        evalbook schema report > report.schema.json")]
pub(super) struct SchemaArgs {
    /// The kind of file
    #[arg(value_parser = PossibleValuesParser::new(
        KINDS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.about))
    ))]
    kind: Option<String>,

    /// Every spelling of each field that is read, not only the documented one
    #[arg(long, requires = "kind")]
    all_spellings: bool,

    /// A prompt for an agent that grades runs
    #[arg(long, requires = "kind")]
    prompt: bool,

    /// The schema after the prompt
    #[arg(long, requires = "prompt")]
    full: bool,
}

pub(super) fn run(args: &SchemaArgs, console: &mut Console) -> CommandResult {
    match &args.kind {
        Some(kind) => {
            let schema = schema::json_schema(kind, args.all_spellings).unwrap_or_default();
            if !args.prompt {
                return console.result(&format!("{schema}\n"));
            }
            if kind != "grading" {
                let failure = Failure::usage(format!("there is no prompt for `{kind}`"));
                return Err(failure.help("`evalbook schema grading --prompt` has one for graders"));
            }
            let rules = grading_rules(&Language::default());
            if !args.full {
                return console.result(&rules);
            }
            let lead = "The example is enough to write one. For programs, the schema:";
            console.result(&format!("{rules}\n{lead}\n\n{schema}\n"))
        }
        None => {
            let lines = KINDS.iter().map(|kind| format!("{:<14} {}\n", kind.name, kind.about));
            console.result(&lines.collect::<String>())
        }
    }
}
