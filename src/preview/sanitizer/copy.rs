//! A clean copy of a page: a document of its own that neither runs nor loads anything.

use crate::budget::HTML_COPY;
use crate::language::Language;
use crate::page_policy;
use crate::preview::evidence::FirstMark;
use crate::preview::markup::{Markup, Safe};
use crate::preview::references::unescaped;
use crate::preview::sanitizer::body::{BodyWriter, CAPTION_CHARS, LeftOut};
use crate::preview::sanitizer::rules::DROPPED;
use crate::preview::sanitizer::token::{HtmlToken, Tag, Tokens};

/// Bytes that a copy may take beyond twice its source.
const HEAD_BYTES: usize = 2 * 1024;

#[derive(Debug)]
pub(crate) struct SafeCopy {
    pub(crate) html: Safe,
    pub(crate) left_out: LeftOut,
    pub(crate) is_whole: bool,
    pub(crate) is_empty: bool,
    /// About how many lines it has.
    pub(crate) lines: usize,
    /// The first mark of each quotation.
    pub(crate) marks: Vec<Option<FirstMark>>,
    /// The beginning of our ids in the copy; empty without a mark.
    pub(crate) prefix: String,
}

/// The clean copy of the page in `text`, which is called `name`, with `quotations` marked.
pub(crate) fn copy(text: &str, name: &str, language: &Language, quotations: &[&str]) -> SafeCopy {
    // Escapes and end tags that the page omits make a copy longer than its source.
    let max_bytes = (2 * text.len() + HEAD_BYTES).min(HTML_COPY);
    let mut left_out = LeftOut::default();
    // The style sheet of a framework must not take all the room of the page.
    let head = PageHead::new(text, max_bytes / 4 * 3, language, &mut left_out);
    let head_bytes = head.styles.len() + head.root.len() + head.body.len();
    let rest = max_bytes.saturating_sub(head_bytes);
    let mut writer = BodyWriter::new(Markup::within(language, rest), &mut left_out);
    let is_whole = writer.page(text) && head.is_whole;
    // About 90 characters fit into a line of the frame.
    let lines = writer.lines + writer.seen / 90;
    let is_empty = writer.seen == 0;
    let mut body = writer.out.finish();
    let prefix = unused_prefix(&[text, body.as_str(), head.root.as_str(), head.body.as_str()]);
    let marks = body.mark(quotations, &prefix, &MARK.replace("--", &format!("--{prefix}")));
    let prefix = if marks.iter().any(Option::is_some) { prefix } else { String::new() };
    let html = head.write(name, &body, &prefix, language);
    SafeCopy { html, left_out, is_whole, is_empty, lines, marks, prefix }
}

/// A beginning of ids that none of `texts` contains, the first of which is the whole output: so no part
/// of an output can be taken for a mark, be linked to in its place, or change its look.
fn unused_prefix(texts: &[&str]) -> String {
    let mut hash = blake3::hash(texts[0].as_bytes());
    loop {
        let prefix = format!("q{}-", &hash.to_hex()[..10]);
        if texts.iter().all(|text| !text.contains(&prefix)) {
            return prefix;
        }
        hash = blake3::hash(hash.as_bytes());
    }
}

/// The look of a mark in a copy, which no style of the page can change. The names of the variables get
/// our prefix; they are set where a pair is judged blind.
const MARK: &str = " style=\"display:inline!important;visibility:visible!important;opacity:1!important;\
    background:var(--ground,#ffe48f)!important;color:var(--ink,#000)!important;\
    box-shadow:0 0 0 2px var(--ground,#ffe48f)!important\"";

/// Behind our prefix, the id of an element without a box. Its fragment takes the color from all marks:
/// which words were quoted can tell which side is which.
pub(crate) const PLAIN: &str = "plain";

struct PageHead {
    title: String,
    language: Option<String>,
    /// Attributes of the root and of the body.
    root: Markup,
    body: Markup,
    /// Its `<style>` elements.
    styles: Markup,
    is_whole: bool,
}

