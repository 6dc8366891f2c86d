//! Compares two canonical documents.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use crate::diff::align;
use crate::diff::json::alike::{self, alike};
use crate::diff::json::tree::{NodeIds, TreeNode};
use crate::diff::json::{ChangeKind, JsonChange, JsonPath};
use crate::diff::limits::Work;
use crate::diff::sequence::{Block, blocks};

/// The changes between two canonical values, sorted by path.
pub(super) fn changes(old: &Value, new: &Value, work: &mut Work<'_>) -> Vec<JsonChange> {
    let mut ids = NodeIds::default();
    let (old, new) = (ids.node(old), ids.node(new));
    let mut comparison = JsonComparison { changes: Vec::new(), old: vec![], new: vec![], work };
    comparison.values(&old, &new);
    let mut changes = comparison.changes;
    changes.sort_by(|a, b| (&a.0, a.1.kind).cmp(&(&b.0, b.1.kind)));
    changes.into_iter().map(|(_, change)| change).collect()
}

type Member<'v> = (&'v str, TreeNode<'v>);

struct JsonComparison<'v, 'w, 'l> {
    /// The changes, with the paths they are sorted by.
    changes: Vec<(Vec<JsonStep<'v>>, JsonChange)>,
    old: Vec<JsonStep<'v>>,
    new: Vec<JsonStep<'v>>,
    work: &'w mut Work<'l>,
}

impl<'v> JsonComparison<'v, '_, '_> {
    fn values(&mut self, old: &TreeNode<'v>, new: &TreeNode<'v>) {
        if old.id == new.id {
            return;
        }
        match (old.value, new.value) {
            (Value::Object(_), Value::Object(_)) => self.fields(&old.parts, &new.parts),
            (Value::Array(_), Value::Array(_)) => self.items(&old.parts, &new.parts),
            _ => self.record(ChangeKind::Changed, Some(old), Some(new)),
        }
    }

