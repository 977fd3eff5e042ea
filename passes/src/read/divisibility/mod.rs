//! The residues of index values, as far as their definitions determine them.
//!
//! ```mlir
//!   %o = arith.muli %i, %c8                  ≡ 0 (mod 8)
//!   %p = arith.addi %o, %c3                  ≡ 3 (mod 8)
//!   %q = tile.assume %n divisible_by 16      ≡ 0 (mod 16)
//! ```
//!
//! Index arithmetic is assumed not to wrap: no memory is that large. Arithmetic of narrower integers may wrap, unless it has
//! `nsw`; then only residues modulo powers of two are known of the result.

pub mod block;
pub mod strides;

use melior::ir::operation::{OperationLike, OperationResult};
use melior::ir::{BlockLike, OperationRef, Value, ValueLike};
use rustc_hash::FxHashMap;
use tile_dialect::ir::{Parts, as_argument};
use tile_dialect::ops::defining_op;
use tile_ops::{affine, arith, gpu, index, memref, scf, tile};
use tile_plan::integer::Residue;

use super::kernel::{self, Argument};
use super::values::key;
use super::{affine_map, arithmetic, joins, name};

/// The maximum number of definitions that are followed along one chain.
const DEPTH: u32 = 64;

/// The residue of `value`, as far as its definitions determine it.
pub fn of(value: Value<'_, '_>) -> Residue {
    Search::default().find(value, DEPTH)
}

/// Intermediate results, so that a value that is used twice is analysed once.
#[derive(Default)]
struct Search {
    known: FxHashMap<usize, Residue>,
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

    /// The residue that all values have in common that control flow may make `value`.
    fn joined(&mut self, value: Value<'_, '_>, depth: u32) -> Residue {
        // While a loop is followed, nothing is assumed of the value itself.
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
        if name == tile::AssumeOp::NAME {
            let promised = |divisor| operands.first().map_or(Residue::ANY, |known| known.promised(divisor));
            return promised(tile::AssumeOp::cast(op).and_then(|it| it.divisor()).unwrap_or(1));
        }
        computed(op, &operands, constants.filter(|constants| !constants.is_empty()))
    }

    /// The induction variable of a loop is its lower bound plus a multiple of its step; a size in a launch is the operand.
    fn of_argument(&mut self, value: Value<'_, '_>, depth: u32) -> Residue {
        if let Some(Argument::Size(size)) = kernel::argument(value) {
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
                let lower = affine_map::constant_lower_bound(op).map_or(Residue::ANY, Residue::exactly);
                let step =
                    affine::AffineForOp::cast(op).and_then(|it| it.step()).map_or(Residue::ANY, Residue::exactly);
                lower.plus(step.times(Residue::ANY))
            }
            _ => Residue::ANY,
        }
    }
}

/// The number of a value among its op's results.
fn result_number(value: Value<'_, '_>) -> usize {
    OperationResult::try_from(value).map_or(0, |result| result.result_number())
}

/// The residue of an op's result, by its operands.
fn computed(op: OperationRef<'_, '_>, operands: &[Residue], constants: Option<Vec<i64>>) -> Residue {
    let Some(computation) = arithmetic::computation(op) else { return Residue::ANY };
    match constants {
        Some(constants) => computation.at(&constants).map_or(Residue::ANY, Residue::exactly),
        None => computation.residue(operands, arithmetic::wraps(op, computation.result_bits)),
    }
}
