//! ASCII85, an encoding of four bytes as five letters, used in PDF files.

/// Decodes `text` up to its end mark `~>`.
pub fn decode(text: &[u8]) -> Vec<u8> {
    let text = text.trim_ascii().strip_prefix(b"<~").unwrap_or(text);
    let (mut bytes, mut group) = (Vec::new(), Vec::new());
    for letter in text.iter().take_while(|letter| **letter != b'~') {
        match letter {
            b'z' if group.is_empty() => bytes.extend([0; 4]),
            b'!'..=b'u' => group.push(letter - b'!'),
            _ => {}
        }
        if group.len() == 5 {
            bytes.extend(four_bytes(&group));
            group.clear();
        }
    }
    if group.len() > 1 {
        let count = group.len() - 1;
        group.resize(5, b'u' - b'!');
        bytes.extend_from_slice(&four_bytes(&group)[..count]);
    }
    bytes
}

fn four_bytes(group: &[u8]) -> [u8; 4] {
    let number = group
        .iter()
        .fold(0_u32, |number, digit| number.wrapping_mul(85).wrapping_add(u32::from(*digit)));
    number.to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn letters_become_bytes() {
        assert_eq!(decode(b"87cURD]i,\"Ebo80~>"), b"Hello World!");
        assert_eq!(decode(b"<~87cURDZ~>"), b"Hello");
        assert_eq!(decode(b"z~>"), [0; 4]);
    }
}
