//! Ranges of integers, from MLIR's analysis.

use std::ffi::c_void;
use std::marker::PhantomData;
use tile_dialect::ir::Parts;

use melior::ir::{Value, ValueLike};
use tile_dialect::ops::defining_op;
use tile_ops::tile;

use super::name;
use crate::shim;

/// The results of the analysis for the values below the op that a pass runs on.
pub struct Ranges<'s> {
    solver: *const c_void,
    /// C++ owns the solver, which lives for the length of a call.
    lives: PhantomData<&'s c_void>,
}

impl Ranges<'_> {
    /// No results: nothing is known.
    pub fn none() -> Self {
        Ranges { solver: std::ptr::null(), lives: PhantomData }
    }

    /// The results of a solver; for a null pointer, nothing is known.
    ///
    /// # Safety
    /// `solver` is null or an `mlir::DataFlowSolver` that outlives the ranges.
    pub(crate) unsafe fn new(solver: *const c_void) -> Self {
        Ranges { solver, lives: PhantomData }
    }

    /// Least and largest value; for a promise about a value, also by that value's range.
    pub fn of(&self, value: Value<'_, '_>) -> (i64, i64) {
        if self.solver.is_null() {
            return (i64::MIN, i64::MAX);
        }
        // SAFETY: the solver is alive as `new` was promised; the value is alive.
        let inferred = unsafe { shim::value_range(self.solver, value.to_raw()) };
        let promised = defining_op(value).filter(|op| name(*op) == tile::AssumeOp::NAME);
        match (inferred, promised.and_then(|op| Some(self.of(op.operand_at(0)?)))) {
            (Some((least, most)), Some((low, high))) => (least.max(low), most.min(high)),
            (inferred, promised) => inferred.or(promised).unwrap_or((i64::MIN, i64::MAX)),
        }
    }
}
