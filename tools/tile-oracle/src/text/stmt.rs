//! Statements.

use super::value::Values;
use super::{Text, registers};
use crate::ast::{Argument, Completion, Copy, Effect, Element, Expr, Program, Stmt};

impl Text {
    /// Adds statements.
    pub(super) fn block(&mut self, program: &Program, body: &[Stmt]) {
        body.iter().for_each(|stmt| self.stmt(program, stmt));
    }

    fn inside(&mut self, program: &Program, body: &[Stmt]) {
        self.depth += 1;
        self.block(program, body);
        self.depth -= 1;
    }

    fn stmt(&mut self, program: &Program, stmt: &Stmt) {
        match stmt {
            Stmt::Copy(copy) => self.copy(program, copy),
            Stmt::Barrier => {
                self.line("gpu.barrier");
            }
            Stmt::Commit => {
                self.line("nvvm.cp.async.commit.group");
            }
            Stmt::Wait(left) => {
                self.line(&format!("nvvm.cp.async.wait.group {left}"));
            }
            Stmt::If(cond, then, otherwise) => {
                let cond = self.condition(program, cond);
                self.line(&format!("scf.if {cond} {{"));
                self.inside(program, then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.inside(program, otherwise);
                }
                self.line("}");
            }
            Stmt::For { variable, range, body } => {
                let [first, end, step] = [0, 1, 2].map(|part| self.index(program, &range[part]));
                self.line(&format!("scf.for %i{variable} = {first} to {end} step {step} {{"));
                self.inside(program, body);
                self.line("}");
            }
            Stmt::Compute { buffer, factor, addend } => self.compute(program, *buffer, *factor, *addend),
            Stmt::Dump { buffer, argument } => self.dump(program, *buffer, *argument),
        }
    }

    fn copy(&mut self, program: &Program, copy: &Copy) {
        if let Effect::Filled(bits) = copy.effect {
            return self.fill(program, copy, bits);
        }
        let predicate = copy.issue.as_ref().and_then(|issue| issue.predicate.as_ref());
        let predicate = predicate.map(|cond| format!(" predicate({})", self.condition(program, cond)));
        let ((src, from), (dst, to)) = (self.region(program, &copy.src), self.region(program, &copy.dst));
        let filler = copy.filler.map(|bits| self.filler(program.buffers[copy.dst.buffer].element, bits));
        let op = if copy.issue.is_some() { "tile.copy_async" } else { "tile.copy" };
        let group = copy.issue.as_ref().is_some_and(|issue| issue.completion == Completion::Group);
        let mut clauses = if group { " group".to_owned() } else { String::new() };
        clauses += &predicate.unwrap_or_default();
        clauses += &copy.convert.map(|word| format!(" convert({word})")).unwrap_or_default();
        if let Effect::Reduced(operator) = copy.effect {
            clauses += &format!(" reduce({})", operator.name());
        }
        clauses += if copy.masked { " masked" } else { "" };
        clauses += &filler.unwrap_or_default();
        let mut attributes: Vec<String> = copy.variant.iter().map(|name| format!("variant = \"{name}\"")).collect();
        attributes.extend(copy.read_only.then(|| "cache = \"nc\"".to_owned()));
        let fill = copy.issue.as_ref().is_some_and(|issue| issue.fill);
        attributes.extend(fill.then(|| "fill = \"zero\"".to_owned()));
        if !attributes.is_empty() {
            clauses += &format!(" {{{}}}", attributes.join(", "));
        }
        let line = self.line(&format!("{op} {src} to {dst} scope({}){clauses} : {from} to {to}", copy.scope.name()));
        self.copies.push((copy.id, line));
    }

    fn fill(&mut self, program: &Program, copy: &Copy, bits: u64) {
        let element = program.buffers[copy.dst.buffer].element;
        let (dst, to) = self.region(program, &copy.dst);
        let value = self.bits(element, bits);
        let masked = if copy.masked { " masked" } else { "" };
        let (scope, name) = (copy.scope.name(), element.name);
        let line = self.line(&format!("tile.fill {value} to {dst} scope({scope}){masked} : {name} to {to}"));
        self.copies.push((copy.id, line));
    }

    /// The fill clause for a value given by its bits.
    fn filler(&mut self, element: Element, bits: u64) -> String {
        let value = self.bits(element, bits);
        format!(" fill({value} : {})", element.name)
    }

    /// A value given by its bits.
    fn bits(&mut self, element: Element, bits: u64) -> String {
        let number = if element.integer {
            bits.to_string()
        } else {
            format!("{bits:#0width$x}", width = 2 + element.bits as usize / 4)
        };
        self.value(&format!("arith.constant {number} : {}", element.name))
    }

    /// Replaces the bits of each register by their product with `factor`, plus `addend`, plus the register's number.
    fn compute(&mut self, program: &Program, number: usize, factor: i64, addend: i64) {
        let buffer = &program.buffers[number];
        let (element, bits) = (buffer.element, format!("i{}", buffer.element.bits));
        let memref = registers(buffer);
        let view = self.value(&format!("tile.local_view %b{number} : !b{number} to {memref}"));
        let factor = self.value(&format!("arith.constant {factor} : {bits}"));
        for register in 0..buffer.layout.registers() {
            let at = self.index(program, &Expr::Const(register));
            let mut value = self.value(&format!("memref.load {view}[{at}] : {memref}"));
            if !element.integer {
                value = self.value(&format!("arith.bitcast {value} : {} to {bits}", element.name));
            }
            let addend = self.value(&format!("arith.constant {} : {bits}", addend + register));
            value = self.value(&format!("arith.muli {value}, {factor} : {bits}"));
            value = self.value(&format!("arith.addi {value}, {addend} : {bits}"));
            if !element.integer {
                value = self.value(&format!("arith.bitcast {value} : {bits} to {}", element.name));
            }
            self.line(&format!("memref.store {value}, {view}[{at}] : {memref}"));
        }
    }

    /// Thread `t` of block `b` stores register `r` at `(b * threads + t) * registers + r`.
    fn dump(&mut self, program: &Program, number: usize, argument: usize) {
        let (buffer, memref) = (&program.buffers[number], registers(&program.buffers[number]));
        let Argument::Memory(storage) = &program.arguments[argument] else { return };
        let (each, image) = (buffer.layout.registers(), super::memref(storage));
        let view = self.value(&format!("tile.local_view %b{number} : !b{number} to {memref}"));
        let thread = Expr::LinearBlock.times(program.threads()).plus(Expr::Linear);
        let first = self.index(program, &thread.times(each));
        for register in 0..each {
            let at = self.index(program, &Expr::Const(register));
            let value = self.value(&format!("memref.load {view}[{at}] : {memref}"));
            let place = self.value(&format!("arith.addi {first}, {at} : index"));
            self.line(&format!("memref.store {value}, %a{argument}[{place}] : {image}"));
        }
    }
}
