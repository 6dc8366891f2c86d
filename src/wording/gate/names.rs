//! Names of rules, and of the reasons that are about an iteration.

use crate::gate::{NotCheckable, Resource, Rule};

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
        Rule::MaxIncrease(Resource::Time, _) => "max-time-increase".to_owned(),
        Rule::MaxIncrease(Resource::Tokens, _) => "max-token-increase".to_owned(),
        Rule::Budget(Resource::Time, most) => format!("time at most {most} ×"),
        Rule::Budget(Resource::Tokens, most) => format!("tokens at most {most} ×"),
    }
}
