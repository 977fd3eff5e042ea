//! Values of the IR as terms: what is computed at run time from ids, loops and arguments.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Parts, argument_of, defining_op};
use tile_dialect::memref::extents;
use tile_isa::WARP;
use tile_ops::{Values, affine, gpu, interface, memref, nvvm, scf, tile};
use tile_plan::bounds::{Known, MOST_ELEMENTS, Question, Symbol, Term};
use tile_plan::integer::{Computation, Interval, Operation, Predicate};
use tile_plan::threads::MAX_BLOCK;

use super::kernel::{self, Argument};
use super::ranges::Ranges;
use super::run_time::RunTime;
use super::sources::{self, Source};
use super::values::{dimension, key};
use super::{affine_map, arithmetic, divisibility, name};

/// The maximum number of definitions that are followed along one chain.
pub(super) const DEPTH: u32 = 128;

/// The maximum number of blocks along x, y and z.
const MOST_BLOCKS: [i64; 3] = [(1 << 31) - 1, 65_535, 65_535];

/// The origin of a symbol.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'c, 'a> {
    /// The thread's position in its block: 0, 1, 2 for x, y, z.
    Thread(usize),
    /// The block's position in the grid.
    Block(usize),
    /// The number of threads of a block in one dimension.
    BlockSize(usize),
    /// The number of blocks of the grid in one dimension.
    GridSize(usize),
    /// A value.
    Value(Value<'c, 'a>),
    /// The extent of a memref in one dimension.
    Extent(Value<'c, 'a>, usize),
}

/// The identity of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    Thread(usize),
    Block(usize),
    BlockSize(usize),
    GridSize(usize),
    Value(usize),
    Extent(usize, usize),
    Pointer(usize),
    Element(usize),
}

/// Reads the surroundings of one op.
pub struct Reading<'r, 'c, 'a> {
    ranges: &'r Ranges<'r>,
    block: Option<[i64; 3]>,
    grid: [Option<i64>; 3],
    /// Terms, conditions and ranges of what has been read.
    pub question: Question,
    values: HashMap<usize, Term>,
    symbols: HashMap<Name, Term>,
    /// The origins of symbols.
    pub origins: HashMap<Term, Origin<'c, 'a>>,
}

