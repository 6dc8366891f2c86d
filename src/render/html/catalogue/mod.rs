//! The catalogue: one row for each skill, on the landing page of a site and of a report with several
//! workspaces. It answers which skills need somebody, and what is missing where nothing is decided.

mod list;
mod row;
mod standing;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::budget::LIST_ROWS;
use crate::language::{DASH, Language, say};
use crate::render::context::{Frame, RenderError, Task, Templates};
use crate::render::data::summary::{Summary, WorkspaceSummary};
use crate::render::html::catalogue::row::Row;
use crate::render::html::catalogue::standing::{Group, Standing, is_against_earlier};

const PATH: &str = "index.html";

/// The columns that every catalogue has: the skill and its state.
const KNOWN_COLUMNS: usize = 2;

/// A report of a site, with its workspaces.
pub(crate) struct NamedReport<'a> {
    pub(crate) name: &'a str,
    pub(crate) summary: &'a Summary,
}

/// Adds the landing page of a report with several workspaces.
pub(crate) fn landing<'a>(
    summary: &'a Summary,
    language: &'a Language,
    templates: &'a Templates,
    tasks: &mut Vec<Task<'a>>,
) {
    if summary.workspaces.len() < 2 {
        return;
    }
    let render = move || {
        let catalogue = Catalogue::new(&[NamedReport { name: "", summary }], false, language);
        templates.fill_whole("catalogue.html", PATH, &catalogue.view())
    };
    tasks.push(Task { path: PATH.to_owned(), render: Box::new(render) });
}

/// The landing page of a site of `reports`, the newest first.
pub(crate) fn site_landing(
    reports: &[NamedReport<'_>],
    language: &Language,
    templates: &Templates,
) -> Result<Vec<u8>, RenderError> {
    let view = Catalogue::new(reports, true, language).view();
    templates.fill_whole("catalogue.html", PATH, &view)
}

struct Catalogue<'a> {
    /// In the order of the page: the worst first.
    rows: Vec<Row<'a>>,
    /// The reports of a site; `None` on the page of a single report.
    reports: Option<Value>,
    language: &'a Language,
}

impl<'a> Catalogue<'a> {
    fn new(reports: &[NamedReport<'a>], is_site: bool, language: &'a Language) -> Self {
        // The newest report with a skill speaks for it.
        let mut newest: BTreeMap<SkillKey, Row<'a>> = BTreeMap::new();
        for report in reports {
            for (key, workspace) in keyed(&report.summary.workspaces) {
                let row = || Row::new(workspace, &key.workspace, report, language);
                newest.entry(key.clone()).or_insert_with(row);
            }
        }
        let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
        for key in newest.keys() {
            *titles.entry(&key.title).or_default() += 1;
        }
        let shared: Vec<String> = titles
            .iter()
            .filter(|(_, number)| **number > 1)
            .map(|(title, _)| (*title).to_owned())
            .collect();
        let mut rows: Vec<Row<'a>> = newest.into_values().collect();
        for row in &mut rows {
            row.shows_workspace = shared.contains(&row.workspace.title);
        }
        // A stable sort: equal ranks keep the order of their names.
        rows.sort_by(|one, other| one.rank().total_cmp(&other.rank()));
        rows.sort_by_key(|row| row.standing);
        let reports = if is_site { Some(list::view(reports, language)) } else { None };
        Self { rows, reports, language }
    }

    fn view(&self) -> Value {
        let mut groups = Vec::new();
        for group in Group::ALL {
            let rows = self.rows.iter().take(LIST_ROWS).enumerate();
            let rows = rows.filter(|(_, row)| row.standing.group() == group);
            let rows: Vec<Value> = rows.map(|(index, row)| row.view(index)).collect();
            if !rows.is_empty() {
                let [title, note] = group.texts();
                groups.push(json!({
                    "title": self.language.text(title),
                    "note": self.language.text(note),
                    "rows": rows,
                }));
            }
        }
        let title = self.language.text("catalogue.title");
        let worst = self
            .rows
            .first()
            .filter(|row| !matches!(row.standing.group(), Group::Improved | Group::Earns));
        let columns = self.columns(&groups);
        json!({
            "frame": Frame::new(PATH, title),
            "heading": self.heading(),
            "sentence": self.sentence(),
            "states": self.states(),
            "next": worst.map(Row::next_step),
            "has_earlier": self.rows.iter().any(|row| is_against_earlier(row.workspace)),
            "has_without": self.rows.iter().any(|row| row.workspace.other.is_some() && !is_against_earlier(row.workspace)),
            "has": columns,
            "columns": KNOWN_COLUMNS + columns.values().filter(|is_shown| **is_shown).count(),
            "groups": groups,
            "reports": self.reports,
            "more": self.rows.len().saturating_sub(LIST_ROWS),
        })
    }

    /// Which columns have something to show in any row.
    fn columns(&self, groups: &[Value]) -> BTreeMap<&'static str, bool> {
        let rows =
            || groups.iter().flat_map(|group| group["rows"].as_array().into_iter().flatten());
        let is_filled = |value: &Value| match value {
            Value::String(text) => !text.is_empty() && text != DASH,
            value => !value.is_null(),
        };
        let any =
            |names: &[&str]| rows().any(|row| names.iter().any(|name| is_filled(&row[*name])));
        BTreeMap::from([
            ("drawing", any(&["drawing"])),
            ("points", any(&["points"])),
            ("passed", any(&["passed", "other"])),
            ("cost", any(&["tokens", "time"])),
            ("size", any(&["size"])),
            ("conditions", self.rows.iter().any(|row| row.workspace.conditions.len() > 1)),
            ("date", self.reports.is_some() && any(&["day"])),
        ])
    }

