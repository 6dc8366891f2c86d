//! Recorded figures that cannot be those of a model, or not of one thing on both sides. Stubs of runners, replayed logs and times that a
//! script made up were met in real workspaces; a ratio of such figures is a wrong number.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::Run;

/// Why a figure has no ratio: it cannot be that of a model, or the sides count different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Implausible {
    /// A run has fewer tokens than its own answer takes.
    TooFewTokens,
    /// A run took more than 0 and less than 1 second, and reports no error.
    UnderASecond,
    /// Most runs of a side took the same time to the millisecond.
    EqualTimes,
    /// The tokens of one side include what it read from a cache, and the other side records no cache.
    CacheOfOneSide,
}

/// No tokenizer writes more characters with one token.
const CHARACTERS_PER_TOKEN: f64 = 12.0;

/// With fewer runs of a side equal times may be chance, if they are rounded to tenths of a second.
const RUNS_FOR_EQUAL_TIMES: usize = 4;

/// No two runs take the same milliseconds.
const RUNS_FOR_EQUAL_MILLISECONDS: usize = 2;

/// Why the tokens of some of `runs` cannot be true.
pub fn implausible_tokens(runs: &[&Run]) -> Option<Implausible> {
    for run in runs {
        let (Some(tokens), Some(length)) = (run.metrics.tokens, answer_length(run)) else {
            continue;
        };
        // 0 stands for a figure that was not measured.
        if tokens > 0.0 && tokens < length / CHARACTERS_PER_TOKEN {
            return Some(Implausible::TooFewTokens);
        }
    }
    None
}

/// Whether the tokens of one side include those of a cache, of which the other side records nothing:
/// a runner that reads the cache in 9 of 10 tokens looks ten times as dear.
pub fn cache_of_one_side(sides: [&[&Run]; 2]) -> Option<Implausible> {
    let [before, after] = sides.map(|runs| runs.iter().any(|run| counts_cache(run)));
    let [old, new] = sides.map(|runs| runs.iter().any(|run| has_cache(run)));
    if before && !new || after && !old { Some(Implausible::CacheOfOneSide) } else { None }
}

/// Whether a run read or wrote a cache. 0 stands for a figure that was not measured.
fn has_cache(run: &Run) -> bool {
    let cached = [run.metrics.cached_tokens, run.metrics.cache_written_tokens];
    cached.into_iter().flatten().any(|tokens| tokens > 0.0)
}

/// Whether the tokens of a run are more than it read and wrote besides its cache.
fn counts_cache(run: &Run) -> bool {
    let read_and_written =
        run.metrics.input_tokens.unwrap_or(0.0) + run.metrics.output_tokens.unwrap_or(0.0);
    has_cache(run) && run.metrics.tokens.is_some_and(|tokens| tokens > read_and_written)
}

/// The characters of the answer, if it is the only file of the run and a text: of several files some
/// may be copies or made by a script.
fn answer_length(run: &Run) -> Option<f64> {
    let [answer] = &run.outputs[..] else { return None };
    let is_text = answer.name.ends_with(".md") || answer.name.ends_with(".txt");
    if is_text { Some(answer.bytes as f64) } else { None }
}

/// Why the times of `runs`, all of one side, cannot be true.
pub fn implausible_times(runs: &[&Run]) -> Option<Implausible> {
    let mut by_millisecond: BTreeMap<u64, usize> = BTreeMap::new();
    let mut total = 0;
    for run in runs {
        let Some(seconds) = run.metrics.duration_s.filter(|seconds| *seconds > 0.0) else {
            continue;
        };
        // A run that broke off may do so at once, or when its time is up.
        if run.error.is_some() {
            continue;
        }
        if seconds < 1.0 {
            return Some(Implausible::UnderASecond);
        }
        total += 1;
        let is_time_limit = seconds % 60.0 == 0.0;
        if !is_time_limit {
            *by_millisecond.entry((seconds * 1000.0).round() as u64).or_default() += 1;
        }
    }
    let most = by_millisecond.into_iter().max_by_key(|(_, runs)| *runs);
    let (time, most) = most.unwrap_or_default();
    let is_rounded = time % 100 == 0;
    let needed = if is_rounded { RUNS_FOR_EQUAL_TIMES } else { RUNS_FOR_EQUAL_MILLISECONDS };
    if total >= needed && most * 2 > total {
        return Some(Implausible::EqualTimes);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Implausible, cache_of_one_side, implausible_times, implausible_tokens};
    use crate::model::{Output, Run};

    #[test]
    fn a_cache_of_one_side_makes_its_tokens_another_figure() {
        let run = |tokens, cached| {
            let mut run = Run::default();
            run.metrics.tokens = Some(tokens);
            run.metrics.input_tokens = Some(5.0);
            run.metrics.output_tokens = Some(1.0);
            run.metrics.cached_tokens = cached;
            run
        };
        let (plain, cached, apart) =
            (run(6.0, None), run(256.0, Some(250.0)), run(6.0, Some(250.0)));
        let zero = run(6.0, Some(0.0));
        for (sides, expected) in [
            ([&plain, &cached], true),
            ([&cached, &plain], true),
            ([&cached, &zero], true),
            ([&cached, &cached], false),
            ([&plain, &apart], false),
            ([&plain, &plain], false),
        ] {
            let found = cache_of_one_side([&[sides[0]], &[sides[1]]]);
            assert_eq!(found.is_some(), expected, "{sides:?}");
        }
    }

    #[test]
    fn figures_that_no_model_has_are_implausible() {
        // Seconds, tokens and bytes of the only answer of each run.
        let table: [(&[(f64, f64, u64)], [Option<Implausible>; 2]); 8] = [
            (&[(9.0, 700.0, 13_500)], [Some(Implausible::TooFewTokens), None]),
            (&[(9.0, 1200.0, 13_500), (0.25, 1200.0, 10)], [None, Some(Implausible::UnderASecond)]),
            (&[(9.5, 70.0, 10); 4], [None, Some(Implausible::EqualTimes)]),
            (&[(9.5, 70.0, 10); 3], [None, None]),
            (&[(9.532, 70.0, 10); 2], [None, Some(Implausible::EqualTimes)]),
            (&[(9.532, 70.0, 10), (9.6, 70.0, 10)], [None, None]),
            // All of them ran out of time.
            (&[(600.0, 70.0, 10); 4], [None, None]),
            // Nothing was measured.
            (&[(0.0, 0.0, 13_500)], [None, None]),
        ];
        for (figures, expected) in table {
            let mut runs = Vec::new();
            for (seconds, tokens, bytes) in figures {
                let (name, path) = ("answer.md".to_owned(), "a/answer.md".to_owned());
                let outputs = vec![Output { name, path, bytes: *bytes }];
                let mut run = Run { outputs, ..Run::default() };
                run.metrics.duration_s = Some(*seconds);
                run.metrics.tokens = Some(*tokens);
                runs.push(run);
            }
            let runs: Vec<&Run> = runs.iter().collect();
            assert_eq!([implausible_tokens(&runs), implausible_times(&runs)], expected);
        }
    }
}
