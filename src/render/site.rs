//! The files above the reports of a site: the landing page, the feed, and rules for crawlers.
//!
//! Entry point: [`pages`]. Everything is made from the summaries of the reports on disk.

use crate::discover::LATEST;
use crate::render::context::{Link, RenderError, RenderOptions, Templates, assets};
use crate::render::data::{
    feed::{self, FeedHead, FeedSource},
    series,
    summary::{Summary, WorkspaceSummary},
};
use crate::render::html;

pub use crate::render::data::series::{FILE as SERIES, ReportSeries};

/// Names in a site that no report can have.
pub const RESERVED: [&str; 2] = [LATEST, "assets"];

/// Keeps GitHub Pages from running Jekyll, which would change Markdown and drop names.
pub(super) const NO_JEKYLL: &str = ".nojekyll";

/// The file that crawlers look for at the root of a host.
pub(super) const ROBOTS: &str = "robots.txt";

/// Pages may be fetched, since a crawler must read a page to see its `noindex`; other files cannot
/// state it.
const ROBOTS_TEXT: &str = "User-agent: *\nAllow: /$\nAllow: /*/$\nAllow: /*.html$\nDisallow: /\n";

/// A report in a site.
pub struct SiteReport {
    pub name: String,
    pub summary: Summary,
}

/// Files of a site by path.
pub type SiteFiles = Vec<(String, Vec<u8>)>;

/// Files in every report and at the root of every site: one against Jekyll, one for crawlers.
pub(super) fn for_hosts(is_unlisted: bool) -> SiteFiles {
    let robots = is_unlisted.then(|| (ROBOTS.to_owned(), ROBOTS_TEXT.as_bytes().to_vec()));
    [(NO_JEKYLL.to_owned(), Vec::new())].into_iter().chain(robots).collect()
}

/// The paths that [`pages`] may return.
pub fn paths(options: &RenderOptions) -> Vec<String> {
    let fixed_paths =
        ["index.html", series::FILE, feed::FILE, NO_JEKYLL, ROBOTS].map(str::to_owned);
    fixed_paths
        .into_iter()
        .chain(assets::files(options).into_iter().map(|(path, _)| path))
        .collect()
}

/// All files above the reports, which are given from the oldest to the newest. `series` has the
/// points of earlier reports. If a report must not be listed by search engines, neither must the
/// page that names it.
///
/// An invalid template.
pub fn pages(
    reports: &[SiteReport],
    mut series: ReportSeries,
    options: &RenderOptions,
) -> Result<SiteFiles, RenderError> {
    let mut options = options.clone();
    options.publication.is_unlisted |= reports.iter().any(|report| report.summary.noindex);
    let templates = Templates::new(&options)?;
    let newest_first: Vec<(&str, &[WorkspaceSummary])> = reports
        .iter()
        .rev()
        .map(|report| (report.name.as_str(), report.summary.workspaces.as_slice()))
        .collect();
    let link = |href: &str, key: &str| Link::new(href, options.language.text(key));
    let links = vec![link("latest/index.html", "site.latest"), link(feed::FILE, "site.feed")];
    series.add(reports.iter().map(|report| (report.name.as_str(), &report.summary)));
    let page = html::site_landing(&newest_first, &series, links, &options.language, &templates)?;
    let mut files = assets::files(&options);
    files.push(("index.html".to_owned(), page));
    let mut sources = Vec::new();
    for SiteReport { name, summary } in reports {
        let workspaces = summary.workspaces.iter();
        sources.extend(workspaces.map(|workspace| FeedSource { report: name, workspace }));
    }
    let url = options.publication.url.as_deref();
    let title = options.language.text("site.title");
    let head = FeedHead { title, folder: "", name: url.unwrap_or("site"), url };
    files.push((feed::FILE.to_owned(), feed::feed(&head, &sources, &options)));
    files.push((series::FILE.to_owned(), series.text().into_bytes()));
    files.extend(for_hosts(options.publication.is_unlisted));
    Ok(files)
}
