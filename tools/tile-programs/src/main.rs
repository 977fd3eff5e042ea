//! Random whole programs: compiled, executed under several schedules, compared with an oracle; see `--help`.

mod bounds;
mod conversions;
mod generator;
mod judging;
mod kernels;
mod kind;
mod needed;
mod order;
mod pipelines;
mod products;
mod programs;
mod reduction;
mod removal;
mod rings;
mod schedules;
mod tally;
mod tiles;
mod traffic;
mod worker;
mod writing;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use kind::ProgramKind;
use worker::Numbers;

/// Draws whole programs, compiles them, executes them in the simulator under several schedules with all checkers, and
/// compares every byte of memory with the result of an oracle that shares no code with the compiler. Programs may be
/// refused only for a documented cause. Some programs are run again without a barrier or a wait that they need: the
/// simulator must notice.
///
/// Exit status: 0 when nothing is wrong, 1 when something is, 2 when the arguments are invalid.
#[derive(Parser)]
#[command(name = "tile-programs", version)]
struct Args {
    /// The kind of programs.
    #[arg(long, value_enum, default_value_t = ProgramKind::Programs)]
    kind: ProgramKind,
    /// The number of programs.
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    count: u64,
    /// The number of the first program.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    first: u64,
    /// The seed of the programs.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// The number of processes [default: the number of processors].
    #[arg(long, value_name = "COUNT")]
    jobs: Option<u64>,
    /// The folder for programs that go wrong.
    #[arg(long, value_name = "FOLDER", default_value = "target/fuzz/programs")]
    save: PathBuf,
    /// Also print the coverage tables.
    #[arg(long)]
    tables: bool,
    /// Instead print one program, by its number.
    #[arg(long, value_name = "NUMBER")]
    print: Option<u64>,
    /// Run as a worker: `FIRST:END:STEP`.
    #[arg(long, value_name = "NUMBERS", hide = true, value_parser = numbers)]
    worker: Option<Numbers>,
}

const WRONG: u8 = 1;
const MALFORMED: u8 = 2;

fn numbers(text: &str) -> Result<Numbers, String> {
    let parts: Vec<u64> = text.split(':').filter_map(|part| part.parse().ok()).collect();
    match parts[..] {
        [first, end, step] if step > 0 => Ok(Numbers { first, end, step }),
        _ => Err("expected FIRST:END:STEP".to_owned()),
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    match args.kind.run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(WRONG),
        Err(error) => {
            eprintln!("tile-programs: {error}");
            ExitCode::from(MALFORMED)
        }
    }
}
