//! What a run is measured on, as digests: of the skill, the prompt, its input files and its checks.
//!
//! `init` writes them into `measured.json` of each run; readers compare them, and derive from what lies in a
//! workspace what the file does not say. A digest is of the bytes as they are, never of those behind the
//! guard, so that both sides agree. None of them is published.

use std::collections::BTreeSet;

use input::model::{Case, Iteration, Measured, NO_SKILL, PlannedExpectation, Snapshot, Workspace};
use input::names::{self, GivenSkill};

/// The file of a run's folder that says what it is measured on.
pub const MEASURED_FILE: &str = "measured.json";
/// The file that says which run of an earlier round counts in its place.
pub const REUSED_FILE: &str = "reused.json";

/// The most files of a skill that are read.
pub const SKILL_FILES: usize = 200;
/// The most bytes of one of these files.
pub const SKILL_FILE_BYTES: u64 = 2 * 1024 * 1024;

/// The digest of several parts.
fn digest<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    hasher.finalize().to_hex().to_string()
}

/// The digest of a file as it is.
pub fn digest_of_file(bytes: &[u8]) -> String {
    digest([bytes])
}

/// The digest of a text, with `\n` at the end of each line.
fn digest_of_text(text: &str) -> String {
    digest([text.replace("\r\n", "\n").trim_end().as_bytes()])
}

/// The folder in a skill that has the iteration in which a file lies.
fn workspace_above(path: &str) -> Option<&str> {
    let mut folders = names::folders_above(names::folder(path));
    let iteration = folders.find(|folder| names::is_iteration(names::file_name(folder)))?;
    let workspace = names::folder(iteration);
    if workspace.is_empty() { None } else { Some(workspace) }
}

/// The digest of the skill with the files `paths`, of which `read` gives the bytes; `None` without a
/// `SKILL.md`, with too many files, and where one cannot be read.
pub fn digest_of_skill<'p>(
    paths: impl IntoIterator<Item = &'p str>,
    mut read: impl FnMut(&str) -> Option<Vec<u8>>,
) -> Option<String> {
    let mut paths: BTreeSet<&str> = paths.into_iter().collect();
    let workspaces: BTreeSet<&str> =
        paths.iter().filter_map(|path| workspace_above(path)).collect();
    paths.retain(|path| {
        names::is_of_skill(path) && !workspaces.iter().any(|folder| names::is_in(path, folder))
    });
    if !paths.contains("SKILL.md") || paths.len() > SKILL_FILES {
        return None;
    }
    let mut parts = Vec::new();
    for path in paths {
        let bytes = read(path)?;
        if bytes.len() as u64 > SKILL_FILE_BYTES {
            return None;
        }
        parts.push(path.as_bytes().to_vec());
        parts.push(with_plain_line_ends(bytes));
    }
    Some(digest(parts.iter().map(Vec::as_slice)))
}

/// Text with `\n` at the end of each line: Git may check it out with others. Other bytes stay.
pub(crate) fn with_plain_line_ends(bytes: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) if text.contains('\r') => text.replace("\r\n", "\n").into_bytes(),
        Ok(text) => text.into_bytes(),
        Err(bytes) => bytes.into_bytes(),
    }
}

/// What a case asks: its prompt, its input files, of which `read` gives the bytes, and its checks.
pub fn of_case(case: &Case, mut read: impl FnMut(&str) -> Option<Vec<u8>>) -> Measured {
    let mut files = Some(Vec::new());
    for name in &case.files {
        let bytes = read(name);
        files = files.zip(bytes).map(|(mut files, bytes)| {
            files.push(name.as_bytes().to_vec());
            files.push(with_plain_line_ends(bytes));
            files
        });
    }
    Measured {
        prompt: case.prompt.as_deref().map(digest_of_text),
        files: files.map(|files| digest(files.iter().map(Vec::as_slice))),
        checks: Some(case.planned.iter().map(digest_of_check).collect()),
        ..Measured::default()
    }
}

/// The digest of a check: its statement, and whether it is to be avoided.
pub fn digest_of_check(check: &PlannedExpectation) -> String {
    digest([check.text.trim().as_bytes(), &[u8::from(check.avoid)]])
}

/// Adds to each run which skill, model and grader it had, where the copies of the skill and its records say
/// so. `read` gives the bytes of a file as they are.
pub(crate) fn add_skills(workspace: &mut Workspace, read: &dyn Fn(&str) -> Option<Vec<u8>>) {
    let Workspace { snapshots, iterations, .. } = workspace;
    for snapshot in snapshots.iter_mut() {
        let paths = snapshot.files.iter().map(|file| file.name.as_str());
        snapshot.skill = digest_of_skill(paths, |name| read(&names::join(&snapshot.path, name)));
    }
    for (index, iteration) in iterations.iter_mut().enumerate() {
        let skills = KnownSkills::new(snapshots, index, iteration);
        for run in iteration.cases.iter_mut().flat_map(|case| &mut case.runs) {
            let skill = skills.of_configuration(&run.configuration);
            let grader = run.grading().and_then(|grading| grading.grader.clone());
            let measured = &mut run.measured;
            // An edit between the plan and the run leaves open which of both ran.
            let is_contradicted = skill.is_some() && measured.skill.is_some();
            if is_contradicted && measured.skill != skill {
                measured.skill = None;
            } else if skill.is_some() {
                measured.skill = skill;
            }
            if run.metrics.model.is_some() {
                measured.model.clone_from(&run.metrics.model);
            } else {
                // `init --model` says which model is to run, and few harnesses record it.
                run.metrics.model.clone_from(&measured.model);
            }
            if grader.is_some() {
                measured.grader = grader;
            }
        }
    }
}

