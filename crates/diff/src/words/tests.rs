use proptest::prelude::*;

use super::{RunKind, WordDiff, WordPart, words};
use crate::limits::Limits;

fn full<'a>(old: &'a str, new: &'a str) -> WordDiff<'a> {
    words(old, new, &Limits::default()).ok().unwrap()
}

/// `[-old-]{+new+}`, folds as `…2`, parts divided by bars.
fn summary(diff: &WordDiff<'_>) -> String {
    let part = |part: &WordPart<'_>| match part {
        WordPart::Fold { paragraphs, .. } => format!("…{paragraphs}"),
        WordPart::Omitted { paragraphs } => format!("omitted {paragraphs}"),
        WordPart::Paragraph(runs) => runs
            .iter()
            .map(|run| match run.kind {
                RunKind::Equal => run.text.to_owned(),
                RunKind::Removed => format!("[-{}-]", run.text),
                RunKind::Added => format!("{{+{}+}}", run.text),
            })
            .collect(),
    };
    diff.parts.iter().map(part).collect::<Vec<_>>().join("|")
}

#[test]
fn small_cases() {
    let table = [
        ("", "", ""),
        ("", "a", "{+a+}"),
        ("the old cat sat", "the new cat sat", "the [-old-]{+new+} cat sat"),
        (
            "see one two at the very end",
            "see uno dos at the very end",
            "see [-one two-]{+uno dos+} at the very end",
        ),
        ("本週完成會議記錄。", "本週完成訪談記錄。", "本週完成[-會議-]{+訪談+}記錄。"),
        ("a b\nc d", "a\nb c d", "a\nb c d"),
        ("1\n\n2\n\n3\n\nx y z\n", "1\n\n2\n\n3\n\nx y w\n", "…2|3\n\n|x y [-z-]{+w+}\n"),
        ("- a b\n- c d\n", "- a b\n- e f\n- c d\n", "- a b\n|{+- e f\n+}|- c d\n"),
    ];
    for (old, new, expected) in table {
        assert_eq!(summary(&full(old, new)), expected, "{old:?} {new:?}");
    }
}

#[test]
fn spacing_alone_is_reported() {
    let diff = full("a b\nc\r\n", "a\nb c\n\n");
    assert!(diff.only_spacing);
    assert!(!full("a", "a").only_spacing);
    assert!(!full("a", "b").only_spacing);
}

#[test]
fn limits_hold() {
    let limits = Limits { bytes: 3, ..Limits::default() };
    assert!(words("a b c", "a", &limits).is_err());
    let limits = Limits { rows: 3, ..Limits::default() };
    let diff = words("", "- a\n- b\n- c\n- d\n", &limits).ok().unwrap();
    assert_eq!(summary(&diff), "{+- a\n+}|omitted 2|{+- d\n+}");
    assert_eq!(diff.counts.added, 8);
}

/// The texts of the given kinds of runs, folds included.
fn kept(diff: &WordDiff<'_>, kind: RunKind) -> String {
    let text = |part: &WordPart<'_>| match part {
        WordPart::Fold { text, .. } => (*text).to_owned(),
        WordPart::Omitted { .. } => unreachable!("too few parts"),
        WordPart::Paragraph(runs) => {
            let runs = runs.iter().filter(|run| run.kind == RunKind::Equal || run.kind == kind);
            runs.map(|run| run.text).collect()
        }
    };
    diff.parts.iter().map(text).collect()
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The texts of the runs of one kind, without white space.
fn only(diff: &WordDiff<'_>, kind: RunKind) -> Vec<String> {
    let mut texts = Vec::new();
    for part in &diff.parts {
        if let WordPart::Paragraph(runs) = part {
            texts.extend(runs.iter().filter(|run| run.kind == kind).map(|run| run.text.to_owned()));
        }
    }
    texts
}

fn prose() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("the cat"),
        Just(" sat"),
        Just(" on a mat."),
        Just("\n"),
        Just("\r\n"),
        Just("\n\n"),
        Just("\n- "),
        Just("會議記錄"),
        Just("\t "),
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn both_texts_are_in_the_parts(old in prose(), new in prose()) {
        let diff = full(&old, &new);
        prop_assert_eq!(kept(&diff, RunKind::Added), &new[..]);
        prop_assert_eq!(without_space(&kept(&diff, RunKind::Removed)), without_space(&old));
    }

    #[test]
    fn exchanged_sides_mirror(old in prose(), new in prose()) {
        let (forth, back) = (full(&old, &new), full(&new, &old));
        prop_assert_eq!(only(&forth, RunKind::Removed), only(&back, RunKind::Added));
        prop_assert_eq!(only(&forth, RunKind::Added), only(&back, RunKind::Removed));
        prop_assert_eq!(forth.counts.unchanged, back.counts.unchanged);
    }

    #[test]
    fn any_text(old in "(.|\\s){0,40}", new in "(.|\\s){0,40}") {
        prop_assert_eq!(kept(&full(&old, &new), RunKind::Added), new);
    }
}
