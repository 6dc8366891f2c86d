//! What somebody meant who gave a path at which nothing is found.

use std::path::{Path, PathBuf};

use crate::discover::names;
use crate::files;
use crate::settings::keys::nearest;

const CLIMB: usize = 4;

pub(super) fn workspace(path: &Path) -> Option<String> {
    if !path.exists() {
        return alike(path);
    }
    let found = path.is_dir().then(|| sibling(path)).flatten();
    Some(found.or_else(|| above(path))?.display().to_string())
}

pub(super) fn skill(path: &Path) -> Option<String> {
    let of_file = || path.is_file().then(|| files::parent(path).display().to_string());
    alike(path).or_else(of_file)
}

/// What is called almost the same as `path`, which is not there.
pub(super) fn alike(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let names = names_in(files::parent(path));
    let near = nearest(name, names.iter().map(String::as_str)).filter(|near| *near != name);
    let near = near.map(|near| path.with_file_name(near)).filter(|near| near.is_dir());
    near.map(|near| near.display().to_string())
}

fn sibling(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    let name = format!("{}-workspace", real.file_name()?.to_str()?);
    let found = match path.file_name() {
        Some(_) => path.with_file_name(name),
        None => path.join("..").join(name),
    };
    found.is_dir().then_some(found)
}

fn above(path: &Path) -> Option<PathBuf> {
    let folders = path.ancestors().skip(1).take(CLIMB);
    let mut folders =
        folders.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    folders.find(|folder| holds_iterations(folder)).map(Path::to_path_buf)
}

/// Whether a folder is a workspace by the names in it.
pub(super) fn holds_iterations(folder: &Path) -> bool {
    names_in(folder).iter().any(|name| names::is_iteration(name))
}

fn names_in(folder: &Path) -> Vec<String> {
    files::names_in(folder).unwrap_or_default()
}
