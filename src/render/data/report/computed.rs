//! Fills the types for computed results and for findings in the files behind the numbers.

use crate::analyze::{
    Analysis, Change, CheckAt, Cost, Expectations, Gain, GraderPair, IterationAnalysis,
    OutcomeOverTime, Quote, Side, SideMove, WinsAndLosses, missing,
};
use crate::digest;
use crate::language::Language;
use crate::render::context::Part;
use crate::report_json::{
    ChangeJson, CostJson, EarlierGainJson, EvidenceJson, FallenJson, GainFigures, GainJson,
    GradersJson, HealthJson, MatchupJson, MissingJson, OutcomeJson, QuotationsJson, RecordedJson,
    ShareJson, SideJson, SideMoveJson, UndecidedJson,
};
use crate::wording::recorded_differences;
use input::model::{Iteration, Outcome, Tally, Workspace};
use statistics::Share;

pub(crate) fn change(workspace: &Workspace, analysis: &Analysis, change: &Change) -> ChangeJson {
    let gain = &change.gain;
    ChangeJson {
        against: change.against.iter().map(|against| against.word().to_owned()).collect(),
        before: side(workspace, &change.before, gain.before),
        after: side(workspace, &change.after, gain.after),
        verdict: gain.verdict().word().to_owned(),
        word: gain.word().name().to_owned(),
        claim: gain.verdict().claim().map(|claim| claim.word().to_owned()),
        undecided: gain.undecided().map(|[before, after]| UndecidedJson { before, after }),
        gain: gain_figures(gain).map(|figures| GainJson {
            measure: gain.measure(),
            scores: gain.scores(),
            figures,
        }),
        time: cost(&change.costs.time),
        tokens: cost(&change.costs.tokens),
        dollars: cost(&change.costs.dollars),
        fallen: gain
            .fallen
            .iter()
            .map(|fall| FallenJson {
                case: analysis.cases[fall.case].name.clone(),
                before: fall.before,
                after: fall.after,
                single_run: fall.is_single_run,
            })
            .collect(),
        only_before: case_names(analysis, &gain.only_before),
        only_after: case_names(analysis, &gain.only_after),
        unlike: case_names(analysis, &gain.unlike),
        negative: case_names(analysis, &gain.negative),
    }
}

fn case_names(analysis: &Analysis, cases: &[usize]) -> Vec<String> {
    cases.iter().map(|case| analysis.cases[*case].name.clone()).collect()
}

/// The figures of `gain`; `None` without a case in common.
pub(crate) fn gain_figures(gain: &Gain) -> Option<GainFigures> {
    let comparison = gain.comparison.as_ref()?;
    let paired = comparison.evidence.paired;
    let (low, high) = digest::interval(gain).map(|interval| (interval.low, interval.high)).unzip();
    let adjusted = comparison.adjusted_p;
    Some(GainFigures {
        mean: paired.mean,
        low,
        high,
        level: gain.range().map(|range| range.confidence),
        cases: paired.cases,
        better: paired.better,
        worse: paired.worse,
        same: paired.same,
        single_run: gain.single,
        ungraded_runs: gain.ungraded,
        ungraded_checks: gain.unjudged,
        p: paired.p,
        at_once: comparison.at_once,
        adjusted_p: adjusted.sign_flip,
        permutation_p: adjusted.permutation,
        moderated_p: adjusted.moderated,
        verdicts_to_undo: gain.undoing().map(|undoing| undoing.count()),
    })
}

fn side(workspace: &Workspace, side: &Side, tally: Tally) -> SideJson {
    SideJson {
        iteration: workspace.iterations[side.iteration].name.clone(),
        configuration: side.configuration.clone(),
        passed: tally.passed,
        failed: tally.failed,
    }
}

fn cost(cost: &Cost) -> Option<CostJson> {
    let ratio = cost.ratio.as_ref()?;
    let (low, high) = ratio.interval.map(|interval| (interval.low, interval.high)).unzip();
    Some(CostJson {
        ratio: ratio.geometric_mean,
        low,
        high,
        of_totals: cost.of_totals,
        before: cost.before,
        after: cost.after,
        cases: ratio.cases,
    })
}

pub(crate) fn outcome(part: &Part<'_>, found: &OutcomeOverTime) -> OutcomeJson {
    let iterations = &part.workspace.iterations;
    OutcomeJson {
        condition: found.condition.clone(),
        outcome: found.outcome,
        iteration: iterations[found.after.iteration].name.clone(),
        configuration: found.after.configuration.clone(),
        gain: found.gain,
        before: found.before.as_ref().map(|before| EarlierGainJson {
            iteration: iterations[before.iteration].name.clone(),
            gain: before.gain,
            with_skill: side_move(before.with_skill),
            without_skill: side_move(before.without_skill),
            change: before.change.difference,
            change_p: before.change.p,
        }),
    }
}

