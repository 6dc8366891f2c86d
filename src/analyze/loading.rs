//! In how many runs the skill was loaded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use input::model::{Case, LoadingState, Run};

/// What the records of runs say about the skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "LoadsJson")]
#[serde(default)]
pub struct SkillLoadCounts {
    /// Runs that loaded it.
    pub loaded: usize,
    /// Runs whose prompt holds it.
    pub given: usize,
    /// Runs that did without it.
    pub not_loaded: usize,
    /// Runs without a record that decides.
    pub unknown: usize,
    /// Whether fewer than half of the known runs had it, so that a gain says little of the skill.
    // Agents solve many tasks without opening the skill: both sides are then one.
    pub is_diluted: bool,
    /// Of the runs that should load it, the share that did, in 0..=1; null where no case says so.
    #[schemars(range(min = 0, max = 1))]
    pub recall: Option<f64>,
    /// Of the runs that loaded it, the share that should, in 0..=1; null likewise.
    #[schemars(range(min = 0, max = 1))]
    pub precision: Option<f64>,
    /// Runs that loaded it and called no tool afterwards.
    #[serde(skip)]
    pub idle: usize,
    /// Runs in which a person loaded it.
    #[serde(skip)]
    pub by_user: usize,
    /// Runs that ran a script of it and show no reading.
    #[serde(skip)]
    pub used: usize,
    /// Where cases say that the skill should load or should not: runs with a known state.
    #[serde(skip)]
    pub asked: [IntendedLoads; 2],
}

/// Runs of cases for which the skill should load, or of those for which it should not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntendedLoads {
    pub runs: usize,
    /// Those of them that had it.
    pub had: usize,
}

impl SkillLoadCounts {
    /// Counts the runs of one configuration of `cases`.
    pub fn new(cases: &[Case], configuration: &str) -> Self {
        let mut loads = Self::default();
        for case in cases {
            case.runs_of(configuration).for_each(|run| loads.add(case, run));
        }
        let [wanted, unwanted] = loads.asked;
        loads.recall = share(wanted.had, wanted.runs);
        if unwanted.runs > 0 {
            loads.precision = share(wanted.had, wanted.had + unwanted.had);
        }
        // Runs that should do without it do not count.
        let (had, known) = (loads.had() - unwanted.had, loads.known() - unwanted.runs);
        loads.is_diluted = known > 0 && had * 2 < known;
        loads
    }

    fn add(&mut self, case: &Case, run: &Run) {
        let loading = &run.loading;
        match loading.state {
            LoadingState::Loaded => self.loaded += 1,
            LoadingState::Given => self.given += 1,
            LoadingState::NotLoaded => self.not_loaded += 1,
            LoadingState::Unknown => self.unknown += 1,
        }
        self.idle += usize::from(loading.idle);
        self.by_user += usize::from(loading.by_user);
        self.used += usize::from(loading.used && loading.state != LoadingState::Loaded);
        if let Some((had, should)) = loading.had_skill().zip(case.should_load) {
            let asked = &mut self.asked[usize::from(!should)];
            asked.runs += 1;
            asked.had += usize::from(had);
        }
    }

    /// Runs that had the skill.
    pub fn had(&self) -> usize {
        self.loaded + self.given
    }

    /// Runs of which it is known whether they had it.
    pub fn known(&self) -> usize {
        self.had() + self.not_loaded
    }

    /// All runs.
    pub fn runs(&self) -> usize {
        self.known() + self.unknown
    }
}

/// `None` of nothing.
fn share(part: usize, total: usize) -> Option<f64> {
    if total == 0 { None } else { Some(part as f64 / total as f64) }
}

#[cfg(test)]
mod tests {
    use super::{IntendedLoads, SkillLoadCounts};
    use input::model::{Case, Loading, LoadingState, Run};

    fn case(states: &[LoadingState], should_load: Option<bool>) -> Case {
        let run = |state: &LoadingState| Run {
            configuration: "with_skill".to_owned(),
            loading: Loading { state: *state, ..Loading::default() },
            ..Run::default()
        };
        Case { runs: states.iter().map(run).collect(), should_load, ..Case::default() }
    }

    #[test]
    fn unknown_is_never_counted_as_missing() {
        use LoadingState::{Given, Loaded, NotLoaded, Unknown};
        let loads =
            |states: &[LoadingState]| SkillLoadCounts::new(&[case(states, None)], "with_skill");
        let actual = loads(&[Loaded, Given, NotLoaded, Unknown, Unknown]);
        assert_eq!((actual.had(), actual.known(), actual.runs()), (2, 3, 5));
        let table: [(&[LoadingState], bool); 6] = [
            (&[Unknown, Unknown], false),
            (&[Loaded, Unknown, Unknown], false),
            (&[Loaded, NotLoaded], false),
            (&[Loaded, NotLoaded, NotLoaded], true),
            (&[NotLoaded], true),
            (&[Given, NotLoaded], false),
        ];
        for (states, is_diluted) in table {
            assert_eq!(loads(states).is_diluted, is_diluted, "{states:?}");
        }
    }

    #[test]
    fn recall_and_precision_count_cases_that_state_a_wish() {
        use LoadingState::{Loaded, NotLoaded, Unknown};
        let cases = [
            case(&[Loaded, Loaded, NotLoaded, Unknown], Some(true)),
            case(&[Loaded, NotLoaded, NotLoaded], Some(false)),
            case(&[Loaded], None),
        ];
        let actual = SkillLoadCounts::new(&cases, "with_skill");
        assert_eq!(
            actual.asked,
            [IntendedLoads { runs: 3, had: 2 }, IntendedLoads { runs: 3, had: 1 }]
        );
        assert_eq!((actual.recall, actual.precision), (Some(2.0 / 3.0), Some(2.0 / 3.0)));
        // Of those that should load it or do not say, 3 of 4 had it.
        assert!(!actual.is_diluted);
        let only_wanted = SkillLoadCounts::new(&cases[..1], "with_skill");
        assert_eq!(only_wanted.precision, None);
        assert_eq!(SkillLoadCounts::default().recall, None);
    }
}
