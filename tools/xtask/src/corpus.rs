//! `cargo xtask corpus`: compiles the files of the tree by the pipelines that people use, and compares all that `tile-opt` writes.
//!
//! A change that should change nothing is shown to: what the tool prints, IR, remarks and errors, is the same, byte for byte, before and
//! after it.
//!
//! ```text
//! cargo xtask corpus --store             before the change: remembers the outputs, by their hashes
//! cargo xtask corpus                     after it: names each file and pipeline whose output is another one
//! cargo xtask corpus --with OTHER        or compares with another build of tile-opt
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, bail};

use crate::setup::Toolchain;
use crate::workspace::{self, Profile};
use crate::{build, process};

/// Options of `cargo xtask corpus`.
#[derive(clap::Args)]
pub struct CorpusOptions {
    /// Remember the outputs, in target/corpus.txt, instead of comparing them with those that are remembered.
    #[arg(long)]
    store: bool,
    /// Compare with the outputs of this tile-opt.
    #[arg(long, value_name = "TILE_OPT", conflicts_with = "store")]
    with: Option<PathBuf>,
}

/// The pipelines: the main one for two families of chips, and steps of it.
const PIPELINES: [&[&str]; 5] = [
    &["--tile-build"],
    &["--tile-build=chip=sm_100a"],
    &["--lower-tile-copy"],
    &["--tile-align-layouts", "--tile-vectorize-copy"],
    &["--tile-check-sync"],
];

/// A hash of each output, by the arguments that led to it.
type Outputs = BTreeMap<String, u64>;

/// Compares the outputs of this tree's `tile-opt` with others, or remembers them.
///
/// # Errors
/// Outputs that differ, each by the arguments that lead to it.
pub fn run(toolchain: &Toolchain, options: &CorpusOptions) -> Result<()> {
    build::tools(toolchain, Profile::Release)?;
    let now = outputs(&workspace::bin(Profile::Release).join("tile-opt"))?;
    let stored = workspace::target().join("corpus.txt");
    if options.store {
        let lines: String = now.iter().map(|(arguments, hash)| format!("{hash:016x} {arguments}\n")).collect();
        fs::write(&stored, lines).with_context(|| workspace::shown(&stored))?;
        println!("{} outputs, in {}", now.len(), workspace::shown(&stored));
        return Ok(());
    }
    let before = match &options.with {
        Some(other) => outputs(other)?,
        None => read(&stored)?,
    };
    let differ: Vec<&String> = now.keys().filter(|arguments| before.get(*arguments) != now.get(*arguments)).collect();
    differ.iter().for_each(|arguments| println!("tile-opt {arguments}"));
    match differ.len() {
        0 => println!("all {} outputs are the same", now.len()),
        count => bail!("{count} of {} outputs differ", now.len()),
    }
    Ok(())
}

fn read(stored: &Path) -> Result<Outputs> {
    let text =
        fs::read_to_string(stored).with_context(|| format!("{}, which --store writes", workspace::shown(stored)))?;
    let line = |line: &str| {
        let (hash, arguments) = line.split_once(' ')?;
        Some((arguments.to_owned(), u64::from_str_radix(hash, 16).ok()?))
    };
    text.lines()
        .map(|text| line(text).with_context(|| format!("got '{text}', expected a hash and arguments")))
        .collect()
}

/// What a `tile-opt` writes of each file by each pipeline.
fn outputs(tool: &Path) -> Result<Outputs> {
    let listed = process::stdout(process::command("git").args(["ls-files", "docs/examples/*.mlir", "test/*.mlir"]))?;
    let files: Vec<&str> = listed.lines().collect();
    let all: Vec<(&str, &[&str])> = files.iter().flat_map(|&file| PIPELINES.map(|pipeline| (file, pipeline))).collect();
    let (next, outputs) = (Mutex::new(all.into_iter()), Mutex::new(Outputs::new()));
    let work = || -> Result<()> {
        loop {
            let Some((file, pipeline)) = next.lock().expect("no thread panics").next() else { return Ok(()) };
            let (arguments, hash) = output(tool, file, pipeline)?;
            outputs.lock().expect("no thread panics").insert(arguments, hash);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no thread panics"))
    })?;
    Ok(outputs.into_inner().expect("no thread panics"))
}

/// The arguments that compile a file by a pipeline, and the hash of both streams.
fn output(tool: &Path, file: &str, pipeline: &[&str]) -> Result<(String, u64)> {
    let text = fs::read_to_string(workspace::root().join(file)).with_context(|| file.to_owned())?;
    let is_split = text.contains("-split-input-file");
    let split = is_split.then_some("--split-input-file");
    let arguments: Vec<&str> = [file].into_iter().chain(pipeline.iter().copied()).chain(split).collect();
    let mut command = process::command(tool);
    command.args(&arguments).args([
        "--mlir-disable-threading",
        "--remarks-filter=tile.*",
        "--remark-format=emitRemark",
    ]);
    let written = command.stdin(Stdio::null()).output().with_context(|| process::line(&command))?;
    let mut hasher = DefaultHasher::new();
    (written.status.code(), &written.stdout, &written.stderr).hash(&mut hasher);
    Ok((arguments.join(" "), hasher.finish()))
}
