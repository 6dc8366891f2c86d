//! Fills the templates.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;
use tera::{Context, Kwargs, State, Tera, TeraResult};

use crate::language::Language;
use crate::page_policy::{self, PageContent};
use crate::preview::markup::code_point;
use crate::render::context::{
    RenderError, RenderOptions, View,
    bounds::{fit, markup_fields},
};
use text::{cut_middle, hides, unusual};

/// Characters of a name in the bar.
const NAME: usize = 22;

pub(crate) struct Templates {
    tera: Tera,
    /// The names of fields that are never cut.
    markup_fields: BTreeSet<String>,
    language: Language,
}

impl Templates {
    /// The templates of `options`; they can access its words as `t`.
    pub(crate) fn new(options: &RenderOptions) -> Result<Self, RenderError> {
        let mut tera = Tera::default();
        tera.set_escape_fn(escape);
        tera.register_filter("whole", |figures: &str, _: Kwargs, _: &State| unbroken(figures));
        tera.register_filter("words", |command: &str, _: Kwargs, _: &State| words(command));
        tera.register_filter("code", |text: &str, _: Kwargs, _: &State| with_code(text));
        tera.register_filter("breaks", |name: &str, _: Kwargs, _: &State| breakable(name));
        tera.register_filter("middle", |name: &str, _: Kwargs, _: &State| cut_middle(name, NAME));
        let is_served = options.is_served;
        tera.register_function("page_policy", move |page: Kwargs, _: &State| {
            let content = PageContent {
                has_document: page.get("has_document")?.unwrap_or(false),
                has_frame: page.get("has_frame")?.unwrap_or(false),
                is_served,
            };
            TeraResult::Ok(page_policy::page(content))
        });
        let templates = options.theme.templates();
        let markup_fields = markup_fields(&templates);
        tera.add_raw_templates(
            templates.into_iter().map(|(name, text)| (name, without_indentation(&text))),
        )
        .map_err(|error| failed("templates", &error))?;
        tera.global_context().insert("t", options.language.table());
        tera.global_context().insert("lang", options.language.tag());
        tera.global_context().insert("is_unlisted", &options.publication.is_unlisted);
        tera.global_context().insert("is_served", &options.is_served);
        Ok(Self { tera, markup_fields, language: options.language.clone() })
    }

    /// Fills `template` for the page at `path`, with as much of the view as fits.
    pub(crate) fn fill(
        &self,
        template: &str,
        path: &str,
        view: &impl Serialize,
    ) -> Result<Vec<u8>, RenderError> {
        let (view, report) = fit(View::from_serializable(view), &self.markup_fields);
        self.rendered(template, path, &view, &report.sentence(&self.language))
    }

    /// As [`Self::fill`], for a page whose rows and texts are few and short already.
    pub(crate) fn fill_whole(
        &self,
        template: &str,
        path: &str,
        view: &impl Serialize,
    ) -> Result<Vec<u8>, RenderError> {
        self.rendered(template, path, view, "")
    }

    fn rendered(
        &self,
        template: &str,
        path: &str,
        view: &impl Serialize,
        cut: &str,
    ) -> Result<Vec<u8>, RenderError> {
        let mut context = Context::from_serialize(view).map_err(|error| failed(path, &error))?;
        context.insert("cut", cut);
        let mut page = Vec::new();
        self.tera.render_to(template, &context, &mut page).map_err(|error| failed(path, &error))?;
        Ok(page)
    }
}

/// `template` with its lines at the left edge. Indentation is for readers of a template: a table of
/// 20,000 cells would carry it 20,000 times.
fn without_indentation(template: &str) -> String {
    template.split_inclusive('\n').map(|line| line.trim_start_matches(' ')).collect()
}

/// Keeps figures in one piece at line breaks: numbers keep their units, and a line breaks only
/// after a comma or before an opening bracket.
fn unbroken(figures: &str) -> String {
    let mut before = None;
    let mut rest = figures.chars().peekable();
    let mut text = String::with_capacity(figures.len() + 8);
    while let Some(c) = rest.next() {
        // `3 of` at the end of a line and `5 cases` on the next one read as two figures.
        let may_break = matches!(before, Some(',' | ';')) || matches!(rest.peek(), Some('('));
        text.push(if c == ' ' && !may_break { '\u{a0}' } else { c });
        before = Some(c);
    }
    text
}

/// The markup of a command whose lines break only at spaces: each word is a box of its own. Browsers
/// break `--baseline` after its hyphens otherwise, and no style forbids that.
fn words(command: &str) -> String {
    let mut markup = Vec::new();
    for word in command.split(' ') {
        markup.push(format!("<span>{}</span>", escaped_markup(word)));
    }
    markup.join(" ")
}

