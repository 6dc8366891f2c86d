//! An output as a reader of the page sees it: text in the page, pictures beside it, everything
//! else as a file to download. Output files are stored under their content's hash, with an
//! extension that no browser runs.

use crate::discover::names;
use crate::files::Source;
use crate::model::Output;
use crate::render::addresses::PartAddresses;
use crate::text::bytes;
use crate::write::Sink;

/// Text beyond this many bytes is cut in the page; the file itself is whole.
const MAX_SHOWN_BYTES: usize = 64 * 1024;

/// Files beyond this many bytes are named, not stored.
const MAX_STORED_BYTES: u64 = 256 * 1024 * 1024;

/// Pictures that browsers show without running anything.
const PICTURES: &[&str] = &["png", "jpg", "jpeg", "gif", "webp"];

/// Extensions kept as they are, because no browser runs such a file.
const HARMLESS: &[&str] = &[
    "txt", "png", "jpg", "jpeg", "gif", "webp", "pdf", "zip", "xlsx", "docx", "pptx", "csv", "tsv",
    "json",
];

/// What is shown of one output.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct Preview {
    /// Its name.
    pub(super) name: String,
    /// Its size in words.
    pub(super) size: String,
    /// Relative address of the stored file, or empty.
    pub(super) href: String,
    /// The text shown in the page, or empty.
    pub(super) text: String,
    /// Whether the file is a picture.
    pub(super) is_picture: bool,
    /// What was left out and why, or empty.
    pub(super) remark: String,
}

/// Stores `output` and says what to show of it. `link` makes an address relative to the page.
pub(super) fn of(
    output: &Output,
    path: &str,
    source: &dyn Source,
    sink: &dyn Sink,
    addresses: &PartAddresses,
    link: &dyn Fn(&str) -> String,
) -> Preview {
    let preview =
        Preview { name: output.name.clone(), size: bytes(output.bytes), ..Preview::default() };
    if output.bytes > MAX_STORED_BYTES {
        return Preview { remark: "too large to be kept in the report".to_owned(), ..preview };
    }
    let content = match source.read(path, MAX_STORED_BYTES) {
        Ok(content) => content,
        Err(error) => {
            let reason = crate::files::reason(&error);
            return Preview { remark: format!("cannot be read: {reason}"), ..preview };
        }
    };
    let extension = names::split_extension(&output.name).1;
    let address = addresses.file(&hash(&content), stored_extension(&extension, &content));
    if let Err(error) = sink.put(&address, &content) {
        let reason = crate::files::reason(&error);
        return Preview { remark: format!("cannot be stored: {reason}"), ..preview };
    }
    let is_picture = PICTURES.contains(&extension.as_str());
    let (text, remark) = if is_picture { Default::default() } else { shown(&content) };
    Preview { href: link(&address), is_picture, text, remark, ..preview }
}

/// The file's own extension where it is harmless, else `txt` or, for what is not text, `bin`.
fn stored_extension<'e>(extension: &'e str, content: &[u8]) -> &'e str {
    match () {
        () if HARMLESS.contains(&extension) => extension,
        () if std::str::from_utf8(content).is_ok() => "txt",
        () => "bin",
    }
}

fn hash(content: &[u8]) -> String {
    blake3::hash(content).to_hex()[..20].to_owned()
}

/// The text of a file and what was cut; nothing for binary files.
fn shown(content: &[u8]) -> (String, String) {
    let cut = content.len() > MAX_SHOWN_BYTES;
    let head = &content[..content.len().min(MAX_SHOWN_BYTES)];
    if head.contains(&0) {
        return (String::new(), "not a text".to_owned());
    }
    let text = match std::str::from_utf8(head) {
        Ok(text) => text.to_owned(),
        Err(error) if cut && error.error_len().is_none() => {
            String::from_utf8_lossy(&head[..error.valid_up_to()]).into_owned()
        }
        Err(_) => String::from_utf8_lossy(head).into_owned(),
    };
    let remark = if cut {
        format!("the first {} of {}", bytes(MAX_SHOWN_BYTES as u64), bytes(content.len() as u64))
    } else {
        String::new()
    };
    (text, remark)
}
