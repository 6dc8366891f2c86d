//! What the cases can show: the findings of the audit, with what became of each check in the runs.

use serde_json::{Value, json};

use crate::analyze::{AuditFinding, AuditKind};
use crate::language::say;
use crate::render::context::Page;
use crate::wording::audit;
use text::cut_line;

/// Findings of one kind that are listed, and characters of each text.
const LISTED: usize = 12;
const QUOTED: usize = 160;

/// The groups of findings and what is left to measure; null without a check.
pub(super) fn audit_view(page: &Page<'_>) -> Value {
    let (found, language) = (&page.shared.audit, page.language);
    if found.checks == 0 {
        return Value::Null;
    }
    let mut groups = Vec::new();
    for group in found.findings.chunk_by(|one, other| one.kind == other.kind) {
        // That a case is missing is about no check.
        let about = group.iter().filter(|one| !one.text.is_empty());
        let rows: Vec<Value> = about.take(LISTED).map(|one| row(page, one)).collect();
        groups.push(json!({
            "title": audit::headline(group, found, language),
            "advice": audit::advice(group[0].kind, language),
            "rows": rows,
            "more": language.beyond("audit.listed", group.len(), LISTED),
        }));
    }
    let checks = language.count(found.checks, "check");
    json!({
        "groups": groups,
        "left": say!(language, "audit.left", left = found.left_to_measure(), checks),
    })
}

fn row(page: &Page<'_>, finding: &AuditFinding) -> Value {
    let other = match finding.kind {
        AuditKind::BrokenPattern | AuditKind::CopiedFromSkill | AuditKind::AlikePrompts => {
            &*finding.other
        }
        _ => "",
    };
    json!({
        "case": finding.case,
        "text": cut_line(&finding.text, QUOTED),
        "other": cut_line(other, QUOTED),
        "result": audit::result(finding, page.language),
    })
}
