//! Which files a shell command shows to the agent, and which scripts it runs.

/// Programs that print a file.
const READERS: &str = "cat sed head tail awk gawk less more nl bat batcat get-content gc type";

/// Programs that run another one.
const WRAPPERS: &str = "sudo env time command exec nohup rtk xargs";

/// Shells that take a command as a text.
const SHELLS: &str = "bash sh zsh dash powershell pwsh cmd";

/// Programs that take in a text and print none of it.
const SINKS: &str = "wc md5sum sha1sum sha256sum shasum cksum tee grep rg";

use std::collections::BTreeMap;

use crate::text::is_listed;

/// What a command does with files.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Used {
    /// Paths of files that it prints.
    pub(super) read: Vec<String>,
    /// What it runs, with the first argument.
    pub(super) run: Vec<String>,
    /// Files that it writes.
    pub(super) written: Vec<String>,
}

/// A longer command is read up to here.
const MOST_BYTES: usize = 64 * 1024;

/// Commands in commands are followed so deep.
const MOST_DEPTH: usize = 3;

/// What `command` does.
pub(super) fn used_by(command: &str) -> Used {
    let mut used = Used::default();
    follow(&command[..command.floor_char_boundary(MOST_BYTES)], &mut used, 0);
    used
}

fn follow(command: &str, used: &mut Used, depth: usize) {
    let mut state = Shell::default();
    let segments = segments(&without_documents(command));
    for (at, (words, _)) in segments.iter().enumerate() {
        // What a pipe ends in decides whether the agent sees the text.
        let pipe = segments[at..].windows(2).take_while(|pair| pair[0].1);
        let ends_in_sink = pipe
            .map(|pair| &pair[1].0)
            .any(|next| next.first().is_some_and(|word| is_listed(SINKS, program(&word.text))));
        state.take(words, ends_in_sink, used, depth);
    }
}

/// What a shell knows between commands.
#[derive(Default)]
struct Shell {
    variables: BTreeMap<String, String>,
    folder: String,
}

impl Shell {
    fn take(&mut self, words: &[Word], is_hidden: bool, used: &mut Used, depth: usize) {
        let words: Vec<Word> =
            words.iter().map(|word| Word { text: self.resolve(&word.text), ..*word }).collect();
        let mut rest = &words[..];
        while let Some((first, after)) = rest.split_first() {
            if let Some((name, value)) = assignment(&first.text) {
                self.variables.insert(name.to_owned(), value.to_owned());
            } else if !is_listed(WRAPPERS, program(&first.text)) {
                break;
            }
            rest = after;
        }
        let Some((first, arguments)) = rest.split_first() else { return };
        let name = program(&first.text).to_ascii_lowercase();
        let is_to_file = words.iter().any(|word| word.is_redirect);
        let targets = words.iter().filter(|word| word.is_redirect);
        used.written.extend(targets.map(|word| word.text.clone()));
        let is_given = |word: &&Word| !word.is_redirect && !word.text.starts_with('-');
        let mut given =
            arguments.iter().filter(is_given).map(|argument| self.below(&argument.text));
        if name == "cd" {
            self.folder = given.next().unwrap_or_default();
        } else if is_listed(SHELLS, &name) {
            let is_flag =
                |word: &&Word| word.text.starts_with('-') && word.text.ends_with(['c', 'd']);
            let command = arguments.iter().skip_while(|argument| !is_flag(argument)).nth(1);
            if let Some(command) = command.filter(|_| depth < MOST_DEPTH) {
                follow(&command.text, used, depth + 1);
            }
            used.run.extend(given.next());
        } else if is_listed(READERS, &name) {
            let edits =
                name == "sed" && arguments.iter().any(|argument| argument.text.starts_with("-i"));
            if !is_to_file && !is_hidden && !edits {
                used.read.extend(given);
            }
        } else {
            used.run.push(self.below(&first.text));
            used.run.extend(given.next());
        }
    }

    /// A path as seen from where the command began.
    fn below(&self, path: &str) -> String {
        let is_rooted = path.starts_with(['/', '\\', '~', '$']);
        if is_rooted || self.folder.is_empty() {
            return path.to_owned();
        }
        format!("{}/{path}", self.folder)
    }

    /// A word with the variables that the command itself sets.
    fn resolve(&self, word: &str) -> String {
        let Some(at) = word.find('$') else { return word.to_owned() };
        let after = &word[at + 1..];
        let braced = after.strip_prefix('{');
        let body = braced.unwrap_or(after);
        let end = body.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(body.len());
        let Some(value) = self.variables.get(&body[..end]) else { return word.to_owned() };
        let rest = &body[end..];
        let rest = braced.map_or(rest, |_| rest.strip_prefix('}').unwrap_or(rest));
        format!("{}{value}{rest}", &word[..at])
    }
}

#[derive(Clone, Debug, Default)]
struct Word {
    text: String,
    /// Whether output goes into the file of this name, which is not read.
    is_redirect: bool,
}

fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    (!name.is_empty() && is_name(name)).then_some((name, value))
}

