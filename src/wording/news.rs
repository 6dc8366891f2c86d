//! The news in words: at most two sentences, one caution, one note of the author and one next step, with
//! at most 60 words in all but the quotation.

use crate::analyze::{Change, Verdict};
use crate::digest::Comparisons;
use crate::digest::news::{AuthorNote, Finding, LISTED_RANK, led_by};
use crate::language::{Language, say};

/// Words above the cases, without quotations and the rows.
const MOST_WORDS: usize = 60;
/// Cautions from this rank on are of costs and of recorded figures.
const MINOR_RANK: u32 = 500;
/// Sentences that are told.
const SENTENCES: usize = 2;

/// What the first screen says of the news.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FirstScreen {
    pub(crate) sentences: Vec<String>,
    pub(crate) caution: Option<String>,
    pub(crate) note: Option<AuthorNote>,
    pub(crate) next: Option<String>,
}

/// The first news of `findings`; `headline` is above it, and `fallback` is the next step where no finding
/// has one.
pub(crate) fn first_screen(
    findings: &[Finding],
    lead: Option<&Change>,
    headline: &str,
    fallback: Option<String>,
    language: &Language,
) -> FirstScreen {
    let is_undecided = is_undecided(lead);
    let about = worth_telling(findings, lead).filter(|finding| finding.rank() < LISTED_RANK);
    let mut sentences = Vec::new();
    for finding in about.clone() {
        if sentences.len() < SENTENCES
            && !is_in_headline(finding, headline, is_undecided, language)
            && let Some(sentence) = language.tell("news", finding)
        {
            sentences.push(sentence);
        }
    }
    let warning = about.clone().find_map(|finding| {
        Some((language.tell("news_caution", finding)?, finding.rank() >= MINOR_RANK))
    });
    let is_minor_caution = warning.as_ref().is_some_and(|(_, is_minor)| *is_minor);
    let caution = warning.map(|(text, _)| text);
    let size = lead.filter(|_| !is_silent(findings, lead));
    let next = about.clone().find_map(|finding| language.tell("news_next", finding));
    let size_of_rounds = || size.and_then(|lead| size_caution(lead, findings, language));
    let mut screen = FirstScreen {
        sentences,
        caution: caution.or_else(size_of_rounds),
        note: findings.iter().find_map(Finding::note).cloned(),
        next: next.or(fallback),
    };
    // What a finding warns of besides is less than what the skill lost or gained.
    if is_minor_caution && screen.words(headline) > MOST_WORDS && screen.sentences.len() > 1 {
        screen.caution = size_of_rounds();
        if screen.words(headline) > MOST_WORDS {
            screen.caution = None;
        }
    }
    if screen.words(headline) > MOST_WORDS {
        screen.sentences.truncate(1);
    }
    if screen.words(headline) > MOST_WORDS {
        screen.caution = None;
    }
    screen
}

fn is_undecided(lead: Option<&Change>) -> bool {
    lead.is_some_and(|lead| lead.gain.undecided().is_some())
}

fn is_silent(findings: &[Finding], lead: Option<&Change>) -> bool {
    is_undecided(lead) || findings.iter().any(Finding::voids)
}

/// A gain that no run shows, or that missing verdicts may undo, is not worth a sentence.
fn worth_telling<'f>(
    findings: &'f [Finding],
    lead: Option<&Change>,
) -> impl Iterator<Item = &'f Finding> + Clone {
    let is_silent = is_silent(findings, lead);
    findings.iter().filter(move |finding| !is_silent || finding.is_about_runs())
}

/// All news of an iteration, a sentence each, without those in `shown`.
pub(crate) fn listed(
    comparisons: &Comparisons<'_>,
    iteration: usize,
    shown: &str,
    language: &Language,
) -> Vec<String> {
    let analysis = comparisons.analysis;
    let Some(after) = analysis.shown_side_of(iteration) else { return Vec::new() };
    let lead = led_by(analysis, &after);
    let mut sentences = Vec::new();
    for finding in worth_telling(&comparisons.news(&after, lead), lead) {
        let warning = || language.tell("news_caution", finding);
        sentences.extend(language.tell("news", finding).or_else(warning));
    }
    sentences.retain(|sentence| !shown.contains(sentence));
    sentences
}

