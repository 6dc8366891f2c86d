//! In how many runs the skill was loaded.

use crate::model::{Case, LoadingState, Run};

/// What the records of some runs say of the skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loads {
    /// Runs that loaded it.
    pub loaded: usize,
    /// Runs whose prompt holds it.
    pub given: usize,
    /// Runs that did without it, as their records show.
    pub not_loaded: usize,
    /// Runs without a record that decides.
    pub unknown: usize,
    /// Runs that loaded it and called no tool afterwards.
    pub idle: usize,
    /// Runs in which a person loaded it.
    pub by_user: usize,
    /// Runs that ran a script of it and show no reading.
    pub used: usize,
    /// What was asked of it, where cases say whether it should load.
    pub aim: Aim,
}

/// Runs with a known state of cases that say whether the skill should load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aim {
    /// Runs of cases for which it should load.
    pub wanted: usize,
    /// Those of them that had it.
    pub met: usize,
    /// Runs of cases for which it should not.
    pub unwanted: usize,
    /// Those of them that had it.
    pub missed: usize,
}

impl Aim {
    /// Of the runs that should load it, the share that did.
    pub fn recall(&self) -> Option<f64> {
        (self.wanted > 0).then(|| self.met as f64 / self.wanted as f64)
    }

    /// Of the runs that loaded it, the share that should; `None` unless there are cases of both
    /// kinds.
    pub fn precision(&self) -> Option<f64> {
        let all = self.met + self.missed;
        (all > 0 && self.unwanted > 0).then(|| self.met as f64 / all as f64)
    }
}

impl Loads {
    /// Counts the runs of one configuration of `cases`.
    pub fn new(cases: &[Case], configuration: &str) -> Self {
        let mut loads = Self::default();
        for case in cases {
            case.runs_of(configuration).for_each(|run| loads.add(case, run));
        }
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
        let Some((had, should)) = loading.had_skill().zip(case.should_load) else { return };
        let (all, those) = match should {
            true => (&mut self.aim.wanted, &mut self.aim.met),
            false => (&mut self.aim.unwanted, &mut self.aim.missed),
        };
        *all += 1;
        *those += usize::from(had);
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

    /// Whether fewer than half of the known runs had the skill, so that a gain says little of it.
    /// Runs that should do without it do not count.
    pub fn is_diluted(&self) -> bool {
        let (had, known) = (self.had() - self.aim.missed, self.known() - self.aim.unwanted);
        known > 0 && had * 2 < known
    }
}

#[cfg(test)]
mod tests {
    use super::{Aim, Loads};
    use crate::model::{Case, Loading, LoadingState, Run};

    fn case(states: &[LoadingState], should_load: Option<bool>) -> Case {
        let run = |state: &LoadingState| Run {
            configuration: "with_skill".to_owned(),
            loading: Loading { state: *state, ..Loading::default() },
            ..Run::default()
        };
        Case { runs: states.iter().map(run).collect(), should_load, ..Case::default() }
    }

    #[test]
    fn what_is_unknown_is_never_counted_as_missing() {
        use LoadingState::{Given, Loaded, NotLoaded, Unknown};
        let loads = |states: &[LoadingState]| Loads::new(&[case(states, None)], "with_skill");
        let found = loads(&[Loaded, Given, NotLoaded, Unknown, Unknown]);
        assert_eq!((found.had(), found.known(), found.runs()), (2, 3, 5));
        let table: [(&[LoadingState], bool); 6] = [
            (&[Unknown, Unknown], false),
            (&[Loaded, Unknown, Unknown], false),
            (&[Loaded, NotLoaded], false),
            (&[Loaded, NotLoaded, NotLoaded], true),
            (&[NotLoaded], true),
            (&[Given, NotLoaded], false),
        ];
        for (states, is_diluted) in table {
            assert_eq!(loads(states).is_diluted(), is_diluted, "{states:?}");
        }
    }

    #[test]
    fn recall_and_precision_are_of_cases_that_say_what_they_want() {
        use LoadingState::{Loaded, NotLoaded, Unknown};
        let cases = [
            case(&[Loaded, Loaded, NotLoaded, Unknown], Some(true)),
            case(&[Loaded, NotLoaded, NotLoaded], Some(false)),
            case(&[Loaded], None),
        ];
        let found = Loads::new(&cases, "with_skill");
        assert_eq!(found.aim, Aim { wanted: 3, met: 2, unwanted: 3, missed: 1 });
        assert_eq!(found.aim.recall(), Some(2.0 / 3.0));
        assert_eq!(found.aim.precision(), Some(2.0 / 3.0));
        // Of those that should load it or do not say, 3 of 4 had it.
        assert!(!found.is_diluted());
        let only_wanted = Loads::new(&cases[..1], "with_skill");
        assert_eq!(only_wanted.aim.precision(), None);
        assert_eq!(Loads::default().aim.recall(), None);
    }
}
