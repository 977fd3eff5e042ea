//! The worker process that judges programs, and the process that watches it.
//!
//! ```text
//!   worker   begin 17            a line before each program, so that a crash can be attributed
//!            {"number": 17, …}   its verdict
//! ```

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use tile_oracle::draw;
use tile_oracle::shrink::shrink;

use crate::compile::Compiler;
use crate::judge::{Outcome, Verdict, judge};
use crate::{Args, features, report};

/// A program that takes longer is considered to hang. This is wall-clock time, and the machine may be shared.
const PATIENCE: Duration = Duration::from_secs(600);
/// The context is replaced after this number of programs, to free the memory that it keeps.
const PROGRAMS_OF_A_CONTEXT: u64 = 200;
/// The time limit for shrinking a failing program.
const SHRINKING: Duration = Duration::from_secs(60);

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

/// Runs a worker.
pub fn work(args: &Args, numbers: Numbers) -> std::io::Result<()> {
    let mut compiler = Compiler::new();
    let mut number = numbers.first;
    let mut judged = 0;
    while number < numbers.end {
        say(&format!("begin {number}"))?;
        let program = draw::program(args.seed, number);
        let verdict = judge(&compiler, &program, number);
        if let Outcome::Finding(kind, _) = &verdict.outcome {
            let end = Instant::now() + SHRINKING;
            let small = shrink(&program, &mut |smaller| {
                let again = || judge(&compiler, smaller, number).outcome;
                Instant::now() < end && matches!(again(), Outcome::Finding(same, _) if same == *kind)
            });
            report::finding(args, number, &small, &judge(&compiler, &small, number).outcome);
        }
        if let Some(twin) = verdict.twin.as_ref().filter(|twin| twin.noticed.is_none()) {
            report::unnoticed(args, number, &program, twin);
        }
        say(&serde_json::to_string(&verdict).unwrap_or_default())?;
        number += numbers.step;
        judged += 1;
        if judged % PROGRAMS_OF_A_CONTEXT == 0 {
            compiler = Compiler::new();
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
pub fn watch(args: &Args, mut numbers: Numbers, judged: &mut dyn FnMut(Verdict)) -> std::io::Result<()> {
    while numbers.first < numbers.end {
        let (mut child, lines) = start(args, numbers)?;
        let mut current = numbers.first;
        let ended = loop {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => match line.strip_prefix("begin ").and_then(|number| number.parse().ok()) {
                    Some(number) => current = number,
                    None => {
                        if let Ok(verdict) = serde_json::from_str::<Verdict>(&line) {
                            current = verdict.number + numbers.step;
                            judged(verdict);
                        }
                    }
                },
                Err(RecvTimeoutError::Timeout) => {
                    child.kill()?;
                    break "hang".to_owned();
                }
                Err(RecvTimeoutError::Disconnected) => break String::new(),
            }
        };
        let how = child.wait()?;
        if how.success() {
            return Ok(());
        }
        let mut said = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            // Bytes that are not text are useless.
            let _ = stderr.read_to_string(&mut said);
        }
        let kind = if ended.is_empty() { "crash".to_owned() } else { ended };
        judged(crashed(args, current, &kind, &format!("{how}: {}", said.trim())));
        numbers.first = current + numbers.step;
    }
    Ok(())
}

fn start(args: &Args, numbers: Numbers) -> std::io::Result<(Child, mpsc::Receiver<String>)> {
    let mut command = Command::new(std::env::current_exe()?);
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

fn crashed(args: &Args, number: u64, kind: &str, what: &str) -> Verdict {
    let program = draw::program(args.seed, number);
    let outcome = Outcome::Finding(kind.to_owned(), what.to_owned());
    report::finding(args, number, &program, &outcome);
    Verdict { number, outcome, copies: Vec::new(), features: features::of(&program), twin: None }
}
