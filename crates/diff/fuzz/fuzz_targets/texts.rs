//! Two texts of any kind are compared without a panic, and equal texts have no difference.

#![no_main]

use diff::{Limits, lines, table, words};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|texts: (&str, &str)| {
    let (old, new) = texts;
    let limits = Limits::default();
    let _ = lines(old, new, &limits);
    let _ = table(old, new, b',', &limits);
    if let Ok(found) = words(old, new, &limits) {
        let is_equal = found.counts.removed + found.counts.added == 0;
        assert!(is_equal || old != new, "{old:?} {new:?}");
    }
});
