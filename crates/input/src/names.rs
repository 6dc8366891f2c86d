//! Meaning of names: of folders, and of files with a case or a run in their name.

mod models;

use jiff::civil::Date;

pub use models::{begins_as_model, is_harness, is_model, is_same_model};
pub use text::split_extension;
use text::{folded_name, is_listed};

/// Folders that are never entered: internal stores of tools, of no use to a reviewer.
const NEVER_ENTERED: &str = ".git .hg .svn .venv venv .tox .mypy_cache .pytest_cache \
    .ruff_cache __pycache__ node_modules .history .ipynb_checkpoints .cache .worktrees .Trash \
    .trash __MACOSX";

/// Folders between levels that are not a level themselves.
const CONTAINERS: &str = "runs evals eval cases results tests benchmarks iterations samples \
    test-cases test_cases configs configurations";

const OUTPUT_FOLDERS: &[&str] = &["outputs", "output", "artifacts"];

/// Folders next to cases that hold their material, never runs.
const MATERIAL: &str = "fixture fixtures input inputs files assets references scripts \
    ground-truth ground_truth";

/// Words that name a run when digits follow.
const RUN_WORDS: &[&str] = &["run", "sample", "attempt", "trial", "rep", "repeat", "repetition"];

/// Words that name a run below a configuration, where nothing else is expected.
const REPEAT_WORDS: &[&str] = &["", "r", "seed", "try", "execution", "replicate"];

/// Complete names of configurations, in lower case with `_` for `-` and spaces.
const CONFIGURATIONS: &str = "baseline candidate control treatment base head before after old \
    new original improved current previous vanilla default reference with without skill \
    no_skill noskill plain raw main base_branch";

/// Words that make a name a configuration when others follow: `with_rule`, `old_prompt`.
const CONFIGURATION_STARTS: &str = "with without no old new original improved current previous \
    baseline candidate control treatment";

/// Words that make a name a configuration when a letter or number follows: `config_a`, `arm-2`.
const LETTERED_STARTS: &str = "config configuration variant arm condition mode skill model";

/// Words before the letter of a label that hides a side.
const BLIND_WORDS: &str = "version label blind option output answer response sample";

/// Word pairs that make any name with them a configuration: `claude_with_skill`.
const CONFIGURATION_CORES: &[&str] =
    &["with_skill", "without_skill", "no_skill", "old_skill", "new_skill", "original_skill"];

/// Words before the number of a case.
pub const CASE_WORDS: [&str; 3] = ["eval", "case", "test"];

/// Separators of the words in a name.
pub const SEPARATORS: [char; 4] = ['-', '_', '.', ' '];

/// Which skill the runs of a side have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenSkill {
    /// None at all.
    None,
    /// The skill itself.
    Today,
    /// The skill before its last edit.
    Earlier,
}

/// Which skill a configuration has by its name; `None` where the name does not say it.
pub fn given_skill(configuration: &str) -> Option<GivenSkill> {
    let folded = folded_name(file_name(configuration));
    let has = |cores: &[&str]| cores.iter().any(|core| folded.contains(core));
    if has(&["without_skill", "no_skill", "noskill"]) || folded == "without" {
        Some(GivenSkill::None)
    } else if has(&["old_skill", "original_skill", "previous_skill"]) {
        Some(GivenSkill::Earlier)
    } else if has(&["with_skill", "new_skill"]) || matches!(&*folded, "with" | "skill") {
        Some(GivenSkill::Today)
    } else {
        None
    }
}

/// Whether a folder of this name is listed but never entered.
pub fn is_never_entered(name: &str) -> bool {
    is_listed(NEVER_ENTERED, name) || name.starts_with(".evalbook-")
}

/// The folder above `path` in which a tool keeps other checkouts: `.claude/worktrees`.
pub(crate) fn checkouts_above(path: &str) -> Option<&str> {
    folders_above(path)
        .find(|above| file_name(above) == "worktrees" && file_name(folder(above)).starts_with('.'))
}

/// Whether a folder of this name holds a copy of the skill, never runs.
pub fn is_snapshot(name: &str) -> bool {
    let folded = folded_name(name);
    // 84 public folders hold whole skills, some with rounds of their own.
    ["skill_snapshot", "skills_snapshot"].iter().any(|start| folded.starts_with(start))
}

