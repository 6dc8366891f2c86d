//! Pages in a real browser. Where there is no Chromium, these tests say so and pass.

mod accessibility;
mod comfort;
mod layout;
mod opening;
mod review;
