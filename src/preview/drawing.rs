//! SVG as a picture: a copy with shapes, text and colors, and nothing else.
//!
//! A stored drawing can be opened by itself, and then it is a document. So the stored copy is
//! rewritten: elements and attributes from a list, no script, no style sheet that loads, no link,
//! and references only within the drawing. The original is kept as text.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node};

use crate::preview::markup::Markup;
use crate::preview::sanitizer::MAX_DEPTH;
use formats::picture::PLAUSIBLE_SIDES;
use formats::xml;
use text::{is_listed, listed};

const SPACE: &str = "http://www.w3.org/2000/svg";

const ELEMENTS: &str = "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title \
     desc linearGradient radialGradient stop clipPath marker pattern mask style";

/// Attributes that are kept if their value is harmless.
const ATTRIBUTES: &str = "id class x y x1 x2 y1 y2 cx cy r rx ry fx fy dx dy d points width height viewBox \
     preserveAspectRatio transform offset fill fill-opacity fill-rule clip-rule clip-path \
     clipPathUnits mask maskUnits stroke stroke-width stroke-opacity stroke-dasharray \
     stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit opacity color display \
     visibility font-family font-size font-weight font-style text-anchor text-decoration \
     dominant-baseline alignment-baseline baseline-shift letter-spacing textLength \
     lengthAdjust rotate stop-color stop-opacity gradientUnits gradientTransform spreadMethod \
     marker-start marker-mid marker-end markerWidth markerHeight markerUnits orient refX refY \
     patternUnits patternTransform patternContentUnits vector-effect paint-order \
     shape-rendering text-rendering role style overflow";

/// Attributes whose removal is not a loss.
const SILENT: &str = "version lang space tabindex focusable baseProfile";

/// Functions that a value may call; none of them loads anything.
const FUNCTIONS: &str = "rgb rgba hsl hsla translate translatex translatey scale rotate skewx skewy matrix calc \
     var url";

/// The most elements of a drawing, and the most that all uses of its parts may add.
const MAX_ELEMENTS: usize = 60_000;

#[derive(Debug)]
pub(super) struct Drawing {
    pub(super) svg: Vec<u8>,
    pub(super) size: Option<(usize, usize)>,
    pub(super) is_cut: bool,
}

/// The safe copy of a drawing; `None` if it is not one or too large.
pub(super) fn clean(text: &str) -> Option<Drawing> {
    let text = without_doctype(text);
    let xml = xml::parse(&text, MAX_ELEMENTS)?;
    let root = xml.root_element();
    if root.tag_name().name() != "svg" {
        return None;
    }
    let targets = targets(&xml);
    let mut writer = DrawingWriter { out: Markup::default(), targets, is_cut: false, copies: 0 };
    writer.element(root, 0);
    let svg = writer.out.finish().as_str().as_bytes().to_vec();
    Some(Drawing { svg, size: size(root), is_cut: writer.is_cut })
}

/// `text` without its doctype, which programs write and nobody needs. One with definitions of its
/// own stays, and is refused.
fn without_doctype(text: &str) -> std::borrow::Cow<'_, str> {
    let Some(start) = text.find("<!DOCTYPE") else { return text.into() };
    match text[start..].find(['>', '[']) {
        Some(end) if text[start + end..].starts_with('>') => {
            format!("{}{}", &text[..start], &text[start + end + 1..]).into()
        }
        _ => text.into(),
    }
}

/// The number of elements in each usable part by its id, without parts that use others: ten uses
/// of a part with ten uses, twenty levels deep, would draw more than any browser can.
fn targets(xml: &Document<'_>) -> BTreeMap<String, usize> {
    let mut nesting = BTreeSet::new();
    for used in xml.descendants().filter(|node| node.tag_name().name() == "use") {
        for outer in used.ancestors() {
            if !nesting.insert(outer.id().get()) {
                break;
            }
        }
    }
    // Parts may be nested, so counting each of them costs more than the drawing is large.
    let mut left = 32 * MAX_ELEMENTS;
    let mut sizes = BTreeMap::new();
    for part in xml.descendants().filter(|node| !nesting.contains(&node.id().get())) {
        let Some(id) = part.attribute("id") else { continue };
        let size = part.descendants().take(left.min(MAX_ELEMENTS + 1)).count();
        left -= size;
        if left > 0 {
            sizes.insert(id.to_owned(), size);
        }
    }
    sizes
}

