//! Separated values, as RFC 4180 has them and spreadsheets write them.

/// The records of `text`. Blank lines are none; a quote that is not closed runs to the end.
pub fn records(text: &str, separator: u8) -> impl Iterator<Item = Vec<String>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(['\r', '\n']);
        if rest.is_empty() {
            return None;
        }
        let mut record = Vec::new();
        loop {
            let (cell, after) = cell(rest, separator);
            record.push(cell);
            match after.as_bytes().first() {
                Some(byte) if *byte == separator => rest = &after[1..],
                _ => {
                    rest = after;
                    return Some(record);
                }
            }
        }
    })
}

/// The cell that `text` begins with, and the rest from the sign that ends it.
fn cell(text: &str, separator: u8) -> (String, &str) {
    let (mut cell, mut rest) = (String::new(), text);
    if let Some(mut quoted) = text.strip_prefix('"') {
        loop {
            let end = quoted.find('"').unwrap_or(quoted.len());
            cell.push_str(&quoted[..end]);
            rest = quoted.get(end + 1..).unwrap_or_default();
            // Two quotes are one of the cell.
            let Some(after) = rest.strip_prefix('"') else { break };
            cell.push('"');
            quoted = after;
        }
    }
    // Some programs write more after the closing quote.
    let is_end = |byte| byte == separator || byte == b'\n' || byte == b'\r';
    let end = rest.bytes().position(is_end).unwrap_or(rest.len());
    cell.push_str(&rest[..end]);
    (cell, &rest[end..])
}

#[cfg(test)]
mod tests {
    use super::records;

    #[test]
    fn records_are_those_of_other_readers() {
        let texts = [
            "a,b\n1,2\n",
            "a,\r\n\r\n,b\r\r\n\"\"\n",
            "\"x,\ny\",\"q\"\"q\"\n\"a\"b\"c\",d\"e\"\n",
            "\"never closed, \"\"\n1",
            " \"a\", b ,,\n,",
            "é,\u{3000},\"\u{1f600}\"",
            "",
        ];
        for text in texts {
            let mut reader = csv::ReaderBuilder::new();
            let mut reader = reader.has_headers(false).flexible(true).from_reader(text.as_bytes());
            let expected: Vec<Vec<String>> = reader
                .records()
                .map(|record| record.unwrap().iter().map(str::to_owned).collect())
                .collect();
            assert_eq!(records(text, b',').collect::<Vec<_>>(), expected, "{text:?}");
        }
    }
}
