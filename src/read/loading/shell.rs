//! The files that a shell command shows to the agent or writes, and the programs it runs.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::read::loading::harness::SCRIPTS;
use crate::text::is_listed;

/// Programs that print a file, that run another one, and shells that take a command as text.
const READERS: &str = "cat sed head tail awk gawk less more nl bat batcat get-content gc type";
const WRAPPERS: &str = "sudo env time command exec nohup rtk xargs";
const SHELLS: &str = "bash sh zsh dash powershell pwsh cmd";

/// Programs that consume a text and print none of it.
const SINKS: &str = "wc md5sum sha1sum sha256sum shasum cksum tee grep rg";

/// Programs that look around, clean up or print, which every run uses.
const COMMON_PROGRAMS: &str = "ls find grep egrep fgrep rg fd tree pwd which whereis file stat du \
    df wc sort uniq cut tr tee diff cmp echo printf mkdir rmdir rm cp mv ln touch chmod test true \
    false set export unset source . sleep date exit return read then else fi do done if for while \
    case esac local function ps kill id whoami uname hostname man help alias history clear env";

/// The most bytes of a command that are read.
const MAX_COMMAND_BYTES: usize = 64 * 1024;

/// Redirections of errors and between streams: `2>/dev/null`, `2>&1`, `>&2`.
static STREAMS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[0-9]?>&[0-9]|[ \t]2>>? *[^ \t\n;|&)]+").ok());

static VARIABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\$\{?([0-9A-Za-z_]+)\}?").ok());

/// The effects of a command on files.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CommandUsage {
    /// Paths of files that it prints.
    pub(super) read: Vec<String>,
    /// Programs it runs, with their first argument.
    pub(super) run: Vec<String>,
    pub(super) written: Vec<String>,
    /// Programs that do more than look around, each with its script or subcommand.
    pub(super) steps: Vec<String>,
}

#[derive(Debug, PartialEq)]
enum ShellToken {
    /// A word; with `>` before it, the file that output goes to.
    Word(String),
    Pipe,
    End,
}

pub(super) fn used_by(command: &str) -> CommandUsage {
    let mut used = CommandUsage::default();
    follow(&command[..command.floor_char_boundary(MAX_COMMAND_BYTES)], &mut used);
    used
}

fn follow(command: &str, used: &mut CommandUsage) {
    let mut shell = Shell::default();
    for pipeline in tokens(command).split(|token| *token == ShellToken::End) {
        let commands: Vec<&[ShellToken]> =
            pipeline.split(|token| *token == ShellToken::Pipe).collect();
        // The end of a pipe decides whether the agent sees the text.
        let sink = commands.iter().rposition(|tokens| match tokens.first() {
            Some(ShellToken::Word(name)) => is_listed(SINKS, program(name)),
            _ => false,
        });
        for (at, tokens) in commands.into_iter().enumerate() {
            shell.run(tokens, sink.is_some_and(|sink| sink > at), used);
        }
    }
}

#[derive(Default)]
struct Shell {
    variables: BTreeMap<String, String>,
    folder: String,
}

impl Shell {
    fn run(&mut self, tokens: &[ShellToken], is_hidden: bool, used: &mut CommandUsage) {
        let (mut words, mut targets) = (Vec::new(), Vec::new());
        for token in tokens {
            let ShellToken::Word(word) = token else { continue };
            let word = self.resolve(word);
            let assigned =
                word.split_once('=').filter(|(name, _)| words.is_empty() && is_name(name));
            if let Some(path) = word.strip_prefix('>') {
                targets.push(path.to_owned());
            } else if let Some((name, value)) = assigned {
                self.variables.insert(name.to_owned(), value.to_owned());
            } else if !words.is_empty() || !is_listed(WRAPPERS, program(&word)) {
                words.push(word);
            }
        }
        let Some((first, arguments)) = words.split_first() else { return };
        let is_to_file = !targets.is_empty();
        used.written.append(&mut targets);
        let name = program(first).to_ascii_lowercase();
        let files = arguments.iter().filter(|argument| !argument.starts_with('-'));
        let mut files = files.map(|argument| self.below(argument));
        if name == "cd" {
            self.folder = files.next().unwrap_or_default();
        } else if is_listed(SHELLS, &name) {
            let is_flag = |word: &String| word.starts_with('-') && word.ends_with(['c', 'd']);
            if let Some(command) = arguments.iter().skip_while(|word| !is_flag(word)).nth(1) {
                follow(command, used);
            } else if let Some(script) = files.next() {
                used.steps.push(step(&name, arguments));
                used.run.push(script);
            }
        } else if is_listed(READERS, &name) {
            let edits = name == "sed" && arguments.iter().any(|word| word.starts_with("-i"));
            if !is_to_file && !is_hidden && !edits {
                used.read.extend(files);
            }
        } else {
            used.run.extend([self.below(first)].into_iter().chain(files.next()));
            let is_name = name.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c));
            if is_name && !is_listed(COMMON_PROGRAMS, &name) {
                used.steps.push(step(&name, arguments));
            }
        }
    }

    /// A path relative to where the command began.
    fn below(&self, path: &str) -> String {
        match path.starts_with(['/', '\\', '~', '$']) || self.folder.is_empty() {
            true => path.to_owned(),
            false => format!("{}/{path}", self.folder),
        }
    }

    /// A word with the command's own variables expanded.
    fn resolve(&self, word: &str) -> String {
        let value = |found: &Captures<'_>| {
            self.variables.get(&found[1]).cloned().unwrap_or_else(|| found[0].to_owned())
        };
        match &*VARIABLE {
            Some(variable) if word.contains('$') => variable.replace_all(word, value).into_owned(),
            _ => word.to_owned(),
        }
    }
}

