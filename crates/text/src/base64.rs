//! Base64, in both of its alphabets.

/// Bytes in base64, with padding.
pub fn to_base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut bits = 0;
        for at in 0..3 {
            bits = bits << 8 | u32::from(group.get(at).copied().unwrap_or_default());
        }
        for at in 0..4 {
            if at <= group.len() {
                text.push(char::from(DIGITS[(bits >> (18 - 6 * at)) as usize & 63]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// Decodes either base64 alphabet; `None` on an invalid digit or a byte that `allows` rejects.
pub fn base64(text: impl Iterator<Item = u8>, allows: impl Fn(u8) -> bool) -> Option<Vec<u8>> {
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
