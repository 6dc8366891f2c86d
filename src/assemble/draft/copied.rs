//! Counts duplicates once: copies of an iteration, of a case in another folder of its iteration, of
//! a run in another folder of its case. A run reused in a later iteration keeps its place there and
//! names the run that it repeats.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::draft::same::{
    files, fingerprints, has_verdicts, is_repeated_in_full, is_same_run, is_surely_same,
};
use crate::assemble::draft::{CaseDraft, CaseDrafts, Draft, DraftReport, RunDraft};
use crate::assemble::index::differ;
use crate::discover::{IterationKey, names};
use crate::model::{Case, Code, Ignored, Output, Problem, fill};
use crate::text::{folded_name, natural_order};

const COPIED: &str = "lies in a copy of its case's folder";

/// The most possible originals that are compared.
const MAX_COMPARED: usize = 8;
/// The same for similar runs in earlier iterations.
const MAX_LIKELY_ORIGINS: usize = 64;

type RunKey = (String, u32);

#[derive(Clone, Debug)]
struct Address {
    iteration: IterationKey,
    case: String,
    key: RunKey,
}

/// The graded runs of earlier iterations, by properties that copies share.
type KnownRuns = BTreeMap<(u64, String), Vec<Address>>;

impl Draft<'_> {
    /// Joins copies, the narrowest first, and marks reused runs.
    pub(in crate::assemble) fn join_copies(&mut self) {
        for cases in self.iterations.values_mut() {
            join_cases(cases, &mut self.report);
            cases.values_mut().for_each(|case| join_runs(case, &mut self.report));
        }
        let mut keys: Vec<IterationKey> = self.iterations.keys().cloned().collect();
        keys.sort_by(|a, b| {
            let rank = |key: &IterationKey| (key.is_group(), key.path().matches('/').count());
            rank(a).cmp(&rank(b)).then_with(|| natural_order(a.path(), b.path()))
        });
        let mut known_runs = KnownRuns::new();
        for key in keys {
            self.join_iteration(&key, &known_runs);
            for address in self.graded(&key) {
                for lookup in self.lookup_keys(&address) {
                    known_runs.entry(lookup).or_default().push(address.clone());
                }
            }
        }
    }

    /// Drops an iteration whose runs are all copies of another's, which gets whatever only the copy
    /// has. From a group that is not an iteration, single copies are dropped; in an iteration they
    /// are marked.
    fn join_iteration(&mut self, key: &IterationKey, known_runs: &KnownRuns) {
        let graded = self.graded(key);
        let origins: Vec<Vec<&Address>> =
            graded.iter().map(|address| self.origins(address, known_runs)).collect();
        if let Some((original_key, pairs)) = self.whole_original(key, &graded, &origins) {
            if !key.is_group() {
                let message = format!("its runs are copies of those in `{}`", original_key.path());
                let problem = Problem::new(Code::DuplicateGrading, key.path(), message);
                self.report.problems.push(problem.assuming("counted once"));
            }
            pairs.iter().for_each(|(copy, original)| self.move_run(copy, original));
            self.iterations.remove(key);
            self.moved.insert(key.clone(), original_key);
            return;
        }
        for (address, origins) in graded.iter().zip(origins) {
            let Some(original) = origins.first() else { continue };
            if key.is_group() && is_same_arm(&address.key, &original.key) {
                self.move_run(address, original);
                continue;
            }
            let path = self.run_at(original).map(|run| run.path.clone()).unwrap_or_default();
            let Some(run) = self.run_at(address) else { continue };
            let message = format!("the same run as `{path}`, used again");
            let problem = Problem::new(Code::ReusedRun, &run.path, message);
            run.reused_from = Some(path);
            self.report.problems.push(problem.assuming("compared here as a run of this iteration"));
        }
    }

    fn graded(&self, iteration: &IterationKey) -> Vec<Address> {
        let mut graded = Vec::new();
        for (case, draft) in self.iterations.get(iteration).into_iter().flatten() {
            for (key, _) in draft.runs.iter().filter(|(_, run)| has_verdicts(run)) {
                let (iteration, case, key) = (iteration.clone(), case.clone(), key.clone());
                graded.push(Address { iteration, case, key });
            }
        }
        graded
    }

    fn run_at(&mut self, at: &Address) -> Option<&mut RunDraft> {
        self.iterations.get_mut(&at.iteration)?.get_mut(&at.case)?.runs.get_mut(&at.key)
    }

    /// The keys that find a run among the known ones.
    fn lookup_keys(&self, at: &Address) -> Vec<(u64, String)> {
        let case = &self.iterations[&at.iteration][&at.case];
        let names = known_names(&at.case, &case.planned);
        let keys_of_print = |print| names.iter().map(move |name| (print, name.clone()));
        fingerprints(&case.runs[&at.key]).into_iter().flat_map(keys_of_print).collect()
    }

    /// The earlier runs that the run at `address` is a copy of; first those of the same
    /// configuration.
    fn origins<'k>(&self, address: &Address, known_runs: &'k KnownRuns) -> Vec<&'k Address> {
        let case = &self.iterations[&address.iteration][&address.case];
        let run = &case.runs[&address.key];
        let looked_up = self.lookup_keys(address).into_iter();
        let alike = looked_up
            .filter_map(|lookup| known_runs.get(&lookup))
            .flat_map(|addresses| addresses.iter().take(MAX_LIKELY_ORIGINS));
        let is_origin = |other: &&Address| {
            let draft = &self.iterations[&other.iteration][&other.case];
            is_same_case((&other.case, draft), (&address.case, case))
                && is_surely_same(&draft.runs[&other.key], run)
        };
        let mut origins: Vec<&Address> = alike.filter(is_origin).collect();
        origins.sort_by_key(|other| !is_same_arm(&other.key, &address.key));
        origins
    }

    /// The iteration with an original for every run of the one at `key`, and these originals.
    fn whole_original(
        &self,
        key: &IterationKey,
        graded: &[Address],
        origins: &[Vec<&Address>],
    ) -> Option<(IterationKey, Vec<(Address, Address)>)> {
        let original_iteration = &origins.first()?.first()?.iteration;
        let mut pairs = Vec::new();
        for (address, origins) in graded.iter().zip(origins) {
            let mut origins = origins.iter().filter(|other| is_same_arm(&other.key, &address.key));
            let original = origins.find(|other| other.iteration == *original_iteration)?;
            pairs.push((address.clone(), (*original).clone()));
        }
        for (folder, case) in &self.iterations[key] {
            for (run, _) in case.runs.iter().filter(|(_, run)| !has_verdicts(run)) {
                let (original, _) =
                    self.iterations[original_iteration].iter().find(|(other, draft)| {
                        is_same_case((other, draft), (folder, case)) && draft.runs.contains_key(run)
                    })?;
                let [copy, original] =
                    [(key, folder), (original_iteration, original)].map(|(iteration, case)| {
                        Address {
                            iteration: iteration.clone(),
                            case: case.clone(),
                            key: run.clone(),
                        }
                    });
                pairs.push((copy, original));
            }
        }
        Some((original_iteration.clone(), pairs))
    }

    /// Moves whatever only the copy has to `original`. Verdicts of a copy in a group are a problem.
    fn move_run(&mut self, copy: &Address, original: &Address) {
        let Some(cases) = self.iterations.get_mut(&copy.iteration) else { return };
        let Some(case) = cases.get_mut(&copy.case) else { return };
        let Some(run) = case.runs.remove(&copy.key) else { return };
        let planned = case.planned.clone();
        if case.runs.is_empty() {
            cases.remove(&copy.case);
        }
        let into = self.iterations.get_mut(&original.iteration);
        let Some(into) = into.and_then(|cases| cases.get_mut(&original.case)) else { return };
        into.planned.fill_from(&planned);
        let Some(kept) = into.runs.get_mut(&original.key) else { return };
        join_run(kept, run, copy.iteration.is_group(), &mut self.report);
    }
}

