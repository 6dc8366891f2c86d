//! Where comparability ends: a dashed line with its reason beside it, or with a letter that is
//! explained below the chart where not all reasons find room.

use crate::chart::line::Break;
use crate::chart::line::data::Data;
use crate::chart::line::describe;
use crate::chart::line::frame::Frame;
use crate::chart::svg::{Canvas, num, point};
use crate::chart::words::width;

/// Space between a line and the reason beside it.
const AIR: f64 = 5.0;

/// Least distance of two letters in a row.
const LETTER: f64 = 13.0;

/// Height of a row of the key.
const ROW: f64 = 17.0;

/// The left and the right end of something in the row of marks.
pub(super) type Room = (f64, f64);

/// How the reasons of a chart are shown.
pub(super) enum Reasons {
    /// Whole, each in its room beside its line.
    Beside(Vec<Room>),
    Lettered(Key),
}

/// The reasons of a chart, each with a letter and a place below the chart.
pub(super) struct Key {
    /// Reason, left edge and row of each.
    entries: Vec<(String, f64, usize)>,
}

impl Reasons {
    /// How the reasons of `breaks` are shown whose lines stand `at` these places: beside them when
    /// all find room between `taken` and the right `edge` of a drawing.
    pub(super) fn new(breaks: &[Break], at: &[f64], taken: Option<Room>, edge: f64) -> Self {
        let reasons: Vec<&str> = breaks.iter().map(|found| found.reason.as_str()).collect();
        let rooms = rooms(&reasons, at, taken, edge);
        rooms.map_or_else(|| Self::Lettered(Key::new(&reasons, edge)), Self::Beside)
    }

    /// Height of what stands below the chart.
    pub(super) fn height(&self) -> f64 {
        match self {
            Self::Lettered(key) => {
                key.entries.last().map_or(0.0, |&(.., row)| (row + 1) as f64 * ROW)
            }
            Self::Beside(_) => 0.0,
        }
    }

    /// Draws the lines, what stands beside or above them, and the key below the chart. Each line
    /// has its whole reason in its title.
    pub(super) fn draw(&self, canvas: &mut Canvas, data: &Data<'_>, frame: &Frame) {
        let mut free = 0.0;
        for (number, found) in data.chart.breaks.iter().enumerate() {
            let (x, y) = (frame.x_before(found.index), frame.top - 10.0);
            canvas.link(None, &describe::broken(data, found), |canvas| {
                let start = point((x, frame.top - 8.0));
                canvas.path("break", &format!("M{start}V{}", num(frame.bottom)));
                match self {
                    Self::Beside(rooms) => {
                        canvas.text("halo quiet", (rooms[number].0, y), "start", &found.reason);
                    }
                    Self::Lettered(key) => {
                        if let Some(letter) = key.letter(&found.reason).filter(|_| x >= free) {
                            canvas.text("halo quiet", (x, y - 2.0), "middle", &letter);
                            free = x + LETTER;
                        }
                    }
                }
            });
        }
        if let Self::Lettered(key) = self {
            key.draw(canvas, frame.size.0, frame.size.1 - 6.0 - self.height());
        }
    }
}

impl Key {
    fn new(reasons: &[&str], edge: f64) -> Self {
        let mut entries: Vec<(String, f64, usize)> = Vec::new();
        let (mut x, mut row) = (0.0, 0);
        for &reason in reasons {
            if reason.is_empty() || entries.iter().any(|(known, ..)| known == reason) {
                continue;
            }
            let needed = LETTER + width(reason).min(edge - LETTER);
            if x > 0.0 && x + needed > edge {
                (x, row) = (0.0, row + 1);
            }
            entries.push((reason.to_owned(), x, row));
            x += needed + 18.0;
        }
        Self { entries }
    }

    fn draw(&self, canvas: &mut Canvas, width: f64, top: f64) {
        for (index, (reason, x, row)) in self.entries.iter().enumerate() {
            let y = top + *row as f64 * ROW + 15.0;
            canvas.text("name", (*x, y), "start", &letter(index));
            canvas.text_within(width - x - LETTER, "quiet", (x + LETTER, y), "start", reason);
        }
    }

    /// The letter of a reason; `None` for one that it does not hold.
    fn letter(&self, reason: &str) -> Option<String> {
        self.entries.iter().position(|(known, ..)| known == reason).map(letter)
    }
}

/// `a` to `z`, then `aa`.
fn letter(index: usize) -> String {
    let last = char::from(b'a' + u8::try_from(index % 26).unwrap_or_default());
    match index / 26 {
        0 => last.to_string(),
        more => letter(more - 1) + &last.to_string(),
    }
}

/// A room beside its line for each reason, after it or before it; `None` when one finds none.
fn rooms(reasons: &[&str], at: &[f64], best: Option<Room>, edge: f64) -> Option<Vec<Room>> {
    let mut taken: Vec<Room> = best.into_iter().chain(at.iter().map(|&x| (x, x))).collect();
    let mut found = Vec::new();
    for (reason, &x) in reasons.iter().zip(at) {
        let room = match reason.is_empty() {
            true => (x, x),
            false => room(width(reason), x, &taken, edge)?,
        };
        taken.push(room);
        found.push(room);
    }
    Some(found)
}

/// Where a reason of this length stands whole beside a line at `x`.
fn room(length: f64, x: f64, taken: &[Room], edge: f64) -> Option<Room> {
    if taken.iter().any(|&(from, to)| from < x && x < to) {
        return None;
    }
    let starts = taken.iter().map(|&(from, _)| from).filter(|&from| from > x + 0.01);
    let ends = taken.iter().map(|&(_, to)| to).filter(|&to| to < x - 0.01);
    let after = starts.fold(edge, f64::min) - x - 2.0 * AIR;
    let before = x - ends.fold(0.0, f64::max) - 2.0 * AIR;
    if length <= after {
        Some((x + AIR, x + AIR + length))
    } else {
        (length <= before).then_some((x - AIR - length, x - AIR))
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, letter, rooms};
    use crate::chart::words::width;

    #[test]
    fn reasons_stand_beside_their_lines_where_all_find_room() {
        let length = width("model");
        let found = rooms(&["model"], &[100.0], None, 700.0);
        assert_eq!(found, Some(vec![(105.0, 105.0 + length)]));
        let found = rooms(&["model"], &[300.0], Some((310.0, 380.0)), 700.0);
        assert_eq!(found, Some(vec![(295.0 - length, 295.0)]));
        assert_eq!(rooms(&["model"], &[300.0], Some((280.0, 340.0)), 700.0), None);
        assert_eq!(rooms(&["model", "model"], &[10.0, 30.0], None, 60.0), None);
        assert_eq!(rooms(&["", "model"], &[10.0, 30.0], None, 90.0).map(|it| it.len()), Some(2));
    }

    #[test]
    fn a_key_names_each_reason_once() {
        let key = Key::new(&["model", "cases", "", "model", "cases"], 80.0);
        let rows: Vec<_> = key.entries.iter().map(|(text, _, row)| (text.as_str(), *row)).collect();
        assert_eq!(rows, [("model", 0), ("cases", 1)]);
        assert_eq!(key.letter("cases"), Some("b".to_owned()));
        assert_eq!(key.letter(""), None);
        assert_eq!([0, 25, 26, 27, 52].map(letter), ["a", "z", "aa", "ab", "ba"]);
    }
}
