//! Applies plans to the cases found: prompts, expected outputs, required marks.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::location;
use input::discover::IterationKey;
use input::model::{
    Case, Code, Expectation, Iteration, Outcome, PlannedExpectation, Problem, Run, Workspace, fill,
};
use input::names;
use text::{cut_line, folded_name};

/// Characters of a check in a message.
const CHECK: usize = 60;
/// Gradings of an iteration of which it is looked up whose they are.
const MOST_NAMED: usize = 20;

/// Fills every case from the evals; a case without a prompt gets the one of its transcript in
/// `asked`.
pub(super) fn apply(workspace: &mut Workspace, asked: &BTreeMap<(IterationKey, String), String>) {
    for iteration in &mut workspace.iterations {
        join(&workspace.planned, &mut iteration.cases);
        for case in &mut iteration.cases {
            // A grading in the iteration's own folder belongs to a case that nothing names.
            if case.name.is_empty() {
                case.name = "unnamed case".to_owned();
            }
            mark(case);
            for run in &mut case.runs {
                workspace.problems.extend(take_back_unclear(&case.planned, run));
                workspace.problems.extend(never_graded(&case.planned, run));
            }
        }
        let others = workspace.problems.iter_mut().filter(|found| {
            found.code == Code::OtherChecks && names::below(&found.path, &iteration.path).is_some()
        });
        for problem in others.take(MOST_NAMED) {
            name_other_case(iteration, problem);
        }
        for ((key, folder), prompt) in asked {
            let is_here = key.is_of(iteration);
            let mut cases = iteration.cases.iter_mut().filter(|case| case.folder == *folder);
            if let Some(case) = cases.next().filter(|case| is_here && case.prompt.is_none()) {
                case.prompt = Some(prompt.clone());
            }
        }
    }
    name_by_folder(workspace);
}

/// Says of a grading whose checks are all planned for another case that it is of that one: who copied its
/// texts from the plan would give a case the verdicts of another.
fn name_other_case(iteration: &Iteration, problem: &mut Problem) {
    let gradings = iteration.runs().flat_map(|run| &run.gradings);
    let Some(grading) = gradings.into_iter().find(|grading| grading.path == problem.path) else {
        return;
    };
    let other = iteration.cases.iter().find(|case| {
        grading
            .expectations
            .iter()
            .all(|found| case.planned.iter().any(|plan| is_same_statement(plan, found)))
    });
    if let Some(other) = other {
        problem.help =
            Some(format!("these are the checks of `{}`: grade this run again", other.name));
    }
}

/// Gives a case without a name the name and id that other iterations give to its folder, if they
/// agree.
fn name_by_folder(workspace: &mut Workspace) {
    let mut named: BTreeMap<String, BTreeSet<(String, Option<String>)>> = BTreeMap::new();
    for case in workspace.iterations.iter().flat_map(|iteration| &iteration.cases) {
        if case.name != case.folder && !case.folder.is_empty() {
            let name = (case.name.clone(), case.id.clone());
            named.entry(case.folder.clone()).or_default().insert(name);
        }
    }
    let cases = workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases);
    for case in cases.filter(|case| case.name == case.folder) {
        let names: Vec<_> = named.get(&case.folder).into_iter().flatten().collect();
        let [(name, id)] = names[..] else { continue };
        if case.id.is_none() || case.id == *id {
            case.name.clone_from(name);
            case.id.clone_from(id);
        }
    }
}

/// Fills cases from the plans above them. A single plan applies to a case without a folder.
pub(super) fn join(planned: &[Case], cases: &mut [Case]) {
    let plans = Plans::new(planned, cases);
    for case in cases {
        let plan = match (plans.find(case), planned) {
            (None, [only]) if case.folder.is_empty() => Some(only),
            (plan, _) => plan,
        };
        if let Some(plan) = plan {
            case.fill_from(plan);
            fill(&mut case.name, &plan.id.clone().unwrap_or_default());
        }
    }
}