/// Joins folders of an iteration that are the same case with copies of its runs.
fn join_cases(cases: &mut CaseDrafts, report: &mut DraftReport) {
    let mut folders: Vec<String> = cases.keys().cloned().collect();
    folders.sort_by(|a, b| natural_order(a, b));
    let mut folders_by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in folders {
        let called = known_names(&folder, &cases[&folder].planned);
        let candidates =
            called.iter().flat_map(|name| folders_by_name.get(name).into_iter().flatten());
        let is_copy = |candidate: &&String| {
            is_copied_case((candidate, &cases[*candidate]), (&folder, &cases[&folder]))
        };
        if let Some(original) = candidates.take(MAX_COMPARED).find(is_copy).cloned() {
            let kept = join(cases, &original, &folder, report);
            let names = folders_by_name.values_mut().flatten().filter(|name| **name == original);
            names.for_each(|name| name.clone_from(&kept));
            continue;
        }
        for name in called {
            folders_by_name.entry(name).or_default().push(folder.clone());
        }
    }
}

/// The id and name that a case states.
fn stated_names(planned: &Case) -> Vec<String> {
    let id = planned.id.as_deref().map(|id| format!("id {}", id.trim()));
    let name = planned.stated_name().map(|name| format!("name {}", folded_name(name)));
    id.into_iter().chain(name).collect()
}

/// The names a case goes by: those it states, its folder with and without a number.
fn known_names(folder: &str, planned: &Case) -> BTreeSet<String> {
    let slug = names::case_number(folder).map(|(_, slug)| slug).filter(|slug| !slug.is_empty());
    let folder = (!folder.is_empty()).then(|| folded_name(folder));
    let folders = slug.into_iter().chain(folder).map(|name| format!("name {name}"));
    stated_names(planned).into_iter().chain(folders).collect()
}

