//! Read: from documents to records.
//!
//! Every document is read separately by the reader of its kind. Every assumption on the way is a
//! problem at its line and column. Which source wins is decided in `assemble`.

pub mod alias;
mod benchmark;
mod blind_labels;
mod case;
mod comparison;
mod cursor;
mod document;
mod feedback;
mod field;
pub mod forms;
mod gates;
mod grading;
mod history;
mod labels;
pub mod loading;
mod measured;
mod metrics;
mod recorded_figures;
mod run_error;
#[cfg(test)]
mod tests;
mod triggers;
mod unknown;
mod verdict;

use rayon::prelude::*;

pub use crate::read::alias::is_spelling;
pub use crate::read::blind_labels::BlindLabel;
pub use crate::read::case::EvalsRecord;
pub use crate::read::feedback::{is_review, review_state};
pub use crate::read::grading::GradingRecord;
pub(crate) use crate::read::grading::OVERALL_STATEMENT;
pub use crate::read::labels::Labels;
pub(crate) use crate::read::metrics::{is_same_duration, seconds_since_1970};
pub(crate) use crate::read::run_error::names_limit;
pub use crate::read::triggers::counted;
pub use crate::read::unknown::{UnreadKind, UnreadResults};
pub use formats::limits::MAX_DOCUMENT_BYTES;

use crate::read::cursor::{Context, Cursor};
use input::discover::{Document, Kind, kinds};
use input::files::{self, Source};
use input::model::{
    BlindComparison, Case, Code, Feedback, History, Loading, Measured, Metrics, Notes, Place,
    PostHocAnalysis, Problem, RecordedBenchmark, Reuse, TriggerRound,
};
use input::names;
use text::mistyped;

/// Runs are searched through this many levels of cases, configurations and runs in a document.
const MAX_LEVELS: usize = 4;

/// The contents of one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Gradings with the labels they carry, in the order of the document.
    pub gradings: Vec<GradingRecord>,
    /// Figures of runs, with their labels.
    pub metrics: Vec<(Labels, Metrics)>,
    /// The case that it describes: its task, its planned expectations.
    pub case: Option<Case>,
    /// All cases of the skill, from `evals.json` and the like.
    pub evals: Option<EvalsRecord>,
    /// Recorded figures of an iteration, from `benchmark.json` and the like.
    // Few documents are a benchmark or an analysis, and both are large.
    pub benchmark: Option<Box<RecordedBenchmark>>,
    /// A person's reviews.
    pub feedback: Option<Feedback>,
    /// Blind comparisons, in the order of the document.
    pub comparisons: Vec<BlindComparison>,
    /// An analysis of a comparison or an iteration.
    pub analysis: Option<Box<PostHocAnalysis>>,
    /// Versions of the skill.
    pub history: Option<History>,
    /// Rounds of trigger evaluations, in the order of the document.
    pub trigger_rounds: Vec<TriggerRound>,
    /// The executor's remarks; `None` if it has none.
    pub notes: Option<Notes>,
    /// What it states of the skill's loading in its run.
    pub loading: Option<Loading>,
    /// The reported error of its run or grader.
    pub error: Option<String>,
    /// What its run is measured on.
    pub measured: Option<Box<Measured>>,
    /// The run of an earlier round that counts in its place.
    pub reuse: Option<Box<Reuse>>,
    /// The folder beside it that it names as the newest.
    pub newest: Option<String>,
    /// The commit that it names as the baseline of its own.
    pub baseline: Option<String>,
    /// Which side each blind label stands for, in a key to them.
    pub labels: Vec<BlindLabel>,
    /// What it has of results that no reader knows.
    pub unread: Option<UnreadResults>,
    /// Whether nothing of its kind was found in it, so that it is an ordinary output.
    pub is_foreign: bool,
    /// What is wrong in it and what was assumed, in the order found.
    pub problems: Vec<Problem>,
}

/// Reads every document, in the order given.
pub fn records(documents: &[Document], source: &dyn Source, prefix: &str) -> Vec<Record> {
    documents.par_iter().map(|document| read(document, source, prefix)).collect()
}

/// The lines of a document as counted by its problems.
pub fn lines(bytes: &[u8]) -> Vec<String> {
    document::decode("", bytes).0.split('\n').map(str::to_owned).collect()
}

fn read(document: &Document, source: &dyn Source, prefix: &str) -> Record {
    let record = read_file(document, source, prefix);
    let has_results = !record.gradings.is_empty() || !record.trigger_rounds.is_empty();
    if document.kind == Kind::Unknown && !has_results {
        // Whatever is wrong with it is no problem of results.
        return Record { is_foreign: true, unread: record.unread, ..Record::default() };
    }
    record
}

