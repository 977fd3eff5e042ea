//! One instruction during decoding: modifiers and operands are consumed from left to right; anything left over is an
//! error.

use std::cell::{Cell, RefCell};

use super::state::{Binding, DecodeState, Scopes};
use crate::code::{Pred, PredSrc, Reg, SINK};
use crate::parse::ast::{Instruction, Operand};
use crate::parse::{ParseError, Result, Type};

pub(crate) struct Cx<'a> {
    pub(crate) inst: &'a Instruction,
    pub(crate) mods: Mods<'a>,
    pub(crate) scopes: &'a Scopes,
    pub(crate) state: &'a mut DecodeState,
    next: usize,
    /// Registers that have been consumed as sources.
    pub(crate) uses: Vec<Reg>,
    /// Registers that have been consumed as destinations.
    pub(crate) defs: RefCell<Vec<Reg>>,
    /// Predicates that have been consumed as sources, and as destinations.
    pub(crate) pred_uses: RefCell<Vec<Pred>>,
    pub(crate) pred_defs: RefCell<Vec<Pred>>,
    /// Bits of the widest destination, at most 64.
    pub(crate) width: Cell<u32>,
    /// Variables whose addresses have been consumed as sources.
    pub(crate) symbols: Vec<u32>,
    /// The predicate under which the instruction is executed.
    pub(crate) guard: PredSrc,
    /// For a load: the mask of the bytes that are used, with the one at the lowest address in bit 0.
    pub(crate) used: u32,
}

impl<'a> Cx<'a> {
    pub(crate) fn new(inst: &'a Instruction, scopes: &'a Scopes, state: &'a mut DecodeState) -> Self {
        Self {
            inst,
            mods: Mods::new(&inst.modifiers),
            scopes,
            state,
            next: 0,
            uses: Vec::new(),
            defs: RefCell::default(),
            pred_uses: RefCell::default(),
            pred_defs: RefCell::default(),
            width: Cell::new(0),
            symbols: Vec::new(),
            guard: PredSrc::Const(true),
            used: u32::MAX,
        }
    }

