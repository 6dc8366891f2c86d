//! The output files of two runs: rendered, as differences, and as source.
//!
//! The files share the room of the page in order: both previews first, then both sources. A file that does
//! not fit is named, with a link to its run.

use std::cell::Cell;

use serde::Serialize;

use crate::budget::{COMPARED_FILES, LATER_PREVIEW};
use crate::diff_view::room as diff_room;
use crate::diff_view::{
    AlignedRow, ComparedFile, DiffContext, FileChange, FileChanges, FileReader, FileState, outcome,
    rendered,
};
use crate::language::say;
use crate::preview::compared::StoredName;
use crate::preview::evidence::Quotations;
use crate::preview::markup::Safe;
use crate::preview::{self, FileRole, Preview, PreviewContext, PreviewRoom};
use crate::render::context::Page;
use crate::render::html::files;
use crate::render::html::quotation_links::Marks;
use crate::render::html::review::page::ReviewPage;
use input::model::Output;
use text::printable;

/// With less room than this a file is only named.
const LEAST: usize = 1_000;

/// A file that only one side wrote folds beyond this many lines: there is nothing to compare it with.
const LONG_ALONE: usize = 60;

#[derive(Default, Serialize)]
pub(super) struct FileView {
    anchor: String,
    name: String,
    kind: String,
    /// The state of the file, unless it changed.
    note: String,
    panes: Vec<Pane>,
    /// Both renderings aligned with each other, with marks of change.
    aligned: Vec<AlignedRow>,
    /// Remarks on the change.
    remarks: String,
    /// What changed by line, or two pictures over each other.
    change: Safe,
    /// Whether `change` shows what the panes would show, and more: two pictures.
    is_picture: bool,
    /// What a reader opens to see a long file that only one side wrote; empty for a file that shows.
    fold: String,
    #[serde(skip)]
    is_equal: bool,
}

impl FileView {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn has_marks(&self) -> bool {
        !self.aligned.is_empty()
    }

    /// Whether its change is shown by line, in a view of its own.
    pub(super) fn has_lines(&self) -> bool {
        !self.change.as_str().is_empty() && !self.is_picture
    }

    pub(super) fn previews(&self) -> impl Iterator<Item = &Preview> {
        self.panes.iter().map(|pane| &pane.output)
    }
}

#[derive(Serialize)]
struct Pane {
    class: &'static str,
    output: Preview,
    /// Whether its source did not fit.
    is_source_left_out: bool,
}

/// The files of a pair as a page shows them.
pub(super) struct ReviewFiles {
    pub(super) files: Vec<FileView>,
    /// Those that both sides wrote alike.
    pub(super) equal: Vec<FileView>,
    /// Number of files beyond these.
    pub(super) more: usize,
    /// Where the quotations of each side are marked.
    pub(super) marks: [Marks; 2],
}

struct ReviewOutputs<'w> {
    is_alone: bool,
    names: &'w [String; 2],
    page: &'w Page<'w>,
    pictures: Cell<usize>,
    /// Remaining bytes of markup on the page.
    left: usize,
    /// What graders quote of each side.
    quotations: [Quotations<'w>; 2],
    marks: [Marks; 2],
}

