//! Which kind of document a file is, from its name alone.
//!
//! Names in the wild carry a case, a run or a version next to the kind (`eval-3-grading.json`,
//! `grading_with_skill.json`, `case-01_v0_run1.json`). [`NamedKind::stem`] keeps that part.

use crate::names;
use text::{folded_name, mistyped};

/// A kind of document, which has its own reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Graded expectations.
    Grading,
    /// Duration and tokens.
    Timing,
    /// Execution metrics and other figures of a run.
    Metrics,
    /// One case's prompt and expectations.
    CaseMetadata,
    /// All cases of the skill.
    Evals,
    /// Recorded aggregates.
    Benchmark,
    /// A person's reviews.
    Feedback,
    /// A blind comparison.
    Comparison,
    /// An analysis after a comparison or of an iteration.
    Analysis,
    /// Versions of the skill, or rounds of a trigger loop.
    History,
    /// Regression gates.
    Gates,
    /// Results of trigger queries.
    Triggers,
    /// Step-by-step record of a run.
    Transcript,
    /// The executor's remarks.
    UserNotes,
    /// The prompt alone.
    Prompt,
    /// What a run is measured on.
    Measured,
    /// Which run of an earlier round counts in its place.
    Reused,
    /// Which side each blind label stands for.
    LabelKey,
    /// The name of the newest folder beside it, or of the one that its own is compared with.
    Pointer,
    /// Perhaps results: only its content can tell.
    Unknown,
}

impl Kind {
    /// Whether a file of this kind next to or in a folder makes that folder a run's.
    pub fn marks_run(self) -> bool {
        matches!(
            self,
            Self::Grading | Self::Timing | Self::Metrics | Self::Transcript | Self::Reused
        )
    }

    /// Whether a file of this kind describes a case rather than a run of it.
    pub(crate) fn says_what_to_do(self) -> bool {
        matches!(self, Self::CaseMetadata | Self::Prompt)
    }

    /// Whether a file of this kind in a folder of outputs is a document, not an output.
    pub(crate) fn lies_in_outputs(self) -> bool {
        self != Self::Reused && (self.marks_run() || self == Self::UserNotes)
    }

    /// Whether a file of this kind in a folder of a case, configuration or run is a document.
    pub(crate) fn lies_in_runs(self) -> bool {
        !matches!(
            self,
            Self::Evals | Self::Benchmark | Self::History | Self::Gates | Self::Triggers
        )
    }

    /// Whether a file of this kind above the cases is a document.
    pub(crate) fn lies_above_runs(self) -> bool {
        !matches!(
            self,
            Self::Metrics
                | Self::Transcript
                | Self::UserNotes
                | Self::Prompt
                | Self::Measured
                | Self::Reused
        )
    }
}

/// A file's kind and the other parts of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedKind {
    /// The kind that a word of the name, or the whole name, stands for.
    pub kind: Kind,
    /// The rest of the name: a case, run, configuration or version; empty if there is none.
    pub stem: String,
    /// Whether the rest precedes the kind: `pdf-grading.json`.
    pub is_before_kind: bool,
    /// Whether the rest marks a summary of several runs: `timing_summary.json`.
    pub is_roll_up: bool,
}

/// Suffixes that mark a roll-up of gradings or timings and name no run.
const ROLL_UPS: &[&str] =
    &["index", "summary", "results", "result", "all", "report", "final", "overall", "combined"];

/// Words that mark a timing as the grader's.
const GRADERS: &[&str] = &["grader", "grading", "judge"];

/// The kind of a document by its whole name.
fn kind_of_whole_name(folded: &str, extension: &str) -> Option<Kind> {
    Some(match (extension, folded) {
        ("json", "eval_metadata" | "assertions") => Kind::CaseMetadata,
        ("json", "evals") => Kind::Evals,
        ("json", "history") => Kind::History,
        ("json", "measured") => Kind::Measured,
        ("json", "reused") => Kind::Reused,
        ("json", "feedback") => Kind::Feedback,
        ("json", "regression_gates") => Kind::Gates,
        ("json", "metrics" | "usage" | "run_metadata") => Kind::Metrics,
        // Why a run broke off, or that it saw what it should not: both are read where the errors of a run are.
        ("json", "harness_failure" | "contaminated") => Kind::Metrics,
        ("json", "analyzer_notes" | "analyst_notes" | "analysis_notes") => Kind::Analysis,
        ("jsonl" | "ndjson", "grading") => Kind::Grading,
        ("jsonl" | "ndjson", "session") => Kind::Transcript,
        ("json" | "jsonl" | "ndjson" | "md" | "txt", "transcript") => Kind::Transcript,
        ("md" | "txt", "user_notes") => Kind::UserNotes,
        ("md" | "txt", "prompt") => Kind::Prompt,
        _ => return None,
    })
}