struct DrawingWriter {
    out: Markup,
    targets: BTreeMap<String, usize>,
    is_cut: bool,
    copies: usize,
}

impl DrawingWriter {
    fn element(&mut self, node: Node<'_, '_>, depth: usize) {
        let name = node.tag_name();
        if name.namespace().is_some_and(|space| space != SPACE) {
            // Inkscape and others keep their own data in elements of other namespaces.
            return;
        }
        let allowed = match listed(ELEMENTS, name.name()) {
            Some(allowed) if depth < MAX_DEPTH => allowed,
            _ => {
                self.is_cut |= name.name() != "metadata";
                return;
            }
        };
        let is_refused = match allowed {
            "use" => !self.may_use(node),
            "style" => !is_harmless(&style_sheet(node), false),
            _ => false,
        };
        if is_refused {
            self.is_cut = true;
            return;
        }
        self.out.raw("<").raw(allowed);
        if depth == 0 {
            self.out.raw(" xmlns=\"http://www.w3.org/2000/svg\"");
        }
        self.attributes(node);
        self.out.raw(">");
        for child in node.children() {
            match child.text() {
                Some(text) if child.is_text() => drop(self.out.text(text)),
                _ if child.is_element() => self.element(child, depth + 1),
                _ => {}
            }
        }
        self.out.raw("</").raw(allowed).raw(">");
    }

    fn attributes(&mut self, node: Node<'_, '_>) {
        // A pattern that is painted with itself makes some browsers hang.
        let within_paint = node.ancestors().any(|ancestor| {
            matches!(ancestor.tag_name().name(), "pattern" | "mask" | "marker" | "clipPath")
        });
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            if name == "href" && node.tag_name().name() == "use" {
                self.out.raw(" href=\"").text(value).raw("\"");
                continue;
            }
            match listed(ATTRIBUTES, name) {
                Some(allowed)
                    if attribute.namespace().is_none() && is_harmless(value, !within_paint) =>
                {
                    self.out.raw(" ").raw(allowed).raw("=\"").text(value).raw("\"");
                }
                _ => {
                    // Attributes for screen readers and scripts are invisible.
                    let is_silent = name.starts_with("aria-") || name.starts_with("data-");
                    self.is_cut |= !is_silent && !is_listed(SILENT, name);
                }
            }
        }
    }

    /// Whether the used part belongs to the drawing, uses none itself, and still fits.
    fn may_use(&mut self, node: Node<'_, '_>) -> bool {
        let target = node.attributes().find(|attribute| attribute.name() == "href");
        let id = target.and_then(|target| target.value().strip_prefix('#'));
        let size = id.and_then(|id| self.targets.get(id));
        self.copies += size.copied().unwrap_or_default();
        size.is_some() && self.copies <= MAX_ELEMENTS
    }
}

fn style_sheet(style: Node<'_, '_>) -> String {
    style.children().filter_map(|child| child.text()).collect()
}

/// Width and height in pixels: the attributes, else the view box.
fn size(root: Node<'_, '_>) -> Option<(usize, usize)> {
    let sides =
        (root.attribute("width").and_then(pixels), root.attribute("height").and_then(pixels));
    if let (Some(width), Some(height)) = sides {
        return Some((width, height));
    }
    // Programs that draw charts for the web leave out the size, so that it scales.
    let view = root.attribute("viewBox")?;
    let mut numbers = view.split([' ', ',']).filter(|part| !part.is_empty()).skip(2);
    Some((pixels(numbers.next()?)?, pixels(numbers.next()?)?))
}

fn pixels(length: &str) -> Option<usize> {
    let pixels = length.trim_end_matches("px").trim().parse::<f64>().ok()?.round() as usize;
    if PLAUSIBLE_SIDES.contains(&pixels) { Some(pixels) } else { None }
}

