//! Where verdicts stand in a value, and in which form.
//!
//! A form is read where a person would read it one way only; every other is left to `lost`.

use crate::discover::names;
use crate::json::Node;
use crate::model::{Code, Outcome};
use crate::read::alias::{self, Field, counts, expectation, grading};
use crate::read::cursor::Cursor;
use crate::read::grading::Home;
use crate::read::rules;
use crate::read::verdict;
use crate::read::words::is_spelling;

/// The verdicts of one value, by the form they are written in.
pub(super) enum Verdicts<'c> {
    /// A list of items, or an object of verdicts by statement.
    Items(Cursor<'c>),
    /// An object whose keys are statements, among other fields.
    Statements(Cursor<'c>),
    /// One item that stands in no list.
    Single(Cursor<'c>),
    /// Texts that begin with their verdicts.
    Told(Cursor<'c>),
    /// A list of verdicts without statements.
    Bare(Cursor<'c>),
    /// Statements in one list, their verdicts in another.
    Parallel(Cursor<'c>, Cursor<'c>),
    /// Statements that passed, and those that failed.
    Sorted(Cursor<'c>, Cursor<'c>),
    /// Items with a verdict for each of several configurations.
    Crossed(Cursor<'c>),
}

impl<'c> Verdicts<'c> {
    /// The values that hold them.
    pub(super) fn parts(&self) -> Vec<&Cursor<'c>> {
        match self {
            Self::Items(one)
            | Self::Statements(one)
            | Self::Single(one)
            | Self::Told(one)
            | Self::Bare(one)
            | Self::Crossed(one) => vec![one],
            Self::Parallel(one, other) | Self::Sorted(one, other) => vec![one, other],
        }
    }
}

/// The verdicts at `cursor`: the value itself, or the first field that holds any.
pub(super) fn verdicts_at<'c>(cursor: &'c Cursor<'c>, home: Home<'_>) -> Option<Verdicts<'c>> {
    if is_verdict_list(cursor) {
        return Some(Verdicts::Items(*cursor));
    }
    let list = || {
        let found = cursor.get_where(&grading::ITEMS, is_verdict_list);
        found.or_else(|| cursor.get_where(&grading::RUNS, is_verdict_list))
    };
    let map = || {
        let field = if home.in_case { &grading::ITEMS } else { &grading::NAMED_ITEMS };
        let found = cursor.get_where(field, is_verdict_map);
        found.or_else(|| cursor.get_where(&grading::KEYED_ITEMS, |part| is_keyed(part, home)))
    };
    list()
        .or_else(map)
        .map(Verdicts::Items)
        .or_else(|| crossed(cursor))
        .or_else(|| parallel(cursor))
        .or_else(|| cursor.get_where(&grading::ITEMS, is_told).map(Verdicts::Told))
        .or_else(|| bare(cursor))
        .or_else(|| cursor.get_where(&grading::ITEMS, is_single).map(Verdicts::Single))
        .or_else(|| sorted(cursor))
        .or_else(|| {
            let is_map = home.in_case && cursor.is_root() && is_of_statements(cursor);
            is_map.then_some(Verdicts::Statements(*cursor))
        })
}

/// Whether the value is a list with a verdict in it, also in a list within. A list of cases with
/// verdicts of their own is none.
pub(super) fn is_verdict_list(cursor: &Cursor<'_>) -> bool {
    cursor.items().any(|item| is_item(&item) || is_verdict_list(&item))
        && !cursor.items().any(|item| holds_own(&item))
}

/// Whether an entry's value is a group of gradings: verdicts somewhere below.
pub(super) fn is_group(part: &Cursor<'_>, depth: usize, home: Home<'_>) -> bool {
    verdicts_at(part, home).is_some()
        || depth > 0
            && (part.items().any(|item| item.is_object() && is_group(&item, depth - 1, home))
                || part.entries().any(|(_, inner)| is_group(&inner, depth - 1, home)))
}

/// Whether the value is one graded expectation: it has a verdict or a score, and no list of its
/// own verdicts.
pub(super) fn is_item(item: &Cursor<'_>) -> bool {
    item.is_object()
        && has_verdict(item)
        && !holds_own(item)
        && item.get_where(&grading::ITEMS, is_verdict_list).is_none()
}

/// Whether the value is a case with an overall verdict that says nothing of what was checked, and a
/// list of verdicts that do. Verdicts without statements, as of several judges, are about the value.
pub(super) fn holds_own(item: &Cursor<'_>) -> bool {
    const PROSE: &[&Field] = &[&expectation::EVIDENCE, &grading::CLAIMS, &grading::NOTES];
    let is_prose = |key: &str| PROSE.iter().any(|field| field.is(key));
    let is_own = |list: &Cursor<'_>| list.items().any(|own| is_stated(&own) && has_verdict(&own));
    let mut lists = item.entries().filter(|(key, part)| part.is_list() && !is_prose(key));
    has_verdict(item) && !is_stated(item) && lists.any(|(_, list)| is_own(&list))
}

fn has_verdict(item: &Cursor<'_>) -> bool {
    if item.get_where(&expectation::VERDICT, verdict::is_verdict).is_some() {
        let is_count = item.plain_number(&counts::TOTAL).is_some();
        return !is_count;
    }
    item.get(&expectation::TEXT).is_some()
        && (rules::has_score(item) || item.get_where(&expectation::VERDICT, is_nested).is_some())
}

/// Whether the value is an object that holds the verdict: `"result": {"passed": true}`.
pub(super) fn is_nested(found: &Cursor<'_>) -> bool {
    let is_word = |inner: &Cursor<'_>| {
        matches!(inner.node(), Node::Bool(_) | Node::Text(_)) && verdict::is_verdict(inner)
    };
    found.is_object() && found.get_where(&expectation::VERDICT, is_word).is_some()
}

/// Whether the item says under a field of its own what was checked.
pub(super) fn is_stated(item: &Cursor<'_>) -> bool {
    const STATEMENTS: &[&str] =
        &["text", "expectation", "assertion", "criterion", "statement", "check", "requirement"];
    STATEMENTS.iter().any(|key| item.key(key).is_some())
}

/// Whether the value is one whole item.
pub(super) fn is_single(cursor: &Cursor<'_>) -> bool {
    is_stated(cursor) && is_item(cursor)
}

/// Whether the value is an object of verdicts by statement. One clear verdict is enough where no
/// other key could be the field of an item.
fn is_verdict_map(cursor: &Cursor<'_>) -> bool {
    const STATES: &[&str] = &["passed", "pass", "failed", "verdict", "result", "outcome", "status"];
    let are = |is: fn(&Cursor<'_>) -> bool| cursor.entries().all(|(_, item)| is(&item));
    let has = |is: fn(&str) -> bool| cursor.entries().any(|(key, _)| is(key));
    let is_clear = cursor.entries().any(|(_, item)| is_clear(&item));
    if cursor.entries().next().is_none() || has(names_configuration) {
        return false;
    }
    if are(is_flag_number) {
        return !has(is_of_counts);
    }
    let is_state = |key: &str| STATES.iter().any(|state| is_spelling(key, state));
    is_clear && !has(is_state) && (are(is_clear_or_none) || !has(is_of_item))
}

/// Whether the value is an object of items by key, or of verdicts by sentence. Its own name says
/// less than that of a list: its keys may be cases outside a case's folder, and fields of one item.
fn is_keyed(cursor: &Cursor<'_>, home: Home<'_>) -> bool {
    let is_own = |item: &Cursor<'_>| is_item(item) && (home.in_case || is_stated(item));
    let mut entries = cursor.entries();
    is_verdict_map(cursor) && entries.all(|(key, item)| is_own(&item) || is_sentence(key))
}

/// Whether the value can only be a verdict.
fn is_clear(item: &Cursor<'_>) -> bool {
    match item.node() {
        Node::Bool(_) => true,
        Node::Text(text) => verdict::of_word(text).is_some_and(|found| found != Outcome::Ungraded),
        _ => item.is_object() && has_verdict(item),
    }
}

fn is_clear_or_none(item: &Cursor<'_>) -> bool {
    let is_none = match item.node() {
        Node::Text(text) => verdict::of_word(text) == Some(Outcome::Ungraded),
        _ => item.is_null(),
    };
    is_none || is_clear(item)
}

fn is_flag_number(item: &Cursor<'_>) -> bool {
    matches!(item.node().as_f64(), Some(0.0 | 1.0))
}

fn is_of_counts(key: &str) -> bool {
    let fields = [&counts::PASSED, &counts::FAILED, &counts::TOTAL, &counts::PASS_RATE];
    fields.iter().any(|field| field.is(key)) || is_of_item(key)
}

fn is_of_item(key: &str) -> bool {
    let fields =
        [&expectation::TEXT, &expectation::SCORE, &expectation::REQUIRED, &expectation::ID];
    fields.iter().any(|field| field.is(key))
}

/// Whether the key is a configuration's name beyond doubt; `no_emoji` may be a statement.
fn names_configuration(key: &str) -> bool {
    names::split_configuration_suffix(&format!("case-{key}")).is_some()
}

/// Whether the keys that are no fields are statements with verdicts. Sentences only: what
/// `"complete": true` is about, nobody can tell.
fn is_of_statements(cursor: &Cursor<'_>) -> bool {
    let is_clear = |(key, item): (&str, Cursor<'_>)| is_sentence(key) && is_clear(&item);
    cursor.entries().any(is_clear)
        && cursor.entries().all(|(key, _)| is_sentence(key) || is_known(key))
}

/// Whether a key of such an object is a statement.
pub(super) fn is_sentence(key: &str) -> bool {
    (key.contains(char::is_whitespace) || !key.is_ascii()) && !is_known(key)
}

/// Whether the key is that of any field that is read.
fn is_known(key: &str) -> bool {
    alias::TABLE.iter().any(|(_, fields)| fields.iter().any(|field| field.is(key)))
}

/// Whether every item of the list is a text that begins with its verdict.
fn is_told(list: &Cursor<'_>) -> bool {
    let is_told = |item: Cursor<'_>| item.node().as_text().is_some_and(verdict::is_told);
    is_filled_list(list) && list.items().all(is_told)
}

/// A list of `true` and `false`, where no list of statements stands beside it: that it has another
/// length leaves open what is about what.
fn bare<'c>(cursor: &'c Cursor<'c>) -> Option<Verdicts<'c>> {
    let is_text = |list: &Cursor<'_>| {
        is_filled_list(list) && list.items().all(|item| item.node().as_text().is_some())
    };
    let is_bare = |list: &Cursor<'_>| {
        is_filled_list(list) && list.items().all(|item| matches!(item.node(), Node::Bool(_)))
    };
    let list = cursor.get_where(&grading::ITEMS, is_bare)?;
    cursor.get_where(&grading::ITEMS, is_text).is_none().then_some(Verdicts::Bare(list))
}

fn is_filled_list(list: &Cursor<'_>) -> bool {
    list.items().next().is_some()
}

/// Statements in one list and as many verdicts in another.
fn parallel<'c>(cursor: &'c Cursor<'c>) -> Option<Verdicts<'c>> {
    let is_statement = |item: Cursor<'_>| match item.node() {
        Node::Text(text) => verdict::of_word(text).is_none(),
        _ => false,
    };
    let are_statements = |list: &Cursor<'_>| is_filled_list(list) && list.items().all(is_statement);
    let statements = cursor.get_where(&grading::ITEMS, are_statements)?;
    let as_many = |list: &Cursor<'_>| {
        list.items().count() == statements.items().count()
            && list.items().all(|item| !item.is_object() && is_clear_or_none(&item))
    };
    let verdicts = cursor.get_where(&grading::ITEMS, as_many);
    let verdicts = verdicts.or_else(|| cursor.get_where(&expectation::VERDICT, as_many))?;
    Some(Verdicts::Parallel(statements, verdicts))
}

