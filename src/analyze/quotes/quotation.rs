//! What a grader quotes in its evidence.

use std::ops::Range;

use crate::analyze::quotes::lookup::QuotedWords;
use text::is_listed;

/// Opening and closing quotation marks.
const MARKS: [&str; 9] = ["\"\"", "''", "``", "“”", "‘’", "«»", "„“", "「」", "『』"];

/// A quotation of more bytes has misplaced marks.
const LONGEST: usize = 4_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quotation<'e> {
    pub(super) text: &'e str,
    pub(super) pieces: QuotedWords,
    /// Whether its sentence denies something, so that the quoted words may rightly be missing.
    pub(super) is_denied: bool,
}

/// A parsed piece of evidence.
#[derive(Debug)]
pub(super) struct QuotedEvidence<'e> {
    pub(super) quotations: Vec<Quotation<'e>>,
    /// The names of the files that it mentions, without folders.
    pub(super) files: Vec<String>,
    /// Whether it is about what the agent did rather than what it made.
    pub(super) is_of_transcript: bool,
}

/// Splits `evidence` into the quotations that are long enough to be judged, and the names of files
/// in the rest; `None` if it has no such quotation.
pub(super) fn take_apart(evidence: &str) -> Option<QuotedEvidence<'_>> {
    let mut judged: Vec<(Range<usize>, QuotedWords)> = Vec::new();
    for range in ranges(evidence) {
        judged.extend(QuotedWords::new(&evidence[range.clone()]).map(|pieces| (range, pieces)));
    }
    if judged.is_empty() {
        return None;
    }
    let rest = blanked(evidence, judged.iter().map(|(range, _)| range));
    let mut sentences = sentences(&rest).into_iter();
    let (mut end, mut is_denied) = (0, false);
    let mut quotations = Vec::new();
    for (range, pieces) in judged {
        // A sentence may have a thousand quotations, so it is read once.
        while range.start >= end
            && let Some(sentence) = sentences.next()
        {
            end = sentence.end;
            is_denied = end > range.start && denies(&rest[sentence]);
        }
        quotations.push(Quotation { text: &evidence[range], pieces, is_denied });
    }
    Some(QuotedEvidence {
        quotations,
        files: file_names(&rest),
        is_of_transcript: words(&rest).any(|word| is_listed(TRANSCRIPT_WORDS, &word)),
    })
}

/// Words for things that only a transcript shows.
const TRANSCRIPT_WORDS: &str = "transcript transcripts conversation session log logs trace command commands ran \
    runs executed tool tools turn msg message messages";

/// Words which mean that something is absent, or should be.
const DENIALS: &str = "no not never neither nor none nothing nowhere without lacks lack lacking \
    missing absent absence omits omitted omit instead rather cannot fails failed removed replaced \
    avoids avoided zero should would could must expected requires required unlike except t sin nunca";

const UNSPACED_DENIALS: [&str; 5] = ["没有", "沒有", "未", "不", "無"];

fn denies(sentence: &str) -> bool {
    words(sentence).any(|word| is_listed(DENIALS, &word))
        || UNSPACED_DENIALS.iter().any(|denial| sentence.contains(denial))
}

/// The words of a text in lower case; the `t` of `don't` is one of them.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

/// The ranges of the quotations in `evidence`, in order and without their marks.
fn ranges(evidence: &str) -> Vec<Range<usize>> {
    let mut quoted_ranges = Vec::new();
    let mut at = 0;
    // Whether nothing but spaces and `>` came before in this line.
    let mut is_at_start = true;
    while let Some(opening) = evidence[at..].chars().next() {
        // No mark, and most of a text.
        if opening.is_ascii_alphanumeric() {
            (is_at_start, at) = (false, at + 1);
            continue;
        }
        let close = MARKS.iter().find_map(|pair| pair.strip_prefix(opening)?.chars().next());
        let quoted = match (opening, close) {
            ('`', _) if evidence[at..].starts_with("```") => Some(fenced(evidence, at)),
            ('>', _) if is_at_start => Some(quoted_line(evidence, at)),
            (_, Some(close)) => closed(evidence, at, opening, close),
            _ => None,
        };
        is_at_start = opening == '\n' || is_at_start && matches!(opening, ' ' | '>');
        at += opening.len_utf8();
        if let Some((range, after)) = quoted {
            quoted_ranges.push(range);
            at = after;
            is_at_start = false;
        }
    }
    quoted_ranges
}

