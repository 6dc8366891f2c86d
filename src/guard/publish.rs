//! What becomes of one workspace: its texts without secrets, what is withheld, and what is told.

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::names;
use crate::files::Withheld;
use crate::guard::Guard;
use crate::guard::found::FoundInFile;
use crate::guard::rules::Label;
use crate::guard::scan::redact;
use crate::guard::shapes::{Index, is_folder, mark};
use crate::guard::source::Guarded;
use crate::guard::texts::Texts;
use crate::model::{Code, Iteration, Output, Place, Problem, Redaction, Run, Tally, Workspace};
use crate::settings::{Outputs, Settings};
use crate::text::count;

const REVOKE: &str = "revoke it where it was ever real: it may have been read or copied already";

impl<S> Guarded<S> {
    /// Makes `workspace`, which lies at `prefix`, ready to be published: its texts lose what its
    /// files lost already, and it knows what was taken out of it and what is not shown.
    pub fn finish(&mut self, workspace: &mut Workspace, prefix: &str, settings: &Settings) {
        let mut asked = withheld(workspace, settings);
        let before = outputs(workspace).into_iter();
        asked.extend(
            before.filter(|path| self.guard().withheld.contains(&names::join(prefix, path))),
        );
        for path in &asked {
            self.withhold(names::join(prefix, path), Withheld::Asked);
        }
        workspace.redaction.withheld = asked;
        if self.guard().is_on {
            workspace.redaction.is_on = true;
            self.guard().finish(workspace, prefix);
        }
    }
}

/// The outputs and transcripts that the settings keep out of the report.
fn withheld(workspace: &Workspace, settings: &Settings) -> BTreeSet<String> {
    let patterns: Vec<glob::Pattern> =
        settings.exclude.iter().filter_map(|text| glob::Pattern::new(text).ok()).collect();
    let is_kept = |run: &Run| match settings.outputs.unwrap_or_default() {
        Outputs::All => true,
        Outputs::None => false,
        Outputs::Failed => has_failed(run.tally()),
    };
    let runs = workspace.iterations.iter().flat_map(Iteration::runs);
    let of_runs = runs.flat_map(|run| {
        let is_kept = is_kept(run);
        run.outputs.iter().chain(&run.transcript).map(move |output| (output, is_kept))
    });
    let of_copies = workspace.snapshots.iter().flat_map(|copy| &copy.files);
    let all = of_runs.chain(of_copies.map(|output| (output, true)));
    let is_withheld = |(output, is_kept): &(&Output, bool)| {
        !is_kept || patterns.iter().any(|pattern| pattern.matches(&output.path))
    };
    all.filter(is_withheld).map(|(output, _)| output.path.clone()).collect()
}

fn has_failed(tally: Tally) -> bool {
    tally.failed > 0
}

impl Guard {
    fn finish(&self, workspace: &mut Workspace, prefix: &str) {
        self.texts(workspace);
        let outputs = outputs(workspace);
        let mut publication = Publication {
            index: &self.index,
            problems: Vec::new(),
            redaction: &mut workspace.redaction,
            keeps_secret_files: self.keeps_secret_files,
        };
        let ignored: BTreeMap<&str, bool> =
            workspace.ignored.iter().map(|ignored| (ignored.path.as_str(), true)).collect();
        let own = |path: &str| {
            let below = names::below(path, prefix)?;
            let takes_part = !folders(below).any(|folder| ignored.contains_key(folder));
            takes_part.then(|| below.to_owned())
        };
        for (path, shape) in &self.names.found {
            if let Some(path) = own(path) {
                publication.name(&path, self.index.label(*shape));
            }
        }
        let found = self.files.iter();
        let found = found.map(|(path, found)| (path, FoundInFile::new(found, &self.index)));
        let earlier = self.earlier.iter().map(|(path, found)| (path, found.clone()));
        // What an earlier guard said of a file stands for what is seen of it again.
        let found =
            found.filter(|(path, found)| !self.earlier.contains_key(*path) || found.is_redacted());
        let mut all: Vec<(&String, FoundInFile)> = found.chain(earlier).collect();
        all.sort_by_key(|(path, _)| *path);
        for (path, found) in &all {
            if let Some(path) = own(path) {
                let is_output = outputs.contains(&path);
                publication.file(&path, found, is_output);
            }
        }
        let problems = publication.problems;
        workspace.problems.extend(problems);
        workspace.problems.sort_by(|a, b| (&a.path, a.place).cmp(&(&b.path, b.place)));
    }

    /// Takes out of every text what a document wrote with escapes.
    fn texts(&self, workspace: &mut Workspace) {
        let mut problems = Vec::new();
        for iteration in &mut workspace.iterations {
            let found = self.redacted(iteration);
            note(found, &iteration.path, &mut workspace.redaction, &mut problems);
        }
        let Workspace { name, skill, planned, histories, trigger_rounds, snapshots, .. } =
            workspace;
        let mut found = self.redacted(name);
        found.extend(self.redacted(skill));
        found.extend(self.redacted(planned));
        found.extend(self.redacted(histories));
        found.extend(self.redacted(trigger_rounds));
        found.extend(self.redacted(snapshots));
        found.extend(self.redacted(&mut workspace.problems));
        note(found, "", &mut workspace.redaction, &mut problems);
        workspace.problems.extend(problems);
    }

