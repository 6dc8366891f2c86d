//! Pages in real browsers. Where there is no Chromium or Firefox, these tests say so and pass.

mod accessibility;
mod comfort;
mod copies;
mod deciding;
mod layout;
mod opening;
mod paths;
mod review;
