//! Prose taken apart into paragraphs.

/// A paragraph and the blank lines after it.
#[derive(Clone, Debug)]
pub(super) struct Paragraph<'a> {
    /// The paragraph without white space at its end.
    pub(super) body: &'a str,
    /// All of it: the text is the paragraphs one after the other.
    pub(super) all: &'a str,
    /// Where it begins in the text, in bytes.
    pub(super) start: usize,
}

impl Paragraph<'_> {
    /// What is compared: the body, each line break with the white space around it as one space.
    pub(super) fn key(&self) -> String {
        if !self.body.contains('\n') {
            return self.body.to_owned();
        }
        self.body.lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }
}

/// The most lines of a paragraph; with longer ones every line of a text is one.
const MOST_LINES: usize = 40;

/// The paragraphs of two texts. Blank lines end one; a list item, heading, quote, table row or
/// fence begins one. When one of either text would be very long, every line is one, in both.
pub(super) fn paragraphs<'a>(old: &'a str, new: &'a str) -> [Vec<Paragraph<'a>>; 2] {
    let found = [divided(old, false), divided(new, false)];
    let is_long = |paragraph: &Paragraph<'_>| paragraph.body.lines().nth(MOST_LINES).is_some();
    if found.iter().flatten().any(is_long) {
        return [divided(old, true), divided(new, true)];
    }
    found
}

fn divided(text: &str, every_line: bool) -> Vec<Paragraph<'_>> {
    let (mut starts, mut at, mut ended) = (vec![0], 0, false);
    for line in text.split_inclusive('\n') {
        let blank = line.trim().is_empty();
        if at > 0 && !blank && (ended || every_line || begins(line)) {
            starts.push(at);
        }
        ended = blank;
        at += line.len();
    }
    starts.push(text.len());
    let places = starts.windows(2).filter(|place| place[0] < place[1]);
    let paragraphs = places.map(|place| {
        let (start, all) = (place[0], &text[place[0]..place[1]]);
        Paragraph { body: all.trim_end(), all, start }
    });
    paragraphs.collect()
}

/// Whether a line begins something of its own in Markdown.
fn begins(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['#', '>', '|', '`'])
        || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || (number.len() < line.len() && number.starts_with(['.', ')']))
}

#[cfg(test)]
mod tests {
    use super::{divided, paragraphs};

    #[test]
    fn blank_lines_and_marks_divide() {
        let text = "\n# Head\none\ntwo \n\n\n- item\n  more\n2. item\n3 of\n";
        let found: Vec<(&str, String)> =
            divided(text, false).iter().map(|paragraph| (paragraph.all, paragraph.key())).collect();
        let expected = [
            ("\n", ""),
            ("# Head\none\ntwo \n\n\n", "# Head one two"),
            ("- item\n  more\n", "- item more"),
            ("2. item\n3 of\n", "2. item 3 of"),
        ];
        assert_eq!(found, expected.map(|(all, key)| (all, key.to_owned())));
    }

    #[test]
    fn long_paragraphs_are_divided_on_both_sides() {
        for (lines, expected) in [(40, [1, 1]), (41, [2, 41])] {
            let long = "x\n".repeat(lines);
            assert_eq!(paragraphs("a\nb\n", &long).map(|side| side.len()), expected);
        }
    }
}
