//! Random expressions: numbers, conditions, and references to memory.

use super::ast::{Condition, Index, Memory, Reference};
use super::draw::{Draw, Spread};

/// Expressions inside each other.
const DEPTH: usize = 2;

impl Index {
    /// The most that it can be, in blocks of `threads` threads.
    pub fn most(&self, threads: i64, blocks: i64) -> i64 {
        let bound = |index: &Index| index.most(threads, blocks);
        match self {
            Index::Constant(value) => *value,
            Index::Thread => threads - 1,
            Index::Block => blocks - 1,
            Index::Number => 3,
            Index::Variable(_, most) => *most,
            Index::Sum(left, right) => bound(left) + bound(right),
            Index::Difference(left, _) => *left,
            Index::Times(left, right) => bound(left) * right,
            Index::Quotient(left, right) => bound(left) / right,
            Index::Remainder(left, right) => bound(left).min(right - 1),
            // Below the next power of two.
            Index::Xor(left, right) => ((bound(left) | right) as u64 + 1).next_power_of_two() as i64 - 1,
            Index::Select(_, then, otherwise) => bound(then).max(bound(otherwise)),
            Index::Table(_) => threads - 1,
            Index::Element(_, _, _, limit) => limit - 1,
        }
    }
}

impl Draw {
    /// A number below `limit` that threads have in common as `spread` says.
    pub fn index(&mut self, limit: i64, spread: Spread, depth: usize) -> Index {
        let index = self.any_index(limit.max(1), spread, depth);
        match index.most(self.kernel.threads, self.kernel.blocks) < limit.max(1) {
            true => index,
            false => Index::Remainder(Box::new(index), limit.max(1)),
        }
    }

    fn any_index(&mut self, limit: i64, spread: Spread, depth: usize) -> Index {
        let warp = || Index::Quotient(Box::new(Index::Thread), 32);
        let kinds = if depth < DEPTH { 12 } else { 8 };
        match (spread, self.rng.below(kinds)) {
            (_, 0) => Index::Constant(self.rng.below(limit)),
            (_, 1) => self.variable(),
            (_, 2) if depth > 0 || self.rng.once_in(3) => Index::Number,
            (Spread::Uniform, 3..=5) => Index::Constant(self.rng.below(limit)),
            (Spread::Uniform, 6) => Index::Block,
            (Spread::Warp, 2..=4) => warp(),
            (Spread::Warp, 5..=6) => Index::Times(Box::new(warp()), 32),
            (Spread::Thread, 3) => Index::Difference(self.kernel.threads - 1, Box::new(Index::Thread)),
            (Spread::Thread, 4) => Index::Xor(Box::new(Index::Thread), 1 << self.rng.below(6)),
            (Spread::Thread, 5) => Index::Remainder(Box::new(Index::Thread), *self.rng.one_of(&[2, 3, 8, 16, 32])),
            (Spread::Thread, 6) => self.other_index(limit, depth),
            (_, 8) => {
                let left = self.index(limit, spread, depth + 1);
                let right = self.index(limit, Spread::Uniform, depth + 1);
                Index::Sum(Box::new(left), Box::new(right))
            }
            (_, 9) => {
                let left = self.index(limit, spread, depth + 1);
                Index::Times(Box::new(left), *self.rng.one_of(&[2, 3, 4]))
            }
            (_, 10) => {
                let left = self.index(limit, spread, depth + 1);
                Index::Difference(left.most(self.kernel.threads, self.kernel.blocks), Box::new(left))
            }
            (_, 11) => {
                let condition = Box::new(self.condition(spread, depth + 1));
                let (then, otherwise) = (self.index(limit, spread, depth + 1), self.index(limit, spread, depth + 1));
                Index::Select(condition, Box::new(then), Box::new(otherwise))
            }
            (Spread::Uniform, _) => Index::Constant(0),
            (Spread::Warp, _) => warp(),
            (Spread::Thread, _) => Index::Thread,
        }
    }

    fn variable(&mut self) -> Index {
        if self.variables.is_empty() {
            return Index::Constant(1);
        }
        let (number, most) = *self.rng.one_of(&self.variables);
        Index::Variable(number, most)
    }