    fn count(&self, group: Group) -> usize {
        self.rows.iter().filter(|row| row.standing.group() == group).count()
    }

    fn heading(&self) -> String {
        let language = self.language;
        let (n, total) = (self.count(Group::Attention), self.rows.len());
        match (self.rows.as_slice(), n) {
            ([], _) => language.text("catalogue.empty").to_owned(),
            ([only], _) => {
                language.labelled(&only.title(), language.text(only.standing.group().texts()[0]))
            }
            (rows, 0) => {
                let has_lost = |row: &Row<'_>| row.workspace.has_lost_checks();
                let is_any_lost = rows.iter().any(has_lost);
                let key =
                    if is_any_lost { "catalogue.checks_lost" } else { "catalogue.no_attention" };
                language.text(key).to_owned()
            }
            (_, n) if n == total => language.text("catalogue.all_attention").to_owned(),
            (_, 1) => {
                say!(language, "catalogue.one_attention", skills = language.count(total, "skill"))
            }
            _ => say!(language, "catalogue.attention", n, skills = language.count(total, "skill")),
        }
    }

    fn sentence(&self) -> String {
        if self.rows.len() < 2 {
            return String::new();
        }
        let mut sentences = Vec::new();
        for (group, one, many) in [
            (Group::Earns, "catalogue.one_earns", "catalogue.earn"),
            (Group::Improved, "catalogue.one_improved", "catalogue.improve"),
            (Group::Open, "catalogue.one_open", "catalogue.open"),
        ] {
            match self.count(group) {
                0 => {}
                1 => sentences.push(self.language.text(one).to_owned()),
                n => sentences.push(say!(self.language, many, n)),
            }
        }
        self.language.sentences(sentences)
    }

    /// The counters above the table, which filter it.
    fn states(&self) -> Vec<Value> {
        let mut states = Vec::new();
        for standing in Standing::ALL {
            let number = self.rows.iter().filter(|row| row.standing == standing).count();
            if number > 0 {
                states.push(json!({
                    "id": standing.name(),
                    "sign": standing.sign(),
                    "tone": standing.tone().class(),
                    "number": number,
                    "text": self.language.text(standing.label()),
                }));
            }
        }
        // A single state has nothing to choose from.
        if states.len() < 2 {
            return Vec::new();
        }
        let (number, text) = (self.rows.len(), self.language.text("catalogue.skills"));
        states.insert(0, json!({ "id": "all", "number": number, "text": text }));
        states
    }
}

/// A skill is known by its title and the name of its workspace: two teams may give one title.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SkillKey {
    title: String,
    /// With a number from the second of one name in a report on.
    workspace: String,
}

/// The workspaces of a report with the keys of their skills.
fn keyed(workspaces: &[WorkspaceSummary]) -> Vec<(SkillKey, &WorkspaceSummary)> {
    let mut seen: BTreeMap<SkillKey, usize> = BTreeMap::new();
    let mut keyed = Vec::new();
    for workspace in workspaces {
        let (title, name) = (workspace.title.clone(), workspace.name.clone());
        let mut key = SkillKey { title, workspace: name };
        let number = seen.entry(key.clone()).or_default();
        *number += 1;
        if *number > 1 {
            key.workspace += &format!(" ({number})");
        }
        keyed.push((key, workspace));
    }
    keyed
}
