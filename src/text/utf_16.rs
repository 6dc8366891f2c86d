//! Whether bytes are UTF-16.

/// The order of the two bytes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf16 {
    /// The low byte first.
    Little,
    /// The high byte first.
    Big,
}

/// Bytes that are looked at where there is no mark.
const SAMPLE: usize = 256;

/// How a file that begins with `head` is UTF-16, and the bytes of its byte order mark. Without a
/// mark, every second byte of the sample being zero is taken for one.
pub fn utf_16(head: &[u8]) -> Option<(Utf16, usize)> {
    match head {
        [0xff, 0xfe, ..] => return Some((Utf16::Little, 2)),
        [0xfe, 0xff, ..] => return Some((Utf16::Big, 2)),
        _ => {}
    }
    let sample = &head[..head.len().min(SAMPLE) & !1];
    let zeros = |offset| sample.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    match (zeros(0), zeros(1), sample.len() / 2) {
        (_, _, pairs) if pairs < 4 => None,
        (0, high, pairs) if high * 10 > pairs * 8 => Some((Utf16::Little, 0)),
        (high, 0, pairs) if high * 10 > pairs * 8 => Some((Utf16::Big, 0)),
        _ => None,
    }
}
