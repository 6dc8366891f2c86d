//! The files above the reports of a site: the landing page and rules for crawlers.
//!
//! Entry point: [`pages`]. Everything is made from the summaries of the reports on disk.

use crate::render::context::{RenderError, RenderOptions, Templates, assets};
use crate::render::data::summary::Summary;
use crate::render::html::{self, NamedReport};
use input::discover::LATEST;

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
    let mut files = vec![(NO_JEKYLL.to_owned(), Vec::new())];
    if is_unlisted {
        files.push((ROBOTS.to_owned(), ROBOTS_TEXT.as_bytes().to_vec()));
    }
    files
}

/// The paths that [`pages`] may return.
pub fn paths(options: &RenderOptions) -> Vec<String> {
    let mut paths = ["index.html", NO_JEKYLL, ROBOTS].map(str::to_owned).to_vec();
    paths.extend(assets::files(options).into_iter().map(|(path, _)| path));
    paths
}

/// All files above the reports, which are given from the oldest to the newest. If a report must not
/// be listed by search engines, neither must the page that names it.
///
/// Fails for an invalid template.
pub fn pages(reports: &[SiteReport], options: &RenderOptions) -> Result<SiteFiles, RenderError> {
    let mut options = options.clone();
    options.publication.is_unlisted |= reports.iter().any(|report| report.summary.noindex);
    let templates = Templates::new(&options)?;
    let mut newest_first = Vec::new();
    for report in reports.iter().rev() {
        newest_first.push(NamedReport { name: &report.name, summary: &report.summary });
    }
    let page = html::site_landing(&newest_first, &options.language, &templates)?;
    let mut files = assets::files(&options);
    files.push(("index.html".to_owned(), page));
    files.extend(for_hosts(options.publication.is_unlisted));
    Ok(files)
}
