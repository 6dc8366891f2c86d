//! The body of a clean copy: listed elements and attributes, well nested.

use crate::preview::markup::{Markup, escaped_bytes};
use crate::preview::references::unescaped;
use crate::preview::sanitizer::picture;
use crate::preview::sanitizer::rules::{
    self, CELLS, CONTROLS, DROPPED, EMBEDDED, TABLES, VOID, ValueRule,
};
use crate::preview::sanitizer::token::{HtmlToken, Tag, Tokens};
use text::{is_listed, listed};

/// Counts of what a copy of a page leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// Scripts, and code in elements.
    pub(crate) scripts: usize,
    /// Style sheets of other files, and those that are too large.
    pub(crate) styles: usize,
    /// Pictures that are external, of another form or too large.
    pub(crate) pictures: usize,
    /// Frames, drawings, sound, video.
    pub(crate) embedded: usize,
}

/// The most nested elements; deeper ones keep only their text.
pub(crate) const MAX_DEPTH: usize = 100;

/// Characters shown of a title, an address, or the words for a picture.
pub(super) const CAPTION_CHARS: usize = 300;

/// Kinds of fields that show their value.
const FIELDS: &str = "text checkbox radio number range date time color email url search tel month week \
    button submit reset password";

pub(super) struct BodyWriter<'w> {
    pub(super) out: Markup,
    pub(super) left: &'w mut LeftOut,
    /// Letters and the like that a reader sees.
    pub(super) seen: usize,
    /// Elements that begin a line.
    pub(super) lines: usize,
    open: Vec<&'static str>,
    /// Open elements that are too deep to be written.
    beyond: usize,
}

impl<'w> BodyWriter<'w> {
    pub(super) fn new(out: Markup, left: &'w mut LeftOut) -> Self {
        Self { out, left, seen: 0, lines: 0, open: Vec::new(), beyond: 0 }
    }

    /// Writes the page in `text`; returns whether all of it fit.
    pub(super) fn page(&mut self, text: &str) -> bool {
        let mut tokens = Tokens::new(text, DROPPED);
        while !self.out.is_full()
            && let Some(token) = tokens.next()
        {
            match token {
                HtmlToken::Text(text) => self.text(&unescaped(text)),
                HtmlToken::Start(tag) => self.start(&tag),
                HtmlToken::End(name) => self.end(&name),
            }
        }
        self.close_to(0);
        tokens.is_at_end() && !self.out.is_cut()
    }

    fn text(&mut self, text: &str) {
        self.seen += text.chars().filter(|c| !c.is_whitespace()).count();
        self.out.text(text);
    }

    fn start(&mut self, tag: &Tag<'_>) {
        self.count(tag);
        match tag.name.as_str() {
            "img" => self.picture(tag),
            "input" => self.field(tag),
            "textarea" | "xmp" | "plaintext" => {
                self.close_for("pre");
                self.out.raw("<pre>\n");
                self.text(&unescaped(tag.content));
                self.out.raw("</pre>");
            }
            name => {
                if let Some((name, own)) = rules::element(name) {
                    self.element(name, own, tag);
                }
            }
        }
    }

    fn count(&mut self, tag: &Tag<'_>) {
        self.left.scripts += tag.attributes().filter(|(name, _)| is_handler(name)).count();
        match tag.name.as_str() {
            "script" => self.left.scripts += 1,
            "link" => {
                let relation = tag.attribute("rel").unwrap_or_default().to_ascii_lowercase();
                self.left.styles += usize::from(relation.contains("stylesheet"));
            }
            name => self.left.embedded += usize::from(is_listed(EMBEDDED, name)),
        }
    }

    fn element(&mut self, name: &'static str, own: &'static str, tag: &Tag<'_>) {
        self.close_for(name);
        self.lines += usize::from(!is_listed("span a b i td th", name));
        let is_void = is_listed(VOID, name);
        if !is_void && self.open.len() >= MAX_DEPTH {
            self.beyond += 1;
            return;
        }
        self.out.raw("<").raw(name);
        self.attributes(own, tag);
        if name == "a" {
            self.address(tag);
        }
        self.out.raw(if is_listed(CONTROLS, name) { " disabled>" } else { ">" });
        if !is_void {
            self.open.push(name);
        }
    }

    /// Adds the allowed attributes, each once.
    pub(super) fn attributes(&mut self, own: &'static str, tag: &Tag<'_>) {
        let mut written: Vec<&str> = Vec::new();
        for (name, value) in tag.attributes() {
            let name = name.to_ascii_lowercase();
            // The title of a link names its target, and the language is written by the head.
            let is_ours = matches!((tag.name.as_str(), &*name), ("a", "title") | ("html", "lang"));
            let rule = rules::attribute(own, &name)
                .filter(|(name, _)| !is_ours && !written.contains(name));
            if let Some((name, kind)) = rule {
                written.push(name);
                self.attribute(name, kind, &unescaped(value));
            }
        }
    }

