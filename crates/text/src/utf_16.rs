//! UTF-16, with a byte order mark and without one.

/// The byte order of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The low byte first, as Windows writes it.
    Little,
    /// The high byte first.
    Big,
}

/// The byte order of a UTF-16 file that begins with `head`, and the length of its byte order mark.
pub fn utf_16(head: &[u8]) -> Option<(ByteOrder, usize)> {
    match head {
        [0xff, 0xfe, ..] => return Some((ByteOrder::Little, 2)),
        [0xfe, 0xff, ..] => return Some((ByteOrder::Big, 2)),
        [0xef, 0xbb, 0xbf, ..] => return None,
        _ => {}
    }
    // Some programs write no mark. Then most characters of most languages have a zero byte.
    let sample = &head[..head.len().min(256) & !1];
    if !sample.contains(&0) {
        return None;
    }
    let pairs = sample.len() / 2;
    let first = sample.iter().step_by(2).filter(|byte| **byte == 0).count();
    let second = sample.iter().skip(1).step_by(2).filter(|byte| **byte == 0).count();
    if pairs < 4 {
        None
    } else if first == 0 && second * 10 > pairs * 8 {
        Some((ByteOrder::Little, 0))
    } else if second == 0 && first * 10 > pairs * 8 {
        Some((ByteOrder::Big, 0))
    } else {
        None
    }
}

/// The text in `bytes`; a lone surrogate or a lone last byte becomes a replacement character.
pub fn decode_utf_16(bytes: &[u8], order: ByteOrder) -> String {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| match order {
        ByteOrder::Little => u16::from_le_bytes(*pair),
        ByteOrder::Big => u16::from_be_bytes(*pair),
    });
    let mut text: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    // A file that was cut within a character shows that something is missing.
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}
