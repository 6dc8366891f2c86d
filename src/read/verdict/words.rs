//! The words and marks for a verdict.
//!
//! A text is compared in lower case, with one space for every joint between words and without the
//! marks and signs around it. Each line of [`PAIRS`] has words for a pass and words for its
//! opposite, so that a failure is read as readily as a pass. A word for a pass behind a negation is
//! a failure. A denied failure is no pass: nobody said that it passed.

use crate::model::Outcome;

/// Words for a pass, each line with those for its opposite.
pub(super) const PAIRS: &[(&[&str], &[&str])] = &[
    (
        &["pass", "passed", "passes", "passing", "p"],
        &["fail", "failed", "fails", "failing", "failure", "hard fail", "f"],
    ),
    (&["true", "t"], &["false"]),
    (&["yes", "y"], &["no", "n"]),
    (&["met", "meets"], &["unmet"]),
    (&["ok", "okay"], &["nok", "ko"]),
    (&["success", "succeeded", "succeeds", "successful"], &["unsuccessful"]),
    (&["satisfied", "satisfies"], &["unsatisfied", "violated", "violates"]),
    (&["correct"], &["incorrect", "wrong"]),
    (&["fulfilled", "fulfills", "fulfils"], &["unfulfilled"]),
    (&["achieved", "achieves"], &["unachieved"]),
    (&["compliant", "complies"], &["noncompliant"]),
    (&["通過", "通过", "成功"], &["失敗", "失败"]),
    (&["合格", "符合", "達標", "达标"], &["不符"]),
    (&["達成", "达成", "滿足", "满足"], &["違反", "违反"]),
    (&["正確", "正确", "對", "对"], &["錯誤", "错误", "錯", "错"]),
    (&["是", "是的"], &["否"]),
];

/// Verbs for a pass in the form they have behind a negation.
pub(super) const VERBS: &[&str] =
    &["meet", "satisfy", "fulfill", "fulfil", "achieve", "succeed", "comply"];

/// What makes a word for a pass a failure, before it.
pub(super) const NEGATIONS: &[&str] = &[
    "not",
    "not a",
    "did not",
    "didn't",
    "does not",
    "doesn't",
    "do not",
    "is not",
    "isn't",
    "was not",
    "wasn't",
    "were not",
    "weren't",
    "has not",
    "hasn't",
    "have not",
    "cannot",
    "could not",
    "couldn't",
    "never",
    "no",
    "non",
    "failed to",
    "fails to",
];

/// The same in Chinese, where no space follows.
pub(super) const NEGATIONS_JOINED: &[&str] =
    &["未", "不", "沒", "没", "沒有", "没有", "未能", "並未", "并未"];

/// What may stand before a word or its negation and changes nothing.
pub(super) const EMPHASES: &[&str] = &["fully", "completely", "clearly", "clear", "full", "strong"];

/// The same in Chinese.
pub(super) const EMPHASES_JOINED: &[&str] = &["已", "已經", "已经", "完全"];

/// Marks for a pass, alone or beside a word.
pub(super) const PASS_MARKS: &[char] = &['✓', '✔', '✅', '☑', '√', '🟢', '👍'];

/// Marks for a failure, alone or beside a word.
pub(super) const FAIL_MARKS: &[char] =
    &['✗', '✘', '✕', '✖', '×', '❌', '☐', '🔴', '🚫', '⛔', '👎'];

/// Marks that take something back from a pass.
const DOUBT_MARKS: &[char] = &['⚠', '🟡', '🟠', '🔶'];

/// Signs that turn or blur what follows them.
const TURNS: &[char] = &['!', '！', '¬', '~', '≈'];

/// Words and signs for the lack of a verdict.
pub(super) const UNGRADED: &[&str] = &[
    "",
    "-",
    "?",
    "n/a",
    "na",
    "none",
    "null",
    "skip",
    "skipped",
    "ungraded",
    "pending",
    "tbd",
    "todo",
    "unknown",
    "unclear",
    "inconclusive",
    "indeterminate",
    "undetermined",
    "untested",
    "unverified",
    "not graded",
    "not evaluated",
    "not tested",
    "not checked",
    "not run",
    "not applicable",
    "cannot determine",
    "不適用",
    "不适用",
    "未評分",
    "未评分",
    "未測試",
    "未测试",
    "略過",
    "跳過",
    "跳过",
    "待定",
    "無法判定",
    "无法判定",
    "無法判斷",
    "无法判断",
];

