//! Checks a whole report as a reader's browser would find it: links, ids, the head of each page.
//!
//! Entry point: [`breaches`], which gives one line per breach, or none for a sound report.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::html::{self, Tag};

/// Attributes that hold an address.
const ADDRESSES: &str = " href src srcset poster action formaction data data-seen background cite ";

/// A report's pages and the paths of all its files.
struct Site {
    pages: BTreeMap<String, Vec<Tag>>,
    files: BTreeSet<String>,
}

/// What is wrong with the report in `folder`.
pub(crate) fn breaches(folder: &Path) -> Vec<String> {
    let files = super::tree(folder);
    let mut found = Vec::new();
    let mut pages = BTreeMap::new();
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                found.extend(raw_breaches(text).map(|breach| format!("{path}: {breach}")));
                pages.insert(path.clone(), html::tags(text));
            }
            Err(_) => found.push(format!("{path}: the page is not UTF-8")),
        }
    }
    if !pages.contains_key("index.html") {
        found.push("there is no `index.html`".to_owned());
    }
    let site = Site { pages, files: files.into_keys().collect() };
    for (path, tags) in &site.pages {
        if is_copy(path) {
            found.extend(copy_breaches(tags).iter().map(|breach| format!("{path}: {breach}")));
            continue;
        }
        let of_page = site.of_page(path, tags);
        found.extend(of_page.into_iter().map(|breach| format!("{path}: {breach}")));
    }
    found
}

/// Pages and stored files of the report in `folder` to which no page leads.
pub(crate) fn unlinked(folder: &Path) -> BTreeSet<String> {
    let files = super::tree(folder);
    let mut unlinked: BTreeSet<String> = files.keys().cloned().collect();
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
        let page = html::tags(&String::from_utf8_lossy(bytes));
        for (_, address) in page.iter().flat_map(addresses) {
            let target = address.split('#').next().and_then(|to| resolved(path, to));
            unlinked.retain(|found| target.as_ref() != Some(found) || found == path);
        }
    }
    unlinked.remove("index.html");
    unlinked.remove("evalbook-manifest.json");
    // What hosts look for is no page's business.
    unlinked.retain(|path| path != ".nojekyll" && path != "robots.txt");
    // Scripts of the pages load these when the search is used.
    unlinked.retain(|path| !path.starts_with("search/") && !path.contains("/search/"));
    unlinked
}

/// Every page of the report in `folder`, clean copies of outputs included.
pub(crate) fn every_page(folder: &Path) -> Vec<String> {
    super::tree(folder).into_keys().filter(|path| path.ends_with(".html")).collect()
}

/// The largest page of each kind of the report in `folder`: each page of its own, a case, an
/// iteration, a run, a clean copy of an output.
pub(crate) fn one_of_each_kind(folder: &Path) -> Vec<String> {
    let mut kinds: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (path, bytes) in super::tree(folder) {
        if !path.ends_with(".html") {
            continue;
        }
        let kind = match path.split('/').collect::<Vec<_>>()[..] {
            [name] => name.to_owned(),
            ["iterations", _, "index.html"] => "iteration".to_owned(),
            [first, ..] => format!("{first}, {} deep", path.matches('/').count()),
            [] => continue,
        };
        let largest = kinds.entry(kind).or_default();
        if bytes.len() > largest.0 {
            *largest = (bytes.len(), path);
        }
    }
    kinds.into_values().map(|(_, path)| path).collect()
}

/// Whether the file is a clean copy of an HTML output, which pages show in a frame.
pub(crate) fn is_copy(path: &str) -> bool {
    path.starts_with("files/") && path.ends_with(".html")
}

