//! A decoded module.

use std::collections::HashMap;
use std::ops::Range;

use super::op::Inst;
use super::operand::{Pred, Reg};
use crate::interface::Interface;
use crate::parse::Space;
use crate::parse::ast::Relocation;
use crate::source::SourcePlace;

/// The properties of an instruction besides its operation.
#[derive(Debug, Clone)]
pub(crate) struct Info {
    /// The line in the PTX text.
    pub(crate) line: u32,
    /// Its source location, as an index into the program's; none if unknown.
    pub(crate) source: Option<u32>,
    /// Index into the program's opcodes; none for a jump that block layout added.
    pub(crate) opcode: Option<u32>,
    /// The registers that it reads, and those that it writes.
    pub(crate) uses: Box<[Reg]>,
    pub(crate) defs: Box<[Reg]>,
    /// The variables whose addresses it reads.
    pub(crate) symbols: Box<[u32]>,
    /// The predicates that it reads, its guard included, and those that it writes.
    pub(crate) pred_uses: Box<[Pred]>,
    pub(crate) pred_defs: Box<[Pred]>,
    /// The bits that the destination registers have.
    pub(crate) width: u64,
    pub(crate) spread: Spread,
}

impl Info {
    /// The properties of a step that represents no instruction.
    pub(crate) fn none(line: u32) -> Self {
        let (uses, defs, pred_uses, pred_defs) = Default::default();
        let (source, opcode, width, symbols) = (None, None, u64::MAX, Box::default());
        Self { line, source, opcode, uses, defs, symbols, pred_uses, pred_defs, width, spread: Spread::Whole }
    }
}

/// How source bits without a value spread to the result, lane by lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spread {
    /// To the whole result.
    Whole,
    /// From this number of low bits to the whole result; higher bits are ignored.
    Low(u32),
    /// Within parts of this many bits.
    Parts(u32),
    /// Upwards from the lowest of them.
    Up,
    /// Each bit to the positions to which the instruction moves it. The mask holds the sources for which this is true;
    /// a bit of any other source spreads to the whole result.
    Bits(u8),
}

/// The registers and predicates that a function reads before it writes them.
#[derive(Debug, Default)]
pub(crate) struct Unwritten {
    /// Each register with the mask of its bits.
    pub(crate) regs: Vec<(Reg, u64)>,
    pub(crate) preds: Vec<Pred>,
}

/// What a recursive function needs for each of its calls.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frame {
    /// Index of its first instruction.
    pub(crate) entry: u32,
    pub(crate) registers: Range<Reg>,
    pub(crate) predicates: Range<Pred>,
    /// The offsets of the memory, both local and of call parameters, of the functions that call each other.
    pub(crate) memory: Range<u64>,
}

/// A module-level variable.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) space: Space,
    pub(crate) align: u64,
    /// The size in bytes; none for the dynamic shared memory of the launch.
    pub(crate) size: Option<u64>,
    pub(crate) init: Vec<u8>,
    pub(crate) relocations: Vec<Relocation>,
}

/// A kernel, decoded.
#[derive(Debug)]
pub(crate) struct KernelCode {
    pub(crate) interface: Interface,
    pub(crate) entry: u32,
    /// The offset of each parameter in bytes, from the start of the parameters.
    pub(crate) offsets: Vec<u64>,
    /// Registers and predicates that a warp needs.
    pub(crate) registers: u32,
    pub(crate) predicates: u32,
    /// Bytes of local memory and of call parameters that a thread needs.
    pub(crate) local: u64,
    pub(crate) call_params: u64,
    /// The symbols that the kernel and what it calls refer to.
    pub(crate) symbols: Vec<u32>,
}

/// A module ready to run.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) version: (u32, u32),
    pub(crate) target: String,
    pub(crate) code: Vec<Inst>,
    pub(crate) info: Vec<Info>,
    pub(crate) opcodes: Vec<String>,
    pub(crate) sources: Vec<SourcePlace>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) kernels: Vec<KernelCode>,
    /// By the entry of the function; only functions that read something before they write it.
    pub(crate) unwritten: HashMap<u32, Unwritten>,
    /// The frames of recursive functions.
    pub(crate) frames: Vec<Frame>,
    /// Sets of shared variables, by their symbols.
    pub(crate) variables: Vec<Vec<u32>>,
    /// Whether a kernel asks for the memory through which a grid of a cooperative launch synchronizes.
    pub(crate) cooperates: bool,
    /// The index of each function, which its address follows from.
    pub(crate) functions: HashMap<String, usize>,
}

impl Program {
    /// The source location of an instruction, if the PTX states it.
    pub(crate) fn source(&self, at: u32) -> Option<&SourcePlace> {
        self.info[at as usize].source.map(|index| &self.sources[index as usize])
    }

    /// An instruction for a message: its line, opcode and source location.
    pub(crate) fn describe(&self, at: u32) -> String {
        let info = &self.info[at as usize];
        let opcode = info.opcode.map_or("", |o| &self.opcodes[o as usize]);
        match self.source(at) {
            None => format!("line {} (`{opcode}`)", info.line),
            Some(source) => format!("line {} (`{opcode}`, {source})", info.line),
        }
    }
}
