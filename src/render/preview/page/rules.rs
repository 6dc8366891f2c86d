//! What a clean copy of a page may hold: elements, their attributes, and what ends what.

/// What the value of an attribute must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Any text.
    Text,
    /// Letters, digits and a few marks.
    Word,
    /// A number, at most this one, in pixels or percent.
    Number(u32),
    /// None: what counts is that it stands there.
    Flag,
}

/// An element that stays.
#[derive(Debug)]
pub(super) struct Element {
    /// Its name in the data.
    pub(super) name: &'static str,
    /// Its name in the copy.
    pub(super) written: &'static str,
    /// Its attributes besides those of every element.
    pub(super) attributes: &'static [&'static str],
    /// Whether it is one to be filled in or pressed, which a copy cannot be.
    pub(super) is_control: bool,
    /// Whether it holds nothing.
    pub(super) is_void: bool,
}

/// Elements that stay and have no attributes of their own, as they are.
const PLAIN: &[&str] = &[
    "abbr",
    "acronym",
    "address",
    "article",
    "aside",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "center",
    "cite",
    "code",
    "dd",
    "del",
    "dfn",
    "dir",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "header",
    "hgroup",
    "i",
    "ins",
    "kbd",
    "label",
    "legend",
    "main",
    "mark",
    "menu",
    "nav",
    "nobr",
    "output",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "search",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "tt",
    "u",
    "ul",
    "var",
];

/// Elements that stay with attributes of their own.
const OTHERS: &[(&str, &[&str])] = &[
    ("a", &["name"]),
    ("caption", &["align"]),
    ("col", &["span", "width", "align", "bgcolor"]),
    ("colgroup", &["span", "width", "align"]),
    ("data", &["value"]),
    ("details", &["open"]),
    ("dialog", &["open"]),
    ("div", &["align"]),
    ("font", &["color", "size", "face"]),
    ("h1", &["align"]),
    ("h2", &["align"]),
    ("h3", &["align"]),
    ("h4", &["align"]),
    ("h5", &["align"]),
    ("h6", &["align"]),
    ("hr", &["align", "size", "width", "color"]),
    ("li", &["value", "type"]),
    ("meter", &["value", "min", "max", "low", "high", "optimum"]),
    ("ol", &["start", "type", "reversed"]),
    ("p", &["align"]),
    ("progress", &["value", "max"]),
    ("table", &["align", "border", "cellpadding", "cellspacing", "width", "bgcolor"]),
    ("tbody", &["align", "valign"]),
    ("td", CELL),
    ("tfoot", &["align", "valign"]),
    ("th", CELL),
    ("thead", &["align", "valign"]),
    ("time", &["datetime"]),
    ("tr", &["align", "valign", "bgcolor"]),
];

const CELL: &[&str] = &[
    "colspan", "rowspan", "scope", "headers", "abbr", "align", "valign", "width", "height",
    "bgcolor", "nowrap",
];

/// Elements to be filled in or pressed.
const CONTROLS: &[(&str, &[&str])] = &[
    ("button", &[]),
    ("optgroup", &["label"]),
    ("option", &["selected"]),
    ("select", &["multiple", "size"]),
];

/// Elements that hold nothing.
const VOID: &[&str] = &["br", "col", "hr", "wbr"];

/// Attributes and what their values must be.
const ATTRIBUTES: &[(&str, Value)] = &[
    ("abbr", Value::Text),
    ("align", Value::Word),
    ("aria-hidden", Value::Word),
    ("aria-label", Value::Text),
    ("bgcolor", Value::Word),
    ("border", Value::Number(1_000)),
    ("cellpadding", Value::Number(1_000)),
    ("cellspacing", Value::Number(1_000)),
    ("class", Value::Text),
    ("color", Value::Word),
    ("colspan", Value::Number(200)),
    ("datetime", Value::Text),
    ("dir", Value::Word),
    ("face", Value::Text),
    ("headers", Value::Text),
    ("height", Value::Number(20_000)),
    ("hidden", Value::Flag),
    ("high", Value::Word),
    ("id", Value::Text),
    ("label", Value::Text),
    ("lang", Value::Word),
    ("low", Value::Word),
    ("max", Value::Word),
    ("min", Value::Word),
    ("multiple", Value::Flag),
    ("name", Value::Text),
    ("nowrap", Value::Flag),
    ("open", Value::Flag),
    ("optimum", Value::Word),
    ("reversed", Value::Flag),
    ("role", Value::Word),
    ("rowspan", Value::Number(2_000)),
    ("scope", Value::Word),
    ("selected", Value::Flag),
    ("size", Value::Word),
    ("span", Value::Number(200)),
    ("start", Value::Word),
    ("title", Value::Text),
    ("type", Value::Word),
    ("valign", Value::Word),
    ("value", Value::Word),
    ("width", Value::Number(20_000)),
];

