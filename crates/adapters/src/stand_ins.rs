//! Files that say what our own documents say, under other names or in other forms: they are presented as
//! these documents, in the same folder.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::files::Files;
use crate::has_all;
use crate::layout::document;
use crate::source::{Content, Presented};
use crate::values::{flag, label, list};
use input::discover::{Kind, kinds};
use input::names;
use text::folded_name;

/// The documents that stand in for files, by path, and the files that they replace.
#[derive(Default)]
pub(super) struct StandIns {
    pub(super) presented: BTreeMap<String, Presented>,
    pub(super) taken: BTreeSet<String>,
}

impl StandIns {
    fn replace(&mut self, path: String, file: Presented) {
        self.taken.insert(file.origin.clone());
        self.presented.insert(path, file);
    }

    /// Presents a lone `benchmark.md` of the skill-creator as the `benchmark.json` that it was made of.
    // In 33 public repositories it is all that was kept.
    pub(super) fn add_benchmark(&mut self, path: &str, files: &Files<'_>) {
        let target = names::join(names::folder(path), "benchmark.json");
        if files.has(&target) {
            return;
        }
        if let Some(benchmark) = files.text(path).and_then(|text| benchmark(&text)) {
            self.replace(target, document(&benchmark, path, None));
        }
    }

    /// Presents the files of several graders of one run as its gradings, in the order of their names.
    // Some keep no `grading.json` but one file a judge: `judge-a.json`, `judge-b.json`.
    pub(super) fn add_gradings(&mut self, paths: &[&str], files: &Files<'_>) {
        let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in paths {
            folders.entry(names::folder(path)).or_default().push(path);
        }
        for (folder, paths) in folders {
            let mut own = files.below(folder).iter().filter(|path| names::folder(path) == folder);
            if paths.len() < 2 || own.any(|path| is_grading(path)) {
                continue;
            }
            let checked: BTreeSet<Option<BTreeSet<String>>> =
                paths.iter().map(|path| statements(&files.json(path)?)).collect();
            // Files that check other things are no second opinions.
            if checked.len() > 1 || checked.contains(&None) {
                continue;
            }
            for (letter, path) in ('a'..='z').zip(paths) {
                let name = match letter {
                    'a' => "grading.json".to_owned(),
                    _ => format!("grading-judge-{letter}.json"),
                };
                let (content, origin) = (Content::Real, (*path).to_owned());
                let file = Presented { content, origin, run: None };
                self.replace(names::join(folder, &name), file);
            }
        }
    }

    /// Presents the verdicts that the description of a case has by side, `grades.<side>.<id>`, as the
    /// gradings of its runs. The file itself stays.
    // Who writes `eval_metadata.json` by hand adds `grades` to the assertions that it lists.
    pub(super) fn add_grades(&mut self, path: &str, files: &Files<'_>) {
        let Some(described) = files.json(path) else { return };
        let Some(sides) = described.get("grades").and_then(Value::as_object) else { return };
        let statements = statements_by_id(&described);
        for (side, grades) in sides {
            let folder = names::join(names::folder(path), side);
            let below = files.below(&folder);
            let is_graded = below.iter().any(|path| is_grading(path));
            let is_name = !side.is_empty() && !side.contains(['/', '\\']) && !side.starts_with('.');
            let Some(grading) = grading(grades, &statements).filter(|_| is_name && !is_graded)
            else {
                continue;
            };
            // A side with one numbered run keeps its grading there.
            let only = format!("{folder}/run-1");
            let has_run = !files.below(&only).is_empty() && files.below(&only).len() == below.len();
            let folder = if has_run { only } else { folder };
            self.presented.insert(format!("{folder}/grading.json"), document(&grading, path, None));
        }
    }
}

fn is_grading(path: &str) -> bool {
    kinds::kind_of_path(path) == Some(Kind::Grading)
}

/// The statements that a case plans to check, by their ids.
fn statements_by_id(described: &Value) -> BTreeMap<String, String> {
    let lists = ["assertions", "expectations"].map(|key| list(described, key));
    let items = lists.into_iter().flatten();
    items.filter_map(|item| Some((label(item, "id")?, label(item, "text")?))).collect()
}

