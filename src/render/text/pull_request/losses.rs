//! The checks that a change lost, in a comment: those with one evidence are one line.

use std::fmt::Write;

use crate::analyze::Flip;
use crate::digest::{Changes, Row};
use crate::render::context::escape;
use crate::render::text::comment_layout::{CommentBlock, CommentContent, by_evidence, one_reason};
use crate::render::text::pull_request::{CommentWriter, EVIDENCE, REGRESSED, statement};
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
        let groups = by_evidence(lost.iter().copied(), |flip| changes.evidence(flip));
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
        let evidence = cut(changes.evidence(group[0]).unwrap_or_default(), 4 * EVIDENCE);
        let evidence = escape::markdown(&cut_line(&evidence, EVIDENCE));
        let cases = group.iter().map(|flip| self.case(flip.case, None));
        let list = one_reason(cases, &statement(group[0]), self.language);
        format!("- **“{evidence}”**, {list}\n")
    }
}
