//! What a page may load and do: every content security policy of this program.
//!
//! Reports show files that nobody has read before. Whatever markup one of them smuggled into a page, the
//! policies leave it nothing to load, to run or to send to.

/// Our pages as `evalbook serve` answers them: they also receive events and submit comments.
pub(crate) const SERVED_PAGE: &str = "default-src 'none'; style-src 'self'; img-src 'self'; \
    script-src 'self'; connect-src 'self'; object-src 'self'; frame-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// Outputs of runs: shown in one of our pages or alone, without doing anything.
pub(crate) const SERVED_OUTPUT: &str = "default-src 'none'; style-src 'unsafe-inline'; \
    img-src data:; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// A PDF: the browser's viewer does not start under a stricter policy.
pub(crate) const SERVED_PDF: &str = "frame-ancestors 'self'";

/// Files that are only shown or loaded, never a page.
pub(crate) const SERVED_FILE: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// The cleaned copy of an HTML output: it may show itself, and the pictures it contains.
pub(crate) const COPY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'";

/// A report in one file, as [`COPY`]; the digest is that of its comment box, `one_file/comments.js`.
pub(crate) const ONE_FILE: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    script-src 'sha256-Fd1cCLhXTSFHtmkVG6xdBF+yvtf/UkBaQjDEtL8Ey8U='; base-uri 'none'; \
    form-action 'none'";

/// What a page of ours contains that others do not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PageContent {
    /// A document that the browser itself shows, such as a PDF.
    pub(crate) has_document: bool,
    /// A frame with the cleaned copy of an output.
    pub(crate) has_frame: bool,
    /// The script of `evalbook serve`.
    pub(crate) is_served: bool,
}

/// The policy in the head of a page, which names no more than the page needs.
pub(crate) fn page(content: PageContent) -> String {
    let mut policy =
        "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'".to_owned();
    if content.is_served {
        policy += "; connect-src 'self'";
    }
    if content.has_document {
        policy += "; object-src 'self'";
    }
    // Browsers show a document in a frame of their own.
    if content.has_document || content.has_frame {
        policy += "; frame-src 'self'";
    }
    policy + "; base-uri 'none'; form-action 'none'"
}