/// The grading with a verdict for each id; `None` if one has none.
fn grading(grades: &Value, statements: &BTreeMap<String, String>) -> Option<Value> {
    let mut items = Vec::new();
    for (id, grade) in grades.as_object()? {
        let verdict = ["pass", "passed"].into_iter().find_map(|key| grade.get(key));
        let verdict = verdict
            .or(Some(grade))
            .filter(|verdict| verdict.is_boolean() || verdict.is_string())?;
        let evidence = ["note", "evidence", "reason"].into_iter().find_map(|key| label(grade, key));
        let statement = statements.get(id).unwrap_or(id);
        items.push(json!({"id": id, "text": statement, "passed": verdict, "evidence": evidence}));
    }
    if items.is_empty() { None } else { Some(json!({"expectations": items})) }
}

/// Whether a file may be the grading of a run under another name.
pub(super) fn may_grade(path: &str, bytes: &[u8]) -> bool {
    path.ends_with(".json")
        && kinds::kind_of_path(path).is_none()
        && has_all(bytes, &["\"passed\""])
        && (has_all(bytes, &["\"expectations\""]) || has_all(bytes, &["\"assertion_results\""]))
}

/// What a grading checks; `None` if it is none.
fn statements(grading: &Value) -> Option<BTreeSet<String>> {
    let key =
        ["expectations", "assertion_results"].into_iter().find(|key| grading.get(key).is_some())?;
    let items = list(grading, key);
    let stated = items.iter().map(|item| flag(item, "passed").and_then(|_| label(item, "text")));
    let stated: BTreeSet<String> = stated.collect::<Option<_>>()?;
    if stated.is_empty() { None } else { Some(stated) }
}

/// The `benchmark.json` that a `benchmark.md` of the skill-creator was made of, as far as it says it.
fn benchmark(text: &str) -> Option<Value> {
    let mut lines = text.lines().map(str::trim);
    let skill = lines.find_map(|line| line.strip_prefix("# Skill Benchmark:"))?.trim();
    let mut metadata = Map::new();
    metadata.insert("skill_name".to_owned(), json!(skill));
    let mut sides: Vec<String> = Vec::new();
    let mut summary: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    let (mut notes, mut is_note) = (Vec::new(), false);
    for line in lines {
        is_note = if line.starts_with('#') { line.contains("Note") } else { is_note };
        if let Some((key, value)) = line.strip_prefix("**").and_then(|line| line.split_once("**:"))
        {
            add_metadata(&mut metadata, key, value.trim());
        } else if let Some(note) = line.strip_prefix("- ").filter(|_| is_note) {
            notes.push(note.to_owned());
        } else if let Some(row) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            match folded_name(cells[0]).as_str() {
                "metric" => {
                    let names =
                        cells[1..].iter().filter(|name| !name.eq_ignore_ascii_case("delta"));
                    sides = names.map(|name| folded_name(name)).collect();
                }
                metric => {
                    for (side, cell) in sides.iter().zip(&cells[1..]) {
                        if let Some((key, figure)) = figure(metric, cell) {
                            summary.entry(side.clone()).or_default().insert(key.to_owned(), figure);
                        }
                    }
                }
            }
        }
    }
    if summary.is_empty() {
        return None;
    }
    Some(json!({"metadata": metadata, "run_summary": summary, "notes": notes}))
}

fn add_metadata(metadata: &mut Map<String, Value>, key: &str, value: &str) {
    match key {
        "Model" => _ = metadata.insert("executor_model".to_owned(), json!(value)),
        "Date" => _ = metadata.insert("timestamp".to_owned(), json!(value)),
        "Evals" => {
            let (evals, runs) = value.split_once('(').unwrap_or((value, ""));
            let evals: Vec<&str> = evals.split(',').map(str::trim).collect();
            metadata.insert("evals_run".to_owned(), json!(evals));
            let runs: Option<u32> = runs.split(' ').next().and_then(|runs| runs.parse().ok());
            metadata.insert("runs_per_configuration".to_owned(), json!(runs));
        }
        _ => {}
    }
}

/// The mean and spread in a cell such as `92% ± 5%`, `44.5s ± 12.5s` or `12000 ± 900`.
fn figure(metric: &str, cell: &str) -> Option<(&'static str, Value)> {
    let (key, unit) = match metric {
        "pass_rate" => ("pass_rate", "%"),
        "time" | "time_seconds" | "duration" => ("time_seconds", "s"),
        "tokens" => ("tokens", ""),
        _ => return None,
    };
    let (mean, spread) = cell.split_once('±').unwrap_or((cell, ""));
    Some((key, json!({"mean": number(mean, unit)?, "stddev": number(spread, unit)})))
}

fn number(text: &str, unit: &str) -> Option<f64> {
    let number: f64 = text.trim().strip_suffix(unit)?.trim().replace(',', "").parse().ok()?;
    Some(if unit == "%" { (number * 100.0).round() / 10_000.0 } else { number })
}
