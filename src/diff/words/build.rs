//! The parts from the blocks of equal and different paragraphs.

use crate::diff::Counts;
use crate::diff::align::{self, Item};
use crate::diff::limits::{Work, divided};
use crate::diff::sequence::{Block, blocks, fused};
use crate::diff::tokens::{is_space, only_space, tokens};
use crate::diff::words::paragraph::Paragraph;
use crate::diff::words::{Run, RunKind, WordPart};

/// The parts and counts of two texts, given the new one and the paragraphs of both.
pub(super) fn parts<'a>(
    text: &'a str,
    old: &[Paragraph<'a>],
    new: &[Paragraph<'a>],
    work: &mut Work<'_>,
) -> (Vec<WordPart<'a>>, Counts) {
    let keys = |side: &[Paragraph<'a>]| side.iter().map(Paragraph::key).collect::<Vec<_>>();
    let blocks = blocks(&keys(old), &keys(new), work);
    let (parts, counts) = (Vec::new(), Counts::default());
    let mut builder = Builder { text, old, new, parts, counts, work };
    let last = blocks.len().saturating_sub(1);
    for (index, block) in blocks.iter().enumerate() {
        if block.equal {
            builder.equal(block, index == 0, index == last);
        } else {
            builder.different(block);
        }
    }
    builder.finish()
}

struct Builder<'a, 'w, 'l> {
    text: &'a str,
    old: &'w [Paragraph<'a>],
    new: &'w [Paragraph<'a>],
    parts: Vec<WordPart<'a>>,
    counts: Counts,
    work: &'w mut Work<'l>,
}

impl<'a> Builder<'a, '_, '_> {
    fn equal(&mut self, block: &Block, first: bool, last: bool) {
        let new = self.new;
        let stretch = &new[block.new.clone()];
        self.counts.unchanged += stretch.iter().map(|part| count(part.body)).sum::<usize>();
        let [head, folded, tail] =
            divided(stretch.len(), self.work.limits.context.min(1), first, last);
        self.context(&stretch[head]);
        if !folded.is_empty() {
            let start = stretch[folded.start].start;
            let end = stretch.get(folded.end).or(new.get(block.new.end));
            let text = &self.text[start..end.map_or(self.text.len(), |next| next.start)];
            self.parts.push(WordPart::Fold { paragraphs: folded.len(), text });
        }
        self.context(&stretch[tail]);
    }

    fn context(&mut self, paragraphs: &[Paragraph<'a>]) {
        self.parts.extend(paragraphs.iter().map(|part| one(RunKind::Equal, part.all)));
    }

    fn different(&mut self, block: &Block) {
        let (old, new) = (self.old, self.new);
        for item in align::by_words(block, |i| old[i].body, |j| new[j].body, self.work) {
            let part = match item {
                Item::Removed(i) => {
                    self.counts.removed += count(old[i].body);
                    one(RunKind::Removed, old[i].all)
                }
                Item::Added(j) => {
                    self.counts.added += count(new[j].body);
                    one(RunKind::Added, new[j].all)
                }
                Item::Pair(i, j) => self.pair(&old[i], &new[j]),
            };
            self.parts.push(part);
        }
    }

    /// Two paragraphs that correspond, compared by words.
    fn pair(&mut self, old: &Paragraph<'a>, new: &Paragraph<'a>) -> WordPart<'a> {
        let (a, b) = (tokens(old.body), tokens(new.body));
        let blocks = blocks(&keys(&a), &keys(&b), self.work);
        let blocks = fused(blocks, |block| only_space(&a, block));
        let (mut i, mut j, mut runs) = (0, 0, Vec::new());
        for block in &blocks {
            let (removed, added) = (&a[block.old.clone()], &b[block.new.clone()]);
            let (old_end, new_end) = (i + bytes(removed), j + bytes(added));
            if block.equal {
                self.counts.unchanged += words(added);
                runs.push(Run { kind: RunKind::Equal, text: &new.body[j..new_end] });
            } else {
                self.counts.removed += words(removed);
                self.counts.added += words(added);
                runs.push(Run { kind: RunKind::Removed, text: &old.body[i..old_end] });
                runs.push(Run { kind: RunKind::Added, text: &new.body[j..new_end] });
            }
            (i, j) = (old_end, new_end);
        }
        runs.push(Run { kind: RunKind::Equal, text: &new.all[new.body.len()..] });
        runs.retain(|run| !run.text.is_empty());
        WordPart::Paragraph(runs)
    }

    fn finish(mut self) -> (Vec<WordPart<'a>>, Counts) {
        self.work.shorten(&mut self.parts, |parts| {
            let paragraphs = parts.iter().map(|part| match part {
                WordPart::Paragraph(_) => 1,
                WordPart::Fold { paragraphs, .. } | WordPart::Omitted { paragraphs } => *paragraphs,
            });
            WordPart::Omitted { paragraphs: paragraphs.sum() }
        });
        (self.parts, self.counts)
    }
}

fn one(kind: RunKind, text: &str) -> WordPart<'_> {
    WordPart::Paragraph(vec![Run { kind, text }])
}

/// What is compared of each token: a line break with the white space around it is one space.
fn keys<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let key = |&token: &&'a str| if is_space(token) && token.contains('\n') { " " } else { token };
    tokens.iter().map(key).collect()
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
