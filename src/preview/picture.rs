//! Pictures, with space reserved for them.

use crate::preview::markup::Markup;

/// Adds the stored picture at `href` to `out`, with its width and height in pixels if known.
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
    use super::write;
    use crate::preview::markup::Markup;

    #[test]
    fn room_is_reserved() {
        let mut out = Markup::default();
        write("files/a.png", "a\" onerror=\"x", Some((7, 5)), &mut out);
        let html = out.finish().as_str().to_owned();
        assert!(
            html.ends_with("alt=\"a&quot; onerror=&quot;x\" width=\"7\" height=\"5\">"),
            "{html}"
        );
    }
}
