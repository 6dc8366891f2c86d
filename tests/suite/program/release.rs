//! The release workflow, and the step of the action that takes its archives.

#![cfg(unix)]
use std::process::Command;

use super::github::{action_steps, forge, machine};
use crate::support;
use crate::support::forge::Forge;
use crate::support::pipeline::{Machine, has_tools, step, steps, yaml};
use crate::support::{CommandOutput, project};

/// The path of a release for the machine of the tests.
const RELEASE: &str =
    "/maker/evalbook/releases/download/v1.2.3/evalbook-1.2.3-x86_64-unknown-linux-musl.tar.gz";

/// An archive with a program in it, and its checksum.
fn archive() -> (Vec<u8>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let top = folder.path().join("top");
    std::fs::create_dir(&top).expect("a folder");
    std::fs::write(top.join("evalbook"), "#!/bin/sh\necho 1.2.3\n").expect("a program");
    CommandOutput::of(Command::new("tar").current_dir(folder.path()).args(["-czf", "a", "top"]))
        .assert_code(0);
    let ran = CommandOutput::of(Command::new("sha256sum").current_dir(folder.path()).arg("a"));
    let sum = ran.stdout.split(' ').next().expect("a checksum").to_owned();
    (std::fs::read(folder.path().join("a")).expect("an archive"), sum)
}

fn install(forge: &Forge, inputs: &[(&str, &str)]) -> (Machine, CommandOutput) {
    let mut machine = machine(0).knowing("github.server_url", &forge.url());
    for (name, value) in inputs {
        machine.known.insert(format!("inputs.{name}"), (*value).to_owned());
    }
    let ran = machine.run(&step(&action_steps(), "Download evalbook"));
    (machine, ran)
}

#[test]
fn a_release_is_taken_only_with_its_checksum() {
    let Some(forge) = forge() else { return };
    let (bytes, sum) = archive();
    let put = |path: &str, bytes: &[u8]| {
        forge.state().files.insert(path.to_owned(), bytes.to_owned());
    };
    put(RELEASE, &bytes);
    let found = |inputs: &[(&str, &str)]| {
        let (machine, ran) = install(&forge, inputs);
        let is_there = machine.temp().join("evalbook/bin/evalbook").is_file();
        assert_eq!(machine.output("install", "found") == "true", is_there, "{ran:?}");
        (ran.code, is_there)
    };
    assert_eq!(found(&[("version", "1.2.3")]), (Some(1), false), "no checksum");
    put(&format!("{RELEASE}.sha256"), format!("{sum}  evalbook.tar.gz\n").as_bytes());
    assert_eq!(found(&[("version", "v1.2.3")]), (Some(0), true));
    let other = "0".repeat(64);
    assert_eq!(found(&[("version", "1.2.3"), ("sha256", &other)]), (Some(1), false));
    assert_eq!(found(&[("version", "1.2.3"), ("sha256", &sum.to_uppercase())]), (Some(0), true));
    put(&format!("{RELEASE}.sha256"), other.as_bytes());
    assert_eq!(found(&[("version", "1.2.3")]), (Some(1), false), "another checksum");
    assert_eq!(found(&[("version", "9.9.9"), ("sha256", &sum)]), (Some(1), false), "no release");
    assert_eq!(found(&[("version", "9.9.9")]), (Some(0), false), "built from source");
    assert_eq!(found(&[("version", "../1.2.3")]), (Some(1), false));
    assert_eq!(found(&[("version", "1.2.3"), ("repository", "a/b/c")]), (Some(1), false));
    assert!(forge.state().asked.iter().all(|asked| !asked.headers.contains_key("authorization")));
}

/// A machine of the release workflow for `target`, on which the program was built.
fn release_machine(target: &str) -> Machine {
    let machine = Machine::new().knowing("matrix.target", target);
    let built = machine.work().join("target").join(target).join("release");
    std::fs::create_dir_all(&built).expect("a folder");
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", support::program().display());
    std::fs::write(built.join("evalbook"), script).expect("a program");
    support::set_mode(&built.join("evalbook"), 0o755);
    for name in ["Cargo.toml", "README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        std::fs::copy(project().join(name), machine.work().join(name)).expect("a copy");
    }
    let tools = machine.work().join(".github");
    std::fs::create_dir_all(&tools).expect("a folder");
    for name in ["home", "write-home"] {
        std::fs::copy(project().join(".github").join(name), tools.join(name)).expect("a copy");
    }
    let example = "examples/skill-creator/iteration-1";
    support::copy(&project().join(example), &machine.work().join(example));
    machine
}

