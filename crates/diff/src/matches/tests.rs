use super::{common, match_words};
use crate::Limits;

/// Fewest words to remove and add, by the table that everybody knows.
fn fewest(old: &[&str], new: &[&str]) -> usize {
    let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
    for (i, a) in old.iter().enumerate() {
        for (j, b) in new.iter().enumerate() {
            table[i + 1][j + 1] =
                if a == b { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
        }
    }
    old.len() + new.len() - 2 * table[old.len()][new.len()]
}

/// A text of `length` words out of few, from a number.
fn text(seed: u64, length: usize) -> String {
    let mut state = seed;
    let mut words = Vec::new();
    for _ in 0..length {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        words.push(format!("w{}", (state >> 33) % 23));
    }
    words.join(" ")
}

#[test]
fn no_fewer_words_can_be_marked() {
    for seed in 0..60 {
        let (old, new) = (text(seed, 5 + seed as usize * 4), text(seed + 99, 200));
        let (a, b): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
        let pairs = common(&a, &b, &Limits::default());
        assert_eq!(a.len() + b.len() - 2 * pairs.len(), fewest(&a, &b), "{seed}");
        assert!(pairs.iter().all(|(i, j)| a[*i] == b[*j]));
        assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
        let turned = common(&b, &a, &Limits::default());
        assert!(turned.iter().map(|(j, i)| (*i, *j)).eq(pairs), "{seed}");
    }
}

#[test]
fn parts_that_changed_are_level_and_others_alone() {
    let (old, new) =
        ("One two three.\nGone.\nLast words here.", "One two four.\nLast words there.\nNew.");
    let parts = |text: &str| {
        let mut at = 0;
        let mut parts = Vec::new();
        for line in text.split('\n') {
            parts.push(at..at + line.len());
            at += line.len() + 1;
        }
        parts
    };
    let matches = match_words(old, new, &Limits::default());
    let rows = matches.aligned(&parts(old), &parts(new), |_, _| false);
    assert_eq!(rows, [[Some(0), Some(0)], [Some(1), None], [Some(2), Some(1)], [None, Some(2)]]);
    assert_eq!(matches.changed(0, &(0..old.len()))[0], 8..13, "three");
}

#[test]
fn a_word_alone_between_changes_changes_with_them() {
    let long = |mark: &str| (0..30).map(|at| format!("{mark}{at} ")).collect::<String>();
    let old = format!("{} the {}", long("a"), long("b"));
    let new = format!("{} the {}", long("c"), long("d"));
    let mut matches = match_words(&old, &new, &Limits::default());
    let parts = [old.len(), new.len()].map(|end| std::iter::once(0..end).collect::<Vec<_>>());
    let rows = matches.aligned(&parts[0], &parts[1], |_, _| true);
    assert_eq!(matches.counts().unchanged, 1);
    matches.smooth(&parts[0], &parts[1], &rows);
    assert_eq!(matches.counts().unchanged, 0);
    assert_eq!(matches.changed(0, &parts[0][0]).len(), 1);
}

#[test]
fn a_line_that_went_takes_its_own_full_stop() {
    let (old, new) = ("Same.\nGone.\nEnd here", "Same.\nEnd here");
    let matches = match_words(old, new, &Limits::default());
    assert_eq!(matches.changed(0, &(0..old.len())).first(), Some(&(6..11)));
    let matches = match_words(new, old, &Limits::default());
    assert_eq!(matches.changed(1, &(0..old.len())).first(), Some(&(6..11)));
    let (old, new) = ("One two.\nSame.\nGone.", "One three.\nSame.");
    let matches = match_words(old, new, &Limits::default());
    assert_eq!(matches.changed(0, &(0..old.len())), [4..7, 15..20]);
}
