//! Every command that README, book and skill show in a block is run, in a folder like that of their reader. Blocks after
//! `<!-- prints: … -->` are those of `tests/documents`.

use std::path::Path;
use std::process::Command;

use crate::support::{
    CommandOutput, Workspace, copy, files, git, program_folder, project, quiet_environment,
    read_text,
};
use serde_json::json;

/// Commands that are tested elsewhere, by their first words: servers, and those of other programs.
const ELSEWHERE: &[&str] = &["evalbook serve", "cargo ", "tests/", "pip ", "npm ", "npx ", "uvx "];

/// A project as the documents speak of it: a skill, its workspace, one with a report of another branch, raw
/// folders of jobs, a committed baseline.
fn reader() -> Workspace {
    let place = Workspace::new();
    let at = place.elsewhere();
    let small = Workspace::new().runs(
        "iteration-1/tides,ports/with_skill one:+--- 61~ 9000~
         iteration-1/tides,ports/without_skill one:+--- 51~ 8000~
         iteration-2/tides,ports/with_skill two:++-- 62~ 9100~
         iteration-2/tides,ports/without_skill two:+--- 52~ 8100~
         iteration-3/tides,ports/with_skill two:+++- 63~ 9200~
         iteration-3/tides,ports/without_skill two:+--- 53~ 8200~
         iteration-4/tides,ports/with_skill two:++++ 64~ 9300~
         iteration-4/tides,ports/without_skill two:+--- 54~ 8300~",
    );
    let example = small.path();
    for name in ["my-skill-workspace", "my-workspace", "skills/pdf-workspace"] {
        copy(&example, &at.join(name));
    }
    for job in ["jobs/new", "jobs/old"] {
        copy(&project().join("tests/adapters/harbor"), &at.join(job));
    }
    for number in 1..=4 {
        let job = at.join(format!("raw/job-{number}"));
        copy(
            &example.join(format!("iteration-{number}")),
            &job.join(format!("iteration-{number}")),
        );
    }
    for skill in ["skills/pdf", "my-skill"] {
        std::fs::create_dir_all(at.join(skill).join("evals")).expect("a folder");
        let evals = json!({"evals": [
            {"id": 1, "name": "tides", "prompt": "When is high water?", "expectations": ["It names a time"]},
        ]});
        for (file, text) in [
            ("SKILL.md", "---\nname: pdf\n---\n# PDF\n".to_owned()),
            ("evals/evals.json", evals.to_string()),
        ] {
            std::fs::write(at.join(skill).join(file), text).expect("a file");
        }
    }
    shell(&at, "evalbook build my-workspace -o main").assert_code(0);
    shell(&at, "evalbook baseline my-skill-workspace -o evals/baseline.json").assert_code(0);
    git(&at, &["init", "-q"]);
    git(&at, &["add", "evals"]);
    git(&at, &["-c", "user.name=a", "-c", "user.email=a@me.example", "commit", "-qm", "A"]);
    git(&at, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    place
}

fn shell(folder: &Path, line: &str) -> CommandOutput {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = quiet_environment(Command::new("bash"), folder);
    command
        .args(["-c", line])
        .env("PATH", format!("{}:{path}", program_folder().display()))
        // No browser is opened by a test.
        .env("BROWSER", "true")
        .env("HOME", folder)
        .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
    CommandOutput::of(&mut command)
}

/// The commands of a document, each with its line, by block.
fn blocks(text: &str) -> Vec<Vec<(usize, String)>> {
    let mut blocks: Vec<Vec<(usize, String)>> = Vec::new();
    let mut block: Option<(bool, &str)> = None;
    let mut before = "";
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            block = match block {
                Some(_) => None,
                None => {
                    blocks.push(Vec::new());
                    Some((before.contains("<!-- prints:"), kind))
                }
            };
        } else if let Some((false, "" | "sh" | "bash")) = block
            && line.trim_start().starts_with("evalbook ")
        {
            // Remarks are behind several blanks.
            let command = line.trim_start().split("   ").next().unwrap_or_default();
            // A synopsis has places to be filled.
            let is_place = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase());
            if !command.contains(['…', '[']) && !command.split(' ').any(is_place) {
                blocks.last_mut().expect("a block").push((number, command.to_owned()));
            }
        }
        before = line;
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

#[test]
fn every_command_of_readme_book_and_skill_runs() {
    let mut documents = vec![project().join("README.md")];
    for folder in ["docs/src", "skills"] {
        documents.extend(files(&project().join(folder)));
    }
    documents.retain(|file| file.extension().is_some_and(|kind| kind == "md"));
    let prepared = reader();
    let (mut run, mut failed) = (0, Vec::new());
    for document in documents {
        for block in blocks(&read_text(&document)) {
            let place = Workspace::new();
            let at = place.elsewhere();
            copy(&prepared.elsewhere(), &at);
            for (line, command) in block {
                if ELSEWHERE.iter().any(|other| command.starts_with(other)) {
                    continue;
                }
                if command.starts_with("evalbook baseline ") && !command.contains("--update") {
                    std::fs::remove_file(at.join("evals/baseline.json")).expect("a file less");
                }
                // A report is opened where there is a browser, which is not what is tested here.
                let ran = shell(&at, &command.replace(" --open", ""));
                run += 1;
                // A gate that says no is an answer.
                if !matches!(ran.code, Some(0 | 1)) {
                    failed.push(format!("{}:{line}: {command}: {ran:?}", document.display()));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(run > 30, "{run} commands");
}
