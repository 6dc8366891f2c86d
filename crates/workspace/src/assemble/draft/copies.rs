//! Counts a run once that lies in two folders: in a copy of its iteration, of its case, or of its configuration.
//!
//! Two runs of one case and side are the same if their verdicts are equal, no reason and no size of a file
//! is another, and a measured figure is equal or, where nothing was measured, all their reasons. `run-1` and
//! `run-2` of one configuration are two runs even so: an agent may be deterministic. A run that a later
//! iteration uses again stays there and names the run it repeats; so does a whole iteration, which was not
//! graded anew.

mod same;
mod trees;

use std::collections::{BTreeMap, BTreeSet};

pub(in crate::assemble) use self::same::{have_equal_reasons, have_other_figures};

use self::same::{
    are_equal_cases, files, fingerprint, has_verdicts, is_graded_again, is_same_run, measured,
    verdict_hash,
};
use crate::assemble::draft::{CaseDraft, CaseDrafts, Draft, DraftReport, RunDraft, RunKey};
use crate::assemble::location::differ;
use input::discover::IterationKey;
use input::model::{Case, Code, Ignored, NO_SKILL, Problem, fill};
use input::names::{self, GivenSkill};
use text::{folded_name, natural_order};

/// How many runs or cases of one name are compared with another.
const MAX_COMPARED: usize = 64;
/// How many cases that say the same are read to be compared.
const MOST_TWINS: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RunAddress {
    iteration: IterationKey,
    case: String,
    run: RunKey,
}

/// What is known of the iterations met so far.
#[derive(Default)]
struct Known {
    /// The graded runs, by their verdicts and a name of their case.
    runs: BTreeMap<(u64, String), Vec<RunAddress>>,
    /// The skills that each iteration says it was planned for.
    skills: BTreeMap<IterationKey, BTreeSet<String>>,
}

impl Known {
    /// Whether each of two iterations says for which skill it was planned, and these differ. An edit may
    /// change no answer, and README asks for no times.
    fn were_planned_apart(&self, one: &IterationKey, other: &IterationKey) -> bool {
        let [one, other] = [&self.skills[one], &self.skills[other]];
        !one.is_empty() && !other.is_empty() && one.is_disjoint(other)
    }
}

/// The bytes of the file at a path; `None` for one that cannot be read.
type Bytes<'r> = &'r dyn Fn(&str) -> Option<Vec<u8>>;

/// A copy and the run it is a copy of.
type CopyOf = (RunAddress, RunAddress);

