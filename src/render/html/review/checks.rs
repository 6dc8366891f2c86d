//! The checks of two runs: failed ones first, with the reasons of the graders.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Serialize;

use crate::analyze::key;
use crate::language::say;
use crate::render::context::{Anchors, Rows, View, link, view, view::mark};
use crate::render::html::quotation_links::{Marks, QuotationLink, links};
use crate::render::html::review::page::ReviewPage;
use input::model::{Expectation, Outcome, Run};

/// A check of one of the runs, with its index in the first grading.
#[derive(Clone, Copy)]
struct GradedCheck<'a> {
    index: usize,
    check: &'a Expectation,
}

/// A check in both runs, the newer one first.
type CheckPair<'a> = [Option<GradedCheck<'a>>; 2];

/// What became of a check in both runs, in the order of the page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// It failed on the newer side and passed on the other.
    Lost,
    /// It failed on the newer side, and the other says nothing.
    Failed,
    FailedBoth,
    /// It failed on the older side alone.
    FailedBefore,
    Unclear,
    Passed,
}

impl Group {
    const ALL: [Self; 6] = [
        Self::Lost,
        Self::Failed,
        Self::FailedBoth,
        Self::FailedBefore,
        Self::Unclear,
        Self::Passed,
    ];

    fn of(pair: &CheckPair<'_>) -> Self {
        match pair.map(|side| side.map(|graded| graded.check.outcome)) {
            [Some(Outcome::Failed), Some(Outcome::Passed)] => Self::Lost,
            [Some(Outcome::Failed), Some(Outcome::Failed)] => Self::FailedBoth,
            [Some(Outcome::Failed), _] => Self::Failed,
            [_, Some(Outcome::Failed)] => Self::FailedBefore,
            [Some(Outcome::Passed), Some(Outcome::Passed)] => Self::Passed,
            _ => Self::Unclear,
        }
    }

    /// The key of its title, which may name a side. Of a run alone both sides are that run.
    fn title(self, is_alone: bool) -> &'static str {
        match self {
            Self::Unclear if is_alone => "review.unclear_alone",
            Self::Passed if is_alone => "review.passed_alone",
            Self::FailedBoth if is_alone => "review.failed",
            Self::Lost | Self::FailedBefore => "review.failed_only",
            Self::Failed => "review.failed",
            Self::FailedBoth => "review.failed_both",
            Self::Unclear => "review.unclear",
            Self::Passed => "review.passed_both",
        }
    }

    /// The index of the side whose verdict makes it: 0 for the newer one.
    fn side(self) -> usize {
        usize::from(self == Self::FailedBefore)
    }
}

/// The checks of a pair; the quotations of each side are linked to its `marks`.
pub(super) fn checks(review: &ReviewPage<'_>, names: &[String; 2], marks: &[Marks; 2]) -> View {
    let [(_, ours), (_, theirs)] = review.sides();
    let pairs = pairs(ours, theirs);
    let mut anchors = Anchors::default();
    let mut groups = Vec::new();
    for group in Group::ALL {
        let of_group: Vec<&CheckPair<'_>> =
            pairs.iter().filter(|pair| Group::of(pair) == group).collect();
        if of_group.is_empty() {
            continue;
        }
        let (title, side) = (group.title(review.is_alone()), &names[group.side()]);
        groups.push(view!({
            "title": say!(review.context.language, title, n = of_group.len(), side),
            "is_folded": group > Group::FailedBefore,
            "is_lost": group == Group::Lost,
            "checks": Rows::all(of_group.into_iter(), |pair| check(pair, review, names, marks, &mut anchors)),
        }));
    }
    view!({ "groups": groups })
}

/// The checks of both runs in the order of the candidate's, then those of the other run only.
fn pairs<'a>(ours: &'a Run, theirs: &'a Run) -> Vec<CheckPair<'a>> {
    let theirs = theirs.expectations();
    // A grading may list a check several times; the first belongs to the first.
    let mut by_key: BTreeMap<Cow<'_, str>, VecDeque<usize>> = BTreeMap::new();
    for (at, check) in theirs.iter().enumerate() {
        by_key.entry(key(check)).or_default().push_back(at);
    }
    let mut pairs = Vec::new();
    for (index, check) in ours.expectations().iter().enumerate() {
        let at = by_key.get_mut(&key(check)).and_then(VecDeque::pop_front);
        let other = at.map(|index| GradedCheck { index, check: &theirs[index] });
        pairs.push([Some(GradedCheck { index, check }), other]);
    }
    let unmatched: BTreeSet<usize> = by_key.into_values().flatten().collect();
    for index in unmatched {
        pairs.push([None, Some(GradedCheck { index, check: &theirs[index] })]);
    }
    pairs
}

