//! A stored file shown by its kind: the only `match` over all kinds.

use crate::language::Language as Words;
use crate::preview::kind::FileKind;
use crate::preview::markup::{Markup, Safe, fitting};
use crate::preview::page::{self, LeftOut, SafeCopy};
use crate::preview::text::remarks;
use crate::preview::{
    Preview, PreviewContext, code, conversation, drawing, json, markdown, notebook, office,
    picture, syntax, table, text, turns,
};
use crate::text::bytes;

/// The most bytes of JSON and of transcripts that are read to show their structure.
const MAX_TREE_BYTES: usize = 2 * 1024 * 1024;

/// Bytes by which a file's markup may exceed its limit: closing tags, and one address.
const MAX_EXCESS: usize = 16 * 1024;

pub(super) struct File<'f> {
    pub(super) name: &'f str,
    /// Its beginning.
    pub(super) content: &'f [u8],
    /// Whether it is complete.
    pub(super) is_whole: bool,
    pub(super) bytes: u64,
    /// Its text, if it is text.
    pub(super) text: Option<&'f str>,
    pub(super) href: &'f str,
    pub(super) place: &'f PreviewContext<'f>,
    /// Its place in the source.
    pub(super) path: &'f str,
    pub(super) is_transcript: bool,
    /// The most bytes of its markup.
    pub(super) max_bytes: usize,
}

