//! A tile-conformance process that processes mutants one after the other, and is replaced when it dies.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result};

use super::corpus::InputKind;
use super::finding::{Finding, of_end, of_panic};
use super::watch::{self, End};
use crate::build;
use crate::setup::Toolchain;

/// The resident memory, in bytes, above which a worker is replaced between two mutants: uniqued attributes and types
/// are never freed.
const FULL: u64 = 1 << 30;

/// The flag that makes tile-conformance a worker.
const FLAG: &str = "--serve-mutants";

/// The flag that makes it process one file in the same way.
pub const FILE_FLAG: &str = "--mutant";

/// A running worker, or none yet.
pub struct Worker<'t> {
    toolchain: &'t Toolchain,
    /// The file of its standard error.
    log: PathBuf,
    process: Option<Process>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl<'t> Worker<'t> {
    /// A worker whose standard error goes to `log`.
    pub fn new(toolchain: &'t Toolchain, log: PathBuf) -> Self {
        Worker { toolchain, log, process: None }
    }

    /// Runs a mutant through all steps; returns the finding, if any.
    pub fn run(&mut self, kind: InputKind, bytes: &[u8]) -> Result<Option<Finding>> {
        if self.process.as_ref().is_some_and(|process| watch::resident(&process.child) > FULL) {
            self.stop();
        }
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(start(self.toolchain, &self.log)?),
        };
        // If it has died before it read everything, the lines below show it.
        let _ = send(&mut process.input, kind, bytes);
        let (mut step, mut panic) = ("read".to_owned(), None);
        let clock = watch::Clock::start(&process.child);
        let end = loop {
            match process.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(line) => match line.split_once(' ').unwrap_or((&line, "")) {
                    ("step", name) => step = name.to_owned(),
                    ("panic", text) => panic = panic.or_else(|| Some(text.to_owned())),
                    _ => break None,
                },
                Err(RecvTimeoutError::Disconnected) => break Some(End::Exit(process.child.wait()?)),
                Err(RecvTimeoutError::Timeout) if clock.is_over(&process.child) => break Some(End::Hang),
                Err(RecvTimeoutError::Timeout) if watch::resident(&process.child) > watch::MEMORY => {
                    break Some(End::Memory);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let Some(end) = end else { return Ok(panic.map(|text| of_panic(&text, &step))) };
        if !matches!(end, End::Exit(_)) {
            watch::stop(&mut process.child)?;
        }
        self.stop();
        let output = std::fs::read(&self.log).unwrap_or_default();
        Ok(of_end(end, &String::from_utf8_lossy(&output), &step))
    }

    /// Ends the process, if there is one.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // It may have ended already.
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}

fn start(toolchain: &Toolchain, log: &PathBuf) -> Result<Process> {
    let file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut command = toolchain.command(build::tool("tile-conformance"));
    command.arg(FLAG).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file);
    command.env("LLVM_SYMBOLIZER_PATH", toolchain.llvm_tool("llvm-symbolizer"));
    let mut child = command.spawn().context("cannot start tile-conformance")?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (input, output) = input.zip(output).context("a worker without pipes")?;
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Ok(Process { child, input, lines })
}

fn send(input: &mut ChildStdin, kind: InputKind, bytes: &[u8]) -> std::io::Result<()> {
    let byte = match kind {
        InputKind::Ptx => b'p',
        InputKind::Cases => b'j',
        InputKind::Ir | InputKind::Bytecode | InputKind::Messages => b'm',
    };
    let mut frame = vec![byte];
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(bytes);
    input.write_all(&frame)?;
    input.flush()
}
