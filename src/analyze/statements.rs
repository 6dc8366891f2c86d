//! The statements of a case under one configuration, each with its verdicts over all runs. Two are
//! the same when their ids are, else when their texts are, ignoring white space and case: that is
//! their [`key`]. Graders also leave out the short name before a text, or say it in other words
//! (`rewording`).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::rewording;
use input::model::{Case, Expectation, Outcome, Run, Tally};
use text::{folded, undecorated};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement<'w> {
    pub key: Cow<'w, str>,
    pub has_id: bool,
    /// The statement in its first wording.
    pub text: &'w str,
    pub tally: Tally,
    /// The verdicts by run: its index in the case, and its verdicts. Runs that never name the
    /// statement are absent.
    pub by_run: Vec<(usize, Tally)>,
    /// Index in the case of the run to look at: the first in which it failed, else the first.
    pub run: usize,
}

impl Statement<'_> {
    pub fn runs(&self) -> usize {
        self.by_run.iter().filter(|(_, tally)| tally.graded() > 0).count()
    }

    pub fn is_flaky(&self) -> bool {
        self.runs() > 1 && self.tally.passed > 0 && self.tally.failed > 0
    }

    fn count(&mut self, run: usize, outcome: Outcome) {
        if outcome == Outcome::Failed && self.tally.failed == 0 {
            self.run = run;
        }
        self.tally.count(outcome);
        if self.by_run.last().is_none_or(|(last, _)| *last != run) {
            // Most statements are met in one run.
            self.by_run.reserve_exact(1);
            self.by_run.push((run, Tally::default()));
        }
        if let Some((_, tally)) = self.by_run.last_mut() {
            tally.count(outcome);
        }
    }
}

pub fn key(expectation: &Expectation) -> Cow<'_, str> {
    key_of(expectation.id.as_deref(), &expectation.text)
}

fn key_of<'t>(id: Option<&str>, text: &'t str) -> Cow<'t, str> {
    id.map_or_else(|| folded(text), |id| Cow::Owned(format!("id {id}")))
}

/// The statements of the runs of `configuration` in `case`, in the order first met.
pub fn statements<'w>(case: &'w Case, configuration: &str) -> Vec<Statement<'w>> {
    collect(case, |run| run.configuration == configuration)
}

pub(super) fn judged_statements<'w>(case: &'w Case, configuration: &str) -> Vec<Statement<'w>> {
    let mut found = statements(case, configuration);
    found.retain(|statement| statement.tally.graded() > 0);
    found
}

/// The statements checked in a case: those graded under any configuration, else those planned.
pub(super) fn checked_statements(case: &Case) -> Vec<Statement<'_>> {
    let graded = collect(case, |_| true);
    if graded.is_empty() { planned(case) } else { graded }
}

/// Whether a side failed as a whole: it passed nothing, and was graded by fewer statements than the
/// other side because there was nothing to check.
pub(super) fn failed_as_a_whole(side: &[Statement<'_>], other: &[Statement<'_>]) -> bool {
    let passed_nothing = side.iter().all(|side| side.tally.passed == 0 && side.tally.failed > 0);
    !side.is_empty() && passed_nothing && side.len() < other.len()
}

pub(super) fn have_one_plan(old: &Case, new: &Case) -> bool {
    let (old, new) = (planned(old), planned(new));
    let keys = new.iter().map(|statement| &statement.key);
    !old.is_empty() && old.iter().map(|statement| &statement.key).eq(keys)
}

pub(super) fn planned(case: &Case) -> Vec<Statement<'_>> {
    let mut keys: BTreeSet<Cow<'_, str>> = BTreeSet::new();
    let mut statements = Vec::new();
    for planned in &case.planned {
        let key = key_of(planned.id.as_deref(), &planned.text);
        if keys.insert(key.clone()) {
            let (has_id, text) = (planned.id.is_some(), &planned.text);
            statements.push(Statement { key, has_id, text, ..Statement::default() });
        }
    }
    statements
}

