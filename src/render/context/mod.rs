//! Shared by all parts of a report: its data, words, addresses, escaping and limits.

pub(crate) mod addresses;
pub(crate) mod assets;
pub(crate) mod bounds;
pub(crate) mod escape;
pub(crate) mod pages;
pub(crate) mod templates;
pub(crate) mod view;

pub(crate) use crate::render::context::addresses::{PartAddresses, addresses, link};
pub(crate) use crate::render::context::bounds::Rows;
pub(crate) use crate::render::context::pages::{
    Frame, Link, Page, PageLink, RenderContext, SharedData,
};
pub(crate) use crate::render::context::templates::Templates;
pub(crate) use crate::render::context::view::{View, view};

use std::collections::BTreeSet;

use crate::analyze::{Analysis, OutcomeOverTime, Quotes, SkillEdits, SkillPair, UnequalVerdicts};
use crate::digest::{Comparisons, edits_of};
use crate::language::theme::Theme;
use crate::language::{Language, LanguageError};
use crate::wording::Facts;
use crate::wording::gate::GateLine;
use input::files::Source;
use input::model::Workspace;
use input::settings::{Robots, Settings};

/// One workspace of a report, with the source of its files.
pub struct Part<'a> {
    pub workspace: &'a Workspace,
    pub analysis: &'a Analysis,
    pub source: &'a dyn Source,
    /// The workspace's folder below the source's root.
    pub prefix: &'a str,
    pub settings: &'a Settings,
    pub gate: Vec<GateLine>,
    pub(crate) comparisons: Comparisons<'a>,
}

impl<'a> Part<'a> {
    pub fn new(
        workspace: &'a Workspace,
        analysis: &'a Analysis,
        source: &'a dyn Source,
        prefix: &'a str,
        settings: &'a Settings,
    ) -> Self {
        let comparisons = Comparisons::filled(workspace, analysis);
        Self { workspace, analysis, source, prefix, settings, gate: Vec::new(), comparisons }
    }

    /// Whether the runs of an iteration are no measurement of the skill.
    pub(crate) fn is_unmeasured(&self, iteration: usize) -> bool {
        let side = self.analysis.candidate_of(iteration);
        side.is_some_and(|side| self.comparisons.is_unmeasured(&side))
    }

    /// What became of the gain over time; empty where the newest runs are no measurement.
    pub(crate) fn outcomes(&self) -> &'a [OutcomeOverTime] {
        let newest = self.analysis.newest_candidate();
        if newest.is_some_and(|side| self.comparisons.is_unmeasured(&side)) {
            return &[];
        }
        &self.analysis.outcomes
    }

    pub(crate) fn quotes(&self) -> &'a Quotes {
        &self.analysis.texts.quotes
    }

    pub(crate) fn inconsistent(&self) -> &'a [UnequalVerdicts] {
        &self.analysis.texts.inconsistent
    }

    /// The findings on each edit of the skill, in the order of [`Analysis::skill`].
    pub(crate) fn edits(&self) -> &'a [SkillEdits] {
        &self.analysis.texts.edits
    }

    /// The edits between the skill copy of an iteration and the one before it.
    pub(crate) fn edits_of(&self, iteration: usize) -> Option<(&'a SkillPair, &'a SkillEdits)> {
        edits_of(&self.comparisons, iteration)
    }

    pub(crate) fn facts<'w>(&'w self, language: &'w Language) -> Facts<'w> {
        Facts { workspace: self.workspace, analysis: self.analysis, language }
    }

    /// The title of the report: that of the settings, else the skill's name, else that of the
    /// workspace.
    pub fn title(&self) -> &'a str {
        let title = self.settings.title.as_deref().or(self.workspace.skill.as_deref());
        title.unwrap_or(&self.workspace.name)
    }
}

/// How a report is rendered.
#[derive(Clone, Debug, Default)]
pub struct RenderOptions {
    pub language: Language,
    /// Overrides the templates and assets of the program.
    pub theme: Theme,
    pub publication: Publication,
    /// Whether it is shown by `evalbook serve`, which takes comments and sends events.
    pub is_served: bool,
}

impl RenderOptions {
    /// What `settings`, one for each workspace, say about language and publication.
    pub fn new<'s>(
        theme: Theme,
        settings: impl IntoIterator<Item = &'s Settings>,
    ) -> Result<Self, LanguageError> {
        let mut tag = None;
        let mut publication = Publication::default();
        for settings in settings {
            // A report of several workspaces has one language, whatever the others say.
            tag = tag.or(settings.language.as_deref());
            publication.url = publication.url.or_else(|| settings.publish.url.clone());
            // One workspace that must not be listed hides the whole report.
            publication.is_unlisted |= settings.publish.robots == Some(Robots::Noindex);
        }
        let language = Language::new(tag.unwrap_or("en"), &theme)?;
        Ok(Self { language, theme, publication, is_served: false })
    }
}

#[derive(Clone, Debug, Default)]
pub struct Publication {
    /// The address of the report, or of its site, ending in `/`; `None` if not given.
    pub url: Option<String>,
    /// The name of its folder in a site of reports.
    pub folder: Option<String>,
    pub is_unlisted: bool,
    /// The commit that was evaluated, and its time as `git` has it; `None` outside of a repository.
    pub commit: Option<String>,
    pub date: Option<String>,
}

impl Publication {
    /// The address of the report, ending in `/`.
    pub fn report(&self) -> Option<String> {
        let url = self.url.as_ref()?;
        match &self.folder {
            Some(folder) => Some(format!("{url}{folder}/")),
            None => Some(url.clone()),
        }
    }
}

pub(crate) struct Task<'a> {
    pub(crate) path: String,
    pub(crate) render: Box<dyn Fn() -> Result<Vec<u8>, RenderError> + Send + Sync + 'a>,
}

impl<'a> Task<'a> {
    /// A file at `path` whose content cannot fail to render.
    pub(crate) fn infallible<T: Into<Vec<u8>>>(
        path: String,
        content: impl Fn() -> T + Send + Sync + 'a,
    ) -> Self {
        Self { path, render: Box::new(move || Ok(content().into())) }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error("cannot render `{page}`: {reason}")]
    Template { page: String, reason: String },
    #[error("cannot write `{page}`: {reason}")]
    Sink { page: String, reason: String },
}

/// `items` without duplicates, in order of first appearance.
pub(crate) fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut unique = Vec::new();
    for item in items {
        if !unique.contains(&item) {
            unique.push(item);
        }
    }
    unique
}

/// The anchors used on a page so far.
#[derive(Default)]
pub(crate) struct Anchors(BTreeSet<String>);

impl Anchors {
    /// `anchor`, or an empty text if the page already has it.
    pub(crate) fn take(&mut self, anchor: String) -> String {
        if self.0.insert(anchor.clone()) { anchor } else { String::new() }
    }
}
