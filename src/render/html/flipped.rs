//! The expectations whose outcome changed between two sides, and those that fail on both, with the
//! evidence of both.

use std::collections::BTreeMap;
use std::fmt::Display;

use crate::analyze::{CaseLine, Fate, Flip, Flips, Said, Side, Verdicts};
use crate::model::{Outcome, Tally};
use crate::preview::markup::{Markup, Safe};
use crate::render::context::link;
use crate::render::html::{Site, review::RunPages, wording};
use crate::render::text::flips::fate;

/// Bytes of the shortest item.
const SHORTEST: usize = 60;

/// Two sides whose expectations are told on the page at `path`.
pub(super) struct Flipped<'a> {
    /// The workspace and its words.
    pub(super) site: Site<'a>,
    /// The page.
    pub(super) path: &'a str,
    /// The lines that the flips count from.
    pub(super) lines: &'a [CaseLine],
    /// The older and the newer side.
    pub(super) sides: [&'a Side; 2],
}

impl Flipped<'_> {
    /// Those of one fate, within `room` bytes.
    pub(super) fn of_fate(&self, flips: &Flips<'_>, fate: Fate, room: usize) -> Safe {
        let unlisted = if fate == Fate::StillFailing { "still_unlisted" } else { "flip_unlisted" };
        self.items(flips.iter().filter(|flip| flip.fate == fate), room, unlisted)
    }

    /// Whether both sides are of one iteration, where nothing was broken or mended.
    fn is_beside(&self) -> bool {
        self.sides[0].is_beside(self.sides[1])
    }

    /// The list items of `flips` within `room` bytes; what finds no room is counted as `unlisted_as`.
    fn items<'f>(
        &self,
        flips: impl Iterator<Item = &'f Flip<'f>>,
        room: usize,
        unlisted_as: &str,
    ) -> Safe {
        let mut out = Markup::default();
        let (most, mut unlisted) = ((room / 8).clamp(120, 2_000), 0);
        let flips: Vec<&Flip<'_>> = flips.collect();
        let listed = &flips[..flips.len().min(room / SHORTEST)];
        let verdicts = verdicts_by_line(self.site, self.sides, listed);
        let mut lines = BTreeMap::new();
        for flip in &flips {
            let Some(verdicts) = verdicts.get(&flip.line).filter(|_| out.len() < room) else {
                unlisted += 1;
                continue;
            };
            let known = || RunPages::between(self.site, flip.line, self.sides);
            let pages = lines.entry(flip.line).or_insert_with(known);
            let html = self.item(flip, verdicts, pages, most);
            if out.len() + html.as_str().len() > room {
                unlisted += 1;
                continue;
            }
            out.safe(&html);
        }
        if unlisted > 0 {
            let text = self.site.language.count(unlisted, unlisted_as);
            out.wrap("<li class=\"counts\">", &text, "</li>");
        }
        out.finish()
    }

    fn item(
        &self,
        flip: &Flip,
        verdicts: &Verdicts<'_>,
        pages: &RunPages<'_>,
        most: usize,
    ) -> Safe {
        let [from, to] = match flip.fate {
            Fate::Regressed => [Outcome::Passed, Outcome::Failed],
            Fate::StillFailing => [Outcome::Failed, Outcome::Failed],
            _ => [Outcome::Failed, Outcome::Passed],
        };
        let mut out = Markup::default();
        out.raw(match to {
            Outcome::Failed => "<li class=\"failed\"><p>",
            _ => "<li class=\"passed\"><p>",
        });
        let key = fate(flip, self.is_beside()).unwrap_or("diff.fixed");
        out.wrap("<span class=\"word\">", self.site.language.text(key), "</span> ");
        self.case(flip, &mut out);
        let place = pages.flip(self.path, flip);
        if let Some(place) = &place {
            out.raw("<a href=\"").text(place).raw("\">");
        }
        match wording::reworded(flip, most) {
            Some(text) => {
                let word = self.site.language.text("diff.reworded");
                out.safe(&text).wrap(" <span class=\"counts\">", word, "</span>");
            }
            None => {
                out.text(cut(flip.text, most));
            }
        }
        out.raw(if place.is_some() { "</a>" } else { "" });
        let counts = |tally: Tally| format!("{}/{}", tally.passed, tally.graded());
        let counts = format!("{} → {}", counts(flip.before), counts(flip.after));
        out.wrap(" <span class=\"counts\">", &counts, "</span></p>");
        let said = verdicts.on(flip);
        for ((side, said), wanted) in self.sides.into_iter().zip(said).zip([from, to]) {
            let of_outcome = || said.iter().filter(|it| it.outcome == wanted);
            let found = of_outcome().find(|it| it.evidence.is_some());
            if let Some(found) = found.or_else(|| of_outcome().next()) {
                self.evidence(side, found, most, &mut out);
            }
        }
        out.raw("</li>");
        out.finish()
    }

    fn case(&self, flip: &Flip, out: &mut Markup) {
        let to = link(self.path, &self.site.addresses.case(flip.line));
        out.raw("<a href=\"").text(&to).raw("\">").text(&self.lines[flip.line].name).raw("</a> ");
    }

    fn evidence(&self, side: &Side, said: &Said<'_>, most: usize, out: &mut Markup) {
        let words = self.site.language;
        let iteration = &self.site.part.workspace.iterations[side.iteration].name;
        let key = format!("outcome.{}", said.outcome.word());
        let outcome = words.text(&key);
        let values: [(&str, &dyn Display); 4] = [
            ("iteration", iteration),
            ("configuration", &side.configuration),
            ("run", &said.run),
            ("outcome", &outcome),
        ];
        let who = words.fill("diff.said", &values);
        out.wrap("<p class=\"evidence\"><span class=\"word\">", &who, "</span> ");
        out.text(cut(said.evidence.unwrap_or_default(), most)).raw("</p>");
    }
}

/// What the runs of `sides` say of `flips`, by the line of the case.
pub(super) fn verdicts_by_line<'a>(
    site: Site<'a>,
    sides: [&Side; 2],
    flips: &[&Flip<'a>],
) -> BTreeMap<usize, Verdicts<'a>> {
    let mut by_line: BTreeMap<usize, Vec<&Flip<'a>>> = BTreeMap::new();
    for flip in flips {
        by_line.entry(flip.line).or_default().push(flip);
    }
    let of_line = |(line, flips): (usize, Vec<&Flip<'a>>)| {
        let case = &site.part.analysis.lines[line];
        (line, Verdicts::of(site.part.workspace, case, sides, &flips))
    };
    by_line.into_iter().map(of_line).collect()
}

/// At most `most` bytes of `text`.
fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