    /// The labels of what was found in the texts of `what`, which it has no more.
    fn redacted(&self, what: &mut dyn Texts) -> Vec<Label> {
        let mut found = Vec::new();
        what.visit(&mut |text| {
            if let Some((clean, shapes)) = redact(text, &self.index) {
                *text = clean;
                found.extend(shapes.into_iter().map(|shape| self.index.label(shape)));
            }
        });
        found
    }
}

/// A path and the folders above it.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    ends.chain([path.len()]).map(|end| &path[..end])
}

/// Every file that may be stored.
fn outputs(workspace: &Workspace) -> BTreeSet<String> {
    let runs = workspace.iterations.iter().flat_map(Iteration::runs);
    let of_runs = runs.flat_map(|run| run.outputs.iter().chain(&run.transcript));
    let of_copies = workspace.snapshots.iter().flat_map(|copy| &copy.files);
    of_runs.chain(of_copies).map(|output| output.path.clone()).collect()
}

/// Counts what was found in texts; one problem for each kind of secret.
fn note(found: Vec<Label>, path: &str, redaction: &mut Redaction, problems: &mut Vec<Problem>) {
    let mut kinds: BTreeMap<Label, usize> = BTreeMap::new();
    for label in found {
        *kinds.entry(label).or_default() += 1;
    }
    for (label, times) in kinds {
        match is_folder(label) {
            true => redaction.folders += times,
            false => {
                *redaction.secrets.entry(label).or_default() += times;
                let message = format!("texts hold a secret written with escapes: {label}");
                problems.push(replaced(path, message, label));
            }
        }
    }
}

fn replaced(path: &str, message: String, label: Label) -> Problem {
    Problem::new(Code::SecretRedacted, path, message)
        .assuming(format!("shown and stored as `{}`", mark(label)))
        .help(REVOKE)
}

/// What is said of the files and names.
struct Publication<'w> {
    index: &'w Index,
    problems: Vec<Problem>,
    redaction: &'w mut Redaction,
    keeps_secret_files: bool,
}

impl Publication<'_> {
    fn count(&mut self, label: Label, times: usize) {
        match is_folder(label) {
            true => self.redaction.folders += times,
            false => *self.redaction.secrets.entry(label).or_default() += times,
        }
    }

    /// The label as this program knows it.
    fn known(&self, label: &str) -> Option<Label> {
        self.index.number(label).map(|shape| self.index.label(shape))
    }

    fn name(&mut self, path: &str, label: Label) {
        self.count(label, 1);
        let message = format!("its name holds a secret: {label}");
        self.problems.push(replaced(path, message, label));
    }

    fn file(&mut self, path: &str, found: &FoundInFile, is_output: bool) {
        if is_output && found.is_binary {
            self.redaction.unscanned.push(path.to_owned());
        }
        if found.cannot_be_redacted() {
            if !self.keeps_secret_files {
                self.redaction.unsafe_outputs.insert(path.to_owned());
            }
            self.problems.push(holds_secrets(path, found, self.keeps_secret_files));
        } else if found.is_redacted() && !self.redaction.withheld.contains(path) {
            self.places(path, found);
        }
    }

    fn places(&mut self, path: &str, found: &FoundInFile) {
        let mut secrets = 0;
        for (label, times) in &found.replaced {
            let Some(label) = self.known(label) else { continue };
            self.count(label, *times);
            secrets += if is_folder(label) { 0 } else { *times };
        }
        for (line, column, label) in &found.places {
            let Some(label) = self.known(label) else { continue };
            let place = Place { line: *line, column: *column };
            let problem = replaced(path, format!("a secret: {label}"), label);
            self.problems.push(problem.at(Some(place)));
        }
        let more = secrets - found.places.len().min(secrets);
        if more > 0 {
            let message = format!("{} of the same file", count(more, "more secret"));
            let problem = Problem::new(Code::SecretRedacted, path, message);
            self.problems.push(problem.assuming("replaced as well").help(REVOKE));
        }
    }
}

fn holds_secrets(path: &str, found: &FoundInFile, is_published: bool) -> Problem {
    let labels: BTreeSet<&str> = found.places.iter().map(|(.., label)| label.as_str()).collect();
    let labels: Vec<&str> = labels.into_iter().collect();
    let message = format!("a file that is no text holds secrets: {}", labels.join(", "));
    let (code, assumed) = match is_published {
        true => (Code::SecretPublished, "published as it is (`--keep-secret-files`)"),
        false => (Code::SecretWithheld, "not published"),
    };
    Problem::new(code, path, message).assuming(assumed).help(REVOKE)
}
