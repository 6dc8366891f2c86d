//! From the fields of a row to what it says of a run.

use std::collections::BTreeSet;

use json::{Node, number_text};
use serde_json::Value;

use crate::rows::rows_of_file::{Owner, Row};
use crate::trial::Check;
use input::model::verdict_words::parse_text;
use input::model::{Code, Outcome, Place, UNNAMED};
use input::settings::rows::{FieldPath, Part, Rows};

/// What one row says.
pub(super) struct Facts {
    pub(super) iteration: String,
    pub(super) case: String,
    pub(super) side: String,
    pub(super) model: Option<String>,
    /// What tells the run from others of its case and side; `None` if the mapping does not say.
    pub(super) run: Option<String>,
    pub(super) place: Place,
    /// Whether the statements of its checks are from the row.
    pub(super) is_named: bool,
    pub(super) checks: Vec<Check>,
    pub(super) figures: [(&'static str, Option<Figure>); 3],
    pub(super) error: Option<String>,
    pub(super) output: Option<String>,
    pub(super) digest: blake3::Hash,
}

/// A figure, and the enclosing object that it is from if the row itself lacks it.
#[derive(Clone, Copy)]
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) owner: Option<Owner>,
}

/// What is wrong with a row, or with a field of it.
pub(super) struct Fault {
    pub(super) code: Code,
    /// The key of the mapping that it is about, if there is one.
    pub(super) key: Option<&'static str>,
    pub(super) message: String,
    /// What becomes of the row or of the field.
    pub(super) assumed: &'static str,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>, assumed: &'static str) -> Self {
        Self { code: Code::RowNotRead, key: None, message: message.into(), assumed }
    }
}

pub(super) const NOT_READ: &str = "not read";
const NO_VERDICT: &str = "read as no verdict";
pub(super) const NOT_RECORDED: &str = "read as not recorded";

/// Reads rows by one mapping.
pub(super) struct FieldReader<'m> {
    pub(super) mapping: &'m Rows,
    /// The fields that some row has.
    pub(super) seen: BTreeSet<&'m FieldPath>,
    /// What is wrong with the row that was read last.
    pub(super) faults: Vec<Fault>,
}

impl<'m> FieldReader<'m> {
    pub(super) fn new(mapping: &'m Rows) -> Self {
        Self { mapping, seen: BTreeSet::new(), faults: Vec::new() }
    }

    /// What the row says; `None` if `only` does not select it, or cannot be given to a run.
    pub(super) fn read(&mut self, row: &Row<'_>) -> Option<Facts> {
        self.faults.clear();
        let mapping = self.mapping;
        for (field, wanted) in &mapping.only {
            let found = self.find(row, field).map(|(node, _)| word(node));
            if found.is_none_or(|found| found.as_deref() != Some(&wanted.0)) {
                return None;
            }
        }
        let case = self.label(row, "case", Part::Case, &mapping.case);
        let side = self.label(row, "configuration", Part::Configuration, &mapping.configuration);
        let iteration = self.label(row, "iteration", Part::Iteration, &mapping.iteration);
        let run = self.label(row, "run", Part::Run, &mapping.run);
        let error = mapping.error.as_ref().and_then(|field| self.error(row, field));
        let statement = mapping.check.as_ref().and_then(|field| self.text(row, field));
        let is_named = statement.is_some();
        // Every field is read before a row is given up, so that none is called absent that is there.
        let checks = self.checks(row, statement, error.is_some());
        let figures = [
            ("tokens", self.tokens(row)),
            ("seconds", self.seconds(row)),
            ("dollars", self.figure(row, "dollars", mapping.dollars.as_ref())),
        ];
        let output = mapping.output.as_ref().and_then(|field| self.text(row, field));
        let model = mapping.model.as_ref().and_then(|field| self.text(row, field));
        Some(Facts {
            iteration: iteration?.unwrap_or_default(),
            case: case?.unwrap_or_default(),
            side: self.side(side?),
            model,
            run: run?,
            place: row.place,
            is_named,
            checks,
            figures,
            error,
            output,
            digest: row.digest(),
        })
    }

