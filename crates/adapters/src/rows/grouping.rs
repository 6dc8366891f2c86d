//! Puts what rows say together into runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::rows::fields::{Facts, Fault, Figure, NOT_READ, NOT_RECORDED};
use crate::rows::rows_of_file::Owner;
use crate::trial::{Check, Figures, Trial};
use input::model::Code;
use input::settings::rows::Rows;

/// What tells runs apart. Those that differ in iteration and model alone are neighbors in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    case: String,
    side: String,
    /// The run's own label, else its place.
    label: String,
    iteration: String,
    model: Option<String>,
}

/// The runs of all mappings of one file of settings, in the order of their rows.
#[derive(Default)]
pub(super) struct Runs {
    runs: Vec<Draft>,
    known: BTreeMap<Key, usize>,
    /// How many rows there were for each key without a label. Mappings with verdicts count together;
    /// figures of another mapping follow the same order.
    places: BTreeMap<(Option<usize>, Key), usize>,
    /// The rows that were read by a mapping, with the line of the first of each.
    rows: BTreeMap<(usize, [u8; 32]), usize>,
    /// The run that a figure of an enclosing object is of.
    owners: BTreeMap<(usize, usize, Owner, &'static str), usize>,
}

struct Draft {
    key: Key,
    /// The file with its first row.
    file: usize,
    line: usize,
    checks: Vec<Check>,
    /// The line of each statement that a row names.
    statements: BTreeMap<String, usize>,
    unnamed_rows: usize,
    figures: BTreeMap<&'static str, f64>,
    /// Figures that rows contradict each other on.
    open: BTreeSet<&'static str>,
    error: Option<String>,
    output: Option<String>,
}

/// Where a row is from.
#[derive(Clone, Copy)]
pub(super) struct Origin<'m> {
    /// The place of its mapping among those of its settings.
    pub(super) index: usize,
    pub(super) mapping: &'m Rows,
    pub(super) file: usize,
}

impl Origin<'_> {
    /// Whether its mapping has verdicts; without any it only adds figures.
    fn has_verdicts(self) -> bool {
        !self.mapping.passed.is_empty()
    }
}

/// A run, the file of its first row, and its iteration.
pub(super) struct Finished {
    pub(super) file: usize,
    pub(super) iteration: String,
    pub(super) trial: Trial,
}

/// What a mapping would read.
pub(super) struct RunCounts {
    pub(super) cases: usize,
    pub(super) sides: usize,
    /// The most of one case and side.
    pub(super) runs: usize,
}

impl Runs {
    /// Adds what a row says, and returns what is wrong with it.
    pub(super) fn add(&mut self, facts: Facts, origin: Origin<'_>) -> Vec<Fault> {
        let line = facts.place.line;
        let identity = (origin.index, *facts.digest.as_bytes());
        if let Some(first) = self.rows.get(&identity) {
            let message = format!("the row is equal to that of line {first} in every field");
            return vec![Fault { code: Code::RepeatedRow, ..Fault::new(message, "counts once") }];
        }
        self.rows.insert(identity, line);
        let key = self.key(&facts, origin);
        let index = if origin.has_verdicts() {
            self.run_of(key, line, origin.file)
        } else {
            match self.known_run(&key, origin) {
                Ok(index) => index,
                Err(message) => return vec![Fault::new(message, NOT_READ)],
            }
        };
        let mut faults = self.add_figures(index, &facts, origin);
        let run = &mut self.runs[index];
        run.error = run.error.take().or(facts.error);
        run.output = run.output.take().or(facts.output);
        faults.extend(run.add_checks(facts.checks, facts.is_named, line));
        faults
    }

    fn key(&mut self, facts: &Facts, origin: Origin<'_>) -> Key {
        let mut key = Key {
            case: facts.case.clone(),
            side: facts.side.clone(),
            label: facts.run.clone().unwrap_or_else(|| "1".to_owned()),
            iteration: facts.iteration.clone(),
            model: facts.model.clone(),
        };
        // Where checks have names, all rows of a case and side are one run.
        if facts.run.is_none() && origin.mapping.check.is_none() {
            let figures_of = if origin.has_verdicts() { None } else { Some(origin.index) };
            let place = self.places.entry((figures_of, key.clone())).or_default();
            *place += 1;
            key.label = place.to_string();
        }
        key
    }

    fn run_of(&mut self, key: Key, line: usize, file: usize) -> usize {
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let index = self.runs.len();
        self.known.insert(key.clone(), index);
        self.runs.push(Draft::new(key, file, line));
        index
    }

