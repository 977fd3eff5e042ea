//! The state of decoding a function: its code, counters of registers, memory and labels, and names in nested scopes
//! (PTX ISA 4.3, 5.4).

use std::collections::{BTreeSet, HashMap};

use super::table::FrameOf;
use crate::code::{Info, Inst, Pred, Reg, Unwritten, Within};
use crate::parse::{ParseError, Position, Result, Type};

/// A decoded body: branch targets are still label numbers.
pub(crate) struct Body {
    pub(crate) code: Vec<(Inst, Info)>,
    pub(crate) state: DecodeState,
}

/// Counters of a function's registers, memory and labels.
#[derive(Debug)]
pub(crate) struct DecodeState {
    pub(crate) registers: Reg,
    /// The bits of each register of the function, from its first one on.
    pub(crate) bits: Vec<u64>,
    pub(crate) predicates: Pred,
    /// Bytes of local memory per thread.
    pub(crate) local: u64,
    /// Bytes of call parameters per thread.
    pub(crate) call_params: u64,
    /// For each label, the instruction that it precedes.
    pub(crate) labels: Vec<Option<u32>>,
    /// Symbols that the function refers to.
    pub(crate) symbols: BTreeSet<u32>,
    /// Registers that do not share their slot.
    pub(crate) pinned: BTreeSet<Reg>,
    /// The slots of virtual registers; none if each has its own.
    pub(crate) places: Option<Places>,
    /// Functions that it calls, as indices into the module's functions.
    pub(crate) calls: BTreeSet<usize>,
    /// The frame of a recursive function, from whose start its memory is addressed.
    pub(crate) frame: Option<FrameOf>,
}

/// The assignment of a function's virtual registers to slots.
#[derive(Debug)]
pub(crate) struct Places {
    /// The function's first register.
    pub(crate) base: Reg,
    /// The slot of each virtual register.
    pub(crate) place: Vec<Reg>,
    /// The register after the last slot.
    pub(crate) end: Reg,
    /// Registers and predicates that may be read before they are written.
    pub(crate) unwritten: Unwritten,
    /// For each virtual register, the shared variables from which it is derived.
    pub(crate) within: Vec<Within>,
}

impl DecodeState {
    /// The initial state of a function whose registers and memory start after those of the functions that it may call.
    pub(crate) fn after(registers: Reg, predicates: Pred, local: u64, call_params: u64) -> Self {
        let (bits, labels, symbols, calls, pinned, places, frame) = Default::default();
        Self { registers, bits, predicates, local, call_params, labels, symbols, pinned, places, calls, frame }
    }

    /// The slot of a virtual register.
    pub(crate) fn place(&self, reg: Reg) -> Reg {
        match &self.places {
            Some(places) => places.place[(reg - places.base) as usize],
            None => reg,
        }
    }

    /// The shared variables from which a virtual register is derived.
    pub(crate) fn within(&self, reg: Reg) -> Within {
        self.places.as_ref().map_or(Within::Any, |places| places.within[(reg - places.base) as usize])
    }

    pub(crate) fn refer(&mut self, symbol: u32) {
        self.symbols.insert(symbol);
    }

    pub(crate) fn label(&mut self) -> u32 {
        self.labels.push(None);
        (self.labels.len() - 1) as u32
    }
}

/// `offset` rounded up to a multiple of `align`, a power of two.
pub(crate) fn align_up(offset: u64, align: u64) -> u64 {
    offset.saturating_add(align - 1) & !(align - 1)
}

/// The location of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VariableLocation {
    /// A module-level (or function-scope static) variable: an index into the program's symbols.
    Symbol(u32),
    /// Offset in the thread's local memory.
    Local(u64),
    /// Offset in the thread's call parameters.
    CallParam(u64),
    /// Offset in the kernel's parameters.
    KernelParam(u64),
}

/// The entity that a name refers to.
#[derive(Debug, Clone)]
pub(crate) enum Binding {
    Register {
        index: Reg,
        ty: Type,
    },
    Predicate(Pred),
    Variable {
        place: VariableLocation,
        size: u64,
    },
    Label(u32),
    /// A function of the module, by its index.
    Function(usize),
    /// The parameters of a `.callprototype`.
    Prototype,
    /// The label names of a `.branchtargets` list.
    Targets(Vec<String>),
}

/// The scopes that are open, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    open: Vec<HashMap<String, Binding>>,
}

impl Scopes {
    pub(crate) fn enter(&mut self) {
        self.open.push(HashMap::new());
    }

    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    pub(crate) fn declare(&mut self, name: &str, binding: Binding, at: Position) -> Result<()> {
        let Some(scope) = self.open.last_mut() else {
            return Err(ParseError::new(at, "got a declaration outside a function"));
        };
        match scope.insert(name.to_string(), binding) {
            None => Ok(()),
            Some(_) => Err(ParseError::new(at, format!("`{name}` is declared twice in this scope"))),
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Binding> {
        self.open.iter().rev().find_map(|scope| scope.get(name))
    }
}