impl Draft<'_> {
    /// Joins copies, the narrowest first, and marks reused runs. `read` gives the bytes of an output.
    pub(in crate::assemble) fn join_copies(&mut self, read: Bytes<'_>) {
        for cases in self.iterations.values_mut() {
            trees::join(cases, &mut self.report);
            join_cases(cases, read, &mut self.report);
        }
        let mut iterations: Vec<IterationKey> = self.iterations.keys().cloned().collect();
        // What lies closest to the workspace is the original, as `iteration-1` of `raw/iteration-1`.
        iterations.sort_by(|a, b| {
            let [one, other] = [a, b].map(|key| (key.is_group(), key.path().matches('/').count()));
            one.cmp(&other).then_with(|| natural_order(a.path(), b.path()))
        });
        let mut known = Known::default();
        for iteration in iterations {
            let runs = self.iterations[&iteration].values().flat_map(|case| case.runs.values());
            let skills = runs.filter_map(|run| run.measured.skill.clone());
            let skills = skills.filter(|skill| skill != NO_SKILL).collect();
            known.skills.insert(iteration.clone(), skills);
            self.join_iteration(&iteration, &known);
            for address in self.addresses(&iteration) {
                for key in self.lookup_keys(&address) {
                    known.runs.entry(key).or_default().push(address.clone());
                }
            }
        }
    }

    /// Drops an iteration of the same number, or a group, whose runs are all copies of another's, which
    /// gets whatever only the copy has: `iteration-1-view`, `raw/iteration-1`. Otherwise its copies are
    /// marked; but a group that is no iteration loses them.
    fn join_iteration(&mut self, iteration: &IterationKey, known: &Known) {
        let mut originals = BTreeMap::new();
        for address in self.addresses(iteration) {
            originals.insert(address.clone(), self.originals(&address, known));
        }
        let whole = self.whole_original(iteration, &originals);
        if let Some((original, copies)) = whole.filter(|(original, _)| is_view(iteration, original))
        {
            if !iteration.is_group() {
                let message = format!("its runs are copies of those in `{}`", original.path());
                let problem = Problem::new(Code::DuplicateGrading, iteration.path(), message);
                let help = "a next round has runs of its own: run its cases anew";
                self.report.problems.push(problem.assuming("counted once").help(help));
            }
            copies.iter().for_each(|(copy, original)| self.move_run(copy, original));
            self.iterations.remove(iteration);
            self.moved.insert(iteration.clone(), original);
            return;
        }
        // All copies are dropped or none: what is left of half a copy would be an iteration.
        let is_dropped = iteration.is_group() && self.are_all_copies(&originals);
        for (copy, originals) in originals {
            let Some(original) = originals.first() else { continue };
            if is_dropped {
                self.move_run(&copy, original);
            } else {
                self.mark_reused(&copy, original);
            }
        }
    }

    /// Whether every graded run has an original on its own side.
    fn are_all_copies(&self, originals: &BTreeMap<RunAddress, Vec<RunAddress>>) -> bool {
        originals.iter().all(|(copy, originals)| {
            let run = &self.iterations[&copy.iteration][&copy.case].runs[&copy.run];
            let original = originals.first();
            !has_verdicts(run)
                || original.is_some_and(|original| is_same_side(&copy.run, &original.run))
        })
    }

    fn mark_reused(&mut self, copy: &RunAddress, original: &RunAddress) {
        let path = self.run_at(original).map(|run| run.path.clone()).unwrap_or_default();
        let Some(run) = self.run_at(copy) else { return };
        let message = format!("the same run as `{path}`, used again");
        let problem = Problem::new(Code::ReusedRun, &run.path, message);
        run.reused_from = Some(path);
        self.report.problems.push(problem.assuming("compared here as a run of this iteration"));
    }

    fn addresses(&self, iteration: &IterationKey) -> Vec<RunAddress> {
        let mut addresses = Vec::new();
        for (case, draft) in self.iterations.get(iteration).into_iter().flatten() {
            for run in draft.runs.keys() {
                let (iteration, case, run) = (iteration.clone(), case.clone(), run.clone());
                addresses.push(RunAddress { iteration, case, run });
            }
        }
        addresses
    }

    fn run_at(&mut self, at: &RunAddress) -> Option<&mut RunDraft> {
        self.iterations.get_mut(&at.iteration)?.get_mut(&at.case)?.runs.get_mut(&at.run)
    }

    /// The keys that find a run among the known ones; none for a run without verdicts, or one that lies elsewhere.
    fn lookup_keys(&self, at: &RunAddress) -> Vec<(u64, String)> {
        let case = &self.iterations[&at.iteration][&at.case];
        let case_names = known_names(&at.case, &case.planned);
        let mut keys = Vec::new();
        let own = case.runs.get(&at.run).filter(|run| run.reuse.is_none());
        for (_, grading) in own.iter().flat_map(|run| &run.gradings) {
            if grading.tally().graded() > 0 {
                let hash = verdict_hash(grading);
                keys.extend(case_names.iter().map(|name| (hash, name.clone())));
            }
        }
        keys
    }

    /// The earlier runs that the run at `address` is a copy of, the likeliest first.
    fn originals(&self, address: &RunAddress, known: &Known) -> Vec<RunAddress> {
        let case = &self.iterations[&address.iteration][&address.case];
        let mut originals: Vec<RunAddress> = Vec::new();
        for key in self.lookup_keys(address) {
            for other in known.runs.get(&key).into_iter().flatten().take(MAX_COMPARED) {
                let other_case = &self.iterations[&other.iteration][&other.case];
                // A run with the skill is no copy of one without, however short both are.
                let given = [&other.run, &address.run].map(|run| names::given_skill(&run.0));
                if given.contains(&Some(GivenSkill::None)) && given[0] != given[1] {
                    continue;
                }
                if known.were_planned_apart(&other.iteration, &address.iteration) {
                    continue;
                }
                if is_same_case((&other.case, other_case), (&address.case, case))
                    && is_same_run(&other_case.runs[&other.run], &case.runs[&address.run])
                {
                    originals.push(other.clone());
                }
            }
        }
        // A deterministic agent makes equal runs, so number and side tell which is meant.
        originals.sort_by_key(|other| {
            (!is_same_side(&other.run, &address.run), other.run.1 != address.run.1)
        });
        originals
    }

    /// The iteration that has an original for every run of `iteration`, and these originals.
    fn whole_original(
        &self,
        iteration: &IterationKey,
        originals: &BTreeMap<RunAddress, Vec<RunAddress>>,
    ) -> Option<(IterationKey, Vec<CopyOf>)> {
        let original_iteration = &originals.values().flatten().next()?.iteration;
        let mut copies = Vec::new();
        for (copy, originals) in originals {
            let case = &self.iterations[iteration][&copy.case];
            // A run that was never graded is a copy if its folder has the same name.
            let original = if has_verdicts(&case.runs[&copy.run]) {
                originals.iter().find(|original| {
                    original.iteration == *original_iteration
                        && is_same_side(&original.run, &copy.run)
                })?
            } else {
                &self.namesake(copy, original_iteration)?
            };
            copies.push((copy.clone(), original.clone()));
        }
        Some((original_iteration.clone(), copies))
    }

    /// The run of the same case, configuration and number in `iteration`.
    fn namesake(&self, address: &RunAddress, iteration: &IterationKey) -> Option<RunAddress> {
        let case = &self.iterations[&address.iteration][&address.case];
        let mut cases = self.iterations[iteration].iter();
        let (other, _) = cases.find(|(other, draft)| {
            is_same_case((other, draft), (&address.case, case))
                && draft.runs.contains_key(&address.run)
        })?;
        let (iteration, case) = (iteration.clone(), other.clone());
        Some(RunAddress { iteration, case, run: address.run.clone() })
    }

    /// Moves whatever only the copy has to `original`. Verdicts of a copy in a group are a problem.
    fn move_run(&mut self, copy: &RunAddress, original: &RunAddress) {
        let Some(cases) = self.iterations.get_mut(&copy.iteration) else { return };
        let Some(case) = cases.get_mut(&copy.case) else { return };
        let Some(run) = case.runs.remove(&copy.run) else { return };
        let planned = case.planned.clone();
        if case.runs.is_empty() {
            cases.remove(&copy.case);
        }
        let into = self.iterations.get_mut(&original.iteration);
        let Some(into) = into.and_then(|cases| cases.get_mut(&original.case)) else { return };
        into.planned.fill_from(&planned);
        let Some(kept) = into.runs.get_mut(&original.run) else { return };
        join_run(kept, run, copy.iteration.is_group(), &mut self.report);
    }
}

