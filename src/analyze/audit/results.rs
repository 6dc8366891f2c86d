//! What became of the checks of findings in the runs. Verdicts are counted in one pass: a case may have
//! thousands of checks, and a finding on each.

use std::collections::{BTreeMap, BTreeSet};

use input::model::{Iteration, Outcome};

use crate::analyze::audit::{Audit, AuditFinding, PassedRuns, names_of};

impl Audit {
    /// Adds what became of each check that a finding is about.
    pub(super) fn add_results(&mut self, graded: &Iteration) {
        let results = results(graded, &self.findings);
        let mut passed_runs = Vec::new();
        for finding in &self.findings {
            let sides = results.get(&(&*finding.case, &*finding.text));
            let mut found = Vec::new();
            for side in &graded.configurations {
                let counts = sides.and_then(|sides| sides.get(side.as_str())).copied();
                let [passed, graded] = counts.unwrap_or_default();
                if graded > 0 {
                    found.push(PassedRuns { side: side.clone(), passed, graded });
                }
            }
            passed_runs.push(found);
        }
        for (finding, passed) in self.findings.iter_mut().zip(passed_runs) {
            finding.passed = passed;
        }
    }
}

/// Verdicts on one check of one case, passed and graded, by side.
type CheckResults<'i> = BTreeMap<&'i str, [usize; 2]>;

/// The verdicts on the checks of findings, by the case and the check as the finding names them.
fn results<'i>(
    iteration: &'i Iteration,
    findings: &'i [AuditFinding],
) -> BTreeMap<(&'i str, &'i str), CheckResults<'i>> {
    let mut found: BTreeMap<(&str, &str), CheckResults<'_>> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| !finding.case.is_empty()) {
        found.entry((&finding.case, &finding.text)).or_default();
    }
    let about: BTreeSet<&str> = findings.iter().map(|finding| &*finding.case).collect();
    for case in &iteration.cases {
        let mut names = BTreeSet::from(names_of(case));
        names.retain(|name| about.contains(name));
        for (name, run) in
            names.iter().flat_map(|name| case.runs.iter().map(move |run| (name, run)))
        {
            for check in run.counted_expectations() {
                let Some(sides) = found.get_mut(&(*name, &*check.text)) else { continue };
                let [passed, graded] = sides.entry(&run.configuration).or_default();
                *passed += usize::from(check.outcome == Outcome::Passed);
                *graded += usize::from(check.outcome != Outcome::Ungraded);
            }
        }
    }
    found
}
