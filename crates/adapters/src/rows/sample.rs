//! The names and values of the fields that the first rows of a file have, and the mapping they suggest.

use std::collections::{BTreeMap, BTreeSet};

use json::Node;

use crate::rows::fields;
use crate::rows::rows_of_file::{self, Row};
use crate::values::side_by_word;
use input::settings::rows::{FieldPath, ListPath, Parts, Rows};
use text::folded_name;

/// The most rows of a file that a guess is made from.
const SAMPLE: usize = 200;

/// The most values of a field that tells sides apart.
const SIDES: usize = 8;

/// Names of fields by the key of a mapping, the likeliest first.
const NAMES: &[(&str, &str)] = &[
    (
        "passed",
        "passed pass ok success succeeded correct is_correct objective_passed meets_criteria verdict result outcome \
        assertions_passed status grade score reward",
    ),
    (
        "case",
        "case case_id case_name task task_id task_name eval eval_id eval_name test test_id test_name \
        scenario stimulus question_id prompt_id query_id problem_id sample_id entry_id id skill name prompt query",
    ),
    (
        "configuration",
        "configuration config condition variant arm side group treatment experiment mode \
        with_skill",
    ),
    ("iteration", "iteration round sweep batch"),
    (
        "run",
        "run run_id run_number run_index trial trial_id attempt repeat repetition sample epoch rep seed",
    ),
    ("check", "check assertion expectation criterion statement metric grader rule name"),
    (
        "evidence",
        "evidence reason reasoning explanation rationale grader_quote justification note notes comment",
    ),
    ("tokens", "total_tokens tokens token_count tokens_total usage_total token_usage_total"),
    (
        "seconds",
        "seconds duration_seconds total_duration_seconds elapsed_seconds duration_s elapsed_s secs",
    ),
    ("milliseconds", "duration_ms elapsed_ms latency_ms time_ms wall_time_ms milliseconds ms"),
    ("dollars", "cost_usd total_cost_usd dollars usd cost"),
    ("error", "error error_message is_error"),
    ("output", "answer output response final_output final_answer completion"),
    ("model", "model model_id model_name engine"),
];

/// Names of two fields that are summed where no other has the tokens.
const BOTH_TOKENS: [&str; 2] =
    ["input_tokens prompt_tokens tokens_in", "output_tokens completion_tokens tokens_out"];

/// The first list of a file whose rows have a case and a verdict, and what these have.
pub(super) fn sample_of(path: &str, bytes: &[u8]) -> Option<(Option<ListPath>, Sample)> {
    lists_in(path, bytes).into_iter().find_map(|keys| {
        let list = if keys.is_empty() { None } else { FieldPath::new(keys).try_into().ok() };
        let mut sample = Sample::default();
        let steps = list.as_ref().map_or(&[][..], ListPath::steps);
        rows_of_file::read(path, bytes, steps, &Parts::default(), &mut sample);
        sample.mapping()?;
        Some((list, sample))
    })
}

/// The deepest list that is looked for, in keys.
const LIST_LEVELS: usize = 4;

/// The keys to every list of objects in a document or a row, the outermost first.
fn lists_in(path: &str, bytes: &[u8]) -> Vec<Vec<String>> {
    let mut lists = Lists::default();
    if path.to_lowercase().ends_with(".json") {
        let (text, _) = json::decode(bytes);
        if let Ok(parsed) = json::parse(&text) {
            find_lists(&parsed.root, &mut Vec::new(), &mut lists.0);
        }
    } else {
        rows_of_file::read(path, bytes, &[], &Parts::default(), &mut lists);
        lists.0.insert(0, Vec::new());
    }
    lists.0.sort_by_key(Vec::len);
    lists.0
}

/// The lists in the first row that has some.
#[derive(Default)]
struct Lists(Vec<Vec<String>>);

