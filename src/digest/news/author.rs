//! What the author of a workspace wrote about the results: which note takes them back, and which one is
//! shown. Notes are quoted, never paraphrased, and no verdict follows from them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::Serialize;

use crate::expression::expression;
use input::model::Iteration;
use input::names;
use text::first_words;

/// A remark of the author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuthorNote {
    /// The file, relative to the workspace.
    pub file: String,
    /// The sentence of the remark that matters, or its beginning.
    pub text: String,
}

/// A remark as it is written.
#[derive(Clone, Copy)]
pub(super) struct Remark<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
    /// Whether its field warns of the figures.
    is_warning: bool,
}

/// A note of fewer characters says nothing about a result.
const SHORTEST: usize = 16;

/// Words of a quotation: a remark of no more is quoted whole.
const WORDS: usize = 30;

/// Fewer points than that, and the note is not shown.
const WORTH_SHOWING: i32 = 1;

/// The expressions of each kind of remark.
static EXPRESSIONS: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    toml::from_str(include_str!("author.toml")).expect("a test of each kind reads the table")
});

/// What matches a remark of one kind.
fn any_of(kind: &str) -> Regex {
    expression(&format!("(?i){}", EXPRESSIONS[kind].join("|")))
}

/// The remarks on an iteration, in the order of its files.
pub(super) fn remarks(iteration: &Iteration) -> Vec<Remark<'_>> {
    let mut remarks: Vec<Remark<'_>> = Vec::new();
    for benchmark in &iteration.benchmarks {
        let notes = benchmark.notes.iter().map(|text| (text, false));
        for (text, is_warning) in benchmark.warnings.iter().map(|text| (text, true)).chain(notes) {
            remarks.push(Remark { file: &benchmark.path, text, is_warning });
        }
    }
    for analysis in &iteration.analyses {
        for text in analysis.observations.iter().chain(&analysis.summary) {
            remarks.push(Remark { file: &analysis.path, text, is_warning: false });
        }
    }
    remarks.extend(notes_on_runs(iteration));
    remarks.retain(|remark| remark.text.trim().len() >= SHORTEST);
    remarks
}

/// Notes beside the figures of runs that at least half of the runs of a side have.
fn notes_on_runs(iteration: &Iteration) -> Vec<Remark<'_>> {
    let mut runs: BTreeMap<&str, usize> = BTreeMap::new();
    let mut noted: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for run in iteration.runs() {
        *runs.entry(&run.configuration).or_default() += 1;
        if let Some(note) = &run.metrics.note {
            *noted.entry((note, &run.configuration)).or_default() += 1;
        }
    }
    noted.retain(|(_, side), number| *number * 2 >= runs[side]);
    let texts: BTreeSet<&str> = noted.into_keys().map(|(note, _)| note).collect();
    texts.into_iter().map(|text| Remark { file: "timing.json", text, is_warning: false }).collect()
}

static TAKES_ALL_BACK: LazyLock<Regex> = LazyLock::new(|| any_of("takes_all_back"));
static ABOUT_COSTS: LazyLock<Regex> = LazyLock::new(|| any_of("about_costs"));
static ABOUT_CHECKS: LazyLock<Regex> = LazyLock::new(|| any_of("about_checks"));
static ABOUT_RUNS: LazyLock<Regex> = LazyLock::new(|| any_of("about_runs"));
/// Cases by their numbers, as far as these are invalid.
static TAKES_CASES_BACK: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\b(?:evals?|cases?) ((?:\d+(?:, ?| and | & )?){1,9})[^.]{0,60}\b(invalid|void|refused|blocked|excluded)",
    )
});
static TAINTED: LazyLock<Regex> = LazyLock::new(|| any_of("tainted"));
static CONFOUNDED: LazyLock<Regex> = LazyLock::new(|| any_of("confounded"));
static NUMBERED_CASE: LazyLock<Regex> =
    LazyLock::new(|| expression(r"(?i)\b(?:eval|case|test)[ _#-]{0,2}(\d{1,4})\b"));
