//! Which files of a skill are copied into a workspace as a version.

use input::files::{Entry, EntryKind};
use input::names;
use text::bytes;

/// A skill is text that a model reads; past these limits something else was given.
pub const MAX_FILES: usize = 5_000;
pub const MAX_BYTES: u64 = 100_000_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillCopy {
    pub files: Vec<String>,
    /// The size of all files.
    pub bytes: u64,
    /// What is not copied, with the reason.
    pub left_out: Vec<(String, &'static str)>,
}

/// Why a skill cannot be copied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CopyError {
    pub message: String,
    pub help: Option<&'static str>,
}

impl CopyError {
    fn new(message: String, help: Option<&'static str>) -> Self {
        Self { message, help }
    }
}

/// Sorts the `entries` of a skill's folder; `workspace` is the workspace's folder below it, if any.
pub fn plan_copy(entries: &[Entry], workspace: Option<&str>) -> Result<SkillCopy, CopyError> {
    let mut copy = SkillCopy::default();
    for entry in entries {
        // A workspace inside the skill holds the copies made before.
        let path = &entry.path;
        if workspace.is_some_and(|folder| path == folder || names::below(path, folder).is_some()) {
            continue;
        }
        let reason = match &entry.kind {
            EntryKind::Folder => continue,
            EntryKind::Skipped => "a tool's own store",
            EntryKind::Link(_) => "a symbolic link",
            EntryKind::Special => "neither a file nor a folder",
            EntryKind::Unreadable(reason) => {
                return Err(CopyError::new(format!("`{path}` cannot be read: {reason}"), None));
            }
            EntryKind::File if entry.odd_name => {
                let message = format!("`{path}` has a name that is not valid UTF-8");
                return Err(CopyError::new(message, None));
            }
            EntryKind::File => {
                copy.bytes = copy.bytes.saturating_add(entry.bytes);
                copy.files.push(path.clone());
                continue;
            }
        };
        copy.left_out.push((path.clone(), reason));
    }
    check_size(&copy)?;
    Ok(copy)
}

fn check_size(copy: &SkillCopy) -> Result<(), CopyError> {
    // People give the folder of all skills.
    if !copy.files.iter().any(|path| path == "SKILL.md") {
        let message = "there is no `SKILL.md` in it".to_owned();
        let has_other = copy.files.iter().any(|path| path.eq_ignore_ascii_case("SKILL.md"));
        let help = if has_other {
            "rename its file in capital letters"
        } else {
            "give the folder of the skill"
        };
        return Err(CopyError::new(message, Some(help)));
    }
    let help = Some("keep what is large outside the skill");
    let files = copy.files.len();
    if files > MAX_FILES {
        let message = format!("it holds {files} files; a copy has at most {MAX_FILES}");
        return Err(CopyError::new(message, help));
    }
    if copy.bytes > MAX_BYTES {
        let [size, most] = [copy.bytes, MAX_BYTES].map(bytes);
        // One byte more is shown as the same size.
        let size = if size == most { format!("more than {most}") } else { size };
        return Err(CopyError::new(format!("it holds {size}; a copy has at most {most}"), help));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use input::files::LinkTarget;

    fn copy_with(more: Entry) -> Result<SkillCopy, CopyError> {
        plan_copy(&[Entry::file("SKILL.md", 10), more], Some("evals-workspace"))
    }

    #[test]
    fn a_copy_has_the_files_of_the_skill() {
        for (path, bytes, files) in
            [("a/b", 1, 2), ("evals-workspace/v0/skill/SKILL.md", 1, 1), ("a", MAX_BYTES - 10, 2)]
        {
            assert_eq!(copy_with(Entry::file(path, bytes)).unwrap().files.len(), files);
        }
        let link = Entry {
            kind: EntryKind::Link(LinkTarget::Inside("y".to_owned())),
            ..Entry::file("x", 0)
        };
        assert_eq!(copy_with(link).unwrap().left_out, [("x".to_owned(), "a symbolic link")]);
    }

    #[test]
    fn a_copy_that_is_not_whole_is_refused() {
        let many: Vec<Entry> = (0..=MAX_FILES).map(|at| Entry::file(format!("{at}"), 1)).collect();
        let cases = [
            (
                copy_with(Entry::file("a", MAX_BYTES)),
                "it holds more than 100 MB; a copy has at most 100 MB",
            ),
            (
                copy_with(Entry { odd_name: true, ..Entry::file("\\xFF", 1) }),
                "`\\xFF` has a name that is not valid UTF-8",
            ),
            (plan_copy(&[Entry::file("a", 1)], None), "there is no `SKILL.md` in it"),
            (
                plan_copy(&[&[Entry::file("SKILL.md", 1)], &many[..]].concat(), None),
                "it holds 5002 files; a copy has at most 5000",
            ),
        ];
        for (copy, message) in cases {
            assert_eq!(copy.unwrap_err().to_string(), message);
        }
    }
}
