//! The words and marks of a verdict, and the outcome that a text of them says.
//!
//! A text is compared in lower case, with single spaces between words and without surrounding
//! marks; a reason may follow a colon or a dash. A doubt in it takes back a pass, never a failure. Any
//! other text is not a verdict: nothing is guessed.

use crate::model::Outcome;
use text::is_listed;

const PASSED: &[&[&str]] = &[
    &["pass", "passed", "passes", "passing", "p", "true", "t", "yes", "y", "met", "ok"],
    &["okay", "success", "succeeded", "successful", "satisfied", "correct", "fulfilled"],
    &["achieved", "compliant", "通過", "通过", "已通過", "已通过", "成功", "合格"],
    &["符合", "達標", "达标", "達成", "达成", "滿足", "满足", "正確", "正确", "是"],
];

const FAILED: &[&[&str]] = &[
    &["fail", "failed", "fails", "failing", "failure", "f", "false", "no", "n", "unmet"],
    &["not met", "not ok", "not passed", "not satisfied", "not correct", "not fulfilled"],
    &["not achieved", "not compliant", "did not pass", "does not pass", "unsuccessful"],
    &["unsatisfied", "violated", "incorrect", "wrong", "unfulfilled", "noncompliant"],
    &["未通過", "未通过", "不通過", "不通过", "失敗", "失败", "不合格", "不符合", "不符"],
    &["未達標", "未达标", "未達成", "未达成", "不正確", "不正确", "錯誤", "错误", "否"],
];

/// Words for a missing verdict; a text without words also counts.
const UNGRADED: &[&[&str]] = &[
    &["?", "n/a", "na", "none", "null", "skip", "skipped", "ungraded", "pending", "tbd"],
    &["todo", "unknown", "unclear", "inconclusive", "untested", "unverified", "unverifiable"],
    &["error", "errored", "not judged", "grader error", "judge error"],
    &["not graded", "not evaluated", "not tested", "not run", "not applicable", "不適用"],
    &["不适用", "未評分", "未评分", "未測試", "未测试", "略過", "跳過", "跳过"],
    &["無法判定", "无法判定", "無法判斷", "无法判断"],
];

/// Marks for a pass, alone or with a word.
pub const PASS_MARKS: &[char] = &['✓', '✔', '✅', '☑', '√', '🟢', '👍'];

/// Marks for a failure, alone or with a word.
pub const FAIL_MARKS: &[char] = &['✗', '✘', '✕', '✖', '×', '❌', '☐', '🔴', '⛔', '👎'];

/// Marks around a word that change nothing.
pub const AROUND: &[char] = &['*', '_', '`', '"', '\'', '.', '[', ']', '(', ')', '\u{fe0f}', ' '];

/// The outcome for a word or mark; `None` if it is neither.
pub fn parse_word(word: &str) -> Option<Outcome> {
    let lower = word.to_lowercase();
    let parts = lower.split(|c: char| c.is_whitespace() || matches!(c, '_' | '-' | '–' | '—'));
    let folded = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let bare = folded.trim_matches(|c: char| AROUND.contains(&c) || is_mark(c));
    let tables =
        [(PASSED, Outcome::Passed), (FAILED, Outcome::Failed), (UNGRADED, Outcome::Ungraded)];
    let named = tables.iter().find(|(words, _)| words.iter().any(|line| line.contains(&bare)));
    let mut outcomes: Vec<Outcome> = named.map(|(_, outcome)| *outcome).into_iter().collect();
    if outcomes.is_empty() && !bare.is_empty() {
        return None;
    }
    if folded.contains(PASS_MARKS) {
        outcomes.push(Outcome::Passed);
    }
    if folded.contains(FAIL_MARKS) {
        outcomes.push(Outcome::Failed);
    }
    let Some(first) = outcomes.first() else { return Some(Outcome::Ungraded) };
    // A word and a mark that disagree leave open what was meant.
    if outcomes.iter().all(|outcome| outcome == first) { Some(*first) } else { None }
}

/// Whether a character is a mark for a pass or a failure.
pub fn is_mark(c: char) -> bool {
    PASS_MARKS.contains(&c) || FAIL_MARKS.contains(&c)
}

/// Whether a text says that there is no verdict, such as `skipped` or `error`.
pub fn says_not_judged(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric) && parse_word(text) == Some(Outcome::Ungraded)
}

/// What separates a verdict from what is said about it.
pub const BEFORE_REASON: [&str; 5] = [":", "：", " - ", " – ", " — "];

