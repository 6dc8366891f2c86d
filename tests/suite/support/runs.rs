//! Workspaces of graded runs, written as text.

use serde_json::json;

use super::Workspace;
use super::gradings::GradingBuilder;

impl Workspace {
    /// The same workspace with these runs, one line each: the folder; the verdicts, `+` passed, `-`
    /// failed and `?` without one, behind the words of their statements (`rows:++-`); then seconds
    /// and tokens, where they are recorded (else `-`). `a,b` in a folder stands for a and b. A line without
    /// verdicts has an empty list of them.
    pub(crate) fn runs(self, runs: &str) -> Self {
        let lines = runs.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.fold(self, |workspace, line| {
            let parts: Vec<&str> = line.split(' ').collect();
            let workspace = workspace.files(
                &format!("{}/grading.json", parts[0]),
                grading(parts.get(1).unwrap_or(&"")).json(),
            );
            if parts.len() < 3 {
                return workspace;
            }
            let mut timing = json!({});
            for (at, key) in [(2, "total_duration_seconds"), (3, "total_tokens")] {
                if let Some(number) = parts.get(at).filter(|part| **part != "-") {
                    timing[key] = number.parse::<f64>().expect("a number").into();
                }
            }
            workspace.files(&format!("{}/timing.json", parts[0]), timing.to_string())
        })
    }

    /// The same workspace with one more file in each place that `path` names, where `a,b` stands for
    /// a and b.
    pub(crate) fn files(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        unfolded(path).iter().fold(self, |workspace, path| workspace.file(path, content.as_ref()))
    }
}

fn grading(verdicts: &str) -> GradingBuilder {
    let (words, letters) = verdicts.split_once(':').unwrap_or(("check", verdicts));
    let mut grading = GradingBuilder::default();
    for (at, letter) in letters.chars().enumerate() {
        grading = grading.check(&format!("{words} {at}"), letter);
        if letter != '?' {
            grading.checks[at].evidence = Some("seen".to_owned());
        }
    }
    grading
}

/// The paths that `path` names.
fn unfolded(path: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for names in path.split('/') {
        let longer = |path: &String| {
            names.split(',').map(|name| format!("{path}/{name}")).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found.iter().map(|path| path[1..].to_owned()).collect()
}