/// Attributes that every element may have.
const OF_ALL: &[&str] =
    &["aria-hidden", "aria-label", "class", "dir", "hidden", "id", "lang", "role", "title"];

/// Elements that are left out with all they hold.
pub(super) const DROPPED: &[&str] = &[
    "applet", "audio", "canvas", "datalist", "frameset", "math", "object", "svg", "template",
    "video",
];

/// Those of them, and others, that a reader would have seen something of.
pub(super) const EMBEDDED: &[&str] =
    &["applet", "audio", "embed", "frame", "iframe", "math", "object", "svg", "video"];

/// What begins, which open elements it ends, and beyond which it ends none.
const ENDS: &[(&[&str], &[&str], &[&str])] = &[
    (&["li"], &["li"], &["ul", "ol", "menu", "dir", "table"]),
    (&["dt", "dd"], &["dt", "dd"], &["dl", "table"]),
    (&["td", "th"], &["td", "th"], &["tr", "table"]),
    (&["tr"], &["tr", "caption", "colgroup"], &["tbody", "thead", "tfoot", "table"]),
    (
        &["tbody", "thead", "tfoot"],
        &["tbody", "thead", "tfoot", "tr", "caption", "colgroup"],
        &["table"],
    ),
    (&["caption", "colgroup"], &["caption", "colgroup"], &["table"]),
    (&["option"], &["option"], &["select"]),
    (&["optgroup"], &["option", "optgroup"], &["select"]),
    (&["a"], &["a"], &["td", "th", "table"]),
    (&["button"], &["button"], &["td", "th", "table"]),
    (&["select"], &["select"], &[]),
    (BLOCKS, &["p"], &["td", "th", "caption", "table", "button"]),
];

/// Elements that end a paragraph.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "ul",
];

/// Elements within which the end tag of something outside counts for nothing.
pub(super) const CELLS: &[&str] = &["td", "th", "caption"];

/// Parts of tables, whose end tags count from within a cell.
pub(super) const TABLES: &[&str] =
    &["table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption"];

/// The element of that name, where it stays.
pub(super) fn element(name: &str) -> Option<Element> {
    let with = |(name, attributes): &(&'static str, &'static [&'static str]), is_control| Element {
        name,
        written: name,
        attributes,
        is_control,
        is_void: VOID.contains(name),
    };
    let find = |list: &'static [(&'static str, &'static [&'static str])]| {
        list.iter().find(|(known, _)| *known == name)
    };
    if matches!(name, "form" | "noscript") {
        return Some(Element {
            name: if name == "form" { "form" } else { "noscript" },
            ..with(&("div", &[]), false)
        });
    }
    let plain = PLAIN.iter().chain(&["br", "wbr"]).find(|known| **known == name);
    plain
        .map(|name| with(&(name, &[]), false))
        .or_else(|| find(OTHERS).map(|found| with(found, false)))
        .or_else(|| find(CONTROLS).map(|found| with(found, true)))
}

/// The attribute of that name where `element` may have it, and what its value must be.
pub(super) fn attribute(element: &[&str], name: &str) -> Option<(&'static str, Value)> {
    let known = ATTRIBUTES.iter().find(|(known, _)| *known == name)?;
    (OF_ALL.contains(&known.0) || element.contains(&known.0)).then_some(*known)
}

/// Whether `value` is what it must be.
pub(super) fn is_fit(value: &str, kind: Value) -> bool {
    match kind {
        Value::Text | Value::Flag => true,
        Value::Word => {
            let fits =
                |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '#' | ' ' | '+');
            value.len() <= 40 && value.chars().all(fits)
        }
        Value::Number(most) => {
            let digits = value.trim_end_matches("px").trim_end_matches('%');
            digits.len() <= 5 && digits.parse::<u32>().is_ok_and(|number| number <= most)
        }
    }
}

/// The open elements that `name` ends, the outermost first, and beyond which it ends none.
pub(super) fn ended_by(
    name: &str,
) -> impl Iterator<Item = (&'static [&'static str], &'static [&'static str])> {
    let begins = move |(begins, ..): &&(&[&str], _, _)| begins.contains(&name);
    ENDS.iter().filter(begins).map(|(_, ended, beyond)| (*ended, *beyond))
}
