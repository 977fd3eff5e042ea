//! Ids and sizes of a launch as terms.

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{defining_op, parent_of};
use tile_layout::Level;
use tile_plan::bounds::SymbolFacts;
use tile_plan::integer::Operation;
use tile_plan::problem::threads::MAX_BLOCK;
use tile_plan::terms::{Symbol, SymbolSource, Term};

use super::divisibility::block;
use super::id::Id;
use super::interpreter::{Follow, Launch, LeafFacts, Name, Origin, Run};
use crate::read::kernel;

/// The maximum number of blocks along x, y and z.
const MAX_BLOCKS: [i64; 3] = [(1 << 31) - 1, 65_535, 65_535];

impl Launch {
    /// As a function promises them.
    pub fn of(function: Option<OperationRef<'_, '_>>) -> Self {
        let block = function.and_then(|function| block::size(function).ok()?);
        Launch { block, grid: function.map_or([None; 3], block::grid) }
    }
}

impl<'c: 'a, 'a, L: LeafFacts<'c, 'a>> Run<'_, 'c, 'a, L> {
    /// An id, or a size, that `value` is; `None` for an id, of which nothing divides all numbers, where only that matters.
    pub fn id(&mut self, id: Id, value: Value<'c, 'a>) -> Option<Term> {
        if self.interpreter.follow == Follow::Joined && !matches!(id, Id::BlockSize(_) | Id::GridSize(_) | Id::WarpSize)
        {
            return None;
        }
        let launch = *self.interpreter.launch.get_or_insert_with(|| {
            // Else it is an argument of a launch.
            Launch::of(defining_op(value).map_or_else(|| parent_of(value), kernel::function))
        });
        Some(self.id_in(id, &launch))
    }

    fn id_in(&mut self, id: Id, launch: &Launch) -> Term {
        match id {
            Id::Thread(dimension) => {
                let count = launch.block.map(|block| block[dimension]);
                let known = SymbolFacts::range(0, count.unwrap_or(MAX_BLOCK) - 1);
                let (thread, _) = self.of_launch(id, Origin::Thread(dimension), count.is_some(), known);
                self.terms.set_source(thread, SymbolSource::Thread(dimension));
                thread
            }
            Id::Block(dimension) => {
                let count = launch.grid[dimension];
                let known = SymbolFacts::range(0, count.unwrap_or(MAX_BLOCKS[dimension]) - 1);
                let (block, is_new) = self.of_launch(id, Origin::Block(dimension), count.is_some(), known);
                if count.is_none() && is_new {
                    let size = self.id_in(Id::GridSize(dimension), launch);
                    self.leaves.below(self.terms, block, size);
                }
                block
            }
            Id::BlockSize(dimension) => match launch.block {
                Some(block) => self.terms.constant(block[dimension]),
                None => self.of_launch(id, Origin::BlockSize(dimension), false, SymbolFacts::range(1, MAX_BLOCK)).0,
            },
            Id::GridSize(dimension) => match launch.grid[dimension] {
                Some(count) => self.terms.constant(count),
                None => {
                    let known = SymbolFacts::range(1, MAX_BLOCKS[dimension]);
                    self.of_launch(id, Origin::GridSize(dimension), false, known).0
                }
            },
            Id::Global(dimension) => {
                let parts = [Id::Block(dimension), Id::BlockSize(dimension), Id::Thread(dimension)];
                let [block, size, thread] = parts.map(|part| self.id_in(part, launch));
                let first = self.terms.wide(Operation::Mul, block, size);
                self.terms.wide(Operation::Add, first, thread)
            }
            Id::Lane => self.of_linear_thread(Operation::RemUnsigned, SymbolSource::Lane, launch),
            Id::Warp => self.of_linear_thread(Operation::DivUnsigned, SymbolSource::Warp, launch),
            Id::WarpSize => self.terms.constant(self.interpreter.subgroup),
        }
    }

    fn of_launch(&mut self, id: Id, origin: Origin<'c, 'a>, each: bool, known: SymbolFacts) -> (Term, bool) {
        let symbol = if each { Symbol::Each } else { Symbol::Unknown };
        let (term, is_new) = self.interpreter.symbol(self.terms, (Name::Id(id), origin), (symbol, known), self.leaves);
        self.terms.set_source(term, SymbolSource::Mixed(Vec::new(), Level::Cta));
        (term, is_new)
    }

    /// Of `(x + y * nx) + z * nx * ny`.
    fn of_linear_thread(&mut self, operation: Operation, source: SymbolSource, launch: &Launch) -> Term {
        let mut sum = self.id_in(Id::Thread(0), launch);
        let mut size = self.id_in(Id::BlockSize(0), launch);
        for dimension in [1, 2] {
            let thread = self.id_in(Id::Thread(dimension), launch);
            let part = self.terms.wide(Operation::Mul, thread, size);
            sum = self.terms.wide(Operation::Add, sum, part);
            let next = self.id_in(Id::BlockSize(dimension), launch);
            size = self.terms.wide(Operation::Mul, size, next);
        }
        let warp = self.terms.constant(self.interpreter.subgroup);
        let term = self.terms.wide(operation, sum, warp);
        self.terms.set_source(term, source);
        term
    }
}
