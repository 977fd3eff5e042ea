//! A decoded module.

use std::collections::HashMap;

use super::op::Inst;
use super::operand::{Pred, Reg};
use crate::fault::SourcePlace;
use crate::parse::Space;
use crate::parse::ast::{Bounds, Relocation};

/// What is known about an instruction apart from what it does.
#[derive(Debug, Clone)]
pub(crate) struct Info {
    /// The line in the PTX text.
    pub(crate) line: u32,
    /// Its line in the source of the PTX text, as an index into the program's; none: not known.
    pub(crate) source: Option<u32>,
    /// Index into the program's opcodes; none for a jump that layout added.
    pub(crate) opcode: Option<u32>,
    /// The registers that it reads, and those that it writes.
    pub(crate) uses: Box<[Reg]>,
    pub(crate) defs: Box<[Reg]>,
    /// The same of predicates; a guard is read.
    /// The variables whose addresses it reads.
    pub(crate) symbols: Box<[u32]>,
    pub(crate) pred_uses: Box<[Pred]>,
    pub(crate) pred_defs: Box<[Pred]>,
    /// The bits that the destination registers have.
    pub(crate) width: u64,
    pub(crate) spread: Spread,
}

impl Info {
    /// For a step that stands for no instruction.
    pub(crate) fn none(line: u32) -> Self {
        let (uses, defs, pred_uses, pred_defs) = Default::default();
        let (source, opcode, width, symbols) = (None, None, u64::MAX, Box::default());
        Self { line, source, opcode, uses, defs, symbols, pred_uses, pred_defs, width, spread: Spread::Whole }
    }
}

/// How far bits of the sources that have no value spread to the result, lane by lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spread {
    /// To all of it.
    Whole,
    /// To all of it, from so many low bits; the others are not looked at.
    Low(u32),
    /// Inside parts of this many bits.
    Parts(u32),
    /// Upwards from the lowest of them.
    Up,
    /// To where the instruction carries each bit. The set has the sources for which that is true; from the others bits
    /// spread to all of the result.
    Bits(u8),
}

/// What a function reads before it has written it.
#[derive(Debug, Default)]
pub(crate) struct Unwritten {
    /// Each with its bits.
    pub(crate) regs: Vec<(Reg, u64)>,
    pub(crate) preds: Vec<Pred>,
}

/// A module-level variable.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) space: Space,
    pub(crate) align: u64,
    /// None: the dynamic shared memory of the launch.
    pub(crate) size: Option<u64>,
    pub(crate) init: Vec<u8>,
    pub(crate) relocations: Vec<Relocation>,
}

/// A kernel parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// The name in the PTX text.
    pub name: String,
    /// Bytes from the start of the parameters.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
}

/// A kernel, decoded.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) entry: u32,
    pub(crate) params: Vec<Param>,
    pub(crate) bounds: Bounds,
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
    pub(crate) kernels: Vec<Kernel>,
    /// By the entry of the function; only those that read something.
    pub(crate) unwritten: HashMap<u32, Unwritten>,
    /// Sets of shared variables, by their symbols.
    pub(crate) variables: Vec<Vec<u32>>,
}

impl Program {
    /// What an instruction was made from, where the PTX says.
    pub(crate) fn source(&self, at: u32) -> Option<&SourcePlace> {
        self.info[at as usize].source.map(|index| &self.sources[index as usize])
    }

    /// An instruction for a message: its line, its opcode, and what it was made from.
    pub(crate) fn describe(&self, at: u32) -> String {
        let info = &self.info[at as usize];
        let opcode = info.opcode.map_or("", |o| &self.opcodes[o as usize]);
        match self.source(at) {
            None => format!("line {} (`{opcode}`)", info.line),
            Some(source) => format!("line {} (`{opcode}`, {source})", info.line),
        }
    }
}