/// Two lists of statements, by their verdict. One alone may have lost the other.
fn sorted<'c>(cursor: &'c Cursor<'c>) -> Option<Verdicts<'c>> {
    let is_statement = |item: Cursor<'_>| {
        item.node().as_text().is_some() || item.is_object() && item.has(&expectation::TEXT)
    };
    let are_statements = |list: &Cursor<'_>| list.is_list() && list.items().all(is_statement);
    let passed = cursor.get_where(&grading::PASSED_ITEMS, are_statements)?;
    let failed = cursor.get_where(&grading::FAILED_ITEMS, are_statements)?;
    let is_filled = is_filled_list(&passed) || is_filled_list(&failed);
    is_filled.then_some(Verdicts::Sorted(passed, failed))
}

/// A list of items that each have a verdict for several configurations.
fn crossed<'c>(cursor: &'c Cursor<'c>) -> Option<Verdicts<'c>> {
    let is_crossed = |list: &Cursor<'_>| list.items().any(|item| columns_of(&item).len() > 1);
    let list = if is_crossed(cursor) {
        Some(*cursor)
    } else {
        cursor.get_where(&grading::ITEMS, is_crossed)
    };
    list.map(Verdicts::Crossed)
}

/// The configurations that an item has a verdict for, where one is named beyond doubt.
fn columns_of(item: &Cursor<'_>) -> Vec<String> {
    if !item.has(&expectation::TEXT) {
        return Vec::new();
    }
    let is_column =
        |key: &str, cell: &Cursor<'_>| names::is_configuration(key) && is_clear_or_none(cell);
    let columns = item.entries().filter(|(key, cell)| is_column(key, cell));
    let columns: Vec<String> = columns.map(|(key, _)| key.to_owned()).collect();
    if columns.iter().any(|name| names_configuration(name)) { columns } else { Vec::new() }
}

/// The configurations of such a list that are read: all, or only that of the folder it lies in.
pub(super) fn columns_read(list: &Cursor<'_>, home: Home<'_>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for column in list.items().flat_map(|item| columns_of(&item)) {
        if !all.contains(&column) {
            all.push(column);
        }
    }
    let Some(own) = home.configuration.map(names::fold) else {
        return all;
    };
    let (read, others): (Vec<String>, Vec<String>) =
        all.into_iter().partition(|column| names::fold(column) == own);
    if let Some(other) = others.first() {
        let message = format!("the list has verdicts on `{other}` too");
        let assumed = "only those on the configuration of the folder were read";
        let help = "put a grading into the folder of each configuration";
        list.problem(Code::SecondList, message, assumed, help);
    }
    read
}