/// Adds to each run what it was asked, where its own file does not say so. Prompts and checks must have been
/// read without a mark in them.
pub(crate) fn add_plans(workspace: &mut Workspace, read: &dyn Fn(&str) -> Option<Vec<u8>>) {
    let Workspace { iterations, inputs, .. } = workspace;
    for case in iterations.iter_mut().flat_map(|iteration| &mut iteration.cases) {
        let known = of_case(case, |name| read(inputs.get(name)?));
        for run in &mut case.runs {
            run.measured.fill_from(&known);
        }
    }
}

/// The skills of which an iteration has a copy.
struct KnownSkills {
    today: Option<String>,
    earlier: Option<String>,
}

impl KnownSkills {
    fn new(snapshots: &[Snapshot], index: usize, iteration: &Iteration) -> Self {
        let mut sides = iteration.configurations.iter();
        let has_old = sides.any(|name| names::given_skill(name) == Some(GivenSkill::Earlier));
        let copies = snapshots.iter().filter(|copy| copy.iteration == Some(index));
        // The skill-creator copies the skill before it edits it.
        let (old, new): (Vec<&Snapshot>, Vec<&Snapshot>) =
            copies.partition(|copy| names::is_snapshot(names::file_name(&copy.path)));
        Self { today: only_skill(&new), earlier: if has_old { only_skill(&old) } else { None } }
    }

    fn of_configuration(&self, name: &str) -> Option<String> {
        match names::given_skill(name)? {
            GivenSkill::None => Some(NO_SKILL.to_owned()),
            GivenSkill::Today => self.today.clone(),
            GivenSkill::Earlier => self.earlier.clone(),
        }
    }
}

/// The digest of the skill in all of these copies; `None` if they differ or one is unknown.
fn only_skill(copies: &[&Snapshot]) -> Option<String> {
    let digests: BTreeSet<&String> =
        copies.iter().map(|copy| copy.skill.as_ref()).collect::<Option<_>>()?;
    if digests.len() == 1 { digests.first().copied().cloned() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::names::is_of_skill;

    #[test]
    fn evals_workspaces_and_caches_are_no_part_of_a_skill() {
        for path in ["SKILL.md", "scripts/run.py", "references/evals.md", "assets/logo.png"] {
            assert!(is_of_skill(path), "{path}");
        }
        for path in [
            "evals/evals.json",
            "evals.json",
            "assets/evals/evals.json",
            "pdf-workspace/iteration-1/a/grading.json",
            "iteration-1/a/grading.json",
            "v2/skill/SKILL.md",
            "scripts/__pycache__/run.pyc",
            ".DS_Store",
        ] {
            assert!(!is_of_skill(path), "{path}");
        }
    }

    #[test]
    fn a_skill_is_known_by_its_names_and_bytes_whatever_ends_its_lines() {
        let skill = |files: &[(&str, &str)]| {
            digest_of_skill(files.iter().map(|file| file.0), |path| {
                let file = files.iter().find(|file| file.0 == path)?;
                Some(file.1.as_bytes().to_vec())
            })
        };
        let plain = skill(&[("SKILL.md", "a\nb\n"), ("x.py", "1\n")]);
        assert!(plain.is_some());
        assert_eq!(plain, skill(&[("x.py", "1\r\n"), ("SKILL.md", "a\r\nb\r\n")]));
        assert_eq!(plain, skill(&[("SKILL.md", "a\nb\n"), ("x.py", "1\n"), ("evals.json", "")]));
        assert_ne!(plain, skill(&[("SKILL.md", "a\nb\n"), ("y.py", "1\n")]));
        assert_ne!(plain, skill(&[("SKILL.md", "a\nb c\n"), ("x.py", "1\n")]));
        assert_eq!(skill(&[("x.py", "1\n")]), None, "no skill at all");
    }

    #[test]
    fn an_input_file_that_is_not_there_leaves_the_files_unknown() {
        let case = Case { files: vec!["a.csv".to_owned()], ..Case::default() };
        assert_eq!(of_case(&case, |_| None).files, None);
        let one = of_case(&case, |_| Some(b"1".to_vec())).files;
        assert!(one.is_some() && one != of_case(&case, |_| Some(b"2".to_vec())).files);
        assert!(of_case(&Case::default(), |_| None).files.is_some(), "no file is known, too");
    }
}
