use proptest::prelude::*;

use super::{Counts, DiffNote, LineDiff, LineEnding, Row, Span, lines};
use crate::limits::{LimitKind, Limits};

fn full<'a>(old: &'a str, new: &'a str) -> LineDiff<'a> {
    lines(old, new, &Limits::default()).ok().unwrap()
}

fn marked(spans: &[Span<'_>]) -> String {
    let mut text = String::new();
    for span in spans {
        let [open, close] = if span.changed { ["[", "]"] } else { ["", ""] };
        text += &format!("{open}{}{close}", span.text);
    }
    text
}

/// One line per row: ` 1 a`, `-2 b`, `+2 c`, `~2 3 a[b] a[c]`, `…5 6`.
fn summary(diff: &LineDiff<'_>) -> Vec<String> {
    let draw = |row: &Row<'_>| match row {
        Row::Equal { new, text } => format!(" {new} {text}"),
        Row::Removed { old, text } => format!("-{old} {text}"),
        Row::Added { new, text } => format!("+{new} {text}"),
        Row::Changed(line) => {
            let (removed, added) = (marked(&line.removed), marked(&line.added));
            format!("~{} {} {removed} {added}", line.old, line.new)
        }
        Row::Fold { new, lines } => format!("…{new} {lines}"),
        Row::Omitted(counts) => format!("omitted {counts:?}"),
    };
    diff.rows.iter().map(draw).collect()
}

#[test]
fn small_cases() {
    let table: &[(&str, &str, &[&str])] = &[
        ("", "", &[]),
        ("a\n", "a\n", &[" 1 a"]),
        ("", "a\n", &["+1 a"]),
        ("a\nb\n", "a\n", &[" 1 a", "-2 b"]),
        ("the old cat\n", "the new cat\n", &["~1 1 the [old] cat the [new] cat"]),
        ("one a b two\n", "one c d two\n", &["~1 1 one [a b] two one [c d] two"]),
        ("完成會議記錄\n", "完成會談記錄\n", &["~1 1 完成會[議]記錄 完成會[談]記錄"]),
        ("a b\n", "a b  \n", &["~1 1 a b a b[  ]"]),
        ("alpha\n", "omega\n", &["-1 alpha", "+1 omega"]),
        (
            "x\nlong line one\n",
            "long line two\n",
            &["-1 x", "~2 1 long line [one] long line [two]"],
        ),
    ];
    for (old, new, expected) in table {
        assert_eq!(summary(&full(old, new)), *expected, "{old:?} {new:?}");
    }
}

#[test]
fn unchanged_lines_fold() {
    let old: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let new = old.replace("line 10\n", "line ten\nmore\n");
    let diff = full(&old, &new);
    let expected = [
        "…1 6",
        " 7 line 7",
        " 8 line 8",
        " 9 line 9",
        "~10 10 line [10] line [ten]",
        "+11 more",
        " 12 line 11",
        " 13 line 12",
        " 14 line 13",
        "…15 7",
    ];
    assert_eq!(summary(&diff), expected);
    assert_eq!(diff.counts, Counts { added: 2, removed: 1, unchanged: 19 });
    assert_eq!(summary(&full(&old, &old)), ["…1 20"]);
}

#[test]
fn endings_are_notes() {
    let crlf = DiffNote::LineEndings { old: LineEnding::Lf, new: LineEnding::CrLf };
    let last = DiffNote::FinalNewline { new: true };
    let mixed = DiffNote::LineEndings { old: LineEnding::Mixed, new: LineEnding::Mixed };
    let table: &[(&str, &str, &[DiffNote])] = &[
        ("a\nb\n", "a\r\nb\r\n", &[crlf]),
        ("a", "a\n", &[last]),
        ("a\r\nb\n", "a\nb\r\n", &[mixed]),
        ("a\n", "a\n", &[]),
        ("", "a\n", &[]),
    ];
    for (old, new, notes) in table {
        let diff = full(old, new);
        assert_eq!(diff.notes, *notes, "{old:?} {new:?}");
        assert_eq!(diff.counts.removed, 0);
    }
}

