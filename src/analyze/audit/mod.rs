//! What the cases can show, before a token is spent: which checks measure nothing, and what no case
//! asks. It needs no run; where runs exist, they show what became of the checks.
//!
//! Thresholds and exclusions come from 2,564 checks of 44 repositories: from three quarters of its words
//! on, a check that its prompt answers passed on both sides.

mod answers;
mod patterns;
mod price;
mod results;
mod skill;
mod words;

pub(crate) use crate::analyze::audit::answers::answer_in_prompt;
pub use crate::analyze::audit::price::{GAIN_TO_SHOW, RoundPrice};
pub use crate::analyze::audit::skill::skill_text;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use input::model::{Case, Iteration, Run, Workspace};
use regex::Regex;
use serde::Serialize;

use crate::analyze::audit::skill::Skill;
use crate::analyze::audit::words::{alike, content_words, share_of};
use crate::analyze::change::noise_of_runs;
use crate::expression::expression;

/// Words of a check that stand in its prompt: from here on it is answered, and mostly answered.
const ANSWERED: f64 = 0.75;
const MOSTLY_ANSWERED: f64 = 0.5;

/// Content words that a check needs before a share of them says something.
const ENOUGH_WORDS: usize = 3;

/// What the checks and prompts of a workspace can show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// Cases with a prompt or a check.
    pub cases: usize,
    /// Checks of all cases.
    pub checks: usize,
    /// By kind, then in the order of the cases.
    pub findings: Vec<AuditFinding>,
    /// What a round like the newest one costs and shows; `None` before a run.
    pub price: Option<RoundPrice>,
}

/// One thing that the cases cannot show, or that keeps them from showing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFinding {
    /// What is the matter.
    pub kind: AuditKind,
    /// The case; empty for what is about all of them.
    pub case: String,
    /// The check, or the prompt where the finding is about that.
    pub text: String,
    /// What it is compared with: the other prompt, the words of the skill, the expected output.
    pub other: String,
    /// What became of the check in the newest graded iteration, by side; empty before a run.
    pub passed: Vec<PassedRuns>,
}

impl AuditFinding {
    /// Whether it is about this case; what is about all of them is.
    pub fn is_about(&self, case: &Case) -> bool {
        self.case.is_empty() || names_of(case).contains(&self.case.as_str())
    }
}

/// Runs of one side in which a check passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedRuns {
    /// The configuration.
    pub side: String,
    /// Runs in which it passed.
    pub passed: usize,
    /// Runs in which it was graded.
    pub graded: usize,
}

/// Kinds of findings, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditKind {
    /// A regular expression that does not compile: no run can pass it.
    BrokenPattern,
    /// A regular expression that does not match the case's own expected output.
    PatternMissesExpected,
    /// The prompt says what the check asks for, so it passes without the skill.
    AnsweredByPrompt,
    /// At least half of the check's words stand in the prompt.
    MostlyAnswered,
    /// Only a side with the skill can pass it.
    AsksForSkill,
    /// The check repeats an example of the skill.
    CopiedFromSkill,
    /// One case has the same check twice.
    Repeated,
    /// Every case has it: one rule is one finding, however often it is checked.
    InEveryCase,
    /// Two things in one check: a failure does not say which.
    TwoThings,
    /// Two prompts with most of their words in common.
    AlikePrompts,
    /// No case says that the skill should stay out.
    NoCaseWithoutSkill,
}

impl AuditKind {
    /// Whether no run can pass such a check.
    pub fn is_error(self) -> bool {
        self == Self::BrokenPattern
    }

    /// Whether it is no more than a hint to look: `--strict` lets it pass.
    pub fn is_hint(self) -> bool {
        matches!(self, Self::MostlyAnswered | Self::InEveryCase | Self::NoCaseWithoutSkill)
    }

    /// Whether a check of this kind cannot tell the sides apart by what the skill does.
    pub fn measures_nothing(self) -> bool {
        matches!(self, Self::BrokenPattern | Self::AnsweredByPrompt | Self::AsksForSkill)
    }
}

