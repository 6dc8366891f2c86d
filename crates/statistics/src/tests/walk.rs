//! Walks a file of reference values and records every leaf that was read or compared, so that none
//! is skipped unnoticed.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::Interval;
use serde_json::{Value, json};

/// Tolerance of closed forms and enumerations.
pub(crate) const CLOSED: f64 = 1e-9;

/// The tolerance next to a reference of 0.
const ZERO: f64 = 1e-12;

/// A document with the leaves seen so far and the mismatches.
pub(crate) struct ReferenceDocument {
    root: Value,
    seen: RefCell<BTreeSet<String>>,
    compared: RefCell<usize>,
    wrong: RefCell<Vec<String>>,
}

/// A place in a document.
#[derive(Clone)]
pub(crate) struct ReferenceNode<'d> {
    document: &'d ReferenceDocument,
    path: String,
    value: &'d Value,
}

impl ReferenceDocument {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            root: serde_json::from_str(text).expect("a JSON document"),
            seen: RefCell::default(),
            compared: RefCell::default(),
            wrong: RefCell::default(),
        }
    }

    pub(crate) fn root(&self) -> ReferenceNode<'_> {
        ReferenceNode { document: self, path: String::new(), value: &self.root }
    }

    /// How many leaves were compared with a computed value.
    pub(crate) fn compared(&self) -> usize {
        *self.compared.borrow()
    }

    /// Comparisons that failed, and leaves that were neither read nor compared.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints = self.wrong.borrow().clone();
        let mut leaves = Vec::new();
        collect(&self.root, "", &mut leaves);
        let seen = self.seen.borrow();
        let unseen = leaves.iter().filter(|leaf| !seen.contains(*leaf));
        complaints.extend(unseen.map(|leaf| format!("{leaf}: never looked at")));
        complaints
    }
}

/// The paths of all leaves; an empty list or map is one.
fn collect(value: &Value, path: &str, leaves: &mut Vec<String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            map.iter().for_each(|(key, value)| collect(value, &format!("{path}/{key}"), leaves));
        }
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().enumerate();
            items.for_each(|(index, value)| collect(value, &format!("{path}/{index}"), leaves));
        }
        _ => leaves.push(path.to_owned()),
    }
}

impl<'d> ReferenceNode<'d> {
    pub(crate) fn at(&self, key: impl ToString) -> Self {
        let key = key.to_string();
        let value = match self.value {
            Value::Object(map) => map.get(&key),
            Value::Array(items) => key.parse().ok().and_then(|index: usize| items.get(index)),
            _ => None,
        };
        let path = format!("{}/{key}", self.path);
        let value = value.unwrap_or_else(|| panic!("{path} is missing"));
        Self { document: self.document, path, value }
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some()
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.value.as_object().expect("a map").keys().cloned().collect()
    }

    pub(crate) fn items(&self) -> Vec<Self> {
        (0..self.value.as_array().expect("a list").len()).map(|index| self.at(index)).collect()
    }

    /// Takes everything below as given: an input or prose.
    pub(crate) fn given(&self) -> &'d Value {
        let mut leaves = Vec::new();
        collect(self.value, &self.path, &mut leaves);
        self.document.seen.borrow_mut().extend(leaves);
        self.value
    }

    pub(crate) fn number(&self) -> f64 {
        self.given().as_f64().unwrap_or_else(|| panic!("{} is not a number", self.path))
    }

    pub(crate) fn whole(&self) -> u64 {
        self.given().as_u64().unwrap_or_else(|| panic!("{} is not a whole number", self.path))
    }

    pub(crate) fn text(&self) -> &'d str {
        self.given().as_str().unwrap_or_else(|| panic!("{} is not text", self.path))
    }

    pub(crate) fn numbers(&self) -> Vec<f64> {
        self.items().iter().map(Self::number).collect()
    }

    /// Compares with a computed value, within the tolerance of closed forms.
    pub(crate) fn is(&self, computed: impl Computed) {
        self.compare(&computed.json());
    }

    fn compare(&self, computed: &Value) {
        let length = |value: &Value| value.as_array().map(Vec::len);
        if length(self.value).is_some() && length(self.value) == length(computed) {
            for (index, item) in self.items().iter().enumerate() {
                item.compare(&computed[index]);
            }
            return;
        }
        self.given();
        *self.document.compared.borrow_mut() += 1;
        let agrees = match (self.value.as_f64(), computed.as_f64()) {
            (Some(wanted), Some(got)) => (got - wanted).abs() <= CLOSED * wanted.abs() + ZERO,
            _ => self.value == computed,
        };
        if !agrees {
            let complaint = format!("{}: {} wanted, {computed} computed", self.path, self.value);
            self.document.wrong.borrow_mut().push(complaint);
        }
    }
}

/// A return value of the functions under test, in the notation of the reference.
pub(crate) trait Computed {
    fn json(&self) -> Value;
}

macro_rules! computed {
    ($($kind:ty),*) => {
        $(impl Computed for $kind {
            fn json(&self) -> Value {
                json!(self)
            }
        })*
    };
}

computed!(f64, u64, usize, i64, &str);

impl Computed for Interval {
    fn json(&self) -> Value {
        json!([self.low, self.high])
    }
}

impl<C: Computed> Computed for Option<C> {
    fn json(&self) -> Value {
        self.as_ref().map_or(Value::Null, Computed::json)
    }
}

impl<C: Computed> Computed for Vec<C> {
    fn json(&self) -> Value {
        self.iter().map(Computed::json).collect()
    }
}

impl<C: Computed, const N: usize> Computed for [C; N] {
    fn json(&self) -> Value {
        self.iter().map(Computed::json).collect()
    }
}
