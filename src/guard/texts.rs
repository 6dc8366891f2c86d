//! Every text of a workspace, one after the other.
//!
//! Each struct is taken apart field by field, so that a new field of the model does not compile
//! before it is decided here whether it is a text.

use std::collections::BTreeMap;

use crate::model::{
    BlindComparison, Case, Claim, ConventionCheck, Dimension, Expectation, Feedback, Grading,
    History, Iteration, Loading, Metrics, Notes, Output, PlannedCase, PlannedExpectation,
    PostHocAnalysis, Problem, Proposal, RecordedBenchmark, RecordedConfiguration, RecordedRun,
    Review, Run, Side, Snapshot, Suggestion, TriggerQuery, TriggerRound, Version,
};

pub(super) type Visit<'v> = dyn FnMut(&mut String) + 'v;

pub(super) trait Texts {
    fn visit(&mut self, visit: &mut Visit<'_>);
}

impl Texts for String {
    fn visit(&mut self, visit: &mut Visit<'_>) {
        visit(self);
    }
}

impl<T: Texts> Texts for Option<T> {
    fn visit(&mut self, visit: &mut Visit<'_>) {
        self.iter_mut().for_each(|item| item.visit(visit));
    }
}

impl<T: Texts> Texts for Box<T> {
    fn visit(&mut self, visit: &mut Visit<'_>) {
        (**self).visit(visit);
    }
}

impl<T: Texts> Texts for Vec<T> {
    fn visit(&mut self, visit: &mut Visit<'_>) {
        self.iter_mut().for_each(|item| item.visit(visit));
    }
}

impl<A: Texts, B: Texts> Texts for (A, B) {
    fn visit(&mut self, visit: &mut Visit<'_>) {
        self.0.visit(visit);
        self.1.visit(visit);
    }
}

impl Texts for BTreeMap<String, f64> {
    fn visit(&mut self, visit: &mut Visit<'_>) {
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
        $(impl Texts for $type {
            fn visit(&mut self, visit: &mut Visit<'_>) {
                let Self { $($text,)* $($other: _,)* } = self;
                $($text.visit(visit);)*
            }
        })+
    };
}

// Paths of files were shown without secrets before anything was read; they must stay addresses.
texts! {
    PlannedExpectation { id, text, description; required }
    PlannedCase { id, name, prompt, expected_output, files, expectations; should_load }
    Case {
        id, name, folder, prompt, expected_output, files, planned, runs, same_prompt_as; should_load
    }
    Iteration { name, configurations, cases, benchmarks, feedback, comparisons, analyses; path, implicit }
    Run {
        configuration, gradings, metrics, outputs, transcript, notes, error, loading;
        number, path, reused_from
    }
    Loading { call, other_skills, opened, written; state, file, line, by_user, used, idle }
    Output { name; path, bytes }
    Metrics {
        started, ended, model, tool_calls_by_name, files_created;
        duration_s, executor_s, grader_s, tokens, input_tokens, output_tokens, cached_tokens,
        cache_written_tokens, cost_usd, tool_calls, steps, errors, output_chars, transcript_chars
    }
    Grading {
        expectations, claims, suggestions, critique, notes, conventions, grader;
        path, recorded, overall, is_scored, overall_score, required_score
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
    Side { strengths, weaknesses, details, version; score, quality, passed, total }
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
