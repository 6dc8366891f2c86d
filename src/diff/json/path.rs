//! Where a value stands in a document.

/// One step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step<'v> {
    Index(usize),
    Key(&'v str),
}

/// The steps written down: `a.b[2]["odd key"]`, `$` when there are none.
pub(super) fn written(steps: &[Step<'_>]) -> String {
    if steps.is_empty() {
        return "$".to_owned();
    }
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Index(index) => path.push_str(&format!("[{index}]")),
            Step::Key(key) if is_plain(key) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
            Step::Key(key) => path.push_str(&format!("[{}]", serde_json::Value::from(*key))),
        }
    }
    path
}

/// Whether a key can stand without quotes.
fn is_plain(key: &str) -> bool {
    key.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::{Step, written};

    #[test]
    fn odd_keys_are_quoted() {
        let steps = [Step::Key("a"), Step::Key("名-1"), Step::Index(2), Step::Key("odd \"k\"")];
        assert_eq!(written(&steps), r#"a.名-1[2]["odd \"k\""]"#);
        assert_eq!(written(&[Step::Index(0), Step::Key("")]), r#"[0][""]"#);
        assert_eq!(written(&[]), "$");
    }
}