fn side_move(moved: SideMove) -> SideMoveJson {
    let [before, after] = moved.means;
    SideMoveJson { before, after, p: moved.shift.p }
}

pub(super) fn health(part: &Part<'_>, expectations: &Expectations<'_>) -> Option<HealthJson> {
    let health = expectations.health()?;
    Some(HealthJson {
        iteration: part.workspace.iterations[expectations.iteration?].name.clone(),
        expectations: health.statements,
        compared: health.compared,
        uses: expectations.uses().collect(),
        flaky: expectations.flaky(),
        runs: health.runs,
        looks_stable: health.hidden,
        candidate_pass_rate: expectations.candidate.pass_rate(),
        candidate_pass_rate_unsaturated: expectations.candidate_unsaturated.pass_rate(),
    })
}

pub(super) fn graders(pair: &GraderPair) -> GradersJson {
    GradersJson { names: pair.names.clone(), runs: pair.runs, same: share(pair.agreement) }
}

pub(super) fn recorded(iteration: &Iteration, analysis: &IterationAnalysis) -> Vec<RecordedJson> {
    let english = Language::default();
    let mut recorded = Vec::new();
    for (benchmark, discrepancies) in iteration.benchmarks.iter().zip(&analysis.discrepancies) {
        for discrepancy in discrepancies {
            recorded.push(RecordedJson {
                path: benchmark.path.clone(),
                message: recorded_differences::sentence(discrepancy, &english),
                configuration: discrepancy.configuration.clone(),
                recorded: discrepancy.recorded,
                recomputed: discrepancy.ours,
                explained: discrepancy.cause.is_some(),
            });
        }
    }
    recorded
}

pub(super) fn matchups(part: &Part<'_>) -> Vec<MatchupJson> {
    let mut matchups = Vec::new();
    for matchup in &part.analysis.matchups {
        let versions = &matchup.versions;
        let iteration = versions.iteration.map(|at| part.workspace.iterations[at].name.clone());
        let agreement = matchup.agreement;
        let agreement =
            if versions.by_people { Some([agreement.pairs, agreement.same]) } else { None };
        matchups.push(MatchupJson {
            iteration,
            by_people: versions.by_people,
            agreement,
            first: versions.first.clone(),
            second: versions.second.clone(),
            comparisons: matchup.comparisons,
            verdicts: counts(matchup.verdicts),
            cases: counts(matchup.cases),
            p: matchup.p(),
        });
    }
    matchups
}

fn counts(counts: WinsAndLosses) -> [usize; 3] {
    [counts.won, counts.lost, counts.tied]
}

fn share(share: Share) -> ShareJson {
    let interval = share.wilson();
    let (passed, total) = (share.passed(), share.total());
    ShareJson { passed, total, low: interval.low, high: interval.high }
}

pub(super) fn evidence<'p>(part: &'p Part<'_>, index: usize) -> Option<EvidenceJson<'p>> {
    let mut graders = Vec::new();
    for (grader, counts) in part.quotes().by_grader(part.workspace, index) {
        graders.push(QuotationsJson { grader: grader.map(str::to_owned), counts });
    }
    let inconsistent = part.inconsistent().iter().filter(|found| found.iteration() == index);
    let inconsistent: Vec<_> = inconsistent.collect();
    if graders.is_empty() && inconsistent.is_empty() {
        return None;
    }
    let mut unfounded = missing(part.quotes().in_iteration(index));
    // A check that passed on words that are not there is worse than one that failed on them.
    unfounded.sort_by_key(|(at, _)| at.check(part.workspace).outcome != Outcome::Passed);
    let missing =
        unfounded.into_iter().map(|(at, quotes)| missing_json(part.workspace, at, &quotes));
    Some(EvidenceJson { graders, missing: missing.collect(), inconsistent })
}

fn missing_json(workspace: &Workspace, at: CheckAt, quotes: &[&Quote]) -> MissingJson {
    let (run, check) = (at.run(workspace), at.check(workspace));
    MissingJson {
        case: at.case(workspace).name.clone(),
        configuration: run.configuration.clone(),
        run: run.number,
        check: check.text.clone(),
        passed: check.outcome.into(),
        quotations: quotes.iter().map(|quote| quote.text.clone()).collect(),
    }
}
