//! Which blocks fit into a room: a ladder from what is needed most up to what is needed least. A
//! leaf.

/// One rung: blocks of one kind, the most urgent first.
#[derive(Clone, Debug)]
pub(super) struct Rung {
    /// Bytes that the first of them costs besides, for a heading.
    pub(super) frame: usize,
    pub(super) blocks: Vec<usize>,
    /// The percentage of what the rungs below left that it may take at first.
    pub(super) share: usize,
    /// Whether a block needs the block of the same number one rung below.
    pub(super) is_hung: bool,
}

/// How many blocks of each rung fit into `room`. Every rung first gets its share and then what the
/// others left; no rung gets anything while one below it has to stay empty.
pub(super) fn climb(room: usize, rungs: &[Rung]) -> Vec<usize> {
    let mut shown = vec![0; rungs.len()];
    let mut left = room;
    for is_shared in [true, false] {
        for (at, rung) in rungs.iter().enumerate() {
            let may = if is_shared { left * rung.share / 100 } else { left };
            left -= rung.fill(may, at, &mut shown);
            if shown[at] == 0 && !rung.blocks.is_empty() {
                break;
            }
        }
    }
    shown
}

impl Rung {
    /// The bytes of all blocks with their frame.
    pub(super) fn bytes(&self) -> usize {
        let frame = if self.blocks.is_empty() { 0 } else { self.frame };
        frame + self.blocks.iter().sum::<usize>()
    }

    /// Shows more blocks of the rung `at` while they fit; the bytes they take.
    fn fill(&self, room: usize, at: usize, shown: &mut [usize]) -> usize {
        let held = at.checked_sub(1).filter(|_| self.is_hung).map(|below| shown[below]);
        let most = held.unwrap_or(usize::MAX).min(self.blocks.len());
        let mut used = 0;
        while shown[at] < most {
            let frame = if shown[at] == 0 { self.frame } else { 0 };
            let cost = frame + self.blocks[shown[at]];
            if used + cost > room {
                break;
            }
            used += cost;
            shown[at] += 1;
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Rung, climb};

    fn rung(frame: usize, blocks: &[usize], share: usize, is_hung: bool) -> Rung {
        Rung { frame, blocks: blocks.to_vec(), share, is_hung }
    }

    fn rungs() -> Vec<Rung> {
        vec![
            rung(0, &[10], 100, false),
            rung(5, &[10, 10, 10], 100, false),
            rung(0, &[20, 20, 20], 100, true),
        ]
    }

    #[test]
    fn the_upper_rungs_are_cut_first() {
        let table = [
            (1_000, [1, 3, 3]),
            (105, [1, 3, 3]),
            (104, [1, 3, 2]),
            (65, [1, 3, 1]),
            (50, [1, 3, 0]),
            (44, [1, 2, 0]),
            (24, [1, 0, 0]),
            (9, [0, 0, 0]),
        ];
        for (room, expected) in table {
            assert_eq!(climb(room, &rungs()), expected, "{room}");
        }
    }

    #[test]
    fn a_rung_leaves_room_for_the_one_above() {
        let rungs = [rung(0, &[10; 100], 50, false), rung(0, &[10; 100], 100, true)];
        assert_eq!(climb(200, &rungs), [10, 10]);
    }

    #[test]
    fn an_empty_rung_holds_nothing_up() {
        let rungs = [rung(90, &[], 100, false), rung(0, &[10], 100, false)];
        assert_eq!(climb(10, &rungs), [0, 1]);
    }

    proptest! {
        #[test]
        fn nothing_is_larger_than_the_room(
            room in 0usize..500,
            parts in prop::collection::vec((0usize..30, prop::collection::vec(0usize..80, 0..8), 1usize..101), 1..6),
        ) {
            let rungs: Vec<Rung> =
                parts.iter().map(|(frame, blocks, share)| rung(*frame, blocks, *share, false)).collect();
            let shown = climb(room, &rungs);
            let bytes = |(rung, shown): (&Rung, &usize)| {
                Rung { blocks: rung.blocks[..*shown].to_vec(), ..rung.clone() }.bytes()
            };
            prop_assert!(rungs.iter().zip(&shown).map(bytes).sum::<usize>() <= room);
        }
    }
}