/// A block of code, whose first line may name its language, and where the text resumes.
fn fenced(evidence: &str, at: usize) -> (Range<usize>, usize) {
    let start = evidence[at..].find('\n').map_or(evidence.len(), |end| at + end);
    let end = evidence[start..].find("```").map_or(evidence.len(), |end| start + end);
    (start..end, (end + 3).min(evidence.len()))
}

/// The rest of a line that begins with the `>` at `at`, and where the text resumes.
fn quoted_line(evidence: &str, at: usize) -> (Range<usize>, usize) {
    let end = evidence[at..].find('\n').map_or(evidence.len(), |end| at + end);
    (at + 1..end, end)
}

/// The text between the mark at `at` and its closing mark.
fn closed(
    evidence: &str,
    at: usize,
    opening: char,
    closing: char,
) -> Option<(Range<usize>, usize)> {
    let start = at + opening.len_utf8();
    let before = evidence[..at].chars().next_back();
    let is_escaped = before == Some('\\');
    let first = evidence[start..].chars().next()?;
    // An apostrophe opens nothing, and neither does the mark after an inch.
    let follows_word = before.is_some_and(|c| c.is_alphanumeric() && c < '\u{2e80}');
    if opening == closing && (follows_word || first.is_whitespace()) {
        return None;
    }
    let rest = &evidence[start..];
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let rest = &rest[..rest.find("\n\n").unwrap_or(rest.len())];
    let is_in_words = matches!(closing, '\'' | '’' | '"');
    for (offset, _) in rest.match_indices(closing).filter(|(offset, _)| *offset > 0) {
        let last = rest[..offset].chars().next_back()?;
        // A mark that would open a quotation shows that the first one did not.
        if opening == closing && (last.is_whitespace() || "(:/[{=,".contains(last)) {
            return None;
        }
        let after = rest[offset + closing.len_utf8()..].chars().next();
        let goes_on = is_in_words && after.is_some_and(char::is_alphanumeric);
        if (last == '\\') == is_escaped && !goes_on {
            let end = start + offset;
            return Some((start..end - usize::from(is_escaped), end + closing.len_utf8()));
        }
    }
    None
}

/// `evidence` with its quotations replaced by spaces, so that all positions stay the same.
fn blanked<'r>(evidence: &str, ranges: impl Iterator<Item = &'r Range<usize>>) -> String {
    let mut blanked = String::with_capacity(evidence.len());
    let mut at = 0;
    for range in ranges {
        blanked.push_str(&evidence[at..range.start]);
        blanked.extend(std::iter::repeat_n(' ', range.len()));
        at = range.end;
    }
    blanked + &evidence[at..]
}

/// The ranges of the sentences of a text whose quotations are blanked, in order and without gaps.
fn sentences(blanked: &str) -> Vec<Range<usize>> {
    const ENDS: [&str; 7] = [". ", "! ", "? ", "; ", "\n", "。", "；"];
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, _) in blanked.match_indices(['.', '!', '?', ';', '\n', '。', '；']) {
        if ENDS.iter().any(|end| blanked[at..].starts_with(end)) {
            sentences.push(start..at);
            start = at;
        }
    }
    sentences.push(start..blanked.len());
    sentences
}

/// Endings of the names of files.
const ENDINGS: &str = "md markdown txt log json jsonl yaml yml toml csv tsv xml html htm svg css js \
    jsx ts tsx mjs py ipynb rs go java kt rb php cs c h cpp hpp sh bash ps1 sql diff patch docx xlsx \
    pptx pdf png jpg jpeg gif webp vue svelte swift lua r tex cfg ini env";