/// The statements that both sides have: their indices on the old and on the new side, in the order
/// of the new side.
///
/// Two are the same if their ids are equal, else if their texts are: ids are renumbered, and some
/// graders leave them out. Then come short names before a colon, and what is said in other words.
pub fn matched(old: &[Statement<'_>], new: &[Statement<'_>]) -> Vec<(usize, usize)> {
    let mut partners = Partners { old: vec![None; old.len()], new: vec![None; new.len()] };
    partners.pair_by(old, new, |statement| Some(statement.key.clone()));
    // Ids come and go with the tool that writes them; the sentence stays.
    partners.pair_by(old, new, |statement| Some(undecorated(statement.text).into()));
    if !partners.is_complete() {
        partners.pair_named(old, new);
        partners.pair_reworded(old, new);
    }
    let pairs = partners.new.into_iter().enumerate();
    pairs.filter_map(|(at, old)| Some((old?, at))).collect()
}

/// The partner of each statement on the other side, as far as it is found.
struct Partners {
    old: Vec<Option<usize>>,
    new: Vec<Option<usize>>,
}

impl Partners {
    fn is_complete(&self) -> bool {
        [&self.old, &self.new].iter().any(|side| side.iter().all(Option::is_some))
    }

    fn join(&mut self, old: usize, new: usize) {
        (self.old[old], self.new[new]) = (Some(new), Some(old));
    }

    /// Pairs the open statements with equal keys, the last of several on the old side.
    fn pair_by<'k>(
        &mut self,
        old: &[Statement<'k>],
        new: &[Statement<'k>],
        key: impl Fn(&Statement<'k>) -> Option<Cow<'k, str>>,
    ) {
        let mut by_key: BTreeMap<Cow<'k, str>, usize> = BTreeMap::new();
        for (at, statement) in old.iter().enumerate().filter(|(at, _)| self.old[*at].is_none()) {
            if let Some(key) = key(statement) {
                by_key.insert(key, at);
            }
        }
        for (at, statement) in new.iter().enumerate() {
            let is_open = self.new[at].is_none();
            if is_open && let Some(from) = key(statement).and_then(|key| by_key.remove(&key)) {
                self.join(from, at);
            }
        }
    }

    /// Pairs `has_title: The chart has a title` with `has_title` and with `The chart has a title`, as
    /// graders of `swtch1+dotfiles` write one side with the short name and one without. Each part must
    /// be there once among all open statements of its side.
    fn pair_named(&mut self, old: &[Statement<'_>], new: &[Statement<'_>]) {
        let mut by_part: [BTreeMap<String, BTreeSet<usize>>; 2] = Default::default();
        for (side, (statements, partners)) in
            [(old, &self.old), (new, &self.new)].into_iter().enumerate()
        {
            for (at, statement) in statements.iter().enumerate() {
                if partners[at].is_none() {
                    for part in parts(statement.text) {
                        by_part[side].entry(part).or_default().insert(at);
                    }
                }
            }
        }
        let [of_old, of_new] = by_part;
        for (part, from) in of_old {
            let to = of_new.get(&part);
            if let (Some(from), Some(to)) = (only(&from), to.and_then(only))
                && (self.old[from], self.new[to]) == (None, None)
            {
                self.join(from, to);
            }
        }
    }

    fn pair_reworded(&mut self, old: &[Statement<'_>], new: &[Statement<'_>]) {
        let [open_old, open_new] = [(old, &self.old), (new, &self.new)].map(|(side, partners)| {
            let open = side.iter().enumerate().filter(|(at, _)| partners[*at].is_none());
            open.map(|(at, statement)| (at, statement.text)).collect::<Vec<(usize, &str)>>()
        });
        for (from, to) in rewording::pairs(&open_old, &open_new) {
            self.join(from, to);
        }
    }
}

fn only(set: &BTreeSet<usize>) -> Option<usize> {
    if set.len() == 1 { set.first().copied() } else { None }
}

/// The whole text, and the parts around the colon after a short name of one word.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![undecorated(text)];
    if let Some((name, statement)) = rewording::short_name(text) {
        parts.extend([undecorated(name), undecorated(statement)]);
    }
    parts
}

/// Whether two paired statements are one only in other words, so that another wording may have moved the
/// verdict: an id stays where a check is made easier. Marks, numbers and short names before it are no words.
pub(super) fn is_only_reworded(old: &str, new: &str) -> bool {
    let old = parts(old);
    !parts(new).iter().any(|part| old.contains(part))
}

/// Whether two lists have the same statements.
pub(super) fn are_same(old: &[Statement<'_>], new: &[Statement<'_>]) -> bool {
    old.len() == new.len() && matched(old, new).len() == new.len()
}

fn collect(case: &Case, is_counted: impl Fn(&Run) -> bool) -> Vec<Statement<'_>> {
    let mut statements: Vec<Statement<'_>> = Vec::new();
    let mut places: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    for (at, run) in case.runs.iter().enumerate().filter(|(_, run)| is_counted(run)) {
        // All runs of a case have the same checks in most workspaces.
        statements.reserve_exact(run.expectations().len().saturating_sub(statements.len()));
        for expectation in run.expectations() {
            let place = *places.entry(key(expectation)).or_insert_with(|| {
                let has_id = expectation.id.is_some();
                let text = &expectation.text;
                statements.push(Statement { has_id, text, run: at, ..Statement::default() });
                statements.len() - 1
            });
            // A run that broke off was asked the same, but what its grader says measures nothing.
            let outcome = if run.is_lost() { Outcome::Ungraded } else { expectation.outcome };
            statements[place].count(at, outcome);
        }
    }
    for (key, place) in places {
        statements[place].key = key;
    }
    statements
}

