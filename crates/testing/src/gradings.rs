//! Gradings for tests, written as verdicts; unit tests and tests of the program share it.

/// A grading of checks in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct GradingBuilder {
    /// Who graded, where a test needs it.
    pub grader: Option<String>,
    /// The graded expectations, in order.
    pub checks: Vec<Check>,
}

/// One graded expectation.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// What is expected.
    pub text: String,
    /// `None` without a verdict.
    pub passed: Option<bool>,
    /// What the grader saw.
    pub evidence: Option<String>,
}

/// A grading of `check 1`, `check 2` and so on with these verdicts: `p` or `+` passed, `f` or `-`
/// failed, and any other letter has none.
pub fn verdicts(letters: &str) -> GradingBuilder {
    let mut grading = GradingBuilder::default();
    for (index, letter) in letters.chars().enumerate() {
        grading = grading.check(&format!("check {}", index + 1), letter);
    }
    grading
}

/// A grading of these checks, each with a verdict as in [`verdicts`].
pub fn checks(checks: &[(&str, char)]) -> GradingBuilder {
    let mut grading = GradingBuilder::default();
    for (text, letter) in checks {
        grading = grading.check(text, *letter);
    }
    grading
}

impl GradingBuilder {
    /// Adds a check with a verdict as in [`verdicts`].
    pub fn check(mut self, text: &str, letter: char) -> Self {
        let passed = match letter {
            'p' | '+' => Some(true),
            'f' | '-' => Some(false),
            _ => None,
        };
        self.checks.push(Check { text: text.to_owned(), passed, evidence: None });
        self
    }

    /// Gives all checks added so far this evidence.
    pub fn evidence(mut self, evidence: &str) -> Self {
        for check in &mut self.checks {
            check.evidence = Some(evidence.to_owned());
        }
        self
    }

    /// Names who graded.
    pub fn grader(mut self, grader: &str) -> Self {
        self.grader = Some(grader.to_owned());
        self
    }

    /// The grading as a `grading.json`.
    pub fn json(&self) -> String {
        let checks: Vec<serde_json::Value> = self.checks.iter().map(Check::json).collect();
        let mut grading = serde_json::json!({ "expectations": checks });
        if let Some(grader) = &self.grader {
            grading["grader"] = grader.as_str().into();
        }
        grading.to_string()
    }
}

impl Check {
    fn json(&self) -> serde_json::Value {
        let mut check = serde_json::json!({ "text": self.text });
        if let Some(passed) = self.passed {
            check["passed"] = passed.into();
        }
        if let Some(evidence) = &self.evidence {
            check["evidence"] = evidence.as_str().into();
        }
        check
    }
}

/// The paths that `path` names, where `a,b` stands for a and b.
pub fn unfolded(path: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for names in path.split('/') {
        let longer = |path: &String| {
            names.split(',').map(|name| format!("{path}/{name}")).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found.iter().map(|path| path[1..].to_owned()).collect()
}
