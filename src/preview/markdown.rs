//! Markdown as a reader sees it.
//!
//! The events of the parser become markup one by one, so that nothing in the document gets through
//! unchecked. Raw HTML is shown as text. Links lead to `http`, `https` and `mailto` only. Pictures
//! and other links stay text, with their target visible. Headings are below those of the page and
//! have no ids.

use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag,
    TagEnd,
};

use crate::preview::code;
use crate::preview::markup::Markup;
use formats::limits::MAX_NESTING;

/// Schemes of links that may be followed.
const SCHEMES: &[&str] = &["http://", "https://", "mailto:"];

/// Adds `text` to `out`, with code of more lines than `fold_beyond` folded; returns whether all of
/// it fit.
pub(super) fn write(text: &str, fold_beyond: usize, out: &mut Markup) -> bool {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut writer = MarkdownWriter {
        out,
        fold_beyond,
        open: Vec::new(),
        alignments: Vec::new(),
        column: 0,
        in_head: false,
        code: None,
    };
    writer.out.raw("<div class=\"markdown\">");
    let mut is_whole = true;
    for event in Parser::new_ext(text, options) {
        if writer.out.is_full() {
            is_whole = false;
            break;
        }
        writer.event(event);
    }
    while !writer.open.is_empty() {
        writer.close();
    }
    writer.out.raw("</div>");
    is_whole
}

struct MarkdownWriter<'m> {
    out: &'m mut Markup,
    fold_beyond: usize,
    open: Vec<Open>,
    /// Of the current table.
    alignments: Vec<Alignment>,
    column: usize,
    in_head: bool,
    /// The language and the text of the current code block.
    code: Option<(String, String)>,
}

enum Open {
    With(&'static str),
    /// The target of something that is not a link, and a literal.
    Target(String, &'static str),
    Code,
}

impl MarkdownWriter<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(end) => self.end(end),
            // Tags in Markdown are what the agent wrote, so a reviewer sees them.
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => drop(self.out.wrap("<code>", &text, "</code>")),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
            Event::FootnoteReference(name) => drop(self.out.wrap("<sup>", &name, "</sup>")),
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => drop(self.out.raw("<br>")),
            Event::Rule => drop(self.out.raw("<hr>")),
            Event::TaskListMarker(done) => {
                self.text(if done { "\u{2611} " } else { "\u{2610} " });
            }
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some((_, code)) => code.push_str(text),
            None => drop(self.out.text(text)),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        // Browsers take long for thousands of nested quotations; the text itself is kept.
        if self.open.len() >= MAX_NESTING {
            self.open.push(Open::With(""));
            return;
        }
        let open = match tag {
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => self.start_code(&info),
            Tag::CodeBlock(CodeBlockKind::Indented) => self.start_code(""),
            // Front matter of a `SKILL.md` decides when the skill loads.
            Tag::MetadataBlock(_) => self.start_code("yaml"),
            Tag::Link { link_type, dest_url, .. } => self.start_link(link_type, &dest_url),
            Tag::Image { dest_url, .. } => {
                self.out.raw("<span class=\"picture\">").word("preview.picture_before");
                Open::Target(dest_url.into_string(), "</span>")
            }
            Tag::Table(alignments) => {
                self.alignments = alignments;
                self.simple("<div class=\"wide\" tabindex=\"0\"><table>", "</tbody></table></div>")
            }
            Tag::TableHead => {
                self.in_head = true;
                self.simple("<thead><tr>", "</tr></thead><tbody>")
            }
            Tag::TableCell => self.start_cell(),
            Tag::List(Some(first)) if first != 1 => {
                self.out.raw("<ol start=\"").number(first as usize);
                self.simple("\">", "</ol>")
            }
            Tag::BlockQuote(Some(kind)) => {
                self.out.raw("<blockquote><b>").word(alert(kind));
                self.simple("</b>", "</blockquote>")
            }
            Tag::FootnoteDefinition(name) => {
                self.out.wrap("<div class=\"footnote\"><sup>", &name, "</sup> ");
                Open::With("</div>")
            }
            other => {
                let (open, close) = element(&other);
                self.simple(open, close)
            }
        };
        self.open.push(open);
    }

    fn simple(&mut self, open: &'static str, close: &'static str) -> Open {
        self.out.raw(open);
        Open::With(close)
    }

    fn start_code(&mut self, info: &str) -> Open {
        // Such as `python title="a.py"`, `rust,ignore` and `r{echo=FALSE}`.
        let word = info.split([' ', ',', '{', '\t']).next().unwrap_or_default();
        self.code = Some((word.to_ascii_lowercase(), String::new()));
        Open::Code
    }

    fn start_link(&mut self, kind: LinkType, target: &str) -> Open {
        let email = kind == LinkType::Email;
        let lower = target.get(..8).unwrap_or(target).to_ascii_lowercase();
        let may_follow = SCHEMES.iter().any(|scheme| lower.starts_with(scheme));
        // Files next to the document are not at the same place in the report.
        if !may_follow && !email {
            return Open::Target(target.to_owned(), "");
        }
        self.out.raw("<a rel=\"noreferrer noopener\" href=\"");
        self.out.raw(if email { "mailto:" } else { "" }).value(target);
        self.simple("\">", "</a>")
    }

