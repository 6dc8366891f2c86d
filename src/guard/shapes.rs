//! Finds what the rules describe: three bytes lead to the keywords that may stand at a place, and each
//! keyword to its rules.

use std::ops::Range;

use crate::guard::context::{self, Table};
use crate::guard::encoded;
use crate::guard::escapes;
use crate::guard::homes;
use crate::guard::rules::{COLUMN, Case, KINDS, KNOWN, Label};
use crate::guard::values::has_at;

/// How far before its first byte a finder looks.
pub(super) const BEHIND: usize = 8 * 1024;

/// The longest secret, in bytes; what is longer is no secret of these shapes.
pub(super) const LONGEST: usize = 16 * 1024;

/// What stands in the place of such a secret: plain ASCII, without a quote, that is text in every
/// format.
pub(super) fn mark(label: Label) -> String {
    match label {
        homes::HOME => "~".to_owned(),
        homes::WORKSPACE => ".".to_owned(),
        label => format!("[redacted: {label}]"),
    }
}

/// Whether it is a folder of a machine: made relative, and no secret that leaked.
pub(super) fn is_folder(label: Label) -> bool {
    matches!(label, homes::HOME | homes::WORKSPACE)
}

/// A text that makes a place worth a look.
struct Keyword {
    text: String,
    /// How far in it the three bytes stand that texts have least.
    offset: usize,
    case: Case,
    /// The rules it belongs to.
    shapes: Vec<usize>,
}

/// Every rule, with what leads to it.
pub(super) struct Index {
    labels: Vec<Label>,
    marks: Vec<String>,
    roots: Vec<String>,
    /// Keywords in groups, those with like bytes together.
    groups: Vec<Vec<Keyword>>,
    /// By the value of a byte, a bit for each group that has it as the first of three, the second and
    /// the third.
    masks: Box<[[u64; 256]; 3]>,
}

/// How many groups there are.
const GROUPS: usize = u64::BITS as usize;

impl Default for Index {
    fn default() -> Self {
        Self::new(&[])
    }
}

/// Bytes by how often texts have them, the rarest last: a keyword is looked for by its rarest three.
const FREQUENT: &[u8] = b" etaoinsrhlducmpfgybw-\"v.,/k_";

/// How rare a byte is.
fn rarity(byte: u8) -> usize {
    let byte = byte.to_ascii_lowercase();
    FREQUENT.iter().position(|other| *other == byte).unwrap_or(FREQUENT.len())
}

impl Index {
    /// The rules, and `roots` as folders where the workspace lies.
    pub(super) fn new(roots: &[String]) -> Self {
        let mut roots: Vec<String> =
            roots.iter().filter(|root| is_telling(root)).cloned().collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        let labels = KINDS.iter().map(|kind| kind.rule.label).chain([homes::WORKSPACE]);
        let labels: Vec<Label> = labels.collect();
        let marks = labels.iter().map(|label| mark(label)).collect();
        let (groups, masks) = (Vec::new(), Box::new([[0; 256]; 3]));
        let mut index = Self { labels, marks, roots, groups, masks };
        index.group();
        index
    }

    /// Puts the keywords of all rules into groups.
    fn group(&mut self) {
        let mut all: Vec<Keyword> = Vec::new();
        let of_rules = KINDS.iter().map(|kind| kind.rule).enumerate();
        let of_rules = of_rules.flat_map(|(shape, rule)| {
            rule.keywords.iter().map(move |text| (*text, rule.case, shape))
        });
        let of_roots = self.roots.iter().map(|root| (root.as_str(), Case::Exact, KINDS.len()));
        for (text, case, shape) in of_rules.chain(of_roots) {
            match all.iter_mut().find(|known| known.text == text && known.case == case) {
                Some(known) => known.shapes.push(shape),
                None => all.push(Keyword::new(text, case, shape)),
            }
        }
        all.sort_by_key(|keyword| keyword.three().to_vec());
        let size = all.len().div_ceil(GROUPS);
        for (at, keyword) in all.into_iter().enumerate() {
            let group = at / size;
            for (place, mask) in self.masks.iter_mut().enumerate() {
                let byte = keyword.three().get(place);
                let fits = |other: u8| match keyword.case {
                    Case::Exact => byte.is_none_or(|byte| *byte == other),
                    _ => byte.is_none_or(|byte| byte.eq_ignore_ascii_case(&other)),
                };
                (0..=255)
                    .filter(|other| fits(*other))
                    .for_each(|other| mask[usize::from(other)] |= 1 << group);
            }
            match self.groups.get_mut(group) {
                Some(keywords) => keywords.push(keyword),
                None => self.groups.push(vec![keyword]),
            }
        }
    }

