//! What surrounds the commands: completions, manual, color, and words for who mistypes.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support;
use crate::support::{CommandOutput, Workspace, evalbook, program, project};

/// What a program prints that reads `input`; none where it is not installed.
fn through(program: &str, args: &[&str], input: &str) -> Option<CommandOutput> {
    use std::io::Write;
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        println!("skipped: there is no `{program}`");
        return None;
    };
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("an end");
    let _ = writer.join();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    Some(CommandOutput { code: output.status.code(), stdout, stderr })
}

fn printed(args: &[&str]) -> String {
    let ran = Workspace::new().run(args);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    ran.stdout
}

/// The commands that the help lists, without `help` itself.
fn commands() -> Vec<String> {
    let help = printed(&["--help-all"]);
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then(|| name.to_owned())
    });
    names.collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_printed_ends_with_3() {
    let place = home();
    for line in [
        "schema grading",
        "--help",
        "man",
        "completions bash",
        "check pdf-workspace",
        "settings pdf-workspace",
        "brief pdf-workspace",
        "compare pdf-workspace#iteration-1 pdf-workspace",
        "build pdf-workspace --format markdown --for step-summary",
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full disk");
        let mut command = evalbook(&place.elsewhere());
        let output = command.args(line.split(' ')).stdout(full).output().expect("an end");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{line}: {message}");
        assert!(
            message.starts_with("error: ") && !message.contains("panicked"),
            "{line}: {message}"
        );
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_had_enough_is_no_failure() {
    let place = home();
    let mut command = evalbook(&place.elsewhere());
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command.args(["schema", "report"]).stdout(writer).output().expect("an end");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

/// The long flags that the help of a command lists.
fn flags(command: &str) -> Vec<String> {
    let help = printed(&[command, "--help-all"]);
    let lines = help.lines().map(str::trim_start);
    let lines = lines.filter(|line| line.starts_with("--") || line.starts_with('-'));
    let flags = lines.filter_map(|line| {
        let from = line.find("--")?;
        let name = line[from + 2..].split([' ', '[', '=']).next()?;
        Some(name.trim_end_matches(',').to_owned())
    });
    let flags: Vec<String> = flags.collect();
    assert!(flags.contains(&"color".to_owned()) && flags.contains(&"help".to_owned()), "{flags:?}");
    flags
}

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn every_shell_completes_every_command_and_flag() {
    for shell in SHELLS {
        let script = printed(&["completions", shell]);
        assert_eq!(script, printed(&["completions", shell]), "the same bytes");
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
            for flag in flags(&command) {
                let written =
                    if shell == "fish" { format!("-l {flag}") } else { format!("--{flag}") };
                assert!(script.contains(&written), "{shell}: {command} {flag}");
            }
        }
    }
}

#[test]
fn shells_accept_their_completions() {
    for (shell, args) in [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])] {
        let script = printed(&["completions", shell]);
        let Some(ran) = through(shell, &args, &script) else { continue };
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{shell}");
    }
}

/// What bash offers at the end of `line`.
fn completed(line: &[&str]) -> Option<Vec<String>> {
    let at = line.len() - 1;
    let words: Vec<String> = line.iter().map(|word| format!("'{word}'")).collect();
    let ask = format!(
        "\nCOMP_WORDS=({words}); COMP_CWORD={at}; _evalbook evalbook '{last}' '{before}'\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        words = words.join(" "),
        last = line[at],
        before = line[at - 1],
    );
    let ran =
        through("bash", &["--norc"], &(printed(&["completions", "bash"]) + &ask))?.assert_code(0);
    Some(ran.stdout.lines().map(str::to_owned).collect())
}

#[test]
fn bash_completes_commands_flags_and_values() {
    let table: [(&[&str], &[&str]); 6] = [
        (&["evalbook", "bui"], &["build"]),
        (&["evalbook", "c"], &["check", "compare", "completions"]),
        (&["evalbook", "check", "--str"], &["--strict"]),
        (&["evalbook", "check", "--format", "j"], &["json"]),
        (&["evalbook", "--color", "a"], &["auto", "always"]),
        (&["evalbook", "schema", "rep"], &["report"]),
    ];
    for (line, expected) in table {
        let Some(offered) = completed(line) else { return };
        assert_eq!(offered, expected, "{line:?}");
    }
}

