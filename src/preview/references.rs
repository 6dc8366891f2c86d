//! The character references of HTML, such as `&amp;`.

/// The most common names, each with its character.
const ENTITIES: &str = "amp & lt < gt > quot \" apos ' nbsp \u{a0} copy © reg ® trade ™ hellip … mdash — \
    ndash – lsquo ‘ rsquo ’ ldquo “ rdquo ” laquo « raquo » bull • middot · times × rarr → larr ← \
    euro € pound £ deg ° plusmn ± minus − check ✓";

/// `text` with its character references resolved.
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
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?).map(String::from);
    }
    let mut words = ENTITIES.split(' ');
    words.by_ref().step_by(2).find(|known| *known == name)?;
    words.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn known_references_are_resolved() {
        assert_eq!(unescaped("&lt;&#65;&#x42;&nbsp;&bogus; & &copy;"), "<AB\u{a0}&bogus; & ©");
    }
}
