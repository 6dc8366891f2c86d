//! The sections of a Markdown text.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A heading with all up to the next one, or the part before the first heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'t> {
    /// The level of its heading; `None` for the part before the first one.
    pub level: Option<HeadingLevel>,
    /// The heading without its marks; empty for the part before the first one.
    pub title: &'t str,
    /// The section with its heading.
    pub text: &'t str,
}

impl<'t> Section<'t> {
    /// The section without the line of its heading.
    pub fn body(&self) -> &'t str {
        match self.level {
            Some(_) => self.text.split_once('\n').map_or("", |(_, body)| body),
            None => self.text,
        }
    }
}

/// The sections of `text` in order, without an empty first one. What looks like a heading within code,
/// a quotation or a list begins no section.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut headings = Vec::new();
    let mut depth = 0_usize;
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                let line = text[range.clone()].lines().next().unwrap_or_default();
                headings.push((range.start, Some(level), line.trim_matches('#').trim()));
            }
            Event::Start(Tag::BlockQuote(_) | Tag::Item) => depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::Item) => depth -= 1,
            _ => {}
        }
    }
    if headings.first().is_none_or(|(start, ..)| *start > 0) {
        headings.insert(0, (0, None, ""));
    }
    let mut sections = Vec::with_capacity(headings.len());
    for (at, (start, level, title)) in headings.iter().enumerate() {
        let end = headings.get(at + 1).map_or(text.len(), |(next, ..)| *next);
        sections.push(Section { level: *level, title, text: &text[*start..end] });
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::sections;

    #[test]
    fn headings_of_the_text_itself_begin_sections() {
        let text = "a\n\n# B\n\nc\n```\n# no\n```\n> # no\n\n- # no\n\n## D ##\ne\n\nF\n=\n";
        let found: Vec<(&str, &str)> =
            sections(text).iter().map(|section| (section.title, section.text)).collect();
        let expected = [
            ("", "a\n\n"),
            ("B", "# B\n\nc\n```\n# no\n```\n> # no\n\n- # no\n\n"),
            ("D", "## D ##\ne\n\n"),
            ("F", "F\n=\n"),
        ];
        assert_eq!(found, expected);
        assert_eq!(sections("")[0].text, "");
        assert_eq!(sections("# A\nb")[0].body(), "b");
    }
}
