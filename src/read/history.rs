//! Reads version histories of three shapes, regression gates, and the rounds of trigger loops:
//! whether the skill triggered as it should, query by query.

use crate::discover::names;
use crate::model::{Code, Gates, History, Split, TriggerQuery, TriggerRound, Version};
use crate::read::alias::{Field, gates, history, labels, triggers};
use crate::read::cursor::Cursor;
use crate::text::{folded_name, is_listed};

/// Reads versions of the skill, or rounds of a trigger loop; `None` if there are neither.
pub(super) fn read(root: Cursor<'_>) -> Option<(Option<History>, Vec<TriggerRound>)> {
    let list = root.list(&history::VERSIONS)?;
    let has_results =
        |item: Cursor<'_>| item.get_where(&triggers::RESULTS, Cursor::is_list).is_some();
    let fields = [&history::AVERAGE_SCORE, &history::RESULT, &history::PARENT, &history::IS_BEST];
    let is_version = |item: Cursor<'_>| {
        let is_one = item.key("version").is_some() || fields.iter().any(|field| item.has(field));
        is_one && !has_results(item)
    };
    let is_loop = match root.is_list() {
        true => !list.items().any(is_version),
        false => list.items().any(has_results),
    };
    if is_loop {
        let rounds = read_rounds(root);
        return (!rounds.is_empty()).then_some((None, rounds));
    }
    let by_round = list.items().any(is_by_round);
    let current = root.label(&history::CURRENT);
    let versions = History {
        path: root.path(),
        skill: root.label(&labels::SKILL),
        started_at: root.label(&history::STARTED_AT),
        current: current.map(|name| name_of(&name, by_round)),
        versions: list.items().map(version).collect(),
    };
    Some((Some(versions), Vec::new()))
}

fn is_by_round(item: Cursor<'_>) -> bool {
    item.key("version").is_none() && item.key("iteration").is_some()
}

/// A bare number is a version or an iteration.
fn name_of(text: &str, by_round: bool) -> String {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let kind = if by_round { "iteration-" } else { "v" };
    if is_number { format!("{kind}{text}") } else { text.to_owned() }
}

fn version(item: Cursor<'_>) -> Version {
    let by_round = is_by_round(item);
    let name = item.label(&history::VERSION).unwrap_or_default();
    let score = item.get_where(&history::AVERAGE_SCORE, |value| value.node().as_f64().is_some());
    Version {
        name: name_of(&name, by_round),
        parent: item.label(&history::PARENT).map(|parent| name_of(&parent, by_round)),
        timestamp: item.label(&history::TIMESTAMP),
        description: item.words(&history::DESCRIPTION),
        git_hash: item.label(&history::GIT_HASH),
        path: item.label(&history::PATH),
        average_score: score.and_then(|value| value.node().as_f64()),
        score_place: score.map(|value| value.place()),
        pass_rate: item.rate(&history::PASS_RATE),
        precision: item.rate(&history::PRECISION),
        recall: item.rate(&history::RECALL),
        result: item.label(&history::RESULT),
        is_best: item.flag(&history::IS_BEST).unwrap_or(false),
        notes: item.words(&history::NOTES),
    }
}

/// Reads regression gates; `None` if something is set and none of it is known. Missing rules have
/// the default of the script that such files are for, even in an empty object.
pub(super) fn read_gates(root: Cursor<'_>) -> Option<Gates> {
    let fields =
        [&gates::MIN_PASS_RATE_DELTA, &gates::MAX_TIME, &gates::MAX_TOKENS, &gates::NON_NEGATIVE];
    let is_empty = root.is_object() && root.entries().next().is_none();
    (is_empty || fields.iter().any(|field| root.has(field))).then(|| Gates {
        path: root.path(),
        min_pass_rate_delta: root.number(&gates::MIN_PASS_RATE_DELTA),
        max_time_increase_s: root.number(&gates::MAX_TIME),
        max_token_increase: root.number(&gates::MAX_TOKENS),
        require_non_negative_pass_rate: root.flag(&gates::NON_NEGATIVE),
        is_damaged: false,
    })
}

