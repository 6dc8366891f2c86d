//! Reads version histories of three shapes, regression gates, and the rounds of trigger loops:
//! whether the skill triggered where it ought to, query by query.

use crate::discover::names;
use crate::model::{Code, Gates, History, Split, TriggerQuery, TriggerRound, Version};
use crate::read::alias::{Field, gates, history, labels, triggers};
use crate::read::cursor::Cursor;
use crate::text::{folded_name, is_listed};

/// Reads versions of the skill, or rounds of a trigger loop; `None` when there are neither.
pub(super) fn read(root: &Cursor<'_>) -> Option<(Option<History>, Vec<TriggerRound>)> {
    let list = root.list(&history::VERSIONS)?;
    let has_results =
        |item: &Cursor<'_>| item.get_where(&triggers::RESULTS, Cursor::is_list).is_some();
    let says = [&history::AVERAGE_SCORE, &history::RESULT, &history::PARENT, &history::IS_BEST];
    let is_version = |item: &Cursor<'_>| {
        let says_so = item.key("version").is_some() || says.iter().any(|field| item.has(field));
        says_so && !has_results(item)
    };
    let is_loop = match root.is_list() {
        true => !list.items().any(|item| is_version(&item)),
        false => list.items().any(|item| has_results(&item)),
    };
    if is_loop {
        let rounds = read_rounds(root);
        return (!rounds.is_empty()).then_some((None, rounds));
    }
    let by_round = list.items().any(|item| is_by_round(&item));
    let current = root.label(&history::CURRENT);
    let versions = History {
        path: root.path(),
        skill: root.label(&labels::SKILL),
        started_at: root.label(&history::STARTED_AT),
        current: current.map(|name| name_of(&name, by_round)),
        versions: list.items().map(|item| version(&item)).collect(),
    };
    Some((Some(versions), Vec::new()))
}

fn is_by_round(item: &Cursor<'_>) -> bool {
    item.key("version").is_none() && item.key("iteration").is_some()
}

/// A bare number is the version, or the iteration, of that number.
fn name_of(text: &str, by_round: bool) -> String {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let kind = if by_round { "iteration-" } else { "v" };
    if is_number { format!("{kind}{text}") } else { text.to_owned() }
}

fn version(item: &Cursor<'_>) -> Version {
    let by_round = is_by_round(item);
    let name = item.label(&history::VERSION).unwrap_or_default();
    let score = item.get_where(&history::AVERAGE_SCORE, |found| found.node().as_f64().is_some());
    Version {
        name: name_of(&name, by_round),
        parent: item.label(&history::PARENT).map(|parent| name_of(&parent, by_round)),
        timestamp: item.label(&history::TIMESTAMP),
        description: item.words(&history::DESCRIPTION),
        git_hash: item.label(&history::GIT_HASH),
        path: item.label(&history::PATH),
        average_score: score.and_then(|found| found.node().as_f64()),
        score_place: score.map(|found| found.place()),
        pass_rate: item.rate(&history::PASS_RATE),
        precision: item.rate(&history::PRECISION),
        recall: item.rate(&history::RECALL),
        result: item.label(&history::RESULT),
        is_best: item.flag(&history::IS_BEST).unwrap_or(false),
        notes: item.words(&history::NOTES),
    }
}

/// Reads regression gates; `None` where something is set and none of it is known. What is not set has
/// the default of the script that such files are for, in an empty object everything.
pub(super) fn read_gates(root: &Cursor<'_>) -> Option<Gates> {
    let known =
        [&gates::MIN_PASS_RATE_DELTA, &gates::MAX_TIME, &gates::MAX_TOKENS, &gates::NON_NEGATIVE];
    let is_empty = root.is_object() && root.entries().next().is_none();
    (is_empty || known.iter().any(|field| root.has(field))).then(|| Gates {
        path: root.path(),
        min_pass_rate_delta: root.number(&gates::MIN_PASS_RATE_DELTA),
        max_time_increase_s: root.number(&gates::MAX_TIME),
        max_token_increase: root.number(&gates::MAX_TOKENS),
        require_non_negative_pass_rate: root.flag(&gates::NON_NEGATIVE),
        is_damaged: false,
    })
}