impl File<'_> {
    /// The preview of the file by its kind, or why there is none.
    pub(super) fn show(&self, kind: FileKind) -> Result<Preview, String> {
        let shown = self.by_kind(kind)?;
        if shown.html.as_str().len() > self.max_bytes + MAX_EXCESS {
            return Err("too large to be shown by its structure".to_owned());
        }
        Ok(shown)
    }

    fn by_kind(&self, kind: FileKind) -> Result<Preview, String> {
        if self.is_transcript
            && let Some(shown) = self.conversation(kind)
        {
            return Ok(shown);
        }
        match kind {
            FileKind::Markdown => self.markdown(),
            FileKind::Json => self.tree(json::document),
            FileKind::JsonLines => match self.conversation(kind) {
                Some(shown) => Ok(shown),
                None => self.tree(json::lines),
            },
            FileKind::Delimited(separator) => self.table(separator),
            FileKind::Code(language) => self.code(language),
            FileKind::Picture => Ok(self.picture()),
            FileKind::Drawing => self.drawing(),
            FileKind::Notebook => self.notebook(),
            FileKind::Workbook => self.office(office::workbook),
            FileKind::Document => self.office(office::document),
            FileKind::Slides => self.office(office::slides),
            FileKind::Page => self.page(),
            FileKind::Pdf => Ok(Preview::default()),
            FileKind::Other => Ok(self.fall_back(String::new())),
        }
    }

    /// The unchanged file if it is text, else nothing; `reason` says why it is not shown by its
    /// kind.
    pub(super) fn fall_back(&self, reason: String) -> Preview {
        let Some(text) = self.text else { return Preview { remark: reason, ..Preview::default() } };
        let (part, cut) = self.part(text);
        let html = if part.is_empty() { Safe::default() } else { text::pre(part) };
        Preview {
            html,
            remark: remarks([reason.as_str(), &cut], self.words()),
            ..Preview::default()
        }
    }

    fn words(&self) -> &Words {
        self.place.language
    }

    fn word(&self, key: &str) -> String {
        self.words().text(key).to_owned()
    }

    fn markup(&self) -> Markup {
        Markup::within(self.words(), self.max_bytes)
    }

    /// At most `limit` bytes of the text, and a remark if it is cut.
    fn cut_to<'t>(&self, text: &'t str, limit: usize) -> (&'t str, String) {
        let part = text::head(text, limit);
        if part.len() == text.len() {
            return (part, String::new());
        }
        let (shown, total) = (bytes(part.len() as u64), bytes(self.bytes.max(text.len() as u64)));
        (part, self.words().fill("preview.first_of", &[("shown", &shown), ("all", &total)]))
    }

    /// The part of the text that fits unchanged, and a remark if it is cut.
    fn part<'t>(&self, text: &'t str) -> (&'t str, String) {
        let head = text::head(text, self.max_bytes.min(text::MAX_SHOWN_BYTES));
        self.cut_to(text, fitting(head, self.max_bytes))
    }

    fn text(&self) -> Result<&str, String> {
        self.text.ok_or_else(|| self.word("preview.no_text"))
    }

    /// The part of the text that is kept unchanged.
    fn head<'t>(&self, text: &'t str) -> &'t str {
        text::head(text, text::MAX_SHOWN_BYTES)
    }

    /// The markup written, with the unchanged text.
    fn with_source(&self, out: Markup, text: &str, remark: String) -> Preview {
        let source = text::pre(self.head(text));
        Preview { html: out.finish(), source, remark, ..Preview::default() }
    }

    /// A remark on how much of the text is kept; empty for all of it.
    fn cut(&self, text: &str) -> String {
        self.cut_to(text, text::MAX_SHOWN_BYTES).1
    }

    /// The same if something else is shown first.
    fn source_cut(&self, text: &str) -> String {
        match self.cut(text).as_str() {
            "" => String::new(),
            cut => self.words().fill("preview.text_cut", &[("cut", &cut)]),
        }
    }

    fn markdown(&self) -> Result<Preview, String> {
        let (text, mut out) = (self.text()?, self.markup());
        let is_whole = markdown::write(self.head(text), usize::MAX, &mut out) && !out.is_cut();
        let mut remark = self.cut(text);
        if !is_whole && remark.is_empty() {
            remark = self.word("preview.beginning");
        }
        Ok(self.with_source(out, text, remark))
    }

    fn tree(
        &self,
        write: fn(&str, &mut Markup) -> Result<bool, String>,
    ) -> Result<Preview, String> {
        let text = self.text()?;
        if text.len() > MAX_TREE_BYTES {
            return Err(self.word("preview.too_large_for_tree"));
        }
        let mut out = self.markup();
        let is_whole = write(text, &mut out)? && !out.is_cut();
        let rest = if is_whole { "" } else { self.words().text("preview.beginning_of_tree") };
        let remark = remarks([rest, &self.source_cut(text)], self.words());
        Ok(self.with_source(out, text, remark))
    }

    fn conversation(&self, kind: FileKind) -> Option<Preview> {
        let text = text::head(self.text?, MAX_TREE_BYTES);
        let mut out = self.markup();
        let turns = match kind {
            FileKind::Json => Some(turns::from_json(text)?),
            FileKind::JsonLines => Some(turns::from_lines(text)?),
            FileKind::Other => Some(turns::from_text(text)?),
            FileKind::Markdown => None,
            _ => return None,
        };
        let is_whole = match turns {
            Some(turns) => conversation::write(&turns, &mut out),
            None => conversation::write_markdown(self.head(text), &mut out),
        };
        let is_whole = is_whole && !out.is_cut();
        let remark = if is_whole { self.cut(text) } else { self.word("preview.in_part") };
        Some(self.with_source(out, text, remark))
    }

    fn table(&self, separator: u8) -> Result<Preview, String> {
        let text = self.text()?;
        let mut table = table::delimited(text, separator);
        if table.rows.is_empty() {
            return Ok(Preview { remark: self.word("preview.empty"), ..Preview::default() });
        }
        let mut out = self.markup();
        table.write(true, &mut out);
        Ok(self.with_source(out, text, table.remark(self.words())))
    }

    /// The markup written, without the unchanged text.
    fn alone(&self, out: Markup, is_whole: bool, remark: String) -> Preview {
        let needs_remark = (!is_whole || out.is_cut()) && remark.is_empty();
        let remark = if needs_remark { self.word("preview.beginning") } else { remark };
        Preview { html: out.finish(), remark, ..Preview::default() }
    }

    fn code(&self, language: &'static syntax::CodeLanguage) -> Result<Preview, String> {
        let (part, remark) = self.part(self.text()?);
        let mut out = self.markup();
        out.raw("<pre class=\"code\">\n");
        code::highlight(part, language, &mut out);
        out.raw("</pre>");
        Ok(self.alone(out, true, remark))
    }

    fn picture(&self) -> Preview {
        let size = picture::size(self.content);
        let mut out = Markup::new(self.words());
        picture::write(self.href, self.name, size, &mut out);
        let remark = size.map_or(String::new(), |(width, height)| format!("{width} × {height}"));
        self.alone(out, true, remark)
    }

    /// A safe copy as a picture, and the source.
    fn drawing(&self) -> Result<Preview, String> {
        let text = self.text()?;
        let drawing = drawing::clean(text, self.place.source)
            .ok_or_else(|| self.word("preview.no_drawing"))?;
        let href = self.place.put(self.path, &drawing.svg, "svg")?;
        let mut out = Markup::new(self.words());
        picture::write(&href, self.name, drawing.size, &mut out);
        let remark = if drawing.is_cut { self.word("preview.made_safe") } else { String::new() };
        Ok(self.with_source(out, text, remark))
    }

    fn notebook(&self) -> Result<Preview, String> {
        let mut out = self.markup();
        let store =
            |bytes: &[u8], extension: &str| self.place.put(self.path, bytes, extension).ok();
        let is_whole = notebook::write(self.text()?, &store, &mut out)?;
        Ok(self.alone(out, is_whole, String::new()))
    }

    fn office(&self, write: fn(&[u8], &mut Markup) -> Option<String>) -> Result<Preview, String> {
        if !self.is_whole {
            return Err(self.word("preview.too_large_for_preview"));
        }
        let mut out = self.markup();
        let remark = write(self.content, &mut out);
        let remark = remark.ok_or_else(|| self.word("preview.not_its_kind"))?;
        Ok(self.alone(out, true, remark))
    }

    /// A clean copy in a frame, with a remark on omissions; structure and source.
    fn page(&self) -> Result<Preview, String> {
        let text = self.text()?;
        let copy = page::copy(text, self.name, self.words());
        let mut out = self.markup();
        let remark = left_out_text(&copy, self.words());
        if !remark.is_empty() {
            out.raw("<p class=\"reason\">").value(&remark).raw("</p>");
        }
        if !copy.is_empty {
            let html = copy.html.clone().clean(self.place.source);
            let href = self.place.put(self.path, html.as_str().as_bytes(), "html")?;
            write_frame(copy.lines, self.name, &href, &mut out);
            out.raw("<details class=\"fold\"><summary>").word("frame.outline").raw("</summary>");
            if !page::outline(self.head(text), &mut out) || out.is_cut() {
                out.raw("<p class=\"counts\">").value(&self.word("preview.beginning")).raw("</p>");
            }
            out.raw("</details>");
        }
        let shown = self.with_source(out, text, self.source_cut(text));
        Ok(Preview { has_frame: !copy.is_empty, ..shown })
    }
}

