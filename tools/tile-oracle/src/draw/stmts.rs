//! The statements of a program: filling, moving, computing, and the conditions and loops around these.

use super::Draft;
use super::copy::scope_in;
use super::family::Family;
use crate::ast::{Compare, Cond, Expr, Scope, Space, Stmt};
use crate::rng::Rng;

impl Draft {
    /// Gives shared memory and registers values in most cases.
    pub(super) fn fill(&mut self) {
        for family in self.families.clone() {
            for &buffer in family.shared.iter().chain(&family.registers) {
                if self.rng.once_in(6) {
                    continue;
                }
                for _ in 0..3 {
                    if self.fill_one(&family, buffer) {
                        break;
                    }
                }
            }
        }
    }

    /// Fills all of a buffer, tile by tile.
    fn fill_one(&mut self, family: &Family, buffer: usize) -> bool {
        let input = self.one_that(&family.inputs, |draw, input| draw.converts(input, buffer));
        let Some(input) = input else { return false };
        let whole = Family { tile: family.tile.clone(), ..family.clone() };
        if self.rng.once_in(6) {
            let stmt = self.filled(family, buffer, family.scope);
            return self.try_push(vec![stmt]);
        }
        let mut stmt = self.copy_by(&whole, input, buffer, family.scope);
        if self.program.buffers[buffer].space == Space::Shared && self.rng.once_in(3) {
            let mut stmts = self.asynchronous(stmt);
            stmts.push(Stmt::Wait(0));
            return self.try_push(stmts);
        }
        if self.rng.once_in(10) {
            stmt = self.guarded(stmt);
        }
        self.try_push(vec![stmt])
    }

    /// Adds one statement, if a correct one is found.
    pub(super) fn statement(&mut self) {
        for _ in 0..6 {
            let at = self.rng.below(self.families.len() as i64) as usize;
            let family = self.families[at].clone();
            let stmts = match self.rng.below(10) {
                0 if self.rng.once_in(2) => self.compute(&family).into_iter().collect(),
                0 => {
                    let all = [&family.outputs, &family.shared, &family.registers].map(Vec::as_slice).concat();
                    let buffer = *self.rng.one_of(&all);
                    let scope = family.scope;
                    let stmt = self.filled(&family, buffer, scope);
                    vec![if self.rng.once_in(3) { self.guarded(stmt) } else { stmt }]
                }
                1 | 2 => vec![self.looped(&family)],
                3 => self.pipelined(&family),
                4 => {
                    let stmt = self.moved(&family);
                    vec![self.guarded(stmt)]
                }
                _ => vec![self.moved(&family)],
            };
            if !stmts.is_empty() && self.try_push(stmts) {
                return;
            }
        }
    }

    /// A copy between two memories.
    fn moved(&mut self, family: &Family) -> Stmt {
        let (src, dst) = self.pair(family);
        let stmt = self.copy(family, src, dst);
        let one_in = if self.program.buffers[src].space == Space::Global { 4 } else { 16 };
        if !self.rng.once_in(one_in) {
            return stmt;
        }
        // Without the wait, the copy would have to complete by the end of the enclosing statements, or be drawn again.
        let mut stmts = self.asynchronous(stmt);
        stmts.push(Stmt::Wait(0));
        Stmt::If(Cond::Is(Compare::Ge, Expr::Argument(0), Expr::Const(0)), stmts, Vec::new())
    }

    fn pair(&mut self, family: &Family) -> (usize, usize) {
        let all = [&family.inputs, &family.outputs, &family.shared, &family.registers];
        let pick = |rng: &mut Rng, buffers: &[usize]| (!buffers.is_empty()).then(|| *rng.one_of(buffers));
        // From and to: inputs 0, outputs 1, shared memory 2, registers 3.
        const WAYS: [(usize, usize); 18] = [
            (0, 2),
            (0, 2),
            (0, 2),
            (2, 1),
            (2, 1),
            (2, 1),
            (0, 3),
            (0, 3),
            (3, 1),
            (3, 1),
            (2, 3),
            (2, 3),
            (3, 2),
            (3, 2),
            (2, 2),
            (2, 2),
            (0, 1),
            (1, 2),
        ];
        const RARE: [(usize, usize); 4] = [(0, 1), (1, 3), (3, 3), (1, 1)];
        loop {
            let (from, to) = if self.rng.once_in(14) { *self.rng.one_of(&RARE) } else { *self.rng.one_of(&WAYS) };
            let pair = pick(&mut self.rng, all[from]).zip(pick(&mut self.rng, all[to]));
            match pair {
                Some((src, dst)) if self.converts(src, dst) && (src != dst || self.rng.once_in(2)) => {
                    return (src, dst);
                }
                _ => {}
            }
        }
    }

    fn compute(&mut self, family: &Family) -> Option<Stmt> {
        let buffer = (!family.registers.is_empty()).then(|| *self.rng.one_of(&family.registers))?;
        Some(Stmt::Compute { buffer, factor: *self.rng.one_of(&[1, 3, 5]), addend: self.rng.below(50) })
    }