    /// The run that a row without a verdict is about. It need not say the iteration and the model where
    /// only one run fits.
    fn known_run(&self, key: &Key, origin: Origin<'_>) -> Result<usize, &'static str> {
        if let Some(index) = self.known.get(key) {
            return Ok(*index);
        }
        let mapping = origin.mapping;
        let from = Key { iteration: String::new(), model: None, ..key.clone() };
        let mut fitting = self.known.range(from..).take_while(|(other, _)| {
            [&other.case, &other.side, &other.label] == [&key.case, &key.side, &key.label]
        });
        let mut fitting = fitting.by_ref().filter(|(other, _)| {
            (mapping.model.is_none() || other.model == key.model)
                && (mapping.iteration.is_none() || other.iteration == key.iteration)
        });
        match (fitting.next(), fitting.next()) {
            (Some((_, index)), None) => Ok(*index),
            (None, _) => Err("the figures of the row belong to no run that another mapping reads"),
            _ => Err("the figures of the row may belong to several runs"),
        }
    }

    fn add_figures(&mut self, index: usize, facts: &Facts, origin: Origin<'_>) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (name, figure) in &facts.figures {
            let Some(Figure { value, owner }) = figure else { continue };
            if let Some(owner) = owner {
                let owner = (origin.index, origin.file, *owner, *name);
                let first = *self.owners.entry(owner).or_insert(index);
                if first != index {
                    // A sum of several runs is a figure of none.
                    if self.runs[first].open.insert(name) | self.runs[index].open.insert(name) {
                        let message = format!("`{name}` is given once for several runs");
                        faults.push(Fault::new(message, NOT_RECORDED));
                    }
                    continue;
                }
            }
            // Runners repeat the figures of a run on each of its rows.
            let run = &mut self.runs[index];
            let known = *run.figures.entry(name).or_insert(*value);
            if known != *value && run.open.insert(name) {
                let message = format!("`{name}` differs from that of another row of the run");
                faults.push(Fault::new(message, NOT_RECORDED));
            }
        }
        faults
    }

    /// How many cases and sides there are, and at most runs of one.
    pub(super) fn counts(&self) -> RunCounts {
        let mut runs: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for Draft { key, .. } in &self.runs {
            *runs.entry((&key.iteration, &key.case, &key.side)).or_default() += 1;
        }
        let cases: BTreeSet<&str> = runs.keys().map(|(_, case, _)| *case).collect();
        let sides: BTreeSet<&str> = runs.keys().map(|(_, _, side)| *side).collect();
        let most = runs.values().max().copied().unwrap_or_default();
        RunCounts { cases: cases.len(), sides: sides.len(), runs: most }
    }

    /// Every run, in the order of their first rows.
    pub(super) fn finish(self) -> Vec<Finished> {
        self.runs.into_iter().map(Draft::finish).collect()
    }
}

impl Draft {
    fn new(key: Key, file: usize, line: usize) -> Self {
        Self {
            key,
            file,
            line,
            checks: Vec::new(),
            statements: BTreeMap::new(),
            unnamed_rows: 0,
            figures: BTreeMap::new(),
            open: BTreeSet::new(),
            error: None,
            output: None,
        }
    }

    /// Adds the checks of one row.
    fn add_checks(&mut self, checks: Vec<Check>, is_named: bool, line: usize) -> Option<Fault> {
        let mut first = None;
        if !is_named && !checks.is_empty() {
            self.unnamed_rows += 1;
        }
        for mut check in checks {
            if is_named {
                match self.statements.get(&check.text) {
                    Some(known) => first = Some(*known),
                    None => _ = self.statements.insert(check.text.clone(), line),
                }
            } else if self.unnamed_rows > 1 {
                check.text = format!("{} {}", check.text, self.unnamed_rows);
            }
            self.checks.push(check);
        }
        let message = format!("the run has this check from line {} already", first?);
        Some(Fault::new(message, "both count; give `run` if these are several runs"))
    }

    fn finish(self) -> Finished {
        let mut figures = self.figures;
        figures.retain(|name, _| !self.open.contains(name));
        let figures = Figures {
            seconds: figures.remove("seconds"),
            tokens: figures.remove("tokens"),
            cost_usd: figures.remove("dollars"),
            model: self.key.model.clone(),
            ..Figures::default()
        };
        let trial = Trial {
            case: self.key.case,
            side: self.key.side,
            variant: self.key.model,
            place: format!("line {}", self.line),
            number: self.key.label.parse().ok().filter(|number| *number > 0),
            checks: self.checks,
            error: self.error,
            figures,
            answer: self.output,
            ..Trial::default()
        };
        Finished { file: self.file, iteration: self.key.iteration, trial }
    }
}
