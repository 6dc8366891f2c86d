//! The kinds of document that have a schema, and the fields that their objects have.

use crate::read::alias::{
    Field, TABLE, benchmark, case, claim, comparison, counts, expectation, feedback, grading,
    history, labels, suggestion,
};
use crate::read::forms::Form::{self, ByName, Either, List, Object, Text, Written};
use crate::read::forms::{Shape, TEXTS};
use crate::schema::{KindSchema, report_schema, run_line_schema};

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
            Object(Shape::Grading),
        )
    },
    kind("timing", "timing.json: duration and tokens of one run", Object(Shape::Metrics)),
    kind(
        "metrics",
        "metrics.json: tool calls, errors and files of one run",
        Object(Shape::Metrics),
    ),
    kind(
        "eval_metadata",
        "eval_metadata.json: prompt and expectations of one case",
        Object(Shape::Metadata),
    ),
    kind(
        "evals",
        "evals.json: all cases of a skill",
        Either(&[Object(Shape::Evals), List(&Object(Shape::Case))]),
    ),
    kind("benchmark", "benchmark.json: the figures of one iteration", Object(Shape::Benchmark)),
    kind(
        "feedback",
        "feedback.json: what people said of runs",
        Either(&[Object(Shape::Feedback), ByName(&Text)]),
    ),
    kind(
        "comparison",
        "comparison.json: a judge's choice between unnamed outputs",
        Object(Shape::Comparison),
    ),
    kind(
        "analysis",
        "analysis.json: what an analyst made of a comparison or an iteration",
        Either(&[Object(Shape::Analysis), TEXTS]),
    ),
    kind(
        "history",
        "history.json: the versions of a skill",
        Either(&[Object(Shape::History), List(&Object(Shape::Version))]),
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

impl Shape {
    /// The fields that an object has, each with the form of its value.
    pub(super) fn fields(self) -> impl Iterator<Item = (&'static Field, &'static Form)> {
        let home = if self == Self::Metadata { Self::Case } else { self };
        let form = |field: &'static Field| Some((field, field.form.as_ref()?));
        let all = TABLE.iter().flat_map(|(_, fields)| *fields).copied().filter_map(form);
        let own = all.filter(move |(_, (shape, _))| *shape == home);
        let shared = self.shared().iter().copied().filter_map(form);
        own.chain(shared).map(|(field, (_, form))| (field, form))
    }

    /// The fields that other objects have too.
    fn shared(self) -> &'static [&'static Field] {
        use labels::{CASE_ID, CASE_NAME, CONFIGURATION, RUN, SKILL, VERSION};
        match self {
            Self::Grading => {
                &[&counts::PASS_RATE, &CASE_ID, &CASE_NAME, &CONFIGURATION, &RUN, &VERSION]
            }
            Self::BenchmarkRun => &[&CASE_ID, &CASE_NAME, &CONFIGURATION, &RUN],
            Self::Evals | Self::BenchmarkMetadata | Self::History => &[&SKILL],
            _ => &[],
        }
    }

    /// What must be there, under one spelling or another.
    pub(super) fn needed(self) -> &'static [&'static Field] {
        match self {
            Self::Grading => &[&grading::ITEMS],
            Self::Graded => &[&expectation::TEXT, &expectation::VERDICT],
            Self::Claim => &[&claim::TEXT],
            Self::Suggestion => &[&suggestion::TEXT],
            Self::PlannedExpectation => &[&case::EXPECTATION_TEXT],
            Self::Case => &[&case::PROMPT],
            Self::Evals => &[&case::LIST],
            Self::Benchmark => &[&benchmark::SUMMARIES],
            Self::BenchmarkRun => &[&labels::CONFIGURATION],
            Self::Feedback => &[&feedback::REVIEWS],
            Self::Review => &[&feedback::RUN_ID, &feedback::TEXT],
            Self::Comparison => &[&comparison::WINNER],
            Self::History => &[&history::VERSIONS],
            Self::Version => &[&history::VERSION],
            _ => &[],
        }
    }
}
