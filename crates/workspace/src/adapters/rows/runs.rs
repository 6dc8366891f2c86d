//! Puts what rows say together into runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::adapters::rows::document::Owner;
use crate::adapters::rows::fields::{Facts, Figure};
use crate::adapters::trial::{Check, Figures, Trial};
use input::model::Code;

/// What tells runs apart: iteration, case, side, model and the run's own label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    iteration: String,
    case: String,
    side: String,
    model: Option<String>,
    label: String,
}

/// The runs of all mappings of one file of settings, in the order of their rows.
#[derive(Default)]
pub(super) struct Runs {
    runs: Vec<Draft>,
    known: BTreeMap<Key, usize>,
    /// The runs of a case, side and label, whatever iteration and model.
    alike: BTreeMap<[String; 3], Vec<usize>>,
    /// How many rows there were for each key without a label.
    // Mappings with verdicts count together; figures of another mapping follow the same order.
    places: BTreeMap<(Option<usize>, Key), usize>,
    /// The rows that were read, with the file and line of the first of each.
    rows: BTreeMap<(usize, [u8; 32]), (usize, usize)>,
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
pub(super) struct Origin {
    pub(super) mapping: usize,
    pub(super) file: usize,
    /// Whether its mapping has verdicts.
    pub(super) has_verdicts: bool,
    /// Whether its mapping names checks, so that without `run` all rows of a case and side are one.
    pub(super) has_checks: bool,
    pub(super) has_model: bool,
    pub(super) has_iteration: bool,
}

/// Something wrong with a row among others.
pub(super) type Doubt = (Code, String, &'static str);

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
    pub(super) fn add(&mut self, facts: Facts, origin: Origin) -> Vec<Doubt> {
        let identity = (origin.mapping, *facts.digest.as_bytes());
        if let Some((_, line)) = self.rows.get(&identity) {
            let message = format!("the row is equal to that of line {line} in every field");
            return vec![(Code::RepeatedRow, message, "counts once")];
        }
        self.rows.insert(identity, (origin.file, facts.place.line));
        let key = self.key(&facts, origin);
        let index = if origin.has_verdicts {
            self.run_of(key, &facts, origin)
        } else {
            match self.known_run(&key, origin) {
                Ok(index) => index,
                Err(doubt) => return vec![doubt],
            }
        };
        let mut doubts = self.add_figures(index, &facts, origin);
        let run = &mut self.runs[index];
        run.error = run.error.take().or(facts.error);
        run.output = run.output.take().or(facts.output);
        doubts.extend(run.add_checks(facts.checks, facts.is_named, facts.place.line));
        doubts
    }

    fn key(&mut self, facts: &Facts, origin: Origin) -> Key {
        let mut key = Key {
            iteration: facts.iteration.clone(),
            case: facts.case.clone(),
            side: facts.side.clone(),
            model: facts.model.clone(),
            label: facts.run.clone().unwrap_or_else(|| "1".to_owned()),
        };
        if facts.run.is_none() && !origin.has_checks {
            let figures_of = if origin.has_verdicts { None } else { Some(origin.mapping) };
            let place = self.places.entry((figures_of, key.clone())).or_default();
            *place += 1;
            key.label = place.to_string();
        }
        key
    }

    fn run_of(&mut self, key: Key, facts: &Facts, origin: Origin) -> usize {
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let index = self.runs.len();
        self.known.insert(key.clone(), index);
        self.alike.entry(alike(&key)).or_default().push(index);
        self.runs.push(Draft::new(key, origin.file, facts.place.line));
        index
    }

    /// The run that a row without a verdict is about. It need not say the iteration and the model where
    /// only one run fits.
    fn known_run(&self, key: &Key, origin: Origin) -> Result<usize, Doubt> {
        if let Some(index) = self.known.get(key) {
            return Ok(*index);
        }
        let mut fitting = self.alike.get(&alike(key)).into_iter().flatten().filter(|index| {
            let run = &self.runs[**index].key;
            (!origin.has_model || run.model == key.model)
                && (!origin.has_iteration || run.iteration == key.iteration)
        });
        let (first, second) = (fitting.next(), fitting.next());
        match (first, second) {
            (Some(index), None) => Ok(*index),
            (None, _) => {
                let message = "the figures of the row belong to no run that another mapping reads";
                Err((Code::RowNotRead, message.to_owned(), "not read"))
            }
            _ => {
                let message = "the figures of the row may belong to several runs";
                Err((Code::RowNotRead, message.to_owned(), "not read"))
            }
        }
    }

    fn add_figures(&mut self, index: usize, facts: &Facts, origin: Origin) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        let figures =
            [("tokens", facts.tokens), ("seconds", facts.seconds), ("dollars", facts.dollars)];
        for (name, figure) in figures {
            let Some(Figure { value, owner }) = figure else { continue };
            if let Some(owner) = owner {
                let owner = (origin.mapping, origin.file, owner, name);
                let first = *self.owners.entry(owner).or_insert(index);
                if first != index {
                    // A sum of several runs is a figure of none.
                    let is_news = self.runs[first].give_up(name) | self.runs[index].give_up(name);
                    if is_news {
                        let message = format!("`{name}` is given once for several runs");
                        doubts.push((Code::RowNotRead, message, "read as not recorded"));
                    }
                    continue;
                }
            }
            let run = &mut self.runs[index];
            let known = *run.figures.entry(name).or_insert(value);
            if known != value && run.give_up(name) {
                let message = format!("`{name}` differs from that of another row of the run");
                doubts.push((Code::RowNotRead, message, "read as not recorded"));
            }
        }
        doubts
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

fn alike(key: &Key) -> [String; 3] {
    [key.case.clone(), key.side.clone(), key.label.clone()]
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

    /// Leaves a figure open; returns whether it was not yet.
    fn give_up(&mut self, figure: &'static str) -> bool {
        self.open.insert(figure)
    }

    /// Adds the checks of one row.
    fn add_checks(&mut self, checks: Vec<Check>, is_named: bool, line: usize) -> Option<Doubt> {
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
        Some((Code::RowNotRead, message, "both count; give `run` if these are several runs"))
    }

    fn finish(self) -> Finished {
        let figure = |name| self.figures.get(name).copied().filter(|_| !self.open.contains(name));
        let figures = Figures {
            seconds: figure("seconds"),
            tokens: figure("tokens"),
            cost_usd: figure("dollars"),
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