/// The rounds: a list of them, an object with one, with a list of them, or with one for each name.
pub(super) fn read_rounds(root: &Cursor<'_>) -> Vec<TriggerRound> {
    if root.is_list() {
        let asks = root.items().any(|item| item.label(&triggers::QUERY).is_some());
        if asks || holds_queries(root) {
            return of_queries(root).into_iter().collect();
        }
        return root.items().filter_map(|item| round(&item)).collect();
    }
    let earlier = root.get_where(&history::VERSIONS, Cursor::is_list);
    let mut found: Vec<TriggerRound> =
        earlier.iter().flat_map(|list| list.items()).filter_map(|item| round(&item)).collect();
    let is_round = earlier.is_none() || root.get_where(&triggers::RESULTS, holds_queries).is_some();
    let own = is_round.then(|| round(root)).flatten();
    if found.is_empty() && own.as_ref().is_none_or(|own| own.queries.is_empty()) {
        return joined_with_names(own, by_name(root));
    }
    found.extend(own);
    found
}

/// The rounds of a document whose own round has no query: its own where that counts something or is
/// alone, and those under names; where these are the parts of one set of queries, one of all.
fn joined_with_names(own: Option<TriggerRound>, named: Vec<TriggerRound>) -> Vec<TriggerRound> {
    let own = own.filter(|own| named.is_empty() || own.passed.is_some());
    if are_of_one_set(&named) {
        return vec![joined(own, named)];
    }
    // Counts alone below counts of the whole are of parts of it.
    let are_parts = own.is_some() && named.iter().all(|named| named.queries.is_empty());
    own.into_iter().chain(named.into_iter().filter(|_| !are_parts)).collect()
}

/// Whether the rounds are the parts that one set of queries was split into, one of them tuned for.
fn are_of_one_set(named: &[TriggerRound]) -> bool {
    let is_part = |round: &TriggerRound| round.split().is_some() && !round.queries.is_empty();
    let is_tuned = |round: &TriggerRound| round.split() == Some(Split::Tuned);
    named.iter().all(is_part) && named.iter().filter(|named| is_tuned(named)).count() == 1
}

/// One round of its parts: with the figures of the whole, else those of the part tuned for.
fn joined(own: Option<TriggerRound>, parts: Vec<TriggerRound>) -> TriggerRound {
    let tuned = parts.iter().find(|part| part.split() == Some(Split::Tuned)).cloned();
    let whole = own.or(tuned.map(|tuned| TriggerRound { name: None, ..tuned })).unwrap_or_default();
    let queries = parts.into_iter().flat_map(|part| {
        let held_out = part.split() == Some(Split::HeldOut);
        let mark = move |query: TriggerQuery| TriggerQuery {
            held_out: held_out || query.held_out,
            ..query
        };
        part.queries.into_iter().map(mark)
    });
    TriggerRound { queries: queries.collect(), ..whole }
}

pub(super) fn problem_without_rounds(root: &Cursor<'_>) {
    let message = "no query with what was wanted of it or with its verdict was found";
    let help = "write `results`, each with `query`, `should_trigger` and `pass`";
    root.problem(Code::UnknownShape, message, "nothing was read from it", help);
}

/// Rounds by the name of what was tried: `{"baseline": {"rows": […]}, "candidate": […]}`. Counts
/// alone are a round only where one of them has queries or the name of something that is tried.
fn by_name(root: &Cursor<'_>) -> Vec<TriggerRound> {
    let parts = root.entries().filter(|(name, _)| !triggers::SUMMARY.is(name));
    let parts = parts.filter_map(|(name, part)| {
        let found = if holds_queries(&part) { of_queries(&part) } else { round(&part) }?;
        let counts = found.passed.is_some() && !is_about_rounds(name);
        let is_round = counts || !found.queries.is_empty();
        is_round.then(|| TriggerRound { name: Some(name.to_owned()), ..found })
    });
    let parts: Vec<TriggerRound> = parts.collect();
    let are_rounds = parts.iter().any(|part| !part.queries.is_empty() || is_tried(part));
    if are_rounds { parts } else { Vec::new() }
}

