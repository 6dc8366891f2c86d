//! Waiting: as long as a busy machine may take, and no longer than needed.

use std::time::{Duration, Instant};

/// Far longer than anything takes, on a machine that others use too; what hangs must not hang the
/// tests.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(120);

/// Asks again and again until it is so; false where it never was.
pub(crate) fn wait_until(mut is_so: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < TIMEOUT {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    false
}