    /// A condition around a statement, on uniform numbers or on threads. Registers of excluded threads cannot be
    /// copied, so conditions on threads are rare for these.
    fn guarded(&mut self, stmt: Stmt) -> Stmt {
        let (threads, scope) = (self.threads(), scope_in(&stmt));
        let registers = |buffer: usize| self.program.buffers[buffer].space == Space::Local;
        let all = crate::ast::copies(std::slice::from_ref(&stmt));
        let held = scope != Scope::Thread
            && all.iter().any(|copy| registers(copy.src.buffer) || registers(copy.dst.buffer) || copy.issue.is_some());
        let kinds = if held && !self.rng.once_in(8) { 5 } else { 0 };
        let cond = match kinds + self.rng.below(7 - kinds) {
            0 => Cond::Is(Compare::Lt, Expr::Lane, Expr::Const(*self.rng.one_of(&[1, 8, 16, 31]))),
            1 => Cond::Is(Compare::Ge, Expr::Linear, Expr::Const(self.rng.below(threads))),
            2 => Cond::Is(Compare::Eq, Expr::Linear.over(32), Expr::Const(self.rng.below((threads + 31) / 32))),
            3 => Cond::Is(Compare::Lt, Expr::Linear, Expr::Const(self.rng.below(threads) / 32 * 32 + 32)),
            4 => {
                let step = *self.rng.one_of(&[2, 3, 4]);
                Cond::Is(Compare::Eq, Expr::Linear.modulo(step), Expr::Const(self.rng.below(step)))
            }
            _ => self.predicate(scope),
        };
        let cond = if self.rng.once_in(5) {
            let other = self.predicate(Scope::Cta);
            Cond::And(Box::new(cond), Box::new(other))
        } else {
            cond
        };
        let otherwise = if self.rng.once_in(6) { vec![stmt.clone()] } else { Vec::new() };
        Stmt::If(cond, vec![stmt], otherwise)
    }

    /// A loop around one or two copies.
    fn looped(&mut self, family: &Family) -> Stmt {
        let variable = self.loops;
        self.loops += 1;
        let step = *self.rng.one_of(&[1, 1, 2]);
        let end = match self.rng.below(4) {
            0 => Expr::Argument(1).modulo(4),
            1 => Expr::Argument(0).modulo(3).plus(Expr::Const(1)),
            2 if family.scope == Scope::Thread && self.variables.is_empty() => Expr::Lane.modulo(3),
            _ => Expr::Const(self.rng.below(4) + 1),
        };
        self.variables.push(variable);
        let mut body = vec![self.moved(family)];
        if self.rng.once_in(2) {
            body.push(self.moved(family));
        }
        if self.rng.once_in(6) && self.variables.len() < 2 {
            body.push(self.looped(family));
        }
        self.variables.pop();
        Stmt::For { variable, range: [Expr::Const(0), end, Expr::Const(step)], body }
    }

    /// One of some buffers that fit, if any does.
    fn one_that(&mut self, buffers: &[usize], fits: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        let fitting: Vec<usize> = buffers.iter().copied().filter(|&buffer| fits(self, buffer)).collect();
        (!fitting.is_empty()).then(|| *self.rng.one_of(&fitting))
    }

    /// Two copies in flight, and a use of the first while the second is.
    fn pipelined(&mut self, family: &Family) -> Vec<Stmt> {
        if family.shared.is_empty() {
            return Vec::new();
        }
        let mut stmts = Vec::new();
        let first = *self.rng.one_of(&family.shared);
        let second = *self.rng.one_of(&family.shared);
        for buffer in [first, second] {
            let Some(input) = self.one_that(&family.inputs, |draw, input| draw.converts(input, buffer)) else {
                return Vec::new();
            };
            let stmt = self.copy_by(family, input, buffer, family.scope);
            stmts.extend(self.asynchronous(stmt));
        }
        stmts.extend([Stmt::Wait(1), Stmt::Barrier]);
        if first != second
            && let Some(output) = self.one_that(&family.outputs, |draw, output| draw.converts(first, output))
        {
            stmts.push(self.copy_by(family, first, output, family.scope));
        }
        stmts.push(Stmt::Wait(0));
        stmts
    }

    /// Copies the contents of shared memory and of registers to arguments, where they can be compared.
    pub(super) fn drain(&mut self) {
        for family in self.families.clone() {
            for (&buffer, &image) in family.registers.iter().zip(&family.images) {
                if let (Some(argument), true) = (image, self.rng.once_in(2)) {
                    self.try_push(vec![Stmt::Dump { buffer, argument }]);
                }
            }
            for &buffer in family.shared.iter().chain(&family.registers) {
                for _ in 0..2 {
                    let output = self.one_that(&family.outputs, |draw, output| draw.converts(buffer, output));
                    let Some(output) = output else { break };
                    let stmt = self.copy_by(&family, buffer, output, family.scope);
                    if self.try_push(vec![stmt]) {
                        break;
                    }
                }
            }
        }
        super::copy::number(&mut self.program);
    }
}
