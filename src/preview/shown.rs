//! A stored file shown by its kind: the only `match` over all kinds.

use std::collections::BTreeMap;

use crate::budget::{STORED_FILE, TEXT};
use crate::language::Language as Words;
use crate::preview::evidence::QuotationMark;
use crate::preview::markup::{Markup, Safe, fitting};
use crate::preview::notebook::PictureStore;
use crate::preview::sanitizer::{self, LeftOut, SafeCopy};
use crate::preview::text::remarks;
use crate::preview::{
    Preview, PreviewContext, code, conversation, drawing, json, markdown, notebook, office,
    picture, table, text,
};
use ::text::bytes;
use formats::limits::MAX_READ_BYTES;
use formats::{Content, File, FileKind, picture as picture_file};

/// Bytes by which a file's markup may exceed its limit: closing tags, and one address.
const CLOSING_BYTES: usize = 16 * 1024;

/// A stored file on its way to a page.
pub(super) struct StoredFile<'f> {
    pub(super) name: &'f str,
    /// Its beginning.
    pub(super) file: &'f File<'f>,
    /// Whether that is all of it.
    pub(super) is_whole: bool,
    pub(super) bytes: u64,
    pub(super) href: &'f str,
    pub(super) place: &'f PreviewContext<'f>,
    /// Its place in the source.
    pub(super) path: &'f str,
    pub(super) is_transcript: bool,
    /// The most bytes of its markup.
    pub(super) max_bytes: usize,
    /// What is marked in it.
    pub(super) quotations: &'f [&'f str],
    /// The beginning of the ids and names that it may have on the page.
    pub(super) prefix: &'f str,
}

