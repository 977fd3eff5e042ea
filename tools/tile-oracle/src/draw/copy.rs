//! One copy between two buffers of a family.

use super::Draft;
use super::family::Family;
use crate::ast::{Compare, Completion, Cond, Copy, Effect, Expr, Issue, Program, Region, Scope, Space, Stmt, View};
use crate::convert::NumberKind;
use crate::reduce::Operator;

impl Draft {
    /// A copy of a part of a tile, or of all of it; inside a condition if only one group of threads may do it.
    pub(super) fn copy(&mut self, family: &Family, src: usize, dst: usize) -> Stmt {
        let scope = self.scope_of(family);
        self.copy_by(family, src, dst, scope)
    }

    /// The family's scope in most cases, otherwise another one.
    fn scope_of(&mut self, family: &Family) -> Scope {
        if self.rng.once_in(5) { self.scope() } else { family.scope }
    }

    pub(super) fn copy_by(&mut self, family: &Family, src: usize, dst: usize, scope: Scope) -> Stmt {
        let mut extent = family.tile.clone();
        if self.rng.once_in(3) {
            for extent in &mut extent {
                let odd = if self.rng.once_in(4) { self.rng.below(*extent) + 1 } else { *extent };
                let part = [*extent, *extent / 2, *extent / 4, odd];
                *extent = (*self.rng.one_of(&part)).max(1);
            }
        }
        let ways = [src, dst].map(|buffer| self.program.buffers[buffer].space);
        let bits = [src, dst].map(|buffer| self.program.buffers[buffer].element.bits);
        let variant = self.variant(scope, &mut extent, bits[0].max(bits[1]), ways);
        let groups = self.groups(scope);
        let owned = self.program.buffers[dst].space != Space::Local && self.slots(family, dst) % groups.max(1) == 0;
        let alone = groups > 1 && self.program.buffers[dst].space != Space::Local && !owned;
        let mut src = self.region(family, src, &extent, scope, false);
        let effect = if variant.is_none() { self.effect(src.buffer, dst) } else { Effect::Moved };
        // Any threads and blocks may combine elements of one place.
        let mut dst = self.region(family, dst, &extent, scope, effect == Effect::Moved);
        let masked = variant.is_none() && self.rng.once_in(5);
        let filler = if masked { self.masked(&mut src, &mut dst) } else { None };
        // Where the source is outside, there is nothing to combine.
        let filler = filler.filter(|_| effect == Effect::Moved);
        if !masked {
            self.views(&mut src, &mut dst);
        } else if self.rng.once_in(4) {
            self.casts_of([&mut src, &mut dst]);
        }
        let global = self.program.buffers[src.buffer].space == Space::Global;
        let read_only =
            global && effect == Effect::Moved && family.inputs.contains(&src.buffer) && self.rng.once_in(16);
        self.copies += 1;
        let convert = if effect == Effect::Moved { self.clause(src.buffer, dst.buffer) } else { None };
        let id = self.copies - 1;
        let copy = Copy { id, src, dst, effect, scope, issue: None, variant, read_only, masked, filler, convert };
        let copy = Stmt::Copy(copy);
        if !alone {
            return copy;
        }
        let only = self.rng.below(groups);
        let group = self.group(scope);
        Stmt::If(Cond::Is(Compare::Eq, group, Expr::Const(only)), vec![copy], Vec::new())
    }

    /// A reduction for one copy in four between elements of a type that has some.
    fn effect(&mut self, src: usize, dst: usize) -> Effect {
        let [from, to] = [src, dst].map(|buffer| &self.program.buffers[buffer]);
        let operators = Operator::of(to.element.name);
        if to.space == Space::Local || from.element != to.element || operators.is_empty() || !self.rng.once_in(4) {
            return Effect::Moved;
        }
        Effect::Reduced(*self.rng.one_of(operators))
    }

