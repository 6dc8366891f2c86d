//! The rounds of trigger loops: precision, recall, the best round, and tests that never fire.

use input::model::{TriggerQuery, TriggerRound};

/// Whether no query triggered in any round although some should have: the test is broken, so its rounds
/// are meaningless.
pub(crate) fn never_fires(rounds: &[TriggerRound]) -> bool {
    let mut should_fire = false;
    for query in rounds.iter().flat_map(|round| &round.queries) {
        // A query that never ran says nothing about the skill.
        if !query.runs.is_some_and(|runs| runs > 0.0) {
            continue;
        }
        if query.triggers != Some(0.0) {
            return false;
        }
        should_fire |= query.should_trigger == Some(true);
    }
    should_fire
}

/// How often it triggered, how often of these rightly, and how often it should have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TriggerCounts {
    right: f64,
    triggered: f64,
    wanted: f64,
}

impl TriggerCounts {
    /// `None` if a query does not say one of them.
    fn sum<'q>(queries: impl Iterator<Item = &'q TriggerQuery>) -> Option<Self> {
        let mut sums = Self::default();
        for query in queries {
            let (triggers, runs) = (query.triggers?, query.runs?);
            sums.triggered += triggers;
            if query.should_trigger? {
                sums.right += triggers;
                sums.wanted += runs;
            }
        }
        Some(sums)
    }

    /// The right triggers as a share of `whole`.
    fn share_of(&self, whole: f64) -> Option<f64> {
        if whole > 0.0 { Some(self.right / whole) } else { None }
    }

    /// Whether the counts give the shares that the round recorded.
    fn fit(&self, round: &TriggerRound) -> bool {
        self.is_near(round.precision, self.triggered) && self.is_near(round.recall, self.wanted)
    }

    fn is_near(&self, recorded: Option<f64>, whole: f64) -> bool {
        // Shares are recorded with two digits.
        const ROUNDED: f64 = 0.0051;
        let Some(recorded) = recorded else { return true };
        self.share_of(whole).is_some_and(|computed| (recorded - computed).abs() < ROUNDED)
    }
}

/// The counts behind precision and recall of a round: of all queries, else of those not held out;
/// `None` if neither matches the recorded shares.
fn counted(round: &TriggerRound) -> Option<TriggerCounts> {
    let all = TriggerCounts::sum(round.queries.iter());
    if let Some(all) = all.filter(|all| all.fit(round)) {
        return Some(all);
    }
    // Loops that hold queries out count only those that they tune on.
    TriggerCounts::sum(round.queries.iter().filter(|query| !query.held_out))
        .filter(|tuned| tuned.fit(round))
}

/// Precision or recall of a round.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RoundShare {
    /// A fraction in 0..=1; `None` if unknown.
    pub(crate) value: Option<f64>,
    /// The counts behind it: right triggers, and all that count.
    pub(crate) counts: Option<[f64; 2]>,
}

impl RoundShare {
    /// The recorded share, else that of the right triggers in `whole`.
    fn new(recorded: Option<f64>, right: f64, whole: f64) -> Self {
        let computed = if whole > 0.0 { Some(right / whole) } else { None };
        Self { value: recorded.or(computed), counts: Some([right, whole]) }
    }

    fn recorded(value: Option<f64>) -> Self {
        Self { value, counts: None }
    }
}

/// The recorded precision and recall of a round, else those of its queries.
pub(crate) fn precision_and_recall(round: &TriggerRound) -> (RoundShare, RoundShare) {
    let TriggerRound { precision, recall, .. } = *round;
    match counted(round) {
        Some(sums) => (
            RoundShare::new(precision, sums.right, sums.triggered),
            RoundShare::new(recall, sums.right, sums.wanted),
        ),
        None => (RoundShare::recorded(precision), RoundShare::recorded(recall)),
    }
}

/// The earliest round with the most correct queries, if the rounds compete.
pub(crate) fn best_round(rounds: &[TriggerRound]) -> Option<usize> {
    // A total does not compete with its named parts, nor do the parts of one set of queries with
    // each other.
    let are_alike = rounds.windows(2).all(|pair| pair[0].name.is_some() == pair[1].name.is_some());
    let are_parts = rounds.iter().any(|round| round.split().is_some());
    if rounds.len() < 2 || !are_alike || are_parts || never_fires(rounds) {
        return None;
    }
    let mut best: Option<(usize, f64)> = None;
    for (at, round) in rounds.iter().enumerate() {
        let (Some(passed), Some(total)) = (round.passed, round.total) else { continue };
        if total > 0.0 && best.is_none_or(|(_, share)| passed / total > share) {
            best = Some((at, passed / total));
        }
    }
    best.map(|(at, _)| at)
}

