//! `evalbook benchmark`: write `benchmark.json` and `benchmark.md` next to an iteration.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::name_checks;
use crate::cli::settings::warn_unguarded;
use crate::cli::workspaces::{self, FoundPath, OpenedWorkspace};
use crate::cli::{CommandResult, Console, Failure, clock, exit};
use crate::digest::Comparisons;
use crate::render::benchmark::{self, Heading, Subject};
use crate::write::Stranger;
use input::files;
use input::model::Iteration;
use input::settings::Settings;
use text::count;

/// The start of our last line of Markdown; a hash of all lines before it follows.
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
    settings: Settings,
}

struct BenchmarkTarget<'o> {
    opened: &'o OpenedWorkspace,
    index: usize,
    iteration: &'o Iteration,
    json: PathBuf,
}

pub(super) fn run(args: &BenchmarkArgs, console: &mut Console) -> CommandResult {
    let flags = args.settings.as_flags();
    let targets = args.iterations.iter().map(|path| workspaces::find(path, &flags));
    let targets = targets.collect::<CommandResult<Vec<FoundPath>>>()?;
    let opened = targets.iter().flat_map(|target| &target.opened);
    name_checks::check_configurations(&opened.map(OpenedWorkspace::named).collect::<Vec<_>>())?;
    let jobs = jobs(args, &targets);
    if jobs.is_empty() {
        return Err(Failure::nothing("found no iteration with runs in it")
            .help("give the folder of an iteration, such as `my-workspace/iteration-1`"));
    }
    // Two iterations of the same name in different workspaces would share a path.
    let mut places: Vec<&PathBuf> = jobs.iter().map(|job| &job.json).collect();
    places.sort();
    if let Some(pair) = places.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("two benchmarks would be written to `{}`", pair[0].display());
        return Err(Failure::usage(message).help("write them one by one, or leave `-o` out"));
    }
    if !args.force {
        for job in &jobs {
            refuse_foreign(&job.json, json_stranger)?;
            refuse_foreign(&job.json.with_extension("md"), markdown_stranger)?;
        }
    }
    targets.iter().for_each(|target| console.hide_secrets_of(&target.opened));
    for job in &jobs {
        let markdown = job.json.with_extension("md");
        write(job, &markdown, args, console)?;
        console.remark(&format!(
            "wrote {} and {} from {}",
            job.json.display(),
            markdown.display(),
            count(job.iteration.runs().count(), "run"),
        ));
    }
    warn_unguarded(&flags, console);
    Ok(exit::FINE)
}

fn jobs<'o>(args: &BenchmarkArgs, targets: &'o [FoundPath]) -> Vec<BenchmarkTarget<'o>> {
    let mut jobs = Vec::new();
    for FoundPath { opened, iteration: only } in targets {
        for opened in opened {
            for (index, iteration) in opened.workspace.iterations.iter().enumerate() {
                let is_wanted = only.as_ref().is_none_or(|only| iteration.path == *only);
                if is_wanted && iteration.runs().next().is_some() {
                    jobs.push(BenchmarkTarget { opened, index, iteration, json: PathBuf::new() });
                }
            }
        }
    }
    let is_single = jobs.len() == 1;
    for job in &mut jobs {
        job.json = match &args.output {
            Some(file) if is_single && file.extension().is_some_and(|kind| kind == "json") => {
                file.clone()
            }
            Some(folder) if is_single => folder.join("benchmark.json"),
            Some(folder) => folder.join(&job.iteration.name).join("benchmark.json"),
            None => job.opened.locate(&job.iteration.path).join("benchmark.json"),
        };
    }
    jobs
}

/// Refuses a file that others wrote or changed. `stranger` says what it sees in a text; `None` if it
/// is ours.
fn refuse_foreign(path: &Path, stranger: fn(&str) -> Option<Stranger>) -> CommandResult<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    let seen = match files::text(path) {
        Some(text) => stranger(&text),
        None => Some(Stranger::Unknown),
    };
    let Some(seen) = seen else { return Ok(()) };
    Err(Failure::nothing(format!("`{}` {seen}", path.display()))
        .help("write elsewhere with `-o`, or replace it with `--force`"))
}

fn json_stranger(json: &str) -> Option<Stranger> {
    let root = json::parse_strict(json).ok();
    match root.and_then(|root| root.get("evalbook")?.as_object().map(<[_]>::len)) {
        Some(_) => None,
        None => Some(Stranger::Unknown),
    }
}

fn markdown_stranger(text: &str) -> Option<Stranger> {
    match text.rsplit_once(SIGNATURE) {
        Some((markdown, _)) if signed(markdown) == text => None,
        Some(_) => Some(Stranger::Changed),
        None => Some(Stranger::Unknown),
    }
}

/// The Markdown with a last line that identifies it until somebody changes it.
fn signed(markdown: &str) -> String {
    let hash = blake3::hash(markdown.as_bytes()).to_hex();
    format!("{markdown}{SIGNATURE}{} -->\n", &hash[..SIGNATURE_DIGITS])
}

fn write(
    job: &BenchmarkTarget<'_>,
    markdown: &Path,
    args: &BenchmarkArgs,
    console: &mut Console,
) -> CommandResult<()> {
    let workspace = &job.opened.workspace;
    let analysis = &job.opened.analysis();
    let recorded = Heading::recorded(workspace, job.iteration);
    let heading = &Heading {
        skill_name: args.skill_name.clone().or(recorded.skill_name),
        skill_path: args.skill_path.clone().or(recorded.skill_path),
        // Never from the clock: the same input gives the same bytes.
        timestamp: recorded.timestamp.or(clock::source_date()?),
    };
    let comparisons = &Comparisons::empty(workspace, analysis);
    let subject = Subject { comparisons, index: job.index, heading };
    console.put(&benchmark::json(subject), Some(&job.json))?;
    console.put(&signed(&benchmark::markdown(subject)), Some(markdown))
}
