//! Workspaces of graded runs, written as text.

use serde_json::json;

use super::Workspace;
use testing::gradings::{GradingBuilder, unfolded};

impl Workspace {
    /// The same workspace with these runs, one line each: the folder; the verdicts, `+` passed, `-`
    /// failed and `?` without one, behind the words of their statements (`rows:++-`); then seconds
    /// and tokens, where they are recorded (else `-`), and the grader. `a,b` in a folder stands for a and b. A line without
    /// verdicts has an empty list of them. With `10~` each folder takes 1 % longer than the one before:
    /// equal times are no times of runs.
    pub(crate) fn runs(self, runs: &str) -> Self {
        let lines = runs.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.fold(self, |workspace, line| {
            let parts: Vec<&str> = line.split(' ').collect();
            let workspace =
                workspace.files(&format!("{}/grading.json", parts[0]), grading(&parts).json());
            if parts.len() < 3 || parts.len() == 5 {
                return workspace;
            }
            let folders = unfolded(parts[0]);
            folders.iter().enumerate().fold(workspace, |workspace, (place, folder)| {
                workspace.file(&format!("{folder}/timing.json"), timing(&parts, place))
            })
        })
    }

    /// The same workspace with the runs and files of these lines: `+ path content` is a file, with `⏎` for
    /// the end of a line; `$ command` is none; every other line is a run.
    pub(crate) fn lines(self, lines: &[&str]) -> Self {
        lines.iter().fold(self, |workspace, line| match line.split_once(' ') {
            Some(("+", file)) => {
                let (path, content) = file.split_once(' ').unwrap_or((file, ""));
                workspace.files(path, content.replace('⏎', "\n"))
            }
            Some(("$", _)) => workspace,
            _ => workspace.runs(line),
        })
    }

    /// The same workspace with one more file in each place that `path` names, where `a,b` stands for
    /// a and b.
    pub(crate) fn files(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        unfolded(path).iter().fold(self, |workspace, path| workspace.file(path, content.as_ref()))
    }
}

/// The figures of a line for the folder at this place.
fn timing(parts: &[&str], place: usize) -> String {
    let mut timing = json!({});
    for (at, key) in [(2, "total_duration_seconds"), (3, "total_tokens")] {
        let Some(written) = parts.get(at).filter(|part| **part != "-") else { continue };
        let number: f64 = written.trim_end_matches('~').parse().expect("a number");
        let longer = if written.ends_with('~') { 1.0 + place as f64 / 100.0 } else { 1.0 };
        timing[key] = (number * longer).into();
    }
    timing.to_string()
}

/// The grading of a line, split at its blanks.
fn grading(parts: &[&str]) -> GradingBuilder {
    let verdicts = *parts.get(1).unwrap_or(&"");
    let (words, letters) = verdicts.split_once(':').unwrap_or(("check", verdicts));
    let mut grading = GradingBuilder::default();
    for (at, letter) in letters.chars().enumerate() {
        grading = grading.check(&format!("{words} {at}"), letter);
        if letter != '?' {
            grading.checks[at].evidence = Some("seen".to_owned());
        }
    }
    grading.grader = parts.get(4).map(|grader| (*grader).to_owned());
    grading
}