/// What is wrong with a clean copy: it has no script and leads nowhere, and says so to the browser
/// before anything else.
fn copy_breaches(tags: &[Tag]) -> Vec<String> {
    let mut found = Vec::new();
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                  form-action 'none'";
    let names: Vec<&str> = tags.iter().map(|tag| tag.name.as_str()).take(4).collect();
    if names != ["html", "head", "meta", "meta"] || tags[3].get("content") != Some(policy) {
        found.push("it does not begin with its policy".to_owned());
    }
    for tag in tags {
        let runs =
            ["script", "iframe", "object", "embed", "base", "form", "svg", "math", "template"];
        if runs.contains(&tag.name.as_str()) {
            found.push(format!("it has a `{}` element", tag.name));
        }
        let stays = |value: &str| value.starts_with('#') || value.starts_with("data:");
        let leads = addresses(tag).filter(|(_, value)| !stays(value));
        found.extend(leads.map(|(name, value)| format!("{name}=\"{value}\" leads elsewhere")));
        let handlers = tag.attributes.iter().filter(|(name, _)| name.starts_with("on"));
        found.extend(handlers.map(|(name, _)| format!("it has the attribute `{name}`")));
    }
    found
}

/// What may not be in the bytes of a page, wherever it stands.
fn raw_breaches(page: &str) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    if !page.starts_with("<!doctype html>\n") {
        found.push("it does not begin with `<!doctype html>`".to_owned());
    }
    if let Some(bad) = page.chars().find(|c| c.is_control() && !"\n\t\r".contains(*c)) {
        found.push(format!("it holds the control character {bad:?}"));
    }
    found.into_iter()
}

/// A link in rendered Markdown: followed only when a reader clicks it, and then without a trace of
/// the report.
fn is_link_of_data(tag: &Tag, address: &str) -> bool {
    let outward =
        ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme));
    tag.name == "a" && outward && tag.get("rel") == Some("noreferrer noopener")
}

impl Site {
    fn of_page(&self, path: &str, tags: &[Tag]) -> Vec<String> {
        let mut found = head_breaches(tags);
        found.extend(repeated_ids(tags));
        for tag in tags {
            found.extend(unsafe_parts(tag));
            for (name, value) in addresses(tag).filter(|(_, value)| !is_link_of_data(tag, value)) {
                let breach = self.address(path, value);
                found.extend(breach.map(|breach| format!("{name}=\"{value}\": {breach}")));
            }
        }
        found
    }

    /// What is wrong with an address on the page at `from`.
    fn address(&self, from: &str, address: &str) -> Option<String> {
        if let Some((scheme, _)) = address.split_once(':')
            && !scheme.contains(['/', '#', '?'])
        {
            return Some("it leads out of the report".to_owned());
        }
        if address.starts_with('/') || address.starts_with('\\') || address.is_empty() {
            return Some("it is not a relative path".to_owned());
        }
        let (path, fragment) = match address.split_once('#') {
            Some((path, fragment)) => (path, Some(fragment)),
            None => (address, None),
        };
        let Some(target) = resolved(from, path) else {
            return Some("it leads out of the report".to_owned());
        };
        if !self.files.contains(&target) {
            return Some(format!("there is no `{target}`"));
        }
        let fragment = fragment.filter(|fragment| !fragment.is_empty())?;
        let has = |tags: &Vec<Tag>| tags.iter().any(|tag| tag.get("id") == Some(fragment));
        let is_there = self.pages.get(&target).is_some_and(has);
        (!is_there).then(|| format!("there is no `{fragment}` in `{target}`"))
    }
}

/// The addresses a tag holds; a frame's own document is no address.
fn addresses(tag: &Tag) -> impl Iterator<Item = (&str, &str)> {
    tag.attributes
        .iter()
        .filter(|(name, _)| ADDRESSES.contains(&format!(" {name} ")))
        .map(|(name, value)| (name.as_str(), value.as_str()))
}

