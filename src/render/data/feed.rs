//! `feed.xml`: the iterations as an Atom feed (RFC 4287), the newest first.
//!
//! An entry has the latest time that its iteration recorded, else that of the one before, else
//! 1970. Ids are made from names alone, so that they stay the same when the site moves.

use std::fmt::Write;

use crate::language::Language;
use crate::render::context::{RenderOptions, addresses, escape};
use crate::render::data::summary::{IterationSummary, Summary, WorkspaceSummary};

pub(crate) const FILE: &str = "feed.xml";
const MOST_ENTRIES: usize = 100;
const UNKNOWN_TIME: &str = "1970-01-01T00:00:00Z";

pub(crate) struct FeedSource<'s> {
    /// The report of the workspace; empty for the report with the feed.
    pub(crate) report: &'s str,
    pub(crate) workspace: &'s WorkspaceSummary,
}

struct FeedEntry<'s> {
    source: &'s FeedSource<'s>,
    iteration: &'s IterationSummary,
    updated: String,
}

pub(crate) struct FeedHead<'h> {
    pub(crate) title: &'h str,
    /// The folder of the feed below the published address, empty or ending in `/`.
    pub(crate) folder: &'h str,
    pub(crate) name: &'h str,
    /// The address above that folder, ending in `/`, if known.
    pub(crate) url: Option<&'h str>,
}

pub(crate) fn for_workspace(
    folder: &str,
    workspace: &WorkspaceSummary,
    options: &RenderOptions,
) -> Vec<u8> {
    let url = options.publication.report();
    let head =
        FeedHead { title: &workspace.title, folder, name: &workspace.name, url: url.as_deref() };
    feed(&head, &[FeedSource { report: "", workspace }], options)
}

pub(crate) fn for_report(summary: &Summary, options: &RenderOptions) -> Vec<u8> {
    let workspaces = &summary.workspaces;
    let sources: Vec<_> =
        workspaces.iter().map(|workspace| FeedSource { report: "", workspace }).collect();
    let names: Vec<&str> = workspaces.iter().map(|workspace| &*workspace.name).collect();
    let (title, url) = (options.language.text("landing.title"), options.publication.report());
    let head = FeedHead { title, folder: "", name: &names.join("\n"), url: url.as_deref() };
    feed(&head, &sources, options)
}

/// The feed of `sources`; later sources count as newer if times do not tell.
pub(crate) fn feed(
    head: &FeedHead<'_>,
    sources: &[FeedSource<'_>],
    options: &RenderOptions,
) -> Vec<u8> {
    let mut entries: Vec<FeedEntry<'_>> = sources.iter().flat_map(entries).collect();
    // A stable sort from the newest: entries with the same time keep their order, the last written
    // first.
    entries.reverse();
    entries.sort_by(|a, b| b.updated.cmp(&a.updated));
    entries.truncate(MOST_ENTRIES);
    let updated = entries.first().map_or(UNKNOWN_TIME, |entry| &entry.updated);
    let base = head.url.map(|url| format!("{url}{}", head.folder)).unwrap_or_default();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    let _ = writeln!(
        text,
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{}\">\n<id>{}</id>\n\
         <title>{}</title>\n<updated>{updated}</updated>\n<author><name>evalbook</name></author>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>",
        options.language.tag(),
        id(&["feed", head.name]),
        escape::xml(head.title),
        escape::xml_attribute(&format!("{base}index.html")),
    );
    if head.url.is_some() {
        let href = escape::xml_attribute(&format!("{base}{FILE}"));
        text += "<link rel=\"self\" type=\"application/atom+xml\" href=\"";
        text += &(href + "\"/>\n");
    }
    entries.iter().for_each(|entry| text.push_str(&entry.xml(head, &base, &options.language)));
    text.push_str("</feed>\n");
    text.into_bytes()
}

fn entries<'s>(source: &'s FeedSource<'s>) -> Vec<FeedEntry<'s>> {
    let is_time = |text: &&String| {
        text.parse::<jiff::Timestamp>().is_ok_and(|time| time.to_string() == **text)
    };
    let mut latest = UNKNOWN_TIME.to_owned();
    let entry = |iteration: &'s IterationSummary| {
        if let Some(updated) = iteration.updated.as_ref().filter(is_time) {
            latest.clone_from(updated);
        }
        FeedEntry { source, iteration, updated: latest.clone() }
    };
    source.workspace.iterations.iter().map(entry).collect()
}

impl FeedEntry<'_> {
    fn xml(&self, head: &FeedHead<'_>, base: &str, language: &Language) -> String {
        let FeedSource { report, workspace } = self.source;
        let folder =
            if report.is_empty() { String::new() } else { addresses::folder(report) + "/" };
        let IterationSummary { name, page, verdict, recorded, sides, .. } = self.iteration;
        let title =
            language.fill("feed.entry", &[("title", &workspace.title), ("iteration", name)]);
        let verdict = verdict.as_ref().or(recorded.as_ref());
        let verdict = verdict.map_or(language.text("feed.nothing_graded"), String::as_str);
        let is_dated = self.iteration.updated.is_some();
        let time = if is_dated { "" } else { language.text("feed.no_time") };
        format!(
            "<entry>\n<id>{}</id>\n<title>{}</title>\n<updated>{}</updated>\n\
             <link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>\n\
             <summary>{}</summary>\n</entry>\n",
            id(&["iteration", report, &workspace.name, page]),
            escape::xml(&title),
            self.updated,
            // Page addresses are relative to the report; the feed of a workspace may be in a
            // subfolder.
            escape::xml_attribute(&format!(
                "{base}{folder}{}",
                page.strip_prefix(head.folder).unwrap_or(page)
            )),
            escape::xml(&language.sentences([verdict, sides, time].map(str::to_owned))),
        )
    }
}

/// A UUID of version 8 (RFC 9562) made from `names`.
fn id(names: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for name in names {
        // The length prefix keeps `a`, `bc` and `ab`, `c` apart.
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let [a, b, c, d, e] = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &hex[part]);
    format!("urn:uuid:{a}-{b}-{c}-{d}-{e}")
}
