//! Names of rules, and of the reasons that are about an iteration.

use crate::gate::{NotCheckable, Rule};
use crate::language::{Language, say};

/// That a newer iteration should be judged, and cannot be.
pub(crate) fn newer_round(why: &NotCheckable, language: &Language) -> Option<String> {
    match why {
        NotCheckable::NewerWithoutRun(iteration)
        | NotCheckable::NewerUngraded(iteration)
        | NotCheckable::NewerCopied(iteration) => {
            Some(say!(language, about_iteration(why), iteration))
        }
        _ => None,
    }
}

/// The text of a reason that is about an iteration.
pub(super) fn about_iteration(why: &NotCheckable) -> &'static str {
    match why {
        NotCheckable::NewerWithoutRun(_) => "gate.newer_without",
        NotCheckable::NewerUngraded(_) => "gate.newer_ungraded",
        NotCheckable::NewerCopied(_) => "gate.newer_copied",
        _ => "gate.edited_since",
    }
}

/// The name of a rule, as its flag.
pub(super) fn rule_name(rule: Rule) -> String {
    match rule {
        Rule::FailOn(on) => format!("fail-on {}", on.word()),
        Rule::MinPassRate(_) => "min-pass-rate".to_owned(),
        Rule::MinGain(_) => "min-gain".to_owned(),
        Rule::MaxIncrease(kind, _) => format!("max-{}-increase", kind.word().trim_end_matches('s')),
        Rule::Budget(kind, most) => format!("{} at most {most} ×", kind.word()),
    }
}