/// Whether the name is that of a configuration, a model, a version or a part of the queries.
fn is_tried(found: &TriggerRound) -> bool {
    let is_number =
        |text: &str| names::version_number(text).or(names::round_number(text)).is_some();
    let is_known = |text: &str| names::is_configuration(text) || names::is_model(text);
    let is_known = |name: &str| is_known(name) || names::is_iteration(name) || is_number(name);
    found.split().is_some() || found.name.as_deref().is_some_and(is_known)
}

/// Whether a name is that of sums or settings, whose counts are of no round of their own.
fn is_about_rounds(name: &str) -> bool {
    const WORDS: &str = "overall total totals sum summary aggregate combined metadata meta \
        threshold thresholds limit limits target targets config setting settings options \
        parameters stats statistics metrics";
    folded_name(name).split('_').any(|word| is_listed(WORDS, word))
}

/// A list of queries: with their results, or the set that a loop starts from.
fn of_queries(list: &Cursor<'_>) -> Option<TriggerRound> {
    let queries = queries(list, None, false);
    let path = list.path();
    let found = TriggerRound { path, queries, ..TriggerRound::default() };
    (!found.queries.is_empty()).then(|| counted(found))
}

fn round(item: &Cursor<'_>) -> Option<TriggerRound> {
    let all = |field, should, held_out: bool| -> Vec<TriggerQuery> {
        let list = item.get_where(field, Cursor::is_list);
        list.map(|list| queries(&list, should, held_out)).unwrap_or_default()
    };
    let rows = || item.get_where(&triggers::ROWS, holds_queries);
    let rows = item.get_where(&triggers::RESULTS, holds_queries).or_else(rows);
    let mut found = match rows {
        Some(rows) => queries(&rows, None, false),
        None => all(&triggers::RESULTS, None, false),
    };
    found.extend(all(&triggers::HELD_OUT, None, true));
    found.extend(all(&triggers::WANTED, Some(true), false));
    found.extend(all(&triggers::UNWANTED, Some(false), false));
    let sum = item.object(&triggers::SUMMARY);
    let figures = sum.as_ref().unwrap_or(item);
    let found = TriggerRound {
        path: item.path(),
        name: None,
        number: item.plain_number(&triggers::NUMBER),
        description: description(item),
        passed: figures.plain_number(&triggers::COUNT),
        total: figures.plain_number(&triggers::TOTAL),
        precision: figures.rate(&history::PRECISION),
        recall: figures.rate(&history::RECALL),
        queries: found,
    };
    (!found.queries.is_empty() || found.total.is_some()).then(|| counted(found))
}

/// The description tried, or what was changed in it. A summary is one as text or as a list of texts
/// alone: it may be of figures instead.
fn description(item: &Cursor<'_>) -> Option<String> {
    let is_text = |cursor: &Cursor<'_>| cursor.node().as_text().is_some();
    let are_texts =
        |cursor: &Cursor<'_>| cursor.is_list() && cursor.items().all(|item| is_text(&item));
    let is_changed = |cursor: &Cursor<'_>| !triggers::SUMMARY.is(&cursor.name());
    let is_said = |found: &Cursor<'_>| {
        found.is_filled() && (is_text(found) || are_texts(found) || is_changed(found))
    };
    Some(item.get_where(&triggers::DESCRIPTION, is_said)?.as_words()?.trim().to_owned())
}

