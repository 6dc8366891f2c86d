//! The shapes of secrets: those that a prefix tells, and a list of finders for the others.
//!
//! A shape errs towards silence: hashes, identifiers and words stay as they are.

use std::ops::Range;

use crate::guard::assigned;
use crate::guard::blocks;
use crate::guard::headers;
use crate::guard::homes;
use crate::guard::prefixes::{Label, PREFIXES, Prefix, json_web_token};
use crate::guard::special;

/// How far before its first byte a finder looks.
pub(super) const BEHIND: usize = 256;

/// One shape of secret.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// What it is.
    pub(super) label: Label,
    /// The first two bytes of what makes a place worth a look.
    anchors: &'static [&'static str],
    find: Find,
}

/// Looks at the place of an anchor; the bytes to replace.
type Finder = fn(&[u8], usize) -> Option<Range<usize>>;

#[derive(Clone, Copy)]
enum Find {
    Prefix(Prefix),
    By(Finder),
    /// The folder of the workspace.
    Workspace,
}

impl Shape {
    const fn by(label: Label, anchors: &'static [&'static str], find: Finder) -> Self {
        Self { label, anchors, find: Find::By(find) }
    }

    /// What stands in the place of such a secret: plain ASCII, without a quote, that is text in
    /// every format.
    pub(super) fn mark(&self) -> String {
        match self.label {
            homes::HOME => "~".to_owned(),
            homes::WORKSPACE => ".".to_owned(),
            label => format!("[redacted: {label}]"),
        }
    }

    /// Whether it is a folder of a machine: made relative, and no secret that leaked.
    pub(super) fn is_folder(&self) -> bool {
        matches!(self.label, homes::HOME | homes::WORKSPACE)
    }
}

/// The beginnings of a number in base64: a bot's token begins with the number of its account.
const DISCORD: &[&str] = &["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"];

/// Secrets that take more than a prefix. Of two that fit at one place the first counts.
const OTHERS: &[Shape] = &[
    Shape::by("private key", &["BE"], blocks::private_key),
    Shape::by("private key", &["-L"], blocks::putty_key),
    Shape::by("json web token", &["ey"], json_web_token),
    Shape::by("slack webhook", &["ho"], special::slack_webhook),
    Shape::by("teams webhook", &["k."], special::teams_webhook),
    Shape::by("discord webhook", &["ap"], special::discord_webhook),
    Shape::by("discord token", DISCORD, special::discord_token),
    Shape::by("telegram token", &[":A"], special::telegram_token),
    Shape::by("azure key", &["Ac", "Sh"], special::azure_key),
    Shape::by("azure signature", &["si"], special::azure_signature),
    Shape::by("azure client secret", &["Q~"], special::azure_client_secret),
    Shape::by("azure devops token", &["AZ"], special::azure_devops_token),
    Shape::by("terraform token", &["sv"], special::terraform_token),
    Shape::by("bearer token", &["Be", "be", "BE"], headers::bearer),
    Shape::by("basic credentials", &["Ba", "ba", "BA"], headers::basic),
    Shape::by("authorization header", &["iz", "IZ"], headers::authorization),
    Shape::by("url password", &["//"], special::url_password),
    Shape::by("aws secret key", assigned::ANCHORS, assigned::aws_secret),
    Shape::by("assigned secret", assigned::ANCHORS, assigned::secret),
    Shape::by(homes::HOME, &["/h", "/U", "/r", "\\U"], homes::home),
];

impl Default for Index {
    fn default() -> Self {
        Self::new(&[])
    }
}

/// Every shape, with a table from two bytes to those that may stand there.
pub(super) struct Index {
    shapes: Vec<Shape>,
    marks: Vec<String>,
    roots: Vec<String>,
    buckets: Vec<Vec<usize>>,
    pairs: Box<[u16; 65_536]>,
}

