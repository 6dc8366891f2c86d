//! Redacts one workspace: its texts without secrets, withheld files, and the report on both. Each
//! struct of the model is destructured field by field, so that a new field does not compile before
//! it is classified here as text or not.

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::names;
use crate::files::Withheld;
use crate::guard::rule::{FoundInFile, Label, is_folder, mark};
use crate::guard::{Guard, Guarded};
use crate::model::{
    BlindComparison, Case, Claim, Code, ConventionCheck, Dimension, Expectation, Feedback, Grading,
    History, Iteration, JudgedSide, Loading, Metrics, Notes, Output, Place, PlannedExpectation,
    PostHocAnalysis, Problem, Proposal, RecordedBenchmark, RecordedConfiguration, RecordedRun,
    Redaction, Review, Run, Snapshot, Suggestion, TriggerQuery, TriggerRound, Version, Workspace,
};
use crate::settings::{Outputs, Settings};
use crate::text;

const REVOKE: &str = "revoke it where it was ever real: it may have been read or copied already";

impl Guarded {
    /// Makes `workspace`, at `prefix`, ready to be published: redacts its texts like its files, and
    /// records what was redacted and what is withheld.
    pub fn finish(&mut self, workspace: &mut Workspace, prefix: &str, settings: &Settings) {
        let asked = withheld(workspace, settings);
        for path in &asked {
            self.withheld.insert(names::join(prefix, path), Withheld::Asked);
        }
        workspace.redaction.withheld = asked;
        if self.guard.is_on {
            workspace.redaction.is_on = true;
            self.guard.finish(workspace, prefix);
        }
    }
}

/// The outputs and transcripts that the settings keep out of the report.
fn withheld(workspace: &Workspace, settings: &Settings) -> BTreeSet<String> {
    let is_kept = |run: Option<&Run>| match settings.outputs.unwrap_or_default() {
        Outputs::All => true,
        Outputs::None => run.is_none(),
        Outputs::Failed => run.is_none_or(|run| run.tally().failed > 0),
    };
    let is_withheld = |(run, output): &(Option<&Run>, &Output)| {
        !is_kept(*run) || settings.exclude.iter().any(|pattern| pattern.matches(&output.path))
    };
    let withheld = outputs(workspace).filter(is_withheld);
    withheld.map(|(_, output)| output.path.clone()).collect()
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
    fn finish(&self, workspace: &mut Workspace, prefix: &str) {
        let outputs: BTreeSet<String> =
            outputs(workspace).map(|(_, output)| output.path.clone()).collect();
        let mut notices = RedactionLog {
            redaction: std::mem::take(&mut workspace.redaction),
            problems: Vec::new(),
            keeps_secret_files: self.keeps_secret_files,
        };
        self.clean_texts(workspace, &mut notices);
        let ignored: BTreeSet<&str> =
            workspace.ignored.iter().map(|ignored| ignored.path.as_str()).collect();
        let outputs_below = |path| {
            let below = names::below(path, prefix)?;
            let mut folders = below.match_indices('/').map(|(at, _)| &below[..at]);
            let is_ignored = ignored.contains(below) || folders.any(|path| ignored.contains(path));
            (!is_ignored).then_some(below)
        };
        for (path, label) in &self.names.found {
            if let Some(path) = outputs_below(path) {
                notices.count(label, 1);
                let message = format!("its name holds a secret: {label}");
                notices.add_replaced(path, message, label, None);
            }
        }
        for (path, findings) in &self.files {
            if let Some(path) = outputs_below(path) {
                notices.add_file(path, &findings.found, outputs.contains(path));
            }
        }
        workspace.redaction = notices.redaction;
        workspace.problems.extend(notices.problems);
        workspace.problems.sort_by(|a, b| (&a.path, a.place).cmp(&(&b.path, b.place)));
    }

    /// Removes secrets that a document wrote with escapes from every text.
    fn clean_texts(&self, workspace: &mut Workspace, notices: &mut RedactionLog) {
        for iteration in &mut workspace.iterations {
            let mut kinds = BTreeMap::new();
            self.clean_all(iteration, &mut kinds);
            notices.add_texts(kinds, &iteration.path);
        }
        let Workspace {
            name, skill, planned, histories, trigger_rounds, snapshots, problems, ..
        } = workspace;
        let others: [&mut dyn ForEachText; 7] =
            [name, skill, planned, histories, trigger_rounds, snapshots, problems];
        let mut kinds = BTreeMap::new();
        others.into_iter().for_each(|texts| self.clean_all(texts, &mut kinds));
        notices.add_texts(kinds, "");
    }

    /// Counts in `kinds` what was removed from `texts`.
    fn clean_all(&self, texts: &mut dyn ForEachText, kinds: &mut BTreeMap<Label, usize>) {
        texts.visit(&mut |text| {
            if let Some((clean, labels)) = self.index.redact(text) {
                *text = clean;
                labels.into_iter().for_each(|label| *kinds.entry(label).or_default() += 1);
            }
        });
    }
}

