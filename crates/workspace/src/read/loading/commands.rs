//! What a shell command reads, writes and runs, found by patterns.
//!
//! This is no shell: quotes, loops and substitutions are not interpreted, so what a pattern does
//! not match is not found.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use text::is_listed;

/// Extensions of scripts.
pub(super) const SCRIPTS: &str = "py sh bash js mjs cjs ts rb pl ps1 bat r lua php awk";

/// Programs that print a file.
const READERS: &str = "cat sed head tail awk gawk less more nl bat batcat get-content gc type";

/// Programs that show or take a part of a file.
const SEARCHERS: &str = "jq yq grep egrep fgrep rg ag diff cmp cp install rsync strings base64";

/// Programs that run code given as text.
const INTERPRETERS: &str = "python python3 node deno bun ruby perl";

/// Programs that run another one.
const WRAPPERS: &str = "sudo env time command exec nohup rtk xargs";

/// Programs that run a script or a command given as text.
// Codex runs every command as `bash -lc "…"`.
const SHELLS: &str = "bash sh zsh dash powershell pwsh cmd";

/// A command in quotes after a shell: `bash -lc "sed -n 1,80p a"`.
static INNER: LazyLock<Regex> = LazyLock::new(|| {
    let shells = SHELLS.replace(' ', "|");
    Regex::new(&format!(r#"(?:^|[\s/'])(?:{shells})'?\s+'?-\w*[cd]'?\s+(?:"([^"]*)"|'([^']*)')"#))
        .expect("a valid pattern")
});

/// Redirections of errors and between streams: `2>/dev/null`, `2>&1`, `>&2`.
static STREAMS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[0-9]?>&[0-9]|[ \t]2>>? *[^ \t\n;|&)]+").expect("a valid pattern")
});

/// A text in quotes.
static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#""[^"]*"|'[^']*'"#).expect("a valid pattern"));

static VARIABLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\$\{?([0-9A-Za-z_]+)\}?").expect("a valid pattern"));

/// The effects of a command on files.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CommandUsage {
    /// Paths of files that it prints for the agent.
    pub(super) read: Vec<String>,
    /// Paths of files that it takes something from: it searches or copies them, or prints a part.
    pub(super) searched: Vec<String>,
    /// Paths of programs and scripts that it runs.
    pub(super) run: Vec<String>,
    /// Paths of files that its output goes to.
    pub(super) written: Vec<String>,
}

pub(super) fn usage(command: &str) -> CommandUsage {
    let mut usage = CommandUsage { searched: opened_by_code(command), ..CommandUsage::default() };
    let command = without_documents(command);
    if let Some(inner) = INNER.captures(&command) {
        let inner = inner.get(1).or(inner.get(2)).map_or("", |text| text.as_str());
        add_usage(inner, &mut usage);
    } else {
        add_usage(&command, &mut usage);
    }
    usage
}

/// What may be paths in code on the command line, as after `python3 -c` or `python3 - <<EOF`, unless it
/// writes.
fn opened_by_code(command: &str) -> Vec<String> {
    let code = ["<<", " -c ", " -e "].iter().filter_map(|mark| command.find(mark)).min();
    let Some((head, code)) = code.map(|at| command.split_at(at)) else { return Vec::new() };
    let mut programs = head.split(|c: char| c.is_whitespace() || ";&|(".contains(c));
    let writes = ["'w'", "\"w\"", "dump(", ".write", "writeFile"];
    if !programs.any(|word| is_listed(INTERPRETERS, program(word)))
        || writes.iter().any(|sign| code.contains(sign))
    {
        return Vec::new();
    }
    let words = code.split(|c: char| c.is_whitespace() || "\"'`()[],;".contains(c));
    words.filter(|word| is_path(word)).map(str::to_owned).collect()
}

fn is_path(word: &str) -> bool {
    word.contains('/') || [".json", ".jsonl", ".yaml", ".yml"].iter().any(|end| word.ends_with(end))
}