/// The first files of both runs.
pub(super) fn files(review: &ReviewPage<'_>, page: &Page<'_>, names: &[String; 2]) -> ReviewFiles {
    let context = review.context;
    let reader = FileReader { source: context.part.source, prefix: context.part.prefix };
    let quoted = review.quoted_for_failures();
    // What a failed check speaks of is what a reader comes for.
    let mut changes =
        FileChanges::new(&review.runs.before.outputs, &review.runs.after.outputs, reader)
            .paired_by_type()
            .with_first(|output| quoted.contains(output.name.as_str()));
    let is_newest = context.part.analysis.newest_run() == Some(review.pair.after.iteration);
    let room = context.rooms[usize::from(!is_newest)];
    let mut work = ReviewOutputs {
        names,
        page,
        pictures: Cell::new(0),
        left: room,
        is_alone: review.is_alone(),
        quotations: review.sides().map(|(side, run)| review.quotations(side, run)),
        marks: Default::default(),
    };
    let mut views = Vec::new();
    while let Some(mut change) = changes.next().filter(|_| views.len() < COMPARED_FILES) {
        changes.read_alone(&mut change);
        let view = work.view(&change, views.len(), changes.waiting());
        views.push(view);
    }
    let mut left = work.left;
    for pane in views.iter_mut().flat_map(|view| &mut view.panes) {
        let bytes = pane.output.source.as_str().len();
        pane.is_source_left_out = bytes > left;
        if pane.is_source_left_out {
            pane.output.source = Safe::default();
        } else {
            left -= bytes;
        }
    }
    let total = views.len() + changes.waiting();
    let (equal, files) = views.into_iter().partition(|view| view.is_equal && !work.is_alone);
    ReviewFiles { files, equal, more: total.saturating_sub(COMPARED_FILES), marks: work.marks }
}

