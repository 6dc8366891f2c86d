//! The landing page of a report of several workspaces.

use std::cmp::Reverse;

use serde::Serialize;

use crate::analyze::{Change, Fate, Side, Verdict};
use crate::model::Tally;
use crate::render::addresses::{Addresses, PartAddresses};
use crate::render::how;
use crate::render::html::frame;
use crate::render::language::Language;
use crate::render::standing::Standings;
use crate::render::templates::Templates;
use crate::render::verdict;
use crate::render::view::{DASH, Frame, Link, Rate};
use crate::render::{Part, Task};
use crate::statistics::Standing;

#[derive(Serialize)]
struct Landing {
    frame: Frame,
    workspaces: Vec<Row>,
    how: Vec<&'static str>,
}

#[derive(Serialize)]
struct Row {
    link: Link,
    path: String,
    /// Why there is no gain to show, or empty.
    remark: String,
    /// The gain of the change that stands for the workspace.
    gain: Link,
    /// The candidate and what it is held against.
    sides: [SideCell; 2],
    /// What regressed and what was fixed since the iteration before.
    flips: Link,
    /// `regressed` where anything did, else empty.
    status: &'static str,
    newest: Link,
    iterations: String,
    problems: Link,
}

#[derive(Serialize)]
struct SideCell {
    rate: Rate,
    name: String,
}

/// Adds the landing page, when there is more than one workspace.
pub(in crate::render) fn landing<'a>(
    parts: &'a [Part<'a>],
    (addresses, standings): (&'a Addresses, &'a [Vec<Standings>]),
    language: &'a Language,
    templates: &'a Templates,
    tasks: &mut Vec<Task<'a>>,
) {
    if parts.len() < 2 {
        return;
    }
    let path = "index.html".to_owned();
    let render = move || {
        let each = parts.iter().zip(standings).enumerate();
        let mut found: Vec<Found<'_>> = each
            .map(|(index, (part, standings))| {
                Found::of(part, addresses.part(index), standings, language)
            })
            .collect();
        // Stable: what is alike stays in the order given.
        found.sort_by_key(Found::rank);
        let changes = found.iter().filter_map(|it| it.lead);
        let view = Landing {
            frame: frame("index.html", language.text("landing.title"), &[]),
            how: how::of_changes(changes, language),
            workspaces: found.iter().map(Found::row).collect(),
        };
        templates.fill("landing.html", "index.html", &view)
    };
    tasks.push(Task { path, render: Box::new(render) });
}

/// One workspace with what its row is made of.
struct Found<'a> {
    part: &'a Part<'a>,
    addresses: &'a PartAddresses,
    language: &'a Language,
    /// The newest candidate that has verdicts.
    after: Option<Side>,
    /// The change that stands for it.
    lead: Option<&'a Change>,
    /// How many expectations lost and gained passes since the iteration before.
    flips: Option<[usize; 2]>,
}

impl<'a> Found<'a> {
    fn of(
        part: &'a Part<'a>,
        addresses: &'a PartAddresses,
        standings: &'a [Standings],
        language: &'a Language,
    ) -> Self {
        let after = part.analysis.newest_candidate();
        let lead = after.as_ref().and_then(|after| part.analysis.lead(after));
        let newest = after.as_ref().map(|after| &standings[after.iteration]);
        let since = newest.filter(|it| it.before.is_some());
        let flips = since.map(|it| {
            let of = |fate| it.flips.iter().filter(|flip| flip.fate == fate).count();
            [of(Fate::Regressed), of(Fate::Fixed)]
        });
        Self { part, addresses, language, after, lead, flips }
    }

    /// What got worse first: settled, then leaning, then by what regressed.
    fn rank(&self) -> (u8, Reverse<usize>) {
        let verdict = match self.lead.map(|lead| lead.gain.verdict()) {
            Some(Verdict::Worse(Standing::Settled)) => 0,
            Some(Verdict::Worse(_)) => 1,
            _ => 2,
        };
        (verdict, Reverse(self.flips.map_or(0, |[lost, _]| lost)))
    }

    fn row(&self) -> Row {
        let (workspace, language) = (self.part.workspace, self.language);
        let to = |href: String, text: String| Link { href, text };
        let totals = workspace.totals();
        let iterations = language.count(totals.iterations, "iteration");
        let title = self.part.title().to_owned();
        let is_named = workspace.name != title;
        let problems = language.count(workspace.problems.len(), "problem");
        Row {
            link: to(self.addresses.overview(), title),
            path: if is_named { workspace.name.clone() } else { String::new() },
            remark: self.remark(),
            gain: self.gain(),
            sides: self.sides(),
            flips: self.flips(),
            status: if self.flips.is_some_and(|[lost, _]| lost > 0) { "regressed" } else { "" },
            newest: self.newest(),
            iterations: language.fill("landing.of_iterations", &[("iterations", &iterations)]),
            problems: to(self.addresses.problems(), problems),
        }
    }

    fn remark(&self) -> String {
        let key = match (&self.after, self.lead) {
            (None, _) => "landing.nothing_graded",
            (Some(_), None) => "landing.alone",
            (Some(_), Some(lead)) if lead.gain.paired.is_none() => "landing.nothing_shared",
            (Some(_), Some(_)) => return String::new(),
        };
        self.language.text(key).to_owned()
    }

    fn gain(&self) -> Link {
        let text = self.lead.and_then(|lead| verdict::cell(&lead.gain, self.language));
        match text.zip(self.after.as_ref()) {
            Some((text, after)) => Link { href: self.addresses.iteration(after.iteration), text },
            None => dash(),
        }
    }

    /// All verdicts of both sides, with their names.
    fn sides(&self) -> [SideCell; 2] {
        let before = self.lead.map(|lead| &lead.before);
        [self.after.as_ref(), before].map(|side| {
            let tally = side.map_or_else(Tally::default, |side| {
                let of = &self.part.analysis.iterations[side.iteration];
                of.configuration(&side.configuration).map(|it| it.tally).unwrap_or_default()
            });
            let is_elsewhere =
                side.zip(self.after.as_ref()).is_some_and(|(a, b)| a.iteration != b.iteration);
            let name = side.map(|side| match is_elsewhere {
                true => verdict::side(self.part.workspace, side, self.language),
                false => side.configuration.clone(),
            });
            SideCell { rate: Rate::of(tally, self.language), name: name.unwrap_or_default() }
        })
    }

    fn flips(&self) -> Link {
        let Some([lost, gained]) = self.flips else {
            return dash();
        };
        let lost = self.language.count(lost, "regressed");
        let gained = self.language.count(gained, "fixed");
        Link {
            href: format!("{}#since-previous", self.addresses.overview()),
            text: self
                .language
                .fill("landing.lost_and_gained", &[("lost", &lost), ("gained", &gained)]),
        }
    }

    fn newest(&self) -> Link {
        let Some(after) = &self.after else {
            return dash();
        };
        let name = &self.part.workspace.iterations[after.iteration].name;
        Link { href: self.addresses.iteration(after.iteration), text: name.clone() }
    }
}

fn dash() -> Link {
    Link { href: String::new(), text: DASH.to_owned() }
}
