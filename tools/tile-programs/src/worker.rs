//! The worker processes that judge programs, and the process that watches them.
//!
//! ```text
//!   worker   begin 17            a line before each program, so that a crash can be attributed
//!            {"number": 17, …}   its verdict
//! ```

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::Args;
use crate::generator::{Generator, Report};

/// A program that takes longer is considered to hang. This is wall-clock time, and the machine may be shared.
const PATIENCE: Duration = Duration::from_secs(600);
/// The generator, and with it the MLIR context, is replaced after this number of programs.
const PROGRAMS_OF_A_CONTEXT: u64 = 200;

/// The numbers of a worker's programs: the first, the end, and the step.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// The first number.
    pub first: u64,
    /// The end, exclusive.
    pub end: u64,
    /// The step from one number to the next.
    pub step: u64,
}

/// Runs the tool for one kind of programs; returns whether nothing is wrong.
pub fn run<G: Generator>(args: &Args) -> std::io::Result<bool> {
    if let Some(numbers) = args.worker {
        work::<G>(args, numbers)?;
        return Ok(true);
    }
    if let Some(number) = args.print {
        print!("{}", G::text(args, number));
        return Ok(true);
    }
    let start = Instant::now();
    let report = judged_by_workers::<G>(args)?;
    print!("{}", report.text(start.elapsed(), args.tables));
    if !report.is_clean() {
        println!("programs that went wrong are in {}", args.save.display());
    }
    Ok(report.is_clean())
}

/// Has all programs judged, by as many workers as there are processors.
fn judged_by_workers<G: Generator>(args: &Args) -> std::io::Result<G::Report> {
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get() as u64));
    let jobs = jobs.clamp(1, args.count.max(1));
    let report = Mutex::new(G::Report::default());
    let add = |verdict| report.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(verdict);
    let results: Vec<std::io::Result<()>> = std::thread::scope(|scope| {
        let one = |job: u64| {
            let numbers = Numbers { first: args.first + job, end: args.first + args.count, step: jobs };
            scope.spawn(move || watch::<G>(args, numbers, &mut |verdict| add(verdict)))
        };
        let all: Vec<_> = (0..jobs).map(one).collect();
        all.into_iter()
            .map(|job| job.join().unwrap_or_else(|_| Err(std::io::Error::other("a thread panicked"))))
            .collect()
    });
    results.into_iter().collect::<std::io::Result<()>>()?;
    Ok(report.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// Runs a worker.
fn work<G: Generator>(args: &Args, numbers: Numbers) -> std::io::Result<()> {
    let mut generator = G::new(args);
    let mut number = numbers.first;
    let mut judged = 0;
    while number < numbers.end {
        say(&format!("begin {number}"))?;
        let verdict = generator.judge(args, number);
        say(&serde_json::to_string(&verdict).unwrap_or_default())?;
        number += numbers.step;
        judged += 1;
        if judged % PROGRAMS_OF_A_CONTEXT == 0 {
            generator = G::new(args);
        }
    }
    Ok(())
}

fn say(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Has programs judged by a worker, which is replaced by a new one whenever it crashes.
fn watch<G: Generator>(args: &Args, mut numbers: Numbers, judged: &mut dyn FnMut(G::Verdict)) -> std::io::Result<()> {
    while numbers.first < numbers.end {
        let (mut child, lines) = start(args, numbers)?;
        let mut current = numbers.first;
        let ended = loop {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => match line.strip_prefix("begin ").and_then(|number| number.parse().ok()) {
                    Some(number) => current = number,
                    None => {
                        if let Ok(verdict) = serde_json::from_str::<G::Verdict>(&line) {
                            current = G::number(&verdict) + numbers.step;
                            judged(verdict);
                        }
                    }
                },
                Err(RecvTimeoutError::Timeout) => {
                    child.kill()?;
                    break "hang";
                }
                Err(RecvTimeoutError::Disconnected) => break "crash",
            }
        };
        let how = child.wait()?;
        if how.success() {
            return Ok(());
        }
        let mut text = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            // Bytes that are not text are useless.
            let _ = stderr.read_to_string(&mut text);
        }
        judged(G::crashed(args, current, ended, &format!("{how}: {}", text.trim())));
        numbers.first = current + numbers.step;
    }
    Ok(())
}

fn start(args: &Args, numbers: Numbers) -> std::io::Result<(Child, mpsc::Receiver<String>)> {
    let mut command = Command::new(std::env::current_exe()?);
    let kind = args.kind.to_possible_value();
    command.arg("--kind").args(kind.as_ref().map(|kind| kind.get_name()));
    command.args(["--seed", &args.seed.to_string(), "--worker"]);
    command.arg(format!("{}:{}:{}", numbers.first, numbers.end, numbers.step)).arg("--save").arg(&args.save);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (send, lines) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            let read = BufReader::new(stdout).lines().map_while(Result::ok);
            read.take_while(|line| send.send(line.clone()).is_ok()).for_each(drop);
        });
    }
    Ok((child, lines))
}