/// The pages of the manual by command; the program's is the first.
fn pages() -> Vec<(String, String)> {
    let own = ("".to_owned(), printed(&["man"]));
    let others = commands().into_iter().map(|name| {
        let page = printed(&["man", &name]);
        (name, page)
    });
    std::iter::once(own).chain(others).collect()
}

#[test]
fn the_manual_has_every_flag_example_and_exit_code() {
    for (command, page) in pages() {
        let of: &[&str] = if command.is_empty() { &[] } else { &[&command] };
        let help = printed(&[of, &["--help"]].concat());
        let heads = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "\"EXIT STATUS\""];
        for head in heads {
            assert!(page.contains(&format!("\n.SH {head}\n")), "{command}: {head}");
        }
        assert!(page.is_ascii(), "{command}");
        let plain = page.replace("\\-", "-").replace("\\*(Aq", "'");
        if !command.is_empty() {
            for flag in flags(&command) {
                assert!(plain.contains(&format!("\\fB--{flag}\\fR")), "{command}: {flag}");
            }
        }
        let examples = help.lines().filter(|line| line.starts_with("  evalbook "));
        for example in examples {
            assert!(
                plain.contains(&format!("\n{}\n", example.trim_start())),
                "{command}: {example}"
            );
        }
    }
}

#[test]
fn the_manual_is_set_without_a_warning() {
    for (command, page) in pages() {
        let Some(ran) = through("groff", &["-man", "-ww", "-Tutf8"], &page) else { return };
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{command}");
    }
}

#[test]
fn all_pages_of_the_manual_are_written() {
    let place = Workspace::new();
    place.run(["man", "-o", "man1"]).assert_code(0);
    let files = support::tree(&place.elsewhere().join("man1"));
    let mut expected: Vec<(String, Vec<u8>)> = pages()
        .into_iter()
        .map(|(command, page)| {
            let name = if command.is_empty() { String::new() } else { format!("-{command}") };
            (format!("evalbook{name}.1"), page.into_bytes())
        })
        .collect();
    expected.sort();
    assert_eq!(files.into_iter().collect::<Vec<_>>(), expected);
    let wrong = place.run(["man", "biuld"]).assert_code(2);
    assert!(wrong.stderr.contains("evalbook man build"), "{wrong:?}");
}

/// Variables of the environment with their values.
type Variables = &'static [(&'static str, &'static str)];

/// The program with only what `variables` say of color.
fn with(place: &Workspace, args: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = evalbook(&place.elsewhere());
    command.args(args);
    bare(&mut command, variables);
    command
}

fn bare(command: &mut Command, variables: &[(&str, &str)]) {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "TERM", "COLORTERM"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
}

#[test]
fn color_follows_the_flag_and_the_environment_where_there_is_no_terminal() {
    let place = Workspace::good().file("iteration-1/bad/with_skill/grading.json", "{");
    let table: [(&[&str], Variables, bool); 8] = [
        (&[], &[("TERM", "xterm")], false),
        (&["--color", "always"], &[], true),
        (&["--color=always"], &[("NO_COLOR", "1"), ("TERM", "dumb")], true),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "")], false),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], true),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
    ];
    let lines: [&[&str]; 4] =
        [&["check", "../workspace"], &["check", "../nowhere"], &["--help"], &["frobnicate"]];
    for (flags, variables, expected) in table {
        // Help and messages about arguments come before any flag is read.
        let known = if flags.is_empty() { 4 } else { 2 };
        for line in lines.into_iter().take(known) {
            let args = [flags, line].concat();
            let ran = CommandOutput::of(&mut with(&place, &args, variables));
            let is_colored = (ran.stdout + &ran.stderr).contains('\u{1b}');
            assert_eq!(is_colored, expected, "{args:?} {variables:?}");
        }
    }
}