fn check(
    pair: &CheckPair<'_>,
    review: &ReviewPage<'_>,
    names: &[String; 2],
    marks: &[Marks; 2],
    anchors: &mut Anchors,
) -> View {
    let Some(present) = pair[0].or(pair[1]) else { return View::none() };
    let text = present.check.text.as_str();
    let anchor = review.context.addresses.expectation(review.case_index, &key(present.check));
    let shown = review.shown_sides().iter();
    let marks_of_sides = shown.map(|&at| mark_view(review, pair[at], at, &names[at]));
    let graded_side = Group::of(pair).side();
    let is_disputed = review.is_disputed(graded_side, text);
    view!({
        "anchor": anchors.take(anchor),
        "text": text,
        "is_disputed": is_disputed,
        // Whose verdict a reader doubts: that of the side which determines the group.
        "side": CLASSES[graded_side],
        "marks": marks_of_sides.collect::<Vec<_>>(),
        "reasons": reasons(pair, review, names, marks),
        "remarks": grader_remarks(review, text),
    })
}

/// The classes of the newer and the older side.
const CLASSES: [&str; 2] = ["candidate", "baseline"];

fn mark_view(
    review: &ReviewPage<'_>,
    graded: Option<GradedCheck<'_>>,
    at: usize,
    name: &str,
) -> View {
    let (language, side) = (review.context.language, CLASSES[at]);
    let Some(graded) = graded else {
        let text = format!("{name} {}", language.text("review.absent"));
        return view!({ "side": side, "sign": "–", "outcome": "absent", "text": text });
    };
    let outcome = graded.check.outcome;
    let word = language.entry(&["outcome", outcome.word()]);
    let text = format!("{name} {word}");
    view!({ "side": side, "sign": mark(outcome), "outcome": outcome.word(), "text": text })
}

/// What the graders of both runs say about the check itself.
fn grader_remarks(review: &ReviewPage<'_>, text: &str) -> Vec<String> {
    let mut remarks = Vec::new();
    for (_, run) in review.sides() {
        for advice in run.grading().into_iter().flat_map(|grading| &grading.suggestions) {
            if advice.expectation.as_deref() == Some(text) {
                remarks.push(advice.text.clone());
            }
        }
    }
    remarks.dedup();
    remarks
}

#[derive(Serialize)]
struct CheckReason {
    /// The classes of the sides that give it.
    sides: Vec<&'static str>,
    names: String,
    text: String,
    quotes: Vec<QuotationLink>,
}

/// The reasons of the sides that determine the group; equal ones once.
fn reasons(
    pair: &CheckPair<'_>,
    review: &ReviewPage<'_>,
    names: &[String; 2],
    marks: &[Marks; 2],
) -> Vec<CheckReason> {
    let language = review.context.language;
    // Why the candidate passed says nothing about a failure of the other side.
    let wanted = if Group::of(pair) == Group::FailedBefore { &[1] } else { review.shown_sides() };
    let mut reasons: Vec<CheckReason> = Vec::new();
    for &at in wanted {
        let Some(graded) = pair[at] else { continue };
        let text = match &graded.check.evidence {
            Some(evidence) => evidence.clone(),
            None if graded.check.outcome == Outcome::Passed => continue,
            None => language.text("review.no_evidence").to_owned(),
        };
        if text.is_empty() {
            continue;
        }
        let mut quotes = Vec::new();
        if let Some(place) = review.check_at(at, graded.index) {
            let (side, run) = review.sides()[at];
            let found = review.context.part.quotes().in_check(&place);
            // Outputs are shown here, and transcripts on the pages of their runs.
            let to_run = review.context.addresses.run(side.iteration, review.case_index, run);
            let href = format!("{}#transcript", link(&review.path(), &to_run));
            let transcript = run.transcript.as_ref().map(|file| [file.name.as_str(), &href]);
            quotes = links(found, &marks[at], transcript, language);
        }
        let class = CLASSES[at];
        match reasons.iter_mut().find(|known| known.text == text && known.quotes == quotes) {
            Some(known) => {
                known.sides.push(class);
                known.names = language.list([&known.names, &names[at]]);
            }
            None => {
                let (sides, names) = (vec![class], names[at].clone());
                reasons.push(CheckReason { sides, names, text, quotes });
            }
        }
    }
    reasons
}