impl StoredFile<'_> {
    /// The preview of the file by its kind, or why there is none.
    pub(super) fn show(&self) -> Result<Preview, String> {
        let shown = self.by_kind()?;
        if shown.html.as_str().len() > self.max_bytes + CLOSING_BYTES {
            return Err(self.word("preview.too_large_for_preview"));
        }
        Ok(shown)
    }

    fn by_kind(&self) -> Result<Preview, String> {
        // `transcript.md` is Markdown too, but a reader looks for who said what.
        if self.is_transcript
            && let Some(shown) = self.conversation()
        {
            return Ok(shown);
        }
        match self.file.kind {
            FileKind::Markdown => self.markdown(),
            FileKind::Json => self.tree(json::document),
            FileKind::JsonLines => match self.conversation() {
                Some(shown) => Ok(shown),
                None => self.tree(json::lines),
            },
            FileKind::Code(_) => self.code(),
            FileKind::Picture => Ok(self.picture()),
            FileKind::Drawing => self.drawing(),
            FileKind::Delimited(_)
            | FileKind::Notebook
            | FileKind::Workbook
            | FileKind::Document
            | FileKind::Slides => self.structured(),
            FileKind::Page => self.page(),
            FileKind::Pdf => self.pdf(),
            FileKind::Other => Ok(self.fall_back(String::new())),
        }
    }

    /// The unchanged file if it is text, else nothing; `reason` says why it is not shown by its
    /// kind.
    pub(super) fn fall_back(&self, reason: String) -> Preview {
        let Some(text) = self.file.own_text() else {
            return Preview { remark: reason, ..Preview::default() };
        };
        let (part, cut) = self.part(text);
        let html = if part.is_empty() { Safe::default() } else { text::pre(part) };
        let remark = remarks([reason.as_str(), &cut], self.words());
        Preview { html, remark, ..Preview::default() }
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

    fn text(&self) -> Result<&str, String> {
        self.file.own_text().ok_or_else(|| self.word("preview.no_text"))
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
        let head = text::head(text, self.max_bytes.min(TEXT));
        self.cut_to(text, fitting(head, self.max_bytes))
    }

    /// The markup written, with the part of the unchanged text that is kept.
    fn with_source(&self, out: Markup, text: &str, remark: String) -> Preview {
        let source = text::pre(text::head(text, TEXT));
        Preview { html: out.finish(), source, remark, ..Preview::default() }
    }

    /// The markup written, without the unchanged text.
    fn alone(&self, out: Markup, is_whole: bool, remark: String) -> Preview {
        let needs_remark = (!is_whole || out.is_cut()) && remark.is_empty();
        let remark = if needs_remark { self.word("preview.beginning") } else { remark };
        Preview { html: out.finish(), remark, ..Preview::default() }
    }

    /// A remark on how much of the text is kept; empty for all of it.
    fn cut(&self, text: &str) -> String {
        self.cut_to(text, TEXT).1
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
        let head = text::head(text, TEXT);
        let is_whole = markdown::write(head, usize::MAX, &mut out) && !out.is_cut();
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
        // A tree takes many times the memory of its text.
        if text.len() > MAX_READ_BYTES {
            return Err(self.word("preview.too_large_for_tree"));
        }
        let mut out = self.markup();
        let is_whole = write(text, &mut out)? && !out.is_cut();
        let rest = if is_whole { "" } else { self.words().text("preview.beginning_of_tree") };
        let remark = remarks([rest, &self.source_cut(text)], self.words());
        Ok(self.with_source(out, text, remark))
    }

    fn conversation(&self) -> Option<Preview> {
        let (text, mut out) = (self.file.own_text()?, self.markup());
        let is_whole = if let Some(turns) = self.file.turns() {
            conversation::write(&turns, &mut out)
        } else if matches!(self.file.kind, FileKind::Markdown) {
            conversation::write_markdown(text::head(text, TEXT), &mut out)
        } else {
            return None;
        };
        let is_whole = is_whole && !out.is_cut();
        let remark = if is_whole { self.cut(text) } else { self.word("preview.in_part") };
        Some(self.with_source(out, text, remark))
    }

    fn code(&self) -> Result<Preview, String> {
        let FileKind::Code(language) = self.file.kind else { return Ok(Preview::default()) };
        let (part, remark) = self.part(self.text()?);
        let mut out = self.markup();
        out.raw("<pre class=\"code\">\n");
        code::highlight(part, language, &mut out);
        out.raw("</pre>");
        Ok(self.alone(out, true, remark))
    }

    fn picture(&self) -> Preview {
        let size = picture_file::size(self.file.bytes);
        let mut out = Markup::new(self.words());
        picture::write(self.href, self.name, size, &mut out);
        let remark = size.map_or(String::new(), |(width, height)| format!("{width} × {height}"));
        self.alone(out, true, remark)
    }

    /// A safe copy as a picture, and the source.
    fn drawing(&self) -> Result<Preview, String> {
        let text = self.text()?;
        let drawing = drawing::clean(text).ok_or_else(|| self.word("preview.no_drawing"))?;
        let href = self.place.put(self.path, &drawing.svg, "svg")?;
        let mut out = Markup::new(self.words());
        picture::write(&href, self.name, drawing.size, &mut out);
        let remark = if drawing.is_cut { self.word("preview.made_safe") } else { String::new() };
        Ok(self.with_source(out, text, remark))
    }

    /// A table, a notebook or an office file.
    fn structured(&self) -> Result<Preview, String> {
        let is_packed = self.file.text.is_none();
        // An archive has the list of its files at its end.
        if is_packed && !self.is_whole {
            return Err(self.word("preview.too_large_for_preview"));
        }
        let mut out = self.markup();
        match self.file.content() {
            Content::Tables(sheets) if !is_packed => {
                let table = sheets.into_iter().find_map(|sheet| sheet.table).unwrap_or_default();
                if table.rows.is_empty() {
                    let remark = self.word("preview.empty");
                    return Ok(Preview { remark, ..Preview::default() });
                }
                let shown = table::write(&table, true, &mut out);
                let remark = table::remark(&table, shown, self.words());
                Ok(self.with_source(out, self.text()?, remark))
            }
            Content::Tables(sheets) => {
                let remark = office::workbook(&sheets, &mut out);
                Ok(self.alone(out, true, remark))
            }
            Content::Slides(slides) => {
                let remark = office::slides(&slides, &mut out);
                Ok(self.alone(out, true, remark))
            }
            Content::Blocks(blocks) => {
                office::document(&blocks, &mut out);
                let is_whole = !out.is_full();
                Ok(self.alone(out, is_whole, String::new()))
            }
            Content::Notebook(notebook) => {
                let store = PictureStore { place: self.place, path: self.path };
                let is_whole = notebook::write(&notebook, store, &mut out);
                Ok(self.alone(out, is_whole, String::new()))
            }
            _ => Err(self.word("preview.not_its_kind")),
        }
    }

    /// A clean copy in a frame, with a remark on omissions; structure and source.
    fn page(&self) -> Result<Preview, String> {
        let text = self.text()?;
        let copy = sanitizer::copy(text, self.name, self.words(), self.quotations);
        let mut out = self.markup();
        let mut marks = BTreeMap::new();
        let remark = left_out_text(&copy, self.words());
        if !remark.is_empty() {
            out.raw("<p class=\"reason\">").value(&remark).raw("</p>");
        }
        if copy.left_out.scripts > 0 && !self.picture_beside(&mut out) {
            // What scripts draw can only be seen in a browser, by hand.
            out.raw("<p class=\"reason\">").word("frame.needs_scripts").raw("</p>");
            out.raw("<pre class=\"command\">").value(self.path).raw("</pre>");
        }
        if !copy.is_empty {
            let href = self.place.put(self.path, copy.html.as_str().as_bytes(), "html")?;
            let frame = format!("{}frame", self.prefix);
            for (quotation, mark) in self.quotations.iter().zip(&copy.marks) {
                let Some(first) = mark else { continue };
                let mark = QuotationMark::new(first, &href, &frame);
                marks.insert((*quotation).to_owned(), mark);
            }
            let marked = if marks.is_empty() { None } else { Some([&*frame, &*copy.prefix]) };
            write_frame(copy.lines, self.name, &href, marked, &mut out);
        }
        let mut outline = Markup::within(self.words(), out.left());
        if !copy.is_empty {
            let head = text::head(text, TEXT);
            if !sanitizer::outline(head, &mut outline) || outline.is_cut() {
                outline
                    .raw("<p class=\"counts\">")
                    .value(&self.word("preview.beginning"))
                    .raw("</p>");
            }
        }
        let shown = Preview {
            outline: outline.finish(),
            ..self.with_source(out, text, self.source_cut(text))
        };
        Ok(Preview { has_frame: !copy.is_empty, opens_source: copy.is_empty, marks, ..shown })
    }

    /// Adds the picture of the same name that lies beside the file: whoever made a page that scripts draw often
    /// took one. Returns whether there is one.
    fn picture_beside(&self, out: &mut Markup) -> bool {
        let stem = |path: &str| path.rsplit_once('.').map(|(stem, _)| stem.to_owned());
        let (Some(path), Some(name)) = (stem(self.path), stem(self.name)) else { return false };
        for extension in ["png", "jpg", "jpeg", "webp"] {
            let path = format!("{path}.{extension}");
            let Ok(content) = self.place.source.read(&path, STORED_FILE) else { continue };
            let file = File::new(&path, &content);
            if !matches!(file.kind, FileKind::Picture) {
                continue;
            }
            if let Ok(href) = self.place.put(&path, &content, extension) {
                out.raw("<p class=\"counts\">").word("frame.picture").raw(" <code>");
                out.text(&format!("{name}.{extension}")).raw("</code></p>");
                picture::write(&href, &name, picture_file::size(&content), out);
                return true;
            }
        }
        false
    }

    /// The text of a PDF, since what its viewer shows can be neither searched by a page nor marked.
    fn pdf(&self) -> Result<Preview, String> {
        // A page that is only read, not judged, leaves it to the viewer.
        if self.quotations.is_empty() {
            return Ok(Preview::default());
        }
        let Content::Text(text) = self.file.content() else { return Ok(Preview::default()) };
        let (part, remark) = self.part(&text);
        let mut out = self.markup();
        out.raw("<details class=\"fold\"><summary>").word("preview.text").raw("</summary><pre>\n");
        out.text(part).raw("</pre></details>");
        Ok(self.alone(out, true, remark))
    }
}

