//! What changed between two canonical documents.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use crate::diff::align;
use crate::diff::align::Item;
use crate::diff::json::path::{Step, written};
use crate::diff::json::tree::{Children, Node, Numbers};
use crate::diff::json::{Change, ChangeKind, Place};
use crate::diff::limits::Work;
use crate::diff::sequence::{Block, blocks};

/// The longest part of two strings that is looked at to tell how alike they are, in bytes.
const LOOKED_AT: usize = 200;

/// The changes between two canonical values, sorted by path.
pub(super) fn changes(old: &Value, new: &Value, work: &mut Work<'_>) -> Vec<Change> {
    let mut numbers = Numbers::default();
    let (old, new) = (numbers.node(old), numbers.node(new));
    let mut comparison = Comparison { found: Vec::new(), old: vec![], new: vec![], work };
    comparison.values(&old, &new);
    let mut found = comparison.found;
    found.sort_by(|a, b| (&a.0, a.1.kind).cmp(&(&b.0, b.1.kind)));
    found.into_iter().map(|(_, change)| change).collect()
}

/// A comparison under way.
struct Comparison<'v, 'w, 'l> {
    /// The changes with the path they are sorted by.
    found: Vec<(Vec<Step<'v>>, Change)>,
    /// The steps to the values at hand in the old document.
    old: Vec<Step<'v>>,
    /// The steps to the values at hand in the new document.
    new: Vec<Step<'v>>,
    work: &'w mut Work<'l>,
}

impl<'v> Comparison<'v, '_, '_> {
    fn values(&mut self, old: &Node<'v>, new: &Node<'v>) {
        if old.id == new.id {
            return;
        }
        match (&old.children, &new.children) {
            (Children::Fields(a), Children::Fields(b)) => self.fields(a, b),
            (Children::Items(a), Children::Items(b)) => self.items(a, b),
            _ => self.record(ChangeKind::Changed, Some(old), Some(new)),
        }
    }

    fn fields(&mut self, old: &[(&'v str, Node<'v>)], new: &[(&'v str, Node<'v>)]) {
        let olds: BTreeMap<&str, &Node<'v>> = old.iter().map(|(key, node)| (*key, node)).collect();
        let news: BTreeMap<&str, &Node<'v>> = new.iter().map(|(key, node)| (*key, node)).collect();
        let keys: BTreeSet<&str> = olds.keys().chain(news.keys()).copied().collect();
        for key in keys {
            self.at(Step::Key(key), Step::Key(key), olds.get(key).copied(), news.get(key).copied());
        }
    }

