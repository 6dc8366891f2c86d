//! The blocks that fit, in the order they are read, and a line on those that do not.

use crate::language::Language;
use crate::render::text::{
    pull_request::Wanted,
    pull_request::content::{Content, Group},
    pull_request::ladder::{Rung, climb},
};

/// The rungs from the one needed most to the one that is cut first.
const VERDICT: usize = 0;
const COUNTS: usize = 1;
const CASES: usize = 2;
const EXPECTATIONS: usize = 3;
const EVIDENCE: usize = 4;

/// How many blocks of each rung there are or are shown.
type Numbers = [usize; 5];

/// The text of `content` in at most `room` bytes; `None` where not even the verdict fits.
pub(super) fn fitted(
    content: &Content,
    room: usize,
    wanted: Wanted<'_>,
    language: &Language,
) -> Option<String> {
    let rungs = rungs(content);
    let all = numbers(content);
    let footer = footer(wanted, language);
    if rungs.iter().map(Rung::bytes).sum::<usize>() + footer.len() <= room {
        return Some(written(content, all, &footer));
    }
    // Where something is left out, its line stands for the footer.
    let all = told(content, all);
    let longest = notice([0; 5], all, wanted, language).len();
    let room = room.checked_sub(longest)?;
    let shown: Numbers = climb(room, &rungs).try_into().ok()?;
    let notice = notice(told(content, shown), all, wanted, language);
    (shown[VERDICT] > 0).then(|| written(content, shown, &notice))
}

fn rungs(content: &Content) -> [Rung; 5] {
    let lengths = |texts: &[String]| texts.iter().map(String::len).collect::<Vec<_>>();
    let rung = |frame: usize, blocks, share| Rung { frame, blocks, share, is_hung: false };
    let mut counts = lengths(&content.counts);
    counts.push(content.details.len());
    let [lost, gained] = &content.groups;
    let headings: usize = [lost, gained].map(|group| group.heading.len() + 1).iter().sum();
    let items = [lengths(&lost.items), lengths(&gained.items)].concat();
    [
        rung(0, vec![content.verdict.len()], 100),
        rung(0, counts, 100),
        rung(content.cases_head.len() + 1, lengths(&content.cases), 30),
        rung(headings, items, 40),
        Rung { is_hung: true, ..rung(0, lengths(&lost.evidence), 100) },
    ]
}

/// How many blocks there are.
fn numbers(content: &Content) -> Numbers {
    let [lost, gained] = &content.groups;
    let items = lost.items.len() + gained.items.len();
    [1, content.counts.len() + 1, content.cases.len(), items, lost.evidence.len()]
}

/// The same numbers where only evidence that somebody gave counts.
fn told(content: &Content, shown: Numbers) -> Numbers {
    let evidence = &content.groups[0].evidence[..shown[EVIDENCE]];
    let mut told = shown;
    told[EVIDENCE] = evidence.iter().filter(|text| !text.is_empty()).count();
    told
}

fn written(content: &Content, shown: Numbers, end: &str) -> String {
    let mut text = content.verdict.clone();
    let counts = shown[COUNTS].min(content.counts.len());
    text.extend(content.counts[..counts].iter().map(String::as_str));
    let [lost, gained] = &content.groups;
    let of_lost = shown[EXPECTATIONS].min(lost.items.len());
    group(&mut text, lost, of_lost, shown[EVIDENCE]);
    group(&mut text, gained, shown[EXPECTATIONS] - of_lost, 0);
    if shown[CASES] > 0 {
        text.push_str(&content.cases_head);
        text.extend(content.cases[..shown[CASES]].iter().map(String::as_str));
        text.push('\n');
    }
    if shown[COUNTS] > counts {
        text.push_str(&content.details);
    }
    text + end
}

fn group(text: &mut String, group: &Group, items: usize, evidence: usize) {
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

/// The link to the report, where it is published.
fn footer(wanted: Wanted<'_>, language: &Language) -> String {
    let link = |url| format!("[{}]({url})\n\n", language.text("pull_request.report"));
    wanted.url.map(link).unwrap_or_default()
}

/// What is left out and where it is.
fn notice(shown: Numbers, all: Numbers, wanted: Wanted<'_>, language: &Language) -> String {
    let rungs = [
        (EVIDENCE, "pull_request.cut_evidence"),
        (EXPECTATIONS, "pull_request.cut_expectations"),
        (CASES, "pull_request.cut_cases"),
        (COUNTS, "pull_request.cut_counts"),
    ];
    let cut_rungs = rungs.into_iter().filter(|(rung, _)| shown[*rung] < all[*rung]);
    let parts: Vec<String> = cut_rungs
        .map(|(rung, key)| {
            language.fill(key, &[("n", &(all[rung] - shown[rung])), ("all", &all[rung])])
        })
        .collect();
    format!("{}\n\n", cut(&parts.join(language.text("list.comma")), wanted.url, language))
}

/// That the things of `list` are left out, and where they are.
pub(super) fn cut(list: &str, url: Option<&str>, language: &Language) -> String {
    let place = match url {
        Some(url) => format!("[{}]({url})", language.text("pull_request.report")),
        None => language.text("pull_request.unpublished").to_owned(),
    };
    language.fill("pull_request.cut", &[("list", &list), ("place", &place)])
}
