//! What a drawing may hold.

use crate::text::listed;

pub(super) const SPACE: &str = "http://www.w3.org/2000/svg";

/// Elements that stay.
pub(super) const ELEMENTS: &str = "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title \
     desc linearGradient radialGradient stop clipPath marker pattern mask style";

/// Attributes that stay where their value is harmless.
pub(super) const ATTRIBUTES: &str = "id class x y x1 x2 y1 y2 cx cy r rx ry fx fy dx dy d points width height viewBox \
     preserveAspectRatio transform offset fill fill-opacity fill-rule clip-rule clip-path \
     clipPathUnits mask maskUnits stroke stroke-width stroke-opacity stroke-dasharray stroke- \
     dashoffset stroke-linecap stroke-linejoin stroke-miterlimit opacity color display \
     visibility font-family font-size font-weight font-style text-anchor text-decoration \
     dominant-baseline alignment-baseline baseline-shift letter-spacing textLength \
     lengthAdjust rotate stop-color stop-opacity gradientUnits gradientTransform spreadMethod \
     marker-start marker-mid marker-end markerWidth markerHeight markerUnits orient refX refY \
     patternUnits patternTransform patternContentUnits vector-effect paint-order shape- \
     rendering text-rendering role style overflow";

/// Functions that a value may call; none of them loads anything.
const FUNCTIONS: &str = "rgb rgba hsl hsla translate translatex translatey scale rotate skewx skewy matrix calc \
     var url";

/// Whether leaving an attribute out is worth a remark: those for readers aloud and for programs
/// change nothing that is seen.
pub(super) fn matters(name: &str) -> bool {
    let silent = "version lang space tabindex focusable baseProfile";
    !name.starts_with("aria-") && !name.starts_with("data-") && listed(silent, name).is_none()
}

/// Whether a value calls only functions of the list, and `url` only for a part of the drawing,
/// where that is allowed at all.
pub(super) fn is_harmless(value: &str, may_refer: bool) -> bool {
    if value.contains(['@', '\\', '<']) || value.contains("/*") {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    lower.match_indices('(').all(|(at, _)| {
        let before = &lower[..at];
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let name = &before[start
            .map_or(0, |start| start + before[start..].chars().next().map_or(1, char::len_utf8))..];
        let inner = lower[at + 1..].trim_start_matches(['"', '\'', ' ']);
        match name {
            "url" => may_refer && inner.starts_with('#'),
            "" => true,
            _ => listed(FUNCTIONS, name).is_some(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    #[test]
    fn functions_are_known() {
        assert!(is_harmless("translate(1 2) rotate(3)", false));
        assert!(is_harmless("url( '#a' )", true) && !is_harmless("url(#a)", false));
        assert!(!is_harmless("é(1) expression(1)", true));
    }
}