impl ReviewOutputs<'_> {
    fn view(&mut self, change: &FileChange<'_>, at: usize, waiting: usize) -> FileView {
        let mut view = FileView {
            anchor: format!("f{}", at + 1),
            name: printable(change.name()),
            note: self.note(change),
            is_equal: matches!(change.state, FileState::Same | FileState::Renamed),
            fold: self.fold(change),
            ..FileView::default()
        };
        if change.state == FileState::Unread {
            return view;
        }
        // Later files get a part of the room, so that one large file does not hide the others.
        let later = (LATER_PREVIEW * waiting).min(self.left / 2);
        let mut room = self.left - later;
        let has_room = room >= LEAST;
        if !has_room {
            view.note = self.page.language.text("review.no_room").to_owned();
        }
        let panes: &[(&'static str, bool)] = match change.state {
            FileState::Changed => &[("baseline", false), ("candidate", true)],
            FileState::Added => &[("candidate", true)],
            FileState::Removed => &[("baseline", false)],
            _ => &[("both", true)],
        };
        for (number, (class, is_new)) in panes.iter().enumerate() {
            let share = room / (panes.len() - number);
            let prefix = format!("quote-{}-{}-", at + 1, number + 1);
            let Some(mut output) = self.preview(change, *is_new, share, prefix) else { continue };
            if !has_room {
                let Preview { name, size, href, kind, is_document, .. } = output;
                output = Preview { name, size, href, kind, is_document, ..Preview::default() };
            }
            let bytes = output.html.as_str().len() + output.outline.as_str().len();
            self.take(bytes, &mut room);
            view.kind.clone_from(&output.kind);
            for (side, file) in shown_files(change, *is_new) {
                self.marks[side].add(&file.name, &output);
            }
            view.panes.push(Pane { class, output, is_source_left_out: false });
        }
        if has_room && change.state == FileState::Changed && !self.align(change, &mut view) {
            self.add_change(change, &mut view, &mut room);
        }
        view
    }

    /// Puts both renderings aligned with each other; returns whether the file has blocks of text.
    fn align(&self, file: &FileChange<'_>, view: &mut FileView) -> bool {
        let [old, new] = view.panes.as_mut_slice() else { return false };
        let (Some(before), Some(after)) = (old.output.in_blocks(), new.output.in_blocks()) else {
            return false;
        };
        let change = rendered(before, after);
        // Of a real pair one side planned and the other asked: marks from end to end said nothing.
        if change.is_unrelated && file.old_name().is_some() {
            view.remarks = self.page.language.text("review.unrelated").to_owned();
            return true;
        }
        view.aligned = change.rows;
        view.remarks = match change.places {
            0 => self.page.language.text("review.reads_same").to_owned(),
            places => self.page.language.count(places, "changed_place"),
        };
        for pane in [old, new] {
            let output = &mut pane.output;
            if !output.has_frame {
                // The rows show it.
                (output.html, output.hash) = (Safe::default(), String::new());
            }
            output.outline = Safe::default();
        }
        true
    }

    /// What opens a long file that only one side wrote.
    fn fold(&self, change: &FileChange<'_>) -> String {
        let content = match change.state {
            FileState::Added if !self.is_alone => &change.new_content,
            FileState::Removed => &change.old_content,
            _ => return String::new(),
        };
        let lines = content.split(|byte| *byte == b'\n').count();
        if lines <= LONG_ALONE { String::new() } else { self.page.language.count(lines, "line") }
    }

    fn add_change(&mut self, change: &FileChange<'_>, view: &mut FileView, room: &mut usize) {
        let language = self.page.language;
        let href = |stored: &StoredName, _: &[u8]| self.page.link(&stored.address());
        let context = DiffContext {
            words: language,
            sides: [self.names[1].as_str(), self.names[0].as_str()],
            href: &href,
            pictures: &self.pictures,
        };
        let ComparedFile { remarks, html } =
            outcome(change, &context, diff_room::for_change(*room));
        self.take(html.as_str().len(), room);
        view.remarks = language.list(remarks);
        view.change = html;
        view.is_picture = view.panes.iter().all(|pane| pane.output.is_picture);
    }

    /// Takes bytes from the room of a file and from that of the page.
    fn take(&mut self, bytes: usize, room: &mut usize) {
        *room = room.saturating_sub(bytes);
        self.left = self.left.saturating_sub(bytes);
    }

    fn note(&self, change: &FileChange<'_>) -> String {
        let language = self.page.language;
        match change.state {
            FileState::Changed => match change.old_name() {
                Some(name) => say!(language, "review.paired", name = printable(name)),
                None => String::new(),
            },
            FileState::Added => say!(language, "review.only", side = self.names[0]),
            FileState::Removed => say!(language, "review.only", side = self.names[1]),
            FileState::Same if self.is_alone => String::new(),
            FileState::Same => language.text("review.same_bytes").to_owned(),
            FileState::Renamed => {
                let from = printable(change.old.map_or("", |output| &output.name));
                say!(language, "diff.renamed", from)
            }
            FileState::Unread => language.text("diff.unread").to_owned(),
        }
    }

    /// The preview of a file on one side, in which ids begin with `prefix`.
    fn preview(
        &self,
        change: &FileChange<'_>,
        is_new: bool,
        room: usize,
        prefix: String,
    ) -> Option<Preview> {
        let (output, content): (Option<&Output>, &[u8]) = if is_new {
            (change.new, &change.new_content)
        } else {
            (change.old, &change.old_content)
        };
        let output = output?;
        let mut texts: Vec<&str> = Vec::new();
        for (side, file) in shown_files(change, is_new) {
            // Alone, both sides are the same run with the same quotations.
            if self.is_alone && side > 0 {
                continue;
            }
            texts.extend(self.quotations[side].in_output(&file.name));
        }
        let context = PreviewContext {
            quotations: Quotations::new([(output.name.as_str(), texts)].into(), prefix),
            ..files::preview_context(self.page, PreviewRoom::new(room, 1))
        };
        if change.state == FileState::Renamed {
            return Some(preview::store_and_show(output, FileRole::Output, &context));
        }
        Some(preview::show_content(output, content, &context))
    }
}

/// The files that a pane shows, with the index of their side: both of a file that did not change.
fn shown_files<'c>(change: &'c FileChange<'_>, is_new: bool) -> Vec<(usize, &'c Output)> {
    let mut files = Vec::new();
    for (side, file) in [change.new, change.old].into_iter().enumerate() {
        let is_shown = change.state != FileState::Changed || is_new == (side == 0);
        files.extend(file.filter(|_| is_shown).map(|file| (side, file)));
    }
    files
}
