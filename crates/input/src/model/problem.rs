//! Problems: something wrong with one input.

use schemars::JsonSchema;
use serde::Serialize;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something was lost, or two sources contradict each other on a number.
    Error,
    /// Something was assumed, or a rule of the dialect is broken.
    Warning,
    /// Worth knowing; nothing was lost and nothing is wrong with the numbers.
    Note,
}

impl Severity {
    /// The severity in one lower-case word.
    pub fn word(self) -> &'static str {
        ["error", "warning", "note"][self as usize]
    }
}

/// Declares [`Code`] with its stable word, severity and meaning in one table.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $word:literal, $severity:ident;)+) => {
        /// The kind of a problem. Its word never changes once published.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// Every code, in the order documented.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable word, for example `summary-mismatch`.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The severity of every problem with this code.
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
            }

            /// What the code means, in one sentence.
            pub fn meaning(self) -> String {
                match self { $(Self::$variant => concat!($($doc),+).trim().to_owned(),)+ }
            }
        }
    };
}

codes! {
    /// The file could not be opened or read.
    UnreadableFile = "unreadable-file", Error;
    /// The file is larger than a document may be and was not read.
    TooLarge = "too-large", Error;
    /// The document is not JSON, even with tolerance.
    NotJson = "not-json", Error;
    /// The document breaks off; what came after is lost.
    CutOff = "cut-off", Error;
    /// The document is nearly JSON and was read with tolerance.
    NearJson = "near-json", Warning;
    /// The document is not plain UTF-8 and was converted.
    Encoding = "encoding", Warning;
    /// A field has a value of an unexpected kind.
    WrongType = "wrong-type", Warning;
    /// What looks like a verdict was not counted, because its form or its place leaves open what it
    /// means.
    LostVerdicts = "lost-verdicts", Error;
    /// A number lies outside the range it can have.
    OutOfRange = "out-of-range", Warning;
    /// The document has the name of a known kind, but none of its fields.
    UnknownShape = "unknown-shape", Warning;
    /// Results of another tool were recognized and read.
    RecognizedTool = "recognized-tool", Note;
    /// Results of another tool were recognized and not read.
    UnreadResults = "unread-results", Warning;
    /// A mapping in `[[rows]]` names a file, a list or a field that is not there.
    RowsMismatch = "rows-mismatch", Error;
    /// A row of results was not read, or a field of it, or it contradicts another row.
    RowNotRead = "row-not-read", Warning;
    /// A row of results is there twice; it counts once.
    RepeatedRow = "repeated-row", Note;
    /// The document holds counts but no verdicts.
    CountsOnly = "counts-only", Note;
    /// A placeholder was never filled in and is treated as absent.
    Placeholder = "placeholder", Note;
    /// Two cases of one file have the same id.
    DuplicateCaseId = "duplicate-case-id", Error;
    /// The ids of one file are of different types.
    MixedIds = "mixed-ids", Warning;
    /// A case has no required expectation and so can never fail.
    NoRequiredExpectation = "no-required-expectation", Warning;
    /// A verdict contradicts its score: passed means 3 or more.
    PassedContradictsScore = "passed-contradicts-score", Warning;
    /// A verdict contradicts the reason written next to it.
    PassedContradictsReason = "passed-contradicts-reason", Warning;
    /// The recorded overall verdict does not follow from the expectations.
    OverallContradicts = "overall-contradicts", Warning;
    /// A proposed change lacks its text before or after.
    IncompleteProposal = "incomplete-proposal", Warning;
    /// Recorded counts differ from the verdicts they summarize.
    SummaryMismatch = "summary-mismatch", Warning;
    /// A blind comparison names a version or configuration.
    UnblindedComparison = "unblinded-comparison", Warning;
    /// A recorded benchmark differs from what the verdicts give.
    BenchmarkMismatch = "benchmark-mismatch", Warning;
    /// A recorded benchmark shares no check with the runs beside it: it measures something else.
    UnrelatedBenchmark = "unrelated-benchmark", Warning;
    /// Two documents give different durations or tokens for one run.
    TimingMismatch = "timing-mismatch", Warning;
    /// Recorded times or tokens cannot be those of a model; they have no ratio.
    ImplausibleFigures = "implausible-figures", Warning;
    /// What is recorded as tokens are characters, which are never tokens.
    CharactersAsTokens = "characters-as-tokens", Warning;
    /// The same verdicts on one run lie in another folder too; they count once.
    DuplicateGrading = "duplicate-grading", Note;
    /// A run of an earlier iteration is used again; it keeps its place there and here.
    ReusedRun = "reused-run", Note;
    /// A `reused.json` says what is not so; the run is not counted.
    ReuseRefused = "reuse-refused", Error;
    /// The run that a `reused.json` names is gone, so the run is missing.
    ReusedRunGone = "reused-run-gone", Warning;
    /// Two configurations of a case have the same grading, word for word, and no figure tells their
    /// runs apart.
    EqualGradings = "equal-gradings", Warning;
    /// A run has more than one grading; the first gives its numbers.
    SecondGrading = "second-grading", Warning;
    /// A run or its grader reports an error.
    RunError = "run-error", Warning;
    /// Two cases of an iteration have the same prompt and different expectations.
    SamePrompt = "same-prompt", Note;
    /// A grading, or time and tokens, names no configuration although the case has several.
    UnassignedGrading = "unassigned-grading", Warning;
    /// A run that should do without the skill had it, so that the two sides are not what their names
    /// say.
    BaselineLoaded = "baseline-loaded", Warning;
    /// A run read the expectations that it is graded by.
    AnswerKeyRead = "answer-key-read", Warning;
    /// A run read what another run left.
    OtherRunRead = "other-run-read", Warning;
    /// A grading lacks some of the planned checks, so that nobody knows whether they passed.
    NeverGraded = "never-graded", Warning;
    /// A grading gives one check two verdicts that differ.
    GradedTwice = "graded-twice", Warning;
    /// A grading has other checks in place of planned ones.
    OtherChecks = "other-checks", Note;
    /// A run left outputs but was not graded.
    UngradedRun = "ungraded-run", Note;
    /// Two documents describe one case differently, or two cases by one name; two folders state one
    /// case; or a document says that it belongs elsewhere than its folder.
    CaseContradicts = "case-contradicts", Warning;
    /// A review names a run that is not there.
    UnknownRun = "unknown-run", Warning;
    /// A symbolic link was not followed.
    LinkNotFollowed = "link-not-followed", Note;
    /// A name is not valid UTF-8 and is shown with its odd bytes written out.
    OddName = "odd-name", Warning;
    /// Nothing says in which order iterations were made: no number, no date, no recorded time.
    UnknownOrder = "unknown-order", Warning;
    /// A name is one or two letters away from a known one, and was taken as it is.
    NearMiss = "near-miss", Warning;
    /// What looks like results is in no known form or place, and was not read.
    ResultsNotRead = "results-not-read", Warning;
    /// A folder stands where a document is expected.
    NotAFile = "not-a-file", Warning;
    /// Regression gates for another program are not followed; the rules of evalbook.toml can do the same.
    GatesNotFollowed = "gates-not-followed", Warning;
    /// Folders that are joined into one workspace have different things at the same path.
    FoldersContradict = "folders-contradict", Error;
    /// A secret of a known shape was replaced by a mark in everything that is shown or stored.
    SecretRedacted = "secret-redacted", Warning;
    /// A file holds secrets that cannot be replaced in it, and is not published.
    SecretWithheld = "secret-withheld", Warning;
    /// A file holds secrets that cannot be replaced in it, and is published, as a flag says.
    SecretPublished = "secret-published", Warning;
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Something wrong in one input: it is recorded and shown, and processing continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its kind, which decides the severity.
    pub code: Code,
    /// The file or folder, relative to the workspace.
    pub path: String,
    /// The place in the file, if there is a single one.
    pub place: Option<Place>,
    /// What is wrong: lower case, no full stop, names in backticks.
    pub message: String,
    /// What was assumed, such as `read as passed`.
    pub assumed: Option<String>,
    /// What to do about it, in the style of the message; `None` where nothing can be advised.
    pub help: Option<String>,
}

impl Problem {
    /// A problem with a file or folder as a whole: no place, assumption or help yet.
    pub fn new(code: Code, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code,
            path: path.into(),
            place: None,
            message: message.into(),
            assumed: None,
            help: None,
        }
    }

    /// The same problem at a place in its file; `None` takes the place away.
    #[must_use]
    pub fn at(mut self, place: Option<Place>) -> Self {
        self.place = place;
        self
    }

    /// The same problem with what was assumed, such as `read as passed`.
    #[must_use]
    pub fn assuming(mut self, assumed: impl Into<String>) -> Self {
        self.assumed = Some(assumed.into());
        self
    }

    /// The same problem with what to do about it, such as ``write `null` ``.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The severity that its code has.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Message and assumption in one line.
    pub fn sentence(&self) -> String {
        match &self.assumed {
            Some(assumed) => format!("{}; {assumed}", self.message),
            None => self.message.clone(),
        }
    }
}
