//! Which fields of the alias table each kind of document has, and of what form they are.

use crate::read::alias::{
    Field, analysis, benchmark, case, claim, comparison, counts, expectation, feedback, grading,
    history, labels, metrics, notes, suggestion,
};
use crate::schema::Form::{
    Anything, ByName, Either, Flag, Label, List, Number, Object, Text, Verdict, Written,
};
use crate::schema::{Form, KindSchema, Shape, report_schema, run_line_schema};

/// Every kind that has a schema, in the order listed.
pub const KINDS: &[KindSchema] = &[
    KindSchema {
        advice: ". One entry per expectation with its text word for word; `passed` is true or false, \
                 null where it could not be judged; `evidence` quotes or counts what is in the \
                 outputs, also where it passed. Strict JSON. All else is optional.",
        left_out: &[
            &grading::SUMMARY,
            &grading::TIMING,
            &grading::METRICS,
            &counts::PASS_RATE,
            &labels::CASE_ID,
            &labels::CASE_NAME,
            &labels::CONFIGURATION,
            &labels::RUN,
            &labels::VERSION,
        ],
        ..kind(
            "grading",
            "grading.json: every expectation of one run with its verdict and evidence",
            Object(&GRADING),
        )
    },
    kind("timing", "timing.json: duration and tokens of one run", Object(&METRICS)),
    kind("metrics", "metrics.json: tool calls, errors and files of one run", Object(&METRICS)),
    kind(
        "eval_metadata",
        "eval_metadata.json: prompt and expectations of one case",
        Object(&METADATA),
    ),
    kind(
        "evals",
        "evals.json: all cases of a skill",
        Either(&[Object(&EVALS), List(&Object(&CASE))]),
    ),
    kind("benchmark", "benchmark.json: the figures of one iteration", Object(&BENCHMARK)),
    kind(
        "feedback",
        "feedback.json: what people said of runs",
        Either(&[Object(&FEEDBACK), ByName(&Text)]),
    ),
    kind(
        "comparison",
        "comparison.json: a judge's choice between unnamed outputs",
        Object(&COMPARISON),
    ),
    kind(
        "analysis",
        "analysis.json: what an analyst made of a comparison or an iteration",
        Either(&[Object(&ANALYSIS), TEXTS]),
    ),
    kind(
        "history",
        "history.json: the versions of a skill",
        Either(&[Object(&HISTORY), List(&Object(&VERSION))]),
    ),
    kind(
        "report",
        "report.json: everything of a report, as evalbook writes it",
        Written(report_schema),
    ),
    kind(
        "runs",
        "runs.jsonl: one line, which is one run, as evalbook writes it",
        Written(run_line_schema),
    ),
];

const fn kind(name: &'static str, about: &'static str, form: Form) -> KindSchema {
    KindSchema { name, about, form, advice: "", left_out: &[] }
}

const fn shape(fields: &'static [(&'static Field, Form)]) -> Shape {
    Shape { fields, needed: &[] }
}

const TEXTS: Form = List(&Text);
const TEXT_OR_TEXTS: Form = Either(&[Text, TEXTS]);
const FLAG_OR_TEXT: Form = Either(&[Flag, Text]);

const GRADING: Shape = Shape {
    fields: &[
        (&grading::ITEMS, List(&Object(&GRADED))),
        (&grading::SUMMARY, Either(&[Object(&COUNTS), Text])),
        (&grading::TIMING, Object(&METRICS)),
        (&grading::METRICS, Object(&METRICS)),
        (&grading::CLAIMS, List(&Either(&[Text, Object(&CLAIM)]))),
        (&grading::NOTES, Either(&[TEXT_OR_TEXTS, Object(&NOTES)])),
        (
            &grading::SUGGESTIONS,
            Either(&[TEXT_OR_TEXTS, Object(&ADVICE), List(&Object(&SUGGESTION))]),
        ),
        (&grading::OVERALL, FLAG_OR_TEXT),
        (&grading::OVERALL_SCORE, Number),
        (&grading::REQUIRED_SCORE, Number),
        (&grading::CONVENTIONS, ByName(&Anything)),
        (&grading::GRADER, Text),
        (&counts::PASS_RATE, Number),
        (&labels::CASE_ID, Label),
        (&labels::CASE_NAME, Label),
        (&labels::CONFIGURATION, Label),
        (&labels::RUN, Label),
        (&labels::VERSION, Label),
    ],
    needed: &[&grading::ITEMS],
};