/// The outcome of a word, or of a form of `pass` or `fail` followed by a reason, as in `FAIL: no
/// total`. `None` if marks or words of the reason disagree.
pub fn parse_text(text: &str) -> Option<Outcome> {
    if let Some(outcome) = parse_word(text) {
        return Some(outcome);
    }
    let end = BEFORE_REASON.iter().filter_map(|sign| text.find(sign)).min()?;
    let (verdict, reason) = text.split_at(end);
    let is_clear = begins_with_verdict(verdict)
        && !reason.contains(PASS_MARKS)
        && !reason.contains(FAIL_MARKS);
    if !is_clear {
        return None;
    }
    match parse_word(verdict)? {
        Outcome::Passed => pass_with_reason(reason),
        // `failed: false` may say either.
        Outcome::Failed if denies(reason) => None,
        outcome => Some(outcome),
    }
}

/// What is left of a pass with this reason: `passed: false` is a failure, `passed: partially` nothing.
fn pass_with_reason(reason: &str) -> Option<Outcome> {
    let mut parts: Vec<&str> = vec![reason];
    for sign in BEFORE_REASON {
        parts = parts.iter().flat_map(|part| part.split(sign)).collect();
    }
    let mut parts = parts.into_iter().map(first_clause).filter(|part| !part.is_empty());
    let Some(first) = parts.next() else { return Some(Outcome::Passed) };
    let outcome = bare_verdict(first).unwrap_or(Outcome::Passed);
    let is_contradicted = parts.any(|part| bare_verdict(part).is_some_and(|own| own != outcome));
    if is_contradicted || outcome == Outcome::Passed && is_doubt(reason) {
        return None;
    }
    Some(outcome)
}

/// Whether a reason is nothing but a word for no.
fn denies(reason: &str) -> bool {
    let clause = first_clause(reason.trim_start_matches([':', '：', '-', '–', '—', ' ']));
    is_listed("false no none null 0", &clause.to_lowercase())
}

/// A text up to its first comma, semicolon or full stop.
fn first_clause(text: &str) -> &str {
    let end = text.find([',', ';', '，', '；', '。']).or_else(|| text.find(". "));
    text[..end.unwrap_or(text.len())].trim_matches(AROUND)
}

/// The verdict that a text is and says no more; 0 and 1 are verdicts too.
fn bare_verdict(text: &str) -> Option<Outcome> {
    match text {
        "0" => Some(Outcome::Failed),
        "1" => Some(Outcome::Passed),
        _ if text.chars().any(char::is_alphanumeric) => parse_word(text),
        _ => None,
    }
}

/// Whether the reason of a pass takes it back: `but the total is wrong`, `2 of 5`, `60 %`.
fn is_doubt(reason: &str) -> bool {
    const FIRST: &str = "not never only except but however although hardly half fail fails failed failing \
        failure false unmet insufficient";
    const ANYWHERE: &str =
        "partial partially partly almost nearly mostly barely incomplete caveat caveats";
    const CHINESE: &[&str] = &["部分", "未", "僅", "仅", "但", "幾乎", "几乎"];
    let reason = reason.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let mut words = reason.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.clone().next().unwrap_or_default();
    is_listed(FIRST, first)
        || words.any(|word| is_listed(ANYWHERE, word))
        || CHINESE.iter().any(|word| reason.starts_with(word))
        || is_part_of_whole(&reason)
}

/// Whether a text begins with an amount below its whole: `1/3`, `2 of 5`, `2 out of 5`, `60 %`, `0.5`.
fn is_part_of_whole(text: &str) -> bool {
    let Some((part, rest)) = leading_number(text) else { return false };
    let rest = rest.trim_start();
    if rest.starts_with('%') {
        return part < 100.0;
    }
    let whole = ["/", "of", "out of"].iter().find_map(|sign| rest.strip_prefix(sign));
    match whole.and_then(|whole| leading_number(whole.trim_start())) {
        Some((whole, _)) => part < whole,
        None => rest.is_empty() && part < 1.0,
    }
}

fn leading_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    Some((number.trim_end_matches('.').parse().ok()?, rest))
}

/// Whether a text begins with a mark or a form of `pass` or `fail`.
pub fn begins_with_verdict(text: &str) -> bool {
    const FORMS: &[&str] =
        &["pass", "passed", "fail", "failed", "通過", "通过", "未通過", "未通过"];
    let text = text.trim_start_matches(AROUND);
    let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    text.starts_with(PASS_MARKS)
        || text.starts_with(FAIL_MARKS)
        || FORMS.contains(&first.to_lowercase().as_str())
}