    fn attribute(&mut self, name: &'static str, kind: ValueRule, value: &str) {
        if !rules::is_fit(value, kind) || escaped_bytes(value) >= self.out.left() {
            return;
        }
        self.out.raw(" ").raw(name);
        if kind != ValueRule::Flag {
            self.out.raw("=\"").value(value).raw("\"");
        }
    }

    /// The target of a link: followed within the page, otherwise only named in its title.
    fn address(&mut self, tag: &Tag<'_>) {
        let Some(address) = tag.attribute("href") else { return };
        let shown: String = address.chars().take(CAPTION_CHARS).collect();
        let open = if shown.starts_with('#') { " href=\"" } else { " title=\"" };
        self.out.raw(open).value(&shown).raw("\"");
    }

    fn picture(&mut self, tag: &Tag<'_>) {
        let address = tag.attributes().find(|(name, _)| name.eq_ignore_ascii_case("src"));
        let embedded = address.and_then(|(_, value)| picture::embedded_picture(&unescaped(value)));
        let alt = tag.attribute("alt");
        match embedded.filter(|(_, data)| data.len() + 200 < self.out.left()) {
            Some((head, data)) => {
                // A picture is worth showing by itself, and takes about as much room as eight lines.
                self.seen += 100;
                self.lines += 8;
                self.out.raw("<img src=\"").raw(head).value(&data).raw("\" alt=\"");
                let alt = alt.iter().flat_map(|alt| alt.chars()).take(CAPTION_CHARS);
                self.out.value(&alt.collect::<String>());
                self.out.raw("\"");
                self.attributes("width height align", tag);
                self.out.raw(">");
            }
            None => {
                self.left.pictures += 1;
                match alt.as_deref() {
                    // It is without words on purpose.
                    Some("") => return,
                    Some(alt) => self.out.raw("<span>[").word("preview.picture_before").text(alt),
                    None => self.out.raw("<span>[").word("preview.picture"),
                };
                self.out.raw("]</span>");
            }
        }
    }

    /// A field that shows its value and takes no input.
    fn field(&mut self, tag: &Tag<'_>) {
        let form = tag.attribute("type").unwrap_or_default().to_ascii_lowercase();
        if matches!(form.as_str(), "hidden" | "image" | "file") {
            return;
        }
        let form = listed(FIELDS, &form).unwrap_or("text");
        self.out.raw("<input disabled type=\"").raw(form).raw("\"");
        // An output may be a saved page into which somebody had typed a password.
        let value = tag.attribute("value").filter(|_| form != "password");
        if let Some(value) = value.filter(|value| escaped_bytes(value) < self.out.left()) {
            self.seen += value.len();
            self.out.raw(" value=\"").value(&value).raw("\"");
        }
        if tag.attribute("checked").is_some() {
            self.out.raw(" checked");
        }
        self.attributes("", tag);
        self.out.raw(">");
    }

    fn end(&mut self, name: &str) {
        let name = rules::element(name).map_or("", |(name, _)| name);
        // Elements that are too deep were not written, so their ends must not close others.
        if self.beyond > 0 && !name.is_empty() {
            self.beyond -= 1;
            return;
        }
        let is_table_part = is_listed(TABLES, name);
        for (at, open) in self.open.iter().enumerate().rev() {
            if *open == name {
                return self.close_to(at);
            }
            // As in browsers, `</div>` within a cell does not end a `<div>` around the table.
            if !is_table_part && is_listed(CELLS, open) {
                return;
            }
        }
    }

    /// Closes the elements that the start of `name` ends: the outermost open one.
    fn close_for(&mut self, name: &str) {
        for (_, ended, beyond) in rules::ENDS.iter().filter(|(begun, ..)| is_listed(begun, name)) {
            let open = self.open.iter().enumerate().rev();
            let within = open.take_while(|(_, open)| !is_listed(beyond, open));
            if let Some((at, _)) = within.filter(|(_, open)| is_listed(ended, open)).last() {
                self.close_to(at);
            }
        }
    }

    fn close_to(&mut self, length: usize) {
        for name in self.open.drain(length..).rev() {
            self.out.raw("</").raw(name).raw(">");
        }
    }
}

/// Whether an attribute holds a script: `onclick`.
fn is_handler(attribute: &str) -> bool {
    attribute.get(..2).is_some_and(|on| on.eq_ignore_ascii_case("on"))
}
