//! The terms of values that are computed from others, or count.

use melior::ir::{Attribute, BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Parts, argument_of, defining_op};
use tile_layout::Level;
use tile_ops::{affine, arith, index, memref, scf, tile};
use tile_plan::bounds::SymbolFacts;
use tile_plan::integer::{Computation, Operation};
use tile_plan::terms::{Symbol, SymbolSource, Term};

use super::divisibility;
use super::id::Id;
use super::interpreter::{Follow, LeafFacts, Run};
use super::rows::{ExtentNumber, MemrefExtent};
use crate::read::kernel::{self, EntryArgument};
use crate::read::values::{key, operands};
use crate::read::{affine_map, arithmetic, effects, name};

impl<'c: 'a, 'a, L: LeafFacts<'c, 'a>> Run<'_, 'c, 'a, L> {
    /// The term of a value that is computed from others.
    pub fn computed(&mut self, value: Value<'c, 'a>) -> Option<Term> {
        match defining_op(value) {
            Some(op) => self.of_op(op, value),
            None => self.of_argument(value),
        }
    }

    fn of_op(&mut self, op: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Option<Term> {
        match name(op) {
            arith::ConstantOp::NAME | index::ConstantOp::NAME => {
                arithmetic::constant(op).map(|constant| self.terms.constant(constant))
            }
            affine::AffineApplyOp::NAME | affine::AffineMinOp::NAME => {
                let min = affine::AffineMinOp::cast(op).map(|min| min.map());
                let map = min.or_else(|| Some(affine::AffineApplyOp::cast(op)?.map()))??;
                self.mapped(map, operands(op), Operation::MinSigned)
            }
            affine::AffineMaxOp::NAME => {
                self.mapped(affine::AffineMaxOp::cast(op)?.map()?, operands(op), Operation::MaxSigned)
            }
            memref::DimOp::NAME => self.dimension(op),
            tile::AssumeOp::NAME => self.promised(tile::AssumeOp::cast(op)?, value),
            _ => match arithmetic::computation(op) {
                Some(computation) => {
                    let operands = self.operands(operands(op))?;
                    Some(self.terms.compute(computation, operands))
                }
                None => self.id(Id::of(op)?, value),
            },
        }
    }

    /// The extent that a `memref.dim` gives. Where only residues matter and no op states it, it is one of the values that may be
    /// anything.
    fn dimension(&mut self, op: OperationRef<'c, 'a>) -> Option<Term> {
        let (memref, dimension) = (op.operand_at(0)?, divisibility::infer(op.operand_at(1)?).constant()?);
        let dimension = usize::try_from(dimension).ok()?;
        if let ExtentNumber::Value(value) = MemrefExtent::of(memref, dimension).number {
            // Read before, so that chains of such sizes may have any length.
            self.operand(value)?;
            return Some(self.interpreter.extent(self.terms, (memref, dimension), self.leaves));
        }
        if self.interpreter.follow == Follow::Joined {
            return None;
        }
        let sources = if self.interpreter.follow == Follow::All { vec![self.operand(memref)?] } else { Vec::new() };
        let extent = self.interpreter.extent(self.terms, (memref, dimension), self.leaves);
        if self.interpreter.follow == Follow::All && self.terms.as_constant(extent).is_none() {
            self.terms.set_source(extent, SymbolSource::Mixed(sources, Level::Cta));
        }
        Some(extent)
    }

    fn promised(&mut self, promise: tile::AssumeOp<'c, 'a>, value: Value<'c, 'a>) -> Option<Term> {
        let all = self.interpreter.follow == Follow::All;
        if all && effects::is_private(value) {
            return None;
        }
        let operand = self.operand(promise.operation().operand_at(0)?)?;
        // What is promised of the rows of a memref is about its numbers.
        let divisor = promise.divisor().filter(|_| arithmetic::bits(value.r#type()).is_some());
        let promised = self.terms.promised(operand, divisor.unwrap_or(1));
        let level = promise.uniform().filter(|_| all).map(|scope| scope.level());
        let agreed = level.map_or(promised, |level| self.terms.agreed(promised, level));
        let distinct = promise.distinct().is_some() && self.interpreter.follow == Follow::Computed;
        Some(if distinct { self.terms.distinct(agreed, key(value)) } else { agreed })
    }

    /// The results of an affine map, combined by an operation.
    fn mapped(
        &mut self,
        map: Attribute<'c>,
        operands: impl IntoIterator<Item = Value<'c, 'a>>,
        by: Operation,
    ) -> Option<Term> {
        let operands = self.operands(operands)?;
        let results = affine_map::terms(map, &operands, self.terms)?;
        results.into_iter().reduce(|a, b| self.terms.compute(Computation::wide(by), vec![a, b]))
    }

    fn of_argument(&mut self, value: Value<'c, 'a>) -> Option<Term> {
        match kernel::argument(value) {
            Some(EntryArgument::Thread(dimension)) => return self.id(Id::Thread(dimension), value),
            Some(EntryArgument::Block(dimension)) => return self.id(Id::Block(dimension), value),
            Some(EntryArgument::Size(size)) => return self.operand(size),
            Some(EntryArgument::OfBlock | EntryArgument::Memory) => return None,
            None => {}
        }
        let (block, number) = argument_of(value)?;
        let op = block.parent_operation().filter(|_| number == 0)?;
        let unsigned = scf::ForOp::cast(op)?.unsigned_cmp();
        let bounds = self.operands(operands(op).into_iter().take(3))?.try_into().ok()?;
        let bits = arithmetic::bits(value.r#type()).unwrap_or(64);
        let symbol = Symbol::Loop { bounds, unsigned, bits };
        Some(self.symbol_of(value, symbol, SymbolFacts::range(i64::MIN, i64::MAX)))
    }

    /// The term that the condition of an `scf.while` forwards to its body as this value.
    pub fn forwarded(&mut self, value: Value<'c, 'a>) -> Option<Term> {
        let (block, number) = argument_of(value)?;
        let op = block.parent_operation().filter(|op| name(*op) == scf::WhileOp::NAME)?;
        let before = op.region_at(0).filter(|_| kernel::region_of(op, block) == Some(1))?;
        self.operand(before.first_block()?.terminator()?.operand_at(number + 1)?)
    }
}
