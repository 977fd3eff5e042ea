//! `cargo xtask`: set-up, build, demo, test, docs and benchmarks.
//!
//! It uses cargo, apt and lit but not MLIR, and has few dependencies, because it runs first on a bare machine.

mod bench;
mod build;
mod conformance;
mod corpus;
mod crates;
mod demo;
mod dist;
mod docs;
mod foreign;
mod fuzz;
mod house;
mod install;
mod lit;
mod next_llvm;
mod process;
mod sanitize;
mod setup;
mod site;
mod table;
mod test;
mod web;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use setup::Toolchain;
use workspace::Profile;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Set-up, build, demo, test, docs and benchmarks")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// Check each needed package with the package manager even if LLVM seems complete.
    #[arg(long, global = true)]
    force_check: bool,
}

#[derive(Subcommand)]
enum Task {
    /// Find LLVM/MLIR 22, a C++ compiler and ptxas; install what is missing.
    Setup,
    /// Build all tools, optimised, into target/release.
    Build {
        /// Build into target/debug instead, with checked arithmetic.
        #[arg(long)]
        debug: bool,
    },
    /// Build, then install what other compilers and tools use into one folder: bin, lib, include, lib/cmake.
    Install {
        /// The folder [default: target/tile].
        #[arg(long)]
        prefix: Option<PathBuf>,
        /// Install libTile.a, too, for programs that link MLIR statically.
        #[arg(long = "static")]
        archive: bool,
    },
    /// Make the wheel and the tarball of a release, with LLVM inside, in target/dist, and try them without LLVM.
    Dist(dist::DistOptions),
    /// Pack the crates that need no LLVM, and build each from its package; nothing is published.
    Crates,
    /// Show the stages of compiling one file: input, lowered IR, remarks, PTX.
    Demo(demo::DemoOptions),
    /// Build, then run every check; the last lines name those that failed.
    Test(test::TestOptions),
    /// Build, then run lit on the given files or folders (all of test/ by default).
    Lit {
        /// Files or folders below test/.
        paths: Vec<PathBuf>,
    },
    /// Build and test with the LLVM after the supported one, if it is installed.
    NextLlvm,
    /// Run tile-conformance on the case files of test/Conformance.
    Conformance {
        /// Case files instead of those in test/Conformance.
        files: Vec<PathBuf>,
    },
    /// Run lit with the address sanitizer or valgrind, then pipelines on hundreds of functions concurrently, many times.
    Sanitize(sanitize::SanitizeOptions),
    /// Attack the tools with random inputs, and report failures.
    Fuzz(fuzz::FuzzOptions),
    /// Run PTX that other compilers made, a folder for each of them, and count what is accepted, executed and found.
    Foreign {
        /// The folder of these folders: each has NAME.ptx and, for a launch, NAME.run with arguments of tile-run.
        corpora: PathBuf,
    },
    /// Write docs/generated: pages from the TableGen definitions, and pictures of layouts.
    Docs {
        /// Only compare, and fail if a page is stale.
        #[arg(long)]
        check: bool,
    },
    /// Write the pages of layouts and of kernels as one file each, target/web/layouts.html and target/web/playground.html.
    Web,
    /// Check the spelling of the documentation and make a website of it, target/site; or publish it.
    Site(site::SiteOptions),
    /// Compile the files of the tree by five pipelines, and compare every byte with what was stored, or with another build.
    Corpus(corpus::CorpusOptions),
    /// Count what makes the compiler large or hard to change, beside what is aimed at.
    House(house::HouseOptions),
    /// Measure the compiler.
    Bench {
        #[command(subcommand)]
        what: bench::What,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let force = arguments.force_check;
    match &arguments.task {
        Task::Setup => setup::setup(force).map(drop),
        Task::Build { debug } => {
            build::tools(&Toolchain::find(force)?, if *debug { Profile::Debug } else { Profile::Release })
        }
        Task::Install { prefix, archive } => {
            let toolchain = Toolchain::find(force)?;
            build::tools(&toolchain, Profile::Release)?;
            let prefix = prefix.clone().unwrap_or_else(install::default_prefix);
            install::into(&toolchain, &prefix)?;
            if *archive {
                install::archive_into(&prefix)?;
            }
            println!("{}", prefix.display());
            Ok(())
        }
        Task::Dist(options) => dist::run(&Toolchain::for_release()?, options),
        Task::Crates => crates::check(),
        Task::Demo(options) => demo::show(&Toolchain::find(force)?, options),
        Task::Test(options) => test::all(force, options),
        Task::Lit { paths } => {
            let toolchain = Toolchain::for_tests(force)?;
            build::tools(&toolchain, Profile::Release)?;
            install::into(&toolchain, &install::default_prefix())?;
            lit::run(&toolchain, paths)
        }
        Task::NextLlvm => next_llvm::check(),
        Task::Conformance { files } => {
            let toolchain = Toolchain::find(force)?;
            build::tools(&toolchain, Profile::Release)?;
            conformance::run(&toolchain, files)
        }
        Task::Sanitize(options) => sanitize::run(&Toolchain::for_tests(force)?, options),
        Task::Fuzz(options) => fuzz::run(&Toolchain::for_tests(force)?, options),
        Task::Foreign { corpora } => foreign::run(corpora),
        Task::Docs { check: true } => docs::check(&Toolchain::find(force)?),
        Task::Docs { check: false } => docs::write(&Toolchain::find(force)?),
        Task::Web => {
            let toolchain = Toolchain::find(force)?;
            build::tools(&toolchain, Profile::Release)?;
            web::write(&toolchain)?.iter().for_each(|page| println!("{}", page.display()));
            Ok(())
        }
        // Programs come from PyPI, as for a release.
        Task::Site(options) => site::run(&Toolchain::for_release()?, options),
        Task::Corpus(options) => corpus::run(&Toolchain::find(force)?, options),
        Task::House(options) => house::run(options),
        Task::Bench { what } => bench::run(&Toolchain::find(force)?, what),
    }
}
