//! What is below the outputs: costs, claims, notes, comments.

use serde::Serialize;

use crate::analyze::Side;
use crate::model::Run;
use crate::preview::markup::Safe;
use crate::render::context::{
    DASH, Link, Rows, link,
    view::{claims, figures, notes},
};
use crate::render::html::feedback::{self, Earlier, RunComment, comments_on, comments_on_run};
use crate::render::html::files::user_notes;
use crate::render::html::review::place::Place;

/// Bytes of markup that the agent's notes of one side take.
const MAX_NOTES: usize = 16 * 1024;

#[derive(Serialize)]
pub(super) struct Rest {
    /// Name of each figure, with its value on both sides, the candidate first.
    costs: Vec<[String; 3]>,
    costs_short: String,
    sides: [RestOfSide; 2],
    earlier: Option<Earlier>,
    transcripts: Vec<Link>,
}

#[derive(Serialize)]
struct RestOfSide {
    name: String,
    run_id: String,
    claims: Rows<[String; 3]>,
    notes: Vec<[String; 2]>,
    user_notes: Vec<Safe>,
    comments: Rows<RunComment>,
}

impl Rest {
    pub(super) fn new(place: &Place<'_>, path: &str, names: &[String; 2]) -> Self {
        let site = place.site;
        let [ours, theirs] =
            place.sides().map(|(_, run)| figures(&run.metrics, site.part.settings, site.language));
        let value = |rows: &[[String; 2]], name: &String| {
            let found = rows.iter().find(|row| row[0] == *name);
            found.map_or(DASH.to_owned(), |row| row[1].clone())
        };
        let only_theirs =
            theirs.iter().filter(|[name, _]| ours.iter().all(|[known, _]| known != name));
        let names_of = ours.iter().chain(only_theirs).map(|[name, _]| name);
        let costs: Vec<[String; 3]> =
            names_of.map(|name| [name.clone(), value(&ours, name), value(&theirs, name)]).collect();
        let short = ["cost.time", "cost.tokens"].map(|key| site.language.text(key));
        let costs_short: Vec<String> = costs
            .iter()
            .filter(|row| short.contains(&row[0].as_str()))
            .map(|row| site.language.fill("review.versus", &[("a", &row[1]), ("b", &row[2])]))
            .collect();
        let transcript = |(name, (side, run)): (&String, (&Side, &Run))| {
            let page = site.addresses.run(side.iteration, place.line, run);
            let run_name = site.language.fill("diff.run", &[("number", &run.number)]);
            let text = format!("{name}{}{run_name}", site.language.text("list.comma"));
            run.transcript.as_ref()?;
            Some(Link::new(format!("{}#transcript", link(path, &page)), text))
        };
        Self {
            costs_short: costs_short.join(site.language.text("list.comma")),
            costs,
            transcripts: names.iter().zip(place.sides()).filter_map(transcript).collect(),
            earlier: feedback::earlier(site, path, place.line, place.pair.after.iteration),
            sides: [0, 1].map(|at| of_side(place, at, names)),
        }
    }
}

fn of_side(place: &Place<'_>, at: usize, names: &[String; 2]) -> RestOfSide {
    let site = place.site;
    let (side, run) = place.sides()[at];
    let found = place.index(side, run);
    // A comment on the case as a whole is shown once.
    let is_again = at == 1 && place.pair.before.is_within_iteration(&place.pair.after);
    let comments = if is_again { comments_on_run } else { comments_on };
    RestOfSide {
        name: names[at].clone(),
        run_id: place.run_id(side, run),
        notes: notes(&run.notes, site.language),
        user_notes: user_notes(site, run, MAX_NOTES).0,
        claims: run.grading().map(|found| claims(found, site.language)).unwrap_or_default(),
        comments: found.map(|found| comments(site, side.iteration, found)).unwrap_or_default(),
    }
}