    fn items(&mut self, old: &[Node<'v>], new: &[Node<'v>]) {
        let ids = |nodes: &[Node<'v>]| nodes.iter().map(|node| node.id).collect::<Vec<_>>();
        let mut different = blocks(&ids(old), &ids(new), self.work);
        different.retain(|block| !block.equal);
        let moved = moved(&different, old, new);
        let gone: BTreeSet<usize> = moved.iter().map(|&(i, _)| i).collect();
        let come: BTreeSet<usize> = moved.iter().map(|&(_, j)| j).collect();
        for (i, j) in moved {
            let (from, to) = (Step::Index(i), Step::Index(j));
            self.step(from, to, |this| {
                this.record(ChangeKind::Moved, Some(&old[i]), Some(&new[j]));
            });
        }
        for block in different {
            let olds: Vec<usize> = block.old.filter(|index| !gone.contains(index)).collect();
            let news: Vec<usize> = block.new.filter(|index| !come.contains(index)).collect();
            self.different(old, new, &olds, &news);
        }
    }

    /// The items of both lists that stand at the given indices between two equal stretches.
    fn different(&mut self, old: &[Node<'v>], new: &[Node<'v>], olds: &[usize], news: &[usize]) {
        let block = Block { equal: false, old: 0..olds.len(), new: 0..news.len() };
        let alike = |i: usize, j: usize| alike(&old[olds[i]], &new[news[j]]);
        let cost = olds.iter().map(|&i| weight(&old[i])).max().unwrap_or(0);
        let items = match (olds.len(), news.len()) {
            (1, 1) => vec![Item::Pair(0, 0)],
            _ => align::by_measure(&block, cost, self.work, alike),
        };
        for item in items {
            let (i, j) = match item {
                Item::Removed(i) => (Some(olds[i]), None),
                Item::Added(j) => (None, Some(news[j])),
                Item::Pair(i, j) => (Some(olds[i]), Some(news[j])),
            };
            let (from, to) = (Step::Index(i.unwrap_or(0)), Step::Index(j.unwrap_or(0)));
            self.at(from, to, i.map(|i| &old[i]), j.map(|j| &new[j]));
        }
    }

    /// Compares what stands at one step; at least one side has something there.
    fn at(&mut self, from: Step<'v>, to: Step<'v>, old: Option<&Node<'v>>, new: Option<&Node<'v>>) {
        self.step(from, to, |this| match (old, new) {
            (Some(old), Some(new)) => this.values(old, new),
            (old, None) => this.record(ChangeKind::Removed, old, None),
            (None, new) => this.record(ChangeKind::Added, None, new),
        });
    }

    fn step(&mut self, from: Step<'v>, to: Step<'v>, then: impl FnOnce(&mut Self)) {
        self.old.push(from);
        self.new.push(to);
        then(self);
        self.old.pop();
        self.new.pop();
    }

    fn record(&mut self, kind: ChangeKind, old: Option<&Node<'v>>, new: Option<&Node<'v>>) {
        let path = if new.is_some() { self.new.clone() } else { self.old.clone() };
        let most = self.work.limits.excerpt;
        let old = old.map(|node| place(&self.old, node, most));
        let new = new.map(|node| place(&self.new, node, most));
        self.found.push((path, Change { kind, old, new }));
    }
}

fn place(steps: &[Step<'_>], node: &Node<'_>, most: usize) -> Place {
    let mut value = node.value.to_string();
    let end = value.floor_char_boundary(most);
    let left_out = value.len() - end;
    value.truncate(end);
    Place { path: written(steps), value, left_out }
}

/// Items that left one place of their list and came back at another: indices of both sides. The
/// first of several equal ones that left is the first that came back.
fn moved(different: &[Block], old: &[Node<'_>], new: &[Node<'_>]) -> Vec<(usize, usize)> {
    let mut left: BTreeMap<u32, VecDeque<usize>> = BTreeMap::new();
    for index in different.iter().flat_map(|block| block.old.clone()) {
        left.entry(old[index].id).or_default().push_back(index);
    }
    let came = different.iter().flat_map(|block| block.new.clone());
    came.filter_map(|index| {
        let from = left.get_mut(&new[index].id)?.pop_front()?;
        Some((from, index))
    })
    .collect()
}

/// How much there is to look at when a value is measured against another.
fn weight(node: &Node<'_>) -> usize {
    match &node.children {
        Children::None => 1,
        Children::Items(items) => 1 + items.len(),
        Children::Fields(fields) => 1 + fields.len(),
    }
}

/// How alike two unequal values are, in thousandths.
fn alike(old: &Node<'_>, new: &Node<'_>) -> u32 {
    match (&old.children, &new.children) {
        (Children::Fields(a), Children::Fields(b)) => fields_alike(a, b),
        (Children::Items(a), Children::Items(b)) => {
            let same = a.iter().zip(b).filter(|(a, b)| a.id == b.id).count();
            500 + share(same, a.len().max(b.len())) / 2
        }
        (Children::None, Children::None) => match (old.value, new.value) {
            (Value::String(a), Value::String(b)) => 500 + share(common_ends(a, b), LOOKED_AT) / 2,
            (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => 500,
            _ => 0,
        },
        _ => 0,
    }
}

/// Objects with the same keys are of a kind; others are alike by their equal fields.
fn fields_alike(old: &[(&str, Node<'_>)], new: &[(&str, Node<'_>)]) -> u32 {
    let (mut i, mut j, mut keys, mut same) = (0, 0, 0, 0);
    while let (Some((a, x)), Some((b, y))) = (old.get(i), new.get(j)) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                keys += 1;
                same += usize::from(x.id == y.id);
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    let most = old.len().max(new.len());
    if keys == most { 500 + share(same, most) / 2 } else { share(same, most) }
}

fn share(part: usize, whole: usize) -> u32 {
    if whole == 0 { 0 } else { (1000 * part.min(whole) / whole) as u32 }
}

/// Bytes that two strings have in common at both ends, of the first and last few.
fn common_ends(old: &str, new: &str) -> usize {
    let most = LOOKED_AT / 2;
    let same = |(a, b): &(u8, u8)| a == b;
    let head = old.bytes().zip(new.bytes()).take(most).take_while(same).count();
    let tail = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(same).count();
    head + tail
}
