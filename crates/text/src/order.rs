//! The order in which people expect names.

use std::cmp::Ordering;

/// Compares names the way people number things: runs of digits by value, the rest by character,
/// ignoring case. Names that differ only in case or leading zeros are ordered by their bytes, so
/// the order is total.
pub fn natural_order(left: &str, right: &str) -> Ordering {
    // Paths in one folder begin alike. The number in which they may differ is compared whole.
    let same = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let same = &left[..left.floor_char_boundary(same)];
    let start = same.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (mut a, mut b) = (&left[start..], &right[start..]);
    loop {
        let (piece, other) = (take_piece(&mut a), take_piece(&mut b));
        match piece.cmp(&other) {
            Ordering::Equal if piece.is_none() => return left.cmp(right),
            Ordering::Equal => {}
            order => return order,
        }
    }
}

/// A run of digits, as `0`, their number, and the digits without leading zeros; or one other
/// character in lower case.
fn take_piece<'a>(text: &mut &'a str) -> Option<(char, usize, &'a str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        let (head, tail) = text.split_at(digits);
        *text = tail;
        let head = head.trim_start_matches('0');
        return Some(('0', head.len(), head));
    }
    let letter = text.chars().next()?;
    *text = &text[letter.len_utf8()..];
    Some((letter.to_lowercase().next().unwrap_or(letter), 0, ""))
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
