//! Base64 as documents hold it.

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
