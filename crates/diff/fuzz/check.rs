//! Two texts of any kind are compared without a panic, and equal texts have no difference.

use diff::{Limits, lines, table, words};

pub fn check(old: &str, new: &str) {
    let limits = Limits::default();
    let _ = lines(old, new, &limits);
    let _ = table(old, new, b',', &limits);
    if let Ok(found) = words(old, new, &limits) {
        let is_equal = found.counts.removed + found.counts.added == 0;
        assert!(is_equal || old != new, "{old:?} {new:?}");
    }
}