/// The path from the report's root that `address` on the page `from` means.
pub(crate) fn resolved(from: &str, address: &str) -> Option<String> {
    if address.is_empty() {
        return Some(from.to_owned());
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    let decoded = percent_decoded(address);
    for part in decoded.split('/') {
        match part {
            ".." => {
                parts.pop()?;
            }
            "." => {}
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let code = rest.get(1..3).filter(|_| first == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[3..];
            }
            None => {
                let length = rest.chars().next().map_or(1, char::len_utf8);
                bytes.extend(rest.bytes().take(length));
                rest = &rest[length..];
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn repeated_ids(tags: &[Tag]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    tags.iter()
        .filter_map(|tag| tag.get("id"))
        .filter(|id| !seen.insert(*id))
        .map(|id| format!("the id `{id}` is there twice"))
        .collect()
}

/// One of the report's own scripts, without a word of the data in it.
pub(crate) fn is_own_script(tag: &Tag) -> bool {
    let name = tag.get("src").and_then(|src| src.trim_start_matches("../").strip_prefix("assets/"));
    let plain = |name: &str| name.ends_with(".js") && !name.contains('/');
    name.is_some_and(plain) && tag.text.trim().is_empty()
}

/// Tags and attributes that run something, or could.
fn unsafe_parts(tag: &Tag) -> Vec<String> {
    let mut found = Vec::new();
    let name = tag.name.as_str();
    if name == "script" && !is_own_script(tag)
        || matches!(name, "embed" | "base" | "applet")
        || (name == "object" && !is_stored_pdf(tag))
    {
        found.push(format!("it has a `{name}` element"));
    }
    if name == "iframe" && tag.get("sandbox").is_none() {
        found.push("it has a frame without a sandbox".to_owned());
    }
    let refreshes = |value: &str| value.eq_ignore_ascii_case("refresh");
    if tag.get("http-equiv").is_some_and(refreshes) {
        found.push("it leads elsewhere by itself".to_owned());
    }
    for (key, _) in &tag.attributes {
        if key.starts_with("on") || key == "style" {
            found.push(format!("`{name}` has the attribute `{key}`"));
        }
    }
    found
}

/// A stored PDF, which the browser shows by its own means once a reader unfolds it.
fn is_stored_pdf(tag: &Tag) -> bool {
    let stored = |data: &str| data.contains("files/") && data.ends_with(".pdf");
    tag.get("type") == Some("application/pdf") && tag.get("data").is_some_and(stored)
}

/// What a page must say of itself before anything else.
fn head_breaches(tags: &[Tag]) -> Vec<String> {
    let mut found = Vec::new();
    let mut need = |is_there: bool, what: &str| {
        if !is_there {
            found.push(format!("it has no {what}"));
        }
    };
    let first = |name: &str| tags.iter().find(|tag| tag.name == name);
    let meta = |key: &str, value: &str| {
        tags.iter().position(|tag| tag.name == "meta" && tag.get(key).is_some_and(|v| v == value))
    };
    let language = first("html").and_then(|tag| tag.get("lang"));
    need(language.is_some_and(|lang| !lang.is_empty()), "language");
    let title = first("title").map(|tag| tag.text.trim());
    need(title.is_some_and(|title| !title.is_empty()), "title");
    need(meta("charset", "utf-8").is_some(), "charset");
    need(meta("name", "viewport").is_some(), "viewport");
    need(first("h1").is_some(), "heading of the first level");
    need(first("main").is_some(), "main part");
    let policy = meta("http-equiv", "Content-Security-Policy");
    let strict = policy.is_some_and(|at| {
        let content = tags[at].get("content").unwrap_or_default();
        let own = content.contains("script-src 'self';") && content.contains("default-src 'none'");
        own && !content.contains("unsafe")
    });
    need(strict, "strict content security policy");
    let first_load = tags.iter().position(|tag| addresses(tag).next().is_some());
    need(policy < first_load || first_load.is_none(), "policy in front of what it loads");
    found
}

/// Panics with every breach of the report in `folder`.
pub(crate) fn assert_sound(folder: &Path) {
    let found = breaches(folder);
    assert!(
        found.is_empty(),
        "{} breaches in {}:\n{}",
        found.len(),
        folder.display(),
        found.join("\n")
    );
}