const GRADED: Shape = Shape {
    fields: &[
        (&expectation::TEXT, Text),
        (&expectation::VERDICT, Verdict),
        (&expectation::EVIDENCE, TEXT_OR_TEXTS),
        (&expectation::SCORE, Number),
        (&expectation::REQUIRED, Flag),
        (&expectation::ID, Label),
    ],
    needed: &[&expectation::TEXT, &expectation::VERDICT],
};

const COUNTS: Shape = shape(&[
    (&counts::PASSED, Number),
    (&counts::FAILED, Number),
    (&counts::TOTAL, Number),
    (&counts::PASS_RATE, Number),
]);

const CLAIM: Shape = Shape {
    fields: &[
        (&claim::TEXT, Text),
        (&claim::KIND, Text),
        (&claim::VERIFIED, FLAG_OR_TEXT),
        (&claim::EVIDENCE, Text),
    ],
    needed: &[&claim::TEXT],
};

const NOTES: Shape = shape(&[
    (&notes::UNCERTAINTIES, TEXT_OR_TEXTS),
    (&notes::NEEDS_REVIEW, TEXT_OR_TEXTS),
    (&notes::WORKAROUNDS, TEXT_OR_TEXTS),
]);

const ADVICE: Shape = shape(&[
    (&suggestion::LIST, List(&Either(&[Text, Object(&SUGGESTION)]))),
    (&suggestion::OVERALL, Text),
]);

const SUGGESTION: Shape = Shape {
    fields: &[(&suggestion::EXPECTATION, Text), (&suggestion::TEXT, Text)],
    needed: &[&suggestion::TEXT],
};

const METRICS: Shape = shape(&[
    (&metrics::SECONDS, Number),
    (&metrics::MILLISECONDS, Number),
    (&metrics::MINUTES, Number),
    (&metrics::EXECUTOR_SECONDS, Number),
    (&metrics::GRADER_SECONDS, Number),
    (&metrics::STARTED, Label),
    (&metrics::ENDED, Label),
    (&metrics::STARTED_MS, Number),
    (&metrics::ENDED_MS, Number),
    (&metrics::GRADER_STARTED, Label),
    (&metrics::GRADER_ENDED, Label),
    (&metrics::TOKENS, Number),
    (&metrics::INPUT_TOKENS, Number),
    (&metrics::OUTPUT_TOKENS, Number),
    (&metrics::CACHED_TOKENS, Number),
    (&metrics::CACHE_WRITTEN_TOKENS, Number),
    (&metrics::COST, Number),
    (&metrics::MODEL, Text),
    (&metrics::TOOL_CALLS, Number),
    (&metrics::TOOL_CALLS_BY_NAME, Either(&[Number, ByName(&Number)])),
    (&metrics::STEPS, Number),
    (&metrics::ERRORS, Number),
    (&metrics::OUTPUT_CHARS, Number),
    (&metrics::TRANSCRIPT_CHARS, Number),
    (&metrics::FILES_CREATED, TEXTS),
]);

const PLANNED: Form = List(&Either(&[Text, Object(&PLANNED_EXPECTATION)]));

const PLANNED_EXPECTATION: Shape = Shape {
    fields: &[
        (&case::EXPECTATION_TEXT, Label),
        (&case::DESCRIPTION, Text),
        (&case::REQUIRED, Flag),
    ],
    needed: &[&case::EXPECTATION_TEXT],
};

const CASE: Shape = Shape {
    fields: &[
        (&case::ID, Label),
        (&case::NAME, Text),
        (&case::PROMPT, Text),
        (&case::EXPECTED_OUTPUT, TEXT_OR_TEXTS),
        (&case::FILES, TEXTS),
        (&case::EXPECTATIONS, PLANNED),
    ],
    needed: &[&case::PROMPT],
};

const METADATA: Shape = shape(CASE.fields);

const EVALS: Shape = Shape {
    fields: &[(&labels::SKILL, Text), (&case::LIST, List(&Object(&CASE)))],
    needed: &[&case::LIST],
};

