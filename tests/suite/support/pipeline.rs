//! Runs the shell steps of workflows and actions as a runner does: expressions are put into the
//! environment, outputs are read from files, and bash gets the script.
//!
//! Only what the files of this project use is understood; anything else fails the test.

use crate::support::read_text;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::{CommandOutput, program_folder, project, quiet_environment};

/// A YAML file of the project.
pub(crate) fn yaml(path: &str) -> Value {
    let text = read_text(project().join(path));
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The steps of a list in a file.
pub(crate) fn steps(list: &Value) -> Vec<Value> {
    list.as_array().expect("a list of steps").clone()
}

/// The step called `name`.
pub(crate) fn step(steps: &[Value], name: &str) -> Value {
    let found = steps.iter().find(|step| step["name"] == name);
    found.unwrap_or_else(|| panic!("there is a step `{name}`")).clone()
}

/// Whether the programs that the steps use are here; else a word on why nothing is checked.
pub(crate) fn has_tools() -> bool {
    let missing: Vec<&str> = ["bash", "curl", "jq", "git"]
        .into_iter()
        .filter(|tool| {
            !Command::new(tool)
                .arg("--version")
                .output()
                .is_ok_and(|output| output.status.success())
        })
        .collect();
    if !missing.is_empty() {
        println!("skipped: there is no {}", missing.join(", "));
    }
    missing.is_empty()
}

/// A machine that runs steps, with a folder they run in.
pub(crate) struct Machine {
    place: TempDir,
    /// What expressions stand for, such as `inputs.name`.
    pub(crate) known: BTreeMap<String, String>,
}

impl Machine {
    /// A fresh machine with an empty folder.
    pub(crate) fn new() -> Self {
        let place = tempfile::tempdir().expect("a temporary folder");
        for name in ["work", "temp", "tools"] {
            std::fs::create_dir(place.path().join(name)).expect("a folder");
        }
        Self { place, known: BTreeMap::new() }
    }

    /// The same machine with the defaults of an action's inputs.
    pub(crate) fn with_inputs(mut self, action: &Value) -> Self {
        for (name, input) in action["inputs"].as_object().expect("inputs") {
            let default = input["default"].as_str().unwrap_or_default();
            let default = if default.contains("${{") { "" } else { default };
            self.known.insert(format!("inputs.{name}"), default.to_owned());
        }
        self
    }

    /// The same machine that knows what one more expression stands for.
    pub(crate) fn knowing(mut self, name: &str, value: &str) -> Self {
        self.known.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The folder that steps run in.
    pub(crate) fn work(&self) -> PathBuf {
        self.place.path().join("work")
    }

    /// The runner's folder for what lasts as long as a job.
    pub(crate) fn temp(&self) -> PathBuf {
        self.place.path().join("temp")
    }

    /// Puts a program that only notes its arguments before all others.
    pub(crate) fn stand_in(&self, name: &str) {
        let file = self.place.path().join("tools").join(name);
        let noted = self.place.path().join(format!("{name}.args"));
        let script = format!("#!/bin/sh\nprintf '%s\\n' \"$*\" >> '{}'\n", noted.display());
        std::fs::write(&file, script).expect("a script");
        #[cfg(unix)]
        super::set_mode(&file, 0o755);
    }

    /// What a stand-in was called with, one call per line.
    pub(crate) fn calls(&self, name: &str) -> String {
        let noted = self.place.path().join(format!("{name}.args"));
        std::fs::read_to_string(noted).unwrap_or_default()
    }

    /// What was written to the summary of the step.
    pub(crate) fn summary(&self) -> String {
        std::fs::read_to_string(self.place.path().join("summary")).unwrap_or_default()
    }

    /// What an output of a step came to.
    pub(crate) fn output(&self, step: &str, name: &str) -> &str {
        self.known.get(&format!("steps.{step}.outputs.{name}")).map_or("", String::as_str)
    }

    /// Runs the shell steps among `steps` whose conditions hold, to the first that fails.
    pub(crate) fn run_all(&mut self, steps: &[Value]) -> Vec<CommandOutput> {
        let mut all = Vec::new();
        for step in steps.iter().filter(|step| step["run"].is_string()) {
            if !step["if"].as_str().is_none_or(|condition| self.holds(condition)) {
                continue;
            }
            let ran = self.run(step);
            let is_fine = ran.code == Some(0);
            all.push(ran);
            if !is_fine {
                break;
            }
        }
        all
    }

    /// Runs one shell step and takes up its outputs.
    pub(crate) fn run(&mut self, step: &Value) -> CommandOutput {
        let script = step["run"].as_str().expect("a shell step");
        let [file, outputs] = ["step.sh", "outputs"].map(|name| self.place.path().join(name));
        std::fs::write(&file, script).expect("a script");
        std::fs::write(&outputs, "").expect("a file of outputs");
        let mut command = quiet_environment(Command::new("bash"), &self.work());
        command.args(["--noprofile", "--norc", "-e"]);
        if step["shell"] == "bash" {
            command.args(["-o", "pipefail"]);
        }
        command.arg(&file);
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), |text| self.fill(text));
            command.env(name, value);
        }
        self.machine(&mut command, &outputs);
        let ran = CommandOutput::of(&mut command);
        if let Some(id) = step["id"].as_str() {
            let text = read_text(&outputs);
            for (name, value) in parsed(&text) {
                self.known.insert(format!("steps.{id}.outputs.{name}"), value);
            }
        }
        ran
    }

    /// What every step finds in its environment.
    fn machine(&self, command: &mut Command, outputs: &Path) {
        let tools = self.place.path().join("tools");
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("PATH", format!("{}:{}:{path}", tools.display(), program_folder().display()))
            .env("GITHUB_ACTION_PATH", project())
            .env("RUNNER_TEMP", self.temp())
            .env("RUNNER_OS", "Linux")
            .env("RUNNER_ARCH", "X64")
            .env("GITHUB_OUTPUT", outputs)
            .env("GITHUB_PATH", self.place.path().join("path"))
            .env("GITHUB_STEP_SUMMARY", self.place.path().join("summary"));
    }

    /// `text` with its expressions replaced by what they stand for.
    fn fill(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${{") {
            let (expression, behind) = behind.split_once("}}").expect("an expression that ends");
            filled.push_str(before);
            filled.push_str(&self.first(expression));
            rest = behind;
        }
        filled + rest
    }

    /// The first of `a || b` that is not empty.
    fn first(&self, expression: &str) -> String {
        let mut values = expression.split("||").map(|term| self.value(term.trim()));
        values.find(|value| !value.is_empty()).unwrap_or_default()
    }

    fn value(&self, name: &str) -> String {
        let may_lack = name.starts_with("steps.") || name.starts_with("github.event.");
        match self.known.get(name) {
            Some(value) => value.clone(),
            None if may_lack => String::new(),
            None => panic!("the test says what `{name}` stands for"),
        }
    }

    /// Whether `a == 'b' && c != 'd'` holds.
    fn holds(&self, condition: &str) -> bool {
        condition.split("&&").all(|part| {
            let (name, is_equal, value) = match part.split_once("==") {
                Some((name, value)) => (name, true, value),
                None => {
                    let (name, value) = part.split_once("!=").expect("`==` or `!=`");
                    (name, false, value)
                }
            };
            (self.value(name.trim()) == value.trim().trim_matches('\'')) == is_equal
        })
    }
}

/// The outputs in a file of them: `name=value`, or several lines between two marks.
fn parsed(text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let is_short =
            line.find('=').is_some_and(|at| line.find("<<").is_none_or(|mark| at < mark));
        if is_short {
            let (name, value) = line.split_once('=').expect("a value");
            found.insert(name.to_owned(), value.to_owned());
        } else {
            let (name, mark) = line.split_once("<<").expect("a mark");
            let value: Vec<&str> = lines.by_ref().take_while(|line| *line != mark).collect();
            found.insert(name.to_owned(), value.join("\n"));
        }
    }
    found
}
