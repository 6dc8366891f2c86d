//! `evalbook compare`: what changed between two iterations, workspaces or reports, with a gate.

use std::path::PathBuf;

use anstream::adapter::strip_str;
use clap::{Args, ValueEnum};

use crate::analyze::{self, Against, Analysis, Side};
use crate::cli::gate::{self as cli_gate, DayArgs};
use crate::cli::inputs::Inputs;
use crate::cli::look::{self, LookArgs};
use crate::cli::named;
use crate::cli::settings::{GateArgs, SettingsArgs, tell_unguarded};
use crate::cli::sides::{self, Place};
use crate::cli::{Console, Failure, Outcome, exit};
use crate::gate::{self, Question};
use crate::language::Language;
use crate::render::compare::{self, Candidate, Comparison};

/// Print what changed between two iterations, and fail where a gate says so
///
/// Each side is the folder of an iteration, a workspace or a report.json, of which the newest graded
/// iteration is meant, or one named as `PATH#iteration-2`. The candidate of HEAD is compared with
/// that of BASE on the cases both have, with the numbers of a report. Of several
/// candidates the first is told in full, and a gate judges each. Settings are those beside HEAD.
/// Exits with 1 when a rule of the gate fails or cannot be checked.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  evalbook compare my-workspace/iteration-2 my-workspace/iteration-3\n  \
                        evalbook compare main/report.json my-workspace --fail-on worse\n  \
                        evalbook compare old new --format markdown -o comment.md \
                        --max-token-increase 20%"
)]
pub(super) struct CompareArgs {
    /// The earlier side
    base: PathBuf,

    /// The later side
    head: PathBuf,

    /// How to print
    #[arg(long, value_enum, default_value_t = CompareFormat::Text)]
    format: CompareFormat,

    /// Where to write it; to the terminal when not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    look: LookArgs,

    #[command(flatten)]
    settings: SettingsArgs,

    #[command(flatten)]
    gate: GateArgs,

    #[command(flatten)]
    day: DayArgs,
}

/// How to print a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CompareFormat {
    /// For a terminal
    Text,
    /// For a comment on a change
    Markdown,
    /// One JSON object
    Json,
}

pub(super) fn run(args: &CompareArgs, console: &mut Console) -> Outcome {
    let mut flags = args.settings.settings()?;
    flags.lay_over(&args.gate.settings()?);
    let today = args.day.day()?;
    let sides = [&args.base, &args.head].map(|path| sides::parts(path).0);
    if let Some(file) = &args.output {
        Inputs::new(&sides, "the sides").refuse_file(file)?;
    }
    let [base, head] = [&args.base, &args.head].map(|path| sides::find(path, &flags));
    let (base, head) = (base?, head?);
    named::check_configurations([&base, &head].into_iter().map(Place::named))?;
    let language = look::from_flags(&args.look, [&head.settings])?.language;
    let workspace = sides::joined(&base, &head);
    let analysis = analyze::analysis(&workspace, &head.settings);
    let after = analysis.candidate_of(1).ok_or_else(|| nothing_graded(&head))?;
    let mut changes = Vec::new();
    for after in std::iter::once(after).chain(analysis.candidates_of(1).skip(1)) {
        let before = before(&base, &after, &analysis)?;
        let lines = &analysis.lines;
        changes.push(analyze::change(&workspace, lines, &before, &after, &head.settings));
    }
    analyze::look_at_once(changes.iter_mut().map(|change| &mut change.gain));
    let questions = changes.iter().map(|change| Question {
        workspace: &workspace,
        analysis: &analysis,
        after: &change.after,
        change: Some(change),
        on_baseline: analysis.change(&change.after, Against::Baseline),
        settings: &head.settings,
        today: &today,
    });
    let questions: Vec<Question<'_>> = questions.collect();
    let judgements = gate::judge_all(&questions);
    let judged = questions.iter().zip(&changes).zip(&judgements);
    let candidate = |((question, change), judgement)| Candidate { question, change, judgement };
    tell_unguarded(&flags, console);
    let candidates: Vec<Candidate<'_>> = judged.map(candidate).collect();
    match candidates.split_first() {
        Some((shown, others)) => print(args, Comparison { shown, others }, &language, console),
        None => Err(nothing_graded(&head)),
    }
}

fn print(
    args: &CompareArgs,
    comparison: Comparison<'_>,
    language: &Language,
    console: &mut Console,
) -> Outcome {
    let text = match args.format {
        CompareFormat::Text => compare::text(comparison, language),
        CompareFormat::Markdown => compare::markdown(comparison, language),
        CompareFormat::Json => compare::json(comparison),
    };
    let text = if args.output.is_some() { strip_str(&text).to_string() } else { text };
    console.put(&text, args.output.as_deref())?;
    let is_open = cli_gate::tell(&comparison.gate(language), "", console);
    Ok(if is_open { exit::FINE } else { exit::FAILED })
}

/// The same configuration of the base where that was graded, else the candidate of the base.
fn before(base: &Place, after: &Side, analysis: &Analysis) -> Outcome<Side> {
    let graded = |name: &str| {
        let summary = analysis.iterations[0].configuration(name);
        summary.is_some_and(|summary| summary.tally.graded() > 0)
    };
    let of_base = analyze::of_iteration(base.iteration(), &base.settings);
    let own = of_base.candidate().map(|summary| summary.name.clone());
    let same = Some(after.configuration.clone()).filter(|name| graded(name));
    let configuration = same.or(own).ok_or_else(|| nothing_graded(base))?;
    Ok(Side { iteration: 0, configuration })
}

fn nothing_graded(side: &Place) -> Failure {
    Failure::nothing(format!("`{}` holds no run of a candidate", side.shown))
}
