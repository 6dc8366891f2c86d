//! `evalbook serve`: builds, serves a browser on the same machine, rebuilds on change, and saves
//! comments.

mod save;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use clap::Args;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::analyze::Analysis;
use crate::cli::last_look::CheckedSink;
use crate::cli::serve::save::{FeedbackSaver, FileOnDisk};
use crate::cli::settings::summed_up;
use crate::cli::theme::{self, LookArgs};
use crate::cli::workspaces::{self, OpenedWorkspace};
use crate::cli::{CommandResult, Console, Failure, build, destination, exit};
use crate::render::{self, CommentTarget};
use crate::serve::{LiveReport, ServedReport, Server, WorkspaceIds};
use crate::write::{MemorySink, ReportFolder, Temporary, WriteError};
use input::files::{self, Disk, WatchedFiles};
use input::names;
use input::settings::Settings;
use text::{count, printable};

/// Show the report in a browser on this machine, follow changes, and save comments
///
/// The address is printed; only who has it can read the report. When a file of the workspaces
/// changes, the report is made again and open pages follow. What is written into a page's comment is
/// saved to the `feedback.json` of its iteration, in the shape that it has. Nothing else is written
/// to a workspace. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook serve my-skill-workspace\n  \
                        evalbook serve my-skill-workspace --open\n  \
                        evalbook serve skills/*-workspace --port 4000 --lang zh-TW")]
pub(super) struct ServeArgs {
    /// Folders to read; the current folder when none is given
    workspaces: Vec<PathBuf>,

    /// Port of 127.0.0.1 to listen on; a free one when none is given
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Open the report in the browser
    #[arg(long)]
    open: bool,

    #[command(flatten)]
    look: LookArgs,

    #[command(flatten)]
    settings: Settings,
}

/// Time between two checks of up to [`FEW`] files; longer for more, so that checking is cheap.
const PAUSE: Duration = Duration::from_millis(100);

/// The most files and folders that are checked in a few milliseconds.
const FEW: usize = 2_500;

/// Time for which files must be unchanged before they are read.
const SETTLE: Duration = Duration::from_millis(50);

/// How often to wait for files that keep changing.
const SETTLES: usize = 20;

/// How often to check whether the user wants to quit.
const TICK: Duration = Duration::from_millis(100);

pub(super) fn run(args: &ServeArgs, console: &mut Console) -> CommandResult {
    let ends = interrupt_flag()?;
    let roots = roots(args);
    let builder = SiteBuilder::new(args, &roots)?;
    let server = Server::bind(args.port).map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::AddrInUse => "another program uses it".to_owned(),
            _ => files::reason(&error),
        };
        Failure::nothing(format!("cannot listen on port {} of 127.0.0.1: {why}", args.port))
            .help("give another `--port`, or none for a free one; no other program is ended")
    })?;
    let (lines, messages) = channel();
    let mut watch = Watch { seen: look(&roots), roots, ends, messages };
    // Later failures keep the report before, and at first there is none.
    let (report, places, summary) = builder.build(0, None)?;
    console.remark(&summary);
    let desk = Arc::new(FeedbackSaver::new(places, lines));
    let live = Arc::new(LiveReport::new(report));
    let address = server.address();
    let taking = Arc::clone(&desk);
    server.start(Arc::clone(&live), Box::new(move |body| taking.take(body)));
    console.result(&format!("serving at {address} until Ctrl-C\n"))?;
    if args.open {
        build::open(Path::new(&address), console);
    }
    let mut number = 0;
    while let Some(changed) = watch.next(console) {
        number += 1;
        console.remark(&changed);
        match builder.build(number, Some(&live)) {
            Ok((report, places, summary)) => {
                *desk.places() = places;
                live.show(report);
                console.remark(&summary);
            }
            Err(failure) => {
                let lines = std::iter::once(&failure.message).chain(&failure.help);
                let lines: Vec<_> = lines.map(|line| printable(line).to_string()).collect();
                live.fail(&lines.join("\n"));
                console.failure(&failure);
            }
        }
    }
    Ok(exit::FINE)
}

/// Set once the user wants to quit. A second request ends the program at once.
fn interrupt_flag() -> CommandResult<Arc<AtomicBool>> {
    let ends = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, i32::from(exit::FAILED), Arc::clone(&ends))
            .and_then(|_| flag::register(signal, Arc::clone(&ends)))
            .map_err(|error| Failure::nothing(format!("cannot listen for Ctrl-C: {error}")))?;
    }
    Ok(ends)
}

fn roots(args: &ServeArgs) -> Vec<PathBuf> {
    let all = workspaces::or_current_folder(&args.workspaces)
        .into_iter()
        .chain(args.look.theme.as_deref());
    all.map(|path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf())).collect()
}

struct Watch {
    roots: Vec<PathBuf>,
    seen: WatchedFiles,
    ends: Arc<AtomicBool>,
    messages: Receiver<String>,
}

impl Watch {
    /// Waits for `time` and prints what was saved meanwhile; `None` once the user wants to quit.
    fn wait(&self, time: Duration, console: &mut Console) -> Option<()> {
        let mut left = time;
        while !left.is_zero() && !self.ends.load(Ordering::Relaxed) {
            let tick = TICK.min(left);
            std::thread::sleep(tick);
            left -= tick;
            self.messages.try_iter().for_each(|line| console.remark(&line));
        }
        if self.ends.load(Ordering::Relaxed) { None } else { Some(()) }
    }

    /// Waits until changes settle, and returns what changed; `None` once the user wants to quit.
    fn next(&mut self, console: &mut Console) -> Option<String> {
        loop {
            let factor = 1 + self.seen.count() / FEW;
            let pause = PAUSE.saturating_mul(u32::try_from(factor).unwrap_or(u32::MAX));
            self.wait(pause, console)?;
            let mut now = look(&self.roots);
            if now == self.seen {
                continue;
            }
            // An agent that writes all the time is followed as well, after a while.
            for _ in 0..SETTLES {
                self.wait(SETTLE, console)?;
                let earlier = std::mem::replace(&mut now, look(&self.roots));
                if earlier == now {
                    break;
                }
            }
            let change = self.change(&now);
            self.seen = now;
            return Some(change);
        }
    }

    fn change(&self, now: &WatchedFiles) -> String {
        let changed = now.changed_since(&self.seen);
        let Some(first) = changed.first() else { return "changed and changed back".to_owned() };
        let root = self.roots.iter().find(|root| first.starts_with(root));
        let first = root.and_then(|root| first.strip_prefix(root).ok()).unwrap_or(first);
        let more = match changed.len() {
            1 => String::new(),
            all => format!(" and {} more", count(all - 1, "path")),
        };
        format!("changed: {}{more}", printable(&first.display().to_string()))
    }
}

fn look(roots: &[PathBuf]) -> WatchedFiles {
    WatchedFiles::new(roots, &names::is_never_entered)
}

const HOME_DIGITS: usize = 32;

struct SiteBuilder<'a> {
    args: &'a ServeArgs,
    flags: Settings,
    scratch: Temporary,
}

impl<'a> SiteBuilder<'a> {
    fn new(args: &'a ServeArgs, roots: &[PathBuf]) -> CommandResult<Self> {
        let place = std::env::temp_dir();
        let real = place.canonicalize().unwrap_or_else(|_| place.clone());
        if roots.iter().any(|root| real.starts_with(root)) {
            let place = place.display();
            return Err(Failure::usage(format!(
                "the folder for temporary files, `{place}`, lies in a workspace"
            ))
            .help("name one elsewhere in the variable `TMPDIR`"));
        }
        let scratch = Temporary::new(&place).map_err(unwritten)?;
        Ok(Self { args, flags: args.settings.as_flags(), scratch })
    }

    /// Builds the pages that `stage` shows first. The earlier report stays until the next build.
    fn build(
        &self,
        number: u64,
        live: Option<&LiveReport>,
    ) -> CommandResult<(ServedReport, BTreeMap<String, FileOnDisk>, String)> {
        let opening = workspaces::open(&self.args.workspaces, &self.flags)?;
        let opened = opening.checked()?.labelled()?.opened;
        let settings = opened.iter().map(|opened| &opened.settings);
        let theme = self.args.look.theme.as_deref();
        let options =
            render::RenderOptions { is_served: true, ..theme::render_options(theme, settings)? };
        let analyses: Vec<Analysis> =
            opened.iter().map(OpenedWorkspace::analysis_with_texts).collect();
        let parts = build::parts_of(&opened, &analyses);
        if let Some(live) = live {
            let first = MemorySink::default();
            // What cannot be rendered now is named when the whole report is.
            if render::pages(&parts, &options, &live.recent_pages(), &first).is_ok() {
                live.show_first(first.into_pages());
            }
        }
        let target = self.scratch.path().join(name(number));
        let folder = ReportFolder::begin(&target).map_err(unwritten)?;
        let checked = CheckedSink::new(&folder, &opened);
        let pages = render::report(&parts, &options, &checked, &|_| ())
            .map_err(|error| destination::render_failure(&error, &folder))?;
        let faults = checked.faults();
        let hashes = folder.hashes();
        folder.finish().map_err(unwritten)?;
        // Open pages may still load files of the report before this one.
        if let Some(old) = number.checked_sub(2) {
            self.scratch.remove(&name(old));
        }
        let mut places = BTreeMap::new();
        for target in render::comment_targets(&parts) {
            places.insert(target.address.clone(), place(&opened[target.part], target));
        }
        let homes: WorkspaceIds =
            render::folders(&parts).into_iter().zip(opened.iter().map(home)).collect();
        let disk = Disk::open(&target).map_err(|error| Failure::io("read", &target, &error))?;
        let built = format!("built {}", count(pages, "page"));
        let summary = summed_up([vec![built], faults].concat().join("\n"), &self.flags);
        Ok((ServedReport::new(disk, hashes, homes), places, summary))
    }
}

fn name(number: u64) -> String {
    format!("report-{number}")
}

fn place(opened: &OpenedWorkspace, target: CommentTarget) -> FileOnDisk {
    let shown = opened.path(&target.file);
    let comparison_shown = opened.path(&target.comparison_file);
    let guard = opened.source.guard();
    FileOnDisk {
        disk: opened.disk().clone(),
        path: guard.in_source(&shown).to_owned(),
        shown,
        comparison_path: guard.in_source(&comparison_shown).to_owned(),
        comparison_shown,
        names: target.names,
        guard: Arc::clone(guard),
        folds: target.folds,
    }
}

/// Identifies the workspace: browsers key unsaved comments by it.
fn home(opened: &OpenedWorkspace) -> String {
    let folder = opened.locate("");
    let folder = folder.canonicalize().unwrap_or(folder);
    let hash = blake3::hash(folder.as_os_str().as_encoded_bytes()).to_hex();
    hash[..HOME_DIGITS].to_owned()
}

fn unwritten(error: WriteError) -> Failure {
    Failure::nothing(error.to_string())
}