fn read_file(document: &Document, source: &dyn Source, prefix: &str) -> Record {
    let path = names::join(prefix, &document.path);
    if document.kind == Kind::Transcript {
        return read_transcript(&path, source);
    }
    if document.bytes > MAX_DOCUMENT_BYTES {
        let [limit, size] = [MAX_DOCUMENT_BYTES, document.bytes].map(text::bytes);
        let problem =
            Problem::new(Code::TooLarge, &document.path, format!("the document has {size}"))
                .assuming(format!("not read, because documents have at most {limit}"))
                .help("keep data in outputs, and only verdicts and figures in documents");
        return Record { problems: vec![problem], ..Record::default() };
    }
    match source.read(&path, MAX_DOCUMENT_BYTES) {
        Ok(bytes) => read_bytes(document, &bytes),
        Err(error) => {
            let message = format!("cannot be read: {}", files::reason(&error));
            let problem = Problem::new(Code::UnreadableFile, &document.path, message)
                .help("check its permissions");
            Record { problems: vec![problem], ..Record::default() }
        }
    }
}

/// The prompt in a transcript in Markdown, under the heading used by the skill-creator.
fn read_transcript(path: &str, source: &dyn Source) -> Record {
    const HEAD_BYTES: u64 = 64 * 1024;
    if path.ends_with(".md")
        && let Ok(bytes) = source.read(path, HEAD_BYTES)
        && let Some(prompt) = prompt_under_heading(&String::from_utf8_lossy(&bytes))
    {
        return prompt_record(&prompt);
    }
    Record::default()
}

fn prompt_under_heading(text: &str) -> Option<String> {
    let mut lines = text.lines();
    lines.find(|line| {
        let name = line.trim_start_matches('#').trim();
        line.starts_with('#') && name.eq_ignore_ascii_case("eval prompt")
    })?;
    let prompt: Vec<&str> = lines.take_while(|line| !line.starts_with('#')).collect();
    let prompt = prompt.join("\n").trim().to_owned();
    if prompt.is_empty() { None } else { Some(prompt) }
}

/// The commit in the first line about a baseline: `**Baseline** (`c81d2a7`): 90% · 91s`.
fn named_baseline(text: &str) -> Option<String> {
    let mut lines = text.lines().filter(|line| line.to_lowercase().contains("baseline"));
    let commit = lines.find_map(|line| {
        line.split(|c: char| !c.is_ascii_alphanumeric()).find(|word| names::is_commit(word))
    });
    commit.map(str::to_owned)
}

fn read_bytes(document: &Document, bytes: &[u8]) -> Record {
    let (text, oddity) = document::decode(&document.path, bytes);
    let mut record = match document.kind {
        Kind::UserNotes => notes_record(text.trim()),
        Kind::Prompt => prompt_record(&text),
        Kind::Pointer if document.path.ends_with(".md") => {
            Record { baseline: named_baseline(&text), ..Record::default() }
        }
        Kind::Pointer => Record { newest: Some(text.trim().to_owned()), ..Record::default() },
        _ => json_record(document, &text),
    };
    if record.problems.iter().all(|problem| problem.code != Code::NotJson) {
        record.problems.splice(0..0, oddity);
    }
    record
}

fn notes_record(text: &str) -> Record {
    if text.is_empty() {
        return Record::default();
    }
    let notes = Notes { other: vec![text.to_owned()], ..Notes::default() };
    Record { notes: Some(notes), ..Record::default() }
}

fn prompt_record(text: &str) -> Record {
    let prompt = if text.trim().is_empty() { None } else { Some(text.to_owned()) };
    Record { case: Some(Case { prompt, ..Case::default() }), ..Record::default() }
}

fn json_record(document: &Document, text: &str) -> Record {
    let mut lines = None;
    if matches!(document.kind, Kind::Grading | Kind::Unknown) {
        lines = document::list_of_lines(text);
    }
    let block = json::without_fence(text);
    let (text, added) = match (&lines, &block) {
        (Some(lines), _) => (lines.as_str(), 1),
        (None, block) => (block.as_deref().unwrap_or(text), 0),
    };
    let context = Context::new(&document.path, text, added);
    let mut record = Record::default();
    if let Some(node) = document::parse(&context, text) {
        if lines.is_some() {
            let message = "the document has an object on each line";
            let help = "put them into a list under `expectations`";
            report_near_json(&context, message, "read as a list of them", help);
        } else if block.is_some() {
            let message = "the document is in a code fence";
            report_near_json(&context, message, "read without it", "write the JSON alone");
        }
        let root = context.root(&node);
        dispatch(document, root, &mut record);
        if document.kind.marks_run() {
            record.error = run_error::in_document(root);
            if names::file_name(&document.path) == "contaminated.json" {
                record.error = record.error.take().or_else(|| run_error::in_contaminated(root));
            }
            record.loading = loading::stated_in(root);
        }
        record.is_foreign &= record.error.is_none();
    } else if document.kind.marks_run() {
        record.error = run_error::in_trace(text);
    }
    let problems = context.into_problems();
    if let Some(last) = record.gradings.last_mut() {
        last.grading.is_cut_off = problems.iter().any(|problem| problem.code == Code::CutOff);
    }
    Record { problems, ..record }
}

fn report_near_json(context: &Context<'_>, message: &str, assumed: &str, help: &str) {
    let problem = Problem::new(Code::NearJson, context.path(), message)
        .at(Some(Place { line: 1, column: 1 }))
        .assuming(assumed)
        .help(help);
    context.problem(problem);
}