/// Whether a folder of this name only groups what is below it.
pub fn is_container(name: &str) -> bool {
    is_listed(CONTAINERS, &name.to_lowercase())
}

/// Whether a folder of this name holds the outputs of a run: `outputs`, `output`, `artifacts`.
pub fn is_output_folder(name: &str) -> bool {
    OUTPUT_FOLDERS.contains(&name.to_lowercase().as_str())
}

/// Whether a folder of this name can hold runs or lie above them.
pub(crate) fn can_hold_runs(name: &str) -> bool {
    !is_output_folder(name)
        && !is_snapshot(name)
        && !is_trigger_loops(name)
        && !is_listed(MATERIAL, &name.to_lowercase())
}

/// Whether a folder of this name holds trigger loops of the advanced dialect, never runs.
pub(crate) fn is_trigger_loops(name: &str) -> bool {
    folded_name(name) == "description_optimization"
}

/// Whether the name is that of an iteration: `iteration-3b`, `iteration-master`, `iter_2`.
pub fn is_iteration(name: &str) -> bool {
    let folded = folded_name(name);
    if let Some(rest) = folded.strip_prefix("iteration") {
        return starts_with_digit(rest) || rest.starts_with('_') && rest.len() > 1;
    }
    let rest = folded.strip_prefix("iter");
    rest.is_some_and(|rest| starts_with_digit(rest.trim_start_matches('_')))
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// The number of an iteration: 3 for `iteration-3b`, none for `iteration-master`.
pub fn iteration_number(name: &str) -> Option<u32> {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    if is_iteration(name) { digits[..end].parse().ok() } else { None }
}

/// The number of a version folder: 2 for `v2` and `version-2`.
pub fn version_number(name: &str) -> Option<u32> {
    let folded = folded_name(name);
    let long = folded.strip_prefix("version").map(|rest| rest.trim_start_matches('_'));
    digits_only(long.or_else(|| folded.strip_prefix('v'))?)
}

/// The number of a folder that is a round where none is called an iteration: 2 for `round-2`.
pub fn round_number(name: &str) -> Option<u32> {
    digits_only(folded_name(name).strip_prefix("round")?.trim_start_matches('_'))
}

/// The part of a name that says its place among the rounds beside it, from the number on: `3b` of
/// `iteration-3b`, `2` of `Round 2` and of `v2`.
pub fn round_place(name: &str) -> Option<&str> {
    let is_numbered =
        is_iteration(name) || version_number(name).is_some() || round_number(name).is_some();
    let digit = name.find(|c: char| c.is_ascii_digit())?;
    if is_numbered { Some(&name[digit..]) } else { None }
}

/// The number in `text`, if it is all digits.
fn digits_only(text: &str) -> Option<u32> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Whether a name is an abbreviated or whole commit.
pub fn is_commit(name: &str) -> bool {
    (7..=40).contains(&name.len())
        && name.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
        && name.contains(|c: char| c.is_ascii_digit())
}

/// The commit that a name is or ends with: `c81d2a7`, `commit-c81d2a7`.
pub fn commit_of(name: &str) -> Option<&str> {
    let last = name.rsplit(SEPARATORS).next().unwrap_or(name);
    let has_letter = last.len() == name.len() || last.contains(|c: char| c.is_ascii_lowercase());
    if is_commit(last) && has_letter { Some(last) } else { None }
}

/// Whether the name begins with a date: `2026-03-01_101500`, `20260704T140222Z`.
pub fn is_timestamp(name: &str) -> bool {
    let digits = name.chars().filter(|c| !matches!(c, '-' | '_' | '.' | ':'));
    let digits: String = digits.take_while(char::is_ascii_digit).take(8).collect();
    let date = Date::strptime("%Y%m%d", &digits);
    digits.len() == 8 && date.is_ok_and(|date| (1900..3000).contains(&date.year()))
}

/// The number in the name of a run: 3 for `run-3`, none for `run-test-audit`.
pub fn run_number(name: &str) -> Option<u32> {
    let folded = folded_name(name);
    let digits_at = folded.find(|c: char| c.is_ascii_digit())?;
    let (word, digits) = folded.split_at(digits_at);
    if RUN_WORDS.contains(&word.trim_end_matches('_')) { digits_only(digits) } else { None }
}

/// The run number in a name below a configuration: also that of `2`, `r2` and `seed-2`.
pub fn repeat_number(name: &str) -> Option<u32> {
    if let Some(number) = run_number(name) {
        return Some(number);
    }
    let folded = folded_name(name);
    let word = folded.trim_end_matches(|c: char| c.is_ascii_digit());
    if !REPEAT_WORDS.contains(&word.trim_end_matches('_')) {
        return None;
    }
    digits_only(folded.get(word.len()..)?)
}

/// The rest and the iteration of a name of parts: `eval-0.x` and `iter2` for `eval-0.iter2.x`.
pub fn split_iteration(name: &str) -> Option<(String, &str)> {
    let (first, rest) = name.split_once('.')?;
    let round = rest.split('.').find(|part| iteration_number(part).is_some())?;
    let others = rest.split('.').filter(|part| *part != round);
    let kept: Vec<&str> = [first].into_iter().chain(others).collect();
    Some((kept.join("."), round))
}

/// A number without the zeros before it.
pub fn unpadded(number: &str) -> &str {
    let first = number.find(|c| c != '0').unwrap_or(number.len().saturating_sub(1));
    &number[first..]
}

/// The number in a folder's name and what follows it: 3 and `slug` of `eval-3-slug`.
pub fn case_number(folder: &str) -> Option<(String, String)> {
    let folded = folded_name(folder);
    let rest = CASE_WORDS.iter().find_map(|word| folded.strip_prefix(word))?;
    let rest = rest.trim_start_matches('_');
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, slug) = rest.split_at(digits);
    if digits == 0 {
        return None;
    }
    Some((unpadded(number).to_owned(), slug.trim_start_matches('_').to_owned()))
}