fn program(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

/// The command without the lines of its here-documents, which are data.
fn without_documents(command: &str) -> String {
    let mut kept = Vec::new();
    let mut end: Option<&str> = None;
    for line in command.lines() {
        if let Some(mark) = end {
            end = (line.trim() != mark).then_some(mark);
            continue;
        }
        let (before, after) = line.split_once("<<").unwrap_or((line, ""));
        let mark = after.trim_start_matches(['-', '<', ' ']).trim_start_matches(['\'', '"', '\\']);
        let mark = mark.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        end = mark.filter(|mark| !mark.is_empty());
        kept.push(before);
    }
    kept.join("\n")
}

/// The words of each simple command, and whether its output goes into the next.
fn segments(command: &str) -> Vec<(Vec<Word>, bool)> {
    let mut splitter = Splitter { found: vec![(Vec::new(), false)], ..Splitter::default() };
    let mut quote = None;
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"'), '\\') if matches!(chars.peek(), Some('"' | '\\' | '$')) => {
                splitter.word.text.extend(chars.next());
            }
            (Some(_), c) => splitter.word.text.push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                splitter.open();
            }
            (None, ' ' | '\t') => splitter.end_word(),
            // `>&2`: to another stream, not into a file.
            (None, '&') if splitter.redirects && !splitter.is_open => {
                splitter.redirects = false;
                chars.next();
            }
            (None, '\n' | ';' | '|' | '&' | '(' | ')') => {
                let is_pair = chars.next_if_eq(&c).is_some();
                splitter.end_command(c == '|' && !is_pair);
            }
            (None, '>') if splitter.word.text == "2" => {
                (splitter.word, splitter.is_open) = (Word::default(), false);
                skip_target(&mut chars);
            }
            (None, '>') => {
                splitter.end_word();
                splitter.redirects = true;
                while chars.next_if_eq(&'>').is_some() {}
            }
            (None, c) => {
                splitter.open();
                splitter.word.text.push(c);
            }
        }
    }
    splitter.end_word();
    splitter.found
}

/// Words as they are found.
#[derive(Default)]
struct Splitter {
    found: Vec<(Vec<Word>, bool)>,
    word: Word,
    /// Whether a word has begun.
    is_open: bool,
    /// Whether the next word is where output goes.
    redirects: bool,
}

impl Splitter {
    fn open(&mut self) {
        self.is_open = true;
        self.word.is_redirect |= std::mem::take(&mut self.redirects);
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if std::mem::take(&mut self.is_open)
            && let Some((words, _)) = self.found.last_mut()
        {
            words.push(word);
        }
    }

    fn end_command(&mut self, is_piped: bool) {
        self.end_word();
        if let Some((_, goes_on)) = self.found.last_mut() {
            *goes_on = is_piped;
        }
        self.found.push((Vec::new(), false));
    }
}

/// Leaves out where messages go: `2>/dev/null`, `2>&1`.
fn skip_target(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while chars.next_if(|c| matches!(c, '>' | '&' | ' ')).is_some() {}
    while chars.next_if(|c| !c.is_whitespace() && !matches!(c, ';' | '|' | '&' | ')')).is_some() {}
}

#[cfg(test)]
mod tests {
    use super::used_by;

    #[test]
    fn what_a_command_prints() {
        let table: &[(&str, &[&str])] = &[
            ("cat a/SKILL.md", &["a/SKILL.md"]),
            ("cat a/SKILL.md 2>/dev/null", &["a/SKILL.md"]),
            ("cat 'a b/SKILL.md' && ls", &["a b/SKILL.md"]),
            ("ls -la; head -50 a/SKILL.md | tail -5", &["a/SKILL.md"]),
            ("bash -lc \"sed -n 1,80p .agents/x/SKILL.md\"", &["1,80p", ".agents/x/SKILL.md"]),
            ("/bin/zsh -lc \"sed -n '1,80p' x/SKILL.md\"", &["1,80p", "x/SKILL.md"]),
            ("D=.claude/skills/x; cat $D/SKILL.md", &[".claude/skills/x/SKILL.md"]),
            ("D=.claude/skills/x && cat \"${D}/SKILL.md\"", &[".claude/skills/x/SKILL.md"]),
            ("cd skills/x && cat SKILL.md", &["skills/x/SKILL.md"]),
            ("Get-Content -Path skills\\x\\SKILL.md", &["skills\\x\\SKILL.md"]),
            ("sudo cat a", &["a"]),
            ("cat a/SKILL.md > b", &[]),
            ("cat b > a/SKILL.md", &[]),
            ("cat > a/SKILL.md <<'EOF'\ncat x/SKILL.md\nEOF\ncat c", &["c"]),
            ("cat a/SKILL.md | wc -l", &[]),
            ("cat a/SKILL.md | tr a b | grep -c x", &[]),
            ("sed -i s/a/b/ a/SKILL.md", &[]),
            ("ls a/SKILL.md; find . -name SKILL.md; rg --files", &[]),
            ("echo 'cat a/SKILL.md'", &[]),
            ("cat a >&2", &["a"]),
            ("", &[]),
        ];
        for (command, expected) in table {
            assert_eq!(used_by(command).read, *expected, "{command}");
        }
    }

    #[test]
    fn what_a_command_runs() {
        assert_eq!(used_by("python x/scripts/a.py in").run, ["python", "x/scripts/a.py"]);
        assert_eq!(used_by("cd x && bash scripts/b.sh").run, ["x/scripts/b.sh"]);
        assert_eq!(used_by("A=1 ./x/scripts/c").run, ["./x/scripts/c"]);
    }
}
