//! The part of two texts that has to be compared.

use std::ops::Range;

/// What is left of two texts without the lines they begin and end with in common, except for a
/// few that are kept as context.
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
        let head = common(ended(old), ended(new));
        let (a, b) = (length(ended(old), head), length(ended(new), head));
        let tail = common(ended(&old[a..]).rev(), ended(&new[b..]).rev());
        let (before, after) = (head.saturating_sub(keep), tail.saturating_sub(keep));
        Self {
            before,
            old: length(ended(old), before)..old.len() - length(ended(old).rev(), after),
            new: length(ended(new), before)..new.len() - length(ended(new).rev(), after),
            after,
        }
    }
}

/// The lines of `text` with their endings.
fn ended(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split_inclusive('\n')
}

/// How many lines are the same at the beginning, endings aside.
fn common<'a>(old: impl Iterator<Item = &'a str>, new: impl Iterator<Item = &'a str>) -> usize {
    old.zip(new).take_while(|(a, b)| without_ending(a) == without_ending(b)).count()
}

/// A line as `str::lines` gives it.
fn without_ending(line: &str) -> &str {
    match line.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line),
        None => line,
    }
}

/// The bytes of the first `count` lines.
fn length<'a>(lines: impl Iterator<Item = &'a str>, count: usize) -> usize {
    lines.take(count).map(str::len).sum()
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
