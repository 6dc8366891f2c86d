//! What a command reads must not be what it replaces.

use std::path::{Path, PathBuf};

use crate::cli::{Failure, Outcome};
use crate::files;

pub(super) struct Inputs<'a> {
    paths: Vec<&'a Path>,
    called: &'static str,
}

impl<'a> Inputs<'a> {
    pub(super) fn new(paths: &'a [PathBuf], called: &'static str) -> Self {
        let mut paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        if paths.is_empty() {
            paths.push(Path::new("."));
        }
        Self { paths, called }
    }

    /// The same for reports, each named by its folder or by a file in it.
    pub(super) fn reports(paths: &'a [PathBuf], called: &'static str) -> Self {
        let folder = |path: &'a PathBuf| if path.is_file() { files::parent(path) } else { path };
        Self { paths: paths.iter().map(folder).collect(), called }
    }

    pub(super) fn with(mut self, path: Option<&'a Path>) -> Self {
        self.paths.extend(path);
        self
    }

    pub(super) fn refuse_in(&self, target: &Path) -> Outcome<()> {
        let Ok(real) = target.canonicalize() else { return Ok(()) };
        let in_target =
            |path: &&&Path| path.canonicalize().is_ok_and(|real_path| real_path.starts_with(&real));
        let Some(input) = self.paths.iter().find(in_target) else { return Ok(()) };
        let (target, input, called) = (target.display(), input.display(), self.called);
        let message = format!("`{target}` is one of {called} or holds one: `{input}`");
        Err(Failure::usage(message)
            .help("a report replaces the whole folder: write it elsewhere, such as `-o whole`"))
    }

    /// Refuses to make a site of any of them: what lies in a site is no input.
    pub(super) fn refuse_site(&self, site: &Path) -> Outcome<()> {
        let Ok(real) = site.canonicalize() else { return Ok(()) };
        let is_site = |path: &&Path| path.canonicalize().is_ok_and(|path| path == real);
        if !self.paths.iter().any(is_site) {
            return Ok(());
        }
        let message = format!("`{}` is one of {}", site.display(), self.called);
        Err(Failure::usage(message).help("name another folder for the site, such as `--into site`"))
    }

    /// Refuses to replace the file at `file` if it is one of them or lies in one, and is not empty.
    pub(super) fn refuse_file(&self, file: &Path) -> Outcome<()> {
        let is_file = file.metadata().is_ok_and(|found| found.is_file() && found.len() > 0);
        let Some(real) = file.canonicalize().ok().filter(|_| is_file) else { return Ok(()) };
        let holds =
            |path: &&&Path| path.canonicalize().is_ok_and(|real_path| real.starts_with(real_path));
        let Some(input) = self.paths.iter().find(holds) else { return Ok(()) };
        let (file, input) = (file.display(), input.display());
        Err(Failure::usage(format!("`{file}` would be replaced, and `{input}` is read"))
            .help("write to a new file, or to one elsewhere"))
    }
}
