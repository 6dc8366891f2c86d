//! The possible names of the skill under test, in calls and in paths.

use input::model::BUNDLED_FOLDERS;
use text::is_listed;

const SKILL_FILE: &str = "skill.md";

/// Names and folders of one skill, in lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct SkillNames {
    names: Vec<String>,
    folders: Vec<String>,
}

impl SkillNames {
    /// A skill with these names, and copies in folders with these names.
    pub(super) fn new<'n>(
        names: impl Iterator<Item = &'n str>,
        folders: impl Iterator<Item = &'n str>,
    ) -> Self {
        let names: Vec<String> = names.map(bare).filter(|name| !name.is_empty()).collect();
        let folders = folders.map(str::to_lowercase).chain(names.iter().cloned()).collect();
        Self { names, folders }
    }

    /// Whether no name is known, so that nothing can be concluded.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether `name`, such as `plugin:pdf` or `/pdf`, is the skill's.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(&bare(name))
    }

    /// Whether the last folder of `path`, in lower case, is the skill's.
    pub(super) fn has_folder(&self, path: &str) -> bool {
        parts(path).last().is_some_and(|folder| self.folders.contains(folder))
    }

    pub(super) fn has_script(&self, path: &str) -> bool {
        parts(path).windows(2).any(|pair| pair[1] == "scripts" && self.folders.contains(&pair[0]))
    }

    /// The path below the skill of a file that is, or seems to be, in it.
    pub(super) fn below(&self, path: &str) -> Option<String> {
        let parts = parts(path);
        let below = match parts.iter().position(|part| self.folders.contains(part)) {
            Some(home) => parts[home + 1..].join("/"),
            None if is_listed(BUNDLED_FOLDERS, parts.first()?) => parts.join("/"),
            None => return None,
        };
        if below.is_empty() || below == SKILL_FILE { None } else { Some(below) }
    }

    /// Whether `text` contains a copy of the skill: front matter with its name.
    pub(super) fn are_in_text(&self, text: &str) -> bool {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once("---") {
            rest = after;
            let line_end = after.trim_start_matches([' ', '\r']);
            let Some(block) = line_end.strip_prefix('\n') else { continue };
            let is_described = front_matter(block).any(|field| field.starts_with("description:"));
            if is_described && front_matter_name(block).is_some_and(|name| self.has(name)) {
                return true;
            }
        }
        false
    }
}

/// The lines of the front matter of a `SKILL.md`, from the line after its first `---`.
fn front_matter(block: &str) -> impl Iterator<Item = &str> {
    block.lines().take(20).map(str::trim).take_while(|line| *line != "---")
}

fn front_matter_name(block: &str) -> Option<&str> {
    let name = front_matter(block).find_map(|field| field.strip_prefix("name:"))?;
    Some(name.trim().trim_matches(['"', '\'']))
}

/// The name of the skill in a `SKILL.md`.
pub(super) fn name_in_file(text: &str) -> Option<&str> {
    let (_, block) = text.trim_start().strip_prefix("---")?.split_once('\n')?;
    front_matter_name(block).filter(|name| !name.is_empty())
}

/// The folder of the skill, in lower case, whose `SKILL.md` is at `path`.
pub(super) fn folder_of_skill(path: &str) -> Option<String> {
    let mut parts = parts(path);
    if parts.pop()? == SKILL_FILE { parts.pop() } else { None }
}

/// The folders and the file of a path, in lower case, without `.` and `..`.
fn parts(path: &str) -> Vec<String> {
    let mut segments: Vec<String> = Vec::new();
    for part in path.trim_matches(['"', '\'', '`', ' ']).split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(segments.pop()),
            part => segments.push(part.to_lowercase()),
        }
    }
    segments
}

/// A name in lower case, without slash, plugin and surrounding words.
pub(super) fn bare(name: &str) -> String {
    let name = name.trim().trim_matches(['"', '\'', '`', '*', '.']).trim_start_matches(['/', '$']);
    let first = name.split_whitespace().next().unwrap_or_default();
    first.rsplit(':').next().unwrap_or(first).to_lowercase()
}