impl Audit {
    /// Looks at the plan of a workspace, else at the cases of its newest iteration. `skill` is the text
    /// of SKILL.md, empty if unknown.
    pub fn new(workspace: &Workspace, skill: &str) -> Self {
        let newest = workspace.iterations.last();
        let cases = planned_cases(workspace, newest);
        let mut audit = Self { cases: cases.len(), ..Self::default() };
        let skill = Skill::new(skill);
        for (case, checks) in &cases {
            audit.checks += checks.len();
            audit.check_case(case, checks, &skill);
        }
        let queries = workspace.trigger_rounds.iter().flat_map(|round| &round.queries);
        let has_negative_query =
            queries.into_iter().any(|query| query.should_trigger == Some(false));
        audit.check_all(&cases, has_negative_query);
        if let Some(newest) = newest {
            audit.price = RoundPrice::new(newest, noise_of_runs(workspace));
        }
        let mut newest_first = workspace.iterations.iter().rev();
        if let Some(graded) = newest_first.find(|round| round.runs().any(Run::is_graded)) {
            audit.add_results(graded);
        }
        audit.findings.sort_by_key(|finding| finding.kind);
        audit
    }

    /// Checks that can tell the sides apart, and the cases that have one.
    pub fn left_to_measure(&self) -> usize {
        let lost: BTreeSet<(&str, &str)> = self
            .findings
            .iter()
            .filter(|finding| finding.kind.measures_nothing())
            .map(|finding| (finding.case.as_str(), finding.text.as_str()))
            .collect();
        self.checks.saturating_sub(lost.len())
    }

    fn add(&mut self, kind: AuditKind, case: &Case, text: &str, other: &str) {
        let (case, text, other) = (name_of(case).to_owned(), text.to_owned(), other.to_owned());
        self.findings.push(AuditFinding { kind, case, text, other, passed: Vec::new() });
    }

    fn check_case(&mut self, case: &Case, checks: &[&str], skill: &Skill) {
        let prompt = case.prompt.as_deref().unwrap_or_default();
        let words = content_words(prompt);
        let mut seen = BTreeSet::new();
        for check in checks {
            if !seen.insert(check.trim().to_lowercase()) {
                self.add(AuditKind::Repeated, case, check, "");
                continue;
            }
            if let Some(pattern) = patterns::in_check(check) {
                self.check_pattern(case, check, &pattern);
            } else if asks_for_skill(check) && !makes_skills(prompt) {
                self.add(AuditKind::AsksForSkill, case, check, "");
            } else if let Some(kind) = answered_by(&words, check) {
                self.add(kind, case, check, prompt);
            } else if let Some(example) = skill.example_in(check, prompt) {
                self.add(AuditKind::CopiedFromSkill, case, check, &example);
            }
            if asks_two_things(check) {
                self.add(AuditKind::TwoThings, case, check, "");
            }
        }
    }

    fn check_pattern(&mut self, case: &Case, check: &str, pattern: &str) {
        match patterns::compiled(pattern) {
            Err(reason) => self.add(AuditKind::BrokenPattern, case, check, &reason),
            Ok(Some(pattern)) => {
                let expected = case.expected_output.as_deref().unwrap_or_default();
                if patterns::is_literal(expected) && !pattern.is_match(expected) {
                    self.add(AuditKind::PatternMissesExpected, case, check, expected);
                }
            }
            Ok(None) => {}
        }
    }

