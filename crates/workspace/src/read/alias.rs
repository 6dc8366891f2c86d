//! The alias table: every field that is read, with all its spellings.
//!
//! Readers look fields up only through this table, from which the JSON Schemas are made. A new
//! spelling is one word in one line here. The first spelling is the documented one; if a document has several, the first non-empty one counts. Case and word
//! separators do not matter: `passRate`, `Pass Rate` and `pass-rate` are all `pass_rate`.

use crate::read::forms::Shape::{self, *};
use crate::read::forms::ValueForm::*;
use crate::read::forms::{FLAG_OR_TEXT, TEXT_OR_TEXTS, TEXTS};

pub(super) use crate::read::field::is_any;
pub use crate::read::field::{Field, is_spelling};

macro_rules! form {
    () => {
        None
    };
    ($shape:ident, $form:expr) => {
        Some((Shape::$shape, $form))
    };
}

/// Declares the fields of all kinds, and [`TABLE`] over them.
macro_rules! fields {
    ($($kind:ident $title:literal {
        $($field:ident $name:literal = $($spelling:ident)+ $(=> $shape:ident, $form:expr)?;)+
    })+) => {
        $(
            /// The fields of this kind of document, or of a part that several kinds have.
            pub mod $kind {
                use super::*;
                $(
                    /// A field of this kind, with every spelling of its key.
                    pub const $field: Field = Field {
                        name: $name,
                        spellings: &[$(stringify!($spelling)),+],
                        form: form!($($shape, $form)?),
                    };
                )+
            }
        )+

        /// Every field by kind of document, in the documented order.
        pub const TABLE: &[(&str, &[&Field])] = &[$(($title, &[$(&$kind::$field,)+]),)+];
    };
}