impl Index {
    /// The shapes, and `roots` as folders where the workspace lies.
    pub(super) fn new(roots: &[String]) -> Self {
        let workspace = Shape { label: homes::WORKSPACE, anchors: &[], find: Find::Workspace };
        let prefixed = |prefix: &Prefix| Shape {
            label: prefix.label,
            anchors: &[],
            find: Find::Prefix(*prefix),
        };
        let prefixed = PREFIXES.iter().map(prefixed);
        let others = OTHERS.iter().copied();
        let shapes: Vec<Shape> = std::iter::once(workspace).chain(prefixed).chain(others).collect();
        let mut index = Self {
            marks: shapes.iter().map(Shape::mark).collect(),
            roots: roots.iter().filter(|root| is_telling(root)).cloned().collect(),
            shapes: Vec::new(),
            buckets: vec![Vec::new()],
            pairs: Box::new([0; 65_536]),
        };
        index.roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        for (at, shape) in shapes.iter().enumerate() {
            match shape.find {
                Find::Prefix(Prefix { prefix, .. }) => index.add(prefix, at),
                Find::By(_) => shape.anchors.iter().for_each(|anchor| index.add(anchor, at)),
                Find::Workspace => {
                    index.roots.clone().iter().for_each(|root| index.add(root, at));
                }
            }
        }
        Self { shapes, ..index }
    }

    fn add(&mut self, anchor: &str, shape: usize) {
        let bytes = anchor.as_bytes();
        let pair = pair(bytes[0], bytes[1]);
        if self.pairs[pair] == 0 {
            self.pairs[pair] = self.buckets.len() as u16;
            self.buckets.push(Vec::new());
        }
        let bucket = &mut self.buckets[usize::from(self.pairs[pair])];
        if !bucket.contains(&shape) {
            bucket.push(shape);
        }
    }

    /// The shape at an index that [`Found`] gives.
    pub(super) fn shape(&self, shape: usize) -> &Shape {
        &self.shapes[shape]
    }

    /// The first shape that is called so.
    pub(super) fn number(&self, label: &str) -> Option<usize> {
        self.shapes.iter().position(|shape| shape.label == label)
    }

    /// That shape itself.
    pub(super) fn labelled(&self, label: &str) -> Option<Shape> {
        self.number(label).map(|shape| self.shapes[shape])
    }

    /// What stands in the place of such a secret.
    pub(super) fn mark(&self, shape: usize) -> &str {
        &self.marks[shape]
    }

    /// The first secret that an anchor in `within` leads to.
    pub(super) fn next(&self, text: &[u8], within: Range<usize>) -> Option<Found> {
        let end = within.end.min(text.len().saturating_sub(1));
        let pairs = text.get(within.start..end + 1).unwrap_or_default().windows(2);
        pairs.zip(within.start..).find_map(|(two, at)| match self.pairs[pair(two[0], two[1])] {
            0 => None,
            bucket => self.here(text, at, usize::from(bucket)),
        })
    }

    fn here(&self, text: &[u8], at: usize, bucket: usize) -> Option<Found> {
        self.buckets[bucket].iter().find_map(|shape| {
            let range = match self.shapes[*shape].find {
                Find::Prefix(prefix) => prefix.find(text, at),
                Find::By(find) => find(text, at),
                Find::Workspace => homes::workspace(text, at, &self.roots),
            }?;
            Some(Found { at, range, shape: *shape })
        })
    }
}

/// Whether a folder says where a workspace lies: not the root, and not a folder right below it,
/// which every machine has.
fn is_telling(root: &str) -> bool {
    root.len() >= 4 && root.split(['/', '\\']).filter(|name| !name.is_empty()).count() >= 2
}

/// Where a pair of bytes stands in the table.
fn pair(first: u8, second: u8) -> usize {
    usize::from(u16::from_be_bytes([first, second]))
}

/// A secret that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Where its anchor stands.
    pub(super) at: usize,
    /// The bytes to replace.
    pub(super) range: Range<usize>,
    /// Its shape in the index.
    pub(super) shape: usize,
}
