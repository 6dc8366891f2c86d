//! Natural order: `iteration-2` before `iteration-10`.

use std::cmp::Ordering;

/// Compares names the way people number things: runs of digits by value, the rest by character
/// without regard to case. Names that only differ in case or leading zeros are told apart by
/// their bytes, so the order is total.
pub fn natural_order(left: &str, right: &str) -> Ordering {
    let start = same_pieces(left, right);
    let (mut a, mut b) = (&left[start..], &right[start..]);
    loop {
        let order = match (take_piece(&mut a), take_piece(&mut b)) {
            (None, None) => return left.cmp(right),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(x), Some(y)) => x.compare(&y),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Where the pieces begin that are to be compared: paths of one folder begin with the same ones.
fn same_pieces(left: &str, right: &str) -> usize {
    let same = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let end = left.floor_char_boundary(same);
    left[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len()
}

/// A run of digits or one other character.
enum Piece<'a> {
    Digits(&'a str),
    Letter(char),
}

impl Piece<'_> {
    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Digits(x), Self::Digits(y)) => compare_digits(x, y),
            (Self::Digits(_), Self::Letter(c)) => '0'.cmp(c),
            (Self::Letter(c), Self::Digits(_)) => c.cmp(&'0'),
            (Self::Letter(x), Self::Letter(y)) => lower(*x).cmp(&lower(*y)),
        }
    }
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn compare_digits(x: &str, y: &str) -> Ordering {
    let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
    x.len().cmp(&y.len()).then_with(|| x.cmp(y))
}

fn take_piece<'a>(text: &mut &'a str) -> Option<Piece<'a>> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        let (head, tail) = text.split_at(digits);
        *text = tail;
        return Some(Piece::Digits(head));
    }
    let letter = text.chars().next()?;
    *text = &text[letter.len_utf8()..];
    Some(Piece::Letter(letter))
}

#[cfg(test)]
mod tests {
    use super::natural_order;

    #[test]
    fn numbers_count_by_value() {
        let mut names = [
            "iteration-10",
            "iteration-3b",
            "iteration-2",
            "iteration-master",
            "iteration-3",
            "iteration-7-rerun",
            "iteration-7",
            "Iteration-1",
        ];
        names.sort_by(|a, b| natural_order(a, b));
        let expected = [
            "Iteration-1",
            "iteration-2",
            "iteration-3",
            "iteration-3b",
            "iteration-7",
            "iteration-7-rerun",
            "iteration-10",
            "iteration-master",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn long_numbers_and_leading_zeros() {
        assert!(natural_order("a99999999999999999998", "a99999999999999999999").is_lt());
        assert!(natural_order("a01", "a1").is_lt());
        assert!(natural_order("a01", "a2").is_lt());
        assert!(natural_order("評估-2", "評估-10").is_lt());
        assert!(natural_order("a-12/x", "a-1/y").is_gt());
        assert!(natural_order("é", "è").is_gt());
    }
}
