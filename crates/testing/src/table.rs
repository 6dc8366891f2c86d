//! Tables of samples, written as text; unit tests and tests of the program share it.

/// The rows of a table, one line each, with `=>` between the cells. In a cell, `⏎` stands for the end of
/// a line, `␣` for a blank at its edge, and `␉` and its like for control characters. Lines that begin
/// with `-- ` are comments.
pub fn rows<const CELLS: usize>(table: &str) -> Vec<[String; CELLS]> {
    let lines = table.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("-- ")).map(row).collect()
}

fn row<const CELLS: usize>(line: &str) -> [String; CELLS] {
    let cells: Vec<String> = line.split("=>").map(|cell| unescaped(cell.trim())).collect();
    cells.try_into().unwrap_or_else(|_| panic!("not {CELLS} cells: {line}"))
}

/// The text with the characters that it has signs for.
pub fn unescaped(cell: &str) -> String {
    let character = |c: char| match c {
        '⏎' => '\n',
        '␣' => ' ',
        '\u{2400}'..='\u{241f}' => char::from(c as u8),
        _ => c,
    };
    cell.chars().map(character).collect()
}

/// The blocks of a table, which blank lines separate: the first line of each, which is its name, and
/// the others.
pub fn blocks(table: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    table.trim().split("\n\n").map(|block| {
        let mut lines = block.lines().map(str::trim_end);
        (lines.next().unwrap_or_default(), lines.collect())
    })
}

/// The first cell of each row of the first table in a page in Markdown, without its head.
pub fn first_column(page: &str) -> Vec<&str> {
    let part = page.split("\n## ").next().unwrap_or_default();
    let cells = part.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    cells.skip(1).collect()
}
