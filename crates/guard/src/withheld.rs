//! What a workspace says about its secrets: which files are held back, and a problem for each find.

use std::collections::BTreeSet;

use crate::Guard;
use crate::Guarded;
use crate::marked_file::Findings;
use crate::secret::{is_folder, mark};
use input::files::Withheld;
use input::model::{Code, Ignored, Iteration, Output, Problem, Redaction, Run, Workspace};
use input::names;
use input::settings::{Outputs, Settings, Unsearched};

const REVOKE: &str = "revoke it where it was ever real: it may have been read or copied already";

impl Guarded {
    /// Records in `workspace`, at `prefix`, what was redacted and what is withheld.
    pub fn finish(&mut self, workspace: &mut Workspace, prefix: &str, settings: &Settings) {
        let withheld = self.guard.withheld(workspace, prefix, settings);
        for path in &withheld {
            self.withheld.insert(names::join(prefix, path), Withheld::Asked);
        }
        workspace.redaction.withheld = withheld;
        if self.guard.is_on {
            workspace.redaction.is_on = true;
            self.guard.report(workspace, prefix);
        }
    }
}

/// Every file that may be stored, with its run; `None` for those of a copy of the skill.
fn outputs(workspace: &Workspace) -> impl Iterator<Item = (Option<&Run>, &Output)> {
    let runs = workspace.iterations.iter().flat_map(Iteration::runs);
    let run_files = runs.flat_map(|run| {
        run.outputs.iter().chain(&run.transcript).map(move |output| (Some(run), output))
    });
    let copy_files = workspace.snapshots.iter().flat_map(|copy| &copy.files);
    run_files.chain(copy_files.map(|output| (None, output)))
}

/// Whether the settings keep a file of `run` out of the report.
fn is_left_out(run: Option<&Run>, path: &str, settings: &Settings) -> bool {
    let is_kept = match settings.outputs.unwrap_or_default() {
        Outputs::All => true,
        Outputs::None => run.is_none(),
        Outputs::Failed => run.is_none_or(|run| run.tally().failed > 0),
    };
    !is_kept || settings.exclude.iter().any(|pattern| pattern.matches(path))
}

impl Guard {
    /// The outputs and transcripts below `prefix` that the settings keep out of the report.
    fn withheld(
        &self,
        workspace: &Workspace,
        prefix: &str,
        settings: &Settings,
    ) -> BTreeSet<String> {
        let is_searched_only = settings.unsearched == Some(Unsearched::Withhold);
        let mut withheld = BTreeSet::new();
        for (run, Output { path, .. }) in outputs(workspace) {
            let findings = self.files.get(&names::join(prefix, path));
            let is_unsearched = findings.is_some_and(|findings| findings.is_unsearched);
            if is_left_out(run, path, settings) || (is_searched_only && is_unsearched) {
                withheld.insert(path.clone());
            }
        }
        withheld
    }

    /// Adds what was found below `prefix` to `workspace`.
    fn report(&self, workspace: &mut Workspace, prefix: &str) {
        let outputs: BTreeSet<String> =
            outputs(workspace).map(|(_, output)| output.path.clone()).collect();
        for (path, label) in &self.names.found {
            if let Some(path) = read_below(path, prefix, &workspace.ignored) {
                count(&mut workspace.redaction, label, 1);
                if !is_folder(label) {
                    let message = format!("its name holds a secret: {label}");
                    workspace.problems.push(redacted(path, message, label));
                }
            }
        }
        for (path, findings) in &self.files {
            if let Some(path) = read_below(path, prefix, &workspace.ignored) {
                self.report_file(workspace, path, findings, outputs.contains(path));
            }
        }
        workspace.problems.sort_by(|a, b| (&a.path, a.place).cmp(&(&b.path, b.place)));
    }

    fn report_file(
        &self,
        workspace: &mut Workspace,
        path: &str,
        findings: &Findings,
        is_output: bool,
    ) {
        let Workspace { redaction, problems, .. } = workspace;
        let holds_secrets = findings.secrets().next().is_some();
        // A document that is too large to be searched is too large to be read: its reader says so.
        if findings.cannot_be_redacted() && (holds_secrets || is_output) {
            problems.push(self.held_back(path, findings));
            if !self.keeps_secret_files {
                redaction.unsafe_outputs.insert(path.to_owned());
            }
        } else if !findings.edits.is_empty() && !redaction.withheld.contains(path) {
            for (label, times) in &findings.counts {
                count(redaction, label, *times);
            }
            problems.extend(marks(path, findings));
        }
        if is_output && findings.is_unsearched {
            redaction.unscanned.push(path.to_owned());
        }
    }

    /// What is said of a file in which nothing can be replaced.
    fn held_back(&self, path: &str, findings: &Findings) -> Problem {
        let labels: Vec<&str> = findings.secrets().map(|(label, _)| &**label).collect();
        let message = if labels.is_empty() {
            "a file cannot be searched for secrets: it is too large, encrypted or damaged"
                .to_owned()
        } else {
            format!("a file holds secrets that cannot be replaced: {}", labels.join(", "))
        };
        let (code, assumed) = if self.keeps_secret_files {
            (Code::SecretPublished, "published as it is (`--keep-secret-files`)")
        } else {
            (Code::SecretWithheld, "not published")
        };
        Problem::new(code, path, message).assuming(assumed).help(REVOKE)
    }
}

/// A path below `prefix`, unless it or a folder above it is ignored.
fn read_below<'p>(path: &'p str, prefix: &str, ignored: &[Ignored]) -> Option<&'p str> {
    let path = names::below(path, prefix)?;
    let is_ignored = ignored.iter().any(|ignored| names::is_in(path, &ignored.path));
    if is_ignored { None } else { Some(path) }
}

fn count(redaction: &mut Redaction, label: &str, times: usize) {
    if is_folder(label) {
        redaction.folders += times;
    } else {
        *redaction.secrets.entry(label.to_owned()).or_default() += times;
    }
}

fn redacted(path: &str, message: String, label: &str) -> Problem {
    let problem = Problem::new(Code::SecretRedacted, path, message);
    problem.assuming(format!("shown and stored as `{}`", mark(label))).help(REVOKE)
}

/// The first secrets of a text one by one, and how many more there are.
fn marks(path: &str, findings: &Findings) -> Vec<Problem> {
    let places = findings.places.iter().map(|found| {
        let message = format!("a secret: {}", found.label);
        redacted(path, message, &found.label).at(Some(found.source))
    });
    let mut problems: Vec<Problem> = places.collect();
    let secrets: usize = findings.secrets().map(|(_, times)| times).sum();
    let more = secrets.saturating_sub(findings.places.len());
    if more > 0 {
        let message = format!("{} of the same file", text::count(more, "more secret"));
        let problem = Problem::new(Code::SecretRedacted, path, message);
        problems.push(problem.assuming("replaced as well").help(REVOKE));
    }
    problems
}