/// Splits a name that ends in a run: `with_skill` and 2 for `with_skill-run-2`.
pub(crate) fn split_run_tail(name: &str) -> Option<(&str, u32)> {
    let before = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(SEPARATORS);
    let (head, _) = before.rsplit_once(SEPARATORS)?;
    let tail = name.get(head.len()..)?.trim_start_matches(SEPARATORS);
    let head = head.trim_end_matches(SEPARATORS);
    if head.is_empty() { None } else { Some((head, run_number(tail)?)) }
}

/// Whether the name is the plural of a word for a run: `runs`, `samples`.
pub fn is_plural_of_run(name: &str) -> bool {
    folded_name(name).strip_suffix('s').is_some_and(|word| RUN_WORDS.contains(&word))
}

/// Whether the name alone identifies a configuration.
pub fn is_configuration(name: &str) -> bool {
    // `with_rule`, `config_a`, `01_with_skill_gpt_5_4_mini`.
    let folded = folded_name(name);
    if is_listed(CONFIGURATIONS, &folded) || has_core(&folded) {
        return true;
    }
    let Some((start, rest)) = folded.split_once('_') else { return false };
    let is_short = !rest.is_empty() && rest.split('_').count() <= 3;
    (is_listed(CONFIGURATION_STARTS, start) && is_short)
        || (is_listed(LETTERED_STARTS, start) && rest.len() <= 2)
}

fn has_core(folded: &str) -> bool {
    let padded = format!("_{folded}_");
    CONFIGURATION_CORES.iter().any(|core| padded.contains(&format!("_{core}_")))
}

/// Whether the name is a label that hides the side from a judge: `version_a`, `label_1`, `left`.
pub fn is_blind_label(name: &str) -> bool {
    let folded = folded_name(name);
    let Some((word, sign)) = folded.split_once('_') else {
        return matches!(folded.as_str(), "left" | "right");
    };
    let is_numbered = matches!(word, "label" | "blind") && digits_only(sign).is_some();
    let is_lettered = sign.len() == 1 && sign.chars().all(char::is_alphabetic);
    is_numbered || is_lettered && is_listed(BLIND_WORDS, word)
}

/// Whether a folder of this name is a configuration even when nothing in it is known.
pub(crate) fn is_plainly_configuration(name: &str) -> bool {
    has_core(&folded_name(name)) || matches!(folded_name(name).as_str(), "baseline" | "candidate")
}

/// Whether a folder of this name holds a grader's files on the run around it.
pub(crate) fn is_grader_folder(name: &str) -> bool {
    matches!(folded_name(name).as_str(), "grading" | "gradings" | "graded" | "grader" | "grades")
}