/// What a terminal is sent while `args` run on it; none where none can be made.
#[cfg(target_os = "linux")]
fn on_a_terminal(place: &Workspace, args: &[&str], variables: &[(&str, &str)]) -> Option<String> {
    let line = format!("'{}' {}", program().display(), args.join(" "));
    let mut command = Command::new("script");
    command.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(place.elsewhere());
    command.stdin(Stdio::null());
    bare(&mut command, variables);
    let Ok(output) = command.output() else {
        println!("skipped: there is no `script`");
        return None;
    };
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_has_color_and_progress_unless_the_environment_says_no() {
    let place = Workspace::good();
    let table: [(Variables, bool, bool); 6] = [
        (&[("TERM", "xterm")], true, true),
        (&[("TERM", "xterm"), ("NO_COLOR", "1")], false, true),
        (&[("TERM", "xterm"), ("CLICOLOR", "0")], false, true),
        (&[("TERM", "dumb")], false, false),
        (&[("TERM", "xterm"), ("CI", "true")], true, false),
        (&[("TERM", "xterm"), ("CI", "false")], true, true),
    ];
    for (variables, colored, moving) in table {
        let Some(help) = on_a_terminal(&place, &["check", "../nowhere"], variables) else { return };
        assert!(help.contains("`../nowhere`"), "{help}");
        assert_eq!(help.contains('\u{1b}'), colored, "{variables:?}: {help:?}");
        let Some(built) = on_a_terminal(&place, &["build", "../workspace"], variables) else {
            return;
        };
        assert!(built.contains(" report"), "{built}");
        assert_eq!(built.contains("\u{1b}[2K"), moving, "{variables:?}: {built:?}");
    }
}

/// A folder as a new user has it: a skill, its workspace beside it, a few other things.
pub(super) fn home() -> Workspace {
    let place = Workspace::new();
    let at = place.elsewhere();
    support::copy(&project().join("examples/skill-creator"), &at.join("pdf-workspace"));
    for folder in ["pdf", "bare", "empty", "mine"] {
        std::fs::create_dir(at.join(folder)).expect("a folder");
    }
    for (file, text) in [
        ("pdf/SKILL.md", "# pdf\n"),
        ("bare/SKILL.md", "# bare\n"),
        ("mine/notes.md", "mine"),
        ("a.md", ""),
    ] {
        std::fs::write(at.join(file), text).expect("a file");
    }
    place
}

/// What a new user types, the exit code, and what the answer must say.
pub(super) const MISTAKES: &[(&str, i32, &str)] = &[
    ("", 2, "evalbook build my-skill-workspace"),
    ("biuld pdf-workspace", 2, "'build'"),
    ("pdf-workspace", 2, "'evalbook build pdf-workspace'"),
    ("report pdf-workspace", 2, "'evalbook build'"),
    ("run pdf-workspace", 2, "'evalbook build WORKSPACE'"),
    ("grade pdf-workspace", 2, "'evalbook schema grading --prompt'"),
    ("diff a b", 2, "'evalbook compare'"),
    ("version", 2, "'evalbook --version'"),
    ("merge a b", 2, "'evalbook build --merge FOLDERS'"),
    ("build pdf-workspace --one-file pdf/SKILL.md", 2, "`pdf/SKILL.md` is a skill"),
    ("init pdf pdf-workspace", 2, "'--output pdf-workspace'"),
    ("init pdf --model=", 2, "--model"),
    ("compare pdf-workspace:iteration-1 pdf-workspace", 2, "`pdf-workspace#iteration-1`"),
    ("compare a pdf-workspace –fail-on worse", 2, "'--fail-on'"),
    ("compare --base base.json pdf-workspace", 2, "'evalbook compare BASE WORKSPACE'"),
    ("compare base.json pdf-workspace", 3, "`evalbook baseline WORKSPACE -o base.json`"),
    ("snapshot pdf -m", 2, "--message \""),
    ("init pdf --configurations a b", 2, "'--configurations a,b'"),
    ("init pdf -o pdf-workspace/iteration-5", 2, "`pdf-workspace/iteration-5` is no workspace"),
    ("help biuld", 2, "'evalbook help build'"),
    ("--colour never check", 2, "'--color'"),
    ("build --ouput x pdf-workspace", 2, "'--output'"),
    ("build --frobnicate", 2, "'evalbook build --help'"),
    ("build pdf-workspace --format md", 2, "'markdown'"),
    (
        "build pdf-workspace --format markdown",
        2,
        "evalbook build my-skill-workspace --format markdown --for pull-request",
    ),
    ("build pdf-workspace --fail-on regression", 2, "worse, loss"),
    ("build pdf-workspace --export xml", 2, "jsonl"),
    ("build pdf-workspce", 3, "`pdf-workspace`"),
    ("build pdf-workspace/iteration-44", 3, "`pdf-workspace/iteration-4`"),
    ("build pdf-workspace/iteration-1/benchmark.json", 3, "`pdf-workspace`"),
    ("check pdf-workspace/evals/evals.json", 3, "`pdf-workspace`"),
    ("build empty", 3, "`empty`"),
    ("build mine", 3, "`iteration-1/"),
    ("build a.md", 3, "`a.md`"),
    ("build pdf-workspace -o mine", 3, "`-o mine/report`"),
    (
        "compare pdf-workspace",
        2,
        "evalbook compare my-workspace/iteration-2 my-workspace/iteration-3",
    ),
    ("compare pdf-workspace#iteration-1 pdf-workspace#iteration-9", 2, "`iteration-4`"),
    ("compare pdf-workspace/iteration-1 pdf-workspace/iteration-90", 3, "`iteration-4`"),
    ("benchmark", 2, "evalbook benchmark my-workspace/iteration-3"),
    ("init", 2, "evalbook init skills/pdf"),
    ("init pdf/SKILL.md", 3, "`pdf`"),
    ("init pdff", 3, "`pdf`"),
    ("init bare", 3, "--evals FILE"),
    ("snapshot mine", 3, "`mine`"),
    ("schema grade", 2, "'grading'"),
    ("schema repotr", 2, "'report'"),
    ("theme", 2, "evalbook theme --eject my-theme"),
    ("theme eject", 2, "'--eject'"),
    ("completions", 2, "evalbook completions bash"),
    ("completions tcsh", 2, "bash"),
    ("brief pdf-workspace --most 10", 2, "2400"),
    ("build pdf-workspace --label with_skill", 2, "`with_skill=LABEL`"),
    ("build pdf-workspace --price x", 2, "`x={ input = 3, output = 15 }`"),
    ("build pdf-workspace --known-issue case=a", 2, "`{ case = \"…\", "),
    ("build pdf-workspace --theme nosuch", 2, "`evalbook theme --eject DIR`"),
    ("build pdf-workspace --theme min", 2, "`mine`"),
    ("init pdf --runs three", 2, "whole number"),
    ("init pdf --reuse --into iteration-2", 2, "leave one of the two out"),
    ("build pdf-workspace --price sonnet=3", 2, "`sonnet={ input = 3, output = 15 }`"),
    ("build pdf-workspace --price sonnet={input=3}", 2, "`sonnet={ input = 3, output = 15 }`"),
    ("baseline pdf-workspace -o mine", 2, "`-o mine/baseline.json`"),
    ("build pdf-workspace --one-file mine", 2, "`--one-file mine/report.html`"),
    ("build pdf-workspace --baseline old_skil", 2, "`old_skill`"),
    // One letter less of `without_skill` is more like the candidate.
    ("build pdf-workspace --baseline wihout_skill", 2, "`without_skill`"),
];

#[test]
fn who_mistypes_is_told_what_to_type() {
    let place = home();
    let before = support::hashes(&place.elsewhere());
    for (line, code, message) in MISTAKES {
        let ran = place.run(line.split(' ').filter(|word| !word.is_empty()));
        assert_eq!(ran.code, Some(*code), "evalbook {line}: {ran:?}");
        assert!(ran.stderr.contains(message), "evalbook {line}: no `{message}` in\n{}", ran.stderr);
        assert_eq!(ran.stdout, "", "evalbook {line}");
    }
    assert_eq!(support::hashes(&place.elsewhere()), before);
}

#[test]
fn what_is_given_in_a_wrong_place_is_told_where_it_belongs() {
    let place = home();
    let at = place.elsewhere();
    place.run(["baseline", "pdf-workspace", "-o", "bare/base.json"]).assert_code(0);
    std::fs::write(at.join("a.zip"), "PK").expect("a file");
    for (line, code, message) in [
        ("compare bare pdf-workspace", 3, "`bare/base.json`"),
        ("build bare/base.json", 3, "`evalbook compare bare/base.json WORKSPACE`"),
        ("build https://forge.example/me/skills", 3, "clone"),
        ("compare https://forge.example/me/skills pdf-workspace", 3, "clone"),
        ("build a.zip", 3, "unpack"),
        ("build pdf-workspace#iteration-1", 3, "`compare`"),
        ("snapshot pdf-workspace pdf", 2, "`evalbook snapshot pdf pdf-workspace`"),
        ("build pdf-workspace -o report.html", 2, "`--one-file report.html`"),
        ("build pdf-workspace -o a.md", 3, "`-o new-report`"),
        ("build pdf-workspace ./pdf-workspace", 2, "`./pdf-workspace`"),
        ("init pdf-workspace", 3, "`evalbook init pdf`"),
        ("init pdf -o pdf-workspce", 2, "`pdf-workspace`"),
        ("snapshot pdf pdf-workspce", 2, "`pdf-workspace`"),
        ("init .", 3, "`./bare`, `./pdf`"),
        (
            "init pdf --evals pdf-workspace/evals/evals.json --configurations with_skil",
            2,
            "`with_skill`",
        ),
        ("init --agents=pdf", 2, "`evalbook init --agents=DIR`"),
        ("serve pdf-workspace --port 80a", 2, "'--port 0'"),
    ] {
        let ran = place.run(line.split(' ')).assert_code(code);
        assert!(ran.stderr.contains(message), "{line}: {ran:?}");
    }
}

#[test]
fn a_folder_of_the_workspace_leads_to_the_workspace() {
    let place = home();
    let inside = place.elsewhere().join("pdf-workspace");
    for (from, line, code, message) in [
        (place.elsewhere().join("pdf"), "check", 0, "`./../pdf-workspace`"),
        (place.elsewhere(), "check pdf", 0, "`pdf-workspace`"),
        (inside.clone(), "build iteration-1/benchmark.json", 3, "`.`"),
        (inside.clone(), "compare #iteration-1 #iteration-77", 2, "`.#iteration-77`"),
        (inside.clone(), "compare iteration-1 iteration-77", 3, "`iteration-77`"),
        (inside.clone(), "compare iteration-1 iteration-77", 3, "`iteration-1`, `iteration-2`"),
        (inside.clone(), "compare #iteration-1 #iteration-2", 0, ""),
        (inside.clone(), "check iteration-1/ops-memo/with_skill", 0, "`.`"),
        (inside.clone(), "check iteration-1", 0, ""),
        (inside.join("iteration-1"), "build ..", 0, "../../report/index.html"),
        (inside, "build ../pdf", 0, "../report/index.html"),
    ] {
        let ran =
            CommandOutput::of(evalbook(Path::new(&from)).args(line.split(' '))).assert_code(code);
        assert!(ran.stderr.contains(message), "{line}: no `{message}` in\n{}", ran.stderr);
    }
}

#[test]
fn settings_outside_of_the_folder_given_are_told_where_they_belong() {
    let place = home();
    let skill = place.elsewhere().join("pdf");
    std::fs::write(skill.join("evalbook.toml"), "[gate]\nfail_on = [\"worse\"]\n").expect("a file");
    for (from, line) in [(place.elsewhere(), "check pdf-workspace"), (skill.clone(), "check")] {
        let ran = CommandOutput::of(evalbook(Path::new(&from)).args(line.split(' ')));
        assert!(ran.stderr.contains("pdf/evalbook.toml` is not read"), "{line}: {ran:?}");
    }
    std::fs::rename(skill.join("evalbook.toml"), place.elsewhere().join("evalbook.toml"))
        .expect("the file");
    let ran = place.run(["check", "pdf-workspace"]);
    assert!(ran.stderr.contains("evalbook.toml` is not read"), "{ran:?}");
    let ran = place.run(["check", "."]);
    assert!(!ran.stderr.contains("evalbook.toml"), "{ran:?}");
    std::fs::remove_file(place.elsewhere().join("evalbook.toml")).expect("the file");
    let ran = place.run(["check", "pdf-workspace"]);
    assert!(!ran.stderr.contains("evalbook.toml"), "{ran:?}");
}

#[test]
fn help_shows_what_most_people_need_and_help_all_the_rest() {
    let listed = |args: &[&str], begin: &str| {
        let help = printed(args);
        help.lines().filter(|line| line.trim_start().starts_with(begin)).count()
    };
    assert_eq!(commands().len(), 14);
    let all = commands();
    let brief = printed(&["--help"]);
    let is_shown = |name: &&String| brief.contains(&format!("\n  {name} "));
    assert_eq!(all.iter().filter(is_shown).count(), 10, "{brief}");
    assert!(listed(&["build", "--help"], "--") < 11);
    assert!(listed(&["build", "--help-all"], "--") > 30);
    for args in [&["--help-all"][..], &["build", "--help-all"]] {
        assert_eq!(Workspace::new().run(args).code, Some(0));
    }
}

#[test]
fn help_of_every_command() {
    insta::assert_snapshot!("help", without_trailing_spaces(&printed(&["--help"])));
    for command in commands() {
        let help = printed(&[&command, "--help"]);
        insta::assert_snapshot!(format!("help_{command}"), without_trailing_spaces(&help));
    }
}

fn without_trailing_spaces(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}
