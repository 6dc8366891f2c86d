//! The order of iterations in time, the same on every page.
//!
//! The number of a name counts first, as in `iteration-2`. For rounds with other names the files may
//! record a time; then come the date in a folder's name, the round that each is compared with, a pointer
//! such as `latest`, and a number in the last part of the path. The spelling of a commit is no order.
//! Where two of these contradict, no order is known.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::read::seconds_since_1970;
use input::discover::sort_iterations;
use input::model::{Code, Iteration, Problem, Workspace};
use input::names;
use text::natural_order;

/// Sorts the iterations of `workspace`. That nothing says their order is a problem. `newest` are
/// folders that a file or link calls the newest of their neighbors; `baselines` has for the folder of a
/// round the name of the one that its summary compares it with.
pub(super) fn sort(
    workspace: &mut Workspace,
    newest: &[String],
    baselines: &BTreeMap<String, String>,
) {
    let iterations = &mut workspace.iterations;
    sort_by_name(iterations);
    // Runs outside any folder come first, whatever their time.
    let first = iterations.iter().take_while(|found| found.path.is_empty()).count();
    let rounds = &mut iterations[first..];
    if rounds.len() < 2 {
        return;
    }
    if rounds.iter().any(|round| names::round_place(last_part(round)).is_some()) {
        sort_parents(rounds);
        let parents = rounds.chunk_by_mut(|a, b| names::folder(&a.path) == names::folder(&b.path));
        workspace.problems.extend(parents.filter_map(sort_siblings));
        return;
    }
    if sort_by_time(rounds) || sort_by_baseline(rounds, baselines) {
        return;
    }
    if let Some([first, second]) = of_one_time(rounds) {
        let message = format!("`{}` and `{}` record the same time", first.name, second.name);
        workspace.problems.push(leave_unordered(rounds, message));
        return;
    }
    let mut ordered = 0;
    if let Some(at) = rounds.iter().position(|round| newest.contains(&round.path)) {
        rounds[at..].rotate_left(1);
        ordered = 1;
    }
    // Neither the spelling of a commit nor that of a word says when a round was made.
    let is_numbered = |name: &str| {
        name.contains(|c: char| c.is_ascii_digit()) && names::commit_of(name).is_none()
    };
    if rounds.iter().all(|round| is_numbered(last_part(round))) {
        if ordered == 0 {
            rounds.sort_by(|a, b| natural_order(last_part(a), last_part(b)));
        }
        return;
    }
    let open = rounds.len() - ordered;
    if open < 2 {
        return;
    }
    let named: Vec<String> =
        rounds[..open].iter().map(|round| format!("`{}`", round.name)).collect();
    let message = format!("nothing says in which order {} were made", named.join(", "));
    workspace.problems.push(leave_unordered(&mut rounds[..open], message));
}

/// Sorts folders of numbered rounds by their last time, where all have one: `batch2/iteration-1` has a
/// number of its own, which says nothing about `iteration-1`.
fn sort_parents(rounds: &mut [Iteration]) {
    let mut last: BTreeMap<String, Option<f64>> = BTreeMap::new();
    for round in rounds.iter() {
        let parent = names::folder(&round.path).to_owned();
        let latest = last.entry(parent).or_default();
        *latest = [*latest, time(round)].into_iter().flatten().max_by(f64::total_cmp);
    }
    if last.values().all(Option::is_some) {
        rounds.sort_by(|a, b| {
            let [a, b] = [a, b].map(|round| last[names::folder(&round.path)].unwrap_or(0.0));
            a.total_cmp(&b)
        });
    }
}

/// Sorts numbered rounds of one folder by their times where their numbers do not say the order.
/// Returns a problem where the times do not say it either, or say another one.
fn sort_siblings(rounds: &mut [Iteration]) -> Option<Problem> {
    let doubt = doubt_of_numbers(rounds);
    let is_settled = doubt.is_some() && sort_by_time(rounds);
    let message = doubt.filter(|_| !is_settled).or_else(|| doubt_of_times(rounds))?;
    Some(leave_unordered(rounds, message))
}

/// Sorts rounds by their times; returns whether all have one of their own.
fn sort_by_time(rounds: &mut [Iteration]) -> bool {
    if rounds.iter().any(|round| time(round).is_none()) {
        return false;
    }
    rounds.sort_by(|a, b| time(a).partial_cmp(&time(b)).unwrap_or(Ordering::Equal));
    rounds.windows(2).all(|pair| time(&pair[0]) != time(&pair[1]))
}

/// Two of sorted rounds that record the same time, as two of one day, where all record one.
fn of_one_time(rounds: &[Iteration]) -> Option<[&Iteration; 2]> {
    if rounds.iter().any(|round| time(round).is_none()) {
        return None;
    }
    let mut pairs = rounds.windows(2);
    let pair = pairs.find(|pair| time(&pair[0]).is_some() && time(&pair[0]) == time(&pair[1]))?;
    Some([&pair[0], &pair[1]])
}

/// Sorts rounds of which each but the first names the one before; returns whether they do.
fn sort_by_baseline(rounds: &mut [Iteration], baselines: &BTreeMap<String, String>) -> bool {
    let baseline = |round: &Iteration| baselines.get(&round.path);
    let mut order: Vec<String> = Vec::new();
    let mut next = rounds.iter().find(|round| baseline(round).is_none());
    while let Some(round) = next.filter(|round| !order.contains(&round.path)) {
        order.push(round.path.clone());
        // Hashes are cut to different lengths.
        let own = names::commit_of(last_part(round)).unwrap_or(last_part(round));
        next = rounds.iter().find(|later| {
            baseline(later).is_some_and(|name| own.starts_with(name) || name.starts_with(own))
        });
    }
    if order.len() < rounds.len() {
        return false;
    }
    rounds.sort_by_key(|round| order.iter().position(|path| *path == round.path));
    true
}