/// Adds the frame for the stored copy at `href`, of about `lines` lines, to `out`.
fn write_frame(lines: usize, name: &str, href: &str, out: &mut Markup) {
    out.raw(match lines {
        0..=6 => "<div class=\"frame short\">",
        7..=20 => "<div class=\"frame\">",
        _ => "<div class=\"frame tall\">",
    });
    out.raw("<iframe sandbox loading=\"lazy\" referrerpolicy=\"no-referrer\" title=\"").value(name);
    out.raw("\" src=\"").value(href).raw("\"></iframe></div><p class=\"counts\"><a href=\"");
    out.value(href).raw("\">").word("frame.alone").raw("</a></p>");
}

/// The omissions of the copy, and their meaning for a reader; empty for none.
fn left_out_text(copy: &SafeCopy, words: &Words) -> String {
    let LeftOut { scripts, styles, pictures, embedded } = copy.left_out;
    let list = words.counts([
        (scripts, "script"),
        (styles, "page_style"),
        (pictures, "page_picture"),
        (embedded, "embedded"),
    ]);
    let sentences = [
        (!list.is_empty()).then(|| words.fill("frame.left_out", &[("parts", &list)])),
        (scripts > 0 && !copy.is_empty).then(|| words.text("frame.scripts").to_owned()),
        copy.is_empty.then(|| words.text("frame.empty").to_owned()),
        (!copy.is_whole).then(|| words.text("frame.cut").to_owned()),
    ];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(words.text("list.semicolon"))
}
