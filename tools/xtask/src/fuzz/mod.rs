//! `cargo xtask fuzz`: random attacks. The same seed gives the same attacks.
//!
//! There is one function or module per kind; each builds nothing, and ends with an error if it has found something. The
//! code that they share follows: files of the checkout, the folder of findings, and random numbers.

mod delete_sync;
mod mutate;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::setup::Toolchain;
use crate::workspace::{self, NO_MLIR, PROPERTY_SEED, Profile};
use crate::{build, process};

/// The number of copies of each kind if no kind is named.
const COPIES: u64 = 20_000;

/// The kinds of attacks, and their numbers.
#[derive(clap::Args)]
pub struct FuzzOptions {
    /// Lower, execute and compare COUNT random copies, and as many asynchronous ones [default: 20000 if no other kind
    /// is named].
    #[arg(long, value_name = "COUNT")]
    copies: Option<u64>,
    /// Compile, execute and compare COUNT random whole programs.
    #[arg(long, value_name = "COUNT")]
    programs: Option<u64>,
    /// Convert, execute and compare COUNT random kernels with upstream's copies.
    #[arg(long, value_name = "COUNT")]
    conversions: Option<u64>,
    /// Check the order of accesses in COUNT random kernels, or insert what orders them, and execute the kernels.
    #[arg(long, value_name = "COUNT")]
    order: Option<u64>,
    /// Check the order of COUNT random kernels that copy tiles, and insert what orders them, and execute the kernels.
    #[arg(long, value_name = "COUNT")]
    tiles: Option<u64>,
    /// Check and execute COUNT random rings of mbarriers.
    #[arg(long, value_name = "COUNT")]
    rings: Option<u64>,
    /// Insert what orders COUNT random kernels that copy tiles, and pipeline as many, and remove each operation of that.
    #[arg(long, value_name = "COUNT")]
    removed: Option<u64>,
    /// Pipeline, execute and compare COUNT random kernels whose loops request stages.
    #[arg(long, value_name = "COUNT")]
    pipelines: Option<u64>,
    /// Order, execute and compare COUNT random kernels of products by wgmma in flight.
    #[arg(long, value_name = "COUNT")]
    products: Option<u64>,
    /// Check whether the regions of COUNT random kernels stay inside, or insert traps, and execute the kernels.
    #[arg(long, value_name = "COUNT")]
    bounds: Option<u64>,
    /// Mutate the inputs of all tests COUNT times, and run all tools on the mutants.
    #[arg(long, value_name = "COUNT")]
    mutate: Option<u64>,
    /// Delete each synchronizing instruction of COUNT programs that tests run (all, if there are fewer), and of the
    /// programs of COUNT random copies, and as many asynchronous ones, and check whether the simulator notices.
    #[arg(long, value_name = "COUNT")]
    delete_sync: Option<u64>,
    /// Draw COUNT cases for each property test of the crates without MLIR.
    #[arg(long, value_name = "COUNT")]
    properties: Option<u64>,
    /// The seed of all random numbers.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Builds the tools, then runs each kind that is named.
///
/// # Errors
/// If a kind has found something, or cannot run.
pub fn run(toolchain: &Toolchain, options: &FuzzOptions) -> Result<()> {
    let seed = options.seed;
    if let Some(cases) = options.properties {
        properties(toolchain, cases, seed)?;
    }
    // The kinds that tile-programs draws.
    let drawn = [
        ("programs", options.programs),
        ("conversions", options.conversions),
        ("order", options.order),
        ("tiles", options.tiles),
        ("rings", options.rings),
        ("tiles-removed", options.removed),
        ("pipelines-removed", options.removed),
        ("pipelines", options.pipelines),
        ("products", options.products),
        ("bounds", options.bounds),
    ];
    let others = [options.copies, options.mutate, options.delete_sync];
    let none = drawn.iter().map(|(_, count)| count).chain(&others).all(Option::is_none);
    if none && options.properties.is_some() {
        return Ok(());
    }
    build::tools(toolchain, Profile::Release)?;
    if let Some(count) = options.copies.or(none.then_some(COPIES)) {
        copies(toolchain, count, seed)?;
    }
    for (kind, count) in drawn.into_iter().filter_map(|(kind, count)| Some((kind, count?))) {
        programs(toolchain, kind, count, seed)?;
    }
    if let Some(count) = options.mutate {
        mutate::run(toolchain, count, seed)?;
    }
    if let Some(count) = options.delete_sync {
        delete_sync::run(toolchain, count, seed)?;
    }
    Ok(())
}

/// Lowers, executes and compares `count` random copies, and as many asynchronous ones; failing ones are printed in
/// reduced form.
///
/// The tools must be built.
fn copies(toolchain: &Toolchain, count: u64, seed: u64) -> Result<()> {
    let (count, seed) = (count.to_string(), seed.to_string());
    let mut command = toolchain.command(build::tool("tile-conformance"));
    process::run(command.args(["--random", &count, "--random-async", &count, "--seed", &seed]))
}

/// Judges `count` random programs of a kind that tile-programs draws.
///
/// Failing ones are kept in target/fuzz. The tools must be built.
fn programs(toolchain: &Toolchain, kind: &str, count: u64, seed: u64) -> Result<()> {
    let (count, seed) = (count.to_string(), seed.to_string());
    let mut command = toolchain.command(build::tool("tile-programs"));
    command.args(["--kind", kind, "--count", &count, "--seed", &seed, "--tables", "--save"]);
    process::run(command.arg(workspace::target().join("fuzz/programs")))
}

/// Runs the property tests of the crates without MLIR, with more cases than the tests and another seed.
///
/// Each property is tested with `cases` cases, in the release profile.
fn properties(toolchain: &Toolchain, cases: u64, seed: u64) -> Result<()> {
    let mut command = toolchain.cargo();
    command.args(["test", "--quiet", "--release", "--tests", "--no-fail-fast"]);
    command.args(NO_MLIR.iter().filter(|package| **package != "xtask").flat_map(|package| ["-p", package]));
    command.env("CARGO_TARGET_DIR", workspace::target().join("fuzz/properties"));
    command.env("PROPTEST_CASES", cases.to_string()).env(PROPERTY_SEED, seed.to_string());
    // The number of rejected draws grows with the number of cases.
    for rejects in ["PROPTEST_MAX_LOCAL_REJECTS", "PROPTEST_MAX_GLOBAL_REJECTS"] {
        command.env(rejects, u32::MAX.to_string());
    }
    process::run(&mut command)
}

/// All files below some folders of the checkout, in order.
fn files(folders: &[&str]) -> Result<Vec<PathBuf>> {
    let mut left: Vec<PathBuf> = folders.iter().map(|folder| workspace::root().join(folder)).collect();
    let mut out = Vec::new();
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() { left.push(path) } else { out.push(path) }
        }
    }
    out.sort();
    Ok(out)
}

/// The folder of findings.
fn folder() -> PathBuf {
    workspace::target().join("fuzz")
}

/// Creates `folder` if it does not exist.
fn prepared(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// A stream of random numbers that is the same on every machine (SplitMix64).
struct Rng(u64);

impl Rng {
    /// The stream of draw number `index` of `seed`.
    pub fn of(seed: u64, index: u64) -> Self {
        let mut rng = Rng(seed);
        let seed = rng.next();
        Rng(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`; 0 where that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// One of `all`.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// True once in `times` draws.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