/// Case, configuration and run of `eval-2-claims-with-skill` or `with_skill-eval-2-run-1`.
pub(crate) fn split_case_and_side(name: &str) -> Option<(&str, &str, Option<u32>)> {
    let (rest, run) = split_run_tail(name).map_or((name, None), |(rest, run)| (rest, Some(run)));
    let split = split_configuration_suffix(rest).or_else(|| split_configuration_prefix(rest));
    split.map(|(case, configuration)| (case, configuration, run))
}

/// Splits `with_skill-eval-2` into case and configuration; what follows has to look like a case.
fn split_configuration_prefix(name: &str) -> Option<(&str, &str)> {
    let folded = folded_name(name);
    let starts = plain_configurations()
        .filter(|start| folded.strip_prefix(start).is_some_and(|rest| rest.starts_with('_')));
    let length = starts.map(str::len).max()?;
    let case = name.get(length + 1..)?.trim_start_matches(SEPARATORS);
    if is_case(case) { Some((case, name.get(..length)?)) } else { None }
}

/// Splits `eval-2-claims-with-skill` into case and configuration, when the name ends in one.
pub fn split_configuration_suffix(name: &str) -> Option<(&str, &str)> {
    let folded = folded_name(name);
    let tails = plain_configurations()
        .filter(|tail| folded.strip_suffix(tail).is_some_and(|rest| rest.ends_with('_')));
    let at = name.len().checked_sub(tails.map(str::len).max()?)?;
    let (case, configuration) = (name.get(..at)?, name.get(at..)?);
    let case = case.trim_end_matches(SEPARATORS);
    if case.is_empty() { None } else { Some((case, configuration)) }
}

/// Starts and ends of names that are plainly configurations.
fn plain_configurations() -> impl Iterator<Item = &'static str> {
    CONFIGURATION_CORES.iter().copied().chain(["baseline", "candidate"])
}

/// Whether the name looks like a case's: `eval-3-slug`, `case-01`, `test_4`.
pub fn is_case(name: &str) -> bool {
    let folded = folded_name(name);
    // `eval-run-9` is a round of all cases.
    let rest = folded.split_once('_').map_or("", |(_, rest)| rest);
    if run_number(rest).is_some() || iteration_number(rest).is_some() {
        return false;
    }
    CASE_WORDS.iter().any(|word| folded.strip_prefix(word).is_some_and(|r| r.starts_with('_')))
        || folded.strip_prefix("eval").is_some_and(starts_with_digit)
}

/// The name of a case of which only the id is known: `eval-3` for a bare number.
pub fn case_of_id(id: &str) -> String {
    if id.bytes().all(|b| b.is_ascii_digit()) { format!("eval-{id}") } else { id.to_owned() }
}

/// The last name in a path; all of it if it has no `/`.
pub fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The folder of a path; empty at the root.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folders around `path` from the root down, and `path` itself.
pub fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    [0].into_iter().chain(ends).chain([path.len()]).map(|end| &path[..end])
}

/// `base/name`, or `name` alone at the root.
pub fn join(base: &str, name: &str) -> String {
    if base.is_empty() { name.to_owned() } else { format!("{base}/{name}") }
}

/// Whether `path` is `base` or lies below it.
pub fn is_in(path: &str, base: &str) -> bool {
    path == base || below(path, base).is_some()
}

/// The part of `path` below `base`; `None` when it does not lie below.
pub fn below<'a>(path: &'a str, base: &str) -> Option<&'a str> {
    if base.is_empty() { Some(path) } else { path.strip_prefix(base)?.strip_prefix('/') }
}

/// Whether a file below the folder of a skill is part of it: no evals, workspace, version or cache.
pub fn is_of_skill(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let Some((name, folders)) = parts.split_last() else { return false };
    let is_cache = name.starts_with('.')
        || *name == "Thumbs.db"
        || [".pyc", ".bak", "~"].iter().any(|end| name.ends_with(end));
    let is_of_evals = matches!(parts[..], ["evals.json" | "evalbook.toml" | "history.json"])
        || matches!(folders, ["evals", ..] | ["assets", "evals", ..]);
    let is_of_runs = folders.iter().any(|folder| {
        is_never_entered(folder)
            || is_iteration(folder)
            || is_snapshot(folder)
            || folder.ends_with("workspace")
    });
    let is_version = matches!(folders, [version, "skill", ..] if version_number(version).is_some());
    !(is_cache || is_of_evals || is_of_runs || is_version)
}

#[cfg(test)]
mod tests;