static BROKE: LazyLock<Regex> = LazyLock::new(|| any_of("broke"));
static LIMITS: LazyLock<Regex> = LazyLock::new(|| any_of("limits"));
static CONCLUDES: LazyLock<Regex> = LazyLock::new(|| any_of("concludes"));
static CONCLUDES_STRONGLY: LazyLock<Regex> = LazyLock::new(|| any_of("concludes_strongly"));
static CAUSE: LazyLock<Regex> = LazyLock::new(|| any_of("cause"));
/// Fields of an analysis in a row: `winner_execution_pattern: Read skill`.
static FIELDS: LazyLock<Regex> = LazyLock::new(|| expression(r"\A[a-z]+(?:_[a-z]+)+: "));
static BARE_FIGURES: LazyLock<Regex> = LazyLock::new(|| expression(r"\d+(?:\.\d+)? ?%|\d+/\d+"));
static SAME_SKILL: LazyLock<Regex> = LazyLock::new(|| any_of("same_skill"));

/// The remark that takes the result of an iteration with this number of cases back, with what it says so.
pub(super) fn voiding(remarks: &[Remark<'_>], cases: usize) -> Option<AuthorNote> {
    remarks.iter().find_map(|remark| {
        let sentence = voiding_sentence(remark.text, cases)?;
        Some(note(remark, sentence))
    })
}

fn voiding_sentence(text: &str, cases: usize) -> Option<&str> {
    sentences(text).find(|sentence| {
        if TAKES_ALL_BACK.is_match(sentence) {
            return !ABOUT_COSTS.is_match(sentence) || ABOUT_RUNS.is_match(sentence);
        }
        let named = TAKES_CASES_BACK.captures(sentence).and_then(|found| found.get(1));
        let number = named.map_or(0, |named| {
            named
                .as_str()
                .split(|c: char| !c.is_ascii_digit())
                .filter(|part| !part.is_empty())
                .count()
        });
        number > 0 && number * 2 >= cases
    })
}

/// The remark that says that the skill did not change since the round before.
pub(super) fn same_skill(remarks: &[Remark<'_>]) -> Option<AuthorNote> {
    remarks.iter().find_map(|remark| {
        let sentence = sentences(remark.text).find(|sentence| SAME_SKILL.is_match(sentence))?;
        Some(note(remark, sentence))
    })
}

/// The remark that says what a side is: `without_skill = iteration-1 new_skill`.
pub(super) fn about_side(remarks: &[Remark<'_>], side: &str) -> Option<AuthorNote> {
    let says = [format!("{side} = "), format!("{side} is ")];
    remarks.iter().find_map(|remark| {
        let mut sentences = sentences(remark.text);
        let found = sentences.find(|text| says.iter().any(|words| text.contains(words)))?;
        Some(note(remark, found))
    })
}

/// Whether a note says that something other than the skill decided a case.
pub(super) fn is_confounded(note: &str) -> bool {
    CONFOUNDED.is_match(note)
}

/// The number of the case that a note is about: `Eval 3 baseline was confounded`.
pub(super) fn case_number(note: &str) -> Option<&str> {
    NUMBERED_CASE.captures(note)?.get(1).map(|number| number.as_str())
}

/// The remark that a reader of the first screen should see.
pub(super) fn best(remarks: &[Remark<'_>]) -> Option<AuthorNote> {
    let mut best: Option<(i32, &Remark<'_>)> = None;
    for remark in remarks {
        let score = score(remark);
        if score >= WORTH_SHOWING && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, remark));
        }
    }
    let (_, remark) = best?;
    let found = [&TAINTED, &BROKE, &CAUSE, &LIMITS, &CONCLUDES_STRONGLY, &CONCLUDES].into_iter();
    let mut found = found
        .filter_map(|of_kind| sentences(remark.text).find(|sentence| of_kind.is_match(sentence)));
    let mut sentence = found.next().unwrap_or(remark.text);
    if remark.is_warning || refers_back(sentence) {
        sentence = sentences(remark.text).next().unwrap_or(remark.text);
    }
    Some(note(remark, sentence))
}

/// The remarks that still hold where the gradings give other figures than `file`, by its name: figures and
/// conclusions in it are about what it counted, but what went wrong in the runs did.
// In `raddue/crucible` a benchmark of 21 checks says "scores 0-14%", and 31 graded ones give 45 %.
pub(super) fn holding<'a>(remarks: &[Remark<'a>], file: &str) -> Vec<Remark<'a>> {
    let mut holding = remarks.to_vec();
    holding.retain(|remark| {
        names::file_name(remark.file) != file
            || is_any_of(&[&TAINTED, &BROKE, &CONFOUNDED], remark.text)
            || !is_any_of(&[&BARE_FIGURES, &CONCLUDES, &ABOUT_CHECKS], remark.text)
    });
    holding
}