/// The words and marks as one regular expression, for the schema of gradings. It avoids features
/// that engines disagree on, so it accepts a little more than the reader, and never less.
pub fn verdict_pattern() -> String {
    const AROUND: &str = "[^0-9A-Za-z\u{c0}-\u{24f}\u{3400}-\u{9fff}]*";
    const REASON: &str = r"(?:(?:[:：]|\s[\-–—]\s)[\s\S]*)?";
    let words = PASSED.iter().chain(FAILED).chain(UNGRADED).copied().flatten();
    let words: Vec<String> =
        words.filter(|word| **word != "?").map(|word| in_any_case(word)).collect();
    let marks: Vec<String> = PASS_MARKS.iter().chain(FAIL_MARKS).map(char::to_string).collect();
    let (words, marks) = (words.join("|"), marks.join("|"));
    let nothing = r"^\s*[\-–—?]*\s*$";
    format!("^{AROUND}(?:{words}){AROUND}{REASON}$|^{AROUND}(?:{marks}){AROUND}{REASON}$|{nothing}")
}

/// A word as a pattern: either case of each letter, and any sign between words.
fn in_any_case(word: &str) -> String {
    let mut pattern = String::new();
    for c in word.chars() {
        match c {
            ' ' => pattern.push_str(r"[ _\-]+"),
            c if c.is_ascii_alphabetic() => {
                pattern.extend(['[', c.to_ascii_uppercase(), c, ']']);
            }
            c => pattern.push(c),
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::{FAILED, PASSED, UNGRADED, parse_text, parse_word};
    use crate::model::Outcome;

    #[test]
    fn a_reason_may_follow_a_verdict() {
        for text in
            ["FAIL: no total", "❌ Failed - no total", "failed – see line 3", "未通過：缺少表頭"]
        {
            assert_eq!(parse_text(text), Some(Outcome::Failed), "{text}");
        }
        for text in [
            "PASS with caveats",
            "PASS (minor issues)",
            "almost: PASS",
            ": PASS",
            "PASS: ❌ no header",
            "T: 300 K",
        ] {
            assert_ne!(parse_text(text), Some(Outcome::Passed), "{text}");
        }
        for text in
            ["PASS — all there", "PASS: no broken links", "passed: 3/3", "PASS: yes, line 4"]
        {
            assert_eq!(parse_text(text), Some(Outcome::Passed), "{text}");
        }
    }

    #[test]
    fn the_words_after_a_verdict_decide() {
        for (text, expected) in [
            ("passed: false", Some(Outcome::Failed)),
            ("Pass - no, the total is missing", Some(Outcome::Failed)),
            ("PASS: failed", Some(Outcome::Failed)),
            ("ok: 0", None),
            ("pass: 0", Some(Outcome::Failed)),
            ("passed: null", Some(Outcome::Ungraded)),
            ("pass: not applicable", Some(Outcome::Ungraded)),
            ("passed: true: false", None),
            ("passed: result: no", None),
            ("pass: 0/3", None),
            ("PASS: 2 of 5", None),
            ("PASS: 4 out of 9 rows", None),
            ("passed: 80 %", None),
            ("passed: partially", None),
            ("PASS - but the total is wrong", None),
            ("PASS: there, with one caveat", None),
            ("通過：部分", None),
            ("failed: false", None),
            ("FAIL: none", None),
            ("FAIL: no total", Some(Outcome::Failed)),
            ("FAIL: partially there", Some(Outcome::Failed)),
            ("failed: true", Some(Outcome::Failed)),
        ] {
            assert_eq!(parse_text(text), expected, "{text}");
        }
    }

    #[test]
    fn every_word_has_one_outcome_and_a_denied_pass_has_none() {
        for (words, outcome) in
            [(PASSED, Outcome::Passed), (FAILED, Outcome::Failed), (UNGRADED, Outcome::Ungraded)]
        {
            for word in words.iter().copied().flatten() {
                assert_eq!(parse_word(word), Some(outcome), "{word}");
                assert_eq!(parse_word(&format!(" **{}**.", word.to_uppercase())), Some(outcome));
            }
        }
        for word in PASSED.iter().chain(FAILED).copied().flatten() {
            for text in [format!("not {word}"), format!("did not {word}"), format!("不{word}")] {
                assert_ne!(parse_word(&text), Some(Outcome::Passed), "{text}");
            }
        }
    }
}
