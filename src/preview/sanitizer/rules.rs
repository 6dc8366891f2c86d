//! The contents allowed in a clean copy of a page: elements, their attributes, and which element
//! ends which. Lists of names are texts separated by spaces.

use text::listed;

/// The condition on an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueRule {
    Text,
    /// Letters, digits and a few marks.
    Word,
    /// A number, at most this one, in pixels or percent.
    Number(u32),
    /// None: only its presence counts.
    Flag,
}

/// Elements that are kept, with their attributes besides the global ones.
const ELEMENTS: &[(&str, &str)] = &[
    (
        "abbr acronym address article aside b bdi bdo big blockquote br button center cite code dd \
         del dfn dir dl dt em fieldset figcaption figure footer header hgroup i ins kbd label legend \
         main mark menu nav nobr output pre q rp rt ruby s samp search section small span strike \
         strong sub summary sup tt u ul var wbr",
        "",
    ),
    ("a", "name"),
    ("caption div h1 h2 h3 h4 h5 h6 p", "align"),
    ("col", "span width align bgcolor"),
    ("colgroup", "span width align"),
    ("data", "value"),
    ("details dialog", "open"),
    ("font", "color size face"),
    ("hr", "align size width color"),
    ("li", "value type"),
    ("meter", "value min max low high optimum"),
    ("ol", "start type reversed"),
    ("optgroup", "label"),
    ("option", "selected"),
    ("progress", "value max"),
    ("select", "multiple size"),
    ("table", "align border cellpadding cellspacing width bgcolor"),
    ("tbody tfoot thead", "align valign"),
    ("td th", "colspan rowspan scope headers abbr align valign width height bgcolor nowrap"),
    ("time", "datetime"),
    ("tr", "align valign bgcolor"),
];

/// Form controls, which are disabled in a copy.
pub(super) const CONTROLS: &str = "button optgroup option select";

/// Elements without content.
pub(super) const VOID: &str = "br col hr wbr";

/// Attributes that every element may have.
const OF_ALL: &str = "aria-hidden aria-label class dir hidden id lang role style title";

/// Attributes with conditions on their values; all others are words.
const VALUES: &[(&str, ValueRule)] = &[
    ("abbr aria-label class datetime face headers id label name style title", ValueRule::Text),
    ("hidden multiple nowrap open reversed selected", ValueRule::Flag),
    ("border cellpadding cellspacing", ValueRule::Number(1_000)),
    ("colspan span", ValueRule::Number(200)),
    ("rowspan", ValueRule::Number(2_000)),
    ("height width", ValueRule::Number(20_000)),
];

/// Elements that are left out with their content.
pub(super) const DROPPED: &str =
    "applet audio canvas datalist frameset math object svg template video";

/// Those of them, and others, that a reader would have seen.
pub(super) const EMBEDDED: &str = "applet audio embed frame iframe math object svg video";

/// A new element, the open elements it ends, and the ones beyond which it ends none.
pub(super) const ENDS: &[(&str, &str, &str)] = &[
    ("li", "li", "ul ol menu dir table"),
    ("dt dd", "dt dd", "dl table"),
    ("td th", "td th", "tr table"),
    ("tr", "tr caption colgroup", "tbody thead tfoot table"),
    ("tbody thead tfoot", "tbody thead tfoot tr caption colgroup", "table"),
    ("caption colgroup", "caption colgroup", "table"),
    ("option", "option", "select"),
    ("optgroup", "option optgroup", "select"),
    ("a", "a", "td th table"),
    ("button", "button", "td th table"),
    ("select", "select", ""),
    (BLOCKS, "p", "td th caption table button"),
];

/// Elements that end a paragraph.
const BLOCKS: &str = "address article aside blockquote center details dialog dir div dl fieldset \
    figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search \
    section summary table ul";

/// Elements within which the end tag of an outer element is ignored.
pub(super) const CELLS: &str = "td th caption";

/// Parts of tables, whose end tags count even within a cell.
pub(super) const TABLES: &str = "table tbody thead tfoot tr td th caption";

/// The name under which an element is kept, and its own attributes.
pub(super) fn element(name: &str) -> Option<(&'static str, &'static str)> {
    let name = if matches!(name, "form" | "noscript") { "div" } else { name };
    ELEMENTS.iter().find_map(|(names, own)| Some((listed(names, name)?, *own)))
}

/// The attribute with that name, if an element with these of its `own` may have it, and the rule
/// for its value.
pub(super) fn attribute(own: &'static str, name: &str) -> Option<(&'static str, ValueRule)> {
    let known = listed(own, name).or_else(|| listed(OF_ALL, name))?;
    let value = VALUES.iter().find(|(names, _)| listed(names, known).is_some());
    Some((known, value.map_or(ValueRule::Word, |(_, value)| *value)))
}

/// Colors such as `#fff`, sizes such as `+1`, lists such as `row col`.
fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '#' | ' ' | '+')
}

/// Whether `value` follows its rule.
pub(super) fn is_fit(value: &str, kind: ValueRule) -> bool {
    match kind {
        ValueRule::Text | ValueRule::Flag => true,
        ValueRule::Word => value.len() <= 40 && value.chars().all(is_of_word),
        ValueRule::Number(most) => {
            let digits = value.trim_end_matches("px").trim_end_matches('%');
            digits.len() <= 5 && digits.parse::<u32>().is_ok_and(|number| number <= most)
        }
    }
}
