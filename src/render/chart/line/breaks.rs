//! Where comparability ends: a dashed line with its reason beside it, or with a letter that is
//! explained below the chart where not all reasons find room.

use crate::render::chart::line::data::Data;
use crate::render::chart::line::describe;
use crate::render::chart::line::frame::Frame;
use crate::render::chart::line::reasons::{Key, LETTER, ROW, Reasons, letter};
use crate::render::chart::svg::{Anchor, Canvas, num};
use crate::render::chart::words::shorten;

/// Draws the lines, what stands beside or above them, and the key below the chart. Each line has
/// its whole reason in its title.
pub(super) fn draw(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame) {
    let mut free = 0.0;
    for (number, &(index, reason)) in data.breaks.iter().enumerate() {
        let x = frame.x_before(index);
        canvas.link(None, &describe::broken(data, index, reason), |canvas| {
            let d = format!("M{} {}V{}", num(x), num(frame.top - 8.0), num(frame.bottom));
            canvas.path("break", &d);
            let y = frame.top - 10.0;
            match &frame.reasons {
                Reasons::Beside(rooms) => {
                    canvas.text("halo quiet", (rooms[number].0, y), Anchor::Start, reason);
                }
                Reasons::Lettered(key) => {
                    if let Some(letter) = key.letter(reason).filter(|_| x >= free) {
                        canvas.text("halo quiet", (x, y - 2.0), Anchor::Middle, &letter);
                        free = x + LETTER;
                    }
                }
            }
        });
    }
    if let Reasons::Lettered(key) = &frame.reasons {
        draw_key(canvas, key, frame);
    }
}

fn draw_key(canvas: &mut Canvas, key: &Key, frame: &Frame) {
    let top = frame.height - 6.0 - frame.reasons.height();
    for (index, (reason, x, row)) in key.entries.iter().enumerate() {
        let y = top + *row as f64 * ROW + 15.0;
        let shown = shorten(reason, frame.screen.width() - x - LETTER);
        canvas.text("name", (*x, y), Anchor::Start, &letter(index));
        canvas.text_of("quiet", (x + LETTER, y), Anchor::Start, &shown, reason);
    }
}