    /// The label of a shape, by the index that [`Found`] gives.
    pub(super) fn label(&self, shape: usize) -> Label {
        self.labels[shape]
    }

    /// The first shape that is called so.
    pub(super) fn number(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|known| *known == label)
    }

    /// What stands in the place of such a secret.
    pub(super) fn mark(&self, shape: usize) -> &str {
        &self.marks[shape]
    }

    /// Every secret that a keyword in `within` leads to, as it is written or behind escapes; in
    /// order, and none overlaps another.
    pub(super) fn find(&self, text: &[u8], within: Range<usize>) -> Vec<Found> {
        self.find_on(text, within, &mut None)
    }

    /// The same in a part of a longer text, with the table that goes on in it, and in the next.
    pub(super) fn find_on(
        &self,
        text: &[u8],
        within: Range<usize>,
        table: &mut Option<Table>,
    ) -> Vec<Found> {
        let mut found = self.plain(text, within.clone(), self.labels.len(), table);
        for part in escapes::parts(text, within.clone()) {
            let all = self.labels.len();
            let escaped = self.plain(&part.text, part.within.clone(), all, &mut None);
            let escaped = escaped.into_iter();
            found.extend(
                escaped.map(|Found { range, shape }| Found { range: part.raw(&range), shape }),
            );
        }
        found.extend(encoded::find(text, within, &|text| self.known(text)));
        self.apart(found)
    }

    /// The first secret of known shape in a text.
    pub(super) fn known(&self, text: &[u8]) -> Option<usize> {
        self.find_known(text, 0..text.len()).first().map(|found| found.shape)
    }

    /// The shapes of all secrets of known shape in a text, also of those behind escapes.
    pub(super) fn all_known(&self, text: &[u8]) -> impl Iterator<Item = usize> {
        let found = self.find(text, 0..text.len()).into_iter();
        found.map(|found| found.shape).filter(|shape| *shape < KNOWN)
    }

    /// The secrets of known shape that a keyword in `within` leads to.
    pub(super) fn find_known(&self, text: &[u8], within: Range<usize>) -> Vec<Found> {
        self.apart(self.plain(text, within, KNOWN, &mut None))
    }

    /// The same in order, where those that overlap are one, called as the rule that stands first; of
    /// folders the workspace counts before a home.
    pub(super) fn apart(&self, mut found: Vec<Found>) -> Vec<Found> {
        let rank = |shape: &usize| match is_folder(self.labels[*shape]) {
            true => usize::MAX - shape,
            false => *shape,
        };
        found.sort_by_key(|one| (one.range.start, one.range.end));
        let mut all: Vec<Found> = Vec::with_capacity(found.len());
        for next in found {
            match all.last_mut().filter(|last| next.range.start < last.range.end) {
                Some(last) => {
                    last.range.end = last.range.end.max(next.range.end);
                    last.shape =
                        [last.shape, next.shape].into_iter().min_by_key(rank).unwrap_or(last.shape);
                }
                None => all.push(next),
            }
        }
        all
    }

    /// What the keywords of the first `most` rules lead to.
    fn plain(
        &self,
        text: &[u8],
        within: Range<usize>,
        most: usize,
        table: &mut Option<Table>,
    ) -> Vec<Found> {
        let mut look = Look { text, within: within.clone(), ranges: Vec::new(), found: Vec::new() };
        look.go_on(table, self.number(COLUMN).unwrap_or_default());
        // Up to where each rule has looked already.
        let mut done = vec![0; self.labels.len()];
        let end = text.len().min(within.end + 2);
        let mut at = within.start;
        while let Some(rest) = text.get(at..end) {
            let is_one = |three: &[u8]| self.groups_at(three) != 0;
            let Some(skipped) = rest.windows(3).position(is_one) else { break };
            at += skipped;
            let mut groups = self.groups_at(&text[at..]);
            while groups != 0 {
                for keyword in &self.groups[groups.trailing_zeros() as usize] {
                    let Some(place) = keyword.place(text, at) else { continue };
                    for shape in keyword.shapes.iter().copied().filter(|shape| *shape < most) {
                        if place.start >= done[shape] {
                            done[shape] = look.at(place.clone(), shape, table).max(done[shape]);
                        }
                    }
                }
                groups &= groups - 1;
            }
            at += 1;
        }
        look.found
    }

    /// The groups of keywords that three bytes may lead to, a bit for each.
    fn groups_at(&self, three: &[u8]) -> u64 {
        // Asked for every byte of every file: an array's `map` here takes a sixth of a build.
        self.masks[0][usize::from(three[0])]
            & self.masks[1][usize::from(three[1])]
            & self.masks[2][usize::from(three[2])]
    }
}

