//! Decodes a syntax tree to a program.
//!
//! Functions are decoded before their callers, and those that call each other together; each family of instructions has its own module, which reads the
//! modifiers and operands that it knows and rejects all others.

mod arithmetic;
mod atomic;
mod bits;
mod blocks;
mod boxes;
mod call;
mod calls;
mod context;
mod control;
mod convert;
mod copies;
mod element_types;
mod float;
mod frames;
mod function;
mod graph;
mod instruction;
mod loadstore;
mod logic;
mod matrix;
mod mbarrier;
mod misc;
mod moves;
mod multiply;
mod operands;
mod order;
mod provenance;
mod registers;
mod sections;
mod setp;
mod state;
mod step;
mod sync;
mod table;
mod tensor;
mod tensor_map;
mod video;
mod warp;
mod warp_product;
mod wmma;

pub(crate) use bits::insert_field;
use calls::Group;
pub(crate) use moves::upper;
pub(crate) use operands::function_address;
use state::{Body, DecodeState, align_up};
use table::{FrameOf, Signature, Table};

use std::collections::BTreeSet;

use crate::code::{Frame, KernelCode, Program, Within};
use crate::interface::Interface;
use crate::parse::ast::{Ast, Function, Relocation, Statement};
use crate::parse::{ParseError, Result, Space};

/// Decodes a whole module.
pub(crate) fn decode(ast: &Ast) -> Result<Program> {
    let mut table = Table::default();
    table.files.clone_from(&ast.files);
    for v in &ast.variables {
        table.declare(v, true)?;
    }
    let defined: Vec<&Function> = ast.functions.iter().filter(|f| f.body.is_some()).collect();
    check_relocations(ast, &defined)?;
    for (index, function) in defined.iter().enumerate() {
        if table.functions.insert(function.name.clone(), (index, None)).is_some() {
            return Err(ParseError::new(function.at, format!("`{}` is defined twice", function.name)));
        }
    }
    let mut module = Module { table, program: empty(ast), base: DecodeState::after(1, 1, 0, 0), symbols: Vec::new() };
    module.symbols.resize(defined.len(), Default::default());
    let initializers: Vec<&str> = relocations(ast).map(|relocation| relocation.symbol.as_str()).collect();
    let taken = calls::taken(&defined, &initializers);
    module.table.taken = taken.clone();
    for group in calls::callees_first(&defined, &taken) {
        module.group(&group, &defined)?;
    }
    let Module { table, mut program, .. } = module;
    program.symbols = table.symbols.into_iter().map(|s| s.symbol).collect();
    program.functions = table.functions.into_iter().map(|(name, (index, _))| (name, index)).collect();
    program.cooperates = table.cooperates;
    program.opcodes = table.opcodes;
    program.variables = table.variables;
    program.sources = table.frames.sources(&table.files);
    program.kernels.sort_by_key(|k| defined.iter().position(|f| f.name == k.interface.name));
    Ok(program)
}

/// The addresses in the initializers of the module's variables.
fn relocations(ast: &Ast) -> impl Iterator<Item = &Relocation> {
    ast.variables.iter().flat_map(|v| &v.relocations)
}

/// Addresses in initializers must be those of the module's functions, or of its global or constant variables.
fn check_relocations(ast: &Ast, defined: &[&Function]) -> Result<()> {
    let variable =
        |name: &str| ast.variables.iter().any(|v| v.name == name && matches!(v.space, Space::Global | Space::Const));
    let addressable = |name: &str| variable(name) || defined.iter().any(|f| f.name == name);
    for v in &ast.variables {
        if let Some(r) = v.relocations.iter().find(|r| !addressable(&r.symbol)) {
            let message =
                format!("the initializer of `{}` names `{}`, no global variable or function", v.name, r.symbol);
            return Err(ParseError::new(v.at, message));
        }
    }
    Ok(())
}

fn empty(ast: &Ast) -> Program {
    let (code, info, opcodes, sources, symbols) = Default::default();
    let (kernels, unwritten, frames, variables, functions) = Default::default();
    let (version, target) = (ast.version, ast.target.clone());
    Program {
        version,
        target,
        code,
        info,
        opcodes,
        sources,
        symbols,
        kernels,
        unwritten,
        frames,
        variables,
        functions,
        cooperates: false,
    }
}

struct Module {
    table: Table,
    program: Program,
    /// The counters at which the next device function's registers and memory start. Register and predicate 0 discard
    /// what is written to them.
    base: DecodeState,
    /// For each function, the symbols that it and its callees refer to.
    symbols: Vec<BTreeSet<u32>>,
}

