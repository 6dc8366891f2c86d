//! JSON compared by structure: each value that changed, with its path.

use crate::diff::{ChangeKind, Counts, JsonChange, JsonDiff};
use crate::diff_view::fit::{self, FitPiece};
use crate::language::Language;
use crate::preview::markup::Markup;

/// Adds the changes of `diff` that fit into `room` bytes; returns whether all did.
pub(super) fn write(diff: &JsonDiff, room: usize, out: &mut Markup) -> bool {
    let most = (room / 8).clamp(60, 4 * 1024);
    let changes = diff.changes.iter();
    let mut pieces: Vec<FitPiece> =
        changes.map(|change| piece(change, most, out.language())).collect();
    if diff.omitted > 0 {
        let mut html = Markup::new(out.language());
        left_out(diff.omitted, &mut html);
        let piece = FitPiece::new(html.finish(), Counts::default());
        pieces.insert(diff.before_omitted.min(pieces.len()), piece);
    }
    let start = out.len();
    out.raw("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    out.word("diff.changed_values").raw("\"><table class=\"j\"><tr><th scope=\"col\">");
    out.word("diff.value").raw("<th scope=\"col\">").word("diff.before");
    out.raw("<th scope=\"col\">").word("diff.after");
    let room = room.saturating_sub(out.len() - start + "</table></div>".len());
    let is_whole = fit::write(&pieces, room, out, |counts, out| {
        left_out(counts.removed + counts.added, out);
    });
    out.raw("</table></div>");
    is_whole && diff.omitted == 0
}

fn left_out(changes: usize, out: &mut Markup) {
    out.raw("<tr><td class=\"f\" colspan=\"3\">").count(changes, "change_left_out");
}

fn piece(change: &JsonChange, most: usize, words: &Language) -> FitPiece {
    let mut html = Markup::new(words);
    let path = change.new.as_ref().or(change.old.as_ref()).map_or("", |place| &place.path);
    html.raw("<tr><th scope=\"row\">");
    fit::cut(path, 0, most, &mut html);
    if change.kind == ChangeKind::Moved {
        let from = change.old.as_ref().map_or("", |place| &place.path);
        let from = fit::head(from, most).0;
        html.raw("<td colspan=\"2\">").words("diff.moved_from", &[("path", &from)]);
    } else {
        for (place, (open, close)) in [(&change.old, fit::REMOVED), (&change.new, fit::ADDED)] {
            html.raw("<td>");
            if let Some(place) = place {
                html.raw(open);
                fit::cut(&place.value, place.left_out, most, &mut html);
                html.raw(close);
            }
        }
    }
    FitPiece::new(html.finish(), Counts::changed(0, 1))
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::diff::{Limits, json};
    use crate::language::Language;
    use crate::preview::markup::Markup;

    fn html(old: &str, new: &str, room: usize) -> String {
        let diff = json(old, new, &Limits::default()).and_then(Result::ok).unwrap();
        let mut out = Markup::default();
        write(&diff, room, &mut out);
        out.finish().as_str().to_owned()
    }

    #[test]
    fn each_value_has_its_path() {
        let html_text =
            html(r#"{"a": 1, "b": "<i>"}"#, r#"{"b": "<u>", "a": 1.0, "c": []}"#, 10_000);
        let rows = html_text.split("<tr>").skip(2).collect::<String>();
        let expected = "<th scope=\"row\">b<td><del>&quot;&lt;i&gt;&quot;</del>\
            <td><ins>&quot;&lt;u&gt;&quot;</ins>\
            <th scope=\"row\">c<td><td><ins>[]</ins></table></div>";
        assert_eq!(rows, expected);
    }

    #[test]
    fn many_changes_stay_within_their_room() {
        let list = |factor: usize| {
            let fields: Vec<String> =
                (0..500).map(|at| format!("\"k{at}\": {}", at * factor + 1)).collect();
            format!("{{{}}}", fields.join(","))
        };
        let html_text = html(&list(2), &list(3), 1_000);
        assert!(html_text.len() < 1_150, "{}", html_text.len());
        let left_out = Language::default().count(0, "change_left_out").replace('0', "");
        assert!(html_text.contains(left_out.trim()), "{html_text}");
    }
}