/// The outcome a word stands for, alone, emphasized or with a mark that agrees; `None` for a word
/// that stands for none.
pub(in crate::read) fn of_word(word: &str) -> Option<Outcome> {
    let word = folded(word);
    if UNGRADED.contains(&word.as_str()) || word.chars().all(is_dash) {
        return Some(Outcome::Ungraded);
    }
    if word.contains(['?', '？']) || word.starts_with(TURNS) {
        return None;
    }
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let named = if bare.is_empty() { None } else { Some(of_bare(bare)?) };
    let outcome = match (named, of_marks(&word)) {
        (Some(named), Some(marked)) if named != marked => None,
        (named, marked) => named.or(marked),
    };
    let is_doubtful = outcome == Some(Outcome::Passed) && word.contains(DOUBT_MARKS);
    outcome.filter(|_| !is_doubtful)
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '—')
}

/// Lower case, one kind of apostrophe, and one space for the joints between words.
fn folded(word: &str) -> String {
    let word = word.trim().to_lowercase().replace('’', "'");
    if word.chars().all(is_dash) {
        return word;
    }
    let words = word.split(|c: char| c.is_whitespace() || matches!(c, '_' | '-'));
    words.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn of_bare(bare: &str) -> Option<Outcome> {
    if UNGRADED.contains(&bare) {
        return Some(Outcome::Ungraded);
    }
    let plain = without_emphasis(bare);
    if is_pass(plain) {
        return Some(Outcome::Passed);
    }
    let is_failure = PAIRS.iter().any(|(_, failed)| failed.contains(&plain));
    let is_denied = || denied(plain).any(|word| is_pass(word) || VERBS.contains(&word));
    (is_failure || is_denied()).then_some(Outcome::Failed)
}

fn is_pass(word: &str) -> bool {
    PAIRS.iter().any(|(passed, _)| passed.contains(&word))
}

fn without_emphasis(word: &str) -> &str {
    let spaced = EMPHASES.iter().filter_map(|it| word.strip_prefix(it)?.strip_prefix(' '));
    let joined = EMPHASES_JOINED.iter().filter_map(|it| word.strip_prefix(it));
    spaced.chain(joined).min_by_key(|rest| rest.len()).unwrap_or(word)
}

/// What a negation at the start denies, for every negation that may be meant.
fn denied(word: &str) -> impl Iterator<Item = &str> {
    let bare = |rest| {
        let passive = ["been ", "be "].iter().find_map(|it| str::strip_prefix(rest, *it));
        passive.unwrap_or(rest)
    };
    let spaced = NEGATIONS.iter().filter_map(move |it| word.strip_prefix(it)?.strip_prefix(' '));
    let joined = NEGATIONS_JOINED.iter().filter_map(move |it| word.strip_prefix(it));
    spaced.map(bare).chain(joined)
}

/// The outcome of the marks in a text; `None` for none and for both kinds.
fn of_marks(text: &str) -> Option<Outcome> {
    match (text.contains(PASS_MARKS), text.contains(FAIL_MARKS)) {
        (true, false) => Some(Outcome::Passed),
        (false, true) => Some(Outcome::Failed),
        _ => None,
    }
}

/// Where the verdict at the start of a text may end.
const JOINTS: &[&str] = &[
    ":",
    " - ",
    " – ",
    " — ",
    "—",
    " (",
    ", ",
    "; ",
    ". ",
    "\n",
    " because ",
    " due to ",
    WITH,
    "：",
    "，",
    "；",
    "。",
    "（",
];

/// A pass with something is not quite a pass.
const WITH: &str = " with ";

/// Words that take something back from the pass before them.
const DOUBTS: &[&str] = &[
    "partial",
    "except",
    "but ",
    "however",
    "caveat",
    "reservation",
    "mostly",
    "almost",
    "not fully",
    "not all",
    "not entirely",
    "not completely",
    "部分",
    "部份",
    "但",
    "然而",
    "除了",
    "大致",
    "幾乎",
    "几乎",
];

/// Words too short to be a verdict before a joint: `T: 300 K`.
const LETTERS: &[&str] = &["p", "t", "f"];

/// Splits `PASS: the table has 3 rows` into its verdict and the rest. A rest that takes a pass back
/// makes it no verdict; a failure stays one, whatever else is said.
pub(in crate::read) fn split(text: &str) -> Option<(Outcome, &str)> {
    let split = split_at_joint(text).or_else(|| split_at_mark(text));
    let (outcome, rest, joint) = split.or_else(|| split_at_bracket(text))?;
    let is_contradicted = match outcome {
        Outcome::Passed => joint == WITH || takes_back(rest),
        _ => of_word(rest) == Some(Outcome::Passed),
    };
    (!is_contradicted).then_some((outcome, rest))
}

/// Whether a text begins with a verdict beyond doubt: a mark, or a form of `pass` or `fail` behind
/// which something else follows.
pub(in crate::read) fn is_told(text: &str) -> bool {
    const TOLD: &[&str] =
        &["pass", "passed", "fail", "failed", "not passed", "通過", "通过", "未通過", "未通过"];
    let is_word = |(_, _, joint): &(Outcome, &str, &str)| {
        let head = &text[..text.find(joint).unwrap_or_default()];
        let head = folded(head);
        TOLD.contains(&head.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    split_at_mark(text).is_some() || split_at_joint(text).is_some_and(|found| is_word(&found))
}

fn split_at_joint(text: &str) -> Option<(Outcome, &str, &str)> {
    let joints = JOINTS.iter().filter_map(|joint| Some((text.find(joint)?, *joint)));
    let (at, joint) = joints.min_by_key(|(at, _)| *at)?;
    let (head, rest) = (&text[..at], text[at + joint.len()..].trim().trim_end_matches([')', '）']));
    let is_word = !head.trim().is_empty() && !LETTERS.contains(&folded(head).as_str());
    let outcome = of_word(head).filter(|outcome| is_word && *outcome != Outcome::Ungraded)?;
    Some((outcome, rest, joint))
}

/// `N/A(environment)`: a word for a failure or for no verdict, with its reason in brackets to the end.
/// A pass needs a joint, and a reason that is a verdict itself leaves none.
fn split_at_bracket(text: &str) -> Option<(Outcome, &str, &str)> {
    let at = text.find(['(', '（'])?;
    let (head, rest) = (&text[..at], &text[at..]);
    let rest = rest.trim_end().strip_suffix([')', '）'])?.trim_start_matches(['(', '（']).trim();
    let is_word = head.contains(char::is_alphanumeric) && !LETTERS.contains(&folded(head).as_str());
    let outcome = of_word(head).filter(|outcome| is_word && *outcome != Outcome::Passed)?;
    of_word(rest).is_none().then_some((outcome, rest, "("))
}

/// `✅ the table has 3 rows`.
fn split_at_mark(text: &str) -> Option<(Outcome, &str, &str)> {
    let rest = text.trim_start().trim_start_matches(|c: char| is_mark(c) || c == '\u{fe0f}');
    let head = &text[..text.len() - rest.len()];
    let outcome = of_marks(head).filter(|_| rest.starts_with(char::is_whitespace))?;
    Some((outcome, rest.trim(), " "))
}

fn is_mark(c: char) -> bool {
    PASS_MARKS.contains(&c) || FAIL_MARKS.contains(&c)
}

fn takes_back(rest: &str) -> bool {
    let lower = rest.to_lowercase();
    DOUBTS.iter().any(|doubt| lower.contains(doubt))
        || rest.contains(|c| c != '×' && FAIL_MARKS.contains(&c))
        || rest.contains(DOUBT_MARKS)
        || of_word(rest) == Some(Outcome::Failed)
}

#[cfg(test)]
mod tests {
    use super::{NEGATIONS, NEGATIONS_JOINED, PAIRS, of_word};
    use crate::model::Outcome;

    #[test]
    fn every_word_for_a_pass_has_one_for_a_failure_and_is_one_when_denied() {
        for (passed, failed) in PAIRS {
            assert!(!failed.is_empty(), "{passed:?}");
            failed.iter().for_each(|it| assert_eq!(of_word(it), Some(Outcome::Failed), "{it}"));
            for word in *passed {
                assert_eq!(of_word(word), Some(Outcome::Passed), "{word}");
                let space = if word.is_ascii() { " " } else { "" };
                let all = if word.is_ascii() { NEGATIONS } else { NEGATIONS_JOINED };
                for not in all {
                    let denied = format!("{not}{space}{word}");
                    assert_eq!(of_word(&denied), Some(Outcome::Failed), "{denied}");
                }
            }
        }
    }

    #[test]
    fn a_denied_failure_is_no_pass() {
        for (_, failed) in PAIRS {
            for word in *failed {
                let words = [format!("not {word}"), format!("did not {word}"), format!("不{word}")];
                words.iter().for_each(|it| assert_ne!(of_word(it), Some(Outcome::Passed), "{it}"));
            }
        }
    }
}
