//! Which level each folder is.
//!
//! [`cases`] finds the cases first. Then every folder gets its role from the top down: above a case
//! are iterations, groups and configurations that come first; below it configurations and runs.
//! Structure decides first (which folders hold runs, what repeats below neighbors); names decide
//! where structure allows two readings.

mod cases;

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::roles::cases::{FoundCases, Hint};
use crate::discover::tree::{Tree, TreeFolder};
use crate::names;
use text::folded_name;

/// What a folder is, by which its files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discover) enum FolderRole {
    /// Groups the folders below and becomes part of the iteration's name.
    Group,
    /// Groups the folders below and has no meaning of its own (`runs`, `results`).
    Container,
    Iteration,
    Case,
    Configuration,
    Run,
    Outputs,
    /// A folder inside a run's folder or its outputs.
    Inside,
    /// A copy of the skill, or a folder in one.
    Snapshot,
    /// Of no run and no case; only documents about whole iterations are read in it.
    Apart,
}

#[derive(Debug, Default)]
pub(super) struct FolderRoles {
    roles: BTreeMap<String, FolderRole>,
    /// Cases with folders of configurations in them.
    configured: BTreeSet<String>,
}

impl FolderRoles {
    /// Assigns every folder of `tree` its role; the root, called `root_name`, may be an iteration
    /// or a case.
    pub(super) fn new(tree: &Tree, root_name: &str) -> Self {
        let root = role_of_root(tree, root_name);
        let cases = cases::find_cases(tree, root == FolderRole::Iteration);
        let mut roles = Self::default();
        roles.roles.insert(String::new(), root);
        roles.walk(tree, &cases, "", root, Levels::default().below(root));
        roles
    }

    pub(super) fn get(&self, path: &str) -> FolderRole {
        self.roles.get(path).copied().unwrap_or(FolderRole::Apart)
    }

    /// Every folder with its role, in byte order of the paths.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, FolderRole)> {
        self.roles.iter().map(|(path, role)| (path.as_str(), *role))
    }

    pub(super) fn is_configured(&self, path: &str) -> bool {
        self.configured.contains(path)
    }

    fn walk(
        &mut self,
        tree: &Tree,
        cases: &FoundCases,
        parent: &str,
        above: FolderRole,
        levels: Levels,
    ) {
        for name in &tree.get(parent).folders {
            let path = names::join(parent, name);
            let context = FolderContext { tree, cases, parent, name, path: &path, above, levels };
            let role = context.role();
            if role == FolderRole::Configuration {
                self.configured.insert(self.case_around(parent).to_owned());
            }
            self.roles.insert(path.clone(), role);
            self.walk(tree, cases, &path, role, levels.below(role));
        }
    }

    /// The case that a configuration in `path` belongs to, with runs and containers in between.
    fn case_around<'p>(&self, mut path: &'p str) -> &'p str {
        while !path.is_empty() && matches!(self.get(path), FolderRole::Run | FolderRole::Container)
        {
            path = names::folder(path);
        }
        path
    }
}

fn role_of_root(tree: &Tree, name: &str) -> FolderRole {
    let folder = tree.get("");
    let has_iterations = folder.folders.iter().any(|name| names::is_iteration(name));
    let has_runs = folder.holds_runs() || tree.has_configurations("");
    // A workspace may be called `iteration-2-spelled-otherwise`.
    if names::is_iteration(name) && !has_iterations {
        FolderRole::Iteration
    } else if !has_iterations && has_runs && (folder.describes_case() || names::is_case(name)) {
        FolderRole::Case
    } else {
        FolderRole::Group
    }
}

/// Which levels are above a folder: what may follow depends on them.
#[derive(Clone, Copy, Debug, Default)]
struct Levels {
    iteration: bool,
    case: bool,
    configuration: bool,
    run: bool,
}

impl Levels {
    /// The levels above what lies in a folder of this role.
    fn below(mut self, role: FolderRole) -> Self {
        match role {
            FolderRole::Iteration => self = Self { iteration: true, ..Self::default() },
            FolderRole::Case => self.case = true,
            FolderRole::Configuration => self.configuration = true,
            FolderRole::Run => self.run = true,
            _ => {}
        }
        self
    }

    fn any_below_case(self) -> bool {
        self.configuration || self.run
    }

