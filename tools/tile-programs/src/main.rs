//! Random whole programs: compiled, executed under several schedules, compared with an oracle; see `--help`.

mod compile;
mod execute;
mod features;
mod judge;
mod report;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use clap::Parser;
use report::Report;
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
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(WRONG),
        Err(error) => {
            eprintln!("tile-programs: {error}");
            ExitCode::from(MALFORMED)
        }
    }
}

/// Runs the tool; returns whether nothing is wrong.
fn run(args: &Args) -> std::io::Result<bool> {
    if let Some(numbers) = args.worker {
        worker::work(args, numbers)?;
        return Ok(true);
    }
    if let Some(number) = args.print {
        print!("{}", tile_oracle::text::Text::of(&tile_oracle::draw::program(args.seed, number)).text);
        return Ok(true);
    }
    let start = Instant::now();
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get() as u64));
    let jobs = jobs.clamp(1, args.count.max(1));
    let report = Mutex::new(Report::default());
    let add = |verdict| report.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(verdict);
    let results: Vec<std::io::Result<()>> = std::thread::scope(|scope| {
        let one = |job: u64| {
            let numbers = Numbers { first: args.first + job, end: args.first + args.count, step: jobs };
            scope.spawn(move || worker::watch(args, numbers, &mut |verdict| add(verdict)))
        };
        let all: Vec<_> = (0..jobs).map(one).collect();
        all.into_iter()
            .map(|job| job.join().unwrap_or_else(|_| Err(std::io::Error::other("a thread panicked"))))
            .collect()
    });
    results.into_iter().collect::<std::io::Result<()>>()?;
    let report = report.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    print!("{}", report.text(start.elapsed(), args.tables));
    if !report.is_clean() {
        println!("programs that went wrong are in {}", args.save.display());
    }
    Ok(report.is_clean())
}