    /// A fill of a part of a buffer, or of all of it.
    pub(super) fn filled(&mut self, family: &Family, buffer: usize, scope: Scope) -> Stmt {
        let mut dst = self.region(family, buffer, &family.tile, scope, true);
        let masked = self.rng.once_in(3);
        let mut same = dst.clone();
        if masked {
            self.masked(&mut same, &mut dst);
        } else {
            self.views(&mut same, &mut dst);
        }
        self.copies += 1;
        Stmt::Copy(Copy {
            id: self.copies - 1,
            src: dst.clone(),
            dst,
            effect: Effect::Filled(self.rng.below(0x38) as u64),
            scope,
            issue: None,
            variant: None,
            read_only: false,
            masked,
            filler: None,
            convert: None,
        })
    }

    /// Whether both buffers have the same element type, or two types that convert.
    pub(super) fn converts(&self, src: usize, dst: usize) -> bool {
        let [from, to] = [src, dst].map(|buffer| self.program.buffers[buffer].element.name);
        from == to || NumberKind::of(from).zip(NumberKind::of(to)).is_some_and(|(from, to)| from.converts_to(to))
    }

    /// The clause of a copy for a conversion: a signedness for integers, and occasionally the rounding of `f32` to
    /// `tf32`.
    fn clause(&mut self, src: usize, dst: usize) -> Option<&'static str> {
        let [from, to] = [src, dst].map(|buffer| self.program.buffers[buffer].element);
        if from == to {
            return (from.name == "f32" && self.rng.once_in(16)).then_some("tf32");
        }
        (from.integer || to.integer).then(|| *self.rng.one_of(&["signed", "unsigned"]))
    }

    /// The extent of the dimension before those of the tile; 1 if there is none.
    fn slots(&self, family: &Family, buffer: usize) -> i64 {
        let shape = &self.program.buffers[buffer].shape;
        if shape.len() > family.tile.len() { shape[0] } else { 1 }
    }

    fn region(&mut self, family: &Family, buffer: usize, extent: &[i64], scope: Scope, written: bool) -> Region {
        let shape = self.program.buffers[buffer].shape.clone();
        if shape == extent && self.rng.once_in(2) {
            return Region { buffer, begin: Vec::new(), extent: extent.to_vec(), view: View::Written };
        }
        let (mut begin, mut extents) = (Vec::new(), Vec::new());
        let inner = shape.len() - family.tile.len();
        if inner > 0 {
            begin.push(self.slot(family, buffer, scope, written));
            extents.push(1);
        }
        let local = self.program.buffers[buffer].space == Space::Local;
        for (&shape, &extent) in shape[inner..].iter().zip(extent) {
            let most = shape - extent;
            let place = if local && !self.rng.once_in(8) {
                Expr::Const(self.rng.below(most + 1))
            } else {
                self.begin(most, scope)
            };
            begin.push(place);
            extents.push(extent);
        }
        Region { buffer, begin, extent: extents, view: View::Written }
    }

    /// The index of one of a buffer's tiles: the group's own if it is written, any if it is read.
    fn slot(&mut self, family: &Family, buffer: usize, scope: Scope, written: bool) -> Expr {
        let slots = self.slots(family, buffer);
        let (groups, group) = (self.groups(scope), self.group(scope));
        let shared = self.program.buffers[buffer].space == Space::Shared;
        let blocks = if shared { 1 } else { self.program.blocks() };
        let is_output = family.outputs.contains(&buffer);
        if shared && written && slots % groups == 0 || is_output && slots % blocks == 0 {
            let each = slots / blocks;
            let slot = if each % groups == 0 { group } else { Expr::Const(self.rng.below(each)) };
            let block = Expr::LinearBlock.times(each);
            return match (shared || blocks == 1, slot) {
                (true, slot) => slot,
                (false, Expr::Const(0)) => block,
                (false, slot) => block.plus(slot),
            };
        }
        if shared && !written && slots == groups && !self.rng.once_in(3) {
            return group;
        }
        self.begin(slots - 1, scope)
    }

    /// One copy in ten requests a variant that does such copies; copies by single threads more often request a variant
    /// of one access width. A wrong variant is rare, because the copy would be refused.
    fn variant(&mut self, scope: Scope, extent: &mut [i64], bits: u32, ways: [Space; 2]) -> Option<&'static str> {
        let elsewhere = ways[0] != ways[1];
        if scope == Scope::Thread && elsewhere && self.rng.once_in(3) {
            const WIDTHS: [(&str, i64); 4] = [("vec_16b", 16), ("vec_32b", 32), ("vec_64b", 64), ("vec_128b", 128)];
            let (name, access) = *self.rng.one_of(&WIDTHS);
            let width = access / i64::from(bits);
            let fits = width > 0 && extent.last().is_some_and(|&last| last >= width);
            if fits {
                extent.fill(1);
                *extent.last_mut()? = width;
                return Some(name);
            }
        }
        let usual = match ways {
            _ if self.rng.once_in(12) => "ldstmatrix",
            [Space::Global, Space::Shared] | [Space::Shared, Space::Global] => "gmem_smem",
            [Space::Local, Space::Local] => "fallback",
            [Space::Local, _] | [_, Space::Local] => "reg",
            _ => "same_memory",
        };
        let variant = if self.rng.once_in(3) { "fallback" } else { usual };
        self.rng.once_in(16).then_some(variant)
    }

    /// The same copy, issued asynchronously, and the statement that closes its group.
    pub(super) fn asynchronous(&mut self, stmt: Stmt) -> Vec<Stmt> {
        let completion = if self.rng.once_in(3) { Completion::Caller } else { Completion::Group };
        let commit = (completion == Completion::Caller).then_some(Stmt::Commit);
        let mut stmt = stmt;
        let scope = scope_in(&stmt);
        let predicate = self.rng.once_in(5) && self.takes_predicates(&stmt);
        let predicate = predicate.then(|| self.predicate(scope));
        let fill = predicate.is_some() && self.rng.once_in(2);
        set_issue(&mut stmt, &Issue { completion, predicate, fill });
        std::iter::once(stmt).chain(commit).collect()
    }

    /// Whether the copies accept predicates: only `cp.async` does, with at least four contiguous bytes.
    fn takes_predicates(&mut self, stmt: &Stmt) -> bool {
        let all = crate::ast::copies(std::slice::from_ref(stmt));
        let fits = all.iter().all(|copy| {
            let space = |buffer: usize| self.program.buffers[buffer].space;
            let moved = self.program.buffers[copy.src.buffer].element == self.program.buffers[copy.dst.buffer].element;
            let ways = (space(copy.src.buffer), space(copy.dst.buffer));
            ways == (Space::Global, Space::Shared) && moved && copy.convert.is_none() && !copy.masked
        });
        fits && (all.iter().all(|copy| self.program.buffers[copy.dst.buffer].element.bits >= 32) || self.rng.once_in(4))
    }

    /// A condition that is the same for all threads of a scope.
    pub(super) fn predicate(&mut self, scope: Scope) -> Cond {
        let compare = *self.rng.one_of(&[Compare::Eq, Compare::Ne, Compare::Lt, Compare::Ge]);
        let atom = self.atom(scope);
        Cond::Is(compare, atom.modulo(4), Expr::Const(self.rng.below(4)))
    }
}