    pub(crate) fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError::new(self.inst.at, format!("`{}`: {}", self.inst.opcode(), message.into()))
    }

    /// The error for a modifier that is unknown here.
    pub(crate) fn unknown_modifier(&self) -> ParseError {
        match self.mods.peek() {
            Some(m) => self.error(format!("unknown modifier `.{m}`")),
            None => self.error("a modifier is missing"),
        }
    }

    /// Checks that nothing is left over.
    pub(crate) fn finish(&self) -> Result<()> {
        if self.mods.peek().is_some() {
            return Err(self.unknown_modifier());
        }
        if self.next != self.inst.operands.len() {
            return Err(self.error(format!("got {} operands, expected {}", self.inst.operands.len(), self.next)));
        }
        Ok(())
    }

    /// Consumes the next modifier as a type.
    pub(crate) fn ty(&mut self) -> Result<Type> {
        self.mods.take_map(Type::parse).ok_or_else(|| self.unknown_modifier())
    }

    /// The number of operands that are left.
    pub(crate) fn remaining(&self) -> usize {
        self.inst.operands.len().saturating_sub(self.next)
    }

    pub(crate) fn peek(&self) -> Option<&'a Operand> {
        self.inst.operands.get(self.next)
    }

    pub(crate) fn operand(&mut self) -> Result<&'a Operand> {
        let Some(operand) = self.inst.operands.get(self.next) else {
            return Err(self.error(format!("operand {} is missing", self.next + 1)));
        };
        self.next += 1;
        Ok(operand)
    }

    /// A new predicate of the function, for the steps of one instruction.
    pub(crate) fn fresh_predicate(&mut self) -> Pred {
        self.state.predicates += 1;
        self.state.predicates - 1
    }

    pub(super) fn register(&self, name: &str) -> Option<(Reg, Type)> {
        match self.scopes.find(name)? {
            Binding::Register { index, ty } => Some((self.state.place(*index), *ty)),
            _ => None,
        }
    }

    /// The register `operand`, of exactly `bits` bits, or of at least that many if `loose`.
    pub(crate) fn dst_of(&self, operand: &Operand, bits: u32, loose: bool) -> Result<Reg> {
        let name = match operand {
            Operand::Sink => return Ok(SINK),
            Operand::Name(name, 0) => name,
            _ => return Err(self.error("a register is expected as destination")),
        };
        let Some((index, ty)) = self.register(name) else {
            return Err(self.error(format!("`{name}` is not a register")));
        };
        self.check_width(name, ty, bits, loose)?;
        self.defs.borrow_mut().extend(index..index + ty.width().div_ceil(64));
        self.width.set(self.width.get().max(ty.width().min(64)));
        Ok(index)
    }

    pub(super) fn check_width(&self, name: &str, ty: Type, bits: u32, loose: bool) -> Result<()> {
        if ty.width() == bits || (loose && ty.width() > bits) {
            return Ok(());
        }
        Err(self.error(format!("register `{name}` has {} bits, the instruction needs {bits}", ty.width())))
    }

    pub(crate) fn dst(&mut self, ty: Type) -> Result<Reg> {
        let operand = self.operand()?;
        self.dst_of(operand, ty.width(), false)
    }

    /// A destination that may be wider than the type.
    pub(crate) fn dst_loose(&mut self, ty: Type) -> Result<Reg> {
        let operand = self.operand()?;
        self.dst_of(operand, ty.width(), true)
    }

    /// The elements of `{a, b, …}`, or the operand alone.
    pub(crate) fn vector(&mut self) -> Result<&'a [Operand]> {
        match self.operand()? {
            Operand::Vector(elements) => Ok(elements),
            other => Ok(std::slice::from_ref(other)),
        }
    }

    /// A constant operand.
    pub(crate) fn constant(&mut self) -> Result<u64> {
        match self.operand()? {
            Operand::Integer(v) => {
                u64::try_from(*v).map_err(|_| self.error(format!("got constant {v}, expected a count")))
            }
            _ => Err(self.error("a constant is expected")),
        }
    }
}

/// The modifiers of an opcode that have not been consumed yet, in order.
///
/// Those that belong to the opcode itself (`.wide` of `mul`, `.arrive.expect_tx` of `mbarrier`) come first and in order: the
/// methods `lead…` consume these. All others may come in any order, as ptxas takes them; only among themselves types and
/// state spaces keep their order, in which they belong to the operands.
#[derive(Debug)]
pub(crate) struct Mods<'a> {
    left: Vec<&'a str>,
}

impl<'a> Mods<'a> {
    fn new(all: &'a [String]) -> Self {
        Self { left: all.iter().map(String::as_str).collect() }
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.left.first().copied()
    }

    /// Consumes the next modifier.
    pub(crate) fn lead(&mut self) -> Option<&'a str> {
        (!self.left.is_empty()).then(|| self.left.remove(0))
    }

    /// Consumes the next modifier if it is `name`.
    pub(crate) fn lead_if(&mut self, name: &str) -> bool {
        self.peek() == Some(name) && self.lead().is_some()
    }

    /// Consumes the next modifier if it is one of `names`, and returns its index.
    pub(crate) fn lead_one(&mut self, names: &[&str]) -> Option<usize> {
        let index = names.iter().position(|&name| self.peek() == Some(name))?;
        self.lead().map(|_| index)
    }

    /// Consumes `name` if it is there.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        self.take_map(|modifier| (modifier == name).then_some(())).is_some()
    }

    /// Consumes the first modifier that `f` recognizes.
    pub(crate) fn take_map<T>(&mut self, f: impl Fn(&'a str) -> Option<T>) -> Option<T> {
        let (index, found) = self.left.iter().enumerate().find_map(|(index, modifier)| Some((index, f(modifier)?)))?;
        self.left.remove(index);
        Some(found)
    }

    /// Consumes the first modifier that is one of `names`, and returns its index in these.
    pub(crate) fn take_one(&mut self, names: &[&str]) -> Option<usize> {
        self.take_map(|modifier| names.iter().position(|&name| name == modifier))
    }
}
