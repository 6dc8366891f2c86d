//! The rules as data: [`BUILT_IN`] is a file in the form that gitleaks made common, with an id, a
//! regular expression, keywords and an allowlist for each rule. A file of users has the same form.
//!
//! Beyond that form a rule may say how its value is judged, where its expression is anchored, and
//! samples: texts with secrets between `«` and `»`, and texts that hold none. Tests run the samples.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use crate::expression::Expression;
use crate::judge::Judge;
use crate::secret::Label;
use crate::value;
use input::settings::{AllowList, AllowTarget, SecretRule};

pub(super) const BUILT_IN: &str = include_str!("rules.toml");

/// The rules that evalbook brings, and what values look like.
pub(super) static RULES: LazyLock<Rules> =
    LazyLock::new(|| Rules::parse(BUILT_IN).expect("the built-in rules are tested"));

/// How many bytes after a keyword, and before it, are searched, unless the rule says so.
const REACH: usize = 400;
const BACK: usize = 100;

#[derive(Debug)]
pub(super) struct Rules {
    pub(super) all: Vec<Arc<Rule>>,
    /// What no secret looks like, and what surrounds one, by name.
    pub(super) looks: BTreeMap<String, Expression>,
}

#[derive(Debug, Deserialize)]
struct RuleFile {
    /// Parts of expressions, by the name that stands for them in braces.
    patterns: BTreeMap<String, String>,
    looks: BTreeMap<String, Expression>,
    rules: Vec<RuleData>,
}

#[derive(Debug, Deserialize)]
struct RuleData {
    #[serde(flatten)]
    common: SecretRule,
    #[serde(default)]
    judge: Judge,
    #[serde(default)]
    at: Anchor,
    before: Option<String>,
    reach: Option<usize>,
    back: Option<usize>,
    #[serde(default)]
    one_line: bool,
}

/// Where the expression of a rule is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Anchor {
    /// Anywhere around a keyword: the keyword is only a hint.
    #[default]
    Around,
    /// At the first byte of the keyword. This is fast where a keyword is a common word.
    Keyword,
}

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) label: Label,
    pub(super) keywords: Vec<String>,
    pub(super) judge: Judge,
    pub(super) anchor: Anchor,
    pub(super) reach: usize,
    pub(super) back: usize,
    /// Whether the secret is on the line of the keyword.
    pub(super) is_one_line: bool,
    /// Its group that takes part is the secret, else all that it matches.
    pub(super) regex: Expression,
    /// Whether its expression tells capital letters from small ones.
    is_case_sensitive: bool,
    /// What must precede the keyword, for rules that are anchored there.
    pub(super) before: Option<Expression>,
    entropy: f64,
    allowed: Vec<Allowed>,
}

/// What is not a secret although an expression matches.
#[derive(Debug)]
pub(super) struct Allowed {
    expressions: Vec<Expression>,
    target: AllowTarget,
    stopwords: Vec<String>,
}

impl Allowed {
    pub(super) fn new(list: AllowList) -> Self {
        let expressions = list.regexes.into_iter().map(Expression::from).collect();
        let stopwords = list.stopwords.iter().map(|word| word.to_ascii_lowercase()).collect();
        Self { expressions, target: list.target, stopwords }
    }

    pub(super) fn allows(&self, secret: &[u8], whole: &[u8]) -> bool {
        let lower = String::from_utf8_lossy(secret).to_ascii_lowercase();
        let text = match self.target {
            AllowTarget::Secret => secret,
            AllowTarget::Match => whole,
        };
        self.stopwords.iter().any(|word| lower.contains(word.as_str()))
            || self.expressions.iter().any(|allowed| allowed.fits(text))
    }
}

impl Rule {
    /// Whether a value is too plain for this rule, or on its allowlist.
    pub(super) fn allows(&self, secret: &[u8], whole: &[u8]) -> bool {
        if self.entropy > 0.0 && value::entropy(secret) < self.entropy {
            return true;
        }
        self.allowed.iter().any(|allowed| allowed.allows(secret, whole))
    }

    /// Whether a keyword is written so. Short ones in capital letters, such as `OT`, are in every text in
    /// small ones.
    pub(super) fn has_keyword(&self, found: &[u8]) -> bool {
        let is_one = |keyword: &String| {
            let is_small = !keyword.bytes().any(|byte| byte.is_ascii_uppercase());
            keyword.as_bytes() == found
                || (is_small && keyword.as_bytes().eq_ignore_ascii_case(found))
        };
        !self.is_case_sensitive || self.keywords.iter().any(is_one)
    }

    /// The length of the keyword that a match begins with, else 0.
    pub(super) fn prefix_length(&self, found: &[u8]) -> usize {
        let begins = |keyword: &&String| {
            let head = found.get(..keyword.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(keyword.as_bytes()))
        };
        self.keywords.iter().filter(begins).map(String::len).max().unwrap_or_default()
    }

    #[cfg(test)]
    pub(super) fn compile(&self) {
        let lists = self.allowed.iter().flat_map(|allowed| &allowed.expressions);
        for expression in self.before.iter().chain(lists).chain([&self.regex]) {
            expression.get();
        }
    }
}

impl Rules {
    /// Reads a file of rules; the error says which rule is wrong.
    fn parse(text: &str) -> Result<Self, String> {
        let file: RuleFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let rules = file.rules.into_iter().map(|data| Arc::new(rule(data, &file.patterns)));
        Ok(Self { all: rules.collect(), looks: file.looks })
    }
}

fn rule(data: RuleData, patterns: &BTreeMap<String, String>) -> Rule {
    let regex = fill(&data.common.regex, patterns);
    let regex = match data.at {
        Anchor::Around => regex,
        Anchor::Keyword => format!(r"\A(?:{regex})"),
    };
    let before = data.before.map(|before| fill(&before, patterns).into());
    Rule {
        judge: data.judge,
        anchor: data.at,
        reach: data.reach.unwrap_or(REACH),
        back: data.back.unwrap_or(BACK),
        is_one_line: data.one_line,
        is_case_sensitive: !regex.contains("(?i"),
        regex: regex.into(),
        before,
        ..users_rule(&data.common)
    }
}

/// A rule of a user, whose expression alone decides.
pub(super) fn users_rule(rule: &SecretRule) -> Rule {
    let lists = rule.allowlists.iter().chain([&rule.allowlist]).cloned();
    Rule {
        label: Arc::from(rule.id.replace('-', " ")),
        keywords: rule.keywords.clone(),
        judge: Judge::Expression,
        anchor: Anchor::Around,
        reach: REACH,
        back: BACK,
        is_one_line: false,
        is_case_sensitive: false,
        regex: rule.regex.clone().into(),
        before: None,
        entropy: rule.entropy,
        allowed: lists.map(Allowed::new).collect(),
    }
}

/// Replaces `{name}` by the pattern of that name, also within patterns.
fn fill(regex: &str, patterns: &BTreeMap<String, String>) -> String {
    let mut filled = regex.to_owned();
    for _ in 0..4 {
        for (name, pattern) in patterns {
            filled = filled.replace(&format!("{{{name}}}"), pattern);
        }
    }
    filled
}
