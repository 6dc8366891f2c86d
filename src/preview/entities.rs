//! Character references of HTML.

/// Names that pages use most, each with the character that it stands for.
const ENTITIES: &str = "amp & lt < gt > quot \" apos ' nbsp \u{a0} copy © reg ® trade ™ hellip … mdash — \
    ndash – lsquo ‘ rsquo ’ ldquo “ rdquo ” laquo « raquo » bull • middot · times × rarr → larr ← \
    euro € pound £ deg ° plusmn ± minus − check ✓";

/// `text` with the characters that its references stand for.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, reference(&rest[1..end])?))) {
            Some((end, found)) => {
                out.push_str(&found);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix('#') {
        let hex = number.strip_prefix(['x', 'X']).map(|hex| u32::from_str_radix(hex, 16));
        let code = hex.unwrap_or_else(|| number.parse()).ok()?;
        return char::from_u32(code).map(String::from);
    }
    let mut words = ENTITIES.split(' ');
    words.by_ref().step_by(2).find(|known| *known == name)?;
    words.next().map(str::to_owned)
}