/// Joins folders of an iteration that are the same case with copies of its runs.
fn join_cases(cases: &mut CaseDrafts, read: Bytes<'_>, report: &mut DraftReport) {
    let mut folders: Vec<String> = cases.keys().cloned().collect();
    folders.sort_by(|a, b| natural_order(a, b));
    let mut folders_by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut folders_by_fingerprint: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for folder in folders {
        let case_names = known_names(&folder, &cases[&folder].planned);
        let mut candidates =
            case_names.iter().filter_map(|name| folders_by_name.get(name)).flatten();
        let original = candidates.by_ref().take(MAX_COMPARED).find(|candidate| {
            is_copied_case((candidate, &cases[*candidate]), (&folder, &cases[&folder]))
        });
        if let Some(original) = original.cloned() {
            let kept = join(cases, [&original, &folder], read, report);
            if kept != original {
                let known = folders_by_name.values_mut().flatten();
                known.filter(|name| **name == original).for_each(|name| name.clone_from(&kept));
            }
            continue;
        }
        let print = fingerprint(&cases[&folder]);
        let alike = print.and_then(|hash| folders_by_fingerprint.get(&hash)).into_iter().flatten();
        let twin = alike.take(MOST_TWINS).find(|known| {
            cases.get(*known).is_some_and(|case| are_equal_cases(case, &cases[&folder], read))
        });
        if let Some(twin) = twin.cloned() {
            // A copy lies deeper, or has the date behind its name.
            let mut pair = [&*twin, &*folder];
            pair.sort_by_key(|folder| (folder.matches('/').count(), folder.len()));
            let kept = join(cases, pair, read, report);
            let known = folders_by_name.values_mut().chain(folders_by_fingerprint.values_mut());
            known.flatten().filter(|name| **name == twin).for_each(|name| name.clone_from(&kept));
            continue;
        }
        if let Some(hash) = print {
            folders_by_fingerprint.entry(hash).or_default().push(folder.clone());
        }
        for name in case_names {
            folders_by_name.entry(name).or_default().push(folder.clone());
        }
    }
}