impl Module {
    /// Decodes functions that call each other: the parameters of all before their bodies.
    fn group(&mut self, group: &Group, defined: &[&Function]) -> Result<()> {
        let (start, first) = (self.start(), self.program.frames.len());
        let memory = start.0.min(start.1);
        for &index in &group.functions {
            let function = defined[index];
            if function.kernel {
                continue;
            }
            let (mut signature, end) = function::signature(function, align_up(self.base.call_params, 16))?;
            self.base.call_params = end;
            if group.is_recursive {
                let index = self.program.frames.len() as u32;
                signature.frame = Some(FrameOf { index, first: first as u32, start: memory });
                self.program.frames.push(Frame::default());
            }
            self.table.functions.insert(function.name.clone(), (index, Some(signature)));
        }
        for &index in &group.functions {
            self.function(index, defined[index])?;
        }
        let symbols: BTreeSet<u32> = group.functions.iter().flat_map(|&f| self.symbols[f].clone()).collect();
        group.functions.iter().for_each(|&f| self.symbols[f].clone_from(&symbols));
        let end = align_up(self.base.local.max(self.base.call_params).max(memory + 1), 16);
        self.program.frames[first..].iter_mut().for_each(|frame| frame.memory = memory..end);
        Ok(())
    }

    /// The first offsets of the next function's local memory and call parameters.
    fn start(&self) -> (u64, u64) {
        (align_up(self.base.local, 16), align_up(self.base.call_params, 16))
    }

    fn function(&mut self, index: usize, function: &Function) -> Result<()> {
        let Some(statements) = &function.body else { return Ok(()) };
        let signature = match &self.table.functions[&function.name].1 {
            Some(signature) => signature.clone(),
            None => function::signature(function, 0)?.0,
        };
        let mut body = self.body(function, statements, &signature)?;
        let entry = self.program.code.len() as u32;
        if let Some(places) = &mut body.state.places {
            let unwritten = std::mem::take(&mut places.unwritten);
            if !(unwritten.regs.is_empty() && unwritten.preds.is_empty()) {
                self.program.unwritten.insert(entry, unwritten);
            }
        }
        let code = std::mem::take(&mut body.code);
        order::lay_out(code, &body.state.labels, &mut self.program, function.at)?;
        let mut symbols = body.state.symbols.clone();
        for &callee in &body.state.calls {
            symbols.extend(&self.symbols[callee]);
        }
        self.symbols[index] = symbols;
        if function.kernel {
            self.kernel(index, function, entry, &body, &signature);
            return Ok(());
        }
        if let Some(frame) = signature.frame {
            let registers = self.base.registers..body.state.registers;
            let predicates = self.base.predicates..body.state.predicates;
            self.program.frames[frame.index as usize] = Frame { entry, registers, predicates, memory: 0..0 };
        }
        self.table.functions.insert(function.name.clone(), (index, Some(Signature { entry, ..signature })));
        self.base = body.state;
        Ok(())
    }

    /// Decodes a body twice: first to find which registers are live at the same time, then with the registers assigned.
    fn body(&mut self, function: &Function, statements: &[Statement], signature: &Signature) -> Result<Body> {
        let (local, params) = self.start();
        let (first, predicates) = (self.base.registers, self.base.predicates);
        let fresh = || DecodeState { frame: signature.frame, ..DecodeState::after(first, predicates, local, params) };
        let symbols = self.table.symbols.len();
        let draft = function::decode(function, statements, signature, &mut self.table, fresh())?;
        let mut places = registers::assign(&draft, first, predicates);
        let within = self.within(&draft, first, places.place.len());
        self.table.symbols.truncate(symbols);
        places.within = within;
        let end = places.end;
        let state = DecodeState { places: Some(places), ..fresh() };
        let mut body = function::decode(function, statements, signature, &mut self.table, state)?;
        body.state.registers = end;
        Ok(body)
    }

    /// The shared variables from which each of a function's registers is derived.
    fn within(&mut self, draft: &Body, first: u32, count: usize) -> Vec<Within> {
        let is_shared =
            |i: &u32| matches!(self.table.symbols[*i as usize].symbol.space, Space::Shared | Space::SharedCluster);
        let shared = draft.state.symbols.iter().copied().filter(is_shared).collect();
        let origins = provenance::origins(&draft.code, first, count, &shared);
        origins.into_iter().map(|origin| self.table.within(origin)).collect()
    }

    fn kernel(&mut self, index: usize, function: &Function, entry: u32, body: &Body, signature: &Signature) {
        self.program.kernels.push(KernelCode {
            interface: Interface::of(function),
            entry,
            offsets: signature.params.iter().map(|&(offset, _)| offset).collect(),
            registers: body.state.registers,
            predicates: body.state.predicates,
            local: align_up(body.state.local, 16),
            call_params: align_up(body.state.call_params, 16),
            symbols: self.symbols[index].iter().copied().collect(),
        });
    }
}
