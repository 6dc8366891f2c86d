//! One file that others may write too, replaced at once and for good.

use std::io::{self, Write};
use std::path::Path;

use crate::write::{WriteError, allow_reading, failed};

/// Puts `bytes` where `before` stands, or where nothing stands when that is `None`. The file is on
/// the disk when this returns. `false` where something else stands there by now; nothing is changed
/// then.
///
/// # Errors
/// When it cannot be written, or is no regular file.
pub fn replace(path: &Path, before: Option<&[u8]>, bytes: &[u8]) -> Result<bool, WriteError> {
    let path = std::path::absolute(path).map_err(|error| failed(path, &error))?;
    replace_in(&path, path.parent().unwrap_or(&path), before, bytes)
        .map_err(|error| failed(&path, &error))
}

fn replace_in(path: &Path, parent: &Path, before: Option<&[u8]>, bytes: &[u8]) -> io::Result<bool> {
    let fresh = tempfile::Builder::new().prefix(".evalbook-").tempfile_in(parent)?;
    fresh.as_file().write_all(bytes)?;
    match path.metadata() {
        Ok(data) => fresh.as_file().set_permissions(data.permissions())?,
        Err(_) => allow_reading(fresh.path(), 0o644)?,
    }
    fresh.as_file().sync_all()?;
    let current = crate::files::regular(path, u64::MAX)?;
    if current.as_deref() != before {
        return Ok(false);
    }
    let placed = match before {
        Some(_) => fresh.persist(path),
        None => fresh.persist_noclobber(path),
    };
    match placed {
        Ok(_) => sync_folder(parent).map(|()| true),
        Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(refused) => Err(refused.error),
    }
}

/// A name is on the disk once its folder is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::replace;

    #[test]
    fn only_what_was_seen_is_replaced() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let path = place.path().join("feedback.json");
        let now = || crate::files::text(&path).unwrap_or_default();
        assert!(replace(&path, None, b"1").expect("written"));
        assert!(!replace(&path, None, b"2").expect("refused"));
        assert!(!replace(&path, Some(b"0"), b"2").expect("refused"));
        assert_eq!(now(), "1");
        assert!(replace(&path, Some(b"1"), b"2").expect("written"));
        assert_eq!(now(), "2");
        assert_eq!(crate::write::entries(place.path()).expect("listed"), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_refused_and_permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().expect("a temporary folder");
        let (path, link) = (place.path().join("a"), place.path().join("b"));
        assert!(replace(&path, None, b"1").expect("written"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("set");
        assert!(replace(&path, Some(b"1"), b"2").expect("written"));
        assert_eq!(path.metadata().expect("there").permissions().mode() & 0o777, 0o600);
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        assert!(replace(&link, Some(b"2"), b"3").is_err());
        assert_eq!(crate::files::text(&path).as_deref(), Some("2"));
    }
}
