//! The part below the outputs: costs, claims, notes, comments.

use serde_json::{Value, json};

use crate::analyze::Side;
use crate::model::Run;
use crate::render::context::{
    DASH, Link, Page,
    view::{claims, figures, notes},
};
use crate::render::html::feedback::{self, comment, comments_on};
use crate::render::html::files::user_notes;
use crate::render::html::review::page::ReviewPage;

pub(super) fn rest(review: &ReviewPage<'_>, page: &Page<'_>, names: &[String; 2]) -> Value {
    let context = review.context;
    let [ours, theirs] = review
        .sides()
        .map(|(_, run)| figures(&run.metrics, context.part.settings, context.language));
    let value = |rows: &[[String; 2]], name: &String| {
        let row = rows.iter().find(|row| row[0] == *name);
        row.map_or(DASH.to_owned(), |row| row[1].clone())
    };
    let only_theirs = theirs.iter().filter(|[name, _]| ours.iter().all(|[known, _]| known != name));
    let cost_names = ours.iter().chain(only_theirs).map(|[name, _]| name);
    let costs: Vec<[String; 3]> =
        cost_names.map(|name| [name.clone(), value(&ours, name), value(&theirs, name)]).collect();
    let short = ["cost.time", "cost.tokens"].map(|key| context.language.text(key));
    let costs_short = costs
        .iter()
        .filter(|row| short.contains(&row[0].as_str()))
        .map(|row| context.language.fill("review.versus", &[("a", &row[1]), ("b", &row[2])]));
    let transcript = |(name, (side, run)): (&String, (&Side, &Run))| {
        let to = page.to_run(side.iteration, review.line, run);
        let run_name = context.language.fill("diff.run", &[("number", &run.number)]);
        let text = context.language.list([name, &run_name].map(String::as_str));
        run.transcript.as_ref()?;
        Some(Link::new(format!("{to}#transcript"), text))
    };
    let transcripts: Vec<Link> = names.iter().zip(review.sides()).filter_map(transcript).collect();
    // A comment on the whole case is shown once.
    let is_shared = review.pair.before.is_within_iteration(&review.pair.after);
    let side_view = |at: usize| {
        let (side, run) = review.sides()[at];
        let comments = |(case, run): (usize, usize)| {
            if at == 1 && is_shared {
                context.shared.reviews[side.iteration].on_run(case, run).map(comment).collect()
            } else {
                comments_on(context, side.iteration, (case, run))
            }
        };
        json!({
            "name": names[at],
            "run_id": review.run_id(side, run),
            "notes": notes(&run.notes, context.language),
            "user_notes": user_notes(context, run).0,
            "claims": run.grading().map(|found| claims(found, context.language)).unwrap_or_default(),
            "comments": review.index(side, run).map(comments).unwrap_or_default(),
        })
    };
    let sides = [0, 1].map(side_view);
    json!({
        "costs_short": context.language.list(costs_short),
        "costs": costs,
        "transcripts": transcripts,
        "earlier": feedback::earlier(page, review.line, review.pair.after.iteration),
        "sides": sides,
    })
}
