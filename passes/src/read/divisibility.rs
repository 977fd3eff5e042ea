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

use std::collections::HashMap;
use tile_dialect::ir::{Parts, as_argument};

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, Value, ValueLike};
use tile_dialect::ops::{defining_op, integer};

use super::arithmetic::{self, Computation};
use super::launch::{self, Argument};
use super::residue::Residue;
use super::{affine, kernel, name, sources};

/// How many definitions are looked at along one chain.
const DEPTH: u32 = 64;

/// What the definitions of `value` say.
pub fn of(value: Value<'_, '_>) -> Residue {
    Search::default().find(value, DEPTH)
}

/// Identity of a value, as long as its IR lives.
pub fn key(value: Value<'_, '_>) -> usize {
    value.to_raw().ptr as usize
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
            Some(op) => self.of_op(op, depth - 1),
            None => self.of_argument(value, depth - 1),
        };
        self.known.insert(key(value), found);
        found
    }

    fn operand(&mut self, op: OperationRef<'_, '_>, index: usize, depth: u32) -> Residue {
        op.operand_at(index).map_or(Residue::ANY, |value| self.find(value, depth))
    }

    fn of_op(&mut self, op: OperationRef<'_, '_>, depth: u32) -> Residue {
        let name = name(op);
        if matches!(name.as_str(), "arith.constant" | "index.constant") {
            return arithmetic::constant(op).map_or(Residue::ANY, Residue::exactly);
        }
        if name == "gpu.block_dim" {
            return block_extent(op).map_or(Residue::ANY, Residue::exactly);
        }
        if op.region_count() != 0 {
            return Residue::ANY;
        }
        let operands: Vec<Residue> = (0..op.operand_count()).map(|index| self.operand(op, index, depth)).collect();
        if name == "affine.apply" {
            return affine::residue(op, &|index| operands.get(index).copied().unwrap_or(Residue::ANY));
        }
        let constants: Option<Vec<i64>> = operands.iter().map(|operand| operand.constant()).collect();
        match constants.filter(|constants| !constants.is_empty() && name != "tile.assume") {
            Some(constants) => computed(op, &constants),
            None => of_arithmetic(op, &name, &operands),
        }
    }

    /// The induction variable of a loop is its lower bound plus a multiple of its step; a size in a launch is the operand.
    fn of_argument(&mut self, value: Value<'_, '_>, depth: u32) -> Residue {
        if let Some(Argument::Size(size)) = launch::argument(value) {
            return self.find(size, depth);
        }
        let Some(argument) = as_argument(value) else { return Residue::ANY };
        let Some(op) = argument.owner().parent_operation() else { return Residue::ANY };
        match (name(op).as_str(), argument.argument_number()) {
            ("scf.for", 0) => {
                let (lower, step) = (self.operand(op, 0, depth), self.operand(op, 2, depth));
                lower.plus(step.times(Residue::ANY))
            }
            ("affine.for", 0) => {
                let lower = affine::constant_bound(op, "lowerBoundMap").map_or(Residue::ANY, Residue::exactly);
                let step = integer(op, "step").map_or(Residue::ANY, Residue::exactly);
                lower.plus(step.times(Residue::ANY))
            }
            _ => Residue::ANY,
        }
    }
}

/// Threads of a block along the dimension of a `gpu.block_dim`, where the function promises them.
fn block_extent(op: OperationRef<'_, '_>) -> Option<i64> {
    let block = kernel::block_size(kernel::function(op)?).ok()??;
    Some(block[sources::dimension(op)?])
}

fn computed(op: OperationRef<'_, '_>, operands: &[i64]) -> Residue {
    Computation::of(op).and_then(|computation| computation.at(operands)).map_or(Residue::ANY, Residue::exactly)
}

/// What an op makes of operands that are not all constant.
fn of_arithmetic(op: OperationRef<'_, '_>, name: &str, operands: &[Residue]) -> Residue {
    let at = |index: usize| operands.get(index).copied().unwrap_or(Residue::ANY);
    let bits = |value: Option<Value<'_, '_>>| value.and_then(|value| arithmetic::bits(value.r#type())).unwrap_or(1);
    let (from, to) = (bits(op.operand_at(0)), bits(op.result_at(0).map(Into::into)));
    let wraps = to < 64 && !op.attribute("overflowFlags").is_ok_and(|flags| flags.to_string().contains("nsw"));
    let ring = |result: Residue| if wraps { result.wrapped(to) } else { result };
    // Read as an unsigned number, a negative one of a narrow type is larger by a power of two.
    let unsigned = |index: usize| if from < 64 { at(index).wrapped(from) } else { at(index) };
    match name {
        "arith.addi" | "index.add" => ring(at(0).plus(at(1))),
        "arith.subi" | "index.sub" => ring(at(0).minus(at(1))),
        "arith.muli" | "index.mul" => ring(at(0).times(at(1))),
        "arith.shli" | "index.shl" => match at(1).constant() {
            Some(bits @ 0..=61) => ring(at(0).times(Residue::exactly(1 << bits))),
            _ => Residue::ANY,
        },
        "arith.divsi" | "arith.floordivsi" | "arith.ceildivsi" | "index.divs" | "index.floordivs" => {
            at(0).exact_div(at(1))
        }
        "arith.divui" | "arith.ceildivui" | "index.divu" | "index.ceildivu" => unsigned(0).exact_div(at(1)),
        "arith.shrui" | "index.shru" | "arith.shrsi" | "index.shrs" => match at(1).constant() {
            Some(bits @ 0..=61) => unsigned(0).floor_div(1 << bits),
            _ => Residue::ANY,
        },
        "arith.remui" | "index.remu" => at(1).constant().map_or(Residue::ANY, |by| unsigned(0).remainder(by)),
        "arith.remsi" | "index.rems" => {
            at(1).constant().map_or(Residue::ANY, |by| at(0).plus(Residue::multiple_of(by)))
        }
        "arith.andi" | "index.and" => at(0).and(at(1)),
        "arith.ori" | "index.or" => at(0).bitwise(at(1), |a, b| a | b),
        "arith.xori" | "index.xor" => at(0).bitwise(at(1), |a, b| a ^ b),
        "arith.select" => at(1).either(at(2)),
        "arith.minsi" | "arith.minui" | "arith.maxsi" | "arith.maxui" | "index.mins" | "index.minu" | "index.maxs"
        | "index.maxu" => at(0).either(at(1)),
        "arith.index_cast" | "arith.extsi" | "index.casts" | "arith.trunci" if to < from => at(0).wrapped(to),
        "arith.index_cast" | "arith.extsi" | "index.casts" => at(0),
        "arith.index_castui" | "arith.extui" | "index.castu" if from.min(to) < 64 => at(0).wrapped(from.min(to)),
        "arith.index_castui" | "arith.extui" | "index.castu" => at(0),
        "tile.assume" => integer(op, "divisor").map_or(at(0), |divisor| at(0).promised(divisor)),
        _ => Residue::ANY,
    }
}