/// Whether two folders have the same name and no plan contradicts.
fn is_same_case(a: (&String, &CaseDraft), b: (&String, &CaseDraft)) -> bool {
    let (of_a, of_b) = (&a.1.planned, &b.1.planned);
    let names = known_names(b.0, of_b);
    let folded = |planned: &Case| planned.stated_name().map(folded_name);
    !differ(&of_a.id, &of_b.id)
        && !differ(&of_a.prompt, &of_b.prompt)
        && !differ(&folded(of_a), &folded(of_b))
        && (a.0 == b.0 || !known_names(a.0, of_a).is_disjoint(&names))
}

/// Whether two folders of one case hold the same runs, as far as both have them. If only the
/// folders' names suggest one case, the runs need more evidence.
fn is_copied_case(a: (&String, &CaseDraft), b: (&String, &CaseDraft)) -> bool {
    let common = || a.1.runs.iter().filter_map(|(key, run)| Some((run, b.1.runs.get(key)?)));
    let names = stated_names(&b.1.planned);
    let is_stated = stated_names(&a.1.planned).iter().any(|name| names.contains(name));
    let is_proof = |(a, b): (&RunDraft, &RunDraft)| {
        has_verdicts(a) && has_verdicts(b) && (is_stated || is_surely_same(a, b))
    };
    is_same_case(a, b) && common().any(is_proof) && common().all(|(a, b)| is_same_run(a, b))
}

/// Joins runs of a case that are copies: in a group of folders next to its own, or numbered but
/// with the same reasons and the same time or tokens.
fn join_runs(case: &mut CaseDraft, report: &mut DraftReport) {
    let mut keys: Vec<RunKey> = case.runs.keys().cloned().collect();
    keys.sort_by_key(|(name, number)| (name.matches('/').count(), *number));
    let mut by_print: BTreeMap<u64, Vec<RunKey>> = BTreeMap::new();
    for key in keys {
        let run = &case.runs[&key];
        let fingerprints = fingerprints(run);
        let mut alike = fingerprints
            .iter()
            .filter_map(|print| by_print.get(print))
            .flatten()
            .take(MAX_COMPARED);
        let is_original = |other: &&RunKey| {
            let other_run = &case.runs[*other];
            let is_apart = other.0 == key.0 && !is_repeated_in_full(other_run, run);
            is_same_arm(other, &key) && !is_apart && is_surely_same(other_run, run)
        };
        let Some(original) = alike.find(is_original).cloned() else {
            fingerprints
                .into_iter()
                .for_each(|print| by_print.entry(print).or_default().push(key.clone()));
            continue;
        };
        let copy = case.runs.remove(&key).unwrap_or_default();
        join_run(case.runs.entry(original).or_default(), copy, true, report);
    }
}

/// Whether two runs are of one configuration, ignoring the groups around either of them.
fn is_same_arm(a: &RunKey, b: &RunKey) -> bool {
    let is_below = |a: &str, b: &str| a.strip_suffix(b).is_some_and(|above| above.ends_with('/'));
    a.0 == b.0 || is_below(&a.0, &b.0) || is_below(&b.0, &a.0)
}

/// Joins the cases at two folders in the one with more files, and returns that folder.
fn join(cases: &mut CaseDrafts, first: &str, second: &str, report: &mut DraftReport) -> String {
    let count = |folder: &str| cases[folder].runs.values().flat_map(files).count();
    let is_first = count(first) >= count(second);
    let (kept, other) = if is_first { (first, second) } else { (second, first) };
    let other = cases.remove(other).unwrap_or_default();
    let case = cases.entry(kept.to_owned()).or_default();
    case.planned.fill_from(&other.planned);
    for (key, run) in other.runs {
        match case.runs.get_mut(&key) {
            Some(kept) => join_run(kept, run, true, report),
            None => _ = case.runs.insert(key, run),
        }
    }
    kept.to_owned()
}

/// Moves whatever only the copy has into a run. Duplicate verdicts are a problem if `is_reported`.
fn join_run(kept: &mut RunDraft, mut copy: RunDraft, is_reported: bool, report: &mut DraftReport) {
    if let Some((_, first)) = kept.gradings.first().filter(|_| is_reported) {
        let message = format!("the same verdicts as in `{}`", first.path);
        report.problems.extend(copy.gradings.iter().map(|(_, grading)| {
            let problem = Problem::new(Code::DuplicateGrading, &grading.path, &message);
            problem.assuming("counted once, as the same run")
        }));
    }
    let mut is_new = |output: &Output| {
        let is_known = files(kept).any(|file| file.name == output.name);
        report.ignored.extend(is_known.then(|| Ignored::file(&output.path, COPIED)));
        !is_known
    };
    copy.outputs.retain(&mut is_new);
    copy.transcripts.retain(&mut is_new);
    kept.outputs.append(&mut copy.outputs);
    kept.transcripts.append(&mut copy.transcripts);
    kept.costs.append(&mut copy.costs);
    fill(&mut kept.notes, &copy.notes);
    if kept.gradings.is_empty() {
        kept.path = copy.path;
        kept.gradings = copy.gradings;
    }
}
