//! Fills the shapes of what was counted over iterations, graders and blind comparisons.

use crate::analyze::{
    Blind, Contest, Course, Discrepancy, GraderPair, IterationAnalysis, Ranked, Ranking,
};
use crate::digest;
use crate::language::Language;
use crate::model::Iteration;
use crate::render::context::Part;
use crate::render::text::mismatch;
use crate::report_json::{
    BlindJson, ContestJson, CourseJson, GradersJson, RankedJson, RankingJson, RecordedJson,
    ShareJson,
};
use crate::statistics::{CORRECTED_ITEMS, Share};

/// The shape of `found`.
pub(super) fn course(part: &Part<'_>, found: Course) -> CourseJson {
    let name = |index: usize| part.workspace.iterations[index].name.clone();
    CourseJson {
        configuration: found.configuration,
        iterations: found.iterations.iter().map(|index| name(*index)).collect(),
        cases: found.cases,
        levels: found.levels,
        slope: found.trend.map(|trend| trend.slope),
        p: found.trend.map(|trend| trend.p),
        best: found.best.map(|(index, _)| name(index)),
        best_looks_too_good_by: found.best.map(|(_, errors)| errors),
    }
}

/// The shape of `found`. Agreement beyond chance is told of as many statements as on the pages.
pub(super) fn graders(found: GraderPair) -> GradersJson {
    let agreement = found.agreement;
    let is_told = agreement.share.total() as usize >= CORRECTED_ITEMS;
    GradersJson {
        names: found.names,
        runs: found.runs,
        same: share(agreement.share),
        ac1: agreement.ac1.filter(|_| is_told),
        kappa: agreement.kappa.filter(|_| is_told),
    }
}

/// The recorded figures of `iteration` that differ, in the order of its files.
pub(super) fn recorded(iteration: &Iteration, analysis: &IterationAnalysis) -> Vec<RecordedJson> {
    let of = |benchmark| digest::recorded_mismatches(iteration, analysis, benchmark);
    let all =
        iteration.benchmarks.iter().flat_map(|it| of(it).into_iter().map(move |found| (it, found)));
    all.map(|(benchmark, found)| discrepancy(&benchmark.path, &found)).collect()
}

fn discrepancy(path: &str, found: &Discrepancy) -> RecordedJson {
    RecordedJson {
        path: path.to_owned(),
        configuration: found.configuration.clone(),
        recorded: found.recorded,
        recomputed: found.ours,
        message: mismatch::sentence(found, &Language::default()),
        explained: !found.reasons.is_empty(),
    }
}

/// The shape of `found`; `None` where nothing was compared.
pub(super) fn blind(part: &Part<'_>, found: &Blind) -> Option<BlindJson> {
    let is_empty = found.contests.is_empty() && found.letters.is_none();
    let letters = found.letters.as_ref();
    (!is_empty).then(|| BlindJson {
        contests: found.contests.iter().map(|it| contest(part, it)).collect(),
        rankings: found.rankings.iter().map(|it| ranking(part, it)).collect(),
        won_by_a: letters.and_then(|it| Share::new(it.a, it.a + it.b)).map(share),
        letters_p: letters.map(|it| it.bias.p),
    })
}

fn contest(part: &Part<'_>, found: &Contest) -> ContestJson {
    let verdicts = found.verdicts.as_ref();
    ContestJson {
        iteration: name(part, found.iteration),
        first: found.first.clone(),
        second: found.second.clone(),
        comparisons: found.comparisons,
        verdicts: verdicts.map(|it| [it.wins, it.losses, it.ties]).unwrap_or_default(),
        cases: found.by_case(),
        p: verdicts.map(|it| it.sign_flip.p),
        same_when_swapped: found.swapped.map(share),
    }
}

fn ranking(part: &Part<'_>, found: &Ranking) -> RankingJson {
    let ranked = |it: &Ranked| RankedJson {
        name: it.name.clone(),
        record: it.record,
        rating: it.rating,
        low: it.interval.map(|interval| interval.low),
        high: it.interval.map(|interval| interval.high),
    };
    RankingJson {
        iteration: name(part, found.iteration),
        reference: found.reference.clone(),
        versions: found.versions.iter().flatten().map(ranked).collect(),
    }
}

fn name(part: &Part<'_>, iteration: Option<usize>) -> Option<String> {
    iteration.map(|index| part.workspace.iterations[index].name.clone())
}

fn share(share: Share) -> ShareJson {
    let interval = share.wilson();
    let (passed, total) = (share.passed(), share.total());
    ShareJson { passed, total, low: interval.low, high: interval.high }
}
