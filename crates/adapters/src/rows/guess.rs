//! Proposes a mapping for files of rows that none reads, with what it would count.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::rows::MappedRows;
use crate::rows::grouping::Runs;
use crate::rows::sample::{Sample, sample_of};
use input::model::{Code, Problem, Workspace};
use input::names;
use input::settings;
use input::settings::rows::{FieldPath, ListPath, Rows};
use text::count;

/// The most files that are looked into, nearest to the root first.
const FILES: usize = 20;

/// Names the files of rows in a workspace without any verdict, each with a mapping to copy. `read`
/// returns the bytes of a file by its path.
pub fn name_rows(workspace: &mut Workspace, read: &dyn Fn(&str) -> Option<Vec<u8>>) {
    let mut iterations = workspace.iterations.iter();
    if iterations.any(|found| found.runs().any(|run| run.is_graded())) {
        return;
    }
    let mut paths: BTreeSet<(usize, String)> = BTreeSet::new();
    let named = workspace.problems.iter().filter(|found| found.code == Code::ResultsNotRead);
    let ignored = workspace.ignored.iter().filter(|ignored| ignored.files == Some(1));
    for path in named.map(|found| &found.path).chain(ignored.map(|ignored| &ignored.path)) {
        let is_data =
            ["json", "jsonl", "ndjson", "csv", "tsv"].contains(&&*names::split_extension(path).1);
        if is_data {
            paths.insert((path.matches('/').count(), path.clone()));
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for (_, path) in paths.into_iter().take(FILES) {
        let Some(bytes) = read(&path) else { continue };
        let Some((list, sample)) = sample_of(&path, &bytes) else { continue };
        match groups.iter_mut().find(|group| group.is_alike(&path, &list, &sample)) {
            Some(group) => {
                group.repeats_cases |= group.sample.shares_cases(&sample);
                group.sample.add(sample);
                group.files.push((path, bytes));
            }
            None => {
                let files = vec![(path, bytes)];
                groups.push(Group { list, sample, repeats_cases: false, files });
            }
        }
    }
    for group in groups {
        let Some(problem) = group.problem() else { continue };
        let found: BTreeSet<&String> = group.files.iter().map(|(path, _)| path).collect();
        workspace.problems.retain(|problem| {
            problem.code != Code::ResultsNotRead || !found.contains(&problem.path)
        });
        workspace.problems.push(problem);
    }
}

/// Files of one folder with rows of the same fields.
struct Group {
    list: Option<ListPath>,
    sample: Sample,
    /// Whether a case is in several of its files.
    repeats_cases: bool,
    files: Vec<(String, Vec<u8>)>,
}

impl Group {
    /// Whether a file with rows like these is one of it.
    fn is_alike(&self, path: &str, list: &Option<ListPath>, sample: &Sample) -> bool {
        let [one, other] = [&self.files[0].0, path]
            .map(|path| (names::folder(path), names::split_extension(path).1));
        one == other && self.list == *list && self.sample.has_fields_of(sample)
    }

    /// The mapping for all of its files; `None` if they have no case or no verdict.
    fn mapping(&self) -> Option<Rows> {
        let mut mapping = self.sample.mapping()?;
        mapping.list.clone_from(&self.list);
        let paths: Vec<&str> = self.files.iter().map(|(path, _)| path.as_str()).collect();
        let pattern = match &paths[..] {
            [only] => (*only).to_owned(),
            several => {
                // Files that differ in nothing but a part of their names are rounds, or sides. skillgrade
                // has a file for each task, and those of other cases are no rounds.
                let (start, end) = common_ends(several);
                let are_sides = several.iter().all(|path| {
                    names::is_configuration(&path[start.len()..path.len() - end.len()])
                });
                let part = match (&mapping.configuration, &mapping.iteration) {
                    (None, _) if are_sides => "{configuration}",
                    (_, None) if self.repeats_cases => "{iteration}",
                    _ => "*",
                };
                // The next time of skillgrade ends with other digits.
                let is_of_time = part == "*" && end.contains(|c: char| c.is_ascii_digit());
                let at = end.rfind('.').filter(|_| is_of_time).unwrap_or(0);
                format!("{start}{part}{}", &end[at..])
            }
        };
        mapping.files = pattern.try_into().ok()?;
        Some(mapping)
    }

    /// The problem that says how the rows could be read.
    fn problem(&self) -> Option<Problem> {
        let mapping = self.mapping()?;
        let mut runs = Runs::default();
        let mut rows = MappedRows::new(0, &mapping, &mut runs);
        for (index, (path, bytes)) in self.files.iter().enumerate() {
            rows.read_bytes(index, path, bytes, &mapping.files.matches(path)?);
        }
        let read = count(rows.selected, "row");
        let counts = runs.counts();
        let message = format!(
            "looks like rows of results: a mapping would read {read}: {}, {}, {}",
            count(counts.cases, "case"),
            count(counts.sides, "side"),
            count(counts.runs, "run"),
        );
        let help = format!(
            "check this guess and copy it into `{}`\n{}",
            settings::FILE,
            in_toml(&mapping)
        );
        let (first, _) = self.files.first()?;
        let problem = Problem::new(Code::ResultsNotRead, first, message).assuming("not read");
        Some(problem.help(help))
    }
}

/// What all paths begin and end with, up to a joint of their names: `2026-09-30-stats.jsonl` and
/// `2026-10-07-stats.jsonl` end with `-stats.jsonl`.
fn common_ends<'p>(paths: &[&'p str]) -> (&'p str, &'p str) {
    let [first, rest @ ..] = paths else { return ("", "") };
    let shared =
        |same: &dyn Fn(&str) -> usize| rest.iter().map(|path| same(path)).min().unwrap_or(0);
    let start = shared(&|path| {
        first.bytes().zip(path.bytes()).take_while(|(one, other)| one == other).count()
    });
    let mut start = first.get(..start).unwrap_or_default();
    // A date is not cut in its middle.
    loop {
        start = start.trim_end_matches(|c| !is_joint(c));
        let before = start.trim_end_matches(is_joint);
        if start.ends_with('/') || !before.ends_with(|c: char| c.is_ascii_digit()) {
            break;
        }
        start = before;
    }
    let most = paths.iter().map(|path| path.len() - start.len()).min().unwrap_or(0);
    let end = shared(&|path| {
        let ends = first.bytes().rev().zip(path.bytes().rev());
        ends.take_while(|(one, other)| one == other).count().min(most.saturating_sub(1))
    });
    let end = first.get(first.len() - end..).unwrap_or_default();
    (start, end.trim_start_matches(|c| !is_joint(c)))
}