/// Finds the input files of cases; they are no longer ignored.
pub(super) fn take_inputs(workspace: &mut Workspace) {
    let cases = workspace.iterations.iter().flat_map(|iteration| &iteration.cases);
    let names: BTreeSet<&String> = cases.flat_map(|case| &case.files).collect();
    let mut by_suffix: BTreeMap<&str, &str> = BTreeMap::new();
    for ignored in workspace.ignored.iter().filter(|ignored| ignored.files == Some(1)) {
        let folders = ignored.path.match_indices('/').map(|(at, _)| at + 1);
        for start in std::iter::once(0).chain(folders) {
            by_suffix.entry(&ignored.path[start..]).or_insert(&ignored.path);
        }
    }
    let mut inputs = BTreeMap::new();
    for name in names {
        if let Some(path) = by_suffix.get(name.strip_prefix("./").unwrap_or(name)) {
            inputs.insert(name.clone(), (*path).to_owned());
        }
    }
    workspace.inputs = inputs;
    let paths: BTreeSet<&String> = workspace.inputs.values().collect();
    workspace.ignored.retain(|ignored| !paths.contains(&ignored.path));
}

/// Plans by the names of cases; the first of several with one name counts.
#[derive(Default)]
struct Plans<'p> {
    planned: &'p [Case],
    by_id: BTreeMap<&'p str, usize>,
    by_name: BTreeMap<String, usize>,
    /// By id, both as is and as the name of a folder.
    by_folder: BTreeMap<String, usize>,
    by_number: BTreeMap<&'p str, Vec<usize>>,
    /// The text after the number in the folders of cases, by that number.
    folders: BTreeMap<String, Vec<String>>,
}

impl<'p> Plans<'p> {
    fn new(planned: &'p [Case], cases: &[Case]) -> Self {
        let mut plans = Self { planned, ..Self::default() };
        for (at, plan) in planned.iter().enumerate() {
            if let Some(name) = plan.stated_name() {
                plans.by_name.entry(folded_name(name)).or_insert(at);
            }
            let Some(id) = &plan.id else { continue };
            plans.by_id.entry(id).or_insert(at);
            // The skill-creator calls the folder of eval 3 `eval-3`, or `eval-3-name`.
            plans.by_folder.entry(format!("eval_{}", folded_name(id))).or_insert(at);
            plans.by_folder.entry(folded_name(id)).or_insert(at);
            let number = names::unpadded(location::number_of(id));
            plans.by_number.entry(number).or_default().push(at);
        }
        for (number, rest) in cases.iter().filter_map(|case| names::case_number(&case.folder)) {
            plans.folders.entry(number).or_default().push(rest);
        }
        plans
    }

    /// The plan of `case`: by id, else by name, else by a number that only its folder has.
    fn find(&self, case: &Case) -> Option<&'p Case> {
        if let Some(id) = &case.id
            && let Some(plan) = self.by_id.get(id.as_str())
        {
            return self.planned.get(*plan);
        }
        let wanted = [folded_name(&case.name), folded_name(&case.folder)];
        for plans in [&self.by_name, &self.by_folder] {
            if let Some(plan) = wanted.iter().filter_map(|name| plans.get(name)).min() {
                return self.planned.get(*plan);
            }
        }
        if case.id.is_none() { self.find_by_number(&case.folder) } else { None }
    }

    /// The plan with the number in the name of `folder`, if no other folder could be meant.
    fn find_by_number(&self, folder: &str) -> Option<&'p Case> {
        // 22 public repositories have folders such as `eval-3-some-slug`, and the plan says 3.
        let (number, rest) = names::case_number(folder)?;
        let numbered = self.by_number.get(number.as_str())?;
        let plan = *numbered.iter().find(|plan| self.may_be_of(**plan, &rest))?;
        let mut folders = self.folders.get(&number)?.iter();
        let is_only = folders.by_ref().filter(|rest| self.may_be_of(plan, rest)).count() == 1;
        if is_only { self.planned.get(plan) } else { None }
    }

    /// Whether a folder with the number of `plan` and then `rest` can belong to it: not if `rest`
    /// is the name of another plan.
    fn may_be_of(&self, plan: usize, rest: &str) -> bool {
        let named = if rest.is_empty() { None } else { self.by_name.get(rest) };
        named.is_none_or(|named| self.planned[*named].id == self.planned[plan].id)
    }
}