    fn check_all(&mut self, cases: &[(&Case, Vec<&str>)], has_negative_query: bool) {
        let mut of_check: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (case, checks) in cases {
            for check in checks {
                of_check.entry(check).or_default().insert(name_of(case));
            }
        }
        // Two cases with one check in common are no rule.
        for (check, names) in of_check {
            if names.len() > 2 && names.len() == cases.len() {
                let (text, other) = (check.to_owned(), String::new());
                let kind = AuditKind::InEveryCase;
                let case = String::new();
                self.findings.push(AuditFinding { kind, case, text, other, passed: Vec::new() });
            }
        }
        let (mut prompts, mut words) = (Vec::new(), Vec::new());
        for (case, _) in cases {
            if let Some(prompt) = &case.prompt {
                prompts.push((*case, prompt));
                words.push(content_words(prompt));
            }
        }
        for (one, other) in alike(&words) {
            let (case, prompt) = prompts[one];
            self.add(AuditKind::AlikePrompts, case, prompt, name_of(prompts[other].0));
        }
        let has_prompts = cases.iter().any(|(case, _)| case.prompt.is_some());
        let stays_out = cases.iter().any(|(case, _)| case.should_load == Some(false));
        if has_prompts && !stays_out && !has_negative_query {
            let kind = AuditKind::NoCaseWithoutSkill;
            self.findings.push(AuditFinding {
                kind,
                case: String::new(),
                text: String::new(),
                other: String::new(),
                passed: Vec::new(),
            });
        }
    }
}

/// The cases with the checks that they plan, or that graders met where nothing is planned.
fn planned_cases<'w>(
    workspace: &'w Workspace,
    newest: Option<&'w Iteration>,
) -> Vec<(&'w Case, Vec<&'w str>)> {
    let mut planned: &[Case] = &workspace.planned;
    if planned.iter().all(|case| case.planned.is_empty()) {
        planned = newest.map_or(planned, |newest| &newest.cases);
    }
    let mut cases = Vec::new();
    for case in planned {
        let mut checks: Vec<&str> = case.planned.iter().map(|check| check.text.as_str()).collect();
        if checks.is_empty() {
            let graded = case.runs.iter().find(|run| !run.counted_expectations().is_empty());
            let graded = graded.map(|run| run.counted_expectations()).unwrap_or_default();
            checks.extend(graded.iter().map(|check| check.text.as_str()));
        }
        if case.prompt.is_some() || !checks.is_empty() {
            cases.push((case, checks));
        }
    }
    cases
}

/// What a case is called; a planned one may have only an id.
fn name_of(case: &Case) -> &str {
    case.stated_name().or(case.id.as_deref()).unwrap_or_default()
}

/// All that a finding may call a case.
fn names_of(case: &Case) -> [&str; 3] {
    [name_of(case), &case.name, case.id.as_deref().unwrap_or_default()]
}

/// Whether a prompt with these content words says what the check asks for. A check with a negation asks for what is not there,
/// one for a heading or a format needs more than its words, and one for an order or a claim about the
/// matter is what the prompt leaves open: half of such hits were wrong by hand.
fn answered_by(prompt: &BTreeSet<String>, check: &str) -> Option<AuditKind> {
    if NEGATION.is_match(check) || FORMAT.is_match(check) || CLAIM.is_match(check) {
        return None;
    }
    let words = content_words(check);
    // A name in code or a number that the prompt lacks is what such a check asks for.
    let is_exact =
        |word: &&String| words::is_name_in_code(word) || word.chars().any(|c| c.is_ascii_digit());
    if words.len() < ENOUGH_WORDS || words.difference(prompt).any(|word| is_exact(&word)) {
        return None;
    }
    let share = share_of(&words, prompt);
    if share >= ANSWERED {
        Some(AuditKind::AnsweredByPrompt)
    } else if share >= MOSTLY_ANSWERED {
        Some(AuditKind::MostlyAnswered)
    } else {
        None
    }
}

/// Whether only a side with the skill can pass a check, by its words. Never by the bare name of the
/// skill, which is often an ordinary word such as `commit`.
pub fn asks_for_skill(check: &str) -> bool {
    ASKS_FOR_SKILL.is_match(check) && !NEGATION.is_match(check) && !SKILL_OF_PEOPLE.is_match(check)
}

