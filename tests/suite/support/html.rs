//! A light scan of a page: its tags with their attributes, in order. It knows what the program
//! writes (quoted attributes, comments, raw text in `style` and `script`), not all of HTML.

/// One opening tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    /// Its name in lower case.
    pub(crate) name: String,
    /// Names in lower case, values without character references.
    pub(crate) attributes: Vec<(String, String)>,
    /// The text up to the next tag, without character references.
    pub(crate) text: String,
}

impl Tag {
    /// The value of an attribute; empty for one without a value.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// What its attributes tell a reader.
    fn accessible_text(&self) -> impl Iterator<Item = String> {
        let names = ["aria-label", "title", "alt", "placeholder"].into_iter();
        names.filter_map(|name| self.get(name)).map(str::to_owned)
    }
}

/// The opening tags of `page`.
pub(crate) fn tags(page: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = after(comment, "-->");
        } else if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (mut tag, behind) = tag(rest);
            let end = behind.find('<').unwrap_or(behind.len());
            tag.text = unescaped(&behind[..end]);
            rest = match tag.name.as_str() {
                name @ ("script" | "style" | "title" | "textarea") => {
                    after(behind, &format!("</{name}"))
                }
                _ => behind,
            };
            tags.push(tag);
        }
    }
    tags
}

fn after<'p>(text: &'p str, end: &str) -> &'p str {
    text.find(end).map_or("", |at| &text[at + end.len()..])
}

/// The tag at the start of `text`, and what follows it.
fn tag(text: &str) -> (Tag, &str) {
    let (name, mut rest) = word(text);
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if let Some(behind) = rest.strip_prefix('>') {
            rest = behind;
            break;
        }
        if rest.is_empty() {
            break;
        }
        let (key, behind) = word(rest);
        let (value, behind) = value(behind);
        attributes.push((key, value));
        // A character that starts no attribute is passed over, so that the scan always ends.
        rest = if behind.len() == rest.len() {
            let mut characters = rest.chars();
            characters.next();
            characters.as_str()
        } else {
            behind
        };
    }
    let tag = Tag { name, attributes, text: String::new() };
    (tag, rest)
}

fn word(text: &str) -> (String, &str) {
    let ends = |c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/');
    let end = text.find(ends).unwrap_or(text.len());
    (text[..end].to_ascii_lowercase(), &text[end..])
}

/// The value behind an attribute's name; empty when there is none.
fn value(text: &str) -> (String, &str) {
    let Some(rest) = text.trim_start().strip_prefix('=') else {
        return (String::new(), text);
    };
    let rest = rest.trim_start();
    for quote in ['"', '\''] {
        if let Some(inner) = rest.strip_prefix(quote) {
            let end = inner.find(quote).unwrap_or(inner.len());
            let behind = inner.get(end + 1..).unwrap_or("");
            return (unescaped(&inner[..end]), behind);
        }
    }
    let end = rest.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(rest.len());
    (unescaped(&rest[..end]), &rest[end..])
}

/// `text` with its character references resolved.
pub(crate) fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let reference = rest.find(';').map(|end| (&rest[1..end], end));
        match reference.and_then(|(name, end)| Some((character(name)?, end))) {
            Some((found, end)) => {
                plain.push(found);
                rest = &rest[end + 1..];
            }
            None => {
                plain.push('&');
                rest = &rest[1..];
            }
        }
    }
    plain + rest
}

fn character(name: &str) -> Option<char> {
    const NAMED: &[(&str, char)] = &[
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", '\u{a0}'),
    ];
    if let Some((_, found)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Some(*found);
    }
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    char::from_u32(code)
}

/// Everything a reader is told: the texts of `page`, and what attributes say, each with the
/// characters that references stand for. What is marked `lang="en"` inside the page is left out.
pub(crate) fn accessible_texts(page: &str) -> Vec<String> {
    const VOID: [&str; 8] = ["meta", "link", "img", "br", "hr", "input", "wbr", "col"];
    let mut shown = Vec::new();
    // How many elements are open, and from which on nothing is told.
    let (mut depth, mut silent) = (0_usize, None);
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        if silent.is_none() {
            shown.push(unescaped(&rest[..at]));
        }
        rest = &rest[at + 1..];
        if rest.starts_with('/') {
            depth = depth.saturating_sub(1);
            if silent.is_some_and(|from| depth <= from) {
                silent = None;
            }
            rest = after(rest, ">");
        } else if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (tag, behind) = tag(rest);
            let closes_itself = rest[..rest.len() - behind.len()].ends_with("/>");
            rest = behind;
            if silent.is_none() && tag.name != "html" && tag.get("lang") == Some("en") {
                silent = Some(depth);
            }
            if silent.is_none() {
                shown.extend(tag.accessible_text());
            }
            if !closes_itself && !VOID.contains(&tag.name.as_str()) {
                depth += 1;
            }
        } else {
            rest = after(rest, ">");
        }
    }
    shown.push(unescaped(rest));
    shown
}

/// The lines of `page` as a reader sees them: what stands in one line of text is one, and each text
/// of an attribute is one.
pub(crate) fn lines(page: &str) -> Vec<String> {
    const INLINE: [&str; 17] = [
        "a", "abbr", "b", "code", "em", "i", "ins", "del", "kbd", "mark", "q", "small", "span",
        "strong", "sub", "sup", "time",
    ];
    let (mut text, mut accessible) = (String::new(), Vec::new());
    let (mut rest, mut is_whole) = (page, false);
    while let Some(at) = rest.find('<') {
        text += &if is_whole { rest[..at].to_owned() } else { rest[..at].replace('\n', " ") };
        rest = &rest[at + 1..];
        let name = word(rest.trim_start_matches('/')).0;
        if name == "pre" {
            is_whole = !rest.starts_with('/');
        }
        if !INLINE.contains(&name.as_str()) {
            text.push('\n');
        }
        if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (tag, behind) = tag(rest);
            accessible.extend(tag.accessible_text());
            rest = match name.as_str() {
                "script" | "style" => after(after(behind, &format!("</{name}")), ">"),
                _ => behind,
            };
        } else {
            rest = after(rest, ">");
        }
    }
    let lines = text.lines().map(unescaped).chain(accessible);
    let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect()
}
