//! `evalbook baseline`: writes the outcomes of an iteration to a file that can be committed.

use std::path::PathBuf;

use clap::Args;

use crate::analyze;
use crate::baseline_json::Baseline;
use crate::cli::settings::warn_unguarded;
use crate::cli::{CommandResult, Console, Failure, exit, git, name_checks, sides};
use input::files;
use input::settings::Settings;
use text::{bytes, count};

/// Write the outcomes of the newest graded iteration to a small file that can be committed
///
/// It has, for each case, check and side, the check's text and the outcome of each run, with time,
/// tokens and scores where there are any, and digests of the prompts and the skill: no prompt,
/// evidence or output. `evalbook compare` takes it as BASE and gives the verdict, the regressions and
/// the gates of the whole report. It has one line a check, so that its differences can be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                        evalbook baseline my-skill-workspace -o evals/baseline.json\n  \
                        evalbook baseline my-skill-workspace -o evals/baseline.json --update\n  \
                        evalbook compare origin/main:evals/baseline.json my-skill-workspace \
                        --fail-on worse")]
pub(super) struct BaselineArgs {
    /// A workspace, an iteration's folder or a report.json, or one iteration as
    /// `PATH#iteration-2`; the current folder when none is given
    #[arg(default_value = ".", hide_default_value = true)]
    workspace: PathBuf,

    /// The file to write; printed when none is given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace an earlier baseline; only on the default branch, so that no change judges itself
    #[arg(long, requires = "output")]
    update: bool,

    /// The default branch, where neither the workflow nor `git` says it
    #[arg(long, value_name = "NAME", requires = "update")]
    default_branch: Option<String>,

    #[command(flatten)]
    settings: Settings,
}

pub(super) fn run(args: &BaselineArgs, console: &mut Console) -> CommandResult {
    refuse_output(args)?;
    let flags = args.settings.as_flags();
    let found = sides::find(&args.workspace, &flags)?;
    name_checks::check_configurations(&[found.named()])?;
    let analysis = analyze::analyze_iteration(found.iteration(), &found.settings);
    let mut baseline = Baseline::new(found.iteration());
    baseline.skill = found.workspace.skill_name().map(str::to_owned);
    baseline.skill_digest.clone_from(&found.skill_digest);
    baseline.compared_against.clone_from(&analysis.roles.baseline);
    let text = baseline.text();
    found.remarks.iter().for_each(|line| console.remark(line));
    // The file is committed, and its checks quote the workspace.
    console.hide(found.last_look);
    console.put(&text, args.output.as_deref())?;
    if let Some(file) = &args.output {
        console.remark(&format!(
            "wrote {} of {} in {} to {} ({})",
            count(baseline.checks(), "check"),
            count(baseline.cases.len(), "case"),
            baseline.iteration,
            file.display(),
            bytes(text.len() as u64),
        ));
    }
    warn_unguarded(&flags, console);
    Ok(exit::FINE)
}

/// Refuses to replace a file without `--update`, and with it on any branch but the default one: a
/// change that brings its own baseline would be compared with itself.
fn refuse_output(args: &BaselineArgs) -> CommandResult<()> {
    let Some(file) = &args.output else { return Ok(()) };
    let shown = file.display();
    if file.is_dir() || shown.to_string().ends_with('/') {
        let failure = Failure::usage(format!("`{shown}` is a folder"));
        let named = file.join("baseline.json");
        return Err(failure.help(format!("give a file: `-o {}`", named.display())));
    }
    if !file.exists() {
        return Ok(());
    }
    if files::text(file).is_none_or(|text| Baseline::read(&text).is_none()) {
        let failure = Failure::usage(format!("`{shown}` is no baseline"));
        return Err(failure.help("give another file with `-o`"));
    }
    if !args.update {
        let failure = Failure::usage(format!("`{shown}` is there already"));
        return Err(failure.help("replace it with `--update`, on the default branch"));
    }
    let default = args.default_branch.clone().or_else(git::default_branch);
    let Some(default) = default else {
        let failure = Failure::usage("nothing says which branch is the default one");
        return Err(failure.help("name it: `--default-branch main`"));
    };
    match git::current_branch() {
        Some(branch) if branch == default => Ok(()),
        Some(branch) => Err(Failure::usage(format!(
            "a baseline is replaced on `{default}` only, and this is `{branch}`"
        ))
        .help("merge the change first, and update the baseline there")),
        None => Err(Failure::usage("nothing says which branch this is")
            .help(format!("check out `{default}` in a clone of the repository"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::baseline_json::{Baseline, VERSION};

    #[test]
    fn another_version_is_an_error_and_another_file_is_none() {
        let newer = format!(r#"{{"baseline_version": {}, "cases": 3}}"#, VERSION + 1);
        let error = Baseline::read(&newer).expect("a baseline").expect_err("a later version");
        assert!(error.to_string().contains("version 2"), "{error}");
        assert!(Baseline::read(r#"{"schema_version": 3}"#).is_none());
        assert!(Baseline::read("[1").is_none());
    }
}
