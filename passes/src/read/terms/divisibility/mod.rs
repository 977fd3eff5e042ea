//! The residues of index values, as far as their definitions determine them.
//!
//! ```mlir
//!   %o = arith.muli %i, %c8                  ≡ 0 (mod 8)
//!   %p = arith.addi %o, %c3                  ≡ 3 (mod 8)
//!   %q = tile.assume %n divisible_by 16      ≡ 0 (mod 16)
//! ```
//!
//! Index arithmetic is assumed not to wrap, unless a loop repeats it: no memory is that large. Arithmetic of narrower integers may
//! wrap, unless it has `nsw`; then only residues modulo powers of two are known of the result.

pub mod block;
mod known;
pub mod strides;

use melior::ir::operation::OperationResult;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::ops::defining_op;
use tile_ops::memref;
use tile_plan::integer::Residue;
use tile_plan::terms::{Linear, SymbolFacts, Term, Terms, linear, residue};

use super::interpreter::{Follow, Interpreter, LeafFacts};
use crate::read::{arithmetic, name};

pub use known::remembering;

/// The residue of `value`, as far as its definitions determine it.
pub fn infer(value: Value<'_, '_>) -> Residue {
    if arithmetic::bits(value.r#type()).is_none() {
        return Residue::ANY;
    }
    match defining_op(value).and_then(arithmetic::constant) {
        Some(constant) => Residue::exactly(constant),
        None => known::find(value, || DivisibilitySearch::default().residue(value)),
    }
}

/// The terms of some values, so that values which they share are interpreted once.
pub struct DivisibilitySearch {
    terms: Terms,
    interpreter: Interpreter,
}

impl Default for DivisibilitySearch {
    fn default() -> Self {
        DivisibilitySearch { terms: Terms::default(), interpreter: Interpreter::new(Follow::Joined) }
    }
}

impl DivisibilitySearch {
    fn residue(&mut self, value: Value<'_, '_>) -> Residue {
        let term = self.term(value);
        residue::infer(&self.terms, term)
    }

    fn term(&mut self, value: Value<'_, '_>) -> Term {
        self.interpreter.term(&mut self.terms, value, &mut Strides)
    }

    /// A value as a sum of others, whose terms are the same in each sum.
    pub fn sum(&mut self, value: Value<'_, '_>) -> Option<Linear> {
        let term = self.term(value);
        let sum = linear::linearize(&self.terms, term);
        let mut known = sum.clone();
        for (&part, &factor) in &sum.factors {
            if let Some(constant) = residue::infer(&self.terms, part).constant() {
                let difference = Linear::constant(constant.into()).plus(&Linear::term(part), -1)?;
                known = known.plus(&difference, factor)?;
            }
        }
        Some(known)
    }
}

/// Of the values that are not computed from others, the strides and extents of memrefs may be known.
struct Strides;

impl<'c, 'a> LeafFacts<'c, 'a> for Strides {
    fn unknown(&mut self, value: Value<'c, 'a>) -> SymbolFacts {
        let residue = defining_op(value).map_or(Residue::ANY, |op| match name(op) {
            memref::ExtractStridedMetadataOp::NAME => {
                let number = OperationResult::try_from(value).map_or(0, |result| result.result_number());
                strides::metadata(op, number)
            }
            memref::DimOp::NAME => of_dimension(op).unwrap_or(Residue::ANY),
            _ => Residue::ANY,
        });
        SymbolFacts { residue, ..SymbolFacts::ANY }
    }
}

/// The residue of the extent that a `memref.dim` gives.
fn of_dimension(op: OperationRef<'_, '_>) -> Option<Residue> {
    let dimension = defining_op(op.operand_at(1)?).and_then(arithmetic::constant)?;
    Some(strides::extent(op.operand_at(0)?, usize::try_from(dimension).ok()?))
}