#[test]
fn past_a_limit_nothing_is_compared() {
    let limits = Limits { bytes: 20, ..Limits::default() };
    let long = "x".repeat(5_000);
    let reached = lines(&long, "y", &limits).unwrap_err();
    assert_eq!((reached.limit, reached.found), (LimitKind::Bytes, 5_000));
    assert!(lines(&"\n".repeat(400_001), "", &Limits::default()).is_err());
}

#[test]
fn past_a_limit_the_result_is_coarser() {
    let limits = Limits { rows: 4, work: 0, ..Limits::default() };
    let (old, new) = ("a 1\na 2\na 3\n", "a 4\na 5\na 6\n");
    let diff = lines(old, new, &limits).ok().unwrap();
    assert_eq!(summary(&diff)[..2], ["-1 a 1", "-2 a 2"]);
    assert_eq!(summary(&diff)[3], "+3 a 6");
    let limits: Vec<_> = diff.reached.iter().map(|reached| reached.limit).collect();
    assert_eq!(limits, [LimitKind::Work, LimitKind::Rows]);
    assert_eq!(diff.counts, Counts { added: 3, removed: 3, unchanged: 0 });
}

/// The new lines, reconstructed from the old ones and the rows.
fn applied<'a>(old: &'a str, diff: &LineDiff<'a>) -> Vec<String> {
    let (mut old, mut new) = (old.lines(), Vec::new());
    for row in &diff.rows {
        match row {
            Row::Equal { text, .. } => {
                old.next();
                new.push((*text).to_owned());
            }
            Row::Added { text, .. } => new.push((*text).to_owned()),
            Row::Removed { .. } => drop(old.next()),
            Row::Changed(line) => {
                old.next();
                new.push(line.added.iter().map(|span| span.text).collect());
            }
            Row::Fold { lines, .. } => new.extend(old.by_ref().take(*lines).map(str::to_owned)),
            Row::Omitted(_) => unreachable!("too few rows"),
        }
    }
    new
}

/// Removed and added rows as seen from the old side, then from the new one.
fn sides(diff: &LineDiff<'_>) -> [Vec<(usize, String)>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for row in &diff.rows {
        match row {
            Row::Removed { old, text } => sides[0].push((*old, (*text).to_owned())),
            Row::Added { new, text } => sides[1].push((*new, (*text).to_owned())),
            Row::Changed(line) => {
                sides[0].push((line.old, marked(&line.removed)));
                sides[1].push((line.new, marked(&line.added)));
            }
            _ => {}
        }
    }
    sides
}

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("a b c\n"),
        Just("a b d\n"),
        Just("a x c\r\n"),
        Just("\n"),
        Just("}\n"),
        Just("會議 記錄\n"),
        Just("會談 記錄 \n"),
        Just("end"),
    ];
    proptest::collection::vec(line, 0..30).prop_map(|lines| lines.concat())
}

proptest! {
    #[test]
    fn applying_gives_the_new_lines(old in text(), new in text()) {
        let diff = full(&old, &new);
        prop_assert_eq!(applied(&old, &diff), new.lines().collect::<Vec<_>>());
        let counts = diff.counts;
        prop_assert_eq!(counts.removed + counts.unchanged, old.lines().count());
        prop_assert_eq!(counts.added + counts.unchanged, new.lines().count());
        let silent = counts.added + counts.removed == 0 && diff.notes.is_empty();
        prop_assert_eq!(silent, old == new);
    }

    #[test]
    fn exchanged_sides_mirror(old in text(), new in text()) {
        let (forth, back) = (sides(&full(&old, &new)), sides(&full(&new, &old)));
        prop_assert_eq!(&forth[0], &back[1]);
        prop_assert_eq!(&forth[1], &back[0]);
    }

    #[test]
    fn any_text(old in "\\PC{0,40}|(.|\\s){0,40}", new in "(.|\\s){0,40}") {
        let diff = full(&old, &new);
        prop_assert_eq!(applied(&old, &diff), new.lines().collect::<Vec<_>>());
    }
}
