//! Cases that stand in two folders of one iteration: copies are put together and count once.

use std::collections::BTreeMap;

use crate::assemble::cost;
use crate::assemble::draft::gradings::same_reasons;
use crate::assemble::draft::{CaseDraft, Cases, Draft, RunDraft};
use crate::assemble::index::fill_case;
use crate::model::{Code, Grading, Ignored, Metrics, Output, PlannedCase, Problem};
use crate::text::{folded_name, natural_order};

/// Why an output of a copy is ignored.
const COPIED: &str = "lies in a copy of its case's folder";

/// With so many folders that state the same case another is compared.
const COMPARED: usize = 8;

/// The configuration and number of a run.
type RunKey = (String, u32);

impl Draft<'_> {
    /// Makes one case of the folders of an iteration that state the same case and hold copies of
    /// the same runs.
    pub(in crate::assemble) fn join_copies(&mut self) {
        for cases in self.iterations.values_mut() {
            let mut folders: Vec<String> = cases.keys().cloned().collect();
            folders.sort_by(|a, b| natural_order(a, b));
            let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for folder in folders {
                let stated = stated(&cases[&folder].planned);
                let beside = stated.iter().flat_map(|name| known.get(name).into_iter().flatten());
                let copied = beside.take(COMPARED).find(|of| is_copy(&cases[*of], &cases[&folder]));
                if let Some(of) = copied.cloned() {
                    let kept = join(cases, &of, &folder, &mut self.problems, &mut self.ignored);
                    let names = known.values_mut().flatten().filter(|name| **name == of);
                    names.for_each(|name| name.clone_from(&kept));
                    continue;
                }
                for name in stated {
                    known.entry(name).or_default().push(folder.clone());
                }
            }
        }
    }
}

/// What a case states that it is: its id, its name.
fn stated(planned: &PlannedCase) -> Vec<String> {
    let id = planned.id.as_deref().map(|id| format!("id {}", id.trim()));
    let name = planned.name.as_deref().map(|name| format!("name {}", folded_name(name)));
    id.into_iter().chain(name).collect()
}

/// Whether two folders that state the same case hold the same runs, as far as both have them.
fn is_copy(a: &CaseDraft, b: &CaseDraft) -> bool {
    let agree = |a: &Option<String>, b: &Option<String>| {
        a.as_deref().zip(b.as_deref()).is_none_or(|(a, b)| a.trim() == b.trim())
    };
    let (of_a, of_b) = (&a.planned, &b.planned);
    let is_same_case = agree(&of_a.id, &of_b.id)
        && agree(&of_a.prompt, &of_b.prompt)
        && agree(&of_a.name.as_deref().map(folded_name), &of_b.name.as_deref().map(folded_name));
    let common = || a.runs.iter().filter_map(|(key, run)| Some((run, b.runs.get(key)?)));
    let is_graded = |(a, b): (&RunDraft, &RunDraft)| has_verdicts(a) && has_verdicts(b);
    is_same_case && common().any(is_graded) && common().all(|(a, b)| is_same_run(a, b))
}

fn has_verdicts(run: &RunDraft) -> bool {
    run.gradings.iter().any(|(_, grading)| grading.tally().graded() > 0)
}

/// Whether nothing says that two runs are not one, and, where both are graded, something besides
/// the verdicts says that they are: few verdicts are soon alike by chance.
fn is_same_run(a: &RunDraft, b: &RunDraft) -> bool {
    let outputs = || common_outputs(a, b);
    let (figures, others) = (merged(a), merged(b));
    let is_apart = contradict(&figures, &others) || outputs().any(|(x, y)| x.bytes != y.bytes);
    if is_apart || !(has_verdicts(a) && has_verdicts(b)) {
        return !is_apart;
    }
    let repeats = |(_, x): &(_, Grading)| a.gradings.iter().any(|(_, y)| is_repeated(x, y));
    let mut all = b.gradings.iter();
    let has_reasons = b.gradings.iter().flat_map(|(_, it)| &it.expectations);
    let mut has_reasons = has_reasons.filter_map(|it| it.evidence.as_deref());
    let is_told = has_reasons.any(|it| !it.trim().is_empty())
        || is_measured(&figures, &others)
        || outputs().any(|(x, _)| x.bytes > 0);
    is_told && all.all(repeats)
}

