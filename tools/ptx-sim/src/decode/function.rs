//! Decodes a function's body to straight-line instructions with labels.

use super::context::Cx;
use super::frames::LastFrames;
use super::sections;
use super::state::{Binding, Body, DecodeState, Scopes, VariableLocation, align_up};
use super::step::Step;
use super::table::{Signature, Table};
use crate::code::{Info, Inst, PredSrc};
use crate::parse::ast::{Function, Instruction, Operand, Statement, Variable};
use crate::parse::{Class, ParseError, Position, Result, Space, Type};

/// The most bytes of parameters that a kernel can have.
const MAX_PARAMETERS: u64 = 32764;

/// The most registers that one function may declare.
const MAX_REGISTERS: u32 = 1 << 20;

pub(crate) struct Walker<'a> {
    pub(crate) table: &'a mut Table,
    scopes: Scopes,
    pub(crate) state: DecodeState,
    pub(crate) code: Vec<(Inst, Info)>,
    kernel: bool,
    /// Registers declared so far.
    declared: u32,
    /// The bytes that the next load uses, if a pragma states them.
    used: Option<u32>,
    /// The number of the location of the last `.loc`.
    location: Option<u32>,
    last_frames: LastFrames,
}

/// Lays out the parameters of a function one after the other from `start` on; returns their end, too.
pub(crate) fn signature(function: &Function, start: u64) -> Result<(Signature, u64)> {
    let mut end = start;
    let mut placed = |list: &[Variable]| list.iter().map(|v| parameter(v, &mut end)).collect::<Result<Vec<_>>>();
    let (params, returns) = (placed(&function.params)?, placed(&function.returns)?);
    Ok((Signature { params, returns, entry: 0, frame: None }, end))
}

/// The offset and size of a parameter after those that end at `end`.
fn parameter(v: &Variable, end: &mut u64) -> Result<(u64, u64)> {
    let size = v.size.ok_or_else(|| ParseError::new(v.at, "a parameter needs a size"))?;
    let offset = align_up(*end, v.align);
    *end = offset.saturating_add(size);
    if *end > MAX_PARAMETERS {
        return Err(ParseError::new(v.at, format!("more than {MAX_PARAMETERS} bytes of parameters")));
    }
    Ok((offset, size))
}

/// Decodes `function`, whose memory and registers start at the counters of `state`.
pub(crate) fn decode(
    function: &Function,
    body: &[Statement],
    signature: &Signature,
    table: &mut Table,
    state: DecodeState,
) -> Result<Body> {
    let mut scopes = Scopes::default();
    scopes.enter();
    for (index, symbol) in table.symbols.iter().enumerate() {
        if symbol.scope_is_module {
            let (place, size) = (VariableLocation::Symbol(index as u32), symbol.symbol.size.unwrap_or(u64::MAX));
            scopes.declare(&symbol.symbol.name, Binding::Variable { place, size }, function.at)?;
        }
    }
    for (name, (index, _)) in &table.functions {
        scopes.declare(name, Binding::Function(*index), function.at)?;
    }
    scopes.enter();
    let mut walker = Walker {
        table,
        scopes,
        state,
        code: Vec::new(),
        kernel: function.kernel,
        declared: 0,
        used: None,
        location: None,
        last_frames: LastFrames::default(),
    };
    walker.parameters(&function.params, &signature.params)?;
    walker.parameters(&function.returns, &signature.returns)?;
    walker.body(body)?;
    Ok(Body { code: walker.code, state: walker.state })
}

