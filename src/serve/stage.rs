//! What is shown at the moment, and who waits for something else.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::serve::site::Site;

/// The report that is shown, and why a later one is not there.
#[derive(Debug)]
pub struct Stage {
    shown: Mutex<Shown>,
    changed: Condvar,
}

/// What is shown.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// Goes up with every change.
    pub(super) number: u64,
    /// The last good report.
    pub(super) site: Arc<Site>,
    /// Why the one after it could not be made.
    pub(super) failure: Option<String>,
}

impl Stage {
    /// Shows a first report.
    pub fn new(site: Site) -> Self {
        let shown = Shown { number: 0, site: Arc::new(site), failure: None };
        Self { shown: Mutex::new(shown), changed: Condvar::new() }
    }

    /// Shows another report.
    pub fn show(&self, site: Site) {
        self.change(|shown| {
            shown.site = Arc::new(site);
            shown.failure = None;
        });
    }

    /// Goes on showing the same report and says why there is no other.
    pub fn fail(&self, reason: &str) {
        self.change(|shown| shown.failure = Some(reason.to_owned()));
    }

    fn change(&self, change: impl FnOnce(&mut Shown)) {
        let mut shown = self.lock();
        change(&mut shown);
        shown.number += 1;
        self.changed.notify_all();
    }

    /// The report that is shown.
    pub(super) fn site(&self) -> Arc<Site> {
        Arc::clone(&self.lock().site)
    }

    /// What is shown.
    pub(super) fn look(&self) -> Shown {
        self.lock().clone()
    }

    /// Waits until something else than `number` is shown, or for `time`; tells which.
    pub(super) fn wait(&self, number: u64, time: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.lock(), time, |it| it.number == number);
        waited.unwrap_or_else(PoisonError::into_inner).0.number != number
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