/// The names of files in a text, in lower case and without their folders.
fn file_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for path in text.split(|c: char| !c.is_alphanumeric() && !"._-/".contains(c)) {
        let name = path.trim_matches(['.', '/', '-']).rsplit('/').next().unwrap_or_default();
        if let Some((stem, ending)) = name.rsplit_once('.')
            && !stem.is_empty()
            && is_listed(ENDINGS, &ending.to_ascii_lowercase())
        {
            names.push(name.to_lowercase());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{ranges, take_apart};

    #[test]
    fn quotations_are_found_between_their_marks() {
        let table: [(&str, &[&str]); 23] = [
            (r#"It states "the total is 12" and stops."#, &["the total is 12"]),
            ("It states “the total is 12”.", &["the total is 12"]),
            ("It states 'the total isn't 12'.", &["the total isn't 12"]),
            ("It runs `git log -1` first.", &["git log -1"]),
            ("a 'b c', 'd e'", &["b c", "d e"]),
            ("The users' data and the users' names", &[]),
            ("It doesn't say what it's for, don't ask", &[]),
            (r#"a 5" pipe and a 6" pipe"#, &[]),
            (r#"'calls orderBy("id", "asc") first'"#, &[r#"calls orderBy("id", "asc") first"#]),
            (r#""-H \"Authorization: Bearer x\" y""#, &[r#"-H \"Authorization: Bearer x\" y"#]),
            (r#"states \"the total is 12\" here"#, &["the total is 12"]),
            ("has 'interface ' and 'b c'", &["b c"]),
            (r#"{"check":"tsc --noEmit"}"#, &["tsc --noEmit"]),
            ("> the quoted line\nand not this", &[" the quoted line"]),
            ("Note:\n> the quoted line\n> another line\n", &[" the quoted line", " another line"]),
            ("a -> b c and x > y z", &[]),
            ("```rust\nlet a = 1;\n```", &["\nlet a = 1;\n"]),
            ("「合計 為 12」", &["合計 為 12"]),
            ("\"open and never\n\nclosed\" here", &[]),
            ("'", &[]),
            ("``", &[]),
            ("```", &[]),
            ("", &[]),
        ];
        for (evidence, expected) in table {
            let actual = ranges(evidence).into_iter().map(|range| &evidence[range]);
            let actual: Vec<&str> = actual.filter(|text| text.contains(' ')).collect();
            assert_eq!(actual, expected, "{evidence}");
        }
    }

    #[test]
    fn a_denial_may_quote_missing_words() {
        let table = [
            ("No 'cat totals | grep' appears.", true),
            ("It never states 'the total is here'.", true),
            ("'the total is here' doesn't appear anywhere.", true),
            ("Neither 'the total is here' nor more.", true),
            ("It isn't long. It states 'the total is here'.", false),
            ("It states 'this is not the total'.", false),
            ("States 'the total is here', and that is right. Nothing else.", false),
            ("報告沒有寫「the total is here」", true),
        ];
        for (evidence, expected) in table {
            let actual = take_apart(evidence).unwrap().quotations;
            assert_eq!(actual.len(), 1, "{evidence}");
            assert_eq!(actual[0].is_denied, expected, "{evidence}");
        }
    }

    #[test]
    fn many_quotations_cost_little() {
        let number = 20_000;
        let quoted = "the total is here".to_owned();
        let one_sentence = format!("It says {}", vec![format!("'{quoted}'"); number].join(" and "));
        let of_many = format!("No {}", vec![format!("'{quoted}'"); number].join(". It says "));
        for (evidence, denied) in [(one_sentence, 0), (of_many, 1)] {
            let quotations = take_apart(&evidence).unwrap().quotations;
            assert_eq!(quotations.len(), number);
            assert_eq!(quotations.iter().filter(|quotation| quotation.is_denied).count(), denied);
        }
        // Each of these once read the whole line before it.
        assert!(take_apart(&"> ".repeat(200_000)).is_none());
        assert!(take_apart(&"a > ".repeat(100_000)).is_none());
    }

    #[test]
    fn the_subject_of_evidence_is_detected() {
        let actual =
            take_apart("`out/Report.md` states 'as in app.py here', e.g. 3.5 of them.").unwrap();
        assert_eq!(
            (actual.files.as_slice(), actual.is_of_transcript),
            (&["report.md".to_owned()][..], false)
        );
        let transcript = take_apart("The transcript shows 'the total is here'").unwrap();
        assert!(transcript.is_of_transcript);
        let report = take_apart("The report shows 'the transcript here'").unwrap();
        assert!(!report.is_of_transcript);
        assert!(take_apart("The transcript shows 'a b'").is_none());
    }
}
