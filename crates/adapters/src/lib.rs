//! Adapters: results of other evaluators, presented as a workspace of ours.
//!
//! A `Tool` recognizes its files by their contents and maps them to `Trial`s, nothing else.
//! [`adapt`] presents these as the files that a workspace of ours would have (`layout`), in place
//! of the tool's own (`source`), so that everything behind reads them like any workspace.
//!
//! A new adapter is one file, one line in `TOOLS` and one example below `tests/adapters`.

mod agent_skill_eval;
mod agent_skills_eval;
mod agentv;
mod aws;
mod eval_magic;
mod files;
mod harbor;
mod inspect;
mod layout;
mod promptfoo;
mod promptfoo_csv;
mod rows;
mod skill_evaluator;
mod skill_up;
mod skillproof;
mod source;
mod stand_ins;
#[cfg(test)]
mod tests;
mod tool;
mod trial;
mod vally;
mod vally_verdicts;
mod values;
mod vercel;
mod waza;

use std::sync::Arc;

use memchr::memmem;
use rayon::prelude::*;
use serde_json::Value;

pub use crate::rows::{RowSettings, name_rows};
pub use crate::source::Origins;

use crate::files::{Files, is_taken};
use crate::layout::ReadResults;
use crate::source::AdaptedSource;
use crate::stand_ins::StandIns;
use crate::tool::{ResultFile, Tool};
use crate::trial::Results;
use formats::limits::MAX_DOCUMENT_BYTES;
use input::discover::{Kind, kinds};
use input::files::{Entry, EntryKind, Source};
use input::model::{Code, Problem};
use input::names;

/// Every tool. A file belongs to the first that reads it.
const TOOLS: &[Tool] = &[
    agent_skill_eval::TOOL,
    agent_skills_eval::TOOL,
    eval_magic::TOOL,
    skill_up::TOOL,
    skillproof::TOOL,
    // Its trials lie in the folders of Harbor, which runs them.
    skill_evaluator::TOOL,
    harbor::TOOL,
    promptfoo::TOOL,
    promptfoo_csv::TOOL,
    aws::TOOL,
    waza::TOOL,
    inspect::TOOL,
    agentv::TOOL,
    vally::TOOL,
    vally_verdicts::TOOL,
    vercel::TOOL,
];

/// What only looks like results: recognized, named and not read.
struct Named {
    name: &'static str,
    marks: &'static [&'static str],
    help: &'static str,
}

const NAMED: &[Named] = &[
    Named {
        name: "the old skill-validator of dotnet",
        marks: &["\"verdicts\"", "\"scenarios\"", "\"skillName\""],
        help: "read its report, or evaluate again with Vally, whose `results.jsonl` is read",
    },
    Named {
        name: "SkillEvaluator as a published card",
        marks: &["Skill Benchmark:", "## Evaluation Metadata"],
        help: "point evalbook at the run's own folder, with `result.json` and `run_config.json`",
    },
];

/// A source with results of other tools presented as ours.
pub struct Adapted {
    /// The source: made documents in place of the results, all other files as they were.
    pub source: Box<dyn Source>,
    /// Everything in the source, folders before their contents.
    pub entries: Vec<Entry>,
    /// Which real file each presented one comes from.
    pub origins: Origins,
}

