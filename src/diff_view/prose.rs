//! Prose compared by words: one text with removed and added words in place.

use crate::diff_view::fit::{self, FitPiece};
use crate::diff_view::room::unchanged as room_for_unchanged;
use crate::language::Language;
use crate::preview::markup::Markup;
use diff::{Counts, RunKind, WordDiff, WordPart, WordRun};

/// Adds the paragraphs of `diff` that fit into `room` bytes; returns whether all did.
pub(super) fn write(diff: &WordDiff<'_>, room: usize, out: &mut Markup) -> bool {
    let words = &out.language().clone();
    let mut pieces: Vec<FitPiece> = Vec::new();
    let most = (room / 4).clamp(200, 32 * 1024);
    let mut unchanged = room_for_unchanged(room);
    let mut rest = diff.parts.as_slice();
    while let Some((part, after)) = rest.split_first() {
        // Removed paragraphs with their replacements.
        let removed = whole_at_start(rest, RunKind::Removed);
        let added = whole_at_start(&rest[removed.len()..], RunKind::Added);
        if removed.len() + added.len() > 0 {
            rest = &rest[removed.len() + added.len()..];
            pieces.extend(replaced(&removed, &added, (room / 8).clamp(160, 4 * 1024), words));
        } else {
            pieces.push(piece(part, most, &mut unchanged, words));
            rest = after;
        }
    }
    out.raw("<div class=\"w\">");
    // The tags around the paragraphs take the rest.
    let is_whole = fit::write(&pieces, room.saturating_sub(22), out, |counts, out| {
        let text = fit::changed(counts, "diff.paragraphs_left_out", "paragraph", words);
        out.wrap("<p class=\"f\">", &text, "</p>");
    });
    out.raw("</div>");
    is_whole
}

/// The texts of the first paragraphs, as far as they were removed or added as a whole.
fn whole_at_start<'a>(parts: &[WordPart<'a>], wanted: RunKind) -> Vec<&'a str> {
    let mut texts = Vec::new();
    for part in parts {
        match part {
            WordPart::Paragraph(runs) if runs.len() == 1 && runs[0].kind == wanted => {
                texts.push(runs[0].text);
            }
            _ => break,
        }
    }
    texts
}

/// Removed paragraphs beside their replacements, some of each in a piece.
fn replaced(mut old: &[&str], mut new: &[&str], block: usize, words: &Language) -> Vec<FitPiece> {
    let mut pieces = Vec::new();
    while !(old.is_empty() && new.is_empty()) {
        let mut html = Markup::new(words);
        html.raw("<div class=\"b t\">");
        let removed = side(&mut old, fit::REMOVED, block, &mut html);
        let added = side(&mut new, fit::ADDED, block, &mut html);
        html.raw("</div>");
        pieces.push(FitPiece::new(html.finish(), Counts::changed(removed, added)));
    }
    pieces
}

/// Adds the next paragraphs of one side, at least one if there is any; returns how many.
fn side(waiting: &mut &[&str], mark: fit::Mark, block: usize, out: &mut Markup) -> usize {
    let (mut count, mut bytes) = (0, 0);
    for text in waiting.iter() {
        bytes += text.len();
        if count > 0 && bytes > block {
            break;
        }
        count += 1;
    }
    let (now, later) = waiting.split_at(count);
    *waiting = later;
    if count > 0 {
        out.raw(mark.0);
        fit::cut(now.concat().trim_end(), 0, block, out);
        out.raw(mark.1);
    }
    count
}

fn piece(part: &WordPart<'_>, most: usize, unchanged: &mut usize, words: &Language) -> FitPiece {
    match part {
        WordPart::Paragraph(runs) => {
            let mut html = Markup::new(words);
            html.raw("<p>");
            for WordRun { kind, text } in runs {
                let (open, close) = match kind {
                    RunKind::Equal => ("", ""),
                    RunKind::Removed => fit::REMOVED,
                    RunKind::Added => fit::ADDED,
                };
                html.raw(open);
                fit::cut(text, 0, most, &mut html);
                html.raw(close);
            }
            html.raw("</p>");
            let removed = runs.iter().any(|run| run.kind == RunKind::Removed);
            let added = runs.iter().any(|run| run.kind == RunKind::Added);
            let counts = Counts::changed(usize::from(removed), usize::from(added));
            FitPiece::new(html.finish(), counts)
        }
        WordPart::Fold { paragraphs, text } => {
            let mut open = None;
            // Long text would take the room of changes further down.
            if text.len() <= *unchanged {
                *unchanged -= text.len();
                let mut html = Markup::new(words);
                html.wrap("<p>", text.trim_end(), "</p>");
                open = Some(html.finish());
            }
            fit::fold(&words.count(*paragraphs, "unchanged_paragraph"), open)
        }
        WordPart::Omitted { paragraphs } => {
            fit::fold(&words.count(*paragraphs, "omitted_paragraph"), None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::language::Language;
    use crate::preview::markup::Markup;
    use diff::{Limits, words};

    fn html(old: &str, new: &str, room: usize) -> String {
        let diff = words(old, new, &Limits::default()).ok().unwrap();
        let mut out = Markup::default();
        write(&diff, room, &mut out);
        out.finish().as_str().to_owned()
    }

    #[test]
    fn words_keep_their_position() {
        let html_text = html("The cost was <low>.", "The cost is <low>.", 10_000);
        let expected = "<div class=\"w\"><p>The cost <del>was</del><ins>is</ins> \
            &lt;low&gt;.</p></div>";
        assert_eq!(html_text, expected);
        let html_text = html("會議在三月舉行。", "會議在四月舉行。", 10_000);
        assert!(html_text.contains("<del>三</del><ins>四</ins>月"), "{html_text}");
    }

    #[test]
    fn removed_paragraphs_are_beside_their_replacements() {
        let html_text = html("Alpha beta.\n\nkept\n", "Zeta omega and more.\n\nkept\n", 10_000);
        assert!(
            html_text.starts_with(
                "<div class=\"w\"><div class=\"b t\"><del>Alpha beta.</del>\
                 <ins>Zeta omega and more.</ins></div>"
            ),
            "{html_text}"
        );
    }

    #[test]
    fn folded_paragraphs_open_where_there_is_plenty_of_room() {
        let common: String = (1..9).map(|at| format!("Kept <{at}>.\n\n")).collect();
        let texts = [format!("{common}The cost was low."), format!("{common}The cost is low.")];
        let html_text = html(&texts[0], &texts[1], 40_000);
        assert!(
            html_text.contains("</summary><p>Kept &lt;1&gt;.\n\nKept &lt;2&gt;."),
            "{html_text}"
        );
        assert!(!html(&texts[0], &texts[1], 10_000).contains("<details"));
    }

    #[test]
    fn a_text_stays_within_its_room() {
        let text = |mark: &str| {
            (0..300).map(|at| format!("{mark} {at} {}\n\n", mark.repeat(3))).collect::<String>()
        };
        let html_text = html(&text("alpha"), &text("omega"), 1_500);
        assert!(html_text.len() < 1_700, "{}", html_text.len());
        let left_out = Language::default();
        let (_, left_out) =
            left_out.text("diff.paragraphs_left_out").rsplit_once('}').expect("a place");
        assert!(html_text.contains(left_out), "{html_text}");
    }
}
