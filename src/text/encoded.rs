//! Bytes that stand for text: base64 and UTF-16.

/// The bytes that the digits of `text` stand for, in either alphabet; `None` where one is no digit
/// or `allows` a byte not.
pub(crate) fn base64(
    text: impl Iterator<Item = u8>,
    allows: impl Fn(u8) -> bool,
) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.size_hint().1.unwrap_or(0) / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(digit)) & 0x00ff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            let byte = (bits >> count & 0xff) as u8;
            if !allows(byte) {
                return None;
            }
            bytes.push(byte);
        }
    }
    Some(bytes)
}

/// The order of the two bytes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf16 {
    Little,
    Big,
}

/// How a file that begins with `head` is UTF-16, and the bytes of its byte order mark. Without a
/// mark, every second of the first 256 bytes being zero is taken for one.
pub fn utf_16(head: &[u8]) -> Option<(Utf16, usize)> {
    match head {
        [0xff, 0xfe, ..] => return Some((Utf16::Little, 2)),
        [0xfe, 0xff, ..] => return Some((Utf16::Big, 2)),
        _ => {}
    }
    let sample = &head[..head.len().min(256) & !1];
    let zeros = |offset| sample.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    match (zeros(0), zeros(1), sample.len() / 2) {
        (_, _, pairs) if pairs < 4 => None,
        (0, high, pairs) if high * 10 > pairs * 8 => Some((Utf16::Little, 0)),
        (high, 0, pairs) if high * 10 > pairs * 8 => Some((Utf16::Big, 0)),
        _ => None,
    }
}