impl PageHead {
    /// The head of the page in `text`, with at most `max_bytes` bytes of style sheets.
    fn new(text: &str, max_bytes: usize, language: &Language, left: &mut LeftOut) -> Self {
        let mut head = Self {
            title: String::new(),
            language: None,
            root: Markup::within(language, HEAD_BYTES),
            body: Markup::within(language, HEAD_BYTES),
            styles: Markup::within(language, max_bytes),
            is_whole: true,
        };
        for token in Tokens::new(text, DROPPED) {
            if let HtmlToken::Start(tag) = token {
                head.take(&tag, left);
            }
        }
        head
    }

    fn take(&mut self, tag: &Tag<'_>, left: &mut LeftOut) {
        match tag.name.as_str() {
            "html" if self.language.is_none() => {
                let language = tag.attribute("lang").filter(|tag| is_language(tag));
                self.language = Some(language.unwrap_or_default());
                attributes(tag, &mut self.root, left);
            }
            "body" if self.body.len() == 0 => attributes(tag, &mut self.body, left),
            "title" if self.title.is_empty() => {
                let title = unescaped(tag.content);
                self.title = title.trim().chars().take(CAPTION_CHARS).collect();
            }
            // Half a style sheet could hide what the whole one shows.
            "style" if tag.content.len() > self.styles.left() => {
                left.styles += 1;
                self.is_whole = false;
            }
            "style" => {
                self.styles.raw("<style");
                if let Some(media) = tag.attribute("media") {
                    self.styles.raw(" media=\"").value(&media).raw("\"");
                }
                self.styles.raw(">\n").sheet(tag.content).raw("</style>\n");
            }
            _ => {}
        }
    }

    /// The document with this head and `body`, in which the ids of marks begin with `prefix`.
    fn write(self, name: &str, body: &Safe, prefix: &str, language: &Language) -> Safe {
        let title = if self.title.is_empty() { name } else { &self.title };
        let named = self.language.as_deref().filter(|tag| !tag.is_empty());
        let mut out = Markup::new(language);
        out.raw("<!doctype html>\n<html lang=\"").value(named.unwrap_or("und")).raw("\"");
        out.safe(&self.root.finish()).raw(">\n<head>\n").raw(POLICY_START);
        out.raw(page_policy::COPY).raw(HEAD);
        out.raw("<title>").value(title).raw("</title>\n").raw(LOOK);
        out.safe(&self.styles.finish());
        if !prefix.is_empty() {
            out.raw("<style>\nmark[id^=\"").value(prefix).raw(TARGET);
            out.raw("<style>\n:root:has(#")
                .value(prefix)
                .raw(PLAIN)
                .raw(":target){--")
                .value(prefix);
            out.raw("ground:transparent;--").value(prefix).raw("ink:currentcolor}\n</style>\n");
        }
        out.raw("</head>\n<body");
        out.safe(&self.body.finish()).raw(">\n").safe(body);
        if !prefix.is_empty() {
            out.raw("<i hidden id=\"").value(prefix).raw(PLAIN).raw("\"></i>");
        }
        out.raw("\n</body>\n</html>\n");
        out.finish()
    }
}

/// The rights of the document are declared first. Neither Chromium nor Firefox then loads anything that
/// a style names.
const POLICY_START: &str = "<meta charset=\"utf-8\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"";

const HEAD: &str = "\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <meta name=\"robots\" content=\"noindex\">\n\
    <meta name=\"referrer\" content=\"no-referrer\">\n\
    <meta name=\"color-scheme\" content=\"light\">\n\
    <link rel=\"icon\" href=\"data:,\">\n";

/// The colors that pages assume: black on white, even if the report is dark.
const LOOK: &str = "<style>\nhtml{background:#fff;color:#000}\n</style>\n";

/// The mark that a link leads to.
const TARGET: &str = "\"]:target{outline:3px solid #9a5b00!important;outline-offset:3px!important;\
    scroll-margin:4em!important}\n</style>\n";

/// Adds the attributes that the root and the body may have.
fn attributes(tag: &Tag<'_>, out: &mut Markup, left: &mut LeftOut) {
    let mut writer = BodyWriter::new(Markup::within(out.language(), HEAD_BYTES), left);
    writer.attributes("bgcolor", tag);
    *out = writer.out;
}

/// Whether `tag` looks like a language tag.
fn is_language(tag: &str) -> bool {
    tag.len() <= 35 && tag.split('-').all(is_subtag)
}

fn is_subtag(part: &str) -> bool {
    (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
}
