//! Builds parts from blocks of equal and differing paragraphs.

use crate::Counts;
use crate::align::{self, Aligned};
use crate::fold::fold_equal;
use crate::limits::Work;
use crate::sequence::{blocks, fused};
use crate::tokens::{is_space, only_space, tokens};
use crate::words::paragraph::Paragraph;
use crate::words::{RunKind, WordPart, WordRun};

/// The parts and counts of two texts, given the new one and the paragraphs of both.
pub(super) fn parts<'a>(
    text: &'a str,
    old: &[Paragraph<'a>],
    new: &[Paragraph<'a>],
    work: &mut Work<'_>,
) -> (Vec<WordPart<'a>>, Counts) {
    let old_keys: Vec<String> = old.iter().map(Paragraph::key).collect();
    let new_keys: Vec<String> = new.iter().map(Paragraph::key).collect();
    let blocks = blocks(&old_keys, &new_keys, work);
    let (mut parts, mut counts) = (Vec::new(), Counts::default());
    let last = blocks.len().saturating_sub(1);
    for (index, block) in blocks.iter().enumerate() {
        if block.equal {
            let equal = &new[block.new.clone()];
            counts.unchanged += equal.iter().map(|part| count(part.body)).sum::<usize>();
            // A paragraph is as much context as three lines.
            let context = 1;
            parts.extend(fold_equal(
                equal.len(),
                context,
                [index == 0, index == last],
                |at| whole_paragraph(RunKind::Equal, equal[at].all),
                |middle| fold(text, &new[block.new.start + middle.start..], middle.len()),
            ));
            continue;
        }
        for item in align::by_words(block, |i| old[i].body, |j| new[j].body, work) {
            parts.push(match item {
                Aligned::Removed(i) => {
                    counts.removed += count(old[i].body);
                    whole_paragraph(RunKind::Removed, old[i].all)
                }
                Aligned::Added(j) => {
                    counts.added += count(new[j].body);
                    whole_paragraph(RunKind::Added, new[j].all)
                }
                Aligned::Pair(i, j) => pair(&old[i], &new[j], &mut counts, work),
            });
        }
    }
    work.shorten(&mut parts, |parts| {
        let paragraphs = parts.iter().map(|part| match part {
            WordPart::Paragraph(_) => 1,
            WordPart::Fold { paragraphs, .. } | WordPart::Omitted { paragraphs } => *paragraphs,
        });
        WordPart::Omitted { paragraphs: paragraphs.sum() }
    });
    (parts, counts)
}

/// The first `paragraphs` of the `rest` of `text`.
fn fold<'a>(text: &'a str, rest: &[Paragraph<'a>], paragraphs: usize) -> WordPart<'a> {
    let end = rest.get(paragraphs).map_or(text.len(), |next| next.start);
    WordPart::Fold { paragraphs, text: &text[rest[0].start..end] }
}

/// Compares two corresponding paragraphs by words.
fn pair<'a>(
    old: &Paragraph<'a>,
    new: &Paragraph<'a>,
    counts: &mut Counts,
    work: &mut Work<'_>,
) -> WordPart<'a> {
    let (a, b) = (tokens(old.body), tokens(new.body));
    let blocks = blocks(&keys(&a), &keys(&b), work);
    // Words that only a space divides read better as one replaced phrase.
    let blocks = fused(blocks, |block| only_space(&a, block));
    let (mut i, mut j, mut runs) = (0, 0, Vec::new());
    for block in &blocks {
        let (removed, added) = (&a[block.old.clone()], &b[block.new.clone()]);
        let (old_end, new_end) = (i + bytes(removed), j + bytes(added));
        if block.equal {
            counts.unchanged += words(added);
            runs.push(WordRun { kind: RunKind::Equal, text: &new.body[j..new_end] });
        } else {
            counts.removed += words(removed);
            counts.added += words(added);
            runs.push(WordRun { kind: RunKind::Removed, text: &old.body[i..old_end] });
            runs.push(WordRun { kind: RunKind::Added, text: &new.body[j..new_end] });
        }
        (i, j) = (old_end, new_end);
    }
    runs.push(WordRun { kind: RunKind::Equal, text: &new.all[new.body.len()..] });
    runs.retain(|run| !run.text.is_empty());
    WordPart::Paragraph(runs)
}

fn whole_paragraph(kind: RunKind, text: &str) -> WordPart<'_> {
    WordPart::Paragraph(vec![WordRun { kind, text }])
}

/// The text that is compared for each token: a line break with surrounding white space becomes one
/// space.
fn keys<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let mut keys = tokens.to_vec();
    for key in &mut keys {
        if is_space(key) && key.contains('\n') {
            *key = " ";
        }
    }
    keys
}

fn bytes(tokens: &[&str]) -> usize {
    tokens.iter().map(|token| token.len()).sum()
}

fn words(tokens: &[&str]) -> usize {
    tokens.iter().filter(|token| !is_space(token)).count()
}

fn count(text: &str) -> usize {
    words(&tokens(text))
}
