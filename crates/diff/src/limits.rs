//! Limits for the work of a comparison and for what is shown, and the report of limits reached.

/// Lines, paragraphs or cells per side. More take too much memory, however short they are.
const MAX_ITEMS: usize = 400_000;

/// Limits for what is compared and shown. The defaults compare a typical pair of 200 KB in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes per side. Of lines only those from the first to the last difference count.
    pub bytes: usize,
    /// Pairs of items that may be compared, and words that may be examined for similar items.
    pub work: u64,
    /// Rows or paragraphs shown; folds count as one.
    pub rows: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 2 << 20, work: 100_000_000, rows: 10_000 }
    }
}

/// A limit of a comparison, and what it does to the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LimitKind {
    /// [`Limits::bytes`]: nothing was compared.
    Bytes,
    /// Too many lines, paragraphs or cells: nothing was compared.
    Items,
    /// [`Limits::work`]: some parts are shown as replaced although they may be similar.
    Work,
    /// [`Limits::rows`]: the middle of the result is left out.
    Rows,
}

/// A limit that was reached, with both numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitHit {
    /// Which limit; it decides what both numbers count.
    pub limit: LimitKind,
    /// The actual or expected amount.
    pub found: u64,
    /// The most that is allowed, in the unit of `found`.
    pub allowed: u64,
}

/// The remaining budget of one comparison, and the limits it reached.
pub(super) struct Work<'l> {
    pub(super) limits: &'l Limits,
    /// Whether the sides are exchanged internally, so that exchanged input gives a mirrored result.
    pub(super) swapped: bool,
    pairs: u64,
    words: u64,
    reached: Vec<LimitHit>,
}

impl<'l> Work<'l> {
    pub(super) fn new(old: &str, new: &str, limits: &'l Limits) -> Self {
        let (pairs, words) = (limits.work, limits.work);
        // The order of the sides must not decide which of two equal alignments is taken.
        Self { limits, swapped: old > new, pairs, words, reached: Vec::new() }
    }

    /// Whether the budget allows the pairs of `old` and `new` items.
    pub(super) fn affords_pairs(&self, old: usize, new: usize) -> bool {
        number_of_pairs(old, new) <= self.pairs
    }

    /// Spends the pairs of `old` and `new` items; false if the budget is too small.
    pub(super) fn spend_pairs(&mut self, old: usize, new: usize) -> bool {
        let cost = number_of_pairs(old, new);
        let Some(left) = self.pairs.checked_sub(cost) else {
            self.reach(LimitKind::Work, cost, self.limits.work);
            return false;
        };
        self.pairs = left;
        true
    }

    /// Spends `cost` words; false if the budget is too small.
    pub(super) fn spend_words(&mut self, cost: u64) -> bool {
        let Some(left) = self.words.checked_sub(cost) else {
            self.reach(LimitKind::Work, cost, self.limits.work);
            return false;
        };
        self.words = left;
        true
    }

    /// Whether `found` is at most `allowed`; if not, items of a block stay unpaired.
    pub(super) fn allows_block(&mut self, found: usize, allowed: usize) -> bool {
        if found > allowed {
            self.reach(LimitKind::Work, found as u64, allowed as u64);
        }
        found <= allowed
    }

    /// Replaces the middle of `rows` with the result of `omitted` if there are too many.
    pub(super) fn shorten<T>(&mut self, rows: &mut Vec<T>, omitted: impl FnOnce(&[T]) -> T) {
        let (count, most) = (rows.len(), self.limits.rows);
        if count <= most.max(1) {
            return;
        }
        // Readers look at the first change and at the last.
        let head = most / 2;
        let middle = head..count - (most - head).saturating_sub(1);
        let row = omitted(&rows[middle.clone()]);
        rows.splice(middle, [row]);
        self.reach(LimitKind::Rows, count as u64, most as u64);
    }

    /// Records a limit; if it is reached repeatedly, the largest number is kept.
    pub(super) fn reach(&mut self, limit: LimitKind, found: u64, allowed: u64) {
        match self.reached.iter_mut().find(|reached| reached.limit == limit) {
            Some(reached) => reached.found = reached.found.max(found),
            None => self.reached.push(LimitHit { limit, found, allowed }),
        }
    }

    /// The limits reached, in the order of [`LimitKind`].
    pub(super) fn into_reached(mut self) -> Vec<LimitHit> {
        self.reached.sort_by_key(|reached| reached.limit);
        self.reached
    }
}

fn number_of_pairs(old: usize, new: usize) -> u64 {
    (old as u64).saturating_mul(new as u64)
}

/// Fails for two texts with up to this many bytes, if they are too large to compare.
pub(super) fn check_bytes(found: usize, limits: &Limits) -> Result<(), LimitHit> {
    check(LimitKind::Bytes, found, limits.bytes)
}

/// Fails for two texts with up to this many lines, paragraphs or cells, if that is too many.
pub(super) fn check_items(found: usize) -> Result<(), LimitHit> {
    check(LimitKind::Items, found, MAX_ITEMS)
}

fn check(limit: LimitKind, found: usize, allowed: usize) -> Result<(), LimitHit> {
    if found <= allowed {
        return Ok(());
    }
    Err(LimitHit { limit, found: found as u64, allowed: allowed as u64 })
}

#[cfg(test)]
mod tests {
    use super::{LimitHit, LimitKind, Limits, Work};

    #[test]
    fn what_is_spent_is_gone() {
        let limits = Limits { work: 10, ..Limits::default() };
        let mut work = Work::new("", "", &limits);
        assert!(work.spend_pairs(2, 3));
        assert!(!work.spend_pairs(5, 1));
        assert!(work.spend_pairs(2, 2));
        let reached = LimitHit { limit: LimitKind::Work, found: 5, allowed: 10 };
        assert_eq!(work.into_reached(), [reached]);
    }
}