#[test]
fn the_action_takes_the_archive_that_the_release_workflow_packs() {
    let Some(_) = forge() else { return };
    let workflow = yaml(".github/workflows/release.yml");
    let mut machine = release_machine("x86_64-unknown-linux-musl");
    machine.run(&step(&steps(&workflow["jobs"]["archive"]["steps"]), "Pack")).assert_code(0);
    let (version, dist) = (env!("CARGO_PKG_VERSION"), machine.work().join("dist"));
    let name = format!("evalbook-{version}-x86_64-unknown-linux-musl.tar.gz");
    let listed =
        CommandOutput::of(Command::new("tar").current_dir(&dist).args(["-tzf", &name])).stdout;
    for inside in ["README.md", "completions/evalbook.zsh", "man/evalbook-build.1"] {
        let inside = format!("evalbook-{version}-x86_64-unknown-linux-musl/{inside}");
        assert!(listed.lines().any(|line| line == inside), "{inside}: {listed}");
    }

    let forge = Forge::start();
    for suffix in ["", ".sha256"] {
        let bytes = std::fs::read(dist.join(format!("{name}{suffix}"))).expect("a file");
        let path = format!("/maker/evalbook/releases/download/v{version}/{name}{suffix}");
        forge.state().files.insert(path, bytes);
    }
    let (taking, ran) = install(&forge, &[("version", version)]);
    assert_eq!(taking.output("install", "found"), "true", "{ran:?}");

    machine.stand_in("gh");
    machine = machine.knowing("github.ref_name", "v1").knowing("github.token", "t");
    machine = machine.knowing("github.repository", "maker/evalbook");
    let publish = step(&steps(&workflow["jobs"]["release"]["steps"]), "Publish");
    machine.run(&publish).assert_code(0);
    let calls = machine.calls("gh");
    assert!(calls.ends_with(&format!(" ./{name} ./{name}.sha256\n")), "{calls}");
    std::fs::write(dist.join(&name), "another").expect("a file");
    assert_eq!(machine.run(&publish).code, Some(1), "the archive has another checksum");
    assert_eq!(machine.calls("gh"), calls, "nothing more was published");
}

#[test]
fn the_release_workflow_makes_npm_packages_of_its_archives() {
    if !has_tools()
        || !Command::new("npm").arg("--version").output().is_ok_and(|ran| ran.status.success())
    {
        return;
    }
    let workflow = yaml(".github/workflows/release.yml");
    let mut machine = release_machine("x86_64-unknown-linux-musl");
    support::copy(&project().join("npm"), &machine.work().join("npm"));
    for (job, name) in [("archive", "Pack"), ("npm", "Make the packages")] {
        let ran = machine.run(&step(&steps(&workflow["jobs"][job]["steps"]), name));
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let packages = machine.work().join("npm-dist");
    let names: Vec<String> = support::tree(&packages).into_keys().collect();
    let expected = ["evalbook", "evalbook-linux-x64"]
        .map(|name| [format!("{name}-{version}.tgz"), format!("{name}-{version}.tgz.sha256")]);
    let mut expected = expected.concat();
    expected.sort();
    assert_eq!(names, expected);
    let contents = |name: &str| {
        let name = format!("{name}-{version}.tgz");
        CommandOutput::of(Command::new("tar").current_dir(&packages).args(["-tzf", &name])).stdout
    };
    assert!(contents("evalbook").contains("package/bin/evalbook.js\n"));
    assert!(contents("evalbook-linux-x64").contains("package/evalbook\n"));
}

#[test]
fn without_a_release_it_is_built_from_the_sources_of_the_action() {
    let Some(forge) = forge() else { return };
    let (mut machine, ran) = install(&forge, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(forge.methods().is_empty());
    let key = machine.output("install", "key").to_owned();
    assert!(key.starts_with("evalbook-Linux-X64-") && key.len() == 19 + 64, "{key}");
    for name in ["cargo", "rustup"] {
        machine.stand_in(name);
    }
    machine.run(&step(&action_steps(), "Build evalbook")).assert_code(0);
    let root = machine.output("install", "root");
    let call = format!("install --locked --path {} --root {root}\n", project().display());
    assert_eq!(machine.calls("cargo"), call);
}