/// The rounds: a list of them, an object with one, with a list of them, or with one for each name.
pub(super) fn read_rounds(root: Cursor<'_>) -> Vec<TriggerRound> {
    if root.is_list() {
        let asks = root.items().any(|item| item.label(&triggers::QUERY).is_some());
        if asks || holds_queries(root) {
            return query_round(root).into_iter().collect();
        }
        return root.items().filter_map(round).collect();
    }
    let earlier = root.get_where(&history::VERSIONS, Cursor::is_list);
    let rounds = earlier.into_iter().flat_map(Cursor::items);
    let mut listed: Vec<TriggerRound> = rounds.filter_map(round).collect();
    let is_round = earlier.is_none() || root.get_where(&triggers::RESULTS, holds_queries).is_some();
    let document_round = is_round.then(|| round(root)).flatten();
    if !listed.is_empty() || document_round.as_ref().is_some_and(|round| !round.queries.is_empty())
    {
        listed.extend(document_round);
        return listed;
    }
    // A round without queries counts if it has counts or is alone.
    let named = by_name(root);
    let document_round = document_round.filter(|round| named.is_empty() || round.passed.is_some());
    // They may be the parts that one set of queries was split into, one of them for tuning: then
    // they are one round, with the figures of the whole, else those of that part.
    let are_of_one_set =
        named.iter().all(|part| part.split().is_some() && !part.queries.is_empty());
    let tuned: Vec<_> =
        named.iter().filter(|part| part.split() == Some(Split::Tuned)).cloned().collect();
    if let (true, [tuned]) = (are_of_one_set, &tuned[..]) {
        let queries = named.into_iter().flat_map(|part| {
            let is_kept_back = part.split() == Some(Split::HeldOut);
            part.queries.into_iter().map(move |query| {
                let held_out = is_kept_back || query.held_out;
                TriggerQuery { held_out, ..query }
            })
        });
        let queries = queries.collect();
        let whole = document_round.unwrap_or_else(|| TriggerRound { name: None, ..tuned.clone() });
        return vec![TriggerRound { queries, ..whole }];
    }
    // Bare counts below total counts belong to parts.
    let are_parts = document_round.is_some() && named.iter().all(|named| named.queries.is_empty());
    document_round.into_iter().chain(named.into_iter().filter(|_| !are_parts)).collect()
}

pub(super) fn problem_without_rounds(root: Cursor<'_>) {
    let message = "no query with an expected result or a verdict was found";
    let help = "write `results`, each with `query`, `should_trigger` and `pass`";
    root.problem(Code::UnknownShape, message, "nothing was read from it", help);
}

/// Rounds by name: `{"baseline": {"rows": […]}, "candidate": […]}`. Bare counts are a round only if
/// one of them has queries or the name of a variant. Never under the name of sums or settings.
fn by_name(root: Cursor<'_>) -> Vec<TriggerRound> {
    const SUMS: &str = "overall total totals sum summary aggregate combined metadata meta \
        threshold thresholds limit limits target targets config setting settings options \
        parameters stats statistics metrics";
    let is_sum = |name: &str| folded_name(name).split('_').any(|word| is_listed(SUMS, word));
    let is_tried = |name: &str| {
        names::is_configuration(name)
            || names::is_model(name)
            || names::is_iteration(name)
            || names::version_number(name).or(names::round_number(name)).is_some()
            || Split::new(name).is_some()
    };
    let mut are_rounds = false;
    let parts = root.entries().filter(|(name, _)| !triggers::SUMMARY.is(name));
    let parts = parts.filter_map(|(name, part)| {
        let named_round = if holds_queries(part) { query_round(part) } else { round(part) }?;
        let has_queries = !named_round.queries.is_empty();
        let is_round = has_queries || named_round.passed.is_some() && !is_sum(name);
        are_rounds |= is_round && (has_queries || is_tried(name));
        is_round.then(|| TriggerRound { name: Some(name.to_owned()), ..named_round })
    });
    let parts: Vec<TriggerRound> = parts.collect();
    if are_rounds { parts } else { Vec::new() }
}

/// A list of queries: with their results, or the set that a loop starts from.
fn query_round(list: Cursor<'_>) -> Option<TriggerRound> {
    let queries = queries(list);
    let is_empty = queries.is_empty();
    let found = TriggerRound { path: list.path(), queries, ..TriggerRound::default() };
    (!is_empty).then(|| counted(found))
}

fn round(item: Cursor<'_>) -> Option<TriggerRound> {
    let rows = || item.get_where(&triggers::ROWS, holds_queries);
    let rows = item.get_where(&triggers::RESULTS, holds_queries).or_else(rows);
    let rows = rows.or_else(|| item.get_where(&triggers::RESULTS, Cursor::is_list));
    let mut own_queries = rows.map(queries).unwrap_or_default();
    let others = [
        (&triggers::HELD_OUT, None, true),
        (&triggers::WANTED, Some(true), false),
        (&triggers::UNWANTED, Some(false), false),
    ];
    for (field, should, held_out) in others {
        own_queries.extend(item.items_of(field).filter_map(|item| query(item, should, held_out)));
    }
    let figures = item.object(&triggers::SUMMARY).unwrap_or(item);
    let round = TriggerRound {
        path: item.path(),
        name: None,
        number: item.plain_number(&triggers::NUMBER),
        description: description(item),
        passed: figures.plain_number(&triggers::COUNT),
        total: figures.plain_number(&triggers::TOTAL),
        precision: figures.rate(&history::PRECISION),
        recall: figures.rate(&history::RECALL),
        queries: own_queries,
    };
    (!round.queries.is_empty() || round.total.is_some()).then(|| counted(round))
}

