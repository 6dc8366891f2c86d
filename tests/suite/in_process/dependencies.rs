//! The libraries of the program that is shipped and of the one that tests are built with.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::support::{CommandOutput, project, quiet_environment};

/// Features that only dev-dependencies turn on, in libraries that the program names itself. Each
/// makes something faster, or is looked for in the source below.
const ONLY_IN_TESTS: [(&str, &[&str]); 3] = [
    ("aho-corasick", &["perf-literal"]),
    // Random bytes as a generator; the program asks for bytes.
    ("getrandom", &["std", "sys_rng"]),
    (
        "regex",
        &[
            "default",
            "perf",
            "perf-cache",
            "perf-inline",
            "perf-literal",
            // Classes such as `\p{Greek}`, which no pattern of the program has.
            "unicode",
            "unicode-age",
            "unicode-bool",
            "unicode-gencat",
            "unicode-script",
            "unicode-segment",
        ],
    ),
];

/// The features of every library by its name and version, where these `edges` of the graph count.
fn features(edges: &str) -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = quiet_environment(Command::new(cargo), &project());
    command.args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}|{f}"]);
    let ran = CommandOutput::of(command.args(["--edges", edges])).assert_code(0);
    let mut features: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in ran.stdout.lines() {
        let (package, list) = line.trim_end_matches(" (*)").split_once('|').expect("a format");
        let names = list.split(',').filter(|name| !name.is_empty()).map(str::to_owned);
        features.entry(package.to_owned()).or_default().extend(names);
    }
    features
}

/// The libraries that the program names itself.
fn own_dependencies() -> BTreeSet<String> {
    let manifest = std::fs::read_to_string(project().join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = manifest.parse().expect("a valid manifest");
    manifest["workspace"]["dependencies"].as_table().expect("a table").keys().cloned().collect()
}

#[test]
fn tests_turn_on_no_feature_that_the_program_lacks() {
    let (shipped, tested) = (features("normal,build"), features("normal,build,dev"));
    let known = BTreeMap::from(ONLY_IN_TESTS);
    let own = own_dependencies();
    for (library, features) in shipped {
        let name = library.split(' ').next().unwrap_or_default();
        if !own.contains(name) {
            continue;
        }
        let known = known.get(name).copied().unwrap_or_default();
        for feature in tested[&library].difference(&features) {
            assert!(
                known.contains(&feature.as_str()),
                "{library} has `{feature}` only in tests, which may hide what the program cannot do"
            );
        }
    }
}

#[test]
fn no_pattern_needs_tables_that_only_tests_have() {
    let mut files = crate::support::tree(&project().join("src"));
    for folder in crate::support::folders(&project().join("crates")) {
        files.extend(crate::support::tree(&folder.join("src")));
    }
    for (path, bytes) in files {
        let text = String::from_utf8(bytes).expect("source is UTF-8");
        assert!(!text.contains(r"\p{"), "{path}");
    }
}