impl rows_of_file::RowSink for Lists {
    fn take_row(&mut self, row: &Row<'_>) {
        if self.0.is_empty() {
            find_lists(row.node(), &mut Vec::new(), &mut self.0);
        }
    }
}

fn find_lists(node: &Node<'_>, keys: &mut Vec<String>, lists: &mut Vec<Vec<String>>) {
    if let Some(items) = node.as_list() {
        if items.len() > 1 && items.iter().all(|item| item.as_object().is_some()) {
            lists.push(keys.clone());
        }
        // Items are alike: what the first has, the others have.
        if let Some(first) = items.first() {
            find_lists(first, keys, lists);
        }
        return;
    }
    if keys.len() == LIST_LEVELS {
        return;
    }
    for (key, value) in node.as_object().unwrap_or_default() {
        keys.push(key.to_string());
        find_lists(value, keys, lists);
        keys.pop();
    }
}

/// What the first rows of a file have.
#[derive(Default)]
pub(super) struct Sample {
    rows: usize,
    is_table: bool,
    fields: BTreeMap<FieldPath, Values>,
}

/// The values of one field.
#[derive(Default)]
struct Values {
    words: BTreeSet<String>,
    rows: usize,
    /// How many of the row's own values say passed or failed, by their form.
    verdicts: usize,
    scores: usize,
    has_part: bool,
    objects: usize,
}

impl Values {
    fn is_word(&self) -> bool {
        !self.words.is_empty()
    }

    fn is_several(&self) -> bool {
        self.words.len() > 1
    }
}

impl rows_of_file::RowSink for Sample {
    fn take_row(&mut self, row: &Row<'_>) {
        if self.rows == SAMPLE {
            return;
        }
        self.rows += 1;
        self.is_table = row.is_of_table;
        for field in row.fields() {
            let Some((node, owner)) = row.find(&field) else { continue };
            let values = self.fields.entry(field).or_default();
            values.rows += 1;
            values.objects += usize::from(node.as_object().is_some());
            if let Some(word) = fields::word(node) {
                values.words.insert(word);
            }
            if owner.is_some() {
                continue;
            }
            let items = node.as_list().unwrap_or_default();
            let is_list = !items.is_empty() && items.iter().all(|item| item.as_bool().is_some());
            values.verdicts += usize::from(is_list || fields::is_verdict(node));
            if let Some(score) = fields::number(node, row.is_of_table) {
                values.scores += usize::from((0.0..=1.0).contains(&score));
                values.has_part |= score > 0.0 && score < 1.0;
            }
        }
    }
}

impl Sample {
    pub(super) fn has_fields_of(&self, other: &Self) -> bool {
        self.fields.keys().eq(other.fields.keys())
    }

    /// Whether a case is in the rows of both files.
    pub(super) fn shares_cases(&self, other: &Self) -> bool {
        let case = self.mapping().and_then(|mapping| mapping.case);
        case.is_some_and(|field| {
            let [own, others] = [self, other].map(|sample| sample.fields.get(&field));
            own.zip(others).is_some_and(|(own, others)| !own.words.is_disjoint(&others.words))
        })
    }

    /// Adds the rows of another file.
    pub(super) fn add(&mut self, other: Self) {
        self.rows += other.rows;
        for (field, more) in other.fields {
            let values = self.fields.entry(field).or_default();
            values.words.extend(more.words);
            values.rows += more.rows;
            values.verdicts += more.verdicts;
            values.scores += more.scores;
            values.has_part |= more.has_part;
            values.objects += more.objects;
        }
    }

