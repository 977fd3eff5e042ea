//! Runs mutated inputs through all tools: none may crash, panic, hang or exhaust memory.
//!
//! ```text
//!   corpus ─draw─▶ mutant ─worker─▶ each step in one process    every mutant
//!                    │
//!                    └────tools───▶ a tool as a user runs it    one in 25, and all messages to the language server
//! ```
//! A finding is written to target/fuzz with the command that reproduces it, and reduced.

mod corpus;
mod draw;
mod finding;
mod reduce;
mod stack;
mod tools;
mod watch;
mod worker;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Result, bail};

use self::corpus::{Corpus, InputKind};
use self::finding::Finding;
use self::worker::{FILE_FLAG, Worker};
use super::{Rng, folder, prepared};
use crate::setup::Toolchain;
use crate::table::Table;
use crate::{build, workspace};

/// One mutant in this number is also given to a tool as a process.
const SAMPLE: u64 = 25;

/// The number of mutants between two lines of progress.
const PROGRESS: u64 = 5_000;

/// The statistics so far.
#[derive(Default)]
struct Tally {
    /// The number of mutants of each kind.
    mutants: BTreeMap<&'static str, u64>,
    /// The number of processes of each tool.
    processes: BTreeMap<String, u64>,
    /// Findings by key: their number, and the file of the first.
    findings: BTreeMap<String, (u64, PathBuf)>,
    /// Upstream's crashes, in the same form.
    upstream: BTreeMap<String, (u64, PathBuf)>,
}

struct Hunt<'t> {
    toolchain: &'t Toolchain,
    corpus: Corpus,
    seed: u64,
    next: AtomicU64,
    tally: Mutex<Tally>,
}

/// Runs `count` mutants. The tools must be built.
///
/// # Errors
/// If there is a finding.
pub fn run(toolchain: &Toolchain, count: u64, seed: u64) -> Result<()> {
    let start = Instant::now();
    prepared(&folder())?;
    let corpus = Corpus::gather(toolchain)?;
    let sizes: Vec<String> = corpus.sizes().map(|(kind, size)| format!("{size} of {}", kind.name())).collect();
    println!("{count} mutants, seed {seed}; inputs: {}", sizes.join(", "));
    let hunt = Hunt { toolchain, corpus, seed, next: AtomicU64::new(0), tally: Mutex::default() };
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    std::thread::scope(|scope| -> Result<()> {
        let all: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn({
                    let hunt = &hunt;
                    move || hunt.work(thread, count)
                })
            })
            .collect();
        all.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a thread of the hunt panicked")))
    })?;
    let tally = hunt.tally.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    println!("{}", tally.report());
    println!("{count} mutants in {:.0} s", start.elapsed().as_secs_f64());
    match tally.findings.len() {
        0 => Ok(()),
        some => bail!("{some} findings, see {}", workspace::shown(&folder())),
    }
}

