//! The part of two texts that must be compared.

use std::ops::Range;

/// Two texts without their common first and last lines, except for a few kept as context.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) before: usize,
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
    pub(super) after: usize,
}

impl Window {
    /// The window of two texts with up to `keep` equal lines on each side.
    pub(super) fn new(old: &str, new: &str, keep: usize) -> Self {
        let [a, b] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
        let head = equal_lines(a.iter().zip(&b));
        // Of the rest only: in `a` against `a a` no line may count at both ends.
        let tail = equal_lines(a[head..].iter().rev().zip(b[head..].iter().rev()));
        let (before, after) = (head.saturating_sub(keep), tail.saturating_sub(keep));
        let [old, new] =
            [a, b].map(|lines| bytes(&lines[..before])..bytes(&lines[..lines.len() - after]));
        Self { before, old, new, after }
    }
}

/// How many of the first pairs are equal apart from their line endings.
fn equal_lines<'a>(pairs: impl Iterator<Item = (&'a &'a str, &'a &'a str)>) -> usize {
    pairs.take_while(|(a, b)| without_ending(a) == without_ending(b)).count()
}

/// A line as `str::lines` returns it.
fn without_ending(line: &str) -> &str {
    match line.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line),
        None => line,
    }
}

fn bytes(lines: &[&str]) -> usize {
    lines.iter().map(|line| line.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::Window;

    #[test]
    fn only_what_differs_and_some_lines_around_it() {
        let window = Window::new("1\n2\n3\n4\nx\n5\n6\n7", "1\r\n2\n3\n4\ny\nz\n5\n6\n7\n", 1);
        let expected = Window { before: 3, old: 6..12, new: 7..15, after: 2 };
        assert_eq!(window, expected);
        let same = Window::new("1\n2\n3\n", "1\n2\n3\n", 1);
        assert_eq!(same, Window { before: 2, old: 4..6, new: 4..6, after: 0 });
        assert_eq!(Window::new("", "", 1), Window { before: 0, old: 0..0, new: 0..0, after: 0 });
    }
}