/// One arm per kind of document.
fn dispatch(document: &Document, root: Cursor<'_>, record: &mut Record) {
    match document.kind {
        Kind::Grading => {
            record.gradings = grading::read(root, document.place.case.is_some());
            grading::problem_without_verdicts(root, &record.gradings);
        }
        Kind::Timing => {
            record.metrics = metrics::read_runs(root);
            // A template whose figures are all null was never filled in.
            record.is_foreign = record.metrics.is_empty() && !metrics::is_template(root);
            // Of a run that broke, nothing else may be known.
            if record.is_foreign && run_error::in_document(root).is_none() {
                metrics::problem_without_figures(root);
            } else {
                metrics::problem_without_unit(root, &record.metrics);
            }
        }
        Kind::Metrics => read_metrics(root, record),
        Kind::CaseMetadata => read_case(document, root, record),
        Kind::Evals => record.evals = expected(case::read_evals(root), root, record),
        Kind::Benchmark => {
            record.benchmark = expected(benchmark::read(root).map(Box::new), root, record)
        }
        Kind::Feedback => {
            record.comparisons = comparison::judgements_in_feedback(root);
            record.feedback = expected(feedback::read(root), root, record);
        }
        Kind::Comparison => {
            record.comparisons = expected(comparison::read(root), root, record).unwrap_or_default();
        }
        Kind::Analysis => {
            record.analysis = expected(comparison::read_analysis(root).map(Box::new), root, record)
        }
        Kind::History => {
            let read = expected(history::read(root), root, record);
            (record.history, record.trigger_rounds) = read.unwrap_or_default();
        }
        Kind::Gates => gates::report(root),
        Kind::Measured => record.measured = Some(Box::new(measured::read(root))),
        Kind::Reused => {
            record.reuse = expected(measured::read_reuse(root), root, record).map(Box::new)
        }
        Kind::LabelKey => record.labels = blind_labels::read(root),
        Kind::Triggers => {
            record.trigger_rounds = triggers::read_rounds(root);
            if record.trigger_rounds.is_empty() {
                triggers::problem_without_rounds(root);
            }
        }
        Kind::Unknown => unknown::read(root, record),
        Kind::Transcript | Kind::UserNotes | Kind::Prompt | Kind::Pointer => {}
    }
}

/// Metadata describes one case, or lists several like evals. A document that is metadata only by
/// its folder must have a task.
fn read_case(document: &Document, root: Cursor<'_>, record: &mut Record) {
    if case::is_list_of_cases(root) {
        record.evals = case::read_evals(root);
        return;
    }
    let is_named = kinds::kind_of_path(&document.path).is_some();
    record.case = case::read_metadata(root)
        .filter(|case| is_named || case.prompt.is_some() || !case.planned.is_empty());
    if record.case.is_none() && root.label(&alias::labels::SKILL).is_none() {
        expected::<Case>(None, root, record);
    }
}

/// A metrics document may have the cost of a run, the executor's remarks, and the prompt.
fn read_metrics(root: Cursor<'_>, record: &mut Record) {
    record.metrics = metrics::read_runs(root);
    let notes = grading::read_notes(root);
    if !notes.is_empty() {
        record.notes = Some(notes);
    }
    if root.key("prompt").is_some_and(|prompt| prompt.node().as_text().is_some()) {
        record.case = case::read_metadata(root);
    }
    record.is_foreign =
        record.metrics.is_empty() && record.notes.is_none() && record.case.is_none();
}

/// Returns what a reader found; nothing found is a problem.
fn expected<T>(value: Option<T>, root: Cursor<'_>, record: &mut Record) -> Option<T> {
    if value.is_none() {
        record.is_foreign = true;
        let assumed = "nothing was read from it";
        if !problem_at_misspelt_key(root, assumed) {
            let message = "none of the fields of its kind were found";
            let help = "`evalbook schema` prints the fields of each kind";
            root.problem(Code::UnknownShape, message, assumed, help);
        }
    }
    value
}

/// Reports the first list or object whose key has a typing error, as `"eval": [...]`, or which has cases
/// under another key, as `"evaluations": [{"prompt": ...}]`; `false` if there is none.
fn problem_at_misspelt_key(root: Cursor<'_>, assumed: &str) -> bool {
    const KEYS: [&str; 6] =
        ["evals", "expectations", "assertions", "reviews", "iterations", "run_summary"];
    let mut parts = root.entries().filter(|(_, part)| part.is_list() || part.is_object());
    let misspelt = parts.find_map(|(key, part)| {
        let has_cases = part.is_list() && part.items().next()?.key("prompt").is_some();
        let meant = mistyped(key, KEYS.into_iter()).or(has_cases.then_some("evals"))?;
        Some((key, part, meant))
    });
    let Some((key, part, meant)) = misspelt else { return false };
    let open = if part.is_list() { '[' } else { '{' };
    let message = format!("`{key}` is no key here");
    let help = format!("did you mean `\"{meant}\": {open}`?");
    part.problem(Code::UnknownShape, message, assumed, &help);
    true
}