impl Hunt<'_> {
    fn work(&self, thread: usize, count: u64) -> Result<()> {
        let folder = folder();
        let worker = |what| Worker::new(self.toolchain, folder.join(format!("{what}-{thread}.said")));
        // MLIR's bytecode reader corrupts the heap, so nothing else must run in its process.
        let (mut worker, mut reader) = (worker("worker"), worker("reader"));
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return Ok(());
            }
            if index > 0 && index.is_multiple_of(PROGRESS) {
                println!("  {index} mutants …");
            }
            self.mutant([&mut worker, &mut reader], &folder.join(format!("mutant-{thread}")), index)?;
        }
    }

    fn mutant(&self, [worker, reader]: [&mut Worker<'_>; 2], file: &Path, index: u64) -> Result<()> {
        let (input, bytes) = draw::mutant(&self.corpus, self.seed, index);
        let kind = input.kind;
        let worker = if kind == InputKind::Bytecode { reader } else { worker };
        let origin = format!("mutant {index} of seed {} of {}", self.seed, input.name);
        self.tally(|tally| *tally.mutants.entry(kind.name()).or_default() += 1);
        if kind != InputKind::Messages
            && let Some(bug) = worker.run(kind, &bytes)?
        {
            let bug = if kind == InputKind::Bytecode { in_damaged_heap(bug, worker, &bytes)? } else { bug };
            let again = |bytes: &[u8]| Ok(worker.run(kind, bytes)?.is_some_and(|other| other.key == bug.key));
            let line = format!("{} {FILE_FLAG}", workspace::shown(&build::tool("tile-conformance")));
            self.record(&bug, kind, &bytes, &origin, &|file| format!("{line} {file}"), again)?;
        }
        if kind == InputKind::Messages || index.is_multiple_of(SAMPLE) {
            self.process(kind, &bytes, file, index, &origin)?;
        }
        Ok(())
    }

    /// Gives a mutant to one of the tools.
    fn process(&self, kind: InputKind, bytes: &[u8], file: &Path, index: u64, origin: &str) -> Result<()> {
        let file = file.with_extension(kind.ending());
        let attempt = |bytes: &[u8]| {
            fs::write(&file, bytes)?;
            tools::run(self.toolchain, kind, &file, &mut Rng::of(!self.seed, index))
        };
        let (line, bug) = attempt(bytes)?;
        let tool = line.split(' ').next().and_then(|program| program.rsplit('/').next()).unwrap_or_default().to_owned();
        self.tally(|tally| *tally.processes.entry(tool).or_default() += 1);
        let Some(bug) = bug.map(|bug| if kind == InputKind::Bytecode { of_damaged_heap(bug) } else { bug }) else {
            return Ok(());
        };
        let again = |bytes: &[u8]| Ok(attempt(bytes)?.1.is_some_and(|other| other.key == bug.key));
        let path = file.display().to_string();
        let line = if kind == InputKind::Messages { format!("{line} < {path}") } else { line };
        self.record(&bug, kind, bytes, origin, &|file| line.replace(&path, file), again)
    }

    /// Records a finding; the first with its key is saved and reduced.
    fn record(
        &self,
        bug: &Finding,
        kind: InputKind,
        bytes: &[u8],
        origin: &str,
        command: &dyn Fn(&str) -> String,
        again: impl FnMut(&[u8]) -> Result<bool>,
    ) -> Result<()> {
        let mut file = PathBuf::new();
        let first = self.tally(|tally| {
            let all = if bug.upstream { &mut tally.upstream } else { &mut tally.findings };
            let number = all.len() + 1;
            let what = if bug.upstream { "upstream" } else { "finding" };
            let name = format!("{what}-{}-{number}.{}", self.seed, kind.ending());
            let entry = all.entry(bug.key.clone()).or_insert_with(|| (0, folder().join(name)));
            entry.0 += 1;
            file.clone_from(&entry.1);
            entry.0 == 1
        });
        if !first {
            return Ok(());
        }
        let shown = workspace::shown(&file);
        println!("{}{}, in {}: {shown}", if bug.upstream { "upstream: " } else { "" }, bug.key, bug.step);
        fs::write(&file, bytes)?;
        let about = |small: &str| {
            format!("{}\nin {}\n{origin}\n{}\n{small}\n\n{}\n", bug.key, bug.step, command(&shown), bug.output)
        };
        fs::write(file.with_extension("txt"), about(""))?;
        // A hang is not reduced, because each attempt takes as long as the hang.
        if !bug.upstream && !bug.key.starts_with("hang") {
            let small = file.with_extension(format!("small.{}", kind.ending()));
            fs::write(&small, reduce::reduce(bytes, again)?)?;
            fs::write(file.with_extension("txt"), about(&command(&workspace::shown(&small))))?;
        }
        Ok(())
    }

    fn tally<R>(&self, change: impl FnOnce(&mut Tally) -> R) -> R {
        change(&mut self.tally.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

/// A crash in a process that has read other mutated bytecode is a finding only if it happens again in a fresh process,
/// and is not caused by a corrupted heap.
fn in_damaged_heap(bug: Finding, worker: &mut Worker<'_>, bytes: &[u8]) -> Result<Finding> {
    if bug.upstream || bug.key.starts_with("panic") {
        return Ok(bug);
    }
    worker.stop();
    let alone = worker.run(InputKind::Bytecode, bytes)?;
    Ok(match alone {
        Some(again) if again.upstream || !HEAP.iter().any(|text| again.output.contains(text)) => again,
        _ => damaged_heap(bug),
    })
}

/// A crash of a tool that has read mutated bytecode is a finding only if it is not caused by a corrupted heap.
fn of_damaged_heap(bug: Finding) -> Finding {
    if HEAP.iter().any(|text| bug.output.contains(text)) { damaged_heap(bug) } else { bug }
}

fn damaged_heap(bug: Finding) -> Finding {
    Finding { key: "the heap is damaged by reading bytecode".to_owned(), upstream: true, ..bug }
}

/// The C library's messages about a corrupted heap.
const HEAP: [&str; 5] = ["malloc(): ", "free(): ", "corrupted ", "munmap_chunk(): ", "realloc(): "];

impl Tally {
    fn report(&self) -> String {
        let mut table = Table::new(&["what", "how many", "first"]);
        for (kind, count) in &self.mutants {
            table.row(&[format!("mutants of {kind}"), count.to_string(), String::new()]);
        }
        for (tool, count) in &self.processes {
            table.row(&[format!("processes of {tool}"), count.to_string(), String::new()]);
        }
        for (what, all) in [("upstream: ", &self.upstream), ("FINDING: ", &self.findings)] {
            for (key, (count, file)) in all {
                table.row(&[format!("{what}{key}"), count.to_string(), workspace::shown(file)]);
            }
        }
        table.to_string()
    }
}