/// Counts the planned expectations that the grading of `run` lacks, which is a problem. A grader with
/// statements of its own follows another plan, which is worth a note.
fn never_graded(planned: &[PlannedExpectation], run: &mut Run) -> Option<Problem> {
    // The verdicts that are not judged anew lie with the run itself.
    if run.reuse.is_some() {
        return None;
    }
    let grading = run.gradings.first_mut()?;
    let graded = &grading.expectations;
    if grading.tally().graded() == 0 {
        return None;
    }
    let mut lacking =
        planned.iter().filter(|plan| !graded.iter().any(|found| is_same_statement(plan, found)));
    let first = lacking.next()?;
    let missing = 1 + lacking.count();
    let mut found = graded.iter();
    if let Some(other) =
        found.find(|found| !planned.iter().any(|plan| is_same_statement(plan, found)))
    {
        let [first, other] = [&first.text, &other.text].map(|text| cut_line(text, CHECK));
        let message = format!(
            "{missing} of {} planned checks are not in this grading, which has others: `{other}`, \
             and not `{first}`",
            planned.len(),
        );
        let problem = Problem::new(Code::OtherChecks, &grading.path, message);
        let help = "copy the texts of the checks from the plan, word for word";
        return Some(problem.assuming("compared by the checks that it has").help(help));
    }
    let first = cut_line(&first.text, CHECK);
    let message = format!(
        "{missing} of {} planned checks were never graded, such as `{first}`",
        planned.len()
    );
    // A check under the text of another one leaves its own out.
    let mut texts = BTreeSet::new();
    let double = graded.iter().find(|found| !texts.insert(&found.text));
    let help = match double {
        Some(double) => {
            format!("`{}` is graded twice: is one of them meant?", cut_line(&double.text, CHECK))
        }
        None => "grade them, or take them out of the plan".to_owned(),
    };
    grading.never_graded = missing;
    let problem = Problem::new(Code::NeverGraded, &grading.path, message);
    Some(problem.assuming("counted as ungraded").help(help))
}

/// Takes back the verdicts of checks that the plan wants avoided where these may mean either way, which is
/// a problem. What the grading itself calls a check to avoid is read so already.
fn take_back_unclear(planned: &[PlannedExpectation], run: &mut Run) -> Option<Problem> {
    let mut lost = 0;
    let mut path = None;
    for grading in &mut run.gradings {
        for found in &mut grading.expectations {
            let is_to_avoid =
                || planned.iter().any(|plan| plan.avoid && is_same_statement(plan, found));
            if found.says_met && found.outcome != Outcome::Ungraded && is_to_avoid() {
                found.outcome = Outcome::Ungraded;
                lost += 1;
                path.get_or_insert_with(|| grading.path.clone());
            }
        }
    }
    let message =
        format!("{lost} verdicts on checks that the plan wants avoided leave open what is good");
    let problem = Problem::new(Code::LostVerdicts, &path?, message);
    let help = "write `passed`: true if the check is as it should be";
    Some(problem.assuming("read as ungraded").help(help))
}

/// Copies the required mark and the description of the plan to graded expectations. One with only an
/// id gets its statement.
fn mark(case: &mut Case) {
    let Case { planned, runs, .. } = case;
    let gradings = runs.iter_mut().flat_map(|run| &mut run.gradings);
    for graded in gradings.flat_map(|grading| &mut grading.expectations) {
        if let Some(plan) = planned.iter().find(|plan| is_same_statement(plan, graded)) {
            graded.required = graded.required.or(plan.required);
            if graded.id.as_ref() == Some(&graded.text) {
                graded.text.clone_from(&plan.text);
            }
            if graded.description.is_none() && plan.description.as_ref() != Some(&graded.text) {
                graded.description.clone_from(&plan.description);
            }
        }
    }
}

/// Whether a graded statement is the planned one. Some graders repeat the id instead of the text.
fn is_same_statement(plan: &PlannedExpectation, graded: &Expectation) -> bool {
    plan.id.is_some() && plan.id == graded.id
        || plan.text == graded.text
        || plan.text.trim().to_lowercase() == graded.text.trim().to_lowercase()
        || plan.id.as_ref() == Some(&graded.text)
}
