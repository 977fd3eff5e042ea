//! What the definitions of an index value say about its remainders.
//!
//! ```mlir
//!   %o = arith.muli %i, %c8                  ≡ 0 (mod 8)
//!   %p = arith.addi %o, %c3                  ≡ 3 (mod 8)
//!   %q = tile.assume %n divisible_by 16      ≡ 0 (mod 16)
//! ```
//!
//! Index arithmetic is taken not to wrap: no memory is that large. Arithmetic of narrower integers may
//! wrap, unless it says `nsw`; then only remainders by powers of two are known of the result.

pub mod block;
pub mod strides;

use std::collections::HashMap;
use tile_dialect::ir::{Parts, as_argument};

use melior::ir::operation::{OperationLike, OperationResult};
use melior::ir::{BlockLike, OperationRef, Value, ValueLike};
use tile_dialect::ops::{defining_op, integer};
use tile_ops::arith::IntegerOverflowFlags;
use tile_ops::{Case, affine, arith, gpu, index, memref, scf, tile};

use super::arithmetic::{self, Computation};
use super::launch::{self, Argument};
use super::residue::Residue;
use super::values::key;
use super::{affine_map, joins, name};

/// How many definitions are looked at along one chain.
const DEPTH: u32 = 64;

/// What the definitions of `value` say.
pub fn of(value: Value<'_, '_>) -> Residue {
    Search::default().find(value, DEPTH)
}

/// Intermediate results, so that a value that is used twice is analysed once.
#[derive(Default)]
struct Search {
    known: HashMap<usize, Residue>,
}

impl Search {
    fn find(&mut self, value: Value<'_, '_>, depth: u32) -> Residue {
        if depth == 0 || arithmetic::bits(value.r#type()).is_none() {
            return Residue::ANY;
        }
        if let Some(&known) = self.known.get(&key(value)) {
            return known;
        }
        let found = match defining_op(value) {
            Some(op) => self.of_op(op, result_number(value), depth - 1),
            None => self.of_argument(value, depth - 1),
        };
        let found = if found == Residue::ANY { self.joined(value, depth - 1) } else { found };
        self.known.insert(key(value), found);
        found
    }

    /// What is known of all that control flow makes a value of.
    fn joined(&mut self, value: Value<'_, '_>, depth: u32) -> Residue {
        // What a loop makes of the value itself relies on nothing.
        self.known.insert(key(value), Residue::ANY);
        let leaves = joins::leaves(value).unwrap_or_default().into_iter();
        leaves.map(|leaf| self.find(leaf, depth)).reduce(Residue::either).unwrap_or(Residue::ANY)
    }

    fn operand(&mut self, op: OperationRef<'_, '_>, index: usize, depth: u32) -> Residue {
        op.operand_at(index).map_or(Residue::ANY, |value| self.find(value, depth))
    }

    fn of_op(&mut self, op: OperationRef<'_, '_>, result: usize, depth: u32) -> Residue {
        let name = name(op);
        if matches!(name, arith::ConstantOp::NAME | index::ConstantOp::NAME) {
            return arithmetic::constant(op).map_or(Residue::ANY, Residue::exactly);
        }
        if name == gpu::BlockDimOp::NAME {
            return block::extent(op).map_or(Residue::ANY, Residue::exactly);
        }
        if name == memref::ExtractStridedMetadataOp::NAME {
            return strides::metadata(op, result);
        }
        if op.region_count() != 0 {
            return Residue::ANY;
        }
        let operands: Vec<Residue> = (0..op.operand_count()).map(|index| self.operand(op, index, depth)).collect();
        if name == affine::AffineApplyOp::NAME {
            return affine_map::residue(op, &|index| operands.get(index).copied().unwrap_or(Residue::ANY));
        }
        let constants: Option<Vec<i64>> = operands.iter().map(|operand| operand.constant()).collect();
        match constants.filter(|constants| !constants.is_empty() && name != tile::AssumeOp::NAME) {
            Some(constants) => computed(op, &constants),
            None => of_arithmetic(op, name, &operands),
        }
    }

    /// The induction variable of a loop is its lower bound plus a multiple of its step; a size in a launch is the operand.
    fn of_argument(&mut self, value: Value<'_, '_>, depth: u32) -> Residue {
        if let Some(Argument::Size(size)) = launch::argument(value) {
            return self.find(size, depth);
        }
        let Some(argument) = as_argument(value) else { return Residue::ANY };
        let Some(op) = argument.owner().parent_operation() else { return Residue::ANY };
        match (name(op), argument.argument_number()) {
            (scf::ForOp::NAME, 0) => {
                let (lower, step) = (self.operand(op, 0, depth), self.operand(op, 2, depth));
                lower.plus(step.times(Residue::ANY))
            }
            (affine::AffineForOp::NAME, 0) => {
                let lower = affine_map::constant_bound(op, "lowerBoundMap").map_or(Residue::ANY, Residue::exactly);
                let step = integer(op, "step").map_or(Residue::ANY, Residue::exactly);
                lower.plus(step.times(Residue::ANY))
            }
            _ => Residue::ANY,
        }
    }
}

