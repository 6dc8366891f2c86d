//! An HTML output on a page: its clean copy in a frame, and in words what is not in that.

use crate::language::Language;
use crate::preview::markup::Markup;
use crate::preview::page::{self, Copy, LeftOut};

/// Adds the frame on the stored copy at `href`, of about so many lines, to `out`.
pub(super) fn write(lines: usize, name: &str, href: &str, out: &mut Markup) {
    out.raw(match lines {
        0..=6 => "<div class=\"frame short\">",
        7..=20 => "<div class=\"frame\">",
        _ => "<div class=\"frame tall\">",
    });
    out.raw("<iframe sandbox loading=\"lazy\" referrerpolicy=\"no-referrer\" title=\"").value(name);
    out.raw("\" src=\"").value(href).raw("\"></iframe></div><p class=\"counts\"><a href=\"");
    out.value(href).raw("\">").word("frame.alone").raw("</a></p>");
}

/// Adds text and structure of the page in `text`, folded.
pub(super) fn outline(text: &str, out: &mut Markup) {
    out.raw("<details class=\"fold\"><summary>").word("frame.outline").raw("</summary>");
    if !page::outline(text, out) || out.is_cut() {
        let words = out.language().text("preview.beginning").to_owned();
        out.raw("<p class=\"counts\">").value(&words).raw("</p>");
    }
    out.raw("</details>");
}

/// Adds what is not in the copy, and what that means for a reader.
pub(super) fn remark(copy: &Copy, out: &mut Markup) {
    let text = left_out_text(copy, out.language());
    if !text.is_empty() {
        out.raw("<p class=\"reason\">").value(&text).raw("</p>");
    }
}

fn left_out_text(copy: &Copy, words: &Language) -> String {
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