fn is_repeated(a: &Grading, b: &Grading) -> bool {
    let evidence = |it: &Grading| -> Vec<Option<String>> {
        it.expectations.iter().map(|it| it.evidence.clone()).collect()
    };
    a.same_verdicts(b) && same_reasons(a, b) && evidence(a) == evidence(b)
}

fn common_outputs<'a>(
    a: &'a RunDraft,
    b: &'a RunDraft,
) -> impl Iterator<Item = (&'a Output, &'a Output)> {
    let of_a: BTreeMap<&str, &Output> = files(a).map(|it| (it.name.as_str(), it)).collect();
    files(b).filter_map(move |it| Some((*of_a.get(it.name.as_str())?, it)))
}

fn files(run: &RunDraft) -> impl Iterator<Item = &Output> {
    run.outputs.iter().chain(&run.transcripts)
}

fn merged(run: &RunDraft) -> Metrics {
    cost::merge(run.costs.clone()).0
}

/// The figures that two runs hardly have in common by chance.
fn figures(of: &Metrics) -> [Option<f64>; 3] {
    [of.duration_s, of.tokens, of.cost_usd]
}

fn contradict(a: &Metrics, b: &Metrics) -> bool {
    let differ = |a: &Option<String>, b: &Option<String>| {
        a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a != b)
    };
    let mut pairs = figures(a).into_iter().zip(figures(b));
    pairs.any(|(a, b)| a.zip(b).is_some_and(|(a, b)| a != b))
        || differ(&a.model, &b.model)
        || differ(&a.started, &b.started)
}

fn is_measured(a: &Metrics, b: &Metrics) -> bool {
    let mut pairs = figures(a).into_iter().zip(figures(b));
    pairs.any(|(a, b)| a.zip(b).is_some_and(|(a, b)| a == b && a > 0.0))
}

/// Puts the cases at two folders together in the one that has more files, and gives that one.
fn join(
    cases: &mut Cases,
    first: &str,
    second: &str,
    problems: &mut Vec<Problem>,
    ignored: &mut Vec<Ignored>,
) -> String {
    let count = |folder: &str| cases[folder].runs.values().flat_map(files).count();
    let is_first = count(first) >= count(second);
    let (kept, other) = if is_first { (first, second) } else { (second, first) };
    let other = cases.remove(other).unwrap_or_default();
    let case = cases.entry(kept.to_owned()).or_default();
    fill_case(&mut case.planned, other.planned);
    for (key, run) in other.runs {
        join_run(&mut case.runs, key, run, problems, ignored);
    }
    kept.to_owned()
}

fn join_run(
    runs: &mut BTreeMap<RunKey, RunDraft>,
    key: RunKey,
    mut other: RunDraft,
    problems: &mut Vec<Problem>,
    ignored: &mut Vec<Ignored>,
) {
    let Some(kept) = runs.get_mut(&key) else {
        runs.insert(key, other);
        return;
    };
    let is_new = |output: &Output| {
        let is_known = files(kept).any(|it| it.name == output.name);
        let path = output.path.clone();
        ignored.extend(is_known.then_some(Ignored { path, reason: COPIED, files: Some(1) }));
        !is_known
    };
    let mut is_new = is_new;
    other.outputs.retain(&mut is_new);
    other.transcripts.retain(&mut is_new);
    kept.outputs.append(&mut other.outputs);
    kept.transcripts.append(&mut other.transcripts);
    kept.costs.append(&mut other.costs);
    if kept.notes.is_empty() {
        kept.notes = other.notes;
    }
    let Some((_, first)) = kept.gradings.first() else {
        kept.path = other.path;
        kept.gradings = other.gradings;
        return;
    };
    problems.extend(other.gradings.iter().map(|(_, copy)| {
        let message = format!("the same verdicts as in `{}`", first.path);
        Problem::new(Code::DuplicateGrading, &copy.path, message)
            .assuming("counted once, because both folders state the same case")
    }));
}
