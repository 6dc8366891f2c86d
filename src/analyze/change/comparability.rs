//! What differs between two sides besides what is compared: prompts, expectations, the model, the
//! graders.

use std::collections::BTreeSet;

use crate::analyze::conditions::{Conditions, Names};
use crate::analyze::flips::Side;
use crate::analyze::lines::CaseLine;
use crate::analyze::statements::key;
use crate::model::{Case, Run, Workspace};
use crate::text::folded;

/// What makes two sides less comparable. Empty where they differ in nothing that is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparability {
    /// Lines on both sides with another prompt.
    pub prompts: Vec<usize>,
    /// Lines with gradings on both sides that were checked by other statements.
    pub expectations: Vec<usize>,
    /// The models that executed the runs, where both sides record them and they differ.
    pub models: Option<Names>,
    /// The graders, where both sides record them and they differ.
    pub graders: Option<Names>,
}

/// What differs between the sides, the earlier one first.
pub(super) fn of(workspace: &Workspace, lines: &[CaseLine], sides: [&Side; 2]) -> Comparability {
    let [before, after] = sides.map(|side| Conditions::of_side(workspace, side));
    let [models, graders] = before.unlike(&after);
    let mut found = Comparability { models, graders, ..Comparability::default() };
    for (index, line) in lines.iter().enumerate() {
        let cases = sides.map(|side| {
            let met = line.meeting(side.iteration)?;
            Some(&workspace.iterations[side.iteration].cases[met.case])
        });
        let [Some(old), Some(new)] = cases else { continue };
        let prompts = [old, new].map(|case| case.prompt.as_deref().map(folded));
        let statements =
            [(old, sides[0]), (new, sides[1])].map(|(case, side)| keys(case, &side.configuration));
        found.prompts.extend(differ(&prompts).then_some(index));
        found.expectations.extend(differ(&statements).then_some(index));
    }
    found
}

/// Whether both are known and not the same.
fn differ<T: PartialEq>(sides: &[Option<T>; 2]) -> bool {
    matches!(sides, [Some(old), Some(new)] if old != new)
}

/// What a configuration of a case was checked by; `None` where it was not graded.
fn keys(case: &Case, configuration: &str) -> Option<BTreeSet<String>> {
    let runs = case.runs.iter().filter(|run| run.configuration == configuration);
    let expectations = runs.flat_map(Run::expectations);
    let keys: BTreeSet<String> = expectations.map(key).collect();
    (!keys.is_empty()).then_some(keys)
}