#[cfg(test)]
mod tests {
    use super::{Statement, key_of, matched, statements};
    use crate::tests::workspaces::{case, run};
    use testing::gradings::checks;

    #[test]
    fn only_several_runs_make_a_statement_flaky() {
        let runs =
            [&[("a", 'p'), ("b", 'p'), ("B ", 'f'), ("c", '?')][..], &[("A", 'f'), ("c", 'p')]];
        let case = case("a", runs.map(|found| run("s", 1, checks(found))).to_vec());
        let mut facts = Vec::new();
        for found in statements(&case, "s") {
            facts.push((found.text, found.runs(), found.is_flaky(), found.run));
        }
        assert_eq!(facts, [("a", 2, true, 1), ("b", 1, false, 0), ("c", 1, false, 0)]);
    }

    #[test]
    fn equal_ids_or_equal_texts_are_the_same_statement() {
        for (old, new, expected) in [
            (
                &[("1", "valid JSON"), ("2", "a title")][..],
                &[("1", "else"), ("3", "A  title")][..],
                &[(0, 0), (1, 1)][..],
            ),
            (&[("", "a title"), ("", "JSON")], &[("", "json"), ("", "A title")], &[(1, 0), (0, 1)]),
            (&[("1", "a title")], &[("", "a title"), ("1", "another")], &[(0, 1)]),
            (
                &[("", "no_fence: No fence"), ("", "has_title")],
                &[("", "has_title: There is a title"), ("", "No fence")],
                &[(1, 0), (0, 1)],
            ),
            (&[("", "a_b: x"), ("", "a_b: y")], &[("", "a_b")], &[]),
        ] {
            let [old, new] = [old, new].map(|side| {
                let mut statements = Vec::new();
                for (id, text) in side {
                    let key = key_of(if id.is_empty() { None } else { Some(id) }, text);
                    statements.push(Statement { key, text, ..Statement::default() });
                }
                statements
            });
            assert_eq!(matched(&old, &new), expected);
        }
    }
}