/// The names a case goes by: its id, its name, and its folder with and without a number.
fn known_names(folder: &str, planned: &Case) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    if let Some(id) = &planned.id {
        known.insert(format!("id {}", id.trim()));
    }
    if let Some(name) = planned.stated_name() {
        known.insert(format!("name {}", folded_name(name)));
    }
    if !folder.is_empty() {
        known.insert(format!("name {}", folded_name(folder)));
    }
    if let Some((_, slug)) = names::case_number(folder).filter(|(_, slug)| !slug.is_empty()) {
        known.insert(format!("name {slug}"));
    }
    known
}

/// Whether two folders have the same name and no plan contradicts.
fn is_same_case(a: (&String, &CaseDraft), b: (&String, &CaseDraft)) -> bool {
    let (plan_a, plan_b) = (&a.1.planned, &b.1.planned);
    let name_a = plan_a.stated_name().map(folded_name);
    let name_b = plan_b.stated_name().map(folded_name);
    let is_contradicted = differ(&plan_a.id, &plan_b.id)
        || differ(&plan_a.prompt, &plan_b.prompt)
        || differ(&name_a, &name_b);
    !is_contradicted
        && (a.0 == b.0 || !known_names(a.0, plan_a).is_disjoint(&known_names(b.0, plan_b)))
}

/// Whether two folders of one case hold the same runs, as far as both have them; or whether metadata
/// states that they are one, by the same prompt and the same id or name, whatever ran in them:
/// `warp-plan` and `eval-0`.
fn is_copied_case(a: (&String, &CaseDraft), b: (&String, &CaseDraft)) -> bool {
    if !is_same_case(a, b) {
        return false;
    }
    let (plan, other) = (&a.1.planned, &b.1.planned);
    let has_name = plan.id.is_some() && other.id.is_some()
        || plan.stated_name().is_some() && other.stated_name().is_some();
    if has_name && plan.prompt.is_some() && other.prompt.is_some() {
        return true;
    }
    let mut is_copied = false;
    for (key, run) in &b.1.runs {
        let Some(other) = counterpart(a.1, key).map(|key| &a.1.runs[key]) else { continue };
        if has_verdicts(run) && has_verdicts(other) {
            if !is_same_run(run, other) {
                return false;
            }
            is_copied = true;
        } else if have_other_figures(&measured(run), &measured(other)) {
            return false;
        }
    }
    is_copied
}

