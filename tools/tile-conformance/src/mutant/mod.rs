//! Damaged inputs, taken through everything that the tools do with such a file.
//!
//! `cargo xtask fuzz --mutate` damages and judges; this is the process that may die of it. It reads mutants from standard
//! input, in frames (a byte for the [`Kind`], four for the length, the bytes), and answers on standard output in lines:
//!
//! ```text
//!   step tile-vectorize-copy      before each step: what is running if nothing follows
//!   panic src/a.rs:7: …           a Rust panic, caught or not
//!   done                          the mutant is through
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

/// What a mutant was before it was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// MLIR as text or bytecode.
    Ir,
    /// PTX.
    Ptx,
    /// A file of cases.
    Cases,
}

impl Kind {
    fn parse(byte: u8) -> Option<Self> {
        match byte {
            b'm' => Some(Kind::Ir),
            b'p' => Some(Kind::Ptx),
            b'j' => Some(Kind::Cases),
            _ => None,
        }
    }

    /// By the ending of a file's name; bytecode ends in `.mlirbc`.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "mlir" | "mlirbc" => Some(Kind::Ir),
            "ptx" => Some(Kind::Ptx),
            "json" => Some(Kind::Cases),
            _ => None,
        }
    }
}

/// Panics that were seen since the last query. The hook sees those that are caught, too.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn note(panic: &PanicHookInfo<'_>) {
    let text = panic.to_string().replace('\n', " ");
    PANICS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(text);
}

fn panics() -> Vec<String> {
    std::mem::take(&mut *PANICS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// Mutants from standard input, until it ends.
///
/// # Errors
/// A frame that is cut off, or a closed pipe of answers.
pub fn serve() -> io::Result<()> {
    let (mut input, mut attack) = (io::stdin().lock(), Attack::new());
    let mut head = [0; 5];
    while read_whole(&mut input, &mut head)? {
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let mut bytes = vec![0; length];
        input.read_exact(&mut bytes)?;
        let kind = Kind::parse(head[0]).ok_or_else(|| io::Error::other("a frame of unknown kind"))?;
        attack.mutant(kind, &bytes)?;
    }
    Ok(())
}

/// One file, as `serve` would take it.
///
/// # Errors
/// A file that cannot be read or has no known ending.
pub fn file(path: &Path) -> io::Result<()> {
    let kind = Kind::of(path).ok_or_else(|| io::Error::other("expected a .mlir, .mlirbc, .ptx or .json file"))?;
    Attack::new().mutant(kind, &std::fs::read(path)?)
}

/// False: the input has ended.
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

/// Types and attributes live as long as their context.
const MUTANTS_OF_A_CONTEXT: usize = 100;

impl Attack {
    fn new() -> Self {
        std::panic::set_hook(Box::new(note));
        tile_passes::tools::print_stack_on_crash();
        Attack { ir: Ir::new(), mutants: 0 }
    }

    fn mutant(&mut self, kind: Kind, bytes: &[u8]) -> io::Result<()> {
        self.mutants += 1;
        if self.mutants.is_multiple_of(MUTANTS_OF_A_CONTEXT) {
            self.ir = Ir::new();
        }
        let all = || match kind {
            Kind::Ir => self.ir.run(bytes, &Steps),
            Kind::Ptx => ptx::run(&String::from_utf8_lossy(bytes), &Steps),
            Kind::Cases => cases(&String::from_utf8_lossy(bytes), &Steps),
        };
        // What a panic has left half done is only looked at by later mutants' own checks.
        let _ = catch_unwind(AssertUnwindSafe(all));
        let mut out = io::stdout().lock();
        for panic in panics() {
            writeln!(out, "panic {panic}")?;
        }
        writeln!(out, "done")?;
        out.flush()
    }
}

/// Says what is running.
struct Steps;

impl Steps {
    fn begin(&self, step: &str) {
        let mut out = io::stdout().lock();
        // A reader that has gone has ended this process already.
        let _ = writeln!(out, "step {step}").and_then(|()| out.flush());
    }
}

/// Files of cases: read, and judged as any other case.
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
