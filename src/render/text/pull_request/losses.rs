//! The checks that a change lost, in a comment: those with one evidence are one line.

use std::fmt::Write;

use crate::analyze::Flip;
use crate::digest::{Changes, Row};
use crate::language::say;
use crate::render::context::escape;
use crate::render::text::comment_layout::{CommentBlock, CommentContent};
use crate::render::text::pull_request::{CommentWriter, EVIDENCE, FAILING, REGRESSED, statement};
use crate::wording;
use text::{cut, cut_line};

impl CommentWriter<'_> {
    /// Lost checks with their evidence.
    pub(super) fn add_regressed(
        &self,
        row: &Row<'_>,
        changes: &Changes<'_>,
        to: &mut CommentContent,
    ) {
        let lost = changes.regressed();
        let mut head = wording::changes::regressed(self.facts, changes).unwrap_or_default();
        if let Some(condition) = row.condition {
            head = self.language.labelled(condition, &head);
        }
        let head = escape::markdown(&head);
        let sign = if lost.iter().any(|flip| flip.is_repeated()) { "▼" } else { "▽" };
        let groups = by_evidence(&lost, changes);
        let mut reasons = String::new();
        if groups.len() < lost.len() {
            reasons = format!("({})", self.language.count(groups.len(), "reason"));
        }
        let head_line = format!("**{sign} {head}** {}", escape::markdown(&reasons));
        let _ = write!(to.checks, "{}\n\n", head_line.trim_end());
        let mut folded = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            let row = match group[..] {
                [flip] => self.item(flip, changes),
                _ => self.one_reason(group, changes),
            };
            if at < REGRESSED {
                to.checks.push_str(&row);
            }
            // The names of checks with one reason are folded.
            if at >= REGRESSED || group.len() > 1 {
                folded.extend(group.iter().map(|flip| self.item(flip, changes)));
            }
        }
        to.checks.push('\n');
        to.details.push(CommentBlock { head: format!("**{head}**\n\n"), rows: folded });
    }

    /// Lost checks with one evidence: it, then how many checks in which cases.
    fn one_reason(&self, group: &[&Flip<'_>], changes: &Changes<'_>) -> String {
        let mut cases: Vec<(usize, usize)> = Vec::new();
        for flip in group {
            match cases.iter_mut().find(|(case, _)| *case == flip.case) {
                Some((_, count)) => *count += 1,
                None => cases.push((flip.case, 1)),
            }
        }
        let evidence = cut(changes.evidence(group[0]).unwrap_or_default(), 4 * EVIDENCE);
        let evidence = escape::markdown(&cut_line(&evidence, EVIDENCE));
        let named = cases.iter().map(|(case, count)| format!("{} {count}", self.case(*case, None)));
        let named = self.language.first_few(named.collect(), FAILING, "list.comma");
        let checks = self.language.count(group.len(), "check");
        let check = statement(group[0]);
        let list = say!(self.language, "pull_request.one_reason", checks, named, check);
        format!("- **“{evidence}”**, {list}\n")
    }
}

/// Lost checks in groups of equal evidence; one without evidence is alone.
fn by_evidence<'f, 'a>(lost: &[&'f Flip<'a>], changes: &Changes<'_>) -> Vec<Vec<&'f Flip<'a>>> {
    let mut groups: Vec<Vec<&Flip<'_>>> = Vec::new();
    for flip in lost {
        let evidence = changes.evidence(flip);
        let known = groups.iter_mut().find(|group| {
            evidence.is_some_and(|text| !text.trim().is_empty())
                && changes.evidence(group[0]) == evidence
        });
        match known {
            Some(group) => group.push(flip),
            None => groups.push(vec![flip]),
        }
    }
    groups
}
