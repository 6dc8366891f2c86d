//! Markup back to text: the text of our own preview of a file that is not text, and the character
//! references of HTML.

use crate::preview::marked::{tag_name, tags_of};
use crate::preview::markup::Safe;
use crate::text::is_listed;

/// Block elements.
const LINES: &str = "p div section h3 h4 h5 h6 li ul ol dl dt dd pre br hr blockquote figure details \
    summary";

/// Elements that end a cell without an end tag.
const ROWS: &str = "table thead tbody tr";

/// Elements side by side in a row.
const CELLS: &str = "td th";

/// The text of `markup`: blocks on lines of their own, cells of a row separated by tabs.
pub(super) fn text(markup: &Safe) -> String {
    let (html, mut text) = (markup.as_str(), String::new());
    let (mut done, mut in_cell) = (0, false);
    for tag in tags_of(html) {
        text.push_str(&unescaped(&html[done..tag.start]));
        add_break(&html[tag.clone()], &mut in_cell, &mut text);
        done = tag.end;
    }
    text.push_str(&unescaped(&html[done..]));
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Adds the separator of the text before `tag` from that after it. Blocks in a cell stay on its
/// line.
fn add_break(tag: &str, in_cell: &mut bool, text: &mut String) {
    let name = tag_name(tag);
    if is_listed(CELLS, name) {
        // A cell without an end tag ends where the next begins.
        let ends = tag.starts_with("</") || *in_cell;
        *in_cell = !tag.starts_with("</");
        if ends {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\t');
        }
    } else if is_listed(ROWS, name) {
        *in_cell = false;
        if !text.ends_with('\n') {
            text.push('\n');
        }
    } else if is_listed(LINES, name) {
        match *in_cell {
            true if !text.ends_with(char::is_whitespace) => text.push(' '),
            false if !text.ends_with('\n') => text.push('\n'),
            _ => {}
        }
    }
}

/// The most common names, each with its character.
const ENTITIES: &str = "amp & lt < gt > quot \" apos ' nbsp \u{a0} copy © reg ® trade ™ hellip … mdash — \
    ndash – lsquo ‘ rsquo ’ ldquo “ rdquo ” laquo « raquo » bull • middot · times × rarr → larr ← \
    euro € pound £ deg ° plusmn ± minus − check ✓";

/// `text` with its character references resolved.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, reference(&rest[1..end])?))) {
            Some((end, found)) => {
                out.push_str(&found);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix('#') {
        let hex = number.strip_prefix(['x', 'X']).map(|hex| u32::from_str_radix(hex, 16));
        let code = hex.unwrap_or_else(|| number.parse()).ok()?;
        return char::from_u32(code).map(String::from);
    }
    let mut words = ENTITIES.split(' ');
    words.by_ref().step_by(2).find(|known| *known == name)?;
    words.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::preview::markup::Markup;

    #[test]
    fn blocks_are_lines_and_cells_are_side_by_side() {
        let mut out = Markup::default();
        out.raw("<h4>").text("A & <b>").raw("</h4><p>x<strong>y</strong></p>");
        out.raw("<table><tr><td><p>1</p><p>b</p></td><td>2</td></tr><tr><td>3</td></tr></table>");
        out.raw("<table><tbody><tr><td>1<td>2<tr><td>3<td>4</table>");
        assert_eq!(text(&out.finish()), "A & <b>\nxy\n1 b\t2\n3\n1\t2\n3\t4");
    }
}