/// Whether a value calls only listed functions, and `url` only for a part of the drawing, if that
/// is allowed at all.
fn is_harmless(value: &str, may_refer: bool) -> bool {
    // `@import` loads a file, and an escape or a comment hides a name: `u\72l(…)`.
    if value.contains(['@', '\\', '<']) || value.contains("/*") {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    lower.match_indices('(').all(|(at, _)| {
        let mut words = lower[..at].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        match words.next().unwrap_or_default() {
            "url" => {
                let target = lower[at + 1..].trim_start_matches(['"', '\'', ' ']);
                may_refer && target.starts_with('#')
            }
            "" => true,
            name => is_listed(FUNCTIONS, name),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Drawing, clean, is_harmless};

    fn svg(inner: &str) -> Option<(String, bool)> {
        let text =
            format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 10'>{inner}</svg>");
        let Drawing { svg, size, is_cut } = clean(&text)?;
        assert_eq!(size, Some((20, 10)));
        let svg = String::from_utf8(svg).unwrap();
        let start = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 10\">";
        Some((svg.strip_prefix(start)?.strip_suffix("</svg>")?.to_owned(), is_cut))
    }

    #[test]
    fn shapes_stay() {
        let rect = "<rect width=\"2\" fill=\"url(#a)\"></rect>";
        assert_eq!(svg(rect), Some((rect.to_owned(), false)));
        let line = "<path stroke-dashoffset=\"2\" shape-rendering=\"crispEdges\"></path>";
        assert_eq!(svg(line), Some((line.to_owned(), false)));
        let text = "<text style=\"fill: rgb(1,2,3)\">a &lt; b</text>";
        assert_eq!(svg(text), Some((text.to_owned(), false)));
        let style = "<style>.a{fill:#fff}</style>";
        assert_eq!(svg(style), Some((style.to_owned(), false)));
        let used = "<g id=\"a\"><path d=\"M0 0\"></path></g><use href=\"#a\"></use>";
        assert_eq!(svg(used), Some((used.to_owned(), false)));
    }

    #[test]
    fn code_and_loading_elements_are_removed() {
        let gone = [
            "<script>alert(1)</script>",
            "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>",
            "<image href='https://x.example/a.png'/>",
            "<a href='javascript:alert(1)'/>",
            "<animate attributeName='href' values='javascript:alert(1)'/>",
            "<set attributeName='onload' to='alert(1)'/>",
            "<use href='https://x.example/a.svg#b'/>",
            "<style>@import 'https://x.example';</style>",
            "<style>a{background:u\\72l(https://x.example)}</style>",
            "<style>a{background:image-set('https://x.example')}</style>",
            "<style>a{fill:url(#a)}</style>",
        ];
        for inner in gone {
            assert_eq!(svg(inner), Some((String::new(), true)), "{inner}");
        }
        let bare = Some(("<rect></rect>".to_owned(), true));
        for attribute in ["onload='x'", "fill='url(//x.example)'", "style='a:url(x)'", "href='#a'"]
        {
            assert_eq!(svg(&format!("<rect {attribute}/>")), bare, "{attribute}");
        }
        assert_eq!(
            svg("<h:script xmlns:h='http://www.w3.org/1999/xhtml'>x</h:script>").unwrap().0,
            ""
        );
    }

    #[test]
    fn copies_do_not_multiply() {
        let mut text = String::from("<g id='a0'><path/></g>");
        for n in 1..20 {
            let uses = format!("<use href='#a{}'/>", n - 1).repeat(10);
            text += &format!("<g id='a{n}'>{uses}</g>");
        }
        let (svg, is_cut) = svg(&text).unwrap();
        assert!(is_cut && svg.matches("<use").count() == 10, "{svg}");
        assert!(clean("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>").is_none());
        assert!(clean("<!DOCTYPE svg PUBLIC 'a' 'b'><svg/>").is_some());
    }

    #[test]
    fn functions_are_known() {
        assert!(is_harmless("translate(1 2) rotate(3)", false));
        assert!(is_harmless("url( '#a' )", true) && !is_harmless("url(#a)", false));
        assert!(!is_harmless("é(1) expression(1)", true));
    }
}
