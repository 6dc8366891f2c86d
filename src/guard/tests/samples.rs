//! Samples of secrets: those of the rules, and values as people leave them behind.

use serde::Deserialize;

use crate::guard::document::Nature;
use crate::guard::file;
use crate::guard::finder::{Finder, Kind};
use crate::guard::rules::{BUILT_IN, RULES};
use crate::settings::SecretRules;

/// `text` with every `<a36>` replaced by that many random-looking letters and digits, `<l36>` by
/// lower-case letters, `<u36>` by upper-case ones, `<h36>` by hex digits, `<d36>` by digits,
/// `<uuid>` by one, `<b64:…>` by base64 and `<url:…>` by `%` and hex digits. So no file of this
/// project contains a whole secret.
pub(in crate::guard) fn expand(text: &str) -> String {
    expanded(text, &mut 0x9e37_79b9_7f4a_7c15)
}

fn expanded(text: &str, seed: &mut u64) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = closing(rest);
        match end.and_then(|end| one(&rest[1..end], seed)) {
            Some(drawn) => {
                out.push_str(&drawn);
                rest = &rest[end.unwrap_or_default() + 1..];
            }
            None => {
                out.push('<');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

/// The position of the `>` for the `<` that `text` begins with.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0;
    text.char_indices().find_map(|(at, letter)| {
        open += i32::from(letter == '<') - i32::from(letter == '>');
        (open == 0).then_some(at)
    })
}

fn one(what: &str, seed: &mut u64) -> Option<String> {
    let mut drawn = |length: usize, alphabet: &[u8]| -> String {
        let letter = |_| {
            *seed ^= *seed << 13;
            *seed ^= *seed >> 7;
            *seed ^= *seed << 17;
            char::from(alphabet[(*seed % alphabet.len() as u64) as usize])
        };
        (0..length).map(letter).collect()
    };
    const ALL: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if what == "uuid" {
        return Some([8, 4, 4, 4, 12].map(|length| drawn(length, &ALL[..16])).join("-"));
    }
    if let Some(inner) = what.strip_prefix("b64:") {
        return Some(base64(expanded(inner, seed).as_bytes()));
    }
    if let Some(inner) = what.strip_prefix("url:") {
        return Some(expanded(inner, seed).bytes().map(|byte| format!("%{byte:02X}")).collect());
    }
    let length = what.get(1..)?.parse().ok()?;
    let alphabet = match what.as_bytes()[0] {
        b'a' => ALL,
        b'l' => &ALL[..36],
        b'u' => &[&ALL[..10], &ALL[36..]].concat(),
        b'h' => &ALL[..16],
        b'd' => &ALL[..10],
        _ => return None,
    };
    Some(drawn(length, alphabet))
}

/// The text without the delimiters around its secrets, and with the mark of `label` in place of
/// these.
fn sides(text: &str, label: &str) -> (String, String) {
    let mark = |part: &str| match part.split_once('»') {
        Some((_, after)) => format!("[redacted: {label}]{after}"),
        None => part.to_owned(),
    };
    (text.replace(['«', '»'], ""), text.split('«').map(mark).collect())
}

/// `bytes` in base64.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let mut bits = 0_u32;
        for at in 0..3 {
            bits = bits << 8 | u32::from(three.get(at).copied().unwrap_or_default());
        }
        for at in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[derive(Deserialize)]
struct Samples {
    rules: Vec<RuleSamples>,
}

#[derive(Deserialize)]
struct RuleSamples {
    id: String,
    /// Texts with matches between `«` and `»`.
    #[serde(default)]
    finds: Vec<String>,
    #[serde(default)]
    leaves: Vec<String>,
}

#[test]
fn every_rule_finds_its_secrets_and_nothing_around_them() {
    let finder = Finder::new(&[], &SecretRules::default());
    let shown =
        |text: &str| finder.redact(text, Kind::Text).map_or(text.to_owned(), |(text, _)| text);
    let samples: Samples = toml::from_str(BUILT_IN).unwrap();
    let mut wrong = Vec::new();
    for rule in &samples.rules {
        let is_folder = rule.id == "home-folder";
        assert!(is_folder || !rule.finds.is_empty(), "{} has samples", rule.id);
        for text in &rule.finds {
            let (text, wanted) = sides(&expand(text), &rule.id.replace('-', " "));
            // A mark is not a secret.
            if shown(&text) != wanted || shown(&wanted) != wanted {
                wrong.push(format!("{}\n  instead of {wanted}", shown(&text)));
            }
        }
        for text in &rule.leaves {
            let text = expand(text);
            if shown(&text) != text {
                wrong.push(format!("{}\n  instead of {text}", shown(&text)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} texts:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_expression_is_valid() {
    for rule in &RULES.all {
        rule.compile();
    }
    for expression in RULES.looks.values() {
        expression.get();
    }
}

/// Values as people leave them behind, planted before the rules were written. Each has the name of its
/// file.
#[test]
fn planted_values_are_found() {
    let planted = include_str!("planted.txt");
    let missed = published(planted);
    assert!(missed.is_empty(), "{} missed: {missed:#?}", missed.len());
}

/// Shapes that were written down before these rules were, by somebody else than those above. At least
/// nine of ten are found.
#[test]
fn leaked_values_are_found() {
    let leaked = include_str!("leaked.txt");
    let missed = published(leaked);
    let shapes = leaked.matches("%% ").count();
    println!("{} of {shapes}", shapes - missed.len());
    assert!(shapes >= 80 && missed.len() * 10 <= shapes, "{} missed: {missed:#?}", missed.len());
}

/// The samples of a list, each a name and a text, of which a value is published.
fn published(list: &str) -> Vec<String> {
    let finder = Finder::new(&[], &SecretRules::default());
    let mut missed = Vec::new();
    for sample in list.split("%% ").skip(1) {
        let (name, text) = sample.split_once('\n').expect("a name and a text");
        let expanded = expand(text);
        let plain = expanded.replace(['«', '»'], "");
        let findings = file::search(&finder, name, Nature::new(name), plain.as_bytes());
        let clean = file::cleaned(plain.into_bytes(), &findings);
        let clean = String::from_utf8_lossy(&clean);
        let mut values = expanded.split('«').skip(1).filter_map(|part| part.split('»').next());
        if values.any(|value| clean.contains(value)) {
            missed.push(sample.to_owned());
        }
    }
    missed
}