/// The description tried, or the change to it. A summary counts only as a text or a list of texts:
/// otherwise it may hold figures.
fn description(item: Cursor<'_>) -> Option<String> {
    let is_text = |cursor: Cursor<'_>| cursor.node().as_text().is_some();
    let is_one = |value: Cursor<'_>| {
        let are_texts = value.is_list() && value.items().all(is_text);
        let is_summary = triggers::SUMMARY.is(&value.name());
        value.is_filled() && (is_text(value) || are_texts || !is_summary)
    };
    item.get_where(&triggers::DESCRIPTION, is_one)?.as_label()
}

/// The round with its correct queries counted, if that is not recorded and each has a verdict.
fn counted(round: TriggerRound) -> TriggerRound {
    let tuned = round.queries.iter().filter(|query| !query.held_out);
    let verdicts: Option<Vec<bool>> = tuned.map(|query| query.passed).collect();
    let verdicts = verdicts.filter(|verdicts| !verdicts.is_empty());
    let Some(verdicts) = verdicts.filter(|_| round.passed.or(round.total).is_none()) else {
        return round;
    };
    let passed = verdicts.iter().filter(|passed| **passed).count();
    let (passed, total) = (Some(passed as f64), Some(verdicts.len() as f64));
    TriggerRound { passed, total, ..round }
}

fn queries(list: Cursor<'_>) -> Vec<TriggerQuery> {
    list.items().filter_map(|item| query(item, None, false)).collect()
}

/// Whether the value is a list with a readable query.
fn holds_queries(list: Cursor<'_>) -> bool {
    list.items().any(|item| text_of(item).is_some() && says_result(item))
}

fn says_result(item: Cursor<'_>) -> bool {
    let has = |field| flag(item, field).is_some();
    has(&triggers::SHOULD_TRIGGER) || has(&triggers::PASSED) || flags(item).is_some()
}

/// The words of a query, else its id.
fn text_of(item: Cursor<'_>) -> Option<String> {
    item.words(&triggers::QUERY).or_else(|| item.label(&triggers::ID))
}

/// The first flag under `field`; names of skills in its place are skipped.
fn flag(item: Cursor<'_>, field: &Field) -> Option<bool> {
    item.all(field).find_map(|found| found.as_flag())
}

/// A flag for each attempt: `{"run_1": true}`.
fn flags(item: Cursor<'_>) -> Option<Vec<bool>> {
    let found = item.get_where(&triggers::PASS_FLAGS, Cursor::is_filled)?;
    let all = found.entries().map(|(_, value)| value).chain(found.items());
    all.map(|value| value.as_flag()).collect()
}

/// One query; `should` is what its list states for all in it.
fn query(item: Cursor<'_>, should: Option<bool>, held_out: bool) -> Option<TriggerQuery> {
    let bare = item.node().as_text().filter(|_| should.is_some()).map(str::to_owned);
    let should = flag(item, &triggers::SHOULD_TRIGGER).or(should);
    // Naming the wanted skill asks for routing, not for a trigger.
    let names_skill = || text_of(item).is_some() && item.label(&triggers::SHOULD_TRIGGER).is_some();
    let has_result = should.is_some() || says_result(item) || names_skill();
    let Some(query) = bare.or_else(|| text_of(item)).filter(|_| has_result) else {
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
    // Of several attempts the verdict counts only if all agree.
    let agreed = || {
        let (first, rest) = each.as_ref()?.split_first()?;
        rest.iter().all(|one| one == first).then_some(*first)
    };
    let passed = flag(item, &triggers::PASSED).or_else(agreed).or_else(|| Some(should? == once?));
    Some(TriggerQuery {
        query,
        should_trigger: should,
        triggers: triggers.or(once.map(|did| f64::from(u8::from(did)))),
        runs: runs.or(once.map(|_| 1.0)).or(each.map(|each| each.len() as f64)),
        passed,
        held_out: held_out || split == Some(Split::HeldOut),
    })
}