    /// Whether anything above is a run or part of one.
    fn any_run_level(self) -> bool {
        self.case || self.configuration || self.run
    }
}

struct FolderContext<'a> {
    tree: &'a Tree,
    cases: &'a FoundCases,
    parent: &'a str,
    name: &'a str,
    path: &'a str,
    above: FolderRole,
    levels: Levels,
}

impl FolderContext<'_> {
    fn role(&self) -> FolderRole {
        match self.above {
            FolderRole::Snapshot => return FolderRole::Snapshot,
            FolderRole::Outputs | FolderRole::Inside => return FolderRole::Inside,
            FolderRole::Apart => return FolderRole::Apart,
            _ => {}
        }
        // A folder with a `SKILL.md` that holds no runs is a copy of the skill.
        let is_copy = self.folder().has_skill && !self.has_runs() && !self.levels.any_run_level();
        if names::is_snapshot(self.name) || is_copy {
            FolderRole::Snapshot
        } else if names::is_trigger_loops(self.name) {
            FolderRole::Apart
        } else if names::is_output_folder(self.name) {
            self.role_of_output_folder()
        } else if self.levels.case || self.levels.run {
            self.role_in_case()
        } else {
            self.role_above_cases()
        }
    }

    fn folder(&self) -> &TreeFolder {
        self.tree.get(self.path)
    }

    fn parent(&self) -> &TreeFolder {
        self.tree.get(self.parent)
    }

    /// Whether the folder or one below holds runs.
    fn has_runs(&self) -> bool {
        self.folder().holds_runs() || self.folder().runs_below
    }

    fn has_cases(&self) -> bool {
        self.cases
            .cases
            .range(format!("{}/", self.path)..)
            .next()
            .is_some_and(|case| names::below(case, self.path).is_some())
    }

    /// A run's outputs; but above the next level, and without files of a run beside it, only an
    /// enclosing folder.
    fn role_of_output_folder(&self) -> FolderRole {
        // A run may keep its grading in `outputs/`, and a workspace all its iterations.
        let is_run_level = self.levels.any_run_level();
        let parent = self.parent();
        let is_of_run = self.levels.run || parent.has_run_files() || !parent.stems.is_empty();
        let encloses = self.tree.candidates(self.path).any(|(name, child)| {
            let folder = self.tree.get(&child);
            self.is_next_level(name) && (folder.is_graded() || folder.graded_below)
        });
        if encloses && !(is_run_level && is_of_run) {
            FolderRole::Container
        } else if is_run_level {
            FolderRole::Outputs
        } else {
            FolderRole::Apart
        }
    }

    fn is_next_level(&self, name: &str) -> bool {
        let is_run = names::run_number(name).is_some();
        match self.levels {
            Levels { case: true, configuration: true, .. } => is_run,
            Levels { case: true, .. } => is_run || names::is_configuration(name),
            _ => true,
        }
    }

    fn role_above_cases(&self) -> FolderRole {
        let folder = self.folder();
        if self.tree.is_iteration(self.parent, self.name, self.levels.iteration) {
            return FolderRole::Iteration;
        }
        // Before names: a case may be called `create-new-skill` or `sample-1`.
        if self.cases.cases.contains(self.path) {
            return FolderRole::Case;
        }
        if !self.has_runs() {
            return self.role_without_runs();
        }
        if names::is_container(self.name) {
            return FolderRole::Container;
        }
        // `old/iteration-1` and `baseline/iteration-2` are groups, whatever their names.
        if !self.levels.iteration && folder.iterations_below && !folder.has_run_files() {
            return FolderRole::Group;
        }
        if self.cases.models.contains(self.path) {
            return FolderRole::Configuration;
        }
        match cases::hint_of(self.name, folder, self.levels.iteration) {
            // A run above cases is one pass over all of them.
            Hint::Run if self.has_cases() => FolderRole::Group,
            Hint::Run => FolderRole::Run,
            hint if hint.is_configuration() => FolderRole::Configuration,
            _ => FolderRole::Group,
        }
    }

    /// A folder above the cases in which nothing ran. Cases may be described there, after `init` or where
    /// every run failed.
    fn role_without_runs(&self) -> FolderRole {
        if self.levels.configuration {
            return FolderRole::Inside;
        }
        if self.levels.iteration {
            let mut below = self.tree.candidates(self.path);
            let describes_cases = below.any(|(_, child)| self.tree.get(&child).describes_case());
            if names::is_container(self.name) && describes_cases {
                return FolderRole::Container;
            }
            // `eval-1-with_skill/output.md` is what a run left alone, without figures or a grading.
            let is_run = names::split_case_and_side(self.name).is_some() && self.folder().has_files;
            if self.folder().describes_case() || is_run {
                return FolderRole::Case;
            }
        }
        let is_grading = folded_name(self.name).starts_with("grading");
        let mut below = self.folder().folders.iter();
        let has_rounds = below.any(|name| self.tree.is_iteration(self.path, name, false));
        if is_grading || has_rounds || self.folder().iterations_below {
            FolderRole::Group
        } else {
            FolderRole::Apart
        }
    }

    /// Below a case: a configuration, a run, what only encloses them, or a run's files.
    fn role_in_case(&self) -> FolderRole {
        let folder = self.folder();
        if !self.levels.run && self.is_run() {
            return FolderRole::Run;
        }
        if !self.has_runs() {
            return self.role_in_case_without_runs();
        }
        let encloses = names::is_container(self.name) || names::is_plural_of_run(self.name);
        let encloses_configurations =
            encloses && !self.levels.any_below_case() && !folder.holds_runs();
        let encloses_runs = encloses && !self.levels.run && self.adds_grading();
        if encloses_configurations || encloses_runs || self.is_grading_of_parent() {
            FolderRole::Container
        } else if self.is_configuration() && names::can_hold_runs(self.name) {
            FolderRole::Configuration
        } else {
            FolderRole::Inside
        }
    }

    /// Whether it is named like a run, or numbered beside others below a configuration.
    fn is_run(&self) -> bool {
        let parent = self.parent();
        // `with_skill/1/page.html` beside the grading of `with_skill` is an output.
        let is_numbered = self.levels.configuration
            && parent.has_numbered_runs
            && (self.folder().holds_runs() || !parent.has_run_files())
            && names::repeat_number(self.name).is_some();
        is_numbered || names::run_number(self.name).is_some()
    }

    /// Whether it is one side of a case: beside other sides, within another one, or within an attempt.
    fn is_configuration(&self) -> bool {
        let (folder, parent) = (self.folder(), self.parent());
        let is_named = names::is_configuration(self.name);
        match self.levels {
            Levels { configuration: false, run: false, .. } => {
                // A folder with a lone transcript may be anything that a run left.
                is_named || folder.is_measured() || folder.has_runs || folder.runs_below
            }
            Levels { configuration: true, run: false, .. } => {
                // `with_skill/with_skill`, `slow/with_skill`, `with_skill/fast/run-1`.
                let is_same = self.name == names::file_name(self.parent) && folder.holds_runs();
                let is_in_group = is_named && folder.holds_runs() && !parent.holds_runs();
                let holds_directly =
                    folder.is_graded() || folder.has_runs || folder.has_numbered_runs;
                is_same || is_in_group || (holds_directly && self.adds_grading())
            }
            // `run-1/with_skill`: all sides of one attempt lie together.
            Levels { configuration: false, run: true, .. } => {
                (is_named && folder.holds_runs()) || (folder.is_graded() && !parent.has_run_files())
            }
            Levels { configuration: true, run: true, .. } => false,
        }
    }

    /// A folder of a case in which nothing known lies.
    fn role_in_case_without_runs(&self) -> FolderRole {
        let folder = self.folder();
        // A side may have left files alone, such as `without_skill/response.md`.
        let is_side =
            names::is_plainly_configuration(self.name) && !folder.has_skill && folder.has_files;
        if self.levels.any_below_case() || (self.parent().is_measured() && !is_side) {
            FolderRole::Inside
        } else if is_side {
            FolderRole::Configuration
        } else {
            FolderRole::Apart
        }
    }

    /// Whether a grading lies in the folder or below, and none beside it.
    fn adds_grading(&self) -> bool {
        (self.folder().is_graded() || self.folder().graded_below) && !self.parent().is_graded()
    }

    /// Whether a grader's folder has the grading that its parent lacks.
    fn is_grading_of_parent(&self) -> bool {
        names::is_grader_folder(self.name) && self.adds_grading()
    }
}
