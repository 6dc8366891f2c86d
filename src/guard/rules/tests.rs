use std::collections::BTreeSet;

use crate::guard::escapes;
use crate::guard::keyword_index::KeywordIndex;
use crate::guard::rule::is_folder;
use crate::guard::rules::KINDS;

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
        return Some(escapes::tests::base64(expanded(inner, seed).as_bytes()));
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

#[test]
fn every_rule_finds_its_secrets_and_nothing_around_them() {
    let index = KeywordIndex::default();
    let shown = |text: &str| index.redact(text).map_or(text.to_owned(), |(text, _)| text);
    let mut wrong = Vec::new();
    for rule in KINDS.iter().map(|kind| kind.rule) {
        for text in rule.finds {
            let (text, wanted) = sides(&expand(text), rule.label);
            // A mark is not a secret.
            if shown(&text) != wanted || shown(&wanted) != wanted {
                wrong.push(format!("{}\n  instead of {wanted}", shown(&text)));
            }
        }
        let leaves = rule.leaves.iter().map(|text| expand(text));
        let actual = leaves.filter(|text| shown(text) != *text);
        wrong.extend(actual.map(|text| format!("{}\n  instead of {text}", shown(&text))));
    }
    assert!(wrong.is_empty(), "{} texts:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_rule_has_a_pattern_and_test_values() {
    for kind in KINDS.iter() {
        assert!(kind.is_made(), "{} has a pattern", kind.rule.label);
        let is_folder = is_folder(kind.rule.label);
        assert!(is_folder || !kind.rule.finds.is_empty(), "{} has values", kind.rule.label);
    }
}

/// Values as people leave them behind, planted before the rules were written.
#[test]
fn planted_values_are_found() {
    let index = KeywordIndex::default();
    let planted = include_str!("planted.txt").split("%% ").skip(1);
    let mut missed = BTreeSet::new();
    let mut all = 0;
    for text in planted {
        let expanded = expand(text);
        let values: Vec<&str> =
            expanded.split('«').skip(1).filter_map(|part| part.split('»').next()).collect();
        let plain = expanded.replace(['«', '»'], "");
        let (redacted, _) = index.redact(&plain).unwrap_or_default();
        let is_found = !redacted.is_empty() && !values.iter().any(|value| redacted.contains(value));
        all += 1;
        if !is_found {
            missed.insert(text);
        }
    }
    assert!(all >= 150 && missed.is_empty(), "{} of {all}: {missed:#?}", missed.len());
}
