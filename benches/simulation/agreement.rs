//! How often the range of "you agreed with 10 of these 12" holds the share of right verdicts among those
//! that were asked, and the rate at which the grader is right on such verdicts: the exact interval, and
//! Wilson's.
//!
//! A person looks at a dozen verdicts, cannot tell on some, and errs on a few.

use evalbook::{Random, Share as Agreed};

use super::{heading, row, shares};

const ASKED: [usize; 4] = [3, 6, 9, 12];
const RATES: [f64; 5] = [0.5, 0.7, 0.85, 0.95, 0.99];

/// How often the person errs, in percent.
const ERRORS: [u32; 3] = [0, 5, 10];
const CANNOT_TELL: f64 = 0.15;

/// What a range may hold.
const TITLES: [&str; 4] = [
    "agreement: the exact range holds the share of those asked (one column for each number)",
    "agreement: the range of Wilson holds it",
    "agreement: the exact range holds the rate of such verdicts",
    "agreement: the range of Wilson holds it",
];

pub(super) fn print(evaluations: u64) {
    let mut tables = TITLES.map(|_| Vec::new());
    for error in ERRORS {
        for rate in RATES {
            let cells = ASKED.map(|asked| {
                let seed = (rate * 1000.0) as u64 + 10_000 * u64::from(error) + 1_000_000;
                shares(seed, evaluations, |random| held(random, asked, rate, error))
            });
            let truth = format!("right in {:.0} %, person errs in {error} %", 100.0 * rate);
            for (at, table) in tables.iter_mut().enumerate() {
                table.push((truth.clone(), cells.map(|cell| cell[at])));
            }
        }
    }
    for (title, rows) in TITLES.iter().zip(tables) {
        heading(title, &ASKED);
        for (truth, cells) in rows {
            row(&truth, 1, cells.into_iter());
        }
    }
}

/// Which of the ranges hold what they speak of; a person who cannot tell at all says nothing.
fn held(random: &mut Random, asked: usize, rate: f64, error: u32) -> [Option<bool>; 4] {
    let (mut right, mut agreed, mut judged) = (0, 0, 0);
    for _ in 0..asked {
        let is_right = random.unit() < rate;
        right += u32::from(is_right);
        if random.unit() < CANNOT_TELL {
            continue;
        }
        judged += 1;
        agreed += u64::from(is_right != (random.unit() < f64::from(error) / 100.0));
    }
    let Some(found) = Agreed::new(agreed, judged) else { return [None; 4] };
    let of_asked = f64::from(right) / asked as f64;
    let (exact, wilson) = (found.exact(), found.wilson());
    [(exact, of_asked), (wilson, of_asked), (exact, rate), (wilson, rate)]
        .map(|(range, truth)| Some(range.low <= truth && truth <= range.high))
}
