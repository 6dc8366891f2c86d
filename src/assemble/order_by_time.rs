//! The order of iterations in time, the same on every page.
//!
//! The number of a name counts first, as in `iteration-2`. For rounds with other names the files may
//! record a time; then come the date in a folder's name, a pointer such as `latest`, and a number in
//! the last part of the path. The spelling of a commit is no order.

use std::collections::BTreeMap;

use crate::discover::{names, sort_iterations};
use crate::model::{Code, Iteration, Problem, Workspace};
use crate::read::seconds_since_1970;
use crate::text::natural_order;

/// Sorts the iterations of `workspace`. That nothing says their order is a problem. `newest` are
/// folders that a file or link calls the newest of their neighbors.
pub(super) fn sort(workspace: &mut Workspace, newest: &[String]) {
    let iterations = &mut workspace.iterations;
    sort_by_name(iterations);
    // Runs outside any folder come first, whatever their time.
    let first = iterations.iter().take_while(|found| found.path.is_empty()).count();
    let rounds = &mut iterations[first..];
    if rounds.len() < 2 {
        return;
    }
    if rounds.iter().any(is_numbered) {
        sort_parents(rounds);
        return;
    }
    if rounds.iter().all(|round| time(round).is_some()) {
        rounds.sort_by(|a, b| time(a).partial_cmp(&time(b)).unwrap_or(std::cmp::Ordering::Equal));
        return;
    }
    let mut ordered = 0;
    if let Some(at) = rounds.iter().position(|round| newest.contains(&round.path)) {
        rounds[at..].rotate_left(1);
        ordered = 1;
    }
    if rounds.iter().all(|round| is_commit(last_part(round))) {
        let open = rounds.len() - ordered;
        if open < 2 {
            return;
        }
        let named: Vec<String> =
            rounds[..open].iter().map(|round| format!("`{}`", round.name)).collect();
        let message = format!("nothing says in which order {} were made", named.join(", "));
        let problem = Problem::new(Code::UnknownOrder, names::folder(&rounds[0].path), message)
            .assuming("shown by name, and none is compared with another")
            .help("add a `timestamp` to the benchmark of each, or call them `iteration-1`, …");
        // Not even the newest has one before it then.
        rounds.iter_mut().for_each(|round| round.is_unordered = true);
        workspace.problems.push(problem);
    } else if ordered == 0
        && rounds.iter().all(|round| last_part(round).contains(|c: char| c.is_ascii_digit()))
    {
        rounds.sort_by(|a, b| natural_order(last_part(a), last_part(b)));
    }
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

/// Whether the name has a number that says its place among others of the kind.
fn is_numbered(iteration: &Iteration) -> bool {
    let name = last_part(iteration);
    names::is_iteration(name)
        || names::version_number(name).is_some()
        || names::round_number(name).is_some()
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
    if !names::is_timestamp(name) {
        return None;
    }
    let digits: String = name.chars().filter(char::is_ascii_digit).take(14).collect();
    let part = |from: usize| digits.get(from..from + 2).unwrap_or("00");
    let (year, month, day) = (digits.get(..4)?, digits.get(4..6)?, digits.get(6..8)?);
    let time = format!("{}:{}:{}", part(8), part(10), part(12));
    seconds_since_1970(&format!("{year}-{month}-{day}T{time}"))
}

/// Whether a name is an abbreviated or whole commit.
fn is_commit(name: &str) -> bool {
    let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    (7..=40).contains(&name.len())
        && name.chars().all(is_hex)
        && name.contains(|c: char| c.is_ascii_digit())
}