    /// The mapping that the names and values of the fields suggest, without its files and its list;
    /// `None` without a case or a verdict.
    pub(super) fn mapping(&self) -> Option<Rows> {
        let rows = self.rows;
        // A document of one object is no list of rows; a table of one row has a header.
        if rows == 0 || rows == 1 && !self.is_table {
            return None;
        }
        let mut names = UnusedFields { sample: self, used: Vec::new() };
        // A column of numbers is a score only under a name that says so.
        let passed = names
            .take("passed", |values| values.verdicts * 2 > rows)
            .or_else(|| names.take("passed", |values| values.scores * 2 > rows))?;
        let case = names.take("case", |values| values.rows == rows && values.is_word())?;
        let configuration =
            names.take("configuration", |values| (2..=SIDES).contains(&values.words.len()));
        let mut mapping = Rows {
            threshold: if self.fields[&passed].has_part { Some(0.5) } else { None },
            passed: vec![passed],
            case: Some(case),
            iteration: names.take("iteration", Values::is_several),
            run: names.take("run", Values::is_several),
            check: names.take("check", Values::is_several),
            evidence: names.take("evidence", Values::is_word),
            tokens: names.take("tokens", Values::is_word).into_iter().collect(),
            seconds: names.take("seconds", Values::is_word),
            ..Rows::default()
        };
        if mapping.seconds.is_none() {
            mapping.milliseconds = names.take("milliseconds", Values::is_word);
        }
        mapping.dollars = names.take("dollars", Values::is_word);
        mapping.error = names.take("error", |_| true);
        mapping.output = names.take("output", Values::is_word);
        mapping.model = names.take("model", Values::is_word);
        if mapping.tokens.is_empty() {
            let both = BOTH_TOKENS.map(|both| self.find(both, &names.used, |_| true).cloned());
            if let [Some(input), Some(output)] = both {
                mapping.tokens = vec![input, output];
            }
        }
        if let Some(field) = &configuration {
            mapping.sides = sides(&self.fields[field].words);
        }
        mapping.configuration = configuration;
        Some(mapping)
    }

    /// The field with the first of these names whose values are accepted.
    fn find(
        &self,
        names: &str,
        used: &[FieldPath],
        accepts: impl Fn(&Values) -> bool,
    ) -> Option<&FieldPath> {
        names.split_whitespace().find_map(|name| {
            let mut fields = self.fields.iter().filter(|(field, values)| {
                let keys = field.keys();
                let [last, two] = [1, 2].map(|count| {
                    // `task.id` is what `task_id` is.
                    let ends = &keys[keys.len().saturating_sub(count)..];
                    ends.iter().map(|key| folded_name(&snake(key))).collect::<Vec<_>>().join("_")
                });
                (last == name || two == name)
                    && values.objects == 0
                    && !used.contains(field)
                    && accepts(values)
            });
            Some(fields.next()?.0)
        })
    }
}

/// The fields of a sample, each of which says one thing.
struct UnusedFields<'s> {
    sample: &'s Sample,
    used: Vec<FieldPath>,
}

impl UnusedFields<'_> {
    /// The likeliest field for a key of the mapping whose values are accepted.
    fn take(&mut self, key: &str, accepts: impl Fn(&Values) -> bool) -> Option<FieldPath> {
        let (_, names) = NAMES.iter().find(|(known, _)| *known == key)?;
        let field = self.sample.find(names, &self.used, accepts)?.clone();
        self.used.push(field.clone());
        Some(field)
    }
}

/// `case_id` of `caseId`.
fn snake(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 2);
    let mut was_lower = false;
    for letter in key.chars() {
        if letter.is_uppercase() && was_lower {
            snake.push('_');
        }
        was_lower = letter.is_lowercase() || letter.is_numeric();
        snake.push(letter);
    }
    snake
}

/// The ordinary names of two sides, where one is plainly without the skill.
fn sides(words: &BTreeSet<String>) -> BTreeMap<String, String> {
    let roles: Vec<(&String, Option<&str>)> =
        words.iter().map(|word| (word, side_by_word(word))).collect();
    let [(first, Some(one)), (second, Some(other))] = roles[..] else { return BTreeMap::new() };
    if one == other || [first.as_str(), second.as_str()] == [one, other] {
        return BTreeMap::new();
    }
    [(first.clone(), one.to_owned()), (second.clone(), other.to_owned())].into()
}