/// Marks rounds as without an order, and returns the problem that says so.
fn leave_unordered(rounds: &mut [Iteration], message: String) -> Problem {
    rounds.iter_mut().for_each(|round| round.is_unordered = true);
    let around = names::folder(&rounds[0].path);
    let place = if around.is_empty() { &rounds[0].path } else { around };
    Problem::new(Code::UnknownOrder, place, message)
        .assuming("shown by name, and none is compared with another")
        .help("add a `timestamp` to the benchmark of each, or call them `iteration-1`, …")
}

/// Why the numbers of sorted rounds do not say which came first: one has none, two have the same, or
/// those of versions and of iterations disagree. `None` if they do.
fn doubt_of_numbers(rounds: &[Iteration]) -> Option<String> {
    let rounds: Vec<&Iteration> = rounds.iter().filter(|round| is_meant(round)).collect();
    let numbered: Vec<&&Iteration> = rounds.iter().filter(|round| place(round).is_some()).collect();
    let with_other_name = rounds
        .iter()
        .find(|round| place(round).is_none() && !names::is_iteration(last_part(round)));
    if let (Some(other), Some(numbered)) = (with_other_name, numbered.first()) {
        let [other, numbered] = [&other.name, &numbered.name];
        return Some(format!("nothing says whether `{other}` was made before `{numbered}`"));
    }
    for pair in numbered.windows(2) {
        let [first, second] = [pair[0], pair[1]];
        let order = natural_order(place(first)?, place(second)?);
        // Versions precede iterations, as `v1` does `iteration-1`.
        let is_of_one_kind = is_version(first) == is_version(second);
        if order.is_gt() || order.is_eq() && is_of_one_kind {
            let [first, second] = [&first.name, &second.name];
            return Some(format!("nothing says whether `{first}` was made before `{second}`"));
        }
    }
    None
}

/// That a round with a smaller number than the last one began after it, by the times of their runs.
/// The time of a benchmark is that of its last summing up.
fn doubt_of_times(rounds: &[Iteration]) -> Option<String> {
    let last = rounds.iter().rfind(|round| is_meant(round))?;
    let (number, began) = (number(last)?, began(last)?);
    for round in rounds {
        let is_earlier =
            self::number(round).is_some_and(|other| natural_order(other, number).is_lt());
        if is_earlier && self::began(round).is_some_and(|other| other > began) {
            let [earlier, last] = [&round.name, &last.name];
            return Some(format!("`{earlier}` ran after `{last}`, which its number denies"));
        }
    }
    None
}

/// Whether an order of the iteration matters: it was run.
fn is_meant(iteration: &Iteration) -> bool {
    !iteration.is_reference() && !iteration.cases.is_empty()
}

fn place(iteration: &Iteration) -> Option<&str> {
    names::round_place(last_part(iteration))
}

/// The digits of a round's number: rounds of several models share one, as `iteration-1-sonnet` and
/// `iteration-1-haiku`.
fn number(iteration: &Iteration) -> Option<&str> {
    let place = place(iteration)?;
    Some(&place[..place.find(|c: char| !c.is_ascii_digit()).unwrap_or(place.len())])
}

fn is_version(iteration: &Iteration) -> bool {
    names::version_number(last_part(iteration)).is_some()
}

/// When the first run of an iteration began, in seconds since 1970.
fn began(iteration: &Iteration) -> Option<f64> {
    let started = iteration.runs().filter_map(|run| run.metrics.started.as_deref());
    started.filter_map(seconds_since_1970).min_by(f64::total_cmp)
}

/// Sorts iterations by their names; those outside any folder come first.
pub(super) fn sort_by_name(iterations: &mut [Iteration]) {
    sort_iterations(iterations, |iteration| {
        let is_outside = iteration.implicit && iteration.path.is_empty();
        if is_outside { "" } else { &iteration.name }
    });
}

fn last_part(iteration: &Iteration) -> &str {
    names::file_name(&iteration.path)
}

/// When an iteration was made, in seconds since 1970: the last time that its files record, else the
/// date in its name.
fn time(iteration: &Iteration) -> Option<f64> {
    let benchmarks = iteration.benchmarks.iter().filter_map(|found| found.timestamp.as_deref());
    let started = iteration.runs().filter_map(|run| run.metrics.started.as_deref());
    let recorded = benchmarks.chain(started).filter_map(seconds_since_1970);
    recorded.max_by(f64::total_cmp).or_else(|| date_in_name(last_part(iteration)))
}

/// The date, and the time if there is one, that a name begins with: `2026-03-01_101500`.
fn date_in_name(name: &str) -> Option<f64> {
    // With dots the day comes first: `02.06.2027`.
    let parts: Vec<&str> = name.split('.').collect();
    if let [day, month, year] = parts[..]
        && [day.len(), month.len(), year.len()] == [2, 2, 4]
    {
        return seconds_since_1970(&format!("{year}-{month}-{day}T00:00:00"));
    }
    if !names::is_timestamp(name) {
        return None;
    }
    let digits: String = name.chars().filter(char::is_ascii_digit).take(14).collect();
    let (year, month, day) = (digits.get(..4)?, digits.get(4..6)?, digits.get(6..8)?);
    let [hours, minutes, seconds] =
        [8, 10, 12].map(|from| digits.get(from..from + 2).unwrap_or("00"));
    let time = format!("{hours}:{minutes}:{seconds}");
    seconds_since_1970(&format!("{year}-{month}-{day}T{time}"))
}
