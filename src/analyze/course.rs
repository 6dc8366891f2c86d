//! The course of a configuration over its iterations: is there a trend, and how much too good does
//! the best of them look?
//!
//! Only iterations that can be held against each other count, on the cases that all of them graded
//! unchanged: those that [`best`](crate::analyze::best) compares.

use crate::analyze::standing::case_rate;
use crate::analyze::{Analysis, Change, Side};
use crate::model::Workspace;
use crate::statistics::{Trend, best_of, mean};

/// So many iterations make a trend.
const TREND_FROM: usize = 4;

/// From so many iterations on the best one is said to look too good.
const BEST_FROM: usize = 3;

/// One configuration over several iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The configuration.
    pub configuration: String,
    /// Indices of the iterations, in order.
    pub iterations: Vec<usize>,
    /// How many cases all of them graded with the same prompt and expectations.
    pub cases: usize,
    /// The level of each iteration on these cases: the mean over cases.
    pub levels: Vec<f64>,
    /// The trend of the levels; `None` for fewer than four iterations.
    pub trend: Option<Trend>,
    /// Index of the best iteration, with the gain in shares of 1 by which the best of so many equally
    /// good ones looks too good; `None` for fewer than three.
    pub best: Option<(usize, f64)>,
}

/// The course of the newest candidate; `None` where fewer than two of its iterations can be held
/// against each other.
pub fn course(workspace: &Workspace, analysis: &Analysis) -> Option<Course> {
    let configuration = analysis.newest_candidate()?.configuration;
    let best = analysis.best.get(&configuration)?;
    let mut levels: Vec<f64> = Vec::new();
    for iteration in &best.among {
        let cases = best.shared.iter().filter_map(|line| {
            case_rate(analysis.lines[*line].case(workspace, *iteration)?, &configuration)
        });
        levels.push(mean(&cases.collect::<Vec<_>>())?);
    }
    let number = levels.len();
    // Of equals none is picked.
    let are_several = levels.iter().any(|level| (level - levels[0]).abs() > 1e-9);
    let is_of_best = |change: &&Change| {
        let sides = [&change.before, &change.after];
        let is_among = |side: &&Side| best.among.contains(&side.iteration);
        sides.iter().all(|side| side.configuration == configuration && is_among(side))
            && sides.iter().any(|side| side.iteration == best.iteration)
    };
    let error =
        analysis.changes.iter().find(is_of_best).and_then(|change| change.gain.version_error);
    let too_good = best_of(number as u64).zip(error).map(|(errors, error)| errors * error);
    let too_good = too_good.filter(|_| number >= BEST_FROM && are_several);
    Some(Course {
        iterations: best.among.clone(),
        cases: best.shared.len(),
        trend: Trend::new(&levels).filter(|_| number >= TREND_FROM),
        best: too_good.map(|points| (best.iteration, points)),
        levels,
        configuration,
    })
}

#[cfg(test)]
mod tests {
    use super::course;
    use crate::analyze::analysis;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    /// One case per number of passes of 4; `None` was not graded.
    fn workspace(iterations: &[(&[Option<usize>], &str)]) -> Workspace {
        let case = |(name, passed): (usize, &Option<usize>), model: &str| {
            let outcome = |at: usize| match passed {
                Some(passed) if at < *passed => Outcome::Passed,
                Some(_) => Outcome::Failed,
                None => Outcome::Ungraded,
            };
            let expectation = |at: usize| Expectation {
                text: format!("statement {at}"),
                outcome: outcome(at),
                ..Expectation::default()
            };
            let expectations = (0..4).map(expectation).collect();
            let gradings = vec![Grading { expectations, ..Grading::default() }];
            let mut run = Run { configuration: "s".to_owned(), gradings, ..Run::default() };
            run.metrics.model = Some(model.to_owned());
            Case { name: format!("case {name}"), runs: vec![run], ..Case::default() }
        };
        let iterations = iterations.iter().map(|(cases, model)| Iteration {
            configurations: vec!["s".to_owned()],
            cases: cases.iter().enumerate().map(|found| case(found, model)).collect(),
            ..Iteration::default()
        });
        Workspace { iterations: iterations.collect(), ..Workspace::default() }
    }

    fn of(iterations: &[(&[Option<usize>], &str)]) -> Option<super::Course> {
        let workspace = workspace(iterations);
        course(&workspace, &analysis(&workspace, &Settings::default()))
    }

    #[test]
    fn four_iterations_have_a_trend_and_three_a_best_that_looks_too_good() {
        let levels: [&[Option<usize>]; 4] =
            [&[Some(0), Some(2)], &[Some(2), Some(2)], &[Some(2), Some(4)], &[Some(4), Some(4)]];
        let four = of(&levels.map(|level| (level, "m"))).unwrap();
        assert_eq!(four.levels, [0.25, 0.5, 0.75, 1.0]);
        let trend = four.trend.unwrap();
        assert!((trend.slope - 0.25).abs() < 1e-12 && (trend.p - 2.0 / 24.0).abs() < 1e-12);
        let (best, points) = four.best.unwrap();
        assert!(best == 3 && (0.1..0.4).contains(&points), "{points}");
        let three = of(&[(levels[0], "m"), (levels[1], "m"), (levels[2], "m")]).unwrap();
        assert!(three.trend.is_none() && three.best.is_some());
        let two = of(&[(levels[0], "m"), (levels[1], "m")]).unwrap();
        assert!(two.best.is_none());
    }

    #[test]
    fn only_what_can_be_held_against_each_other_counts() {
        let all: &[Option<usize>] = &[Some(4), Some(1)];
        let found = of(&[(all, "a"), (all, "b"), (&[None, Some(2)], "b"), (all, "b")]).unwrap();
        assert_eq!(
            (found.iterations, found.cases),
            (vec![1, 2, 3], 1),
            "another model, no verdict"
        );
        let equal = of(&[(all, "a"), (all, "a"), (all, "a"), (all, "a")]).unwrap();
        assert!(equal.best.is_none(), "of equals none was picked");
        assert!((equal.trend.unwrap().p - 1.0).abs() < 1e-12);
        assert_eq!(of(&[(&[None], "a"), (&[None], "a")]), None);
        assert_eq!(of(&[(all, "a")]), None);
    }
}
