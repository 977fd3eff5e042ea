//! Damaged inputs, passed through everything that the tools do with such a file.
//!
//! `cargo xtask fuzz --mutate` damages files and judges the outcome; this is the process that a mutant may crash. It
//! reads mutants from standard input, in frames (a byte for the [`MutationKind`], four for the length, the bytes), and answers
//! on standard output in lines:
//!
//! ```text
//!   step tile-vectorize-copy      before each step, so that the last one identifies a crash
//!   panic src/a.rs:7: …           a Rust panic, caught or not
//!   done                          the mutant is finished
//! ```

mod ir;
mod ptx;

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::Path;
use std::sync::Mutex;

use self::ir::Ir;
use crate::case::{self, Suite};
use crate::compare::judge;
use crate::lower::Compiler;

/// The kind of file that a mutant was before it was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutationKind {
    /// MLIR as text or bytecode.
    Ir,
    /// PTX.
    Ptx,
    /// A file of cases.
    Cases,
}

impl MutationKind {
    fn parse(byte: u8) -> Option<Self> {
        match byte {
            b'm' => Some(MutationKind::Ir),
            b'p' => Some(MutationKind::Ptx),
            b'j' => Some(MutationKind::Cases),
            _ => None,
        }
    }

    /// The kind by file extension; bytecode has `.mlirbc`.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "mlir" | "mlirbc" => Some(MutationKind::Ir),
            "ptx" => Some(MutationKind::Ptx),
            "json" => Some(MutationKind::Cases),
            _ => None,
        }
    }
}

/// Panics since the last query. The hook also sees those that are caught.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn note(panic: &PanicHookInfo<'_>) {
    let text = panic.to_string().replace('\n', " ");
    PANICS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(text);
}

fn panics() -> Vec<String> {
    std::mem::take(&mut *PANICS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// Processes mutants from standard input until it ends.
///
/// # Errors
/// A truncated frame, or a closed output pipe.
pub fn serve() -> io::Result<()> {
    let (mut input, mut attack) = (io::stdin().lock(), Attack::new());
    let mut head = [0; 5];
    while read_whole(&mut input, &mut head)? {
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let mut bytes = vec![0; length];
        input.read_exact(&mut bytes)?;
        let kind = MutationKind::parse(head[0]).ok_or_else(|| io::Error::other("a frame of unknown kind"))?;
        attack.mutant(kind, &bytes)?;
    }
    Ok(())
}

/// Processes one file as `serve` would.
///
/// # Errors
/// A file that cannot be read or has an unknown extension.
pub fn file(path: &Path) -> io::Result<()> {
    let kind =
        MutationKind::of(path).ok_or_else(|| io::Error::other("expected a .mlir, .mlirbc, .ptx or .json file"))?;
    Attack::new().mutant(kind, &std::fs::read(path)?)
}

/// Fills `out`; returns false if the input has ended.
fn read_whole(input: &mut impl Read, out: &mut [u8]) -> io::Result<bool> {
    match input.read(&mut out[..1])? {
        0 => Ok(false),
        _ => input.read_exact(&mut out[1..]).map(|()| true),
    }
}

struct Attack {
    ir: Ir,
    mutants: usize,
}

/// The context is replaced after this number of mutants, because types and attributes live as long as their context.
const MUTANTS_OF_A_CONTEXT: usize = 100;

impl Attack {
    fn new() -> Self {
        std::panic::set_hook(Box::new(note));
        tile_passes::tools::print_stack_on_crash();
        Attack { ir: Ir::new(), mutants: 0 }
    }

    fn mutant(&mut self, kind: MutationKind, bytes: &[u8]) -> io::Result<()> {
        self.mutants += 1;
        if self.mutants.is_multiple_of(MUTANTS_OF_A_CONTEXT) {
            self.ir = Ir::new();
        }
        let all = || match kind {
            MutationKind::Ir => self.ir.run(bytes, &Steps),
            MutationKind::Ptx => ptx::run(&String::from_utf8_lossy(bytes), &Steps),
            MutationKind::Cases => cases(&String::from_utf8_lossy(bytes), &Steps),
        };
        // State that a panic has left inconsistent can only affect later mutants, whose own checks then find it.
        let _ = catch_unwind(AssertUnwindSafe(all));
        let mut out = io::stdout().lock();
        for panic in panics() {
            writeln!(out, "panic {panic}")?;
        }
        writeln!(out, "done")?;
        out.flush()
    }
}

/// Reports which step is running.
struct Steps;

impl Steps {
    fn begin(&self, step: &str) {
        let mut out = io::stdout().lock();
        // If the reader is gone, it has already ended this process.
        let _ = writeln!(out, "step {step}").and_then(|()| out.flush());
    }
}

/// Reads a file of cases, and judges them like any other.
fn cases(text: &str, steps: &Steps) {
    steps.begin("read cases");
    let mut suite = Suite::default();
    if let Err(error) = case::read_text(text, &mut suite) {
        return drop(error.to_string());
    }
    let compiler = Compiler::new();
    for case in suite.cases.iter().take(4) {
        steps.begin("judge");
        judge(case, &compiler, None);
    }
}
