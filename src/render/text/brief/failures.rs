//! The failed checks in a brief.

use std::fmt::Write;

use crate::digest::{FailedCheck, OtherCandidate};
use crate::language::{Rate, say};
use crate::render::text::brief::items::{SHORT_LENGTH, has_same_reason, name, plain, shown};
use crate::render::text::brief::{BriefWriter, NAMED_CHECKS, QUOTED};
use text::cut_line;

/// Further candidates whose failures are listed: a brief is on the page of each of them.
const CANDIDATES: usize = 10;

impl BriefWriter<'_> {
    /// Failed checks with their counts and evidence; those that failed for the same reason are one
    /// item.
    pub(super) fn failures(&self, checks: &[FailedCheck<'_>], is_once: bool) -> Vec<String> {
        let mut groups: Vec<Vec<&FailedCheck<'_>>> = Vec::new();
        for check in checks {
            let known = groups.iter_mut().find(|group| has_same_reason(group[0], check));
            match known {
                Some(group) => group.push(check),
                None => groups.push(vec![check]),
            }
        }
        groups.iter().map(|group| self.failure(group, is_once)).collect()
    }

    /// What further candidates failed, each under its name.
    pub(super) fn others(&self) -> Vec<String> {
        let mut items = Vec::new();
        let others = &self.brief.others;
        for OtherCandidate { configuration, regressed, failed } in others.iter().take(CANDIDATES) {
            let found =
                self.failures(regressed, false).into_iter().chain(self.failures(failed, false));
            for item in found {
                let item = item.strip_prefix("- ").unwrap_or(&item);
                items.push(format!("- {}: {item}", name(configuration)));
            }
        }
        let more = self.language.beyond("compare.more", others.len(), CANDIDATES);
        if !more.is_empty() {
            items.push(format!("- {more}\n"));
        }
        items
    }

    /// Failed checks with one reason. `is_once` where the heading says what their counts are.
    fn failure(&self, checks: &[&FailedCheck<'_>], is_once: bool) -> String {
        let language = self.language;
        let mut item = String::new();
        let mut indent = "";
        if checks.len() > 1 {
            let checks = language.count(checks.len(), "check");
            let _ = writeln!(item, "- {}", say!(language, "brief.one_reason", checks));
            indent = "  ";
        }
        for check in checks.iter().take(NAMED_CHECKS) {
            let text = format!("**{}**", self.short(check.text));
            let counts = self.counts(check, is_once);
            let mut line = if counts.is_empty() { text } else { language.detailed(&text, &counts) };
            if self.brief.only_case.is_none() {
                line = language.labelled(&name(check.case), &line);
            }
            if let Some(description) = check.description {
                line = language.labelled(&line, &shown(description));
            }
            let _ = writeln!(item, "{indent}- {line}");
        }
        // One missing file can fail a hundred checks, which would leave room for nothing else.
        let more = language.beyond("compare.more", checks.len(), NAMED_CHECKS);
        if !more.is_empty() {
            let _ = writeln!(item, "  - {more}");
        }
        let evidence = &checks[0].evidence;
        for found in evidence.iter().take(QUOTED) {
            let mut line = self.short(found.text);
            if self.brief.only_case.is_some() {
                let (number, folder) = (found.run, plain(found.folder));
                line = language.labelled(&say!(language, "brief.run_in", number, folder), &line);
            } else if checks[0].tally.graded() > 1 {
                line = language.labelled(&say!(language, "brief.run", number = found.run), &line);
            }
            let _ = writeln!(item, "  - {line}");
        }
        item
    }

    /// A text of a check: whole in the brief of its case.
    fn short(&self, text: &str) -> String {
        match self.brief.only_case {
            Some(_) => shown(text),
            None => plain(&cut_line(text, SHORT_LENGTH)),
        }
    }

    /// The counts of a failed check now, before and on the other side, as far as they say something.
    fn counts(&self, check: &FailedCheck<'_>, is_once: bool) -> String {
        let language = self.language;
        let after = Rate::counts_of(check.tally);
        let mut parts = Vec::new();
        if !is_once {
            parts.push(match check.before {
                Some(before) => {
                    say!(language, "brief.was", before = Rate::counts_of(before), after)
                }
                None => say!(language, "brief.of", counts = after),
            });
        }
        if let (Some(tally), Some(side)) = (check.baseline, &self.brief.baseline) {
            let (counts, configuration) = (Rate::counts_of(tally), &side.configuration);
            // A check that the model passes by itself was broken by the skill.
            if check.passes_on_baseline() {
                parts.push(say!(language, "brief.passes_without", counts, configuration));
            } else if check.fails_with_old_skill {
                parts.push(say!(language, "brief.old_fails_too", counts, configuration));
            }
        }
        parts.join(language.text("list.semicolon"))
    }
}