/// The word for the kind of a file next to its name, or empty.
pub(super) fn kind_word(kind: FileKind, words: &Words) -> &str {
    match kind {
        FileKind::Markdown => "Markdown",
        FileKind::Json => "JSON",
        FileKind::JsonLines => words.text("kind.json_lines"),
        FileKind::Delimited(_) => words.text("kind.table"),
        FileKind::Code(language) => language.name,
        FileKind::Picture => words.text("kind.picture"),
        FileKind::Drawing => "SVG",
        FileKind::Notebook => words.text("kind.notebook"),
        FileKind::Workbook => words.text("kind.workbook"),
        FileKind::Document => words.text("kind.document"),
        FileKind::Slides => words.text("kind.slides"),
        FileKind::Page => "HTML",
        FileKind::Pdf => "PDF",
        FileKind::Other => "",
    }
}

/// Adds the frame for the stored copy at `href`, of about `lines` lines, to `out`. If something is
/// `marked` in it, the frame has that name, under which links open in it, and the copy that prefix.
fn write_frame(lines: usize, name: &str, href: &str, marked: Option<[&str; 2]>, out: &mut Markup) {
    out.raw(match lines {
        0..=6 => "<div class=\"frame short\">",
        7..=20 => "<div class=\"frame\">",
        _ => "<div class=\"frame tall\">",
    });
    out.raw("<iframe sandbox loading=\"lazy\" referrerpolicy=\"no-referrer\" title=\"").value(name);
    if let Some([frame, prefix]) = marked {
        out.raw("\" name=\"").value(frame);
        out.raw("\" data-plain=\"").value(prefix).raw(sanitizer::PLAIN);
    }
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
    let mut sentences = Vec::new();
    if !list.is_empty() {
        sentences.push(words.fill("frame.left_out", &[("parts", &list)]));
    }
    if scripts > 0 && !copy.is_empty {
        sentences.push(words.text("frame.scripts").to_owned());
    }
    if copy.is_empty {
        sentences.push(words.text("frame.empty").to_owned());
    }
    if !copy.is_whole {
        sentences.push(words.text("frame.cut").to_owned());
    }
    sentences.join(words.text("list.semicolon"))
}
