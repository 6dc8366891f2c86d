//! Which fields of the alias table each kind of document has, and of what form they are.

use crate::read::alias::{
    analysis, benchmark, case, claim, comparison, counts, expectation, feedback, grading, history,
    labels, metrics, notes, suggestion,
};
use crate::schema::Form::{
    Anything, ByName, Either, Flag, Label, List, Number, Object, Text, Verdict, Written,
};
use crate::schema::{Form, KindSchema, Shape, written};

/// Every kind that has a schema, in the order listed.
pub const KINDS: &[KindSchema] = &[
    KindSchema {
        name: "grading",
        about: "grading.json: every expectation of one run with its verdict and evidence",
        form: Object(&GRADING),
    },
    KindSchema {
        name: "timing",
        about: "timing.json: duration and tokens of one run",
        form: Object(&METRICS),
    },
    KindSchema {
        name: "metrics",
        about: "metrics.json: tool calls, errors and files of one run",
        form: Object(&METRICS),
    },
    KindSchema {
        name: "eval_metadata",
        about: "eval_metadata.json: prompt and expectations of one case",
        form: Object(&METADATA),
    },
    KindSchema {
        name: "evals",
        about: "evals.json: all cases of a skill",
        form: Either(&[Object(&EVALS), List(&Object(&CASE))]),
    },
    KindSchema {
        name: "benchmark",
        about: "benchmark.json: the figures of one iteration",
        form: Object(&BENCHMARK),
    },
    KindSchema {
        name: "feedback",
        about: "feedback.json: what people said of runs",
        form: Either(&[Object(&FEEDBACK), ByName(&Text)]),
    },
    KindSchema {
        name: "comparison",
        about: "comparison.json: a judge's choice between unnamed outputs",
        form: Object(&COMPARISON),
    },
    KindSchema {
        name: "analysis",
        about: "analysis.json: what an analyst made of a comparison or an iteration",
        form: Either(&[Object(&ANALYSIS), TEXTS]),
    },
    KindSchema {
        name: "history",
        about: "history.json: the versions of a skill",
        form: Either(&[Object(&HISTORY), List(&Object(&VERSION))]),
    },
    KindSchema {
        name: "report",
        about: "report.json: everything of a report, as evalbook writes it",
        form: Written(written::report),
    },
    KindSchema {
        name: "runs",
        about: "runs.jsonl: one line, which is one run, as evalbook writes it",
        form: Written(written::run_line),
    },
];

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

const COUNTS: Shape = Shape {
    fields: &[
        (&counts::PASSED, Number),
        (&counts::FAILED, Number),
        (&counts::TOTAL, Number),
        (&counts::PASS_RATE, Number),
    ],
    needed: &[],
};

const CLAIM: Shape = Shape {
    fields: &[
        (&claim::TEXT, Text),
        (&claim::KIND, Text),
        (&claim::VERIFIED, FLAG_OR_TEXT),
        (&claim::EVIDENCE, Text),
    ],
    needed: &[&claim::TEXT],
};

const NOTES: Shape = Shape {
    fields: &[
        (&notes::UNCERTAINTIES, TEXT_OR_TEXTS),
        (&notes::NEEDS_REVIEW, TEXT_OR_TEXTS),
        (&notes::WORKAROUNDS, TEXT_OR_TEXTS),
    ],
    needed: &[],
};

const ADVICE: Shape = Shape {
    fields: &[
        (&suggestion::LIST, List(&Either(&[Text, Object(&SUGGESTION)]))),
        (&suggestion::OVERALL, Text),
    ],
    needed: &[],
};

const SUGGESTION: Shape = Shape {
    fields: &[(&suggestion::EXPECTATION, Text), (&suggestion::TEXT, Text)],
    needed: &[&suggestion::TEXT],
};

const METRICS: Shape = Shape {
    fields: &[
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
    ],
    needed: &[],
};

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

const METADATA: Shape = Shape { fields: CASE.fields, needed: &[] };

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

const BENCHMARK_METADATA: Shape = Shape {
    fields: &[
        (&labels::SKILL, Text),
        (&benchmark::EXECUTOR_MODEL, Text),
        (&benchmark::ANALYZER_MODEL, Text),
        (&benchmark::TIMESTAMP, Text),
        (&benchmark::EVALS_RUN, List(&Label)),
        (&benchmark::RUNS_EACH, Number),
    ],
    needed: &[],
};

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

const ANALYSIS: Shape = Shape {
    fields: &[
        (&analysis::SUMMARY_PART, ByName(&Anything)),
        (&analysis::WINNER, Label),
        (&analysis::LOSER, Label),
        (&analysis::REASONING, Text),
        (&analysis::STRENGTHS, TEXT_OR_TEXTS),
        (&analysis::WEAKNESSES, TEXT_OR_TEXTS),
        (&analysis::PROPOSALS, List(&Either(&[Text, Object(&PROPOSAL)]))),
        (&analysis::INSTRUCTIONS, ByName(&Anything)),
        (&analysis::OBSERVATIONS, Either(&[TEXT_OR_TEXTS, ByName(&Anything)])),
    ],
    needed: &[],
};

const PROPOSAL: Shape = Shape {
    fields: &[
        (&analysis::AREA, Text),
        (&analysis::BEFORE, Text),
        (&analysis::AFTER, Text),
        (&analysis::TEXT, Text),
        (&analysis::PRIORITY, Label),
        (&analysis::IMPACT, Text),
    ],
    needed: &[],
};

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