/// Kinds of `.json` documents by the word that their name begins or ends with.
const JSON_WORDS: &[(&str, Kind)] = &[
    ("grading", Kind::Grading),
    ("timing", Kind::Timing),
    ("benchmark", Kind::Benchmark),
    ("comparison", Kind::Comparison),
    ("comparisons", Kind::Comparison),
    ("analysis", Kind::Analysis),
];

/// The kind of the file at `path`, by its name and its folder.
pub fn kind_of_path(path: &str) -> Option<Kind> {
    let name = names::file_name(path);
    if let Some(named) = recognize(name) {
        return Some(named.kind);
    }
    let (stem, extension) = names::split_extension(name);
    let above = names::folder(names::folder(path));
    if name == "results.json" && names::is_trigger_loops(names::file_name(above)) {
        return Some(Kind::Triggers);
    }
    let in_gradings = folded_name(names::file_name(names::folder(path))).starts_with("grading");
    let is_scored = scored_stem(stem).is_some() || versioned_stem(stem).is_some();
    let is_named = in_gradings && is_scored || case_and_configuration(path).is_some();
    if extension == "json" && is_named { Some(Kind::Grading) } else { None }
}

/// Whether the file at `path`, in a case's own folder, describes that case.
pub(crate) fn is_case_metadata(path: &str) -> bool {
    matches!(names::file_name(path), "eval.json" | "case.json")
}

/// The name of a document that the file at `path` has with a typing error, as `grades.json`, or with
/// what editors add to it, as `grading.json.txt`.
pub fn misspelt(path: &str) -> Option<&'static str> {
    const NAMES: [&str; 5] =
        ["grading.json", "timing.json", "benchmark.json", "eval_metadata.json", "feedback.json"];
    let name = &*names::file_name(path).to_lowercase();
    for ending in [".txt", ".yaml", ".yml", ".json5", ".jsn"] {
        let Some(stem) = name.strip_suffix(ending) else { continue };
        // Texts of other names are notes.
        if ending == ".txt" && stem != "grading" && !stem.ends_with(".json") {
            return None;
        }
        let stem = folded_name(stem.strip_suffix(".json").unwrap_or(stem));
        return NAMES.into_iter().find(|name| folded_name(name.trim_end_matches(".json")) == stem);
    }
    if !name.ends_with(".json") || kind_of_path(path).is_some() {
        return None;
    }
    if matches!(name, "grade.json" | "grades.json" | "graded.json") {
        return Some("grading.json");
    }
    mistyped(name, NAMES.into_iter())
}

/// Whether the file at `path` may name the newest folder beside it, as `baselines/latest` does, or the
/// commit that its own is compared with, as the summaries of a series of commits.
pub(crate) fn is_pointer(path: &str) -> bool {
    match names::file_name(path) {
        "latest" | "latest.txt" | "LATEST" | "current" => true,
        "summary.md" => names::commit_of(names::file_name(names::folder(path))).is_some(),
        _ => false,
    }
}

/// Whether the file at `path`, above all runs, may have results. Material of cases has none.
pub(crate) fn may_have_results(path: &str) -> bool {
    let (_, extension) = names::split_extension(names::file_name(path));
    let mut folders = names::folder(path).split('/');
    let stem = folded_name(names::split_extension(names::file_name(path)).0);
    // Lines of other names are logs.
    let is_list_of_lines = matches!(extension.as_str(), "jsonl" | "ndjson")
        && ["result", "trigger", "grading"].iter().any(|word| stem.contains(word));
    (extension == "json" || is_list_of_lines)
        && folders.all(|name| name.is_empty() || names::can_hold_runs(name))
}