    fn find<'r>(
        &mut self,
        row: &'r Row<'_>,
        field: &'m FieldPath,
    ) -> Option<(&'r Node<'r>, Option<Owner>)> {
        let found = row.find(field)?;
        self.seen.insert(field);
        Some(found)
    }

    fn fault(&mut self, key: &'static str, message: String, assumed: &'static str) {
        self.faults.push(Fault { key: Some(key), ..Fault::new(message, assumed) });
    }

    /// The label of the row at a placeholder or in a field; `None` inside if the mapping has neither.
    /// `None` with a fault if this row lacks it.
    fn label(
        &mut self,
        row: &Row<'_>,
        key: &'static str,
        part: Part,
        field: &'m Option<FieldPath>,
    ) -> Option<Option<String>> {
        if let Some(text) = row.parts.get(part) {
            return Some(Some(text.to_owned()));
        }
        let Some(field) = field else { return Some(None) };
        let node = self.find(row, field).map_or(&Node::Null, |(node, _)| node);
        let label = word(node).filter(|label| !label.trim().is_empty());
        if label.is_none() {
            let what = match node {
                Node::Null | Node::Text(_) => "nothing".to_owned(),
                other => other.kind().to_owned(),
            };
            self.fault(key, format!("the row has {what} as its {key}, `{field}`"), NOT_READ);
        }
        label.map(|label| Some(label.trim().to_owned()))
    }

    fn side(&self, label: Option<String>) -> String {
        let Some(label) = label else { return UNNAMED.to_owned() };
        // `TRUE` in a table is what `true` is in JSON.
        let known = self.mapping.sides.get(&label);
        known.or_else(|| self.mapping.sides.get(&label.to_lowercase())).cloned().unwrap_or(label)
    }

    fn text(&mut self, row: &Row<'_>, field: &'m FieldPath) -> Option<String> {
        let (node, _) = self.find(row, field).filter(|(node, _)| !matches!(node, Node::Null))?;
        let text = word(node).unwrap_or_else(|| shown(node));
        if text.trim().is_empty() { None } else { Some(text) }
    }

    /// The checks of the row. A run that was lost needs no verdict.
    fn checks(&mut self, row: &Row<'_>, statement: Option<String>, is_lost: bool) -> Vec<Check> {
        let mapping = self.mapping;
        let evidence = mapping.evidence.as_ref().and_then(|field| self.text(row, field));
        let mut checks = Vec::new();
        for field in &mapping.passed {
            let own = field.keys().last().cloned().unwrap_or_default();
            let name = match &statement {
                Some(statement) if mapping.passed.len() > 1 => format!("{statement}: {own}"),
                Some(statement) => statement.clone(),
                None => own,
            };
            let Some(node) = row.own(field) else {
                if !is_lost {
                    let message = format!("the row lacks its verdict, `{field}`");
                    self.fault("passed", message, NO_VERDICT);
                }
                checks.push(Check::new(name, None, evidence.clone()));
                continue;
            };
            self.seen.insert(field);
            match node.as_list() {
                None => checks.push(self.check(row, field, node, name, evidence.clone())),
                Some(items) => {
                    for (index, item) in items.iter().enumerate() {
                        let name = format!("{name} {}", index + 1);
                        checks.push(self.check(row, field, item, name, evidence.clone()));
                    }
                }
            }
        }
        checks
    }

    fn check(
        &mut self,
        row: &Row<'_>,
        field: &FieldPath,
        node: &Node<'_>,
        name: String,
        evidence: Option<String>,
    ) -> Check {
        let score = number(node, row.is_of_table);
        let passed = match node {
            Node::Bool(passed) => Some(*passed),
            Node::Null => None,
            _ if score.is_some_and(|score| (0.0..=1.0).contains(&score)) => {
                score.map(|score| score >= self.mapping.threshold.unwrap_or(1.0))
            }
            Node::Text(text) if score.is_none() => match parse_text(text) {
                Some(Outcome::Passed) => Some(true),
                Some(Outcome::Failed) => Some(false),
                _ => None,
            },
            other => {
                let what =
                    if score.is_some() { "a number above 1 or below 0" } else { other.kind() };
                let message = format!("`{field}` is {what}, which is no verdict");
                self.fault("passed", message, NO_VERDICT);
                None
            }
        };
        Check::scored(name, passed, score, evidence)
    }

    /// Why the run was lost: a text, or `true`.
    fn error(&mut self, row: &Row<'_>, field: &'m FieldPath) -> Option<String> {
        let (node, _) = self.find(row, field)?;
        let unsaid = "the row says that the run was lost";
        match node {
            Node::Bool(true) => Some(unsaid.to_owned()),
            Node::Text(text) => match text.trim().to_lowercase().as_str() {
                "" | "false" | "no" | "none" | "null" | "0" => None,
                "true" | "yes" | "1" => Some(unsaid.to_owned()),
                _ => Some(format!("error: {}", text.trim())),
            },
            Node::Bool(false) | Node::Null => None,
            other => {
                let message =
                    format!("`{field}` is {}, and neither `true` nor a text", other.kind());
                self.fault("error", message, "read as no error");
                None
            }
        }
    }

    fn seconds(&mut self, row: &Row<'_>) -> Option<Figure> {
        let mapping = self.mapping;
        let milliseconds = self.figure(row, "milliseconds", mapping.milliseconds.as_ref());
        let seconds = self.figure(row, "seconds", mapping.seconds.as_ref());
        seconds.or(milliseconds.map(|figure| Figure { value: figure.value / 1000.0, ..figure }))
    }

    /// The sum of the fields with tokens; `None` if one of them is not recorded.
    fn tokens(&mut self, row: &Row<'_>) -> Option<Figure> {
        let mut sum: Option<Figure> = None;
        for field in &self.mapping.tokens {
            let Figure { value, owner } = self.figure(row, "tokens", Some(field))?;
            let before = sum.unwrap_or(Figure { value: 0.0, owner });
            sum = Some(Figure { value: before.value + value, owner: before.owner.or(owner) });
        }
        sum
    }

    fn figure(
        &mut self,
        row: &Row<'_>,
        key: &'static str,
        field: Option<&'m FieldPath>,
    ) -> Option<Figure> {
        let field = field?;
        let (node, owner) = self.find(row, field)?;
        if matches!(node, Node::Null) {
            return None;
        }
        let value = number(node, row.is_of_table);
        let value = value.filter(|value| value.is_finite() && *value >= 0.0);
        if value.is_none() {
            let message = format!("`{field}` is {}, and no number from 0 up", node.kind());
            self.fault(key, message, NOT_RECORDED);
        }
        Some(Figure { value: value?, owner })
    }
}

/// A number; in a table, a text that is one.
pub(super) fn number(node: &Node<'_>, is_of_table: bool) -> Option<f64> {
    match node {
        Node::Text(text) if is_of_table => text.trim().parse().ok(),
        node => node.as_f64(),
    }
}

/// A text, a number or a boolean, as it is written.
pub(super) fn word(node: &Node<'_>) -> Option<String> {
    match node {
        Node::Text(text) => Some(text.to_string()),
        Node::Number(number) => Some(number_text(number)),
        Node::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Whether a value plainly says passed or failed.
pub(super) fn is_verdict(node: &Node<'_>) -> bool {
    match node {
        Node::Text(text) => {
            matches!(parse_text(text), Some(Outcome::Passed | Outcome::Failed))
        }
        node => node.as_bool().is_some(),
    }
}

/// Words of a list, one a line; any other value as JSON.
fn shown(node: &Node<'_>) -> String {
    let words = node.as_list().map(|items| items.iter().map(|item| word(item)));
    let words: Option<Vec<String>> = words.and_then(Iterator::collect);
    words.map_or_else(|| Value::from(node).to_string(), |words| words.join("\n"))
}