fields! {
    labels "in every document" {
        CASE_ID "case id" = eval_id case_id test_id task_id case eval => Labels, Label;
        CASE_NAME "case name" = eval_name name title => Labels, Label;
        CONFIGURATION "configuration" = configuration config run_type condition variant mode arm
            => Labels, Label;
        RUN "run number" = run_number run run_index sample trial attempt => Labels, Label;
        VERSION "version" = version skill_version => Labels, Label;
        FORMAT "version of the format" = version;
        SKILL "skill" = skill_name skill target_skill skill_path => Labels, Text;
    }

    grading "grading" {
        ITEMS "graded expectations" = expectations assertions assertion_results expectation_results
            grades results evaluations component_results checks criteria assertion_details items
            tests => Grading, List(&Object(Graded));
        NAMED_ITEMS "graded expectations by name" = expectations assertions assertion_results
            expectation_results grades checks criteria;
        KEYED_ITEMS "graded expectations by key" = grading gradings;
        RUNS "runs in one file" = runs results samples attempts trials evals cases test_cases;
        ITEM_ID "case in a list of them" = id;
        WRAPPER "what only wraps a grading" = grading gradings data output response report
            evaluation;
        SUMMARY "summary" = summary totals stats => Grading, Either(&[Object(Counts), Text]);
        TIMING "timing" = timing => Grading, Object(Metrics);
        METRICS "execution metrics" = execution_metrics metrics => Grading, Object(Metrics);
        CLAIMS "claims" = claims => Grading, List(&Either(&[Text, Object(Claim)]));
        NOTES "executor's notes" = user_notes_summary user_notes notes grading_notes
            qualitative_notes => Grading, Either(&[TEXT_OR_TEXTS, Object(Notes)]);
        SUGGESTIONS "suggestions" = eval_feedback critique suggestions
            => Grading, Either(&[TEXT_OR_TEXTS, Object(Advice), List(&Object(Suggestion))]);
        OVERALL "overall verdict" = overall overall_result overall_verdict overall_passed verdict
            => Grading, FLAG_OR_TEXT;
        META "remarks on the run, not on its output" = meta_results meta_summary;
        OVERALL_SCORE "overall score" = overall_score => Grading, Number;
        REQUIRED_SCORE "required score" = required_score => Grading, Number;
        CONVENTIONS "convention checks" = convention_compliance => Grading, ByName(&Anything);
        THRESHOLD "least score that passes" = threshold pass_threshold passing_threshold
            score_threshold passing_score pass_score min_score pass_mark;
        GRADES "what grades mean" = grading_scale grade_scale scale legend grades_meaning
            passing_grades;
        GRADER "grader" = grader judge judge_model => Grading, Text;
    }

    expectation "graded expectation" {
        TEXT "statement" = text expectation assertion criterion description check name expected
            label => Graded, Text;
        VERDICT "verdict" = passed pass met verdict result grade outcome status success overall_pass
            overall_result passes ok correct decision state => Graded, Verdict;
        EVIDENCE "evidence" = evidence reason reasoning justification details explanation rationale
            comment notes note failure_reason why => Graded, TEXT_OR_TEXTS;
        SCORE "score" = score => Graded, Number;
        MAX_SCORE "most that the score could be" = max_score max out_of;
        REQUIRED "required" = required => Graded, Flag;
        ID "id" = id assertion_id => Graded, Label;
        NOT_JUDGED "whether nobody judged it" = skipped skip errored not_applicable not_run
            not_judged timed_out => Graded, Flag;
        ERROR "error of its grader" = error grader_error judge_error => Graded, Text;
        KIND "kind" = kind type polarity => Graded, Label;
        TO_AVOID "whether it is to be avoided" = inverted invert negated negate negative is_negative avoid
            must_not should_not forbidden => Graded, Flag;
        GRADER_FAILED "whether its grader broke and it counts as failed" = grader_failed;
        CASE "case it stands for" = eval_id case_id entry_point id name file;
    }

    counts "summary" {
        PASSED "passed" = passed passed_count total_pass total_passed passes pass_count
            passed_assertions assertions_passed expectations_passed => Counts, Number;
        FAILED "failed" = failed fails => Counts, Number;
        TOTAL "total" = total total_count total_expectations total_assertions total_runs total_tests
            assertions_total expectations_total => Counts, Number;
        PASS_RATE "pass rate" = pass_rate score_pct success_rate => Counts, Number;
    }

    claim "claim" {
        TEXT "statement" = claim text => Claim, Text;
        KIND "type" = type kind category => Claim, Text;
        VERIFIED "verified" = verified passed true valid => Claim, FLAG_OR_TEXT;
        EVIDENCE "evidence" = evidence details reason => Claim, Text;
    }

    suggestion "suggestion" {
        LIST "suggestions" = suggestions => Advice, List(&Either(&[Text, Object(Suggestion)]));
        OVERALL "overall remark" = overall summary => Advice, Text;
        EXPECTATION "expectation" = assertion expectation => Suggestion, Text;
        TEXT "advice" = reason suggestion text feedback => Suggestion, Text;
    }

    notes "executor's notes" {
        UNCERTAINTIES "uncertainties" = uncertainties => Notes, TEXT_OR_TEXTS;
        NEEDS_REVIEW "needs review" = needs_review review => Notes, TEXT_OR_TEXTS;
        WORKAROUNDS "workarounds" = workarounds => Notes, TEXT_OR_TEXTS;
    }

    metrics "timing and metrics" {
        SECONDS "duration in seconds" = total_duration_seconds duration_seconds total_seconds
            elapsed_seconds elapsed_s time_seconds duration_s mean_duration_seconds seconds
            => Metrics, Number;
        MILLISECONDS "duration in milliseconds" = duration_ms total_duration_ms elapsed_ms
            execution_time_ms total_ms time_ms wall_time_ms => Metrics, Number;
        EXECUTOR_SECONDS "executor's seconds" = executor_duration_seconds => Metrics, Number;
        GRADER_SECONDS "grader's seconds" = grader_duration_seconds => Metrics, Number;
        STARTED "start" = executor_start start_time started_at start_ts start_iso eval_start_utc
            started start => Metrics, Label;
        ENDED "end" = executor_end end_time finished_at completed_at ended_at end_ts end_iso
            eval_end_utc end => Metrics, Label;
        STARTED_MS "start in milliseconds" = start_ms => Metrics, Number;
        ENDED_MS "end in milliseconds" = end_ms => Metrics, Number;
        GRADER_STARTED "grader's start" = grader_start => Metrics, Label;
        GRADER_ENDED "grader's end" = grader_end => Metrics, Label;
        TOKENS "tokens" = total_tokens tokens_used tokens tokens_total => Metrics, Number;
        INPUT_TOKENS "input tokens" = input_tokens prompt_tokens total_input_tokens tokens_in
            => Metrics, Number;
        OUTPUT_TOKENS "output tokens" = output_tokens completion_tokens total_output_tokens
            tokens_out => Metrics, Number;
        CACHED_TOKENS "cached tokens" = cached_input_tokens cache_read_input_tokens cached_tokens
            cache_read_tokens => Metrics, Number;
        CACHED_BESIDE "cached tokens that the input tokens leave out" = cache_read_input_tokens
            cache_read_tokens;
        CACHE_WRITTEN_TOKENS "tokens written to a cache" = cache_creation_input_tokens
            cache_creation_tokens cache_write_input_tokens cache_write_tokens => Metrics, Number;
        COST "cost in dollars" = cost_usd total_cost_usd => Metrics, Number;
        MODEL "model" = model model_id model_name executor_model => Metrics, Text;
        TOOL_CALLS "tool calls" = total_tool_calls tool_uses tool_call_count => Metrics, Number;
        TOOL_CALLS_BY_NAME "tool calls by tool" = tool_calls tool_call_counts
            => Metrics, Either(&[Number, ByName(&Number)]);
        STEPS "steps" = total_steps steps total_turns turns num_turns => Metrics, Number;
        ERRORS "errors" = errors_encountered error_count errors => Metrics, Number;
        OUTPUT_CHARS "output characters" = output_chars => Metrics, Number;
        TRANSCRIPT_CHARS "transcript characters" = transcript_chars => Metrics, Number;
        NOTE "note on the figures" = note notes;
        FILES_CREATED "files created" = files_created => Metrics, TEXTS;
        BY_MODEL "figures by model, sub-agents included" = model_usage;
        PARTS "parts of a metrics document" = timing execution_metrics metrics aggregate token_usage
            token_counts usage tokens duration cost;
        PART_TOTAL "total inside a part" = total;
        PART_INPUT "input inside a part" = input;
        PART_OUTPUT "output inside a part" = output;
        PART_USD "dollars inside a part" = usd;
    }

    error "error of a run or its grader" {
        ERROR "error" = error exception;
        STATE "state" = status execution_status state outcome run_status termination_reason stop_reason classification;
        TIMED_OUT "whether time ran out" = timed_out timeout;
        REASON "reason" = message failure_reason failure_reason_code reason;
        EXCLUDED "whether it must not count" = excluded exclude excluded_from_benchmark contaminated;
        INVALID "whether it is invalid" = invalid is_invalid;
        EXCLUSION_REASON "why it must not count" = exclusion_reason excluded_reason invalid_reason
            contamination_reason reason message details;
        PART "part about the execution" = execution;
    }

    measured "what a run is measured on, and a reused run" {
        SKILL "digest of the skill" = skill => Measured, Text;
        PROMPT "digest of the prompt" = prompt => Measured, Text;
        FILES "digest of the input files" = files => Measured, Text;
        CHECKS "digests of the checks" = checks => Measured, TEXTS;
        MODEL "model" = model => Measured, Text;
        HARNESS "harness" = harness => Measured, Text;
        GRADER "grader" = grader => Measured, Text;
        SOURCE "run that counts again" = source => Reused, Text;
        MEASURED "what it was measured on" = measured => Reused, Object(Measured);
        GRADING "digest of its grading" = grading => Reused, Text;
    }

    case "evals and case metadata" {
        LIST "cases" = evals cases test_cases tests => Evals, List(&Object(Case));
        ID "id" = id eval_id case_id => Case, Label;
        NAME "name" = name eval_name title => Case, Text;
        PROMPT "prompt" = prompt query task input task_prompt user_prompt => Case, Text;
        EXPECTED_OUTPUT "expected output" = expected_output expected => Case, TEXT_OR_TEXTS;
        FILES "files" = files input_files => Case, TEXTS;
        EXPECTATIONS "expectations" = expectations assertions criteria checks
            => Case, List(&Either(&[Text, Object(PlannedExpectation)]));
        EXPECTATION_TEXT "expectation's statement" = text criterion expectation assertion rubric
            description check name id => PlannedExpectation, Label;
        PATTERN "what a check by a program looks for" = pattern patterns value values regex path;
        NEGATE "whether a program must not find it" = negate negated;
        DESCRIPTION "expectation's description" = description => PlannedExpectation, Text;
        SHOULD_LOAD "whether the skill should load" = should_trigger expect_activation;
        REQUIRED "required" = required => PlannedExpectation, Flag;
        KIND "expectation's kind" = kind type polarity => PlannedExpectation, Label;
        TO_AVOID "whether an expectation is to be avoided" = avoid inverted invert negative is_negative must_not
            should_not forbidden => PlannedExpectation, Flag;
    }

    benchmark "benchmark" {
        METADATA "metadata" = metadata => Benchmark, Object(BenchmarkMetadata);
        SKILL_PATH "skill's path" = skill_path;
        EXECUTOR_MODEL "executor's model" = executor_model model model_requested
            => BenchmarkMetadata, Text;
        ANALYZER_MODEL "analyzer's model" = analyzer_model => BenchmarkMetadata, Text;
        BASELINE "baseline" = baseline;
        TIMESTAMP "timestamp" = timestamp generated_at date run_at => BenchmarkMetadata, Text;
        EVALS_RUN "cases run" = evals_run => BenchmarkMetadata, List(&Label);
        RUNS_EACH "runs per configuration" = runs_per_configuration => BenchmarkMetadata, Number;
        RUNS "runs" = runs => Benchmark, List(&Object(BenchmarkRun));
        CASES "runs by case" = evals per_eval cases test_cases results;
        RESULT "result of a run" = result summary => BenchmarkRun, ByName(&Anything);
        ARMS "configurations of a run" = configurations configs;
        RUN_NOTES "notes on a run" = notes note => BenchmarkRun, TEXT_OR_TEXTS;
        SUMMARIES "summary per configuration" = run_summary summaries summary configurations configs
            totals aggregate results => Benchmark, ByName(&Anything);
        DELTA "difference" = delta deltas difference => Benchmark, ByName(&Anything);
        DELTA_PASS_RATE "difference of the pass rates" = pass_rate pass_rate_delta delta_pass_rate;
        DELTA_SECONDS "difference of the seconds" = time_seconds;
        DELTA_TOKENS "difference of the tokens" = tokens tokens_delta token_delta;
        NOTES "notes" = notes note analyst_notes analyst_observations analyzer_notes analysis observations
            key_findings findings conclusion conclusions key_observations key_insights insights
            takeaways key_takeaways interpretation => Benchmark, TEXT_OR_TEXTS;
        WARNINGS "warnings about its own figures" = validity_warnings validity warnings caveats
            limitations => Benchmark, TEXT_OR_TEXTS;
        PASS_RATE "pass rate" = pass_rate mean_pass_rate avg_pass_rate;
        TIME "seconds" = time_seconds mean_time_seconds duration_seconds total_duration_seconds;
        TOKENS "tokens" = tokens mean_tokens total_tokens;
        MEAN "mean" = mean;
        STDDEV "standard deviation" = stddev std std_dev;
        MIN "smallest" = min;
        MAX "largest" = max;
        LABEL "configuration's name" = name configuration config label;
        DESCRIPTION "what a configuration is" = label description;
    }

    feedback "feedback" {
        REVIEWS "reviews" = reviews feedback comments => Feedback, List(&Object(Review));
        RUN_ID "run" = run_id run id eval case => Review, Label;
        TEXT "words" = feedback comment comments text notes note review => Review, Text;
        TIMESTAMP "time" = timestamp date updated_at => Review, Label;
        STATUS "state" = status state => Feedback, Text;
        DISPUTED "disputed checks" = disputed => Review, TEXT_OR_TEXTS;
        JUDGED "checks judged by a person" = judged => Review, List(&Object(Judged));
        CHECK "check" = check text => Judged, Text;
        OUTCOME "what the person says" = outcome verdict => Judged, Text;
    }

    comparison "blind comparison" {
        WINNER "winner" = winner verdict => Comparison, Text;
        REASONING "reasoning" = reasoning reason rationale explanation => Comparison, Text;
        PROMPT "prompt" = eval_prompt prompt task => Comparison, Text;
        SCORES "scores" = scores => Comparison, ByName(&Anything);
        RUBRIC "rubric" = rubric => Comparison, ByName(&Anything);
        QUALITY "output quality" = output_quality => Comparison, ByName(&Anything);
        EXPECTATIONS "expectation results" = expectation_results => Comparison, ByName(&Anything);
        CONTENT "content scores" = content_score content;
        STRUCTURE "structure scores" = structure_score structure;
        STRENGTHS "strengths" = strengths;
        WEAKNESSES "weaknesses" = weaknesses;
        DETAILS "what was said of each expectation" = details;
        SIDE_SCORE "overall score" = score overall_score overall;
        SIDE_A "output A" = A a output_a;
        SIDE_B "output B" = B b output_b;
        MAPPING "what is behind the letters" = mapping labels unblinded blind_labels
            => Comparison, ByName(&Label);
        LIST "comparisons in one file" = evals pairs cases results;
    }

    analysis "analysis" {
        SUMMARY_PART "comparison in sum" = comparison_summary => Analysis, ByName(&Anything);
        WINNER "winner" = winner_version winner_skill winner => Analysis, Label;
        LOSER "loser" = loser_version loser_skill loser => Analysis, Label;
        REASONING "summary" = comparator_reasoning summary reasoning => Analysis, Text;
        STRENGTHS "strengths" = strengths winner_strengths => Analysis, TEXT_OR_TEXTS;
        WEAKNESSES "weaknesses" = weaknesses loser_weaknesses => Analysis, TEXT_OR_TEXTS;
        PROPOSALS "suggestions" = suggestions improvement_suggestions
            => Analysis, List(&Either(&[Text, Object(Proposal)]));
        AREA "area" = area category section => Proposal, Text;
        BEFORE "before" = before => Proposal, Text;
        AFTER "after" = after => Proposal, Text;
        TEXT "suggestion" = reasoning suggestion text what why => Proposal, Text;
        PRIORITY "priority" = priority => Proposal, Label;
        IMPACT "expected impact" = expected_impact impact => Proposal, Text;
        INSTRUCTIONS "instruction following" = instruction_following => Analysis, ByName(&Anything);
        ISSUES "issues" = issues;
        OBSERVATIONS "observations" = observations notes findings transcript_insights
            => Analysis, Either(&[TEXT_OR_TEXTS, ByName(&Anything)]);
    }

    history "history" {
        STARTED_AT "start" = started_at => History, Text;
        CURRENT "current version" = current_best current_version => History, Label;
        VERSIONS "versions" = versions iterations history => History, List(&Object(Version));
        VERSION "version" = version iteration id name => Version, Label;
        PARENT "parent" = parent => Version, Label;
        TIMESTAMP "time" = timestamp created_at date => Version, Text;
        DESCRIPTION "description" = description changes summary => Version, TEXT_OR_TEXTS;
        GIT_HASH "commit" = git_hash commit => Version, Text;
        PATH "path" = path => Version, Text;
        ITERATION "iteration run with it" = iteration => Version, Label;
        AVERAGE_SCORE "average score" = average_score mean_score => Version, Number;
        PASS_RATE "pass rate" = expectation_pass_rate pass_rate => Version, Number;
        PRECISION "precision" = precision => Version, Number;
        RECALL "recall" = recall => Version, Number;
        RESULT "result" = grading_result result => Version, Text;
        IS_BEST "best" = is_current_best best => Version, Flag;
        NOTES "notes" = notes note => Version, TEXT_OR_TEXTS;
    }

    triggers "trigger results" {
        RESULTS "queries" = results train_results queries query_results evaluations per_query;
        ROWS "queries with their results" = rows cases items tests;
        HELD_OUT "held-out queries" = test_results;
        WANTED "queries that should trigger" = should_trigger;
        UNWANTED "queries that should not" = should_not_trigger;
        SUMMARY "summary" = summary aggregate totals;
        NUMBER "round" = version iteration round run id;
        DESCRIPTION "description tried" = description descriptions changes summary;
        QUERY "query" = query prompt text;
        ID "query's id" = id query_id;
        SHOULD_TRIGGER "should trigger" = should_trigger expected expect;
        TRIGGERED "whether it triggered" = triggered actual did_trigger got predicted picked;
        TRIGGERS "times triggered" = triggers trigger_count;
        TRIGGER_RATE "share of the tries that triggered" = trigger_rate;
        RUNS "times tried" = runs total_runs run_count;
        THRESHOLD "share of the tries from which on it triggers" = threshold trigger_threshold;
        PASSED "right" = pass passed ok correct;
        PASS_FLAGS "right each time" = pass_flags;
        SPLIT "part it belongs to" = split;
        TOTAL "tried" = total train_total total_queries;
        COUNT "right in total" = passed train_passed correct;
    }

    gates "regression gates" {
        MIN_PASS_RATE_DELTA "smallest change of the pass rate" = min_pass_rate_delta;
        MAX_TIME "largest additional seconds" = max_time_increase_seconds;
        MAX_TOKENS "largest additional tokens" = max_token_increase;
        NON_NEGATIVE "no loss allowed" = require_non_negative_pass_rate;
    }
}

#[cfg(test)]
mod tests {
    use super::feedback;

    #[test]
    fn pages_know_the_same_spellings_of_comments() {
        let script = include_str!("../../../../assets/feedback_file.js");
        let fields = [
            ("reviews", &feedback::REVIEWS),
            ("run", &feedback::RUN_ID),
            ("words", &feedback::TEXT),
            ("time", &feedback::TIMESTAMP),
            ("status", &feedback::STATUS),
        ];
        for (name, field) in fields {
            let spellings: Vec<String> =
                field.spellings.iter().map(|spelling| format!("'{spelling}'")).collect();
            let line = format!("    {name}: [{}],\n", spellings.join(", "));
            assert!(script.contains(&line), "{line}");
        }
    }
}
