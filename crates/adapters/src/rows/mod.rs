//! Rows of results in a shape of their own, read by the mappings of `evalbook.toml`.

mod fields;
mod grouping;
mod guess;
mod rows_of_file;
mod sample;

use std::collections::{BTreeMap, BTreeSet};

pub use crate::rows::guess::name_rows;

use crate::files::is_taken;
use crate::layout::ReadResults;
use crate::rows::fields::{Fault, FieldReader};
use crate::rows::grouping::{Finished, Origin, Runs};
use crate::rows::rows_of_file::{Row, RowSink as _};
use crate::trial::{Results, Round, Trial};
use formats::limits::MAX_DOCUMENT_BYTES;
use input::files::{Entry, EntryKind, Source};
use input::model::{Code, Place, Problem};
use input::names;
use input::settings;
use input::settings::rows::{FieldPath, ListPath, Parts, Rows};
use text::{count, most_similar};

/// The mappings of one file of settings.
pub struct RowSettings<'a> {
    /// The folder that they hold for.
    pub folder: &'a str,
    /// Whether they are from a flag of the command.
    pub is_flag: bool,
    /// What `[[rows]]` says, in its order.
    pub rows: &'a [Rows],
}

/// Results that mappings read, and the files that they have them from.
#[derive(Default)]
pub(super) struct MappedResults<'e> {
    pub(super) results: Vec<ReadResults<'e>>,
    pub(super) taken: BTreeSet<String>,
}

/// Reads every file among `entries` that a mapping names.
pub(super) fn read<'e>(
    settings: &[RowSettings<'_>],
    source: &dyn Source,
    entries: &'e [Entry],
    is_left_out: &(dyn Fn(&str) -> bool + Sync),
    problems: &mut Vec<Problem>,
) -> MappedResults<'e> {
    let mut mapped = MappedResults::default();
    for settings in settings {
        let files: Vec<&Entry> = entries
            .iter()
            .filter(|entry| entry.kind == EntryKind::File && !is_left_out(&entry.path))
            .filter(|entry| names::is_in(&entry.path, settings.folder))
            .filter(|entry| !is_taken(&mapped.taken, &entry.path))
            .collect();
        let mut reader = Reader { settings, source, files, problems, runs: Runs::default() };
        let (with, without): (Vec<usize>, Vec<usize>) =
            (0..settings.rows.len()).partition(|index| !settings.rows[*index].passed.is_empty());
        for index in with.into_iter().chain(without) {
            let read = reader.read_mapping(index);
            mapped.taken.extend(read.into_iter().map(str::to_owned));
        }
        mapped.results.extend(reader.finish());
    }
    mapped
}

struct Reader<'r, 'e> {
    settings: &'r RowSettings<'r>,
    source: &'r dyn Source,
    /// Every file below the settings.
    files: Vec<&'e Entry>,
    problems: &'r mut Vec<Problem>,
    runs: Runs,
}

/// The most problems of one kind that are listed of one file; a number says how many more there are.
const LISTED_PROBLEMS: usize = 20;

impl<'e> Reader<'_, 'e> {
    /// Reads all rows of a mapping, and returns the paths of its files.
    fn read_mapping(&mut self, index: usize) -> Vec<&'e str> {
        let mapping = &self.settings.rows[index];
        let mut rows = MappedRows::new(index, mapping, &mut self.runs);
        let mut read = Vec::new();
        for (file, entry) in self.files.iter().enumerate() {
            let path = entry.path.as_str();
            let below = names::below(path, self.settings.folder).unwrap_or(path);
            let Some(parts) = mapping.files.matches(below) else { continue };
            if names::file_name(path) == settings::FILE {
                continue;
            }
            read.push(path);
            rows.read_file(file, path, self.source, entry.bytes, &parts);
        }
        let faults = rows.faults(&read);
        let MappedRows { selected, mut problems, .. } = rows;
        // What no row has is said once, of the mapping.
        problems.retain(|(of, _)| !faults.iter().any(|(key, ..)| Some(*key) == *of));
        let problems = problems.into_iter().map(|(_, problem)| problem);
        self.problems.extend(limited(problems.collect()));
        for (key, message, help) in faults {
            self.problems.push(self.problem(index, key, message, help));
        }
        if selected > 0
            && let Some(first) = read.first()
        {
            let message = format!("read by `[[rows]]`: {}", count(selected, "row"));
            let problem = Problem::new(Code::RecognizedTool, *first, message);
            self.problems.push(match read.len() {
                1 => problem,
                several => problem.assuming(format!("{} of it were read", count(several, "file"))),
            });
        }
        read
    }

    /// A problem with a key of a mapping.
    fn problem(&self, index: usize, key: &str, message: String, help: Option<String>) -> Problem {
        let path = names::join(self.settings.folder, settings::FILE);
        let path = if self.settings.is_flag { String::new() } else { path };
        let line = self.settings.rows[index].lines.get(key).copied();
        let mut problem = Problem::new(Code::RowsMismatch, path, message);
        problem.help = help;
        problem.at(line.map(|line| Place { line, column: 1 }))
    }

    fn finish(self) -> Vec<ReadResults<'e>> {
        let mut results: BTreeMap<(String, usize), Vec<Trial>> = BTreeMap::new();
        for Finished { file, iteration, trial } in self.runs.finish() {
            results.entry((iteration, file)).or_default().push(trial);
        }
        let folder = self.settings.folder;
        let results = results.into_iter().map(|((name, file), trials)| {
            let round =
                Round { folder: Some(folder.to_owned()), name, is_whole: true, ..Round::default() };
            let results = Results { round, trials, ..Results::default() };
            ReadResults { tool: "rows", path: self.files[file].path.as_str(), results }
        });
        results.collect()
    }
}