/// The kind of `name`, or `None` if the name does not tell.
pub(crate) fn recognize(name: &str) -> Option<NamedKind> {
    let (stem, extension) = names::split_extension(name);
    let folded = folded_name(stem);
    if let Some(kind) = kind_of_whole_name(&folded, &extension) {
        return Some(named(kind, ""));
    }
    match extension.as_str() {
        "json" => recognize_json(stem, &folded),
        "jsonc" | "json5" => {
            recognize_json(stem, &folded).filter(|named| named.kind == Kind::Grading)
        }
        _ => None,
    }
}

fn named(kind: Kind, stem: &str) -> NamedKind {
    NamedKind {
        kind,
        stem: trim_separators(stem).to_owned(),
        is_before_kind: false,
        is_roll_up: false,
    }
}

fn recognize_json(stem: &str, folded: &str) -> Option<NamedKind> {
    // `label_key.json` lies beside the cases, `unblinding.json` in each.
    let endings =
        ["label_key", "blind_key", "blinding_key", "label_map", "blind_map", "label_mapping"];
    if folded.contains("unblind") || endings.iter().any(|end| folded.ends_with(end)) {
        return Some(named(Kind::LabelKey, ""));
    }
    if is_graders_timing(folded) {
        return Some(named(Kind::Timing, ""));
    }
    if folded.starts_with("trigger") {
        return Some(named(Kind::Triggers, stem.get("trigger".len()..).unwrap_or_default()));
    }
    if let Some(rest) = suffixed(stem, folded, "config").filter(|rest| !rest.is_empty()) {
        return Some(named(Kind::Metrics, rest));
    }
    let described = suffixed(stem, folded, "metadata");
    if let Some(rest) = described.filter(|rest| names::case_number(rest).is_some()) {
        return Some(named(Kind::CaseMetadata, rest));
    }
    for (word, kind) in JSON_WORDS {
        let after = prefixed(stem, folded, word);
        let Some(rest) = after.or_else(|| suffixed(stem, folded, word)) else { continue };
        let may_sum_up = matches!(kind, Kind::Grading | Kind::Timing);
        let is_roll_up = may_sum_up && ROLL_UPS.contains(&folded_name(rest).as_str());
        let named_kind = named(*kind, if is_roll_up { "" } else { rest });
        return Some(NamedKind { is_before_kind: after.is_none(), is_roll_up, ..named_kind });
    }
    None
}

/// Whether the name of the file at `path` marks a summary of several runs.
pub fn is_roll_up(path: &str) -> bool {
    // `grading-index.json`, `grading_summary.json`.
    recognize(names::file_name(path)).is_some_and(|named| named.is_roll_up)
}

/// Whether the file at `path` has the time and tokens of the grader, which are never the run's.
pub fn is_of_grader(path: &str) -> bool {
    is_graders_timing(&folded_name(names::split_extension(names::file_name(path)).0))
}

fn is_graders_timing(folded: &str) -> bool {
    let grader = folded.strip_suffix("_timing").or_else(|| folded.strip_prefix("timing_"));
    grader.is_some_and(|grader| GRADERS.contains(&grader))
}

/// The part after `word` in `stem`, when `word` is a whole word at its start.
fn prefixed<'a>(stem: &'a str, folded: &str, word: &str) -> Option<&'a str> {
    let rest = folded.strip_prefix(word)?;
    let is_whole = rest.is_empty() || rest.starts_with('_');
    if is_whole { stem.get(word.len()..).map(trim_separators) } else { None }
}

/// The part before `word` in `stem`, when `word` is a whole word at its end.
fn suffixed<'a>(stem: &'a str, folded: &str, word: &str) -> Option<&'a str> {
    let rest = folded.strip_suffix(word)?;
    let is_whole = rest.is_empty() || rest.ends_with('_');
    let end = stem.len().checked_sub(word.len())?;
    if is_whole { stem.get(..end).map(trim_separators) } else { None }
}

fn trim_separators(text: &str) -> &str {
    text.trim_matches(names::SEPARATORS)
}

