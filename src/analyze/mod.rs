//! Analyze: what the workspace's verdicts and figures add up to.
//!
//! Entry point: [`analysis`]. One rule for every number on every page: it comes from here.

mod configurations;
mod flips;
mod lines;
mod roles;
mod standing;

pub use crate::analyze::configurations::ConfigurationSummary;
pub use crate::analyze::flips::{Fate, Flip, Side, between};
pub use crate::analyze::lines::{CaseLine, Meeting, Rule};
pub use crate::analyze::roles::{Reason, Roles};
pub use crate::analyze::standing::{CaseStanding, Status, standings, tally, tally_of};

use crate::model::{Iteration, Tally, Workspace};
use crate::settings::Settings;

/// The analysis of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct IterationAnalysis {
    /// Which configuration is compared against, and why.
    pub roles: Roles,
    /// Its configurations, candidates before the baseline.
    pub configurations: Vec<ConfigurationSummary>,
}

impl IterationAnalysis {
    /// The candidate that stands for the iteration: the first one, where there is any.
    pub fn candidate(&self) -> Option<&ConfigurationSummary> {
        let name = self.roles.candidates.first()?;
        self.configurations.iter().find(|summary| summary.name == *name)
    }

    /// The baseline, where there is one.
    pub fn baseline(&self) -> Option<&ConfigurationSummary> {
        let name = self.roles.baseline.as_ref()?;
        self.configurations.iter().find(|summary| summary.name == *name)
    }

    /// All verdicts of the iteration's runs.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.configurations.iter().for_each(|summary| tally.add(summary.tally));
        tally
    }
}

/// The analysis of a workspace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// One per iteration, in the workspace's order.
    pub iterations: Vec<IterationAnalysis>,
    /// Every case through all iterations, in natural order of the newest names.
    pub lines: Vec<CaseLine>,
}

/// Analyzes `workspace` as `settings` say.
pub fn analysis(workspace: &Workspace, settings: &Settings) -> Analysis {
    let iterations = workspace.iterations.iter();
    Analysis {
        iterations: iterations.map(|iteration| of_iteration(iteration, settings)).collect(),
        lines: lines::of(workspace),
    }
}

/// Analyzes one iteration.
pub fn of_iteration(iteration: &Iteration, settings: &Settings) -> IterationAnalysis {
    let roles = roles::of(&iteration.configurations, settings);
    let configurations =
        roles.order().map(|name| configurations::summary(iteration, name)).collect();
    IterationAnalysis { roles, configurations }
}