/// Many rows may have one fault.
fn limited(problems: Vec<Problem>) -> Vec<Problem> {
    let mut listed: BTreeMap<(String, Code, String), usize> = BTreeMap::new();
    let mut kept = Vec::new();
    for problem in problems {
        // Messages name lines and values of their row, and `q1` fails as `q2` does.
        let kind: String = problem.message.chars().filter(|c| !c.is_ascii_digit()).collect();
        let number = listed.entry((problem.path.clone(), problem.code, kind)).or_default();
        *number += 1;
        if *number <= LISTED_PROBLEMS {
            kept.push(problem);
        }
    }
    for ((path, code, _), number) in listed {
        if let Some(more @ 1..) = number.checked_sub(LISTED_PROBLEMS) {
            let message = format!("{} more of the same kind", count(more, "row"));
            kept.push(Problem::new(code, path, message));
        }
    }
    kept
}

/// The rows of one mapping, while they are read.
struct MappedRows<'m, 'r> {
    index: usize,
    fields: FieldReader<'m>,
    runs: &'r mut Runs,
    file: usize,
    path: String,
    count: usize,
    /// Rows that the key `only` of the mapping selects; all without that key.
    selected: usize,
    /// The fields of the first row.
    sample: Vec<FieldPath>,
    /// Each with the key that it is about, if there is one.
    problems: Vec<(Option<&'static str>, Problem)>,
}

impl<'m, 'r> MappedRows<'m, 'r> {
    fn new(index: usize, mapping: &'m Rows, runs: &'r mut Runs) -> Self {
        Self {
            index,
            fields: FieldReader::new(mapping),
            runs,
            file: 0,
            path: String::new(),
            count: 0,
            selected: 0,
            sample: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn read_file(
        &mut self,
        file: usize,
        path: &str,
        source: &dyn Source,
        bytes: u64,
        parts: &Parts,
    ) {
        if bytes > MAX_DOCUMENT_BYTES {
            let message = format!("the file has more than {}", text::bytes(MAX_DOCUMENT_BYTES));
            self.take_problem(Problem::new(Code::TooLarge, path, message).assuming("not read"));
            return;
        }
        match source.read(path, MAX_DOCUMENT_BYTES) {
            Ok(bytes) => self.read_bytes(file, path, &bytes, parts),
            Err(error) => {
                let message = format!("cannot read it: {}", input::files::reason(&error));
                self.take_problem(Problem::new(Code::UnreadableFile, path, message));
            }
        }
    }

    fn read_bytes(&mut self, file: usize, path: &str, bytes: &[u8], parts: &Parts) {
        (self.file, self.path) = (file, path.to_owned());
        let steps = self.fields.mapping.list.as_ref().map_or(&[][..], ListPath::steps);
        rows_of_file::read(path, bytes, steps, parts, self);
    }

    /// What is wrong with the mapping as a whole: its key, a message and help.
    fn faults(&self, read: &[&str]) -> Vec<(&'static str, String, Option<String>)> {
        let mapping = self.fields.mapping;
        if read.is_empty() {
            let message = format!("no file fits `{}`", mapping.files);
            let help = "a `*` or a placeholder stands for a part of one name";
            return vec![("files", message, Some(help.to_owned()))];
        }
        if self.count == 0 {
            let (key, message) = match &mapping.list {
                Some(_) => ("list", "`list` leads to no row"),
                None => ("files", "the files have no row; `list` says where their rows are"),
            };
            return vec![(key, message.to_owned(), None)];
        }
        let mut faults = Vec::new();
        let fields: BTreeSet<String> = self.sample.iter().map(ToString::to_string).collect();
        for (key, field) in mapping.fields() {
            if self.fields.seen.contains(field) {
                continue;
            }
            // Without a row that is selected, nobody looked for the others.
            if self.selected == 0 && key != "only" {
                continue;
            }
            let name = field.to_string();
            let near = most_similar(&name, fields.iter().map(String::as_str));
            let near = near.map(|near| format!("did you mean `{near}`? "));
            let listed: Vec<&str> = fields.iter().map(String::as_str).take(LISTED_FIELDS).collect();
            let help = format!("{}rows have `{}`", near.unwrap_or_default(), listed.join("`, `"));
            faults.push((key, format!("no row has the field `{name}`"), Some(help)));
        }
        if self.selected == 0 && faults.is_empty() {
            faults.push(("only", "no row has the values of `only`".to_owned(), None));
        }
        faults
    }
}

/// The most fields that a problem lists.
const LISTED_FIELDS: usize = 30;

impl rows_of_file::RowSink for MappedRows<'_, '_> {
    fn take_row(&mut self, row: &Row<'_>) {
        self.count += 1;
        if self.sample.is_empty() {
            self.sample = row.fields();
        }
        let facts = self.fields.read(row);
        let mut faults = std::mem::take(&mut self.fields.faults);
        if facts.is_some() || !faults.is_empty() {
            self.selected += 1;
        }
        if let Some(facts) = facts {
            let (index, mapping, file) = (self.index, self.fields.mapping, self.file);
            faults.extend(self.runs.add(facts, Origin { index, mapping, file }));
        }
        for Fault { code, key, message, assumed } in faults {
            let problem = Problem::new(code, &self.path, message);
            self.problems.push((key, problem.at(Some(row.place)).assuming(assumed)));
        }
    }

    fn take_problem(&mut self, problem: Problem) {
        self.problems.push((None, problem));
    }
}
