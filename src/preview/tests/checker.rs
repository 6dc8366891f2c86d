//! Reads markup as a strict reader would, and finds forbidden content.

/// Tags with their allowed attributes.
const ALLOWED: &[(&str, &[&str])] = &[
    ("a", &["rel", "href"]),
    ("img", &["class", "loading", "decoding", "src", "alt", "width", "height"]),
    ("ol", &["start", "class"]),
    ("th", &["scope", "class"]),
    ("details", &["class", "open"]),
    ("iframe", &["sandbox", "loading", "referrerpolicy", "title", "name", "src", "data-plain"]),
    ("mark", &["id", "class"]),
    ("div", &["class", "tabindex"]),
    ("p", &["class"]),
    ("pre", &["class"]),
    ("span", &["class"]),
    ("table", &["class"]),
    ("td", &["class"]),
    ("ul", &["class"]),
];

/// Tags without attributes.
const BARE: &str = " b blockquote br caption code dd del dl dt em h4 h5 h6 hr \
    li s strong sub summary sup tbody thead tr ";

const VOID: &[&str] = &["br", "hr", "img"];

/// The first forbidden thing in `html`.
pub(super) fn check(html: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        check_text(text)?;
        let end = tag.find('>').ok_or("a tag without end")?;
        let (inner, after) = (&tag[1..end], &tag[end + 1..]);
        match inner.strip_prefix('/') {
            Some(name) if closes(&mut open, name) => {}
            Some(name) => return Err(format!("`{name}` ends and was not open")),
            None => {
                let name = inner.split(' ').next().unwrap_or_default();
                check_tag(name, inner[name.len()..].trim())?;
                end_cells(&mut open, name);
                if !VOID.contains(&name) {
                    open.push(name);
                }
            }
        }
        rest = after;
    }
    check_text(rest)?;
    if open.is_empty() { Ok(()) } else { Err(format!("left open: {open:?}")) }
}

/// Closes elements that may omit their end tag where `name` begins.
fn end_cells(open: &mut Vec<&str>, name: &str) {
    let ended: &[&str] = match name {
        "td" | "th" => &["td", "th"],
        "tr" => &["td", "th", "tr"],
        _ => &[],
    };
    while open.last().is_some_and(|last| ended.contains(last)) {
        open.pop();
    }
}

/// Whether `name` is open when it ends, ignoring the cells and rows of a table.
fn closes(open: &mut Vec<&str>, name: &str) -> bool {
    let optional = ["td", "th", "tr", "tbody"];
    let in_table = ["thead", "tbody", "table"].contains(&name);
    while in_table && open.last().is_some_and(|last| *last != name && optional.contains(last)) {
        open.pop();
    }
    open.pop() == Some(name)
}

fn check_text(text: &str) -> Result<(), String> {
    let odd = text.chars().find(|c| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '>' | '"' | '\'' | '\u{200e}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    });
    odd.map_or(Ok(()), |c| Err(format!("{c:?} in {text:?}")))
}

fn check_tag(name: &str, attributes: &str) -> Result<(), String> {
    let allowed = ALLOWED.iter().find(|(tag, _)| *tag == name).map(|(_, allowed)| *allowed);
    let is_bare = BARE.contains(&format!(" {name} "));
    let allowed = if is_bare { Some(&[][..]) } else { allowed };
    let allowed = allowed.ok_or_else(|| format!("tag `{name}`"))?;
    let mut rest = attributes;
    while !rest.is_empty() {
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let attribute = &rest[..end];
        if !allowed.contains(&attribute) {
            return Err(format!("attribute `{attribute}` of `{name}`"));
        }
        rest = match rest[end..].strip_prefix("=\"") {
            Some(value) => {
                let (value, after) = value.split_once('"').ok_or("a value without end")?;
                check_value(attribute, value)?;
                after
            }
            None => &rest[end..],
        };
        rest = rest.trim_start();
    }
    Ok(())
}

fn check_value(attribute: &str, value: &str) -> Result<(), String> {
    let lower = value.to_ascii_lowercase();
    let is_fine = match attribute {
        "src" | "href" if value.ends_with(".html") && value.starts_with("../files/") => {
            value.len() == "../files/.html".len() + 20
        }
        "href" => ["http://", "https://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme)),
        "src" => value.strip_prefix("../files/").is_some_and(|file| {
            let (hash, extension) = file.split_once('.').unwrap_or_default();
            hash.len() == 20
                && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
                && ["png", "jpg", "gif", "webp", "svg"].contains(&extension)
        }),
        "class" => value
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b' '),
        "width" | "height" | "start" => value.bytes().all(|byte| byte.is_ascii_digit()),
        _ => true,
    };
    if is_fine { Ok(()) } else { Err(format!("`{attribute}` is `{value}`")) }
}

#[test]
fn the_checker_finds_forbidden_content() {
    assert_eq!(
        check("<p class=\"a\">x &lt; y</p><details open><summary>a</summary></details>"),
        Ok(())
    );
    let wrong = [
        "<script>",
        "<p onclick=\"x\"></p>",
        "<p style=\"x\"></p>",
        "<a href=\"javascript:x\"></a>",
        "<p>",
        "</p>",
        "<p></b>",
        "a>b",
        "a\"b",
        "<img src=\"https://x.example/a.png\">",
        "<p",
        "<p class=\"a</p>",
        "<iframe src=\"https://x.example/a.html\"></iframe>",
        "a\u{202e}b",
        "<h4 id=\"x\"></h4>",
    ];
    for html in wrong {
        assert!(check(html).is_err(), "{html}");
    }
}