/// The markup of a text in which what stands between backticks is code, as people write it in checks.
fn with_code(text: &str) -> String {
    let mut pieces = text.split('`').peekable();
    let mut markup = escaped_markup(pieces.next().unwrap_or_default());
    while let Some(piece) = pieces.next() {
        let escaped = escaped_markup(piece);
        match pieces.next() {
            Some(after) if !piece.trim().is_empty() && !piece.contains('\n') => {
                markup += &format!("<code>{escaped}</code>{}", escaped_markup(after));
            }
            Some(after) => markup += &format!("`{escaped}`{}", escaped_markup(after)),
            // Nothing closes the last one.
            None => markup += &format!("`{escaped}"),
        }
    }
    markup
}

fn escaped_markup(text: &str) -> String {
    let mut escaped = Vec::new();
    // Nothing fails to be written to memory.
    let _ = escape(text, &mut escaped);
    String::from_utf8_lossy(&escaped).into_owned()
}

/// Escapes text for anywhere in a page, including quoted attributes. Control characters become
/// U+FFFD; characters that reorder or hide text are shown by their code point.
fn escape(text: &str, output: &mut dyn Write) -> io::Result<()> {
    let mut done = 0;
    for (at, special) in unusual(text).filter(|(_, c)| is_special(*c)) {
        output.write_all(&text.as_bytes()[done..at])?;
        done = at + special.len_utf8();
        match special {
            '&' => output.write_all(b"&amp;")?,
            '<' => output.write_all(b"&lt;")?,
            '>' => output.write_all(b"&gt;")?,
            '"' => output.write_all(b"&quot;")?,
            '\'' => output.write_all(b"&#39;")?,
            _ if hides(special) => output.write_all(code_point(special).as_bytes())?,
            _ => output.write_all("\u{fffd}".as_bytes())?,
        }
    }
    output.write_all(&text.as_bytes()[done..])
}

fn is_special(c: char) -> bool {
    match c {
        '&' | '<' | '>' | '"' | '\'' => true,
        '\n' | '\t' | '\r' => false,
        _ => c.is_control() || hides(c),
    }
}

fn failed(page: &str, error: &tera::Error) -> RenderError {
    let outermost: &dyn std::error::Error = error;
    // Tera names the template first, and the cause last.
    let chain = std::iter::successors(Some(outermost), |error| error.source());
    let reasons: Vec<String> = chain.map(ToString::to_string).collect();
    RenderError::Template { page: page.to_owned(), reason: reasons.join(": ") }
}

/// A name that may break behind its separators, and not within a word.
fn breakable(name: &str) -> String {
    escaped_markup(name).replace('_', "_<wbr>").replace('/', "/<wbr>")
}

#[cfg(test)]
mod tests {
    use super::{escape, unbroken, with_code, words};
    use crate::language::theme::Theme;

    #[test]
    fn no_line_of_a_template_is_too_long_to_read() {
        for (name, template) in Theme::default().templates() {
            for (index, line) in template.lines().enumerate() {
                assert!(line.chars().count() <= 160, "{name}:{}", index + 1);
            }
        }
    }

    #[test]
    fn numbers_keep_their_units() {
        let shown = |text| unbroken(text).replace('\u{a0}', "_");
        assert_eq!(shown("2 min 43 s, spread 14.9 s"), "2_min_43_s, spread_14.9_s");
        assert_eq!(shown("+13 points (−100 to +100) too few"), "+13_points (−100_to_+100)_too_few");
    }

    #[test]
    fn words_of_a_command_are_boxes() {
        let expected = "<span>build</span> <span>a&amp;b</span> <span>--baseline</span>";
        assert_eq!(words("build a&b --baseline"), expected);
    }

    #[test]
    fn what_stands_between_backticks_is_code() {
        assert_eq!(with_code("has `a<b` and `c`."), "has <code>a&lt;b</code> and <code>c</code>.");
        assert_eq!(with_code("`` and `open"), "`` and `open");
        assert_eq!(with_code("```x```"), "``<code>x</code>``");
    }

    #[test]
    fn data_stays_text_in_every_place() {
        let mut escaped = Vec::new();
        escape("</script>\"' & \u{7}\u{85}\t結果\n", &mut escaped).unwrap();
        let expected = "&lt;/script&gt;&quot;&#39; &amp; \u{fffd}\u{fffd}\t結果\n";
        assert_eq!(String::from_utf8(escaped).unwrap(), expected);
        let mut escaped = Vec::new();
        escape("seen \u{202e}12 of 34", &mut escaped).unwrap();
        assert_eq!(String::from_utf8(escaped).unwrap(), "seen ⟨U+202E⟩12 of 34");
    }
}