fn is_joint(c: char) -> bool {
    matches!(c, '-' | '_' | '.' | '/')
}

/// A text as it is written in the settings.
fn quoted(text: impl ToString) -> String {
    Value::from(text.to_string()).to_string()
}

/// A mapping as it is written in the settings.
fn in_toml(mapping: &Rows) -> String {
    let mut lines = vec!["[[rows]]".to_owned(), format!("files = {}", quoted(&mapping.files))];
    if let Some(list) = &mapping.list {
        lines.push(format!("list = {}", quoted(FieldPath::from(list.clone()))));
    }
    let mut by_key: Vec<(&str, Vec<String>)> = Vec::new();
    for (key, field) in mapping.fields() {
        match by_key.last_mut() {
            Some((last, fields)) if *last == key => fields.push(quoted(field)),
            _ => by_key.push((key, vec![quoted(field)])),
        }
    }
    for (key, fields) in by_key {
        lines.push(match &fields[..] {
            [field] => format!("{key} = {field}"),
            _ => format!("{key} = [{}]", fields.join(", ")),
        });
    }
    if !mapping.sides.is_empty() {
        let sides =
            mapping.sides.iter().map(|(own, side)| format!("{} = {}", quoted(own), quoted(side)));
        lines.push(format!("sides = {{ {} }}", sides.collect::<Vec<_>>().join(", ")));
    }
    if let Some(threshold) = mapping.threshold {
        lines.push(format!("threshold = {threshold}"));
    }
    lines.join("\n")
}
