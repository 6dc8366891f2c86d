//! The order in which problems are listed.

use input::model::Problem;
use text::natural_order;

/// By path, place, then severity; duplicates are dropped.
pub(crate) fn sort_problems(problems: &mut Vec<Problem>) {
    problems.sort_by(|a, b| {
        natural_order(&a.path, &b.path)
            .then_with(|| (a.place, a.code, &a.message).cmp(&(b.place, b.code, &b.message)))
    });
    problems.dedup();
}
