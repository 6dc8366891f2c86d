//! The templates and assets that come with the program, and the engine that fills them.

use include_dir::{Dir, include_dir};
use serde::Serialize;
use tera::{Context, Tera};

use crate::render::RenderError;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");
static ASSETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets");

/// The page templates.
pub(super) struct Templates {
    tera: Tera,
}

impl Templates {
    /// The templates that come with the program.
    pub(super) fn built_in() -> Result<Self, RenderError> {
        let mut tera = Tera::default();
        let files = TEMPLATES.files().filter_map(|file| {
            Some((file.path().to_str()?.to_owned(), file.contents_utf8()?.to_owned()))
        });
        tera.add_raw_templates(files.collect::<Vec<_>>())
            .map_err(|error| failed("templates", &error))?;
        Ok(Self { tera })
    }

    /// Fills `template` for the page at `path`.
    pub(super) fn fill(
        &self,
        template: &str,
        path: &str,
        view: &impl Serialize,
    ) -> Result<Vec<u8>, RenderError> {
        let context = Context::from_serialize(view).map_err(|error| failed(path, &error))?;
        let page = self.tera.render(template, &context).map_err(|error| failed(path, &error))?;
        Ok(page.into_bytes())
    }
}

fn failed(page: &str, error: &tera::Error) -> RenderError {
    RenderError::Template { page: page.to_owned(), reason: chain(error) }
}

fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}

/// Style sheet and scripts, with their place in the report.
pub(super) fn assets() -> impl Iterator<Item = (String, &'static [u8])> {
    ASSETS.files().filter_map(|file| {
        let name = file.path().to_str()?;
        Some((format!("assets/{name}"), file.contents()))
    })
}