/// Case, version and run of a file in the scored dialect; a grading may leave out the run.
pub fn scored(path: &str) -> Option<(String, u32, Option<u32>)> {
    let name = names::file_name(path);
    let named = recognize(name);
    let is_bare = named.is_none() && kind_of_path(path) == Some(Kind::Grading);
    let named = named.filter(|named| named.kind == Kind::Grading);
    let stem = named.as_ref().map_or(names::split_extension(name).0, |named| &named.stem);
    if let Some((case, version, run)) = scored_stem(stem) {
        return Some((case.to_owned(), version, Some(run)));
    }
    match versioned_stem(stem) {
        Some((case, version)) if is_bare => Some((case.to_owned(), version, None)),
        _ => None,
    }
}

/// Case, configuration and run of a grading whose name has them all, as those of a promoted baseline:
/// `grading/<case>__<configuration>__r<run>.json`.
pub(crate) fn case_and_configuration(path: &str) -> Option<(&str, &str, Option<u32>)> {
    let folder = names::file_name(names::folder(path));
    if !names::is_grader_folder(folder) && !folder.eq_ignore_ascii_case("results") {
        return None;
    }
    let (mut stem, _) = names::split_extension(names::file_name(path));
    let joint = if stem.contains("__") { "__" } else { "--" };
    let mut run = None;
    if let Some((rest, last)) = stem.rsplit_once(joint)
        && let Some(number) = names::repeat_number(last)
    {
        (stem, run) = (rest, Some(number));
    }
    let (case, configuration) = stem.rsplit_once(joint)?;
    let is_pair = !case.is_empty() && names::is_configuration(configuration);
    if is_pair { Some((case, configuration, run)) } else { None }
}

/// Case, version and run in the scored dialect's `<case>_v<version>_run<run>`.
pub(crate) fn scored_stem(stem: &str) -> Option<(&str, u32, u32)> {
    let (rest, run) = names::split_run_tail(stem)?;
    let (case, version) = versioned_stem(rest)?;
    Some((case, version, run))
}

/// Case and version in `<case>_v<version>`, which is too vague for files other than gradings.
pub fn versioned_stem(stem: &str) -> Option<(&str, u32)> {
    let (case, version) = stem.rsplit_once(names::SEPARATORS)?;
    let (case, version) = (trim_separators(case), names::version_number(version)?);
    if case.is_empty() { None } else { Some((case, version)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_stems_of_names() {
        let cases = [
            ("grading.json", Some((Kind::Grading, ""))),
            ("grading_with_skill.json", Some((Kind::Grading, "with_skill"))),
            ("eval-3-grading.json", Some((Kind::Grading, "eval-3"))),
            ("grading-index.json", Some((Kind::Grading, ""))),
            ("grading_v3.json", Some((Kind::Grading, "v3"))),
            ("Grading.JSON", Some((Kind::Grading, ""))),
            ("eval-3-config.json", Some((Kind::Metrics, "eval-3"))),
            ("config.json", None),
            ("benchmark-lite.json", Some((Kind::Benchmark, "lite"))),
            ("comparison-1.json", Some((Kind::Comparison, "1"))),
            ("comparisons.json", Some((Kind::Comparison, ""))),
            ("comparisons_3way.json", Some((Kind::Comparison, "3way"))),
            ("trigger-results.json", Some((Kind::Triggers, "results"))),
            ("analyzer-notes.json", Some((Kind::Analysis, ""))),
            ("transcript.md", Some((Kind::Transcript, ""))),
            ("degrading.json", None),
            ("grading.jsonl", Some((Kind::Grading, ""))),
            ("grading_with_skill.jsonc", Some((Kind::Grading, "with_skill"))),
            ("timing.jsonc", None),
            ("grades.json", None),
            ("notes.md", None),
            ("eval.json", None),
            ("eval-0-rag.metadata.json", Some((Kind::CaseMetadata, "eval-0-rag"))),
            ("case-01_metadata.json", Some((Kind::CaseMetadata, "case-01"))),
            ("capture_metadata.json", None),
        ];
        for (name, expected) in cases {
            let actual = recognize(name);
            let actual = actual.as_ref().map(|named| (named.kind, named.stem.as_str()));
            assert_eq!(actual, expected, "{name}");
        }
        assert_eq!(scored_stem("case-01_v0_run1"), Some(("case-01", 0, 1)));
        assert_eq!(scored_stem("case_v2"), None);
    }
}