fn is_any_of(kinds: &[&LazyLock<Regex>], text: &str) -> bool {
    kinds.iter().any(|kind| kind.is_match(text))
}

/// How much a remark matters to somebody who reads one of them.
fn score(remark: &Remark<'_>) -> i32 {
    let text = remark.text;
    let (about_costs, concludes) = (ABOUT_COSTS.is_match(text), CONCLUDES_STRONGLY.is_match(text));
    let mut score = 0;
    if TAINTED.is_match(text) || BROKE.is_match(text) {
        score += 4;
    } else if LIMITS.is_match(text) {
        score += 3;
    }
    if remark.is_warning && !about_costs {
        score += 3;
    }
    if CONCLUDES.is_match(text) {
        score += 2;
    }
    if concludes {
        score += 2;
    }
    if CAUSE.is_match(text) {
        score += 3;
    }
    if BARE_FIGURES.find_iter(text).count() >= 2 && score == 0 {
        score -= 2;
    }
    if about_costs {
        score -= 2;
    }
    // An ordinary remark on the results is worth showing where there is no better one.
    let is_ordinary = !is_of_one_case(text) && !FIELDS.is_match(text);
    if !about_costs && score == 0 && is_ordinary {
        score += 1;
    }
    if is_of_one_case(text) {
        score -= 1;
    }
    score
}