/// The command without its here-documents, which are data.
fn without_documents(command: &str) -> String {
    let mut kept = Vec::new();
    let mut end: Option<&str> = None;
    for line in command.lines() {
        if let Some(mark) = end {
            if line.trim() == mark {
                end = None;
            }
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

fn add_usage(command: &str, usage: &mut CommandUsage) {
    let command = STREAMS.replace_all(command, " ");
    // Code in quotes, as after `python -c`, has the separators of commands too.
    let command = QUOTED.replace_all(&command, |found: &Captures<'_>| {
        if found[0].contains([';', '&', '|', '(', ')', '\n']) {
            return "''".to_owned();
        }
        found[0].to_owned()
    });
    let mut variables = BTreeMap::new();
    let mut folder = String::new();
    for pipeline in command.replace("||", ";").split([';', '&', '\n', '(', ')']) {
        let commands: Vec<&str> = pipeline.split('|').collect();
        for (index, simple) in commands.iter().enumerate() {
            let text = with_values(simple, &variables);
            let mut words: Vec<&str> = text.split_whitespace().map(without_quotes).collect();
            while let Some(word) = words.first().filter(|word| is_prefix(word)) {
                if let Some((name, value)) = word.split_once('=') {
                    variables.insert(name.to_owned(), without_quotes(value).to_owned());
                }
                words.remove(0);
            }
            // Behind a pipe only what another reader lets through is seen: `cat a | head`.
            let is_seen = commands[index + 1..].iter().all(|next| {
                let name = next.split_whitespace().next().unwrap_or_default();
                is_listed(READERS, program(name)) || is_listed("tr sort uniq cut", program(name))
            });
            add_program(&words, &mut folder, is_seen, usage);
        }
    }
}

/// Whether a word before a program sets a variable, or only runs what follows.
fn is_prefix(word: &str) -> bool {
    word.contains('=') || is_listed(WRAPPERS, program(word))
}

/// Adds one program with its arguments; `folder` is where it runs, as far as `cd` told.
fn add_program(words: &[&str], folder: &mut String, is_seen: bool, usage: &mut CommandUsage) {
    let target = words.iter().position(|word| word.starts_with('>'));
    let (words, target) = words.split_at(target.unwrap_or(words.len()));
    let path = target.iter().map(|word| word.trim_start_matches('>')).find(|word| !word.is_empty());
    usage.written.extend(path.map(str::to_owned));
    let Some((first, arguments)) = words.split_first() else { return };
    let name = program(first).to_ascii_lowercase();
    let mut files = arguments.iter().filter(|argument| !argument.starts_with('-'));
    if name == "cd" {
        *folder = files.next().map_or(String::new(), |folder| (*folder).to_owned());
    } else if is_listed(READERS, &name) {
        let edits = name == "sed" && arguments.iter().any(|word| word.starts_with("-i"));
        let files = files.map(|file| below(folder, file));
        if path.is_none() && is_seen && !edits {
            usage.read.extend(files);
        } else if !edits {
            usage.searched.extend(files);
        }
    } else if is_listed(SEARCHERS, &name) {
        usage.searched.extend(files.map(|file| below(folder, file)));
    } else {
        let path = Some(first).filter(|first| first.contains(['/', '\\']));
        usage.run.extend(path.into_iter().chain(files.next()).map(|file| below(folder, file)));
    }
}

/// A path relative to where the command began.
fn below(folder: &str, path: &str) -> String {
    if folder.is_empty() || path.starts_with(['/', '\\', '~', '$']) {
        return path.to_owned();
    }
    format!("{folder}/{path}")
}

/// A command with the variables that it set itself replaced by their values.
fn with_values(command: &str, variables: &BTreeMap<String, String>) -> String {
    if !command.contains('$') {
        return command.to_owned();
    }
    let replaced = VARIABLE.replace_all(command, |found: &Captures<'_>| {
        variables.get(&found[1]).cloned().unwrap_or_else(|| found[0].to_owned())
    });
    replaced.into_owned()
}

fn without_quotes(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

fn program(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::usage;

    #[test]
    fn files_that_a_command_prints() {
        let table: &[(&str, &[&str])] = &[
            ("cat a/SKILL.md 2>/dev/null", &["a/SKILL.md"]),
            ("ls -la; head -50 a/SKILL.md | tail -5", &["a/SKILL.md"]),
            ("bash -lc \"sed -n 1,80p .agents/x/SKILL.md\"", &["1,80p", ".agents/x/SKILL.md"]),
            ("/bin/zsh -lc \"sed -n '1,80p' x/SKILL.md\"", &["1,80p", "x/SKILL.md"]),
            ("'bash' '-lc' 'cat x/SKILL.md'", &["x/SKILL.md"]),
            ("D=.claude/skills/x && cat \"${D}/SKILL.md\"", &[".claude/skills/x/SKILL.md"]),
            ("cd skills/x && cat SKILL.md", &["skills/x/SKILL.md"]),
            ("Get-Content -Path skills\\x\\SKILL.md", &["skills\\x\\SKILL.md"]),
            ("sudo cat a >&2", &["a"]),
            ("cat a/SKILL.md > b", &[]),
            ("cat > a/SKILL.md <<'EOF'\ncat x/SKILL.md\nEOF\ncat c", &["c"]),
            ("cat a/SKILL.md | wc -l", &[]),
            ("cat a/SKILL.md | tr a b | grep -c x", &[]),
            ("sed -i s/a/b/ a/SKILL.md", &[]),
            ("ls a/SKILL.md; find . -name SKILL.md; rg --files", &[]),
            ("echo 'cat a/SKILL.md'", &[]),
            ("", &[]),
        ];
        for (command, expected) in table {
            assert_eq!(usage(command).read, *expected, "{command}");
        }
    }

    #[test]
    fn files_that_a_command_takes_something_from() {
        for (command, expected) in [
            ("cat a/evals.json | wc -l", vec!["a/evals.json"]),
            ("jq '.evals[0]' a/evals.json", vec![".evals[0]", "a/evals.json"]),
            ("grep -n text a/evals.json | head", vec!["text", "a/evals.json"]),
            ("cp a/evals.json /tmp/x", vec!["a/evals.json", "/tmp/x"]),
            ("python3 -c \"print(open('a/evals.json').read())\"", vec!["a/evals.json"]),
            ("python3 - <<'EOF'\nopen('evals.json')\nEOF", vec!["evals.json"]),
            ("python3 -c \"open('evals.json', 'w')\"", vec![]),
            ("ls a; find . -name evals.json; rm a/evals.json", vec![]),
            ("cat > a/evals.json <<'EOF'\npython evals.json\nEOF", vec![]),
        ] {
            assert_eq!(usage(command).searched, expected, "{command}");
        }
    }

    #[test]
    fn programs_that_a_command_runs() {
        assert_eq!(usage("python x/scripts/a.py in").run, ["x/scripts/a.py"]);
        assert_eq!(usage("cd x && bash scripts/b.sh").run, ["x/scripts/b.sh"]);
        assert_eq!(usage("A=1 ./x/scripts/c").run, ["./x/scripts/c"]);
    }
}