/// Which of its op's results a value is.
fn result_number(value: Value<'_, '_>) -> usize {
    OperationResult::try_from(value).map_or(0, |result| result.result_number())
}

fn computed(op: OperationRef<'_, '_>, operands: &[i64]) -> Residue {
    Computation::of(op).and_then(|computation| computation.at(operands)).map_or(Residue::ANY, Residue::exactly)
}

/// What an op makes of operands that are not all constant.
fn of_arithmetic(op: OperationRef<'_, '_>, name: &str, operands: &[Residue]) -> Residue {
    let at = |index: usize| operands.get(index).copied().unwrap_or(Residue::ANY);
    let bits = |value: Option<Value<'_, '_>>| value.and_then(|value| arithmetic::bits(value.r#type())).unwrap_or(1);
    let (from, to) = (bits(op.operand_at(0)), bits(op.result_at(0).map(Into::into)));
    let flags = || IntegerOverflowFlags::of(op.attribute("overflowFlags").ok()?);
    let wraps = to < 64 && !flags().is_some_and(|flags| flags.contains(IntegerOverflowFlags::NSW));
    let ring = |result: Residue| if wraps { result.wrapped(to) } else { result };
    // Read as an unsigned number, a negative one of a narrow type is larger by a power of two.
    let unsigned = |index: usize| if from < 64 { at(index).wrapped(from) } else { at(index) };
    match name {
        arith::AddIOp::NAME | index::AddOp::NAME => ring(at(0).plus(at(1))),
        arith::SubIOp::NAME | index::SubOp::NAME => ring(at(0).minus(at(1))),
        arith::MulIOp::NAME | index::MulOp::NAME => ring(at(0).times(at(1))),
        arith::ShLIOp::NAME | index::ShlOp::NAME => match at(1).constant() {
            Some(bits @ 0..=61) => ring(at(0).times(Residue::exactly(1 << bits))),
            _ => Residue::ANY,
        },
        arith::DivSIOp::NAME
        | arith::FloorDivSIOp::NAME
        | arith::CeilDivSIOp::NAME
        | index::DivSOp::NAME
        | index::FloorDivSOp::NAME => at(0).exact_div(at(1)),
        arith::DivUIOp::NAME | arith::CeilDivUIOp::NAME | index::DivUOp::NAME | index::CeilDivUOp::NAME => {
            unsigned(0).exact_div(at(1))
        }
        arith::ShRUIOp::NAME | index::ShrUOp::NAME | arith::ShRSIOp::NAME | index::ShrSOp::NAME => {
            match at(1).constant() {
                Some(bits @ 0..=61) => unsigned(0).floor_div(1 << bits),
                _ => Residue::ANY,
            }
        }
        arith::RemUIOp::NAME | index::RemUOp::NAME => {
            at(1).constant().map_or(Residue::ANY, |by| unsigned(0).remainder(by))
        }
        arith::RemSIOp::NAME | index::RemSOp::NAME => {
            at(1).constant().map_or(Residue::ANY, |by| at(0).plus(Residue::multiple_of(by)))
        }
        arith::AndIOp::NAME | index::AndOp::NAME => at(0).and(at(1)),
        arith::OrIOp::NAME | index::OrOp::NAME => at(0).bitwise(at(1), |a, b| a | b),
        arith::XOrIOp::NAME | index::XOrOp::NAME => at(0).bitwise(at(1), |a, b| a ^ b),
        arith::SelectOp::NAME => at(1).either(at(2)),
        arith::MinSIOp::NAME
        | arith::MinUIOp::NAME
        | arith::MaxSIOp::NAME
        | arith::MaxUIOp::NAME
        | index::MinSOp::NAME
        | index::MinUOp::NAME
        | index::MaxSOp::NAME
        | index::MaxUOp::NAME => at(0).either(at(1)),
        arith::IndexCastOp::NAME | arith::ExtSIOp::NAME | index::CastSOp::NAME | arith::TruncIOp::NAME if to < from => {
            at(0).wrapped(to)
        }
        arith::IndexCastOp::NAME | arith::ExtSIOp::NAME | index::CastSOp::NAME => at(0),
        arith::IndexCastUIOp::NAME | arith::ExtUIOp::NAME | index::CastUOp::NAME if from.min(to) < 64 => {
            at(0).wrapped(from.min(to))
        }
        arith::IndexCastUIOp::NAME | arith::ExtUIOp::NAME | index::CastUOp::NAME => at(0),
        tile::AssumeOp::NAME => integer(op, "divisor").map_or(at(0), |divisor| at(0).promised(divisor)),
        _ => Residue::ANY,
    }
}
