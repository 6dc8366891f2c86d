//! Splits prose into paragraphs.

/// A paragraph and the blank lines after it.
#[derive(Clone, Debug)]
pub(super) struct Paragraph<'a> {
    /// The paragraph without trailing white space.
    pub(super) body: &'a str,
    /// The whole paragraph; concatenated, these are the text.
    pub(super) all: &'a str,
    /// Byte offset in the text.
    pub(super) start: usize,
}

impl Paragraph<'_> {
    /// The body as it is compared, with each line break and surrounding white space as one space.
    pub(super) fn key(&self) -> String {
        if !self.body.contains('\n') {
            return self.body.to_owned();
        }
        self.body.lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// Whether it has more than 40 lines; then every line of both texts is a paragraph.
    fn is_long(&self) -> bool {
        self.body.lines().nth(40).is_some()
    }
}

/// The paragraphs of two texts. Blank lines end one; a list item, heading, quote, table row or
/// fence begins one.
pub(super) fn paragraphs<'a>(old: &'a str, new: &'a str) -> [Vec<Paragraph<'a>>; 2] {
    let sides = [split_paragraphs(old, false), split_paragraphs(new, false)];
    // A list without blank lines would be one paragraph, whose words are compared all at once.
    if sides.iter().flatten().any(Paragraph::is_long) {
        return [split_paragraphs(old, true), split_paragraphs(new, true)];
    }
    sides
}

fn split_paragraphs(text: &str, every_line: bool) -> Vec<Paragraph<'_>> {
    let (mut starts, mut at, mut ended) = (vec![0], 0, false);
    for line in text.split_inclusive('\n') {
        let blank = line.trim().is_empty();
        if at > 0 && !blank && (ended || every_line || begins_block(line)) {
            starts.push(at);
        }
        ended = blank;
        at += line.len();
    }
    starts.push(text.len());
    let bounds = starts.windows(2).filter(|bounds| bounds[0] < bounds[1]);
    let paragraphs = bounds.map(|bounds| {
        let (start, all) = (bounds[0], &text[bounds[0]..bounds[1]]);
        Paragraph { body: all.trim_end(), all, start }
    });
    paragraphs.collect()
}

/// Whether a line begins a new Markdown block.
fn begins_block(line: &str) -> bool {
    // Items of a list and rows of a table change one by one.
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['#', '>', '|', '`'])
        || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || (number.len() < line.len() && number.starts_with(['.', ')']))
}

#[cfg(test)]
mod tests {
    use super::{paragraphs, split_paragraphs};

    #[test]
    fn blank_lines_and_marks_divide() {
        let text = "\n# Head\none\ntwo \n\n\n- item\n  more\n2. item\n3 of\n";
        let paragraphs: Vec<(&str, String)> = split_paragraphs(text, false)
            .iter()
            .map(|paragraph| (paragraph.all, paragraph.key()))
            .collect();
        let expected = [
            ("\n", ""),
            ("# Head\none\ntwo \n\n\n", "# Head one two"),
            ("- item\n  more\n", "- item more"),
            ("2. item\n3 of\n", "2. item 3 of"),
        ];
        assert_eq!(paragraphs, expected.map(|(all, key)| (all, key.to_owned())));
    }

    #[test]
    fn long_paragraphs_are_divided_on_both_sides() {
        for (lines, expected) in [(40, [1, 1]), (41, [2, 41])] {
            let long = "x\n".repeat(lines);
            assert_eq!(paragraphs("a\nb\n", &long).map(|side| side.len()), expected);
        }
    }
}
