//! Pictures side by side, overlaid, or as a difference; chosen without a script.

use crate::preview::compared::Picture;
use crate::preview::markup::Markup;

/// One picture of a pair.
pub(super) struct PictureSide<'p> {
    pub(super) picture: &'p Picture,
    pub(super) href: String,
    /// The name of its side.
    pub(super) side: &'p str,
}

/// Adds both pictures of the file `name`; `number` makes its choice unique on the page.
pub(super) fn write(name: &str, pictures: &[PictureSide<'_>; 2], number: usize, out: &mut Markup) {
    out.raw("<div class=\"p\"><fieldset class=\"v\"><legend>");
    out.word("diff.pictures").raw("</legend>");
    // The style sheet reacts to the choice, so no script is needed.
    for (value, key) in [
        ("s\" checked> ", "diff.side_by_side"),
        ("o\"> ", "diff.overlaid"),
        ("d\"> ", "diff.difference"),
    ] {
        out.raw("<label><input type=\"radio\" name=\"p").number(number).raw("\" value=\"");
        out.raw(value).word(key).raw("</label>");
    }
    out.raw("</fieldset><div>");
    for PictureSide { picture, href, side } in pictures {
        out.wrap("<figure><figcaption>", side, "</figcaption><img loading=\"lazy\" src=\"");
        out.text(href).raw("\" alt=\"").text(name).raw(", ").text(side);
        if let Some((width, height)) = picture.size {
            out.raw("\" width=\"").number(width).raw("\" height=\"").number(height);
        }
        out.raw("\"></figure>");
    }
    out.raw("</div></div>");
}

pub(super) fn size(picture: &Picture) -> String {
    picture.size.map_or(String::new(), |(width, height)| format!("{width} × {height}"))
}

#[cfg(test)]
mod tests {
    use super::{PictureSide, write};
    use crate::preview::compared::comparable;
    use crate::preview::markup::Markup;

    #[test]
    fn both_pictures_have_a_size_and_a_choice() {
        const PNG: &[u8] =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x07\0\0\0\x05\x08\x02\0\0\0\0\0\0\0";
        let picture = comparable("a.png", PNG).picture.unwrap();
        let sides = ["before", "after"].map(|side| PictureSide {
            picture: &picture,
            href: "files/x.png".to_owned(),
            side,
        });
        let mut out = Markup::default();
        write("a\"<.png", &sides, 3, &mut out);
        let html = out.finish().as_str().to_owned();
        assert!(html.contains("alt=\"a&quot;&lt;.png, before\" width=\"7\" height=\"5\""));
        assert_eq!(html.matches("name=\"p3\"").count(), 3);
    }
}
