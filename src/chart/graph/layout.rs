//! Columns and lanes of the version graph.
//!
//! Every version has one parent at most, so the graph is a forest: the column is the number of
//! ancestors, and the longest line of descendants goes on in the lane of its parent.

use std::collections::BTreeMap;

use crate::chart::graph::Version;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Root,
    Of(usize),
    /// From a version that is not there.
    Missing,
    /// From one of its own descendants, which cannot be.
    Circle,
}

/// The origin of each version. Of a circle the first version is cut off from its parent.
pub(super) fn origins(versions: &[Version]) -> Vec<Origin> {
    let mut indices = BTreeMap::new();
    for (index, version) in versions.iter().enumerate() {
        indices.entry(version.name.as_str()).or_insert(index);
    }
    let origin = |version: &Version| match version.parent.as_deref() {
        None | Some("") => Origin::Root,
        Some(parent) => indices.get(parent).map_or(Origin::Missing, |&index| Origin::Of(index)),
    };
    let mut origins: Vec<Origin> = versions.iter().map(origin).collect();
    for first in circles(&origins) {
        origins[first] = Origin::Circle;
    }
    origins
}

/// The first version of each circle.
fn circles(origins: &[Origin]) -> Vec<usize> {
    let mut seen = vec![usize::MAX; origins.len()];
    let mut found = Vec::new();
    for start in 0..origins.len() {
        let mut path = Vec::new();
        let mut at = start;
        while seen[at] == usize::MAX {
            seen[at] = start;
            path.push(at);
            let Origin::Of(parent) = origins[at] else { break };
            at = parent;
        }
        let closes = path.last().is_some_and(|&last| origins[last] == Origin::Of(at));
        if closes && seen[at] == start {
            let circle = path.iter().skip_while(|&&index| index != at);
            found.extend(circle.min());
        }
    }
    found
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) column: usize,
    pub(super) lane: usize,
}

pub(super) fn places(origins: &[Origin]) -> Vec<Place> {
    let children = children(origins);
    let order = from_roots(origins, &children);
    let mut places = vec![Place::default(); origins.len()];
    let mut below = vec![0; origins.len()];
    for &index in order.iter().rev() {
        below[index] = children[index].iter().map(|&child| below[child] + 1).max().unwrap_or(0);
    }
    for &index in &order {
        if let Origin::Of(parent) = origins[index] {
            places[index].column = places[parent].column + 1;
        }
    }
    let mut lanes: Vec<Vec<(usize, usize)>> = Vec::new();
    for &index in &order {
        let first = match origins[index] {
            Origin::Of(parent) if heir(&children[parent], &below) == Some(index) => {
                places[index].lane = places[parent].lane;
                continue;
            }
            Origin::Of(parent) => places[parent].lane + 1,
            _ => 0,
        };
        let column = places[index].column;
        places[index].lane = free_lane(&mut lanes, first, (column, column + below[index]));
    }
    places
}

fn children(origins: &[Origin]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); origins.len()];
    for (index, origin) in origins.iter().enumerate() {
        if let Origin::Of(parent) = origin {
            children[*parent].push(index);
        }
    }
    children
}

/// All versions, each after its parent, a line of heirs before the branches from it.
fn from_roots(origins: &[Origin], children: &[Vec<usize>]) -> Vec<usize> {
    let is_root = |index: &usize| !matches!(origins[*index], Origin::Of(_));
    let mut order: Vec<usize> = (0..origins.len()).filter(is_root).collect();
    let mut next = 0;
    while next < order.len() {
        order.extend(&children[order[next]]);
        next += 1;
    }
    order
}

/// The child that goes on in the lane of its parent: the one with the longest line below it.
fn heir(children: &[usize], below: &[usize]) -> Option<usize> {
    children.iter().copied().min_by_key(|&child| (usize::MAX - below[child], child))
}

/// The first lane from `first` on that is free in these columns, which it then is no more.
fn free_lane(lanes: &mut Vec<Vec<(usize, usize)>>, first: usize, columns: (usize, usize)) -> usize {
    let is_free = |lane: &Vec<(usize, usize)>| {
        lane.iter().all(|&(from, to)| columns.1 < from || to < columns.0)
    };
    let found = (first..lanes.len()).find(|&lane| is_free(&lanes[lane]));
    let lane = found.unwrap_or_else(|| lanes.len().max(first));
    while lanes.len() <= lane {
        lanes.push(Vec::new());
    }
    lanes[lane].push(columns);
    lane
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Origin, Place, Version, origins, places};

    fn versions(pairs: &[(&str, &str)]) -> Vec<Version> {
        let version = |&(name, parent): &(&str, &str)| Version {
            name: name.to_owned(),
            parent: Some(parent.to_owned()),
            ..Version::default()
        };
        pairs.iter().map(version).collect()
    }

    fn placed(pairs: &[(&str, &str)]) -> Vec<(usize, usize)> {
        let places = places(&origins(&versions(pairs)));
        places.into_iter().map(|Place { column, lane }| (column, lane)).collect()
    }

    #[test]
    fn the_longest_line_goes_straight() {
        let pairs = [("v0", ""), ("v1", "v0"), ("v2", "v1"), ("v3", "v1"), ("v4", "v3")];
        assert_eq!(placed(&pairs), [(0, 0), (1, 0), (2, 1), (2, 0), (3, 0)]);
    }

    #[test]
    fn circles_and_missing_parents_are_cut() {
        let pairs = [("a", "c"), ("b", "a"), ("c", "b"), ("d", "d"), ("e", "gone"), ("f", "c")];
        let expected = [
            Origin::Circle,
            Origin::Of(0),
            Origin::Of(1),
            Origin::Circle,
            Origin::Missing,
            Origin::Of(2),
        ];
        assert_eq!(origins(&versions(&pairs)), expected);
        let places: BTreeSet<_> = placed(&pairs).into_iter().collect();
        assert_eq!(places.len(), pairs.len(), "two in one place");
    }

    #[test]
    fn a_tail_into_a_circle_is_no_circle() {
        let pairs = [("t", "a"), ("b", "a"), ("a", "b")];
        assert_eq!(origins(&versions(&pairs)), [Origin::Of(2), Origin::Circle, Origin::Of(1)]);
    }

    #[test]
    fn nobody_shares_a_place() {
        let names: Vec<String> = (0..300).map(|n| format!("v{n}")).collect();
        for divisor in [1, 2, 3, 7, 300] {
            let parent = |n: usize| if n == 0 { "" } else { names[(n - 1) / divisor].as_str() };
            let pairs: Vec<(&str, &str)> =
                (0..300).map(|n| (names[n].as_str(), parent(n))).collect();
            let places: BTreeSet<_> = placed(&pairs).into_iter().collect();
            assert_eq!(places.len(), 300, "{divisor}");
        }
        assert!(placed(&[]).is_empty());
    }
}