/// The round with the queries right counted, where that is not recorded and each has its verdict.
fn counted(found: TriggerRound) -> TriggerRound {
    let tuned = || found.queries.iter().filter(|query| !query.held_out);
    let is_judged = tuned().next().is_some() && tuned().all(|query| query.passed.is_some());
    if found.passed.is_some() || found.total.is_some() || !is_judged {
        return found;
    }
    let passed = tuned().filter(|query| query.passed == Some(true)).count();
    let total = tuned().count();
    TriggerRound { passed: Some(passed as f64), total: Some(total as f64), ..found }
}

fn queries(list: &Cursor<'_>, should: Option<bool>, held_out: bool) -> Vec<TriggerQuery> {
    list.items().filter_map(|item| query(&item, should, held_out)).collect()
}

/// Whether the value is a list with a query that can be read.
fn holds_queries(list: &Cursor<'_>) -> bool {
    list.items().any(|item| text_of(&item).is_some() && says_result(&item))
}

/// Whether a query names the skill that is wanted for it: it asks for a route, not for a trigger.
fn names_skill(item: &Cursor<'_>) -> bool {
    text_of(item).is_some() && item.label(&triggers::SHOULD_TRIGGER).is_some()
}

fn says_result(item: &Cursor<'_>) -> bool {
    let has = |field| flag(item, field).is_some();
    has(&triggers::SHOULD_TRIGGER) || has(&triggers::PASSED) || flags(item).is_some()
}

/// The words of a query, else its id.
fn text_of(item: &Cursor<'_>) -> Option<String> {
    item.words(&triggers::QUERY).or_else(|| item.label(&triggers::ID))
}

/// A field that is a flag; other skills may stand where it is the name of the one wanted.
fn flag(item: &Cursor<'_>, field: &Field) -> Option<bool> {
    item.all(field).find_map(|found| found.as_flag())
}

/// A flag for each time the query was tried: `{"run_1": true}`.
fn flags(item: &Cursor<'_>) -> Option<Vec<bool>> {
    let found = item.get_where(&triggers::PASS_FLAGS, Cursor::is_filled)?;
    let all = found.entries().map(|(_, value)| value).chain(found.items());
    all.map(|value| value.as_flag()).collect()
}

/// One query; `should` is what its list says of all in it.
fn query(item: &Cursor<'_>, should: Option<bool>, held_out: bool) -> Option<TriggerQuery> {
    let bare = item.node().as_text().filter(|_| should.is_some()).map(str::to_owned);
    let should = flag(item, &triggers::SHOULD_TRIGGER).or(should);
    let is_said = should.is_some() || says_result(item) || names_skill(item);
    let Some(query) = bare.or_else(|| text_of(item)).filter(|_| is_said) else {
        let message = "the query does not say whether the skill should trigger";
        let help = "write `query` and `should_trigger`, true or false";
        item.problem(Code::WrongType, message, "left out", help);
        return None;
    };
    let (once, each) = (flag(item, &triggers::TRIGGERED), flags(item));
    let triggers = item.plain_number(&triggers::TRIGGERS);
    let runs = item.plain_number(&triggers::RUNS);
    let is_once = triggers.is_none() && runs.is_none_or(|runs| runs == 1.0);
    let once = once.filter(|_| is_once);
    let split = item.label(&triggers::SPLIT).and_then(|part| Split::new(&part));
    Some(TriggerQuery {
        query,
        should_trigger: should,
        triggers: triggers.or(once.map(|did| f64::from(u8::from(did)))),
        runs: runs.or(once.map(|_| 1.0)).or(each.as_ref().map(|each| each.len() as f64)),
        passed: passed(item, each.as_deref()).or_else(|| Some(should? == once?)),
        held_out: held_out || split == Some(Split::HeldOut),
    })
}

/// The recorded verdict; of several times only where all say the same.
fn passed(item: &Cursor<'_>, each: Option<&[bool]>) -> Option<bool> {
    let stated = flag(item, &triggers::PASSED);
    stated.or_else(|| {
        let (first, rest) = each?.split_first()?;
        rest.iter().all(|one| one == first).then_some(*first)
    })
}
