//! The rules as data: [`BUILT_IN`] is a file in the form that gitleaks made common, with an id, a
//! regular expression, keywords and an allowlist for each rule. A file of users has the same form.
//!
//! Beyond that form a rule may have [`Hints`] and samples: texts with secrets between `«` and `»`, and
//! texts that hold none. Tests run the samples.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::expression::Expression;
use crate::false_finds::Judge;
use crate::secret::Label;
use crate::value;
use input::settings::{AllowList, AllowTarget, SecretRule};

pub(super) const BUILT_IN: &str = include_str!("rules.toml");

/// The rules that evalbook brings, and what values look like.
pub(super) static RULES: LazyLock<Rules> =
    LazyLock::new(|| Rules::parse(BUILT_IN).expect("the built-in rules are tested"));

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
    #[serde(flatten)]
    hints: Hints,
}

/// What only our own rules say.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct Hints {
    pub(super) judge: Judge,
    /// What must precede the keyword, for rules that are tried there.
    pub(super) before: Option<Expression>,
    /// How many bytes after a keyword, and before it, are searched.
    pub(super) reach: usize,
    pub(super) back: usize,
    /// Whether the secret is on the line of the keyword.
    pub(super) one_line: bool,
}

impl Default for Hints {
    fn default() -> Self {
        Self { judge: Judge::Token, before: None, reach: 400, back: 100, one_line: false }
    }
}

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) label: Label,
    pub(super) keywords: Vec<String>,
    /// Its group that takes part is the secret, else all that it matches.
    pub(super) regex: Expression,
    /// Whether it is tried at the first byte of the keyword, not anywhere around it. This is fast where a
    /// keyword is a common word.
    pub(super) is_at_keyword: bool,
    /// Whether its keywords count only as they are written.
    pub(super) is_case_sensitive: bool,
    entropy: f64,
    pub(super) allowed: Vec<Allowed>,
    pub(super) hints: Hints,
}

/// What is not a secret although an expression matches.
#[derive(Debug)]
pub(super) struct Allowed {
    pub(super) expressions: Vec<Expression>,
    target: AllowTarget,
    stopwords: Vec<String>,
}

impl Allowed {
    pub(super) fn new(list: &AllowList) -> Self {
        let expressions = list.regexes.iter().cloned().map(Expression::from).collect();
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
    fn new(common: &SecretRule, regex: String, hints: Hints) -> Self {
        let lists = common.allowlists.iter().chain([&common.allowlist]);
        let has_capitals = common.keywords.concat().bytes().any(|byte| byte.is_ascii_uppercase());
        Self {
            label: Arc::from(common.id.replace('-', " ")),
            keywords: common.keywords.clone(),
            is_at_keyword: regex.starts_with(r"\A(?:"),
            is_case_sensitive: has_capitals && !regex.contains("(?i"),
            regex: regex.into(),
            entropy: common.entropy,
            allowed: lists.map(Allowed::new).collect(),
            hints,
        }
    }

    /// A rule of a user, whose expression alone decides.
    pub(super) fn of_user(rule: &SecretRule) -> Self {
        let hints = Hints { judge: Judge::Expression, ..Hints::default() };
        Self {
            is_at_keyword: false,
            is_case_sensitive: false,
            ..Self::new(rule, rule.regex.clone(), hints)
        }
    }

    /// Whether a value is too plain for this rule, or on its allowlist.
    pub(super) fn allows(&self, secret: &[u8], whole: &[u8]) -> bool {
        (self.entropy > 0.0 && value::entropy(secret) < self.entropy)
            || self.allowed.iter().any(|allowed| allowed.allows(secret, whole))
    }
}

impl Rules {
    /// Reads a file of rules; the error says which rule is wrong.
    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let file: RuleFile = toml::from_str(text)?;
        let mut all = Vec::new();
        for RuleData { common, hints } in file.rules {
            let mut regex = common.regex.clone();
            // Patterns are in patterns.
            for _ in 0..4 {
                for (name, pattern) in &file.patterns {
                    regex = regex.replace(&format!("{{{name}}}"), pattern);
                }
            }
            all.push(Arc::new(Rule::new(&common, regex, hints)));
        }
        Ok(Self { all, looks: file.looks })
    }
}