    fn start_cell(&mut self) -> Open {
        let alignment = self.alignments.get(self.column).copied();
        self.column += 1;
        let (open, close) =
            if self.in_head { ("<th scope=\"col\"", "</th>") } else { ("<td", "</td>") };
        self.out.raw(open).raw(match alignment {
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::Center) => " class=\"center\"",
            _ => "",
        });
        self.simple(">", close)
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::TableHead => {
                self.in_head = false;
                self.column = 0;
            }
            TagEnd::TableRow => self.column = 0,
            _ => {}
        }
        self.close();
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::With(literal)) => drop(self.out.raw(literal)),
            Some(Open::Target(target, literal)) => {
                self.out.wrap(" <span class=\"target\">(", &target, ")</span>").raw(literal);
            }
            Some(Open::Code) => {
                let (language, code) = self.code.take().unwrap_or_default();
                code::block(&code, &language, self.fold_beyond, self.out);
            }
            None => {}
        }
    }
}

fn alert(kind: BlockQuoteKind) -> &'static str {
    match kind {
        BlockQuoteKind::Note => "alert.note",
        BlockQuoteKind::Tip => "alert.tip",
        BlockQuoteKind::Important => "alert.important",
        BlockQuoteKind::Warning => "alert.warning",
        BlockQuoteKind::Caution => "alert.caution",
    }
}

/// The start and end of an element without attributes. Headings are below the page's `h3`.
fn element(tag: &Tag<'_>) -> (&'static str, &'static str) {
    match tag {
        Tag::Paragraph => ("<p>", "</p>"),
        Tag::Heading { level: HeadingLevel::H1, .. } => ("<h4>", "</h4>"),
        Tag::Heading { level: HeadingLevel::H2, .. } => ("<h5>", "</h5>"),
        Tag::Heading { .. } => ("<h6>", "</h6>"),
        Tag::BlockQuote(_) => ("<blockquote>", "</blockquote>"),
        Tag::HtmlBlock => ("<p class=\"raw\">", "</p>"),
        Tag::List(Some(_)) => ("<ol>", "</ol>"),
        Tag::List(None) => ("<ul>", "</ul>"),
        Tag::Item => ("<li>", "</li>"),
        Tag::TableRow => ("<tr>", "</tr>"),
        Tag::Emphasis => ("<em>", "</em>"),
        Tag::Strong => ("<strong>", "</strong>"),
        // `del` is what the other side does not have.
        Tag::Strikethrough => ("<s>", "</s>"),
        _ => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::preview::markup::Markup;

    fn html(text: &str) -> String {
        let mut out = Markup::default();
        write(text, usize::MAX, &mut out);
        let html = out.finish().as_str().to_owned();
        let inner = html.strip_prefix("<div class=\"markdown\">").unwrap();
        inner.strip_suffix("</div>").unwrap().to_owned()
    }

    #[test]
    fn documents_become_markup() {
        let table = [
            ("# A\n\n## B\n\n#### C", "<h4>A</h4><h5>B</h5><h6>C</h6>"),
            (
                "a *b* **c** ~~d~~ `e<`",
                "<p>a <em>b</em> <strong>c</strong> <s>d</s> <code>e&lt;</code></p>",
            ),
            ("- [x] a\n- [ ] b", "<ul><li>☑ a</li><li>☐ b</li></ul>"),
            ("3. a\n4. b", "<ol start=\"3\"><li>a</li><li>b</li></ol>"),
            (
                "|a|b|\n|-|-:|\n|1|2|",
                "<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">a</th><th scope=\"col\" class=\"right\">b</th></tr></thead><tbody><tr><td>1</td><td class=\"right\">2</td></tr></tbody></table></div>",
            ),
            (
                "x[^1]\n\n[^1]: y",
                "<p>x<sup>1</sup></p><div class=\"footnote\"><sup>1</sup> <p>y</p></div>",
            ),
            ("```py\nx = 1\n```", "<pre class=\"code\">\nx = <span class=\"n\">1</span>\n</pre>"),
            ("> [!NOTE]\n> a", "<blockquote><b>Note</b><p>a</p></blockquote>"),
            (
                "[a](https://b.example)",
                "<p><a rel=\"noreferrer noopener\" href=\"https://b.example\">a</a></p>",
            ),
            (
                "<me@b.example>",
                "<p><a rel=\"noreferrer noopener\" href=\"mailto:me@b.example\">me@b.example</a></p>",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(html(text), expected, "{text:?}");
        }
    }

    #[test]
    fn nothing_leads_out_but_links_of_the_web() {
        let target = |text: &str| format!(" <span class=\"target\">({text})</span>");
        assert_eq!(
            html("[a](javascript:alert(1))"),
            format!("<p>a{}</p>", target("javascript:alert(1)"))
        );
        assert_eq!(html("[a](../b.md)"), format!("<p>a{}</p>", target("../b.md")));
        let picture = format!(
            "<p><span class=\"picture\">picture: a{}</span></p>",
            target("https://b.example/c.png")
        );
        assert_eq!(html("![a](https://b.example/c.png)"), picture);
        assert_eq!(html("<b onclick=x>"), "<p class=\"raw\">&lt;b onclick=x&gt;</p>");
    }

    #[test]
    fn long_code_folds_where_asked() {
        let mut out = Markup::default();
        write("```sh\na\nb\nc\n```", 2, &mut out);
        assert!(out.finish().as_str().contains("<summary>sh <span class=\"counts\">3 lines"));
    }
}
