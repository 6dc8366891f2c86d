//! A small writer of SVG: every text escaped, every number short and finite.

use std::fmt::{Arguments, Write};

use text::printable;

#[derive(Default)]
pub(super) struct Canvas {
    out: String,
    links: usize,
}

/// With more links than this, all are left out of the tab order: the table below has them too.
const KEYBOARD_LINKS: usize = 40;

/// Placeholder for the `tabindex` of a link until the number of links is known. The character
/// cannot come from data: [`escaped`] replaces it.
const TAB_STOP: &str = "\u{1}";

impl Canvas {
    /// Adds our own markup; anything from data must be [`escaped`] first.
    pub(super) fn add(&mut self, markup: Arguments<'_>) {
        let _ = self.out.write_fmt(markup);
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.path(class, &format!("M{}L{}", point(from), point(to)));
    }

    pub(super) fn path(&mut self, class: &str, d: &str) {
        self.dashed_path(class, d, "");
    }

    /// Like [`Self::path`], with a dash pattern; empty for a solid line.
    pub(super) fn dashed_path(&mut self, class: &str, d: &str, dashes: &str) {
        let dashes = match dashes {
            "" => String::new(),
            dashes => format!(" stroke-dasharray=\"{dashes}\""),
        };
        self.add(format_args!(
            "<path class=\"{class}\" d=\"{d}\" fill=\"none\" stroke=\"currentColor\"{dashes}/>"
        ));
    }

    /// A text with its baseline at `at`; `anchor` is `start`, `middle` or `end`.
    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: &str, text: &str) {
        self.shown_text(class, at, anchor, text, text);
    }

    /// A text that may be shortened; then the full one is its title.
    pub(super) fn shown_text(
        &mut self,
        class: &str,
        at: (f64, f64),
        anchor: &str,
        shown: &str,
        full: &str,
    ) {
        let place = format!("x=\"{}\" y=\"{}\"", num(at.0), num(at.1));
        self.label(class, &place, anchor, shown, full);
    }

    fn label(&mut self, class: &str, place: &str, anchor: &str, shown: &str, full: &str) {
        self.add(format_args!("<text class=\"{class}\" {place} text-anchor=\"{anchor}\">"));
        if shown != full {
            self.title(full);
        }
        self.out.push_str(&escaped(shown));
        self.out.push_str("</text>");
    }

    /// Draws in a group of this class.
    pub(super) fn group(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        self.add(format_args!("<g class=\"{class}\">"));
        draw(self);
        self.out.push_str("</g>");
    }

    /// Draws with a title, as a link if `href` is a valid address.
    pub(super) fn link(&mut self, href: Option<&str>, title: &str, draw: impl FnOnce(&mut Self)) {
        let href = href.filter(|href| is_plain_address(href));
        match href {
            Some(href) => {
                self.links += 1;
                self.add(format_args!("<a href=\"{}\"{TAB_STOP}>", escaped(href)));
            }
            None => self.out.push_str("<g>"),
        }
        self.title(title);
        draw(self);
        self.out.push_str(if href.is_some() { "</a>" } else { "</g>" });
    }

    fn title(&mut self, text: &str) {
        self.add(format_args!("<title>{}</title>", escaped(text)));
    }

    /// A drawing within a line of text, described by `label`.
    pub(super) fn into_inline(self, class: &str, size: (f64, f64), label: &str) -> String {
        let (width, height) = (num(size.0), num(size.1));
        let role = if self.links == 0 { "img" } else { "group" };
        format!(
            "<svg class=\"chart {class}\" role=\"{role}\" aria-label=\"{label}\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">{body}</svg>",
            label = escaped(label),
            body = self.out.replace(TAB_STOP, ""),
        )
    }

    /// The complete `<svg>` element.
    ///
    /// It is an image, or a group if it has links: assistive technology hides the inside of an
    /// image, and a link must not be hidden.
    pub(super) fn into_svg(self, frame: &SvgFrame<'_>) -> String {
        let id = identifier(frame.prefix);
        let role = if self.links == 0 { "img" } else { "group" };
        let tab = if self.links > KEYBOARD_LINKS { " tabindex=\"-1\"" } else { "" };
        let (width, height) = (num(frame.size.0), num(frame.size.1));
        format!(
            "<svg class=\"chart {class}\" role=\"{role}\" aria-labelledby=\"{id}-title {id}-desc\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-size=\"12\"><title id=\"{id}-title\">{title}</title>\
             <desc id=\"{id}-desc\">{desc}</desc>{body}</svg>",
            class = frame.class,
            title = escaped(frame.title),
            desc = escaped(frame.desc),
            body = self.out.replace(TAB_STOP, tab),
        )
    }
}

pub(super) struct SvgFrame<'a> {
    /// Begins the ids, unique on the page.
    pub(super) prefix: &'a str,
    /// Class beside `chart`.
    pub(super) class: &'a str,
    /// Width and height in pixels at full size.
    pub(super) size: (f64, f64),
    pub(super) title: &'a str,
    pub(super) desc: &'a str,
}

pub(super) fn point((x, y): (f64, f64)) -> String {
    format!("{} {}", num(x), num(y))
}

/// A coordinate with one decimal at most and no negative zero.
pub(super) fn num(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    // Two ways to the same place must give the same bytes.
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// `text` for element content and quoted attribute values, on one line, without characters that
/// control or reorder.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let line = text.replace(['\n', '\r', '\u{2028}', '\u{2029}'], " ");
    for c in printable(&line).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(c),
        }
    }
    out
}

/// Whether `href` is an address in the report: not empty, without scheme or host.
pub(super) fn is_plain_address(href: &str) -> bool {
    let head = href.split(['/', '?', '#']).next().unwrap_or_default();
    let foreign = href.starts_with("//") || href.contains('\\') || head.contains(':');
    !href.is_empty() && !foreign && !href.chars().any(char::is_control)
}

/// `prefix` with only characters that are valid in an id.
fn identifier(prefix: &str) -> String {
    prefix.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "-")
}

#[cfg(test)]
mod tests {
    use super::{escaped, identifier, is_plain_address, num};

    #[test]
    fn numbers_are_short_and_finite() {
        let table = [(1.0, "1"), (1.25, "1.2"), (-0.01, "0"), (-3.06, "-3.1"), (f64::NAN, "0")];
        for (value, expected) in table {
            assert_eq!(num(value), expected);
        }
        assert_eq!(num(f64::INFINITY), "0");
    }

    #[test]
    fn texts_are_inert() {
        assert_eq!(escaped("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
        assert_eq!(
            escaped("a\r\nb\u{0}\u{1}\u{202e}\u{ffff}"),
            "a  b\u{fffd}\u{fffd}\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn only_addresses_in_the_report_are_links() {
        for good in ["a.html", "../a/b.html#c:d", "#x", "a/b:c"] {
            assert!(is_plain_address(good), "{good}");
        }
        for bad in ["", "javascript:x", "//host/a", "https://a", " java\tscript:x", "\\\\host"] {
            assert!(!is_plain_address(bad), "{bad}");
        }
        assert_eq!(identifier("a b\"c_1-x"), "a-b-c_1-x");
    }
}