const BENCHMARK: Shape = Shape {
    fields: &[
        (&benchmark::METADATA, Object(&BENCHMARK_METADATA)),
        (&benchmark::RUNS, List(&Object(&BENCHMARK_RUN))),
        (&benchmark::SUMMARIES, ByName(&Anything)),
        (&benchmark::DELTA, ByName(&Anything)),
        (&benchmark::NOTES, TEXT_OR_TEXTS),
    ],
    needed: &[&benchmark::SUMMARIES],
};

const BENCHMARK_METADATA: Shape = shape(&[
    (&labels::SKILL, Text),
    (&benchmark::EXECUTOR_MODEL, Text),
    (&benchmark::ANALYZER_MODEL, Text),
    (&benchmark::TIMESTAMP, Text),
    (&benchmark::EVALS_RUN, List(&Label)),
    (&benchmark::RUNS_EACH, Number),
]);

const BENCHMARK_RUN: Shape = Shape {
    fields: &[
        (&labels::CASE_ID, Label),
        (&labels::CASE_NAME, Label),
        (&labels::CONFIGURATION, Label),
        (&labels::RUN, Label),
        (&benchmark::RESULT, ByName(&Anything)),
        (&benchmark::RUN_NOTES, TEXT_OR_TEXTS),
    ],
    needed: &[&labels::CONFIGURATION],
};

const FEEDBACK: Shape = Shape {
    fields: &[(&feedback::REVIEWS, List(&Object(&REVIEW))), (&feedback::STATUS, Text)],
    needed: &[&feedback::REVIEWS],
};

const REVIEW: Shape = Shape {
    fields: &[(&feedback::RUN_ID, Label), (&feedback::TEXT, Text), (&feedback::TIMESTAMP, Label)],
    needed: &[&feedback::RUN_ID, &feedback::TEXT],
};

const COMPARISON: Shape = Shape {
    fields: &[
        (&comparison::WINNER, Text),
        (&comparison::REASONING, Text),
        (&comparison::PROMPT, Text),
        (&comparison::SCORES, ByName(&Anything)),
        (&comparison::RUBRIC, ByName(&Anything)),
        (&comparison::QUALITY, ByName(&Anything)),
        (&comparison::EXPECTATIONS, ByName(&Anything)),
        (&comparison::MAPPING, ByName(&Label)),
    ],
    needed: &[&comparison::WINNER],
};

const ANALYSIS: Shape = shape(&[
    (&analysis::SUMMARY_PART, ByName(&Anything)),
    (&analysis::WINNER, Label),
    (&analysis::LOSER, Label),
    (&analysis::REASONING, Text),
    (&analysis::STRENGTHS, TEXT_OR_TEXTS),
    (&analysis::WEAKNESSES, TEXT_OR_TEXTS),
    (&analysis::PROPOSALS, List(&Either(&[Text, Object(&PROPOSAL)]))),
    (&analysis::INSTRUCTIONS, ByName(&Anything)),
    (&analysis::OBSERVATIONS, Either(&[TEXT_OR_TEXTS, ByName(&Anything)])),
]);

const PROPOSAL: Shape = shape(&[
    (&analysis::AREA, Text),
    (&analysis::BEFORE, Text),
    (&analysis::AFTER, Text),
    (&analysis::TEXT, Text),
    (&analysis::PRIORITY, Label),
    (&analysis::IMPACT, Text),
]);

const HISTORY: Shape = Shape {
    fields: &[
        (&labels::SKILL, Text),
        (&history::STARTED_AT, Text),
        (&history::CURRENT, Label),
        (&history::VERSIONS, List(&Object(&VERSION))),
    ],
    needed: &[&history::VERSIONS],
};

const VERSION: Shape = Shape {
    fields: &[
        (&history::VERSION, Label),
        (&history::PARENT, Label),
        (&history::TIMESTAMP, Text),
        (&history::DESCRIPTION, TEXT_OR_TEXTS),
        (&history::GIT_HASH, Text),
        (&history::PATH, Text),
        (&history::AVERAGE_SCORE, Number),
        (&history::PASS_RATE, Number),
        (&history::PRECISION, Number),
        (&history::RECALL, Number),
        (&history::RESULT, Text),
        (&history::IS_BEST, Flag),
        (&history::NOTES, TEXT_OR_TEXTS),
    ],
    needed: &[&history::VERSION],
};
