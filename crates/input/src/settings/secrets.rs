//! Rules for secrets in the form that gitleaks made common: an id, a regular expression, keywords and
//! allowlists. evalbook's own rules have it, a file of a user, and the settings of a workspace.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A kind of secret.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct SecretRule {
    /// What marks call the secret, with `-` for spaces.
    pub id: String,
    /// The secret is the first group that takes part, else all that matches.
    pub regex: String,
    /// In any case; only near one of them the expression is tried. Without any it is tried everywhere.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// The least entropy of the secret, in bits per character.
    #[serde(default)]
    pub entropy: f64,
    /// What this rule finds and is no secret: the form of gitleaks with one table.
    #[serde(default)]
    pub allowlist: AllowList,
    /// The same in the form with a list of tables; all of them count.
    #[serde(default)]
    pub allowlists: Vec<AllowList>,
}

/// What is not a secret although an expression matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct AllowList {
    /// Expressions, one of which matches.
    pub regexes: Vec<String>,
    /// What `regexes` are compared with; stop words are always looked for in the secret.
    #[serde(rename = "regexTarget")]
    pub target: AllowTarget,
    /// Words, one of which is in the secret, in any case.
    pub stopwords: Vec<String>,
}

/// What the expressions of an allowlist are compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AllowTarget {
    /// The secret alone.
    #[default]
    Secret,
    /// All that the rule matches.
    Match,
}

/// A file of a user: more rules, and what is no secret whatever rule finds it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct SecretRules {
    /// Rules besides those of evalbook, which stay in use.
    pub rules: Vec<SecretRule>,
    /// What no rule may report: the form of gitleaks with one table.
    pub allowlist: AllowList,
    /// The same in the form with a list of tables; all of them count.
    pub allowlists: Vec<AllowList>,
}

impl FromStr for SecretRules {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rules: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        rules.check()?;
        Ok(rules)
    }
}

impl SecretRules {
    /// # Errors
    /// The message names the rule whose expression is wrong.
    pub fn check(&self) -> Result<(), String> {
        for list in self.allowlists.iter().chain([&self.allowlist]) {
            check_expressions("the allowlist", &list.regexes)?;
        }
        for rule in &self.rules {
            let name = format!("rule `{}`", rule.id);
            // Marks on the pages would say nothing.
            if rule.id.is_empty() {
                return Err("a rule has no id".to_owned());
            }
            check_expressions(&name, std::slice::from_ref(&rule.regex))?;
            for list in rule.allowlists.iter().chain([&rule.allowlist]) {
                check_expressions(&name, &list.regexes)?;
            }
        }
        Ok(())
    }
}

fn check_expressions(name: &str, expressions: &[String]) -> Result<(), String> {
    for expression in expressions {
        if let Err(error) = regex::bytes::Regex::new(expression) {
            return Err(format!("{name}: {error}"));
        }
    }
    Ok(())
}
