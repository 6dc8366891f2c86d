//! Archives for tests.

/// An archive of `parts`, deflated.
pub fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in parts {
        let packed = miniz_oxide::deflate::compress_to_vec(content, 6);
        let offset = bytes.len() as u32;
        let sizes = [packed.len() as u32, content.len() as u32].map(u32::to_le_bytes).concat();
        let name_length = (name.len() as u16).to_le_bytes();
        let common =
            [&[20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0], &sizes[..], &name_length, &[0, 0]]
                .concat();
        bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat());
        directory.extend(
            [b"PK\x01\x02\x14\0", &common[..], &[0; 10], &offset.to_le_bytes(), name.as_bytes()]
                .concat(),
        );
    }
    let counts = [(parts.len() as u16).to_le_bytes(); 2].concat();
    let places = [directory.len() as u32, bytes.len() as u32].map(u32::to_le_bytes).concat();
    [bytes, directory, [b"PK\x05\x06\0\0\0\0", &counts[..], &places, &[0, 0]].concat()].concat()
}
