//! Names for pages: short, ASCII, unique ignoring case.

use std::collections::BTreeSet;

const MAX_LENGTH: usize = 40;

/// Gives names their slugs, and keeps those given so that no two are equal.
#[derive(Clone, Debug, Default)]
pub struct Slugs {
    taken: BTreeSet<String>,
}

impl Slugs {
    /// A slug for `name`: lower-case ASCII letters, digits, hyphens and underscores, never empty,
    /// beginning with a letter or digit. A name that loses anything, or whose slug is taken, gets a
    /// suffix made from the name itself, so that the slug does not depend on other names.
    pub fn give(&mut self, name: &str) -> String {
        let first = slug(name);
        let (mut slug, mut round) = (first.clone(), 0);
        while !self.taken.insert(slug.clone()) {
            round += 1;
            slug = marked(&first, name, round);
        }
        slug
    }
}

/// The slug for `name` where it stands alone.
pub fn slug(name: &str) -> String {
    let plain = plain(name);
    // A checkout on Windows cannot hold a page called `nul`.
    let faithful = plain == name && !plain.is_empty() && !is_device(name);
    if faithful { plain } else { marked(&plain, name, 0) }
}

/// Whether Windows reserves `name` for a device, whatever follows a dot: `nul`, `COM1.txt`.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    match stem.as_bytes() {
        b"con" | b"prn" | b"aux" | b"nul" => true,
        [b'c', b'o', b'm', number] | [b'l', b'p', b't', number] => number.is_ascii_digit(),
        _ => false,
    }
}

/// The readable part: runs of other characters become one hyphen.
fn plain(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if slug.len() >= MAX_LENGTH {
            break;
        }
        if c.is_ascii_alphanumeric() || (c == '_' && !slug.is_empty()) {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

fn marked(plain: &str, name: &str, round: u32) -> String {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    // Six digits of 5 bits each: two names of a workspace get the same mark in one of a billion.
    let mut hash = fnv(round.into(), name.bytes());
    let mut mark = String::new();
    for _ in 0..6 {
        mark.push(char::from(DIGITS[hash as usize % DIGITS.len()]));
        hash >>= 5;
    }
    if plain.is_empty() { mark } else { format!("{plain}-{mark}") }
}

/// FNV-1a with 64 bits, salted.
pub fn fnv(salt: u64, bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325 ^ salt, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::Slugs;

    #[test]
    fn plain_names_stay() {
        let mut slugs = Slugs::default();
        assert_eq!(slugs.give("eval-3"), "eval-3");
        assert_eq!(slugs.give("with_skill"), "with_skill");
        assert_eq!(slugs.give("common"), "common");
    }

    #[test]
    fn no_slug_is_a_device() {
        let mut slugs = Slugs::default();
        for name in ["con", "nul", "com1", "lpt9"] {
            let slug = slugs.give(name);
            assert!(slug.len() == name.len() + 7 && slug.starts_with(name), "{slug}");
        }
    }

    #[test]
    fn others_get_a_mark_of_their_own() {
        let mut slugs = Slugs::default();
        let names =
            ["會議記錄", "會議", "a b", "a-b", "A-B", "", "../../etc/passwd", "con:|?*", "a_b"];
        let slugs_given: Vec<String> = names.iter().map(|name| slugs.give(name)).collect();
        for slug in &slugs_given {
            assert!(!slug.is_empty() && slug.len() <= 60, "{slug}");
            assert!(
                slug.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'),
                "{slug}"
            );
        }
        let mut unique = slugs_given.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), slugs_given.len(), "{slugs_given:?}");
    }
}
