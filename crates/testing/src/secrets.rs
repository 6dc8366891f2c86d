//! Made-up secrets: no file of this project contains a whole one.

/// Texts with secrets, ids, escapes and what looks like a part of a document.
pub const TEXTS: [&str; 22] = [
    "00a9258a-8696-45c6-ad3c-3d28b033056b",
    "see run 00a9258a-8696-45c6-ad3c-3d28b033056b",
    "The api key:\nA9xk2Lm4Qz8wTr7Bv",
    "token\tA9xk2Lm4Qz8wTr7Bv3",
    "The token: \u{2019}A9xk2Lm4Qz8wTr7Bv\u{2019}",
    "ghp_<a36>",
    "say \"ghp_<a36>\", \"passed\": false",
    "apiVersion: v1\nkind: Secret\nstringData:\n  config: <a34>\n",
    "kind: Secret and data:",
    "DB_PASSWORD=winterfell-9",
    "password: \"Tr0ub4dor&3\"}, {\"passed\": true",
    "\\\\n ghp_<a36> \\",
    "C:\\Users\\Ann\\x and /home/ann/y",
    "-----BEGIN RSA PRIVATE KEY-----\n<a64>\n<a64>\n-----END RSA PRIVATE KEY-----\n",
    "-----BEGIN RSA PRIVATE KEY-----\n<a64>",
    "\u{1f600} \u{e9} sk-ant-<a40>",
    "<b64:token ghp_<a36>>",
    "recovery codes: 4f8a2-9c1d0",
    "| user | password |\n|---|---|\n| ann | honey7Wasp |",
    "true",
    "",
    "--password",
];

/// `text` with every `<a36>` replaced by that many random-looking letters and digits, `<l36>` by
/// lower-case letters, `<u36>` by upper-case ones, `<h36>` by hex digits, `<d36>` by digits,
/// `<uuid>` by one, `<b64:…>` by base64 and `<url:…>` by `%` and hex digits. So no file of this
/// project contains a whole secret.
pub fn expand(text: &str) -> String {
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
        return Some(text::to_base64(expanded(inner, seed).as_bytes()));
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