/// Whether a check asks for two things at once. What follows a word such as `how` is one answer, whatever
/// verbs are in it.
fn asks_two_things(check: &str) -> bool {
    TWO_THINGS.find(check).is_some_and(|found| !CLAUSE.is_match(found.as_str()))
}

/// Whether a prompt is about making a skill: there SKILL.md is the output.
pub fn makes_skills(prompt: &str) -> bool {
    MAKES_SKILLS.is_match(prompt)
}

/// Between a verb and `skill` are names and paths; after `uses` no noun may follow it, as in "the Skill
/// Roast format". Whatever is not ASCII may be in a name: forty times the letters of Unicode take as long to
/// compile as all other expressions together.
static ASKS_FOR_SKILL: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\bskill\.md|\bskill (?:[a-z0-9-]{1,40} )?(?:is|was|gets|has been|wurde|wird) ?(?:triggered|loaded|invoked|activated|read|used|selected|called|opened|followed|applied|aufgerufen|gelesen|geladen|benutzt|verwendet)|\b(?:triggers?|invokes?|loads?|reads?|activates?|consults?|opens?|follows?|invoked|loaded|consulted|opened) (?:the |its |this )?[^\x00-\x1f!-&(-,:-@\[-^{-\x7f]{0,40}skill\b|\b(?:reads?|loads?|loaded|opens?|opened|follows?|consult(?:s|ed)?|cites?) [^.]{0,40}references?/|skill-loaded|skill[-_ ]triggered|\b(?:uses?|used|using|calls?|called|applies|applied|followed) (?:the |its |this )?[^\x00-\x1f!-&(-,:-@\[-^{-\x7f]{0,40}skill(?:$|[.,;:)]| (?:for|to|before|first|when|in|at|on|and)\b)|스킬(?:을|이)",
    )
});

/// What people have skills in: `the skill matrix of the team`.
static SKILL_OF_PEOPLE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\bskill[- ](?:assessments?|matri(?:x|ces)|gaps?|levels?|sets?|trees?|points?|tests?|lists?|needs|shortages?)\b",
    )
});

static CLAUSE: LazyLock<Regex> =
    LazyLock::new(|| expression(r"(?i)\b(?:what|how|that|who|whether|why|which|when|where)\b"));

static MAKES_SKILLS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)skill\.md|(?:create|write|build|make|improve|review|draft|edit)\w* (?:\S+ ){0,4}skills?\b",
    )
});

static NEGATION: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\b(?:not|no|never|without|none|nothing|neither|nor|cannot|avoids?|instead of|rather than|omits?|excludes?|refuses?|only)\b|n[’']t\b|不|没|沒|無|未|ない|なし|않|없",
    )
});

static FORMAT: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\b(?:headings?|headers?|titled?|sections?|format(?:ted|s)?|bullets?|bulleted|numbered|tables?|columns?|rows?|markdown|json|yaml|csv|html|valid|exactly|at (?:least|most)|under \d|fewer than|more than)\b",
    )
});

static CLAIM: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\b(?:order|sequence|before|after|first|last|why|because|(?:states?|says|explains?|notes?|mentions?|recogni[sz]es|identifies) that)\b|->|→",
    )
});

/// Two verbs joined by `and`: the second is in the form of the first, so that `names and dates` is none.
static TWO_THINGS: LazyLock<Regex> = LazyLock::new(|| {
    const VERBS: &str = "is|are|has|includes|contains|uses|lists|states|names|gives|shows|explains|mentions|recommends|avoids|provides|produces|writes|creates|adds|removes|returns|identifies|describes|suggests|keeps|covers|handles|defines|cites|saves|asks|does|was|were";
    // What follows the first sentence are remarks on it.
    expression(&format!(
        r"(?i)^[^.;()]*?\b(?:{VERBS})\b [^.;()]{{2,80}}?,? and (?:also |then |it )?(?:{VERBS})\b"
    ))
});

#[cfg(test)]
mod tests;