/// A program with its script or subcommand; other arguments are specific to this run.
fn step(name: &str, arguments: &[String]) -> String {
    let file = arguments.iter().find(|argument| !argument.starts_with('-'));
    let file = file.map_or("", |path| program(path));
    let is_word = !file.is_empty() && file.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    // The word after an option is its value.
    let is_subcommand = is_word && arguments.first().is_some_and(|first| first == file);
    let is_script = file.rsplit_once('.').is_some_and(|(_, word)| is_listed(SCRIPTS, word));
    if is_subcommand || is_script { format!("{name} {file}") } else { name.to_owned() }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn program(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

/// The command without its here-documents, which are data.
fn without_documents(command: &str) -> String {
    let mut kept = Vec::new();
    let mut end: Option<&str> = None;
    for line in command.lines() {
        if let Some(mark) = end {
            end = (line.trim() != mark).then_some(mark);
            continue;
        }
        let (before, after) = line.split_once("<<").unwrap_or((line, ""));
        let mark = after.trim_start_matches(['-', '<', ' ', '\'', '"', '\\']);
        let mark = mark.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        end = mark.filter(|mark| !mark.is_empty());
        kept.push(before);
    }
    kept.join("\n")
}

fn tokens(command: &str) -> Vec<ShellToken> {
    let command = without_documents(command);
    let command = STREAMS
        .as_ref()
        .map_or(command.as_str().into(), |streams| streams.replace_all(&command, " "));
    let mut result = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(open) if c == open => quote = None,
            Some('"') if c == '\\' => {
                let escaped = chars.next_if(|c| matches!(c, '"' | '\\' | '$'));
                word.get_or_insert_default().push(escaped.unwrap_or(c));
            }
            None if matches!(c, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if matches!(c, ' ' | '\t' | '\n' | ';' | '|' | '&' | '(' | ')' | '>') => {
                result.extend(word.take().map(ShellToken::Word));
                let is_pair = chars.next_if_eq(&c).is_some();
                match c {
                    ' ' | '\t' => {}
                    '>' => {
                        word = Some(">".to_owned());
                        while chars.next_if_eq(&' ').is_some() {}
                    }
                    '|' if !is_pair => result.push(ShellToken::Pipe),
                    _ => result.push(ShellToken::End),
                }
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    result.extend(word.map(ShellToken::Word));
    result
}

#[cfg(test)]
mod tests {
    use super::used_by;

    #[test]
    fn files_that_a_command_prints() {
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
    fn programs_that_a_command_runs() {
        assert_eq!(used_by("python x/scripts/a.py in").run, ["python", "x/scripts/a.py"]);
        assert_eq!(used_by("cd x && bash scripts/b.sh").run, ["x/scripts/b.sh"]);
        assert_eq!(used_by("A=1 ./x/scripts/c").run, ["./x/scripts/c"]);
        assert_eq!(used_by("bash -c \"cat references/a.md && ls\"").run, ["ls"]);
    }

    #[test]
    fn steps_are_programs_with_script_or_subcommand() {
        let table: &[(&str, &[&str])] = &[
            ("cd x && unzip -q a.docx -d out; ls out", &["unzip"]),
            ("git commit -m 'x' && git push", &["git commit", "git push"]),
            ("python3 /home/me/build_memo.py --out a.docx", &["python3 build_memo.py"]),
            ("python3 -c 'import csv' | head", &["python3"]),
            ("soffice --convert-to pdf a.docx", &["soffice"]),
            ("bash scripts/run.sh a", &["bash run.sh"]),
            ("bash -lc 'pdftotext a.pdf - | grep -c x'", &["pdftotext"]),
            ("[ -f a ] && 'a # b' c", &[]),
            ("cat a.md > b.md; mkdir -p c; echo done", &[]),
        ];
        for (command, expected) in table {
            assert_eq!(used_by(command).steps, *expected, "{command}");
        }
    }
}
