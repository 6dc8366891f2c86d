//! The addresses of pages in the report. They are made from names alone, never from positions.

use std::collections::BTreeMap;

use crate::analyze::{Against, CaseHistory, Pair, Side, SkillPair};
use crate::render::context::Part;
use input::model::{Iteration, Run, Workspace};
use input::names;
use text::{Slugs, slug};

/// The addresses of one workspace, relative to the report.
#[derive(Debug)]
pub(crate) struct PartAddresses {
    /// Folder of the workspace; empty if it is the only one.
    folder: String,
    iterations: Vec<String>,
    cases: Vec<String>,
    snapshots: Vec<String>,
    lines: Vec<Vec<usize>>,
}

/// The addresses of each workspace of a report.
pub(crate) fn addresses(parts: &[Part<'_>]) -> Vec<PartAddresses> {
    let mut slugs = Slugs::default();
    let mut addresses = Vec::new();
    for part in parts {
        let mut folder = String::new();
        // Hosts show `index.html` at the top, which is the overview of a single workspace.
        if parts.len() > 1 {
            folder = slugs.give(&part.workspace.name) + "/";
        }
        addresses.push(PartAddresses::new(folder, part.workspace, &part.analysis.cases));
    }
    addresses
}

impl PartAddresses {
    fn new(folder: String, workspace: &Workspace, lines: &[CaseHistory]) -> Self {
        let mut case_indices = Vec::new();
        for iteration in &workspace.iterations {
            case_indices.push(vec![0; iteration.cases.len()]);
        }
        for (index, history) in lines.iter().enumerate() {
            for appearance in &history.appearances {
                case_indices[appearance.iteration][appearance.case] = index;
            }
        }
        Self {
            folder,
            iterations: slugs(iteration_names(&workspace.iterations).iter()),
            cases: slugs(lines.iter().map(|history| &history.first_name)),
            snapshots: slugs(workspace.snapshots.iter().map(|snapshot| &snapshot.name)),
            lines: case_indices,
        }
    }

    pub(crate) fn case_index(&self, iteration: usize, case: usize) -> usize {
        self.lines[iteration][case]
    }

    /// Whether the page at `path` is in `folder` of the workspace.
    pub(crate) fn is_in(&self, path: &str, folder: &str) -> bool {
        let relative = path.strip_prefix(&self.folder);
        !folder.is_empty() && relative.is_some_and(|relative| relative.starts_with(folder))
    }

    /// The overview of a comparison that is not the leading one; no run's page has two adjacent
    /// hyphens.
    pub(crate) fn comparison(&self, before: &Side, after: &Side) -> String {
        let configuration = slug(&after.configuration);
        let file = format!("vs/{configuration}--{}.html", self.side(before));
        self.iteration_file(after.iteration, &file)
    }

    /// A page or file that exists once per workspace.
    pub(crate) fn report_file(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }

    pub(crate) fn iteration(&self, index: usize) -> String {
        self.iteration_file(index, "index.html")
    }

    pub(crate) fn iteration_file(&self, index: usize, name: &str) -> String {
        format!("{}iterations/{}/{name}", self.folder, self.iterations[index])
    }

    /// The page of a case, over all iterations.
    pub(crate) fn case(&self, case_index: usize) -> String {
        format!("{}cases/{}.html", self.folder, self.cases[case_index])
    }

    pub(crate) fn run(&self, iteration: usize, case_index: usize, run: &Run) -> String {
        let configuration = slug(&run.configuration);
        let file = format!("{}/{configuration}-{}.html", self.cases[case_index], run.number);
        self.iteration_file(iteration, &file)
    }

    /// The script with the searchable evidence of an iteration.
    pub(crate) fn searched_evidence(&self, index: usize) -> String {
        format!("{}search/evidence-{}.js", self.folder, self.iterations[index])
    }

    /// The anchor of an expectation by its key: the same on every page, whatever else is added or
    /// removed.
    pub(crate) fn expectation(&self, case_index: usize, key: &str) -> String {
        anchor(&self.cases[case_index], key)
    }

    /// The anchor of an iteration's comments on the feedback page.
    pub(crate) fn feedback_anchor(&self, iteration: usize) -> String {
        format!("f-{}", self.iterations[iteration])
    }

    /// The review page of two sides of a case: for the newer side's run `number`, else for the pair
    /// of runs that represents them. Slugs contain neither dots nor adjacent hyphens, so addresses
    /// are unique.
    pub(crate) fn difference(&self, case_index: usize, pair: &Pair, number: Option<u32>) -> String {
        let (before, after) = (self.side(&pair.before), self.side(&pair.after));
        let run = number.map_or(String::new(), |number| format!("--run-{number}"));
        format!("{}diffs/{}/{before}--{after}{run}.html", self.folder, self.cases[case_index])
    }

    fn side(&self, side: &Side) -> String {
        let configuration = slug(&side.configuration);
        format!("{}.{configuration}", self.iterations[side.iteration])
    }

    pub(crate) fn review_order(&self, side: &Side, against: Against) -> String {
        format!("{}diffs/{}--{}.js", self.folder, self.side(side), against.word())
    }

    pub(crate) fn skill(&self, pair: &SkillPair) -> String {
        let (before, after) = (&self.snapshots[pair.before], &self.snapshots[pair.after]);
        format!("{}skill/{before}--{after}.html", self.folder)
    }
}

fn slugs<'n>(names: impl Iterator<Item = &'n String>) -> Vec<String> {
    let mut slugs = Slugs::default();
    names.map(|name| slugs.give(name)).collect()
}