/// The round that speaks for all: the best if they compete, else the last.
pub(crate) fn shown_round(rounds: &[TriggerRound]) -> Option<usize> {
    best_round(rounds).or(rounds.len().checked_sub(1))
}

/// Wrong queries before right ones, and missed ones before false alarms.
pub(crate) fn query_order(query: &TriggerQuery) -> (bool, bool) {
    (query.passed != Some(false), query.should_trigger != Some(true))
}

/// The judged queries of a round, and in how many the skill loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct QueryCounts {
    pub(crate) total: usize,
    pub(crate) right: usize,
    /// Queries that should load the skill, and those of them that did.
    pub(crate) wanted: usize,
    pub(crate) loaded: usize,
    /// Queries that should not, and those that did nevertheless.
    pub(crate) unwanted: usize,
    pub(crate) loaded_by_mistake: usize,
}

pub(crate) fn query_counts(round: &TriggerRound) -> QueryCounts {
    let mut counts = QueryCounts::default();
    for query in &round.queries {
        let Some(is_right) = query.passed else { continue };
        counts.total += 1;
        counts.right += usize::from(is_right);
        match query.should_trigger {
            Some(true) => {
                counts.wanted += 1;
                counts.loaded += usize::from(is_right);
            }
            Some(false) => {
                counts.unwanted += 1;
                counts.loaded_by_mistake += usize::from(!is_right);
            }
            None => {}
        }
    }
    counts
}

/// Correct queries and all in the held-out part; `None` without that part.
pub(crate) fn held_out(round: &TriggerRound) -> Option<[usize; 2]> {
    let held_out = round.queries.iter().filter(|query| query.held_out);
    let judged: Vec<bool> = held_out.filter_map(|query| query.passed).collect();
    if judged.is_empty() {
        return None;
    }
    let passed = judged.iter().filter(|passed| **passed).count();
    Some([passed, judged.len()])
}

#[cfg(test)]
mod tests {
    use super::{never_fires, precision_and_recall};
    use input::model::{TriggerQuery, TriggerRound};

    fn query(should_trigger: bool, triggers: f64, held_out: bool) -> TriggerQuery {
        let (triggers, runs) = (Some(triggers), Some(3.0));
        let (query, should_trigger) = ("q".to_owned(), Some(should_trigger));
        TriggerQuery { id: None, query, should_trigger, triggers, runs, passed: None, held_out }
    }

    #[test]
    fn a_test_that_never_fires_is_broken() {
        let round = |queries: &[TriggerQuery]| {
            [TriggerRound { queries: queries.to_vec(), ..TriggerRound::default() }]
        };
        let (dead, quiet) = (query(true, 0.0, false), query(false, 0.0, false));
        assert!(never_fires(&round(&[dead.clone(), quiet.clone()])));
        assert!(!never_fires(&round(std::slice::from_ref(&quiet))), "nothing should have fired");
        assert!(!never_fires(&round(&[dead.clone(), query(true, 1.0, false)])));
        let untried = TriggerQuery { runs: None, triggers: None, ..dead };
        assert!(!never_fires(&round(&[untried])), "nothing was tried");
    }

    #[test]
    fn shares_that_are_not_recorded_are_those_of_the_queries() {
        let queries =
            vec![query(true, 2.0, false), query(true, 1.0, false), query(false, 1.0, false)];
        let round = TriggerRound { queries, ..TriggerRound::default() };
        let (precision, recall) = precision_and_recall(&round);
        assert_eq!((precision.value, recall.value), (Some(0.75), Some(0.5)));
    }

    #[test]
    fn shares_have_counts_if_the_queries_match() {
        let tuned = [query(true, 2.0, false), query(true, 0.0, false), query(false, 1.0, false)];
        let queries = [&tuned[..], &[query(true, 3.0, true)]].concat();
        let round_with = |precision, recall| TriggerRound {
            precision: Some(precision),
            recall: Some(recall),
            queries: queries.clone(),
            ..TriggerRound::default()
        };
        let rates = |round: &TriggerRound| {
            let (precision, recall) = precision_and_recall(round);
            [precision.counts, recall.counts]
        };
        assert_eq!(rates(&round_with(0.83, 5.0 / 9.0)), [Some([5.0, 6.0]), Some([5.0, 9.0])]);
        assert_eq!(rates(&round_with(0.67, 1.0 / 3.0)), [Some([2.0, 3.0]), Some([2.0, 6.0])]);
        // A match by chance does not count.
        assert_eq!(rates(&round_with(0.67, 0.9)), [None, None]);
    }
}