struct RedactionLog {
    redaction: Redaction,
    problems: Vec<Problem>,
    keeps_secret_files: bool,
}

impl RedactionLog {
    fn count(&mut self, label: Label, times: usize) {
        match is_folder(label) {
            true => self.redaction.folders += times,
            false => *self.redaction.secrets.entry(label).or_default() += times,
        }
    }

    fn add_replaced(&mut self, path: &str, message: String, label: Label, place: Option<Place>) {
        let problem = Problem::new(Code::SecretRedacted, path, message)
            .assuming(format!("shown and stored as `{}`", mark(label)))
            .help(REVOKE);
        self.problems.push(problem.at(place));
    }

    fn add_texts(&mut self, kinds: BTreeMap<Label, usize>, path: &str) {
        for (label, times) in kinds {
            self.count(label, times);
            if !is_folder(label) {
                let message = format!("texts hold a secret written with escapes: {label}");
                self.add_replaced(path, message, label, None);
            }
        }
    }

    fn add_file(&mut self, path: &str, findings: &FoundInFile, is_output: bool) {
        if is_output && findings.is_binary {
            self.redaction.unscanned.push(path.to_owned());
        }
        if findings.cannot_be_redacted() {
            let labels: BTreeSet<Label> = findings.places.iter().map(|(_, label)| *label).collect();
            let labels = labels.into_iter().collect::<Vec<_>>().join(", ");
            let message = format!("a file that is not text holds secrets: {labels}");
            let (code, assumed) = match self.keeps_secret_files {
                true => (Code::SecretPublished, "published as it is (`--keep-secret-files`)"),
                false => (Code::SecretWithheld, "not published"),
            };
            if !self.keeps_secret_files {
                self.redaction.unsafe_outputs.insert(path.to_owned());
            }
            self.problems.push(Problem::new(code, path, message).assuming(assumed).help(REVOKE));
        } else if findings.is_redacted() && !self.redaction.withheld.contains(path) {
            self.add_places(path, findings);
        }
    }

    fn add_places(&mut self, path: &str, findings: &FoundInFile) {
        let mut secrets = 0;
        for (label, times) in &findings.replaced {
            self.count(label, *times);
            secrets += if is_folder(label) { 0 } else { *times };
        }
        for (place, label) in &findings.places {
            self.add_replaced(path, format!("a secret: {label}"), label, Some(*place));
        }
        let more = secrets.saturating_sub(findings.places.len());
        if more > 0 {
            let message = format!("{} of the same file", text::count(more, "more secret"));
            let problem = Problem::new(Code::SecretRedacted, path, message);
            self.problems.push(problem.assuming("replaced as well").help(REVOKE));
        }
    }
}

type TextVisitor<'v> = dyn FnMut(&mut String) + 'v;

