//! What is found in files that are not text: in the members of an archive such as an office file, in the
//! text of a PDF, and in the words of any other.

use crate::finder::{Finder, Kind};
use crate::marked_file::Findings;
use formats::packed::{self, Packed};

/// What is found in the file called `name`, which is not text.
pub(super) fn search(finder: &Finder, name: &str, bytes: &[u8]) -> Findings {
    let mut findings = Findings { is_binary: true, ..Findings::default() };
    let parts = match packed::open(bytes) {
        Packed::Closed => return Findings { is_closed: true, ..findings },
        Packed::Parts(parts) => parts,
        Packed::Other(parts) => {
            findings.is_unsearched = true;
            parts
        }
    };
    search_bytes(finder, bytes, &mut findings);
    // What a reader sees, also of tables and glyphs.
    if let Some(words) = formats::words(name, bytes) {
        findings.count(finder.find(&words.text, Kind::Text));
    }
    for part in &parts {
        if formats::encoding(part).is_some() {
            findings.count(finder.find_in_bytes("", part, Kind::Text));
        } else {
            search_bytes(finder, part, &mut findings);
        }
    }
    findings
}

fn search_bytes(finder: &Finder, bytes: &[u8], findings: &mut Findings) {
    findings.count(finder.find_in_bytes("", bytes, Kind::Bytes));
    findings.count(finder.find_in_bytes("", &packed::printed(bytes), Kind::Text));
}
