//! The results of a gate as an alert of GitHub, which other hosts show as a quotation.

use crate::language::{Language, say};
use crate::render::context::escape;
use crate::wording::gate::{GateLine, GateMark};
use text::cut;

/// Characters of a line.
const LINE: usize = 420;

/// Whether the gate passed and the first `most` lines, those that failed first; then the other lines,
/// to be folded. Both are empty without a gate.
pub(super) fn gate_alert(
    lines: &[GateLine],
    most: usize,
    language: &Language,
) -> (String, Vec<String>) {
    let mut lines: Vec<&GateLine> = lines.iter().collect();
    // What stops the merge must not be folded.
    lines.sort_by_key(|line| line.mark != GateMark::Failed);
    let Some(first) = lines.first() else { return (String::new(), Vec::new()) };
    let (kind, key) = if first.mark == GateMark::Failed {
        ("CAUTION", "gate.failed")
    } else {
        ("TIP", "gate.passed")
    };
    let result = say!(language, "pull_request.gate", result = language.text(key).to_lowercase());
    let mut alert = format!("> [!{kind}]\n> **{result}**\n");
    let mut rows = lines.iter().map(|line| {
        let word = language.text(line.mark.key());
        format!("- **{word}** {}\n", escape::markdown(&cut(&line.text, LINE)))
    });
    for row in rows.by_ref().take(most) {
        alert += &format!("> {row}");
    }
    alert.push('\n');
    (alert, rows.collect())
}
