//! Which candidates of a round are judged, and by which change.

use crate::analyze::{Against, Analysis, Change, Side};
use input::model::Workspace;
use input::settings::Settings;

/// The candidates of an iteration. Under several conditions each has a baseline of its own, which is
/// no candidate although no name tells so.
pub(crate) fn judged_sides(analysis: &Analysis, iteration: usize) -> Vec<Side> {
    let roles = &analysis.iterations[iteration].roles;
    let mut sides: Vec<Side> = analysis.candidates_of(iteration).collect();
    sides.retain(|side| {
        !roles.own_baselines.values().any(|baseline| *baseline == side.configuration)
    });
    sides
}

/// The change that judges a candidate: against the one pinned in the settings, else the iteration
/// before, else the baseline. The best iteration so far is compared with the one before. Otherwise
/// a pinned one that is missing has a substitute only in a first iteration.
pub(crate) fn judged_change<'a>(
    workspace: &Workspace,
    analysis: &'a Analysis,
    after: &Side,
    settings: &Settings,
) -> Option<&'a Change> {
    if let Some(pinned) = analysis.change(after, Against::Pinned) {
        return Some(pinned);
    }
    // Rounds of a sweep over models have no earlier one.
    let previous = analysis
        .change(after, Against::Previous)
        .filter(|change| !analysis.are_one_sweep(workspace, &change.before, after));
    let is_first =
        (0..after.iteration).all(|earlier| analysis.candidates_of(earlier).next().is_none());
    let has_substitute = match settings.against.as_deref() {
        None => true,
        Some("best") => previous.is_some() || is_first,
        Some(_) => is_first,
    };
    if !has_substitute {
        return None;
    }
    previous.or_else(|| analysis.change(after, Against::Baseline))
}

#[cfg(test)]
mod tests {
    use super::judged_change;
    use crate::analyze::analysis;
    use input::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use input::settings::Settings;

    fn iteration(name: &str, configurations: &[(&str, Outcome)]) -> Iteration {
        let mut case = Case { name: "a".to_owned(), ..Case::default() };
        let mut iteration = Iteration { name: name.to_owned(), ..Iteration::default() };
        for &(configuration, outcome) in configurations {
            let text = "x".to_owned();
            let expectations = vec![Expectation { text, outcome, ..Expectation::default() }];
            let gradings = vec![Grading { expectations, ..Grading::default() }];
            let configuration = configuration.to_owned();
            iteration.configurations.push(configuration.clone());
            case.runs.push(Run { configuration, gradings, ..Run::default() });
        }
        iteration.cases.push(case);
        iteration
    }

    /// What the candidate of the newest of `iterations` is compared with.
    fn compared_with(iterations: &[Iteration], against: Option<&str>) -> Option<String> {
        let workspace = Workspace { iterations: iterations.to_vec(), ..Workspace::default() };
        let toml = against.map_or(String::new(), |name| format!("against = '{name}'"));
        let settings = Settings::read_file(&toml, "evalbook.toml").unwrap();
        let analysis = analysis(&workspace, &settings);
        let after = analysis.newest_candidate().unwrap();
        let side = &judged_change(&workspace, &analysis, &after, &settings)?.before;
        Some(format!("{} {}", iterations[side.iteration].name, side.configuration))
    }

    #[test]
    fn a_candidate_is_compared_with_the_pinned_then_the_previous_then_the_baseline() {
        fn of(name: &str, skill: &str, outcome: Outcome) -> Iteration {
            iteration(name, &[("without_skill", Outcome::Failed), (skill, outcome)])
        }
        let (passed, failed) = (Outcome::Passed, Outcome::Failed);
        let renamed = [of("one", "skill_v1", passed), of("two", "skill_v2", failed)];
        let kept = [of("one", "s", passed), of("two", "s", failed), of("three", "s", failed)];
        let rising = [of("one", "s", failed), of("two", "s", failed), of("three", "s", passed)];
        let table: [(&[Iteration], Option<&str>, Option<&str>); 13] = [
            (&renamed, Some("one"), Some("one skill_v1")),
            (&renamed, Some("two"), None),
            (&renamed, None, Some("one skill_v1")),
            (&renamed, Some("best"), Some("one skill_v1")),
            (&renamed, Some("first"), None),
            (&renamed[..1], Some("best"), Some("one without_skill")),
            (&renamed[..1], Some("one"), Some("one without_skill")),
            (&kept, None, Some("two s")),
            (&kept, Some("one"), Some("one s")),
            (&kept, Some("best"), Some("one s")),
            (&kept, Some("previous"), Some("two s")),
            (&kept, Some("three"), None),
            (&rising, Some("best"), Some("two s")),
        ];
        for (iterations, against, expected) in table {
            let actual = compared_with(iterations, against);
            assert_eq!(actual.as_deref(), expected, "{} {against:?}", iterations.len());
        }
    }
}
