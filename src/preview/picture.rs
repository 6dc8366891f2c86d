//! Pictures, with space reserved for them.

use crate::preview::markup::Markup;

/// The most pixels per side for which space is reserved: more is probably damage.
const MAX_SIDE: usize = 20_000;

/// Width and height in pixels of the picture whose beginning is `content`.
pub(super) fn size(content: &[u8]) -> Option<(usize, usize)> {
    let size = imagesize::blob_size(content).ok()?;
    let sides = 1..=MAX_SIDE;
    (sides.contains(&size.width) && sides.contains(&size.height))
        .then_some((size.width, size.height))
}

/// Adds the stored picture at `href` to `out`.
pub(super) fn write(href: &str, name: &str, size: Option<(usize, usize)>, out: &mut Markup) {
    out.raw("<img class=\"picture\" loading=\"lazy\" decoding=\"async\" src=\"").value(href);
    out.raw("\" alt=\"").value(name);
    if let Some((width, height)) = size {
        out.raw("\" width=\"").number(width).raw("\" height=\"").number(height);
    }
    out.raw("\">");
}

#[cfg(test)]
mod tests {
    use super::{size, write};
    use crate::preview::markup::Markup;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x07\0\0\0\x05\x08\x02\0\0\0\0\0\0\0";

    #[test]
    fn room_is_reserved() {
        assert_eq!(size(PNG), Some((7, 5)));
        assert_eq!(size(b"\x89PNG\r\n\x1a\n"), None);
        let mut out = Markup::default();
        write("files/a.png", "a\" onerror=\"x", Some((7, 5)), &mut out);
        let html = out.finish().as_str().to_owned();
        assert!(
            html.ends_with("alt=\"a&quot; onerror=&quot;x\" width=\"7\" height=\"5\">"),
            "{html}"
        );
    }
}
