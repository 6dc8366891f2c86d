//! Which file of one run is which of the other: by name, else by content, else the only one of a type.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::diff_view::FileReader;
use input::model::Output;

/// At most this many pairs of equal size are read to find renamed files.
const MAX_RENAMES_READ: usize = 200;

/// Two files that belong together, the older one first, or one alone.
pub(super) type Pair<'w> = (Option<&'w Output>, Option<&'w Output>);

/// The files in the order of the newer ones; then the removed ones.
pub(super) fn by_name<'w>(old: &'w [Output], new: &'w [Output]) -> Vec<Pair<'w>> {
    let mut old_by_name: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    for (index, output) in old.iter().enumerate() {
        old_by_name.entry(&output.name).or_default().push_back(index);
    }
    let mut pairs: Vec<Pair<'w>> = Vec::with_capacity(new.len());
    for output in new {
        let index = old_by_name.get_mut(output.name.as_str()).and_then(VecDeque::pop_front);
        pairs.push((index.map(|index| &old[index]), Some(output)));
    }
    let removed: BTreeSet<usize> = old_by_name.into_values().flatten().collect();
    pairs.extend(removed.into_iter().map(|index| (Some(&old[index]), None)));
    pairs
}

/// Pairs added files with removed ones of the same bytes; returns the paths of the added ones.
pub(super) fn by_content<'w>(
    pairs: &mut Vec<Pair<'w>>,
    reader: FileReader<'_>,
) -> BTreeSet<&'w str> {
    let added = pairs.iter().filter(|(_, new)| new.is_some()).count();
    let mut removed: Vec<&Output> = pairs.drain(added..).filter_map(|(old, _)| old).collect();
    let mut renamed = BTreeSet::new();
    let mut reads_left = MAX_RENAMES_READ;
    for (old, new) in pairs.iter_mut().filter(|(old, _)| old.is_none()) {
        // All empty files are equal, which says nothing.
        let Some(added) = new.filter(|new| new.bytes > 0) else { continue };
        for at in 0..removed.len() {
            if removed[at].bytes != added.bytes || reads_left == 0 {
                continue;
            }
            reads_left -= 1;
            if reader.are_same(removed[at], added) {
                *old = Some(removed.remove(at));
                renamed.insert(added.path.as_str());
                break;
            }
        }
    }
    pairs.extend(removed.into_iter().map(|output| (Some(output), None)));
    renamed
}

/// Pairs two files of other names where each side has one file of that type: they are what both runs were
/// asked for.
pub(super) fn by_type(pairs: &mut Vec<Pair<'_>>) {
    let mut places: BTreeMap<String, [Vec<usize>; 2]> = BTreeMap::new();
    for (at, (old, new)) in pairs.iter().enumerate() {
        for (side, file) in [old, new].into_iter().enumerate() {
            if let Some(kind) = file.and_then(extension) {
                places.entry(kind).or_default()[side].push(at);
            }
        }
    }
    for [old, new] in places.into_values() {
        if let ([old], [new]) = (old.as_slice(), new.as_slice())
            && pairs[*old].1.is_none()
            && pairs[*new].0.is_none()
        {
            pairs[*new].0 = pairs[*old].0.take();
        }
    }
    pairs.retain(|(old, new)| old.is_some() || new.is_some());
}

/// What a file's name says about its type, in small letters.
fn extension(output: &Output) -> Option<String> {
    let name = output.name.rsplit('/').next()?;
    let (_, extension) = name.rsplit_once('.')?;
    if extension.is_empty() { None } else { Some(extension.to_ascii_lowercase()) }
}