trait ForEachText {
    fn visit(&mut self, visit: &mut TextVisitor<'_>);
}

impl ForEachText for String {
    fn visit(&mut self, visit: &mut TextVisitor<'_>) {
        visit(self);
    }
}

impl<T: ForEachText> ForEachText for Option<T> {
    fn visit(&mut self, visit: &mut TextVisitor<'_>) {
        self.iter_mut().for_each(|item| item.visit(visit));
    }
}

impl<T: ForEachText> ForEachText for Vec<T> {
    fn visit(&mut self, visit: &mut TextVisitor<'_>) {
        self.iter_mut().for_each(|item| item.visit(visit));
    }
}

impl<A: ForEachText, B: ForEachText> ForEachText for (A, B) {
    fn visit(&mut self, visit: &mut TextVisitor<'_>) {
        self.0.visit(visit);
        self.1.visit(visit);
    }
}

impl ForEachText for BTreeMap<String, f64> {
    fn visit(&mut self, visit: &mut TextVisitor<'_>) {
        let entries = std::mem::take(self).into_iter();
        self.extend(entries.map(|(mut key, value)| {
            visit(&mut key);
            (key, value)
        }));
    }
}

/// Declares the fields with texts, then those without.
macro_rules! texts {
    ($($type:ident { $($text:ident),* ; $($other:ident),* })+) => {
        $(impl ForEachText for $type {
            fn visit(&mut self, visit: &mut TextVisitor<'_>) {
                let Self { $($text,)* $($other: _,)* } = self;
                $($text.visit(visit);)*
            }
        })+
    };
}

// Paths of files are already displayed without secrets; they must stay addresses.
texts! {
    PlannedExpectation { id, text, description; required }
    Case {
        id, name, folder, prompt, expected_output, files, planned, runs, same_prompt_as; should_load
    }
    Iteration { name, configurations, cases, benchmarks, feedback, comparisons, analyses; path, implicit }
    Run {
        configuration, gradings, metrics, outputs, transcript, notes, error, loading;
        number, path, reused_from
    }
    Loading { call, other_skills, opened, written, steps; state, file, line, by_user, used, idle }
    Output { name; path, bytes }
    Metrics {
        started, ended, model, tool_calls_by_name, files_created;
        duration_s, executor_s, grader_s, tokens, input_tokens, output_tokens, cached_tokens,
        cache_written_tokens, cost_usd, tool_calls, steps, errors, output_chars, transcript_chars
    }
    Grading {
        expectations, claims, suggestions, critique, notes, conventions, grader;
        path, recorded, scored, overall, is_scored, overall_score, required_score
    }
    Expectation { id, text, description, evidence; outcome, score, score_outside, required }
    Claim { text, kind, evidence; verified }
    Suggestion { expectation, text; }
    Notes { uncertainties, needs_review, workarounds, other; }
    ConventionCheck { name, details; outcome }
    RecordedBenchmark {
        skill, skill_path, executor_model, analyzer_model, timestamp, configurations, baseline,
        evals_run, listed, notes;
        path, delta_pass_rate, delta_seconds, delta_tokens, runs_per_configuration, runs,
        runs_place
    }
    RecordedConfiguration { name; place, pass_rate, time_s, tokens, passed, total }
    RecordedRun { case_id, case_name, configuration, metrics, expectations, notes; run, counts, tally }
    Feedback { reviews; path, blank, state, flat }
    Review { run_id, text, timestamp; about, place }
    Dimension { name; a, b }
    JudgedSide { strengths, weaknesses, details, version; score, quality, passed, total }
    BlindComparison { case, prompt, reasoning, dimensions, a, b, versions; path, before, winner }
    Proposal { area, before, after, text, priority, expected_impact; }
    PostHocAnalysis {
        winner, loser, summary, strengths, weaknesses, instruction_issues, proposals, observations;
        path, instruction_following
    }
    Version {
        name, parent, timestamp, description, git_hash, path, result, notes;
        average_score, score_place, pass_rate, precision, recall, is_best
    }
    History { skill, started_at, current, versions; path }
    TriggerQuery { query; should_trigger, triggers, runs, passed, held_out }
    TriggerRound { name, description, queries; path, number, passed, total, precision, recall }
    Snapshot { name, files; path, iteration }
    Problem { message, assumed, help; code, path, place }
}
