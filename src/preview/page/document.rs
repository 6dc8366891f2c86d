//! A clean copy of a page: a document of its own that neither runs nor loads anything.

use crate::language::Language;
use crate::page_policy;
use crate::preview::markup::{Markup, Safe};
use crate::preview::page::body::{BodyWriter, LeftOut};
use crate::preview::page::rules::DROPPED;
use crate::preview::page::sheet;
use crate::preview::page::token::{HtmlToken, Tag, Tokens};
use crate::preview::references::unescaped;

const MAX_BYTES: usize = 512 * 1024;

/// Bytes that a copy may take beyond twice its source.
const HEAD_BYTES: usize = 2 * 1024;
const MAX_TITLE: usize = 200;

#[derive(Debug)]
pub(crate) struct SafeCopy {
    pub(crate) html: Safe,
    pub(crate) left_out: LeftOut,
    pub(crate) is_whole: bool,
    pub(crate) is_empty: bool,
    /// About how many lines it has.
    pub(crate) lines: usize,
}

/// The clean copy of the page in `text`, which is called `name`.
pub(crate) fn copy(text: &str, name: &str, language: &Language) -> SafeCopy {
    let max_bytes = (2 * text.len() + HEAD_BYTES).min(MAX_BYTES);
    let mut left_out = LeftOut::default();
    let head = PageHead::new(text, max_bytes / 4 * 3, language, &mut left_out);
    let head_bytes = head.sheets.len() + head.root.len() + head.body.len();
    let rest = max_bytes.saturating_sub(head_bytes);
    let mut writer = BodyWriter::new(Markup::within(language, rest), &mut left_out);
    let is_whole = writer.page(text) && head.is_whole;
    let lines = writer.lines + writer.seen / 90;
    let (body, is_empty) = (writer.out, writer.seen == 0);
    let html = head.write(name, body, language);
    SafeCopy { html, left_out, is_whole, is_empty, lines }
}

struct PageHead {
    title: String,
    language: Option<String>,
    /// Attributes of the root and of the body.
    root: Markup,
    body: Markup,
    sheets: String,
    is_whole: bool,
}

impl PageHead {
    /// The head of the page in `text`, with at most `max_bytes` bytes of style sheets.
    fn new(text: &str, max_bytes: usize, language: &Language, left: &mut LeftOut) -> Self {
        let bare = || Markup::within(language, HEAD_BYTES);
        let (title, sheets) = (String::new(), String::new());
        let mut head =
            Self { title, language: None, root: bare(), body: bare(), sheets, is_whole: true };
        for token in Tokens::new(text, DROPPED) {
            if let HtmlToken::Start(tag) = token {
                head.take(&tag, max_bytes, left);
            }
        }
        head
    }

    fn take(&mut self, tag: &Tag<'_>, max_bytes: usize, left: &mut LeftOut) {
        match tag.name.as_str() {
            "html" if self.language.is_none() => {
                let language = tag.attribute("lang").filter(|tag| is_language(tag));
                self.language = Some(language.unwrap_or_default());
                attributes(tag, &mut self.root, left);
            }
            "body" if self.body.len() == 0 => attributes(tag, &mut self.body, left),
            "title" if self.title.is_empty() => {
                let title = unescaped(tag.content);
                self.title = title.trim().chars().take(MAX_TITLE).collect();
            }
            "style" => {
                let mut sheet = sheet::rules(tag.content);
                if let Some(media) = tag.attribute("media").filter(|media| !media.is_empty()) {
                    sheet = sheet::for_media(sheet, &media);
                }
                left.styles += sheet.left_out;
                if self.sheets.len() + sheet.css.len() <= max_bytes {
                    self.sheets += &sheet.css;
                } else {
                    left.styles += 1;
                    self.is_whole = false;
                }
            }
            _ => {}
        }
    }

    /// The document with this head and `body`.
    fn write(self, name: &str, body: Markup, language: &Language) -> Safe {
        let title = if self.title.is_empty() { name } else { &self.title };
        let named = self.language.as_deref().filter(|tag| !tag.is_empty());
        let mut out = Markup::new(language);
        out.raw("<!doctype html>\n<html lang=\"").value(named.unwrap_or("und")).raw("\"");
        out.safe(&self.root.finish()).raw(">\n<head>\n").raw(POLICY_START);
        out.raw(page_policy::COPY).raw(HEAD);
        out.raw("<title>").value(title).raw("</title>\n<style>\n").raw(LOOK);
        out.sheet(&self.sheets).raw("</style>\n</head>\n<body");
        out.safe(&self.body.finish()).raw(">\n").safe(&body.finish()).raw("\n</body>\n</html>\n");
        out.finish()
    }
}

/// The rights of the document are declared first.
const POLICY_START: &str = "<meta charset=\"utf-8\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"";

const HEAD: &str = "\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <meta name=\"robots\" content=\"noindex\">\n\
    <meta name=\"referrer\" content=\"no-referrer\">\n\
    <meta name=\"color-scheme\" content=\"light\">\n\
    <link rel=\"icon\" href=\"data:,\">\n";

/// The colors that pages assume: black on white, even if the report is dark.
const LOOK: &str = "html{background:#fff;color:#000}\n";

/// Adds the attributes that the root and the body may have.
fn attributes(tag: &Tag<'_>, out: &mut Markup, left: &mut LeftOut) {
    let mut writer = BodyWriter::new(Markup::within(out.language(), HEAD_BYTES), left);
    writer.attributes("bgcolor", tag);
    *out = writer.out;
}

/// Whether `tag` looks like a language tag.
fn is_language(tag: &str) -> bool {
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
    };
    tag.len() <= 35 && tag.split('-').all(is_part)
}