    fn fields(&mut self, old: &[Member<'v>], new: &[Member<'v>]) {
        let mut sides: BTreeMap<&'v str, [Option<&TreeNode<'v>>; 2]> = BTreeMap::new();
        for (side, fields) in [old, new].into_iter().enumerate() {
            for (key, node) in fields {
                sides.entry(key).or_default()[side] = Some(node);
            }
        }
        for (key, [old, new]) in sides {
            self.at(JsonStep::Key(key), JsonStep::Key(key), old, new);
        }
    }

    fn items(&mut self, old: &[Member<'v>], new: &[Member<'v>]) {
        let ids = |items: &[Member<'v>]| items.iter().map(|(_, node)| node.id).collect::<Vec<_>>();
        let mut different = blocks(&ids(old), &ids(new), self.work);
        different.retain(|block| !block.equal);
        let moved = moved(&different, old, new);
        let moved_away: BTreeSet<usize> = moved.iter().map(|&(i, _)| i).collect();
        let moved_here: BTreeSet<usize> = moved.iter().map(|&(_, j)| j).collect();
        for (i, j) in moved {
            let (from, to) = (JsonStep::Index(i), JsonStep::Index(j));
            self.step(from, to, |this| {
                this.record(ChangeKind::Moved, Some(&old[i].1), Some(&new[j].1));
            });
        }
        for block in different {
            let olds: Vec<usize> = block.old.filter(|index| !moved_away.contains(index)).collect();
            let news: Vec<usize> = block.new.filter(|index| !moved_here.contains(index)).collect();
            self.different(old, new, &olds, &news);
        }
    }

    /// Compares the items at the given indices, between two equal runs: matched by their identity,
    /// the rest by similarity.
    fn different(
        &mut self,
        old: &[Member<'v>],
        new: &[Member<'v>],
        olds: &[usize],
        news: &[usize],
    ) {
        let a: Vec<_> = olds.iter().map(|&i| &old[i].1).collect();
        let b: Vec<_> = news.iter().map(|&j| &new[j].1).collect();
        let parts = match alike::identities(&a, &b) {
            Some((x, y)) => blocks(&x, &y, self.work),
            None => vec![Block { equal: false, old: 0..olds.len(), new: 0..news.len() }],
        };
        for part in parts {
            // Items with the same identities, or a single item on each side, are pairs.
            let items = if part.equal || (part.old.len() == 1 && part.new.len() == 1) {
                let pairs: Vec<_> = (0..part.old.len()).map(|index| (index, index)).collect();
                align::items(&part, &pairs)
            } else {
                // The size of a value when it is compared with another.
                let weight =
                    |nodes: &[&TreeNode<'v>]| nodes.iter().map(|node| 1 + node.parts.len()).max();
                let cost = weight(&a[part.old.clone()]).max(weight(&b[part.new.clone()]));
                let alike = |i: usize, j: usize| alike(a[i], b[j]);
                align::by_measure(&part, cost.unwrap_or(0), self.work, alike)
            };
            for item in items {
                let (i, j) = item.sides();
                let from = JsonStep::Index(i.map_or(0, |i| olds[i]));
                let to = JsonStep::Index(j.map_or(0, |j| news[j]));
                self.at(from, to, i.map(|i| a[i]), j.map(|j| b[j]));
            }
        }
    }

    /// Compares the values at one step; at least one side has one.
    fn at(
        &mut self,
        from: JsonStep<'v>,
        to: JsonStep<'v>,
        old: Option<&TreeNode<'v>>,
        new: Option<&TreeNode<'v>>,
    ) {
        self.step(from, to, |this| match (old, new) {
            (Some(old), Some(new)) => this.values(old, new),
            (old, None) => this.record(ChangeKind::Removed, old, None),
            (None, new) => this.record(ChangeKind::Added, None, new),
        });
    }

    fn step(&mut self, from: JsonStep<'v>, to: JsonStep<'v>, then: impl FnOnce(&mut Self)) {
        self.old.push(from);
        self.new.push(to);
        then(self);
        self.old.pop();
        self.new.pop();
    }

    fn record(&mut self, kind: ChangeKind, old: Option<&TreeNode<'v>>, new: Option<&TreeNode<'v>>) {
        let path = if new.is_some() { self.new.clone() } else { self.old.clone() };
        let most = self.work.limits.excerpt;
        let old = old.map(|node| excerpt(&self.old, node, most));
        let new = new.map(|node| excerpt(&self.new, node, most));
        self.changes.push((path, JsonChange { kind, old, new }));
    }
}

fn excerpt(steps: &[JsonStep<'_>], node: &TreeNode<'_>, most: usize) -> JsonPath {
    let mut value = node.value.to_string();
    let end = value.floor_char_boundary(most);
    let left_out = value.len() - end;
    value.truncate(end);
    JsonPath { path: path_text(steps), value, left_out }
}

/// Items that moved within their list, as indices on both sides. Equal items are matched in order.
fn moved(different: &[Block], old: &[Member<'_>], new: &[Member<'_>]) -> Vec<(usize, usize)> {
    let mut removed: BTreeMap<u32, VecDeque<usize>> = BTreeMap::new();
    for index in different.iter().flat_map(|block| block.old.clone()) {
        removed.entry(old[index].1.id).or_default().push_back(index);
    }
    let added = different.iter().flat_map(|block| block.new.clone());
    added
        .filter_map(|index| Some((removed.get_mut(&new[index].1.id)?.pop_front()?, index)))
        .collect()
}

/// One step in the path to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum JsonStep<'v> {
    Index(usize),
    Key(&'v str),
}

/// The steps as text: `a.b[2]["odd key"]`, or `$` for none.
fn path_text(steps: &[JsonStep<'_>]) -> String {
    if steps.is_empty() {
        return "$".to_owned();
    }
    let mut path = String::new();
    for step in steps {
        match step {
            JsonStep::Index(index) => path.push_str(&format!("[{index}]")),
            // Such a key needs no quotes.
            JsonStep::Key(key)
                if key.starts_with(|c: char| c.is_alphabetic() || c == '_')
                    && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) =>
            {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
            JsonStep::Key(key) => path.push_str(&format!("[{}]", serde_json::Value::from(*key))),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::{JsonStep, path_text};

    #[test]
    fn odd_keys_are_quoted() {
        let steps = [
            JsonStep::Key("a"),
            JsonStep::Key("名-1"),
            JsonStep::Index(2),
            JsonStep::Key("odd \"k\""),
        ];
        assert_eq!(path_text(&steps), r#"a.名-1[2]["odd \"k\""]"#);
        assert_eq!(path_text(&[JsonStep::Index(0), JsonStep::Key("")]), r#"[0][""]"#);
        assert_eq!(path_text(&[]), "$");
    }
}
