//! The blocks of a section that fit into a room, and a line on those that do not: a ladder from
//! what is needed most up to what is needed least.

use crate::language::Language;
use crate::render::text::pull_request::content::{Content, Group};
use crate::render::text::pull_request::{Wanted, left_out};

/// The rungs from the one needed most to the one that is cut first.
const VERDICT: usize = 0;
const COUNTS: usize = 1;
const CASES: usize = 2;
const EXPECTATIONS: usize = 3;
const EVIDENCE: usize = 4;

/// How many blocks of each rung there are or are shown.
type Numbers = [usize; 5];

/// One rung: blocks of one kind, the most urgent first.
#[derive(Clone, Debug)]
struct Rung {
    /// Bytes that the first of them costs besides, for a heading.
    frame: usize,
    blocks: Vec<usize>,
    /// The percentage of what the rungs below left that it may take at first.
    share: usize,
    /// Whether a block needs the block of the same number one rung below.
    is_hung: bool,
}

/// The text of `content` in at most `room` bytes; `None` where not even the verdict fits.
pub(super) fn fit(
    content: &Content,
    room: usize,
    wanted: Wanted<'_>,
    language: &Language,
) -> Option<String> {
    let rungs = rungs(content);
    let all = rungs.each_ref().map(|rung| rung.blocks.len());
    let link = |url| format!("[{}]({url})\n\n", language.text("pull_request.report"));
    let footer = wanted.url.map(link).unwrap_or_default();
    if rungs.iter().map(Rung::bytes).sum::<usize>() + footer.len() <= room {
        return Some(write(content, all, &footer));
    }
    // Where something is left out, its line stands for the footer.
    let all = count_given(content, all);
    let longest = notice([0; 5], all, wanted, language).len();
    let shown: Numbers = climb(room.checked_sub(longest)?, &rungs).try_into().ok()?;
    let notice = notice(count_given(content, shown), all, wanted, language);
    (shown[VERDICT] > 0).then(|| write(content, shown, &notice))
}

fn rungs(content: &Content) -> [Rung; 5] {
    let lengths = |texts: &[String]| texts.iter().map(String::len).collect::<Vec<_>>();
    let rung = |frame: usize, blocks, share| Rung { frame, blocks, share, is_hung: false };
    let [lost, gained] = &content.groups;
    let headings = lost.heading.len() + gained.heading.len() + 2;
    [
        rung(0, vec![content.verdict.len()], 100),
        rung(0, lengths(&content.counts), 100),
        rung(content.cases_head.len() + 1, lengths(&content.cases), 30),
        rung(headings, [lengths(&lost.items), lengths(&gained.items)].concat(), 40),
        Rung { is_hung: true, ..rung(0, lengths(&lost.evidence), 100) },
    ]
}

/// The same numbers where only evidence that somebody gave counts.
fn count_given(content: &Content, mut numbers: Numbers) -> Numbers {
    let evidence = &content.groups[0].evidence[..numbers[EVIDENCE]];
    numbers[EVIDENCE] = evidence.iter().filter(|text| !text.is_empty()).count();
    numbers
}

fn write(content: &Content, shown: Numbers, end: &str) -> String {
    let mut text = content.verdict.clone();
    // The details, which are the last of the counts, stand at the end.
    let (counts, details) = content.counts.split_at(content.counts.len() - 1);
    text.extend(counts.iter().take(shown[COUNTS]).map(String::as_str));
    let [lost, gained] = &content.groups;
    let of_lost = shown[EXPECTATIONS].min(lost.items.len());
    write_group(&mut text, lost, of_lost, shown[EVIDENCE]);
    write_group(&mut text, gained, shown[EXPECTATIONS] - of_lost, 0);
    if shown[CASES] > 0 {
        text.push_str(&content.cases_head);
        text.extend(content.cases[..shown[CASES]].iter().map(String::as_str));
        text.push('\n');
    }
    if shown[COUNTS] > counts.len() {
        text.extend(details.iter().map(String::as_str));
    }
    text + end
}

fn write_group(text: &mut String, group: &Group, items: usize, evidence: usize) {
    if items == 0 {
        return;
    }
    text.push_str(&group.heading);
    for (at, item) in group.items[..items].iter().enumerate() {
        text.push_str(item);
        if at < evidence {
            text.push_str(&group.evidence[at]);
        }
    }
    text.push('\n');
}