/// Presents results of other tools among `entries`, and adds a problem for each tool recognized.
/// Files that `is_left_out` accepts are not read. `side` is the side of all runs, if it is known;
/// `rows` are the mappings of the settings, which come before every tool.
///
/// Returns `None` if there is nothing to present.
pub fn adapt(
    source: &Arc<dyn Source>,
    entries: &[Entry],
    side: Option<&str>,
    rows: &[RowSettings<'_>],
    is_left_out: &(dyn Fn(&str) -> bool + Sync),
    problems: &mut Vec<Problem>,
) -> Option<Adapted> {
    let files = Files::new(&**source, entries);
    let rows::MappedResults { results: mapped, mut taken } =
        rows::read(rows, &**source, entries, is_left_out, problems);
    let candidates: Vec<&Entry> =
        entries.iter().filter(|entry| is_candidate(entry) && !is_left_out(&entry.path)).collect();
    let sniffed: Vec<Sniffed<'_>> =
        candidates.par_iter().filter_map(|entry| sniff(&**source, entry)).collect();

    let mut read = Vec::new();
    let mut named = Vec::new();
    for (index, tool) in TOOLS.iter().enumerate() {
        for found in sniffed.iter().filter(|found| found.tools.contains(&index)) {
            // What one tool has read, such as the trials inside a run, is no result of another.
            if is_taken(&taken, found.path) {
                continue;
            }
            match results(tool, found.path, &files) {
                Ok(Some(results)) => {
                    taken.insert(found.path.to_owned());
                    taken.extend(results.consumed.iter().cloned());
                    read.push(ReadResults { tool: tool.name, path: found.path, results });
                }
                Ok(None) => {}
                Err(problem) => named.push(*problem),
            }
        }
    }
    named.extend(sniffed.iter().filter_map(named_problem));
    let mut stand_ins = StandIns::default();
    let mut gradings = Vec::new();
    for found in sniffed.iter().filter(|found| !is_taken(&taken, found.path)) {
        if names::file_name(found.path).eq_ignore_ascii_case("benchmark.md") {
            stand_ins.add_benchmark(found.path, &files);
        } else if found.may_have_grades {
            stand_ins.add_grades(found.path, &files);
        } else if found.may_grade {
            gradings.push(found.path);
        }
    }
    stand_ins.add_gradings(&gradings, &files);
    named.retain(|problem| !is_taken(&taken, &problem.path));
    problems.extend(named);
    problems.extend(layout::recognized(&read));
    read.extend(mapped);
    if read.is_empty() && stand_ins.presented.is_empty() {
        return None;
    }
    let mut presented = layout::present(read, side, &files, &taken);
    presented.extend(stand_ins.presented);
    taken.extend(stand_ins.taken);
    let adapted = AdaptedSource::new(Arc::clone(source), entries, presented, &taken);
    let entries = adapted.list(&|_| false);
    let origins = adapted.origins();
    Some(Adapted { source: Box::new(adapted), entries, origins })
}

/// Our own documents are no results of others, except that some call theirs `benchmark.json` too.
fn is_candidate(entry: &Entry) -> bool {
    let name = names::file_name(&entry.path).to_lowercase();
    let is_text = [".json", ".jsonl", ".csv", ".eval"].iter().any(|end| name.ends_with(end));
    let kind = kinds::kind_of_path(&entry.path);
    entry.kind == EntryKind::File
        && (2..=MAX_DOCUMENT_BYTES).contains(&entry.bytes)
        && (is_text && kind.is_none_or(|kind| matches!(kind, Kind::Benchmark | Kind::CaseMetadata))
            || name == "benchmark.md")
}

/// A file with all marks of some tools.
#[derive(Default)]
struct Sniffed<'e> {
    path: &'e str,
    /// Indexes in [`TOOLS`].
    tools: Vec<usize>,
    named: Option<&'static Named>,
    is_packed_log: bool,
    may_grade: bool,
    may_have_grades: bool,
}

fn sniff<'e>(source: &dyn Source, entry: &'e Entry) -> Option<Sniffed<'e>> {
    let path = entry.path.as_str();
    let mut found = Sniffed { path, ..Sniffed::default() };
    if path.ends_with(".eval") {
        found.is_packed_log = source.read(path, 4).ok()? == b"PK\x03\x04";
        return Some(found).filter(|found| found.is_packed_log);
    }
    let bytes = source.read(path, MAX_DOCUMENT_BYTES).ok()?;
    let tools = TOOLS.iter().enumerate().filter(|(_, tool)| has_all(&bytes, tool.marks));
    found.tools.extend(tools.map(|(index, _)| index));
    found.named = NAMED.iter().find(|named| has_all(&bytes, named.marks));
    found.may_grade = stand_ins::may_grade(path, &bytes);
    found.may_have_grades = kinds::kind_of_path(path) == Some(Kind::CaseMetadata);
    if found.may_have_grades && !has_all(&bytes, &["\"grades\""]) {
        return None;
    }
    let is_benchmark =
        path.ends_with(".md") && has_all(&bytes, &["Skill Benchmark:"]) && found.named.is_none();
    let is_open = !found.tools.is_empty() || found.may_grade || found.may_have_grades;
    Some(found).filter(|found| is_open || is_benchmark || found.named.is_some())
}

fn has_all(bytes: &[u8], marks: &[&str]) -> bool {
    marks.iter().all(|mark| memmem::find(bytes, mark.as_bytes()).is_some())
}

/// The results of `tool` in the file at `path`; `None` if it is not one of its files.
///
/// # Errors
/// It has all marks of the tool, and cannot be read.
fn results(tool: &Tool, path: &str, files: &Files<'_>) -> Result<Option<Results>, Box<Problem>> {
    let Some(text) = files.text(path) else { return Ok(None) };
    let value = if path.ends_with(".csv") { Ok(Value::Null) } else { values::parse(path, &text) };
    match value {
        Ok(value) => {
            let read = (tool.read)(&ResultFile { path, text: &text, value, files });
            Ok(read.filter(|results| !results.trials.is_empty() || results.triggers.is_some()))
        }
        Err(error) => {
            let message = format!("looks like results of {}, and is not JSON: {error}", tool.name);
            let help = "write it again: it may be cut off";
            Err(Box::new(Problem::new(Code::UnreadResults, path, message).help(help)))
        }
    }
}

fn named_problem(found: &Sniffed<'_>) -> Option<Problem> {
    if found.is_packed_log {
        let message = "a packed log of Inspect is not read";
        let help = "run `inspect log convert --to json --output-dir logs-json <this file>` and \
                    point evalbook at `logs-json`";
        return Some(Problem::new(Code::UnreadResults, found.path, message).help(help));
    }
    let named = found.named?;
    let message = format!("results of {} are not read", named.name);
    Some(Problem::new(Code::UnreadResults, found.path, message).help(named.help))
}