/// A text that is looked through.
struct Look<'t> {
    text: &'t [u8],
    within: Range<usize>,
    ranges: Vec<Range<usize>>,
    found: Vec<Found>,
}

impl Look<'_> {
    /// Looks at the place of a keyword; up to where its rule need not look again.
    fn at(&mut self, place: Range<usize>, shape: usize, table: &mut Option<Table>) -> usize {
        let end = match KINDS.get(shape) {
            Some(kind) if kind.is_column() => {
                let Some((head, end)) = Table::at(self.text, place.start) else { return 0 };
                let is_open = head.rows(self.text, end..self.within.end, &mut self.ranges);
                *table = is_open.then_some(head);
                self.ranges.last().map_or(end, |last| last.end.max(end))
            }
            Some(kind) => kind.find(self.text, place, &mut self.ranges),
            None => homes::workspace(self.text, place, &mut self.ranges),
        };
        self.keep(shape);
        end
    }

    /// Goes on with a table that began in the part before.
    fn go_on(&mut self, table: &mut Option<Table>, shape: usize) {
        let start = context::line_from(self.text, self.within.start);
        *table = table
            .take()
            .filter(|table| table.rows(self.text, start..self.within.end, &mut self.ranges));
        self.keep(shape);
    }

    fn keep(&mut self, shape: usize) {
        self.found.extend(self.ranges.drain(..).map(|range| Found { range, shape }));
    }
}

impl Keyword {
    fn new(text: &str, case: Case, shape: usize) -> Self {
        let bytes = text.as_bytes();
        let rarity =
            |at: &usize| bytes[*at..].iter().take(3).map(|byte| rarity(*byte)).sum::<usize>();
        let offset = (0..bytes.len().saturating_sub(2)).max_by_key(rarity).unwrap_or_default();
        Self { text: text.to_owned(), offset, case, shapes: vec![shape] }
    }

    /// The bytes that are looked for first; two where it has no more.
    fn three(&self) -> &[u8] {
        let bytes = self.text.as_bytes();
        &bytes[self.offset..bytes.len().min(self.offset + 3)]
    }

    /// Where the keyword stands when its three bytes are at `at`.
    fn place(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let start = at.checked_sub(self.offset)?;
        let end = start + self.text.len();
        let is_here = match self.case {
            Case::Exact => has_at(text, start, &self.text),
            Case::Any => text.get(start..end)?.eq_ignore_ascii_case(self.text.as_bytes()),
            Case::Word => {
                let goes_on =
                    text.get(end).is_some_and(|next| next.is_ascii_lowercase() && *next != b's');
                !goes_on && text.get(start..end)?.eq_ignore_ascii_case(self.text.as_bytes())
            }
        };
        is_here.then_some(start..end)
    }
}

/// Whether a folder says where a workspace lies: not the root, and not a folder right below it,
/// which every machine has.
fn is_telling(root: &str) -> bool {
    root.len() >= 4 && root.split(['/', '\\']).filter(|name| !name.is_empty()).count() >= 2
}

/// A secret that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The bytes to replace.
    pub(super) range: Range<usize>,
    /// Its shape in the index.
    pub(super) shape: usize,
}