/// Names of iterations in addresses: `iteration-3` for any name with that number, so that folders
/// may be renamed. Iterations that share a number keep their names.
fn iteration_names(iterations: &[Iteration]) -> Vec<String> {
    let mut counts = BTreeMap::<u32, usize>::new();
    for iteration in iterations {
        if let Some(number) = names::iteration_number(&iteration.name) {
            *counts.entry(number).or_default() += 1;
        }
    }
    let mut address_names = Vec::new();
    for iteration in iterations {
        address_names.push(match names::iteration_number(&iteration.name) {
            // `v3` and `iteration-3` may lie in one folder.
            Some(number) if counts[&number] == 1 => format!("iteration-{number}"),
            _ => iteration.name.clone(),
        });
    }
    address_names
}

/// The line break keeps case and key apart, as neither ends or begins with one.
fn anchor(case: &str, key: &str) -> String {
    format!("e-{}", &blake3::hash(format!("{case}\n{key}").as_bytes()).to_hex()[..10])
}

/// The address of a folder with any name, relative to its parent folder.
pub(crate) fn folder(name: &str) -> String {
    let mut address = String::new();
    if name.contains(':') {
        // Otherwise the part before the colon would be a scheme.
        address.push_str("./");
    }
    for byte in name.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' | b':' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                address.push(char::from(byte));
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

pub(crate) fn link(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let (from_folders, to_folders) = (&from[..from.len() - 1], &to[..to.len() - 1]);
    let same = from_folders.iter().zip(to_folders).take_while(|(a, b)| a == b).count();
    let mut parts = vec![".."; from_folders.len() - same];
    parts.extend(&to[same..]);
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::{anchor, folder, iteration_names, link};
    use input::model::Iteration;

    #[test]
    fn an_iteration_keeps_its_address_when_its_folder_is_renamed() {
        for (names, expected) in [
            (["iteration-1", "iter_02"], ["iteration-1", "iteration-2"]),
            (["Iteration 2 (new)", "2026-01-01"], ["iteration-2", "2026-01-01"]),
            (["iteration-3", "iteration-3b"], ["iteration-3", "iteration-3b"]),
            (["iteration-master", "a/iteration-1"], ["iteration-master", "a/iteration-1"]),
        ] {
            let iterations =
                names.map(|name| Iteration { name: name.to_owned(), ..Iteration::default() });
            assert_eq!(iteration_names(&iterations), expected);
        }
    }

    #[test]
    fn a_folder_named_like_a_scheme_stays_a_folder() {
        assert_eq!(folder("pr-12"), "pr-12");
        assert_eq!(folder("javascript:x"), "./javascript:x");
        assert_eq!(folder("http:"), "./http:");
        assert_eq!(folder("a b?c#d%41"), "a%20b%3Fc%23d%2541");
    }

    #[test]
    fn an_anchor_tells_case_and_statement_apart() {
        assert_eq!(anchor("a", "the sum"), anchor("a", "the sum"));
        assert_ne!(anchor("a-b", "c"), anchor("a", "b-c"));
        assert_ne!(anchor("a", "the sum"), anchor("b", "the sum"));
        assert_eq!(anchor("a", "the sum").len(), "e-0123456789".len());
    }

    #[test]
    fn links_are_relative() {
        assert_eq!(link("index.html", "cases/a.html"), "cases/a.html");
        assert_eq!(link("cases/a.html", "index.html"), "../index.html");
        assert_eq!(link("iterations/1/a/b-1.html", "iterations/1/index.html"), "../index.html");
        assert_eq!(link("cases/a.html", "cases/b.html"), "b.html");
    }
}