/// What is left out and where it is.
fn notice(shown: Numbers, all: Numbers, wanted: Wanted<'_>, language: &Language) -> String {
    let mut parts = Vec::new();
    for (rung, key) in [
        (EVIDENCE, "pull_request.cut_evidence"),
        (EXPECTATIONS, "pull_request.cut_expectations"),
        (CASES, "pull_request.cut_cases"),
        (COUNTS, "pull_request.cut_counts"),
    ] {
        if shown[rung] < all[rung] {
            let number = all[rung] - shown[rung];
            parts.push(language.fill(key, &[("n", &number), ("all", &all[rung])]));
        }
    }
    left_out(&parts.join(language.text("list.comma")), wanted.url, language)
}

/// How many blocks of each rung fit into `room`. Every rung first gets its share and then what the
/// others left; no rung gets anything while one below it has to stay empty.
fn climb(room: usize, rungs: &[Rung]) -> Vec<usize> {
    let mut shown = vec![0; rungs.len()];
    let mut left = room;
    for is_shared in [true, false] {
        for (at, rung) in rungs.iter().enumerate() {
            let may = if is_shared { left * rung.share / 100 } else { left };
            left -= rung.fill(may, at, &mut shown);
            if shown[at] == 0 && !rung.blocks.is_empty() {
                break;
            }
        }
    }
    shown
}

impl Rung {
    /// The bytes of all blocks with their frame.
    fn bytes(&self) -> usize {
        let frame = if self.blocks.is_empty() { 0 } else { self.frame };
        frame + self.blocks.iter().sum::<usize>()
    }

    /// Shows more blocks of the rung `at` while they fit; the bytes they take.
    fn fill(&self, room: usize, at: usize, shown: &mut [usize]) -> usize {
        let below = at.checked_sub(1).filter(|_| self.is_hung).map(|below| shown[below]);
        let most = below.unwrap_or(usize::MAX).min(self.blocks.len());
        let mut used = 0;
        while shown[at] < most {
            let frame = if shown[at] == 0 { self.frame } else { 0 };
            let cost = frame + self.blocks[shown[at]];
            if used + cost > room {
                break;
            }
            used += cost;
            shown[at] += 1;
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Rung, climb};

    fn rung(frame: usize, blocks: &[usize], share: usize, is_hung: bool) -> Rung {
        Rung { frame, blocks: blocks.to_vec(), share, is_hung }
    }

    fn rungs() -> Vec<Rung> {
        vec![
            rung(0, &[10], 100, false),
            rung(5, &[10, 10, 10], 100, false),
            rung(0, &[20, 20, 20], 100, true),
        ]
    }

    #[test]
    fn the_upper_rungs_are_cut_first() {
        let table = [
            (1_000, [1, 3, 3]),
            (105, [1, 3, 3]),
            (104, [1, 3, 2]),
            (65, [1, 3, 1]),
            (50, [1, 3, 0]),
            (44, [1, 2, 0]),
            (24, [1, 0, 0]),
            (9, [0, 0, 0]),
        ];
        for (room, expected) in table {
            assert_eq!(climb(room, &rungs()), expected, "{room}");
        }
    }

    #[test]
    fn a_rung_leaves_room_for_the_one_above() {
        let rungs = [rung(0, &[10; 100], 50, false), rung(0, &[10; 100], 100, true)];
        assert_eq!(climb(200, &rungs), [10, 10]);
    }

    #[test]
    fn an_empty_rung_holds_nothing_up() {
        let rungs = [rung(90, &[], 100, false), rung(0, &[10], 100, false)];
        assert_eq!(climb(10, &rungs), [0, 1]);
    }

    proptest! {
        #[test]
        fn nothing_is_larger_than_the_room(
            room in 0usize..500,
            parts in prop::collection::vec((0usize..30, prop::collection::vec(0usize..80, 0..8), 1usize..101), 1..6),
        ) {
            let rungs: Vec<Rung> =
                parts.iter().map(|(frame, blocks, share)| rung(*frame, blocks, *share, false)).collect();
            let shown = climb(room, &rungs);
            let bytes = |(rung, shown): (&Rung, &usize)| {
                Rung { blocks: rung.blocks[..*shown].to_vec(), ..rung.clone() }.bytes()
            };
            prop_assert!(rungs.iter().zip(&shown).map(bytes).sum::<usize>() <= room);
        }
    }
}
