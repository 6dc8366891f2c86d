//! Finds matches of the rules: three bytes lead to the keywords that may be at a place, and each
//! keyword to its rules.

use std::ops::Range;

use crate::guard::context::{self, TextTable};
use crate::guard::escapes;
use crate::guard::rule::{FoundSecret, Label, LetterCase, Ranges, RuleContext, is_folder, mark};
use crate::guard::rules::{KINDS, KNOWN, RuleKind};
use crate::guard::values::has_at;

/// A text that makes a place worth a look.
#[derive(Debug)]
struct Keyword {
    text: String,
    /// The offset of its three rarest bytes.
    offset: usize,
    case: LetterCase,
    /// The rules it belongs to.
    shapes: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct KeywordIndex {
    /// Keywords with similar bytes are adjacent.
    keywords: Vec<Keyword>,
    /// Keywords per group.
    size: usize,
    /// By byte, a bit for each group that has it as the first, second or third of three.
    masks: Box<[[u64; 256]; 3]>,
}

const GROUPS: usize = u64::BITS as usize;

impl Default for KeywordIndex {
    fn default() -> Self {
        Self::new(&[])
    }
}

/// Bytes by frequency, the rarest last: a keyword is searched by its rarest three.
const FREQUENT: &[u8] = b" etaoinsrhlducmpfgybw-\"v.,/k_";

pub(super) fn label(shape: usize) -> Label {
    KINDS[shape].rule.label
}

impl KeywordIndex {
    /// The rules, and `roots` as folders of the workspace.
    pub(super) fn new(roots: &[String]) -> Self {
        // Every machine has the root and folders right below it.
        let names = |root: &str| root.split(['/', '\\']).filter(|name| !name.is_empty()).count();
        let is_telling = |root: &&String| root.len() >= 4 && names(root) >= 2;
        let mut roots: Vec<&String> = roots.iter().filter(is_telling).collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        let rule_keywords = KINDS.iter().enumerate().flat_map(|(shape, RuleKind { rule, .. })| {
            rule.keywords.iter().map(move |text| (*text, rule.case, shape))
        });
        let root_keywords =
            roots.iter().map(|root| (root.as_str(), LetterCase::Exact, KINDS.len() - 1));
        let mut all_keywords: Vec<Keyword> = Vec::new();
        for (text, case, shape) in rule_keywords.chain(root_keywords) {
            match all_keywords
                .iter_mut()
                .find(|keyword| keyword.text == text && keyword.case == case)
            {
                Some(keyword) => keyword.shapes.push(shape),
                None => all_keywords.push(Keyword::new(text, case, shape)),
            }
        }
        all_keywords.sort_by_key(|keyword| keyword.three().to_vec());
        let size = all_keywords.len().div_ceil(GROUPS);
        let mut masks = Box::new([[0; 256]; 3]);
        for (at, keyword) in all_keywords.iter().enumerate() {
            let bit = 1 << (at / size);
            for (place, mask) in masks.iter_mut().enumerate() {
                let byte = keyword.three().get(place);
                let fits = |other: u8| match keyword.case {
                    LetterCase::Exact => byte.is_none_or(|byte| *byte == other),
                    _ => byte.is_none_or(|byte| byte.eq_ignore_ascii_case(&other)),
                };
                for other in (0..=255).filter(|other| fits(*other)) {
                    mask[usize::from(other)] |= bit;
                }
            }
        }
        Self { keywords: all_keywords, size, masks }
    }

    /// The parts that may not be shown, on character boundaries, in order and without overlap.
    pub(super) fn hidden(&self, text: &str) -> Vec<FoundSecret> {
        let mut last = 0;
        let mut secrets = self.find(text.as_bytes(), 0..text.len(), &mut None);
        // The longest name of a home may end within a character.
        secrets.retain(|FoundSecret { range, .. }| {
            let is_whole =
                text.get(last..range.start).is_some() && text.is_char_boundary(range.end);
            last = if is_whole { range.end } else { last };
            is_whole
        });
        secrets
    }

    /// `text` with every secret replaced, and their labels; `None` if there are none.
    pub(super) fn redact(&self, text: &str) -> Option<(String, Vec<Label>)> {
        let mut last = 0;
        let (mut out, mut labels) = (String::new(), Vec::new());
        for FoundSecret { range, shape } in self.hidden(text) {
            out.push_str(&text[last..range.start]);
            out.push_str(&mark(label(shape)));
            last = range.end;
            labels.push(label(shape));
        }
        (!labels.is_empty()).then(|| (out + &text[last..], labels))
    }

    /// Every secret that a keyword in `within` leads to, plain or escaped; in order and without
    /// overlap. `table` continues from the part before, and into the next.
    pub(super) fn find(
        &self,
        text: &[u8],
        within: Range<usize>,
        table: &mut Option<TextTable>,
    ) -> Vec<FoundSecret> {
        let mut secrets = self.plain(text, within.clone(), KINDS.len(), table);
        for part in escapes::parts(text, within.clone()) {
            for one in self.plain(&part.text, part.within.clone(), KINDS.len(), &mut None) {
                secrets.push(FoundSecret { range: part.raw(&one.range), ..one });
            }
        }
        let first_known = |text: &[u8]| Some(self.find_known(text, 0..text.len()).first()?.shape);
        secrets.extend(escapes::find(text, within, &first_known));
        join_overlaps(secrets)
    }

