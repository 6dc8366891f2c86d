//! What a workspace says about its secrets: which files are held back, and a problem for each find.

use std::collections::BTreeSet;

use crate::Guard;
use crate::Guarded;
use crate::file::Findings;
use crate::secret::{is_folder, mark};
use input::discover::names;
use input::files::Withheld;
use input::model::{Code, Iteration, Output, Place, Problem, Redaction, Run, Workspace};
use input::settings::{Outputs, Settings, Unsearched};

const REVOKE: &str = "revoke it where it was ever real: it may have been read or copied already";

impl Guarded {
    /// Records in `workspace`, at `prefix`, what was redacted and what is withheld.
    pub fn finish(&mut self, workspace: &mut Workspace, prefix: &str, settings: &Settings) {
        let mut withheld = withheld(workspace, settings);
        if settings.unsearched == Some(Unsearched::Withhold) {
            withheld.extend(self.guard.unsearched(workspace, prefix));
        }
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

/// The outputs and transcripts that the settings keep out of the report.
fn withheld(workspace: &Workspace, settings: &Settings) -> BTreeSet<String> {
    let mut withheld = BTreeSet::new();
    for (run, output) in outputs(workspace) {
        let is_kept = match (settings.outputs.unwrap_or_default(), run) {
            (Outputs::All, _) => true,
            (Outputs::None, run) => run.is_none(),
            (Outputs::Failed, None) => true,
            (Outputs::Failed, Some(run)) => run.tally().failed > 0,
        };
        if !is_kept || settings.exclude.iter().any(|pattern| pattern.matches(&output.path)) {
            withheld.insert(output.path.clone());
        }
    }
    withheld
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

impl Guard {
    /// The outputs below `prefix` of kinds that are not searched.
    fn unsearched(&self, workspace: &Workspace, prefix: &str) -> Vec<String> {
        let paths = outputs(workspace).map(|(_, output)| output.path.clone());
        let is_unsearched = |path: &String| {
            let findings = self.files.get(&names::join(prefix, path));
            findings.is_some_and(|findings| findings.is_unsearched)
        };
        paths.filter(is_unsearched).collect()
    }

    /// Adds what was found below `prefix` to `workspace`.
    fn report(&self, workspace: &mut Workspace, prefix: &str) {
        let outputs: BTreeSet<String> =
            outputs(workspace).map(|(_, output)| output.path.clone()).collect();
        let ignored: BTreeSet<String> =
            workspace.ignored.iter().map(|ignored| ignored.path.clone()).collect();
        let mut log = RedactionLog {
            redaction: std::mem::take(&mut workspace.redaction),
            problems: Vec::new(),
            keeps_secret_files: self.keeps_secret_files,
        };
        for (path, label) in &self.names.found {
            if let Some(path) = read_below(path, prefix, &ignored) {
                log.count(label, 1);
                if !is_folder(label) {
                    log.add_mark(path, format!("its name holds a secret: {label}"), label, None);
                }
            }
        }
        for (path, findings) in &self.files {
            if let Some(path) = read_below(path, prefix, &ignored) {
                log.add_file(path, findings, outputs.contains(path));
            }
        }
        workspace.redaction = log.redaction;
        workspace.problems.extend(log.problems);
        workspace.problems.sort_by(|a, b| (&a.path, a.place).cmp(&(&b.path, b.place)));
    }
}

/// A path below `prefix`, unless it or a folder above it is ignored.
fn read_below<'p>(path: &'p str, prefix: &str, ignored: &BTreeSet<String>) -> Option<&'p str> {
    let below = names::below(path, prefix)?;
    let mut folders = below.match_indices('/').map(|(at, _)| &below[..at]);
    let is_ignored = ignored.contains(below) || folders.any(|folder| ignored.contains(folder));
    if is_ignored { None } else { Some(below) }
}

struct RedactionLog {
    redaction: Redaction,
    problems: Vec<Problem>,
    keeps_secret_files: bool,
}

impl RedactionLog {
    fn count(&mut self, label: &str, times: usize) {
        if is_folder(label) {
            self.redaction.folders += times;
        } else {
            *self.redaction.secrets.entry(label.to_owned()).or_default() += times;
        }
    }

    fn add_mark(&mut self, path: &str, message: String, label: &str, place: Option<Place>) {
        let problem = Problem::new(Code::SecretRedacted, path, message)
            .assuming(format!("shown and stored as `{}`", mark(label)))
            .help(REVOKE);
        self.problems.push(problem.at(place));
    }

    fn add_file(&mut self, path: &str, findings: &Findings, is_output: bool) {
        let holds_secrets = findings.secrets().next().is_some();
        // A document that is too large to be searched is too large to be read: its reader says so.
        if findings.cannot_be_redacted() && (holds_secrets || is_output) {
            self.add_held_back(path, findings);
        } else if findings.is_redacted() && !self.redaction.withheld.contains(path) {
            self.add_marks(path, findings);
        }
        if is_output && findings.is_unsearched {
            self.redaction.unscanned.push(path.to_owned());
        }
    }

    fn add_held_back(&mut self, path: &str, findings: &Findings) {
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
            self.redaction.unsafe_outputs.insert(path.to_owned());
            (Code::SecretWithheld, "not published")
        };
        self.problems.push(Problem::new(code, path, message).assuming(assumed).help(REVOKE));
    }

    fn add_marks(&mut self, path: &str, findings: &Findings) {
        for (label, times) in &findings.counts {
            self.count(label, *times);
        }
        for found in &findings.places {
            let message = format!("a secret: {}", found.label);
            self.add_mark(path, message, &found.label, Some(found.source));
        }
        let secrets: usize = findings.secrets().map(|(_, times)| times).sum();
        let more = secrets.saturating_sub(findings.places.len());
        if more > 0 {
            let message = format!("{} of the same file", text::count(more, "more secret"));
            let problem = Problem::new(Code::SecretRedacted, path, message);
            self.problems.push(problem.assuming("replaced as well").help(REVOKE));
        }
    }
}