impl Walker<'_> {
    /// Declares parameters, whose offsets and sizes are `places`.
    fn parameters(&mut self, list: &[Variable], places: &[(u64, u64)]) -> Result<()> {
        for (v, &(offset, size)) in list.iter().zip(places) {
            let place =
                if self.kernel { VariableLocation::KernelParam(offset) } else { VariableLocation::CallParam(offset) };
            self.scopes.declare(&v.name, Binding::Variable { place, size }, v.at)?;
        }
        Ok(())
    }

    fn body(&mut self, statements: &[Statement]) -> Result<()> {
        self.scopes.enter();
        self.predeclare(statements)?;
        for statement in statements {
            self.statement(statement)?;
        }
        self.scopes.leave();
        Ok(())
    }

    /// Declares the labels of a scope in advance, because they may be used before their definition.
    fn predeclare(&mut self, statements: &[Statement]) -> Result<()> {
        for statement in statements {
            match statement {
                Statement::Label(name, at) => {
                    let label = self.state.label();
                    self.scopes.declare(name, Binding::Label(label), *at)?;
                }
                Statement::Targets { label, targets, at } => {
                    self.scopes.declare(label, Binding::Targets(targets.clone()), *at)?;
                }
                Statement::Prototype { label, at } => self.scopes.declare(label, Binding::Prototype, *at)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        match statement {
            Statement::Registers { ty, names, at } => self.registers(*ty, names, *at),
            Statement::Variable(v) => self.variable(v),
            Statement::Label(name, _) => {
                if let Some(&Binding::Label(label)) = self.scopes.find(name) {
                    self.state.labels[label as usize] = Some(self.code.len() as u32);
                }
                Ok(())
            }
            Statement::Instruction(i) => self.instruction(i),
            Statement::Scope(inner) => self.body(inner),
            Statement::Targets { .. } | Statement::Prototype { .. } => Ok(()),
            Statement::UsedBytes(mask) => {
                self.used = Some(*mask);
                Ok(())
            }
            Statement::Location(location) => {
                self.location = location.map(|location| self.table.frames.number(location, &mut self.last_frames));
                Ok(())
            }
        }
    }

    fn registers(&mut self, ty: Type, names: &[(String, Option<u32>)], at: Position) -> Result<()> {
        for (name, count) in names {
            self.declared = self.declared.saturating_add(count.unwrap_or(1));
            if self.declared > MAX_REGISTERS {
                return Err(ParseError::new(at, format!("more than {MAX_REGISTERS} registers in a function")));
            }
            match count {
                None => self.register(name, ty, at)?,
                Some(n) => (0..*n).try_for_each(|i| self.register(&format!("{name}{i}"), ty, at))?,
            }
        }
        Ok(())
    }

    fn register(&mut self, name: &str, ty: Type, at: Position) -> Result<()> {
        let binding = if ty.class == Class::Predicate {
            self.state.predicates += 1;
            Binding::Predicate(self.state.predicates - 1)
        } else {
            let index = self.state.registers;
            let words = ty.width().div_ceil(64);
            self.state.registers += words;
            let bits = u64::MAX >> (64 - ty.width().clamp(1, 64));
            self.state.bits.extend((0..words).map(|_| bits));
            if ty.width() > 64 {
                self.state.pinned.extend([index, index + 1]);
            }
            Binding::Register { index, ty }
        };
        self.scopes.declare(name, binding, at)
    }

    fn variable(&mut self, v: &Variable) -> Result<()> {
        let size = v.size.unwrap_or(u64::MAX);
        let place = match v.space {
            Space::Local => VariableLocation::Local(reserve(&mut self.state.local, v)?),
            Space::Param => VariableLocation::CallParam(reserve(&mut self.state.call_params, v)?),
            _ => VariableLocation::Symbol(self.table.declare(v, false)?),
        };
        self.scopes.declare(&v.name, Binding::Variable { place, size }, v.at)
    }

    /// Decodes an instruction; an error says what it was generated from.
    fn instruction(&mut self, inst: &Instruction) -> Result<()> {
        self.known_instruction(inst).map_err(|error| ParseError {
            section: sections::section(inst),
            source_place: self.location.map(|number| Box::new(self.table.frames.source(&self.table.files, number))),
            ..error
        })
    }

    fn known_instruction(&mut self, inst: &Instruction) -> Result<()> {
        let mut cx = Cx::new(inst, &self.scopes, &mut self.state);
        cx.used = self.used.take().unwrap_or(u32::MAX);
        let guard = match &inst.guard {
            None => PredSrc::Const(true),
            Some((name, negated)) => {
                let operand = Operand::Name(name.clone(), 0);
                match cx.pred_of(&operand)? {
                    PredSrc::Reg { index, .. } => PredSrc::Reg { index, negate: *negated },
                    constant => constant,
                }
            }
        };
        cx.guard = guard;
        let steps = super::instruction::decode(&mut cx, self.table)?;
        cx.finish()?;
        let uses: Box<[_]> = std::mem::take(&mut cx.uses).into();
        let defs: Box<[_]> = cx.defs.take().into();
        let symbols: Box<[_]> = std::mem::take(&mut cx.symbols).into();
        let (pred_uses, pred_defs): (Box<[_]>, Box<[_]>) = (cx.pred_uses.take().into(), cx.pred_defs.take().into());
        let width = u64::MAX >> (64 - cx.width.get().max(1));
        if inst.root == "tcgen05" {
            // A load writes its registers after the instruction.
            cx.state.pinned.extend(&defs);
        } else if inst.root == "wgmma" {
            // So does a product, which also reads registers until a thread waits for it.
            cx.state.pinned.extend(defs.iter().chain(&uses));
        }
        let opcode = self.table.opcode(inst.opcode());
        let line = inst.at.line;
        let source = self.location;
        self.table.cooperates |= inst
            .operands
            .iter()
            .any(|operand| matches!(operand, Operand::Name(name, _) if name.starts_with("%envreg")));
        let spread = super::instruction::spread(inst);
        for (i, Step { op, guard: step_guard }) in steps.into_iter().enumerate() {
            // An instruction that takes several steps is counted once.
            let opcode = (i == 0).then_some(opcode);
            let (uses, defs, symbols) = (uses.clone(), defs.clone(), symbols.clone());
            let (pred_uses, pred_defs) = (pred_uses.clone(), pred_defs.clone());
            let info = Info { line, source, opcode, uses, defs, symbols, pred_uses, pred_defs, width, spread };
            self.code.push((Inst { op, guard: step_guard.unwrap_or(guard), counts: u8::from(i == 0) }, info));
        }
        Ok(())
    }
}

fn reserve(total: &mut u64, v: &Variable) -> Result<u64> {
    let size = v.size.ok_or_else(|| ParseError::new(v.at, format!("`{}` needs a size", v.name)))?;
    let offset = align_up(*total, v.align);
    *total = offset
        .checked_add(size)
        .filter(|&n| n <= 512 << 10)
        .ok_or_else(|| ParseError::new(v.at, "more than 512 KiB of local memory in each thread"))?;
    Ok(offset)
}