    /// The secrets of known shape that a keyword in `within` leads to.
    pub(super) fn find_known(&self, text: &[u8], within: Range<usize>) -> Vec<FoundSecret> {
        join_overlaps(self.plain(text, within, KNOWN, &mut None))
    }

    /// The matches for the keywords of the first `most` rules.
    fn plain(
        &self,
        text: &[u8],
        within: Range<usize>,
        most: usize,
        table: &mut Option<TextTable>,
    ) -> Vec<FoundSecret> {
        let (mut secrets, mut ranges) = (Vec::new(), Vec::new());
        let mut keep = |ranges: &mut Ranges, shape| {
            secrets.extend(ranges.drain(..).map(|range| FoundSecret { range, shape }));
        };
        if let Some(open) = table.take() {
            let start = context::line_from(text, within.start);
            *table = open.rows(text, start..within.end, &mut ranges).then_some(open);
            let is_column = |kind: &RuleKind| matches!(kind.rule.look, RuleContext::Column);
            keep(&mut ranges, KINDS.iter().position(is_column).unwrap_or_default());
        }
        // Where each rule resumes.
        let mut done = vec![0; KINDS.len()];
        let end = text.len().min(within.end + 2);
        let mut at = within.start;
        while let Some(rest) = text.get(at..end) {
            let is_one = |three: &[u8]| self.groups_at(three) != 0;
            let Some(skipped) = rest.windows(3).position(is_one) else { break };
            at += skipped;
            let mut groups = self.groups_at(&text[at..]);
            while groups != 0 {
                let first = groups.trailing_zeros() as usize * self.size;
                let end = self.keywords.len().min(first + self.size);
                for keyword in &self.keywords[first..end] {
                    let Some(place) = keyword.place(text, at) else { continue };
                    for shape in keyword.shapes.iter().copied().filter(|shape| *shape < most) {
                        if place.start >= done[shape] {
                            let kind = &KINDS[shape];
                            let looked =
                                kind.find(text, place.clone(), within.end, table, &mut ranges);
                            done[shape] = looked.max(done[shape]);
                            keep(&mut ranges, shape);
                        }
                    }
                }
                groups &= groups - 1;
            }
            at += 1;
        }
        secrets
    }

    /// The groups of keywords that three bytes may lead to, a bit for each.
    fn groups_at(&self, three: &[u8]) -> u64 {
        // Called for every byte of every file: an array's `map` here takes a sixth of a build.
        self.masks[0][usize::from(three[0])]
            & self.masks[1][usize::from(three[1])]
            & self.masks[2][usize::from(three[2])]
    }
}

/// Joins overlaps under the label of the earliest rule; a workspace counts before a home.
pub(super) fn join_overlaps(mut secrets: Vec<FoundSecret>) -> Vec<FoundSecret> {
    let rank = |one: &FoundSecret| match is_folder(label(one.shape)) {
        true => usize::MAX - one.shape,
        false => one.shape,
    };
    secrets.sort_by_key(|one| (one.range.start, one.range.end));
    let mut joined: Vec<FoundSecret> = Vec::with_capacity(secrets.len());
    for next in secrets {
        match joined.last_mut().filter(|last| next.range.start < last.range.end) {
            Some(last) => {
                last.range.end = last.range.end.max(next.range.end);
                last.shape = if rank(&next) < rank(last) { next.shape } else { last.shape };
            }
            None => joined.push(next),
        }
    }
    joined
}

impl Keyword {
    fn new(text: &str, case: LetterCase, shape: usize) -> Self {
        let bytes = text.as_bytes();
        let rarity = |byte: &u8| {
            let byte = byte.to_ascii_lowercase();
            FREQUENT.iter().position(|other| *other == byte).unwrap_or(FREQUENT.len())
        };
        let rarity = |at: &usize| bytes[*at..].iter().take(3).map(rarity).sum::<usize>();
        let offset = (0..bytes.len().saturating_sub(2)).max_by_key(rarity).unwrap_or_default();
        Self { text: text.to_owned(), offset, case, shapes: vec![shape] }
    }

    /// The bytes that are searched first; two if there are no more.
    fn three(&self) -> &[u8] {
        let bytes = self.text.as_bytes();
        &bytes[self.offset..bytes.len().min(self.offset + 3)]
    }

    fn place(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let start = at.checked_sub(self.offset)?;
        let end = start + self.text.len();
        let is_here = match self.case {
            LetterCase::Exact => has_at(text, start, &self.text),
            _ => text.get(start..end)?.eq_ignore_ascii_case(self.text.as_bytes()),
        };
        let is_longer = |next: &u8| next.is_ascii_lowercase() && *next != b's';
        let goes_on = self.case == LetterCase::Word && text.get(end).is_some_and(is_longer);
        (is_here && !goes_on).then_some(start..end)
    }
}
