//! The verdicts of both sides' runs on one expectation.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{CaseHistory, Flip, Side, key};
use input::model::{Outcome, Run, Workspace};
use text::folded;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunVerdict<'w> {
    pub run: u32,
    pub outcome: Outcome,
    /// Why, if the grader gave a reason.
    pub evidence: Option<&'w str>,
}

/// The verdicts of both sides on some expectations of one case.
pub struct Verdicts<'w>([SideVerdicts<'w>; 2]);

struct SideVerdicts<'w> {
    /// The key of each folded statement, as the first run has it.
    keys: BTreeMap<Cow<'w, str>, Cow<'w, str>>,
    /// The verdicts under each key, in the order of the runs.
    by_key: BTreeMap<Cow<'w, str>, Vec<RunVerdict<'w>>>,
}

impl<'w> Verdicts<'w> {
    /// The verdicts of `sides` on `flips`, which belong to the case of `history`. Each side is looked
    /// up by its own words: the earlier side may have another key.
    pub fn new(
        workspace: &'w Workspace,
        history: &CaseHistory,
        [before, after]: [&Side; 2],
        flips: &[&Flip<'w>],
    ) -> Self {
        let earlier = flips.iter().map(|flip| earlier_text(flip));
        let later = flips.iter().map(|flip| flip.text);
        Self([
            collect_verdicts(|| history.runs(workspace, before), earlier),
            collect_verdicts(|| history.runs(workspace, after), later),
        ])
    }

    /// The verdicts of each side on the expectation of `flip`, in the order of the runs.
    pub fn on(&self, flip: &Flip<'_>) -> [&[RunVerdict<'w>]; 2] {
        [(&self.0[0], earlier_text(flip)), (&self.0[1], flip.text)].map(|(side, text)| {
            let found = side.keys.get(&*folded(text)).and_then(|key| side.by_key.get(key));
            found.map(Vec::as_slice).unwrap_or_default()
        })
    }
}

fn earlier_text<'w>(flip: &Flip<'w>) -> &'w str {
    flip.earlier_text.unwrap_or(flip.text)
}

fn collect_verdicts<'w, R: Iterator<Item = &'w Run>>(
    runs: impl Fn() -> R,
    texts: impl Iterator<Item = &'w str>,
) -> SideVerdicts<'w> {
    let wanted: BTreeSet<Cow<'w, str>> = texts.map(folded).collect();
    let mut keys = BTreeMap::new();
    for expectation in runs().flat_map(Run::expectations) {
        let text = folded(&expectation.text);
        if wanted.contains(&text) {
            keys.entry(text).or_insert_with(|| key(expectation));
        }
    }
    let mut by_key: BTreeMap<Cow<'w, str>, Vec<RunVerdict<'w>>> =
        keys.values().map(|key: &Cow<'w, str>| (key.clone(), Vec::new())).collect();
    for run in runs() {
        for expectation in run.expectations() {
            let Some(verdicts) = by_key.get_mut(&key(expectation)) else { continue };
            let evidence = expectation.evidence.as_deref();
            let evidence = evidence.filter(|text| !text.trim().is_empty());
            verdicts.push(RunVerdict { run: run.number, outcome: expectation.outcome, evidence });
        }
    }
    SideVerdicts { keys, by_key }
}

#[cfg(test)]
mod tests {
    use super::Verdicts;
    use crate::analyze::{Side, analysis, between};
    use crate::tests::workspaces::{case, run, workspace};
    use input::model::Outcome;
    use input::settings::Settings;
    use testing::gradings::checks;

    #[test]
    fn both_sides_are_asked_by_the_same_key() {
        let old = checks(&[("Has a  table", 'f')]).evidence("because of old");
        let new = checks(&[("has a table", 'p')]).evidence("because of new");
        let workspace =
            workspace(vec![vec![case("a", vec![run("old", 2, old), run("new", 2, new)])]]);
        let cases = analysis(&workspace, &Settings::default()).cases;
        let (old, new) = (Side::new(0, "old"), Side::new(0, "new"));
        let flips = between(&workspace, &cases, &old, &new);
        let flip = &flips.on(0)[0];
        let verdicts = Verdicts::new(&workspace, &cases[0], [&old, &new], &[flip]);
        let [before, after] = verdicts.on(flip);
        assert_eq!((before[0].run, before[0].outcome), (2, Outcome::Failed));
        assert_eq!(before[0].evidence, Some("because of old"));
        assert_eq!(after[0].evidence, Some("because of new"));
    }
}
