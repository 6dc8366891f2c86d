//! What is below the outputs: costs, claims, notes, comments.

use serde_json::{Value, json};

use crate::analyze::Side;
use crate::model::Run;
use crate::render::context::{
    DASH, Link, Page,
    view::{claims, figures, notes},
};
use crate::render::html::feedback::{self, comment, comments_on};
use crate::render::html::files::user_notes;
use crate::render::html::review::place::ReviewPlace;

/// Bytes of markup that the agent's notes of one side take.
const MAX_NOTES: usize = 16 * 1024;

pub(super) fn rest(place: &ReviewPlace<'_>, page: &Page<'_>, names: &[String; 2]) -> Value {
    let site = place.site;
    let [ours, theirs] =
        place.sides().map(|(_, run)| figures(&run.metrics, site.part.settings, site.language));
    let value = |rows: &[[String; 2]], name: &String| {
        let found = rows.iter().find(|row| row[0] == *name);
        found.map_or(DASH.to_owned(), |row| row[1].clone())
    };
    let only_theirs = theirs.iter().filter(|[name, _]| ours.iter().all(|[known, _]| known != name));
    let names_of = ours.iter().chain(only_theirs).map(|[name, _]| name);
    let costs: Vec<[String; 3]> =
        names_of.map(|name| [name.clone(), value(&ours, name), value(&theirs, name)]).collect();
    let short = ["cost.time", "cost.tokens"].map(|key| site.language.text(key));
    let costs_short = costs
        .iter()
        .filter(|row| short.contains(&row[0].as_str()))
        .map(|row| site.language.fill("review.versus", &[("a", &row[1]), ("b", &row[2])]));
    let transcript = |(name, (side, run)): (&String, (&Side, &Run))| {
        let to = page.to_run(side.iteration, place.line, run);
        let run_name = site.language.fill("diff.run", &[("number", &run.number)]);
        let text = site.language.list([name, &run_name].map(String::as_str));
        run.transcript.as_ref()?;
        Some(Link::new(format!("{to}#transcript"), text))
    };
    let transcripts: Vec<Link> = names.iter().zip(place.sides()).filter_map(transcript).collect();
    // A comment on the case as a whole is shown once.
    let is_shared = place.pair.before.is_within_iteration(&place.pair.after);
    let for_side = |at: usize| {
        let (side, run) = place.sides()[at];
        let comments = |(case, run): (usize, usize)| match at == 1 && is_shared {
            true => site.facts.reviews[side.iteration].on_run(case, run).map(comment).collect(),
            false => comments_on(site, side.iteration, (case, run)),
        };
        json!({
            "name": names[at],
            "run_id": place.run_id(side, run),
            "notes": notes(&run.notes, site.language),
            "user_notes": user_notes(site, run, MAX_NOTES).0,
            "claims": run.grading().map(|found| claims(found, site.language)).unwrap_or_default(),
            "comments": place.index(side, run).map(comments).unwrap_or_default(),
        })
    };
    let sides = [0, 1].map(for_side);
    json!({
        "costs_short": site.language.list(costs_short),
        "costs": costs,
        "transcripts": transcripts,
        "earlier": feedback::earlier(page, place.line, place.pair.after.iteration),
        "sides": sides,
    })
}