/// The run of `case` on the side and with the number of `key`.
fn counterpart<'c>(case: &'c CaseDraft, key: &RunKey) -> Option<&'c RunKey> {
    let same = case.runs.get_key_value(key).map(|(same, _)| same);
    same.or_else(|| case.runs.keys().find(|o| o.1 == key.1 && is_same_side(o, key)))
}

/// Whether a copy of a whole round is only another folder of it: a group, or one of the same number.
/// `iteration-2` with the gradings of `iteration-1` is a round that was not graded anew.
fn is_view(copy: &IterationKey, original: &IterationKey) -> bool {
    let [own, other] = [copy, original].map(|key| names::file_name(key.path()));
    let number = names::iteration_number(own);
    copy.is_group() || own == other || number.is_some() && number == names::iteration_number(other)
}

/// Whether two runs are of one configuration, ignoring the groups around either of them.
fn is_same_side(a: &RunKey, b: &RunKey) -> bool {
    a.0 == b.0
        || [(a, b), (b, a)].iter().any(|(side, group)| {
            side.0.strip_suffix(&group.0).is_some_and(|above| above.ends_with('/'))
        })
}

/// Joins the cases at two folders in the one with more files, and returns that folder.
fn join(
    cases: &mut CaseDrafts,
    [first, second]: [&str; 2],
    read: Bytes<'_>,
    report: &mut DraftReport,
) -> String {
    // A copy of the gradings alone would leave a reviewer without outputs.
    let [of_first, of_second] =
        [first, second].map(|folder| cases[folder].runs.values().flat_map(files).count());
    let (kept, other) = if of_first >= of_second { (first, second) } else { (second, first) };
    let other = cases.remove(other).unwrap_or_default();
    let case = cases.entry(kept.to_owned()).or_default();
    case.planned.fill_from(&other.planned);
    for (key, mut run) in other.runs {
        // A side that only the copy has is a run like any other.
        let Some(same) = counterpart(case, &key).cloned() else {
            case.runs.insert(key, run);
            continue;
        };
        let kept = case.runs.entry(same.clone()).or_default();
        let is_copy = !has_verdicts(kept) || !has_verdicts(&run) || is_same_run(kept, &run);
        if !is_copy && is_graded_again(kept, &run, read) {
            kept.gradings.append(&mut run.gradings);
        } else if !is_copy {
            let numbers = case.runs.keys().filter(|other| other.0 == same.0).map(|other| other.1);
            let number = numbers.max().unwrap_or_default() + 1;
            case.runs.insert((same.0, number), run);
            continue;
        }
        join_run(kept, run, is_copy, report);
    }
    kept.to_owned()
}

/// Moves whatever only the copy has into a run. Duplicate verdicts are a problem if `is_reported`.
fn join_run(kept: &mut RunDraft, mut copy: RunDraft, is_reported: bool, report: &mut DraftReport) {
    if let Some((_, first)) = kept.gradings.first().filter(|_| is_reported) {
        let message = format!("the same verdicts as in `{}`", first.path);
        for (_, grading) in &copy.gradings {
            let problem = Problem::new(Code::DuplicateGrading, &grading.path, &message);
            report.problems.push(problem.assuming("counted once, as the same run"));
        }
    }
    // An output of another name is kept, since the copy may be the only place that has it.
    let known: BTreeSet<String> = files(kept).map(|file| file.name.clone()).collect();
    let outputs = copy.outputs.extract_if(.., |file| known.contains(&file.name));
    let doubles = outputs.chain(copy.transcripts.extract_if(.., |file| known.contains(&file.name)));
    let reason = "lies in a copy of its case's folder";
    report.ignored.extend(doubles.map(|output| Ignored::file(&output.path, reason)));
    kept.outputs.append(&mut copy.outputs);
    kept.transcripts.append(&mut copy.transcripts);
    kept.costs.append(&mut copy.costs);
    fill(&mut kept.notes, &copy.notes);
    if kept.gradings.is_empty() {
        kept.path = copy.path;
        kept.gradings = copy.gradings;
    }
}
