//! Pictures that browsers show without running anything: their form and size.

use std::ops::RangeInclusive;

/// Extensions, each with a signature and its offset.
const SIGNATURES: &[(&str, usize, &[u8])] = &[
    ("png", 0, b"\x89PNG\r\n\x1a\n"),
    ("jpg", 0, b"\xff\xd8\xff"),
    ("gif", 0, b"GIF8"),
    ("webp", 8, b"WEBP"),
];

/// Pixels per side that a picture may have; other numbers are damage.
pub const PLAUSIBLE_SIDES: RangeInclusive<usize> = 1..=20_000;

/// The extension for a picture that begins with `head`; `None` if it is not one.
pub fn extension(head: &[u8]) -> Option<&'static str> {
    let found = SIGNATURES
        .iter()
        .find(|(_, at, signature)| head.get(*at..).is_some_and(|rest| rest.starts_with(signature)));
    found.map(|(extension, ..)| *extension)
}

/// The media type of a picture with this extension; `None` if browsers do not show it.
pub fn media_type(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "bmp" => "image/bmp",
        "ico" => "image/x-icon",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}

/// Width and height in pixels of a picture that begins with `head`; `None` if unknown.
pub fn size(head: &[u8]) -> Option<(usize, usize)> {
    let size = imagesize::blob_size(head).ok()?;
    let (width, height) = (size.width, size.height);
    let is_plausible = PLAUSIBLE_SIDES.contains(&width) && PLAUSIBLE_SIDES.contains(&height);
    if is_plausible { Some((width, height)) } else { None }
}

/// The bytes of a picture written in base64; `None` if it is something else.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    if text.contains(['-', '_']) {
        return None;
    }
    let digits = text.trim_end_matches(['=', '\n']).bytes();
    text::base64(digits.filter(|byte| !byte.is_ascii_whitespace()), |_| true)
}

#[cfg(test)]
mod tests {
    use super::{from_base64, size};

    #[test]
    fn sizes_are_in_the_first_bytes() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x07\0\0\0\x05\x08\x02\0\0\0\0\0\0\0";
        assert_eq!(size(png), Some((7, 5)));
        assert_eq!(size(b"\x89PNG\r\n\x1a\n"), None);
    }

    #[test]
    fn encoded_bytes_are_read() {
        assert_eq!(from_base64("aGVsbG8=\n").as_deref(), Some(&b"hello"[..]));
        assert_eq!(from_base64("iVBO\nRw0K").as_deref(), Some(&b"\x89PNG\r\n"[..]));
        assert_eq!(from_base64("a-b"), None);
    }
}
