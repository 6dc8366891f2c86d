//! The edits between copies of the skill.

mod hunks;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

pub use crate::analyze::edits::hunks::Hunk;

use crate::analyze::edits::hunks::{EDITS_TOLD_APART, hunks};
use crate::analyze::texts::MAX_FILES;
use crate::analyze::{Analysis, SkillPair, Texts};
use input::model::{Snapshot, Workspace};
use input::names::is_of_skill;

/// The most bytes of a copy of the skill.
const MAX_COPY_BYTES: usize = 4 * 1024 * 1024;

/// The edits between two copies of the skill.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "EditsJson")]
pub struct SkillEdits {
    /// Name of the older copy.
    pub before: String,
    /// Name of the newer copy.
    pub after: String,
    /// How many edits there are.
    pub edits: usize,
    #[serde(skip)]
    pub hunks: Vec<Hunk>,
}

/// The texts of a copy of the skill by the names of its files.
type SkillCopy = BTreeMap<String, String>;

/// The edits between each pair of copies. Each file is read once.
pub(super) fn find_edits(
    workspace: &Workspace,
    analysis: &Analysis,
    texts: Texts<'_>,
) -> Vec<SkillEdits> {
    if analysis.skill.is_empty() {
        return Vec::new();
    }
    let copies: Vec<SkillCopy> =
        workspace.snapshots.par_iter().map(|snapshot| read_copy(snapshot, texts)).collect();
    let pairs = analysis.skill.par_iter();
    pairs.map(|pair| compare_copies(workspace, pair, &copies)).collect()
}

/// The edits of the skill since its last copy, where that is the skill-creator's: it has none of what came
/// after its edit, and that is the skill as it is today.
pub(super) fn edits_since_copy(workspace: &Workspace, texts: Texts<'_>) -> Vec<Hunk> {
    let (Some(today), Some(copy)) = (&workspace.today, workspace.snapshots.last()) else {
        return Vec::new();
    };
    if today.texts.is_empty() {
        return Vec::new();
    }
    let mut copied = read_copy(copy, texts);
    copied.retain(|name, _| is_of_skill(name));
    all_hunks(&copied, &today.texts)
}

fn compare_copies(workspace: &Workspace, pair: &SkillPair, copies: &[SkillCopy]) -> SkillEdits {
    let hunks = all_hunks(&copies[pair.before], &copies[pair.after]);
    SkillEdits {
        before: workspace.snapshots[pair.before].name.clone(),
        after: workspace.snapshots[pair.after].name.clone(),
        edits: hunks.len(),
        hunks,
    }
}

fn read_copy(snapshot: &Snapshot, texts: Texts<'_>) -> SkillCopy {
    let mut remaining_bytes = MAX_COPY_BYTES;
    let mut copy = SkillCopy::new();
    for file in snapshot.files.iter().take(MAX_FILES) {
        let Some(text) = texts.read(file) else { continue };
        if text.len() <= remaining_bytes {
            remaining_bytes -= text.len();
            copy.insert(file.name.clone(), text);
        }
    }
    copy
}

fn all_hunks(old: &SkillCopy, new: &SkillCopy) -> Vec<Hunk> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut all = Vec::new();
    for name in names {
        let [old, new] = [old, new].map(|copy| copy.get(name).map_or("", String::as_str));
        all.extend(hunks(name, old, new));
        // A copy that was written anew has thousands.
        if all.len() > EDITS_TOLD_APART {
            break;
        }
    }
    all.truncate(EDITS_TOLD_APART + 1);
    all
}
