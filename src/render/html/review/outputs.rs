//! The output files of two runs: rendered, as they changed, and as they are.
//!
//! The files share the room of the page in their order: what changed comes first, then both
//! previews, then both sources. A file that finds no room is named, with a link to its run.

use std::cell::Cell;

use serde::Serialize;

use crate::difference::budget;
use crate::difference::{
    ComparedFile, DiffContext, FileChange, FileChanges, FileReader, FileState, outcome,
};
use crate::model::Output;
use crate::preview::compared::StoredName;
use crate::preview::markup::Safe;
use crate::preview::{self, Preview, PreviewBudget};
use crate::render::context::Page;
use crate::render::html::files;
use crate::render::html::review::place::ReviewPlace;
use crate::text::printable;

/// Files of a pair that are shown.
const MAX_FILES: usize = 150;

/// Bytes kept for each later file, and those below which a file is only named.
const LATER: usize = 700;
const LEAST: usize = 1_000;

#[derive(Default, Serialize)]
pub(super) struct FileView {
    anchor: String,
    name: String,
    kind: String,
    /// What became of it where that is not a change in it.
    note: String,
    panes: Vec<Pane>,
    /// What changed, in short and in full; nothing where both panes say it.
    remarks: String,
    has_change: bool,
    change: Safe,
    /// Whether what changed is best seen in both renderings, as in pages of HTML.
    keeps_panes: bool,
}

impl FileView {
    pub(super) fn previews(&self) -> impl Iterator<Item = &Preview> {
        self.panes.iter().map(|pane| &pane.output)
    }
}

#[derive(Serialize)]
struct Pane {
    class: &'static str,
    output: Preview,
    /// Whether its text found no room.
    is_source_left_out: bool,
}

struct ReviewOutputs<'w> {
    place: &'w ReviewPlace<'w>,
    names: &'w [String; 2],
    page: &'w Page<'w>,
    pictures: Cell<usize>,
    /// Bytes of markup that the page still has room for.
    left: usize,
}

/// The first files of both runs, and how many there are besides.
pub(super) fn files(
    place: &ReviewPlace<'_>,
    page: &Page<'_>,
    names: &[String; 2],
) -> (Vec<FileView>, usize) {
    let site = place.site;
    let reader = FileReader { source: site.part.source, prefix: site.part.prefix };
    let mut changes =
        FileChanges::new(&place.runs.before.outputs, &place.runs.after.outputs, reader);
    let is_newest = site.part.analysis.newest_run() == Some(place.pair.after.iteration);
    let room = site.rooms[usize::from(!is_newest)];
    let mut work = ReviewOutputs { place, names, page, pictures: Cell::new(0), left: room };
    let mut views = Vec::new();
    while let Some(mut change) = changes.next().filter(|_| views.len() < MAX_FILES) {
        changes.read_alone(&mut change);
        let view = work.view(&change, views.len(), changes.waiting());
        views.push(view);
    }
    let mut left = work.left;

    for pane in views.iter_mut().flat_map(|view: &mut FileView| &mut view.panes) {
        let bytes = pane.output.source.as_str().len();
        pane.is_source_left_out = bytes > left;
        match pane.is_source_left_out {
            true => pane.output.source = Safe::default(),
            false => left -= bytes,
        }
    }
    let all = views.len() + changes.waiting();
    (views, all.saturating_sub(MAX_FILES))
}

impl ReviewOutputs<'_> {
    fn view(&mut self, change: &FileChange<'_>, at: usize, waiting: usize) -> FileView {
        let words = self.place.site.language;
        let later = (LATER * waiting).min(self.left / 2);
        let mut room = self.left - later;
        let mut view = FileView {
            anchor: format!("f{}", at + 1),
            name: printable(change.name()),
            note: self.note(change),
            ..FileView::default()
        };
        if change.state == FileState::Unread {
            return view;
        }
        let has_room = room >= LEAST;
        if !has_room {
            view.note = words.text("review.no_room").to_owned();
        }
        if change.state == FileState::Changed && has_room {
            let href = |stored: &StoredName, _: &[u8]| self.page.link(&stored.address());
            let sides = [self.names[1].as_str(), self.names[0].as_str()];
            let (source, pictures) = (self.page.part.source, &self.pictures);
            let tools = DiffContext { words, source, sides, href: &href, pictures };
            let ComparedFile { remarks, html } = outcome(change, &tools, budget::for_change(room));
            room = room.saturating_sub(html.as_str().len());
            self.left = self.left.saturating_sub(html.as_str().len());
            (view.remarks, view.change) = (words.list(remarks), html);
            view.has_change = true;
        }
        let panes: &[(&'static str, bool)] = match change.state {
            FileState::Changed => &[("candidate", true), ("baseline", false)],
            FileState::Added => &[("candidate", true)],
            FileState::Removed => &[("baseline", false)],
            _ => &[("both", true)],
        };
        for (number, (class, is_new)) in panes.iter().enumerate() {
            let share = room / (panes.len() - number);
            let Some(mut output) = self.preview(change, *is_new, share) else { continue };
            if !has_room {
                let Preview { name, size, href, kind, is_document, .. } = output;
                output = Preview { name, size, href, kind, is_document, ..Preview::default() };
            }
            room = room.saturating_sub(output.html.as_str().len());
            self.left = self.left.saturating_sub(output.html.as_str().len());
            view.kind.clone_from(&output.kind);
            view.panes.push(Pane { class, output, is_source_left_out: false });
        }
        view.keeps_panes =
            view.change.as_str().is_empty() || view.panes.iter().any(|pane| pane.output.has_frame);
        view
    }

    fn note(&self, change: &FileChange<'_>) -> String {
        let words = self.place.site.language;
        let only = |at: usize| words.fill("review.only", &[("side", &self.names[at])]);
        match change.state {
            FileState::Changed => String::new(),
            FileState::Added => only(0),
            FileState::Removed => only(1),
            FileState::Same => words.text("review.same_bytes").to_owned(),
            FileState::Renamed => {
                let from = printable(change.old.map_or("", |output| &output.name));
                words.fill("diff.renamed", &[("from", &from)])
            }
            FileState::Unread => words.text("diff.unread").to_owned(),
        }
    }

    fn preview(&self, change: &FileChange<'_>, is_new: bool, room: usize) -> Option<Preview> {
        let (output, content): (Option<&Output>, &[u8]) = match is_new {
            true => (change.new, &change.new_content),
            false => (change.old, &change.old_content),
        };
        let output = output?;
        let place = files::place(self.page, PreviewBudget::new(room, 1));
        Some(match change.state {
            FileState::Renamed => {
                preview::store_and_show(output, preview::FileRole::Output, &place)
            }
            _ => preview::show_content(output, content, &place),
        })
    }
}
