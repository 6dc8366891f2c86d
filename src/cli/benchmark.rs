//! `evalbook benchmark`: write `benchmark.json` and `benchmark.md` beside an iteration.

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;

use crate::cli::named;
use crate::cli::settings::{SettingsArgs, tell_unguarded};
use crate::cli::workspaces::{self, Opened, Target};
use crate::cli::{Console, Failure, Outcome, exit};
use crate::files;
use crate::model::Iteration;
use crate::render::benchmark::{self, Heading, Subject};
use crate::text::count;
use crate::write;

/// How the last line of Markdown of ours begins; a hash of all lines before it follows.
const SIGNATURE: &str = "\n<!-- evalbook ";
const SIGNATURE_DIGITS: usize = 16;

/// Write `benchmark.json` and `benchmark.md` beside an iteration
///
/// The shape is that of the skill-creator's aggregator, so that its viewer and regression gates
/// read it; what the shape cannot carry stands in an object `evalbook`. A benchmark that evalbook
/// did not write is not replaced unless asked.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook benchmark my-workspace/iteration-3\n  \
                        evalbook benchmark my-workspace/iteration-3 -o results/benchmark.json\n  \
                        evalbook benchmark my-workspace --force")]
pub(super) struct BenchmarkArgs {
    /// Folders of iterations, or workspaces for all of theirs
    #[arg(required = true)]
    iterations: Vec<PathBuf>,

    /// The skill's name, where the files do not say it
    #[arg(long, value_name = "NAME")]
    skill_name: Option<String>,

    /// The skill's path, written as given
    #[arg(long, value_name = "PATH")]
    skill_path: Option<String>,

    /// A folder, or a `.json` file beside which the `.md` file goes; the iteration's folder when
    /// none is given
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Replace a benchmark that evalbook did not write
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    settings: SettingsArgs,
}

struct Job<'o> {
    opened: &'o Opened,
    index: usize,
    iteration: &'o Iteration,
    json: PathBuf,
}

pub(super) fn run(args: &BenchmarkArgs, console: &mut Console) -> Outcome {
    let flags = args.settings.settings()?;
    let mut targets = Vec::new();
    for path in &args.iterations {
        targets.push(workspaces::find(path, &flags)?);
    }
    let opened = targets.iter().flat_map(|(opened, _)| opened);
    named::check_configurations(&opened.map(Opened::named).collect::<Vec<_>>())?;
    let jobs = jobs(args, &targets);
    if jobs.is_empty() {
        return Err(Failure::nothing("found no iteration with runs in it")
            .help("give the folder of an iteration, such as `my-workspace/iteration-1`"));
    }
    refuse_shared(&jobs)?;
    for job in &jobs {
        refuse_foreign(&job.json, args.force)?;
    }
    for job in &jobs {
        write(job, args)?;
        console.remark(&format!(
            "wrote {} and {} from {}",
            job.json.display(),
            job.json.with_extension("md").display(),
            count(job.iteration.runs().count(), "run"),
        ));
    }
    tell_unguarded(&flags, console);
    Ok(exit::FINE)
}

fn jobs<'o>(args: &BenchmarkArgs, targets: &'o [Target]) -> Vec<Job<'o>> {
    let mut meant: Vec<(&Opened, usize)> = Vec::new();
    for (all, only) in targets {
        for opened in all {
            for (index, iteration) in opened.workspace.iterations.iter().enumerate() {
                let is_wanted = only.as_ref().is_none_or(|only| iteration.path == *only);
                if is_wanted && iteration.runs().next().is_some() {
                    meant.push((opened, index));
                }
            }
        }
    }
    let single = meant.len() == 1;
    let job = |(opened, index): (&'o Opened, usize)| {
        let iteration = &opened.workspace.iterations[index];
        let json = place(args.output.as_deref(), opened, iteration, single);
        Job { opened, index, iteration, json }
    };
    meant.into_iter().map(job).collect()
}

fn place(output: Option<&Path>, opened: &Opened, iteration: &Iteration, single: bool) -> PathBuf {
    match output {
        Some(file) if single && file.extension().is_some_and(|ending| ending == "json") => {
            file.to_path_buf()
        }
        Some(folder) if single => folder.join("benchmark.json"),
        Some(folder) => folder.join(&iteration.name).join("benchmark.json"),
        None => opened.locate(&iteration.path).join("benchmark.json"),
    }
}

/// Refuses a file that evalbook did not write: JSON of ours carries the object `evalbook`, Markdown of
/// ours its signature.
fn refuse_foreign(json: &Path, force: bool) -> Outcome<()> {
    let markdown = json.with_extension("md");
    let taken = if is_foreign(json, is_marked) {
        json
    } else if is_foreign(&markdown, is_signed) {
        &markdown
    } else {
        return Ok(());
    };
    if force {
        return Ok(());
    }
    Err(Failure::nothing(format!("`{}` is not as evalbook wrote it", taken.display()))
        .help("write elsewhere with `-o`, or replace it with `--force`"))
}

fn is_foreign(path: &Path, is_ours: fn(&str) -> bool) -> bool {
    path.symlink_metadata().is_ok() && !files::text(path).is_some_and(|text| is_ours(&text))
}

fn is_marked(json: &str) -> bool {
    let parsed = crate::json::parse_strict(json);
    parsed.is_ok_and(|root| root.get("evalbook").is_some_and(|ours| ours.as_object().is_some()))
}

/// The Markdown with a last line by which it is known again as long as nobody changes it.
fn signed(markdown: &str) -> String {
    let hash = blake3::hash(markdown.as_bytes()).to_hex();
    format!("{markdown}{SIGNATURE}{} -->\n", &hash[..SIGNATURE_DIGITS])
}

fn is_signed(text: &str) -> bool {
    text.rsplit_once(SIGNATURE).is_some_and(|(markdown, _)| signed(markdown) == text)
}

/// Two iterations of the same name in different workspaces would share a place.
fn refuse_shared(jobs: &[Job<'_>]) -> Outcome<()> {
    let mut places: Vec<&PathBuf> = jobs.iter().map(|job| &job.json).collect();
    places.sort();
    match places.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => {
            let message = format!("two benchmarks would be written to `{}`", pair[0].display());
            Err(Failure::usage(message).help("write them one by one, or leave `-o` out"))
        }
    }
}

fn write(job: &Job<'_>, args: &BenchmarkArgs) -> Outcome<()> {
    let workspace = &job.opened.workspace;
    let analysis = job.opened.analysis();
    let heading = heading(job, args);
    let subject = Subject::new(workspace, &analysis, job.index, &heading);
    let (json, markdown) = (benchmark::json(subject), benchmark::markdown(subject));
    let files = [(job.json.clone(), json), (job.json.with_extension("md"), signed(&markdown))];
    for (path, text) in files {
        write::file(&path, text.as_bytes())?;
    }
    Ok(())
}

/// What the user says, then what is recorded; the time from `SOURCE_DATE_EPOCH` where neither
/// knows one.
fn heading(job: &Job<'_>, args: &BenchmarkArgs) -> Heading {
    let recorded = Heading::recorded(&job.opened.workspace, job.iteration);
    Heading {
        skill_name: args.skill_name.clone().or(recorded.skill_name),
        skill_path: args.skill_path.clone().or(recorded.skill_path),
        timestamp: recorded.timestamp.or_else(epoch),
    }
}

fn epoch() -> Option<String> {
    let seconds: i64 = std::env::var("SOURCE_DATE_EPOCH").ok()?.parse().ok()?;
    Timestamp::from_second(seconds).ok().map(|stamp| stamp.to_string())
}