/// Whether the headline has all that a finding is about: its costs, or the verdicts that are missing.
fn is_in_headline(
    finding: &Finding,
    headline: &str,
    is_undecided: bool,
    language: &Language,
) -> bool {
    let Finding::Costs { costs } = finding else {
        return is_undecided && matches!(finding, Finding::NoVerdict { .. });
    };
    let mut texts = costs.iter().filter_map(|cost| language.tell("cost_move", cost));
    texts.all(|text| headline.contains(&text))
}

impl FirstScreen {
    fn words(&self, headline: &str) -> usize {
        let texts = self.sentences.iter().chain(&self.caution).chain(&self.next);
        let words = texts.map(|text| text.split_whitespace().count()).sum::<usize>();
        words + headline.split_whitespace().count()
    }

    /// The note with its file: `The author, in benchmark.json: “…”`
    pub(crate) fn quotation(&self, language: &Language) -> Option<String> {
        let AuthorNote { file, text } = self.note.as_ref()?;
        Some(say!(language, "overview.author_note", file, text))
    }
}

/// `5 cases, one run each: may be chance.`
fn size_caution(lead: &Change, findings: &[Finding], language: &Language) -> Option<String> {
    let gain = &lead.gain;
    let shown = gain.shown()?;
    if gain.verdict().is_settled() {
        return None;
    }
    let has = |is_such: fn(&Finding) -> bool| findings.iter().any(is_such);
    // A round that only repeats says itself what chance does.
    if has(|finding| matches!(finding, Finding::Rerun { .. })) {
        return None;
    }
    let runs = gain.runs.iter().flatten().map(Vec::len).max().unwrap_or(1);
    let cases = language.count(shown.cases, "case");
    let is_one_way = has(|finding| matches!(finding, Finding::RestPasses { is_one_way: true, .. }));
    // A word with "probably" has its doubt already.
    if is_one_way || matches!(gain.verdict(), Verdict::ProbablyBetter | Verdict::ProbablyWorse) {
        return (runs == 1).then(|| say!(language, "overview.one_run_only", cases));
    }
    let is_zero = gain.measure().direction(shown.mean).is_eq();
    let key = match (is_zero, runs) {
        (false, 1) => "overview.one_run_each",
        (false, _) => "overview.few_runs_each",
        (true, 1)
            if has(|finding| {
                matches!(finding, Finding::NoRegression { .. } | Finding::NoDifference { .. })
            }) =>
        {
            "overview.small_unseen"
        }
        (true, _) => return None,
    };
    Some(say!(language, key, cases, runs))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::first_screen;
    use schemars::{Schema, schema_for};
    use serde_json::Value;

    use crate::digest::news::headline::Headline;
    use crate::digest::news::{CheckOfCase, CostMove, Finding};
    use crate::language::Language;
    use crate::language::theme::Theme;

    const FORMATS: [&str; 10] = [
        "",
        "name",
        "text",
        "points",
        "percent",
        "ratio",
        "fewer",
        "factor",
        "names",
        "all cost_move",
    ];

    /// The schema of the variant with this kind; `None` without one.
    fn variant<'s>(schema: &'s Value, kind: &str) -> Option<&'s Value> {
        let kinds = schema["oneOf"].as_array()?;
        kinds.iter().find(|variant| variant["properties"]["kind"]["const"] == kind)
    }

    /// Whether `path` is a field of `schema`, whose references are in `root`.
    fn has_field(root: &Value, schema: &Value, path: &str) -> bool {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        let Some(field) = schema["properties"].get(name) else { return false };
        if rest.is_empty() {
            return true;
        }
        let mut choices: Vec<&Value> = vec![field];
        choices.extend(field["anyOf"].as_array().into_iter().flatten());
        choices.iter().any(|choice| {
            let name = choice["$ref"].as_str().and_then(|path| path.rsplit('/').next());
            name.is_some_and(|name| has_field(root, &root["$defs"][name], rest))
        })
    }

    /// The fields that a text and the conditions of its key name, and the formats.
    fn names<'t>(key: &'t str, text: &'t str) -> (BTreeSet<&'t str>, BTreeSet<&'t str>) {
        let (mut fields, mut formats) = (BTreeSet::new(), BTreeSet::new());
        for place in text.split('{').skip(1) {
            let place = place.split('}').next().unwrap_or_default();
            let (field, format) = place.split_once('|').unwrap_or((place, ""));
            fields.insert(field);
            formats.insert(format);
        }
        let conditions = key.split_once('?').map_or("", |(_, conditions)| conditions);
        for condition in conditions.split('&').filter(|condition| !condition.is_empty()) {
            let left = condition.split(" = ").next().unwrap_or_default();
            fields.insert(left.trim().trim_start_matches('!'));
        }
        (fields, formats)
    }

    #[test]
    fn a_screen_has_at_most_sixty_words() {
        let check = "The answer names every buoy of the chart ".repeat(9);
        let case = "buoy chart of the northern harbour ".repeat(9);
        let first = CheckOfCase { check: check.clone(), case: case.clone() };
        let iteration = case.clone();
        let findings = [
            Finding::Worse {
                checks: 12,
                is_earlier: true,
                is_minor: false,
                other: "old_skill".to_owned(),
                is_within: true,
                first: first.clone(),
                has_answers: true,
            },
            Finding::Since {
                iteration: iteration.clone(),
                lost: 12,
                repaired: 3,
                unsteady: 0,
                checks: 44,
                other: None,
                first_lost: Some(first),
                side: None,
                earlier: None,
            },
            Finding::RulerMoved { side: iteration },
            Finding::FailsOnBoth {
                checks: 3,
                check,
                cases: 3,
                is_minor: false,
                never_passes: false,
            },
        ];
        let (headline, language) =
            ("Helps, but the last change lost 12 checks", Language::default());
        let screen = first_screen(&findings, None, headline, None, &language);
        let texts = screen.sentences.iter().chain(&screen.caution).chain(&screen.next);
        let words: usize = texts.map(|text| text.split_whitespace().count()).sum();
        assert!(!screen.sentences.is_empty() && screen.next.is_some());
        assert!(words + headline.split_whitespace().count() <= 60, "{screen:?}");
    }

    #[test]
    fn messages_name_fields_that_their_findings_have() {
        let finding: Value = Schema::into(schema_for!(Finding));
        let headline: Value = Schema::into(schema_for!(Headline));
        let cost: Value = Schema::into(schema_for!(CostMove));
        let sections = [
            ("news", &finding),
            ("news_caution", &finding),
            ("news_next", &finding),
            ("headline", &headline),
            ("cost_move", &cost),
        ];
        for tag in crate::language::LANGUAGES {
            let language = Language::new(tag, &Theme::default()).unwrap();
            for (section, root) in sections {
                for (key, text) in language.table()[section].as_object().unwrap() {
                    let kind = key.split('?').next().unwrap_or_default();
                    let schema =
                        if section == "cost_move" { Some(root) } else { variant(root, kind) };
                    let schema = schema.unwrap_or_else(|| panic!("no `{kind}` in `{section}`"));
                    let (fields, formats) = names(key, text.as_str().unwrap());
                    for field in fields {
                        assert!(has_field(root, schema, field), "`{section}.{key}`: `{field}`");
                    }
                    for format in formats {
                        let is_count = language.table()["count"].get(format).is_some();
                        assert!(
                            is_count || FORMATS.contains(&format),
                            "`{section}.{key}`: `{format}`"
                        );
                    }
                }
            }
        }
    }
}
