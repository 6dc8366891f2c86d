//! Names as displayed: text from which the name on disk can be restored.
//!
//! Bytes that are not UTF-8 are shown as `\xFF`. A literal backslash that could be read as the
//! start of such a byte is shown as `\x5C`. So no two names are shown alike, and all others are
//! shown unchanged.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The text that stands for a name on disk, from which [`on_disk`] restores it.
pub fn shown(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find('\\') {
            text.push_str(&rest[..at]);
            text.push_str(if byte(&rest[at..]).is_some() { "\\x5C" } else { "\\" });
            rest = &rest[at + 1..];
        }
        text.push_str(rest);
        // Archives made on Windows have names in the encoding of their country.
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    text
}

/// The name or the relative path on disk.
pub fn on_disk(shown: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(shown.len());
    let mut rest = shown;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let (byte, length) = byte(&rest[at..]).map_or((b'\\', 1), |byte| (byte, 4));
        bytes.push(byte);
        rest = &rest[at + length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    PathBuf::from(from_bytes(bytes, shown))
}

/// The byte that the displayed `text` begins with.
fn byte(text: &str) -> Option<u8> {
    let digits = text.strip_prefix("\\x")?.get(..2)?;
    // `from_str_radix` takes a sign and lower case, which are never written.
    if !digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F')) {
        return None;
    }
    let byte = u8::from_str_radix(digits, 16).ok()?;
    if byte >= 0x80 || byte == b'\\' { Some(byte) } else { None }
}

#[cfg(unix)]
fn from_bytes(bytes: Vec<u8>, _shown: &str) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

/// Where names are not bytes, only those that are text can be restored.
#[cfg(not(unix))]
fn from_bytes(bytes: Vec<u8>, shown: &str) -> OsString {
    String::from_utf8(bytes).map_or_else(|_| shown.into(), OsString::from)
}

#[cfg(all(test, unix))]
mod tests {
    use std::collections::BTreeSet;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::{on_disk, shown};

    #[test]
    fn every_name_is_shown_by_a_text_of_its_own() {
        let parts: [&[u8]; 9] =
            [b"", b"a", b"\xff", b"\\", b"x", b"\\xFF", b"\\x5C", b"\\xff", "結".as_bytes()];
        let mut all = BTreeSet::new();
        for (first, second, third) in parts.iter().flat_map(|first| {
            let seconds =
                parts.iter().flat_map(|second| parts.iter().map(move |part| (second, part)));
            seconds.map(move |(second, third)| (first, second, third))
        }) {
            all.insert([*first, *second, *third].concat());
        }
        let texts: BTreeSet<String> =
            all.iter().map(|bytes| shown(OsStr::from_bytes(bytes))).collect();
        assert_eq!(texts.len(), all.len());
        for name in &all {
            assert_eq!(on_disk(&shown(OsStr::from_bytes(name))).as_os_str().as_bytes(), name);
        }
    }

    #[test]
    fn a_name_without_such_a_byte_is_shown_as_it_is() {
        for name in ["a b.txt", "結果", "a\\b", "\\x4", "\\x41", "\\xff", "\\\\", "\\x"] {
            assert_eq!(shown(OsStr::new(name)), name);
        }
        assert_eq!(shown(OsStr::new("p\\xFF.txt")), "p\\x5CxFF.txt");
        assert_eq!(shown(OsStr::from_bytes(b"p\xff.txt")), "p\\xFF.txt");
    }
}