impl<'r, 'c: 'a, 'a> Reading<'r, 'c, 'a> {
    /// Reads the surroundings of an op, and the conditions under which it is executed.
    pub fn of(op: OperationRef<'c, 'a>, ranges: &'r Ranges<'r>) -> Self {
        let function = kernel::function(op);
        let block = function.and_then(|function| divisibility::block::size(function).ok()?);
        let grid = function.map_or([None; 3], divisibility::block::grid);
        let (values, symbols, origins) = Default::default();
        let mut reading = Reading { ranges, block, grid, question: Question::default(), values, symbols, origins };
        reading.around(op);
        reading
    }

    /// A value as a term.
    pub fn term(&mut self, value: Value<'c, 'a>) -> Term {
        self.find(value, DEPTH)
    }

    /// A run-time number as a term.
    pub fn number(&mut self, number: &RunTime<'c, 'a>) -> Term {
        match *number {
            RunTime::Constant(number) => self.question.terms.constant(number),
            RunTime::Value(value) => self.term(value),
            RunTime::Start(ref start) => {
                let mut sum = self.question.terms.constant(start.constant);
                for &value in start.values.iter() {
                    let value = self.term(value);
                    sum = self.question.terms.wide(Operation::Add, value, sum);
                }
                sum
            }
            RunTime::Extent(memref, dimension) => self.extent(memref, dimension),
            RunTime::Stride(memref, dimension) => {
                let known = Known { residue: number.known(), ..Known::range(i64::MIN, i64::MAX) };
                // Strides count down from the top, so that their numbers differ from those of extents.
                self.symbol(Name::Extent(key(memref), usize::MAX - dimension), Origin::Value(memref), known, false)
            }
        }
    }

    /// The address that a memref or pointer holds, or that of the first element of a memref.
    pub fn address(&mut self, of: Value<'c, 'a>, first_element: bool) -> Term {
        let name = if first_element { Name::Element(key(of)) } else { Name::Pointer(key(of)) };
        self.symbol(name, Origin::Value(of), Known::range(0, i64::MAX), false)
    }

    /// States that a term is an extent of memory.
    pub fn is_extent(&mut self, term: Term) {
        if self.question.terms.as_constant(term).is_none() {
            self.question.bounded.push((term, Interval::new(0, MOST_ELEMENTS.into())));
        }
    }

    fn find(&mut self, value: Value<'c, 'a>, depth: u32) -> Term {
        if let Some(&known) = self.values.get(&key(value)) {
            return known;
        }
        let read = |reading: &mut Self| match defining_op(value) {
            Some(op) => reading.of_op(op, depth - 1),
            None => reading.of_argument(value, depth - 1),
        };
        let found = if depth == 0 { None } else { read(self) };
        let term = found.unwrap_or_else(|| self.unknown(value));
        self.values.insert(key(value), term);
        term
    }

    fn symbol(&mut self, name: Name, origin: Origin<'c, 'a>, known: Known, each: bool) -> Term {
        if let Some(&known) = self.symbols.get(&name) {
            return known;
        }
        let kind = if each { Symbol::Each } else { Symbol::Unknown };
        let term = self.question.terms.symbol(kind, self.symbols.len(), known);
        self.symbols.insert(name, term);
        self.origins.insert(term, origin);
        term
    }

    fn unknown(&mut self, value: Value<'c, 'a>) -> Term {
        let (least, most) = self.ranges.of(value);
        let of_type = arithmetic::bits(value.r#type()).map_or(Interval::ALL, Interval::of_bits);
        let range = Interval::new(least.into(), most.into()).and(of_type);
        let known = Known { range, residue: divisibility::of(value) };
        let term = self.symbol(Name::Value(key(value)), Origin::Value(value), known, false);
        let block = argument_of(value).and_then(|(block, _)| block.parent_operation());
        if !block.is_some_and(interface::is_function) {
            self.question.restricted.insert(term);
        }
        term
    }

    fn thread(&mut self, dimension: usize) -> Term {
        let count = self.block.map(|block| block[dimension]);
        let known = Known::range(0, count.unwrap_or(MAX_BLOCK) - 1);
        self.symbol(Name::Thread(dimension), Origin::Thread(dimension), known, count.is_some())
    }

    fn block(&mut self, dimension: usize) -> Term {
        let count = self.grid[dimension];
        let known = Known::range(0, count.unwrap_or(MOST_BLOCKS[dimension]) - 1);
        let block = self.symbol(Name::Block(dimension), Origin::Block(dimension), known, count.is_some());
        if count.is_none() {
            let size = self.grid_size(dimension);
            self.compare(Predicate::Slt, block, size);
        }
        block
    }

    fn block_size(&mut self, dimension: usize) -> Term {
        match self.block {
            Some(block) => self.question.terms.constant(block[dimension]),
            None => {
                let known = Known::range(1, MAX_BLOCK);
                self.symbol(Name::BlockSize(dimension), Origin::BlockSize(dimension), known, false)
            }
        }
    }

    fn grid_size(&mut self, dimension: usize) -> Term {
        match self.grid[dimension] {
            Some(count) => self.question.terms.constant(count),
            None => {
                let known = Known::range(1, MOST_BLOCKS[dimension]);
                self.symbol(Name::GridSize(dimension), Origin::GridSize(dimension), known, false)
            }
        }
    }

    /// `(x + y * nx) + z * nx * ny`
    fn linear_thread(&mut self) -> Term {
        let mut sum = self.thread(0);
        let mut size = self.block_size(0);
        for dimension in [1, 2] {
            let thread = self.thread(dimension);
            let part = self.question.terms.wide(Operation::Mul, thread, size);
            sum = self.question.terms.wide(Operation::Add, sum, part);
            let next = self.block_size(dimension);
            size = self.question.terms.wide(Operation::Mul, size, next);
        }
        sum
    }

    fn extent(&mut self, memref: Value<'c, 'a>, dimension: usize) -> Term {
        let known = MemRefType::try_from(memref.r#type()).map(extents).unwrap_or_default();
        match known.get(dimension).copied().filter(|&extent| extent >= 0) {
            Some(extent) => self.question.terms.constant(extent),
            None => {
                let known = Known::range(0, MOST_ELEMENTS);
                self.symbol(Name::Extent(key(memref), dimension), Origin::Extent(memref, dimension), known, false)
            }
        }
    }

    fn of_op(&mut self, op: OperationRef<'c, 'a>, depth: u32) -> Option<Term> {
        let dimension = dimension(op);
        match name(op) {
            gpu::BlockIdOp::NAME => return Some(self.block(dimension?)),
            nvvm::BlockIdXOp::NAME => return Some(self.block(0)),
            nvvm::BlockIdYOp::NAME => return Some(self.block(1)),
            nvvm::BlockIdZOp::NAME => return Some(self.block(2)),
            gpu::GridDimOp::NAME => return Some(self.grid_size(dimension?)),
            nvvm::GridDimXOp::NAME => return Some(self.grid_size(0)),
            nvvm::GridDimYOp::NAME => return Some(self.grid_size(1)),
            nvvm::GridDimZOp::NAME => return Some(self.grid_size(2)),
            gpu::GlobalIdOp::NAME => {
                let (block, size, thread) =
                    (self.block(dimension?), self.block_size(dimension?), self.thread(dimension?));
                let first = self.question.terms.wide(Operation::Mul, block, size);
                return Some(self.question.terms.wide(Operation::Add, first, thread));
            }
            memref::DimOp::NAME => {
                let dimension = divisibility::of(op.operand_at(1)?).constant()?;
                return Some(self.extent(op.operand_at(0)?, usize::try_from(dimension).ok()?));
            }
            affine::AffineApplyOp::NAME => {
                return self.of_map(op, affine::AffineApplyOp::cast(op)?.map()?, depth)?.first().copied();
            }
            affine::AffineMinOp::NAME => {
                return self.joined(op, affine::AffineMinOp::cast(op)?.map()?, Operation::MinSigned, depth);
            }
            affine::AffineMaxOp::NAME => {
                return self.joined(op, affine::AffineMaxOp::cast(op)?.map()?, Operation::MaxSigned, depth);
            }
            tile::AssumeOp::NAME => {
                let of = self.find(op.operand_at(0)?, depth);
                return Some(self.question.terms.promised(of, tile::AssumeOp::cast(op)?.divisor().unwrap_or(1)));
            }
            _ => {}
        }
        match sources::of(op) {
            Source::Constant(value) => Some(self.question.terms.constant(value)),
            Source::Thread(dimension) => Some(self.thread(dimension)),
            Source::BlockSize(dimension) => Some(self.block_size(dimension)),
            Source::Lane => Some(self.of_linear_thread(Operation::RemUnsigned)),
            Source::Warp => Some(self.of_linear_thread(Operation::DivUnsigned)),
            _ => self.computed(op, depth),
        }
    }

    fn of_linear_thread(&mut self, operation: Operation) -> Term {
        let (thread, warp) = (self.linear_thread(), self.question.terms.constant(WARP));
        self.question.terms.wide(operation, thread, warp)
    }

    fn computed(&mut self, op: OperationRef<'c, 'a>, depth: u32) -> Option<Term> {
        let computation = arithmetic::computation(op)?;
        let operands: Vec<Term> = op.operands().map(|operand| self.find(operand, depth)).collect();
        Some(self.question.terms.compute(computation, operands))
    }

    /// The results of an affine map.
    fn of_map(&mut self, op: OperationRef<'c, 'a>, map: Attribute<'c>, depth: u32) -> Option<Vec<Term>> {
        let operands: Vec<Term> = op.operands().map(|operand| self.find(operand, depth)).collect();
        affine_map::terms(map, &operands, &mut self.question.terms)
    }

    fn joined(&mut self, op: OperationRef<'c, 'a>, map: Attribute<'c>, by: Operation, depth: u32) -> Option<Term> {
        let results = self.of_map(op, map, depth)?;
        results.into_iter().reduce(|a, b| self.question.terms.compute(Computation::wide(by), vec![a, b]))
    }

    fn of_argument(&mut self, value: Value<'c, 'a>, depth: u32) -> Option<Term> {
        match kernel::argument(value) {
            Some(Argument::Thread(dimension)) => return Some(self.thread(dimension)),
            Some(Argument::Block(dimension)) => return Some(self.block(dimension)),
            Some(Argument::Size(size)) => return Some(self.find(size, depth)),
            Some(Argument::OfBlock | Argument::Memory) => return None,
            None => {}
        }
        let (block, number) = argument_of(value)?;
        let op = block.parent_operation()?;
        match (name(op), number) {
            (scf::ForOp::NAME, 0) => {
                let bounds: Vec<Term> = op.operands().take(3).map(|bound| self.find(bound, depth)).collect();
                Some(self.counted(value, bounds.try_into().ok()?, is_unsigned(op)))
            }
            (affine::AffineForOp::NAME, 0) => {
                let [lower, upper] = self.affine_bounds(op, depth)?;
                let lower = lower.into_iter().reduce(|a, b| self.question.terms.wide(Operation::MaxSigned, a, b))?;
                let upper = upper.into_iter().reduce(|a, b| self.question.terms.wide(Operation::MinSigned, a, b))?;
                let step = self.question.terms.constant(affine::AffineForOp::cast(op)?.step()?);
                Some(self.counted(value, [lower, upper, step], false))
            }
            // A value that a loop's condition forwards.
            (scf::WhileOp::NAME, number) if kernel::region_of(op, block) == Some(1) => {
                let condition = op.region_at(0)?.first_block()?.terminator()?;
                Some(self.find(condition.operand_at(number + 1)?, depth))
            }
            _ => None,
        }
    }

    /// The lower and the upper bounds of an `affine.for`, of which the largest and the smallest count.
    pub(super) fn affine_bounds(&mut self, op: OperationRef<'c, 'a>, depth: u32) -> Option<[Vec<Term>; 2]> {
        let of = affine::AffineForOp::cast(op)?;
        let lower = self.affine_bound(of.lower_bound_operands(), of.lower_bound_map()?, depth)?;
        Some([lower, self.affine_bound(of.upper_bound_operands(), of.upper_bound_map()?, depth)?])
    }

    fn affine_bound(&mut self, operands: Values<'c, 'a>, map: Attribute<'c>, depth: u32) -> Option<Vec<Term>> {
        let operands: Vec<Term> = operands.map(|operand| self.find(operand, depth)).collect();
        affine_map::terms(map, &operands, &mut self.question.terms)
    }

    fn counted(&mut self, value: Value<'c, 'a>, [lower, upper, step]: [Term; 3], unsigned: bool) -> Term {
        let known = Known::range(i64::MIN, i64::MAX);
        let bits = arithmetic::bits(value.r#type()).unwrap_or(64);
        let symbol = Symbol::Loop { lower, upper, step, unsigned, bits };
        let term = self.question.terms.symbol(symbol, self.symbols.len(), known);
        self.symbols.insert(Name::Value(key(value)), term);
        self.origins.insert(term, Origin::Value(value));
        term
    }
}

/// Whether a loop compares its variable as unsigned.
pub(super) fn is_unsigned(op: OperationRef<'_, '_>) -> bool {
    scf::ForOp::cast(op).is_some_and(|of| of.unsigned_cmp())
}