    /// A number that only memory holds.
    fn other_index(&mut self, limit: i64, depth: usize) -> Index {
        let memrefs = |reference: &Reference| matches!(reference, Reference::SharedMemref | Reference::GlobalMemref);
        let reference = self.references.iter().copied().find(memrefs);
        let at = self.index(self.kernel.threads, Spread::Thread, DEPTH);
        match reference.filter(|_| depth < DEPTH && self.rng.once_in(2)) {
            Some(reference) => {
                let memory = self.memory(reference, false);
                Index::Element(Box::new(memory), reference, Box::new(at), limit)
            }
            None => Index::Table(Box::new(at)),
        }
    }

    /// A condition that threads decide alike as `spread` says.
    pub fn condition(&mut self, spread: Spread, depth: usize) -> Condition {
        let kinds = if depth < DEPTH { 8 } else { 6 };
        match (spread, self.rng.below(kinds)) {
            (Spread::Uniform, 0..=1) => Condition::Flag,
            (Spread::Thread, 0) => Condition::Elected,
            (Spread::Thread, 1) => Condition::Is(Index::Thread, self.rng.below(self.kernel.threads)),
            (Spread::Thread, 2) => {
                let lane = Index::Remainder(Box::new(Index::Thread), 32);
                Condition::Below(lane, 1 << self.rng.below(5))
            }
            (Spread::Thread, 3) => Condition::Below(Index::Thread, *self.rng.one_of(&[1, 16, 32, 33, 64])),
            (_, 6) => {
                let (left, right) = (self.condition(spread, depth + 1), self.condition(spread, depth + 1));
                Condition::And(Box::new(left), Box::new(right))
            }
            (_, 7) => Condition::Not(Box::new(self.condition(spread, depth + 1))),
            (_, kind) => {
                let limit = if spread == Spread::Thread { self.kernel.threads } else { 4 };
                let index = self.index(limit, spread, depth + 1);
                let value = self.rng.below(limit);
                if kind % 2 == 0 { Condition::Is(index, value) } else { Condition::Below(index, value) }
            }
        }
    }

    /// Memory that can be referred to by `reference`; not beyond a window, unless it may be `moved`.
    pub fn memory(&mut self, reference: Reference, moved: bool) -> Memory {
        let bound: Vec<usize> =
            self.bound.iter().filter(|(_, its)| *its == reference).map(|(number, _)| *number).collect();
        if !bound.is_empty() && !self.rng.once_in(3) {
            return Memory::Bound(*self.rng.one_of(&bound));
        }
        match self.rng.below(12) {
            0..=1 => Memory::Choice {
                branch: self.rng.once_in(2),
                condition: {
                    let spread = *self.rng.one_of(&[Spread::Uniform, Spread::Warp, Spread::Thread]);
                    Box::new(self.condition(spread, 1))
                },
                then: Box::new(self.window(reference)),
                otherwise: Box::new(self.window(reference)),
            },
            2..=4 if reference.is_pointer() && moved => {
                let (from, limit) = (Box::new(self.window(reference)), self.kernel.threads / 8);
                let by = Box::new(self.index(limit, Spread::Thread, 1));
                Memory::Moved { integer: self.rng.once_in(2), from, by }
            }
            _ => self.window(reference),
        }
    }

    fn window(&mut self, reference: Reference) -> Memory {
        let fits = |at: &usize| reference.accepts(self.kernel.memories[*at]);
        let memories: Vec<usize> = (0..self.kernel.memories.len()).filter(fits).collect();
        let threads = self.kernel.threads;
        // A ring of two stages.
        if !self.variables.is_empty() && self.rng.once_in(4) {
            let later = Box::new(Index::Constant(self.rng.below(3)));
            let iteration = Index::Sum(Box::new(self.variable()), later);
            let stage = Index::Remainder(Box::new(iteration), 2);
            return Memory::Window(*self.rng.one_of(&memories), Box::new(Index::Times(Box::new(stage), threads)));
        }
        let kinds = if self.careful && !self.rng.once_in(8) { 6 } else { 8 };
        let begin = match self.rng.below(kinds) {
            0..=4 => Index::Constant(*self.rng.one_of(&[0, 0, 0, threads, threads, threads / 2, 1, 4])),
            5 => self.index(threads, Spread::Uniform, 1),
            6 => self.index(threads, Spread::Warp, 1),
            _ if reference.is_tile() => Index::Constant(0),
            _ => self.index(threads, Spread::Thread, 1),
        };
        Memory::Window(*self.rng.one_of(&memories), Box::new(begin))
    }
}
