//! Data for the scripts of the pages, as scripts: that works from disk, where nothing can be fetched.

use serde_json::{Value, json};

use crate::render::context::Language;

/// The words of the scripts, and the object that the scripts share; those of the script that
/// `evalbook serve` adds only where it `is_served`.
pub(crate) fn words(language: &Language, is_served: bool) -> String {
    let mut words = language.table().get("script").cloned().unwrap_or_else(|| json!({}));
    let more = language.table().get("serve").and_then(Value::as_object);
    for (key, text) in more.into_iter().flatten().filter(|_| is_served) {
        words[key] = text.clone();
    }
    format!("'use strict';\n\nwindow.evalbook = {{ words: {} }};\n", literal(&words))
}

/// `value` as an expression of JavaScript that also stands unharmed inside of a page.
pub(crate) fn literal(value: &Value) -> String {
    let mut text = value.to_string();
    for (character, escape) in [('<', "\\u003c"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")]
    {
        if text.contains(character) {
            text = text.replace(character, escape);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::literal;

    #[test]
    fn data_stays_data() {
        let value = json!(["</script><!--", "a\u{2028}b\u{2029}", "\u{0}\"\\"]);
        let text = literal(&value);
        assert!(!text.contains(['<', '\u{2028}', '\u{2029}', '\u{0}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