pub(super) fn scope_in(stmt: &Stmt) -> Scope {
    crate::ast::copies(std::slice::from_ref(stmt)).first().map_or(Scope::Thread, |copy| copy.scope)
}

/// Makes the copies in a statement asynchronous.
fn set_issue(stmt: &mut Stmt, issue: &Issue) {
    match stmt {
        Stmt::Copy(copy) => {
            copy.issue = Some(issue.clone());
            copy.effect = Effect::Moved;
            copy.read_only = false;
            copy.variant = None;
        }
        Stmt::If(_, then, otherwise) => then.iter_mut().chain(otherwise).for_each(|stmt| set_issue(stmt, issue)),
        Stmt::For { body, .. } => body.iter_mut().for_each(|stmt| set_issue(stmt, issue)),
        _ => {}
    }
}

/// Gives the copies of a program their numbers in the order of the text.
pub(super) fn number(program: &mut Program) {
    fn each(body: &mut [Stmt], next: &mut usize) {
        for stmt in body {
            match stmt {
                Stmt::Copy(copy) => {
                    copy.id = *next;
                    *next += 1;
                }
                Stmt::If(_, then, otherwise) => {
                    each(then, next);
                    each(otherwise, next);
                }
                Stmt::For { body, .. } => each(body, next),
                _ => {}
            }
        }
    }
    each(&mut program.body, &mut 0);
}