fn is_of_one_case(text: &str) -> bool {
    let start = text.trim_start().to_lowercase();
    let rest = start.strip_prefix("eval").or_else(|| start.strip_prefix("case"));
    rest.is_some_and(|rest| {
        rest.trim_start_matches([' ', '-', '_']).starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Whether a sentence cannot be read without the one before it.
fn refers_back(sentence: &str) -> bool {
    const WORDS: &str = "these this they it that both those here also but so";
    let first = sentence.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    WORDS.split(' ').any(|word| first.eq_ignore_ascii_case(word))
}

/// The sentences of a text; a semicolon ends one as well.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut marks = rest.char_indices().filter(|(_, c)| ".!?;。".contains(*c));
        let end = marks.find_map(|(at, mark)| {
            let end = at + mark.len_utf8();
            let is_end = mark == '。' || rest[end..].starts_with(char::is_whitespace);
            is_end.then_some(end)
        });
        let (sentence, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after.trim_start();
        Some(sentence.trim_end_matches(';'))
    })
}

fn note(remark: &Remark<'_>, sentence: &str) -> AuthorNote {
    let is_short = remark.text.split_whitespace().count() <= WORDS;
    let sentence = if is_short { remark.text } else { sentence };
    let plain: String = sentence.chars().filter(|c| !['*', '`'].contains(c)).collect();
    AuthorNote {
        file: names::file_name(remark.file).to_owned(),
        text: first_words(plain.trim(), WORDS),
    }
}

#[cfg(test)]
mod tests {
    use super::{Remark, best, same_skill, sentences, voiding};

    fn remarks<'a>(texts: &[&'a str]) -> Vec<Remark<'a>> {
        let remark = |text: &&'a str| Remark { file: "benchmark.json", text, is_warning: false };
        texts.iter().map(remark).collect()
    }

    #[test]
    fn only_all_or_most_runs_take_a_result_back() {
        let table = [
            ("All agents were blocked by Write permissions.", 3, true),
            ("No run of this round could execute a command: all runs were blocked.", 3, true),
            ("Do not trust these numbers: the database was down.", 3, true),
            ("The round is invalid: no command could be run.", 3, true),
            ("Ungültige Runde: in keinem Lauf war ein Befehl erlaubt.", 3, true),
            ("本轮没有执行任何命令，结果作废。", 3, true),
            ("Do not use the word benefit in a sentence about results.", 3, false),
            ("without_skill used invalid operators in two answers.", 3, false),
            ("Eval 3 baseline was confounded by a rate limit.", 3, false),
            ("Evals 1 and 2 are invalid, the agent was blocked.", 3, true),
            ("Evals 1 and 2 are invalid, the agent was blocked.", 5, false),
            ("All timing data are placeholder: every run has a simulated time.", 3, false),
            ("Please discard this round: the key of the service had run out.", 3, true),
            ("Don't use these numbers.", 3, true),
            ("The results are not valid, since the proxy was down.", 3, true),
            ("Round aborted: the proxy was down.", 3, true),
            ("All runs hit the rate limit before the first step.", 3, true),
            ("Both sides were run with the skill installed by mistake.", 3, true),
            ("Void: both sides had it switched on.", 3, true),
            ("The results are not valid JSON in one case of with_skill.", 3, false),
            ("The agent should discard all rows without a date.", 3, false),
            ("One run hit the rate limit before its last step.", 3, false),
            ("Every case was run twice. The grader refused nothing.", 3, false),
            // What runs did to their input, or that nothing happened to them, takes nothing back.
            ("No run failed and none was blocked; all results are valid.", 3, false),
            ("No agent was denied a tool.", 3, false),
            ("No run failed, and every side could write its files.", 3, false),
            ("None of the runs was cut short, every one could write its file.", 3, false),
            ("Ninguna ejecución pudo escribir archivos en esta ronda.", 3, true),
            ("所有运行都无法写入文件。", 3, true),
            ("All agents blocked the invalid DROP statement, as the case demands.", 3, false),
            ("Both sides denied access to the anonymous role.", 3, false),
            ("All runs simulated the payment API with a mock.", 3, false),
            ("All baseline runs refused to cite a source.", 3, false),
            ("Most runs were simulated, not executed.", 3, true),
            ("All runs refused to start.", 3, true),
        ];
        for (text, cases, expected) in table {
            assert_eq!(voiding(&remarks(&[text]), cases).is_some(), expected, "{text}");
        }
    }

    #[test]
    fn the_note_that_matters_most_is_shown() {
        let shown = |texts: &[&str]| best(&remarks(texts)).map(|note| note.text);
        let plain = "The skill pays off in the two cases with many tables.";
        let tainted = "Eval 3 baseline was confounded: it found the answer of another run.";
        assert_eq!(shown(&[plain, tainted]).as_deref(), Some(tainted.trim_end_matches('.')));
        assert_eq!(shown(&[plain]).as_deref(), Some(plain.trim_end_matches('.')));
        let foreign = "新版在违约条款上明显更好；付款期限两边一样。";
        assert_eq!(shown(&[foreign]).as_deref(), Some(foreign), "whatever the language");
        assert_eq!(shown(&["Runs take 30 seconds longer with tokens to match."]), None);
        assert_eq!(shown(&["with_skill 94 %, without_skill 31 %"]), None);
    }

    #[test]
    fn a_rerun_is_known_by_the_word_of_its_author() {
        assert!(
            same_skill(&remarks(&["SKILL.md identical to iteration-2, a second sample."]))
                .is_some()
        );
        assert!(same_skill(&remarks(&["本轮技能未改动，仅重跑一遍以确认稳定性。"])).is_some());
        assert!(same_skill(&remarks(&["The skill changed little since iteration-2."])).is_none());
    }

    #[test]
    fn sentences_end_at_their_marks() {
        let found: Vec<&str> = sentences("Up by 3.5 points. Why; nobody knows! 好。壞").collect();
        assert_eq!(found, ["Up by 3.5 points.", "Why", "nobody knows!", "好。", "壞"]);
    }
}
