//! The building blocks of all address formulas. Each family has one formula, evaluated on numbers to check a plan, and
//! on IR values to emit it.
//!
//! All addresses are in elements from the storage's first one, except those of tensor memory and of descriptors, which
//! are in the units that the instructions take. Every formula is generic over an [`IndexArith`]. `values` are the
//! run-time values of the operand.

use tile_layout::{AddressStep, IndexArith, Iter, Layout, fused};

use crate::problem::refusal::Refusal;
use crate::problem::run_time::{DynamicTerm, RunTimeStride, missing};
use crate::sides::side::Side;

/// Adds the coordinates of `value` over the iters that move the address, with their strides. Adjacent iters that can be
/// fused have one coordinate.
pub(crate) fn digits<A: IndexArith>(
    a: &mut A,
    iters: &[Iter],
    value: A::Value,
    terms: &mut Vec<AddressStep<A::Value>>,
) {
    let fused = fused(iters);
    let mut inside = 1i64;
    for (index, iter) in fused.iter().enumerate().rev() {
        if iter.axis.is_address() && iter.extent != 1 && iter.stride != 0 {
            let mut digit = value.clone();
            if inside != 1 {
                let inside = a.constant(inside);
                digit = a.div(digit, inside);
            }
            if index != 0 {
                let extent = a.constant(iter.extent);
                digit = a.rem(digit, extent);
            }
            terms.push(AddressStep::new(iter.stride, iter.axis, digit));
        }
        inside = inside.saturating_mul(iter.extent);
    }
}

/// Adds the run-time terms, then the offset, then swizzles.
pub(crate) fn finish<A: IndexArith>(
    a: &mut A,
    side: &Side,
    mut terms: Vec<AddressStep<A::Value>>,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    dynamic(a, &side.dynamic, values, &mut terms)?;
    address_in(a, &side.layout, terms, &side.strides, values)
}

/// The address of some terms in a layout, with the run-time strides among `values`.
pub(crate) fn address_in<A: IndexArith>(
    a: &mut A,
    layout: &Layout,
    terms: Vec<AddressStep<A::Value>>,
    strides: &[RunTimeStride],
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let value = |stride: &RunTimeStride| values.get(stride.value).cloned();
    let strides: Option<Vec<A::Value>> = strides.iter().map(value).collect();
    let strides = strides.ok_or_else(|| Refusal::new("missing-value", "a run-time stride is not given"))?;
    layout
        .address_of(a, terms, &strides)
        .map_err(|axis| Refusal::new("missing-value", format!("the run-time stride of axis '{axis}' is not given")))
}

/// Adds the run-time terms.
pub(crate) fn dynamic<A: IndexArith>(
    a: &mut A,
    dynamic: &[DynamicTerm],
    values: &[A::Value],
    terms: &mut Vec<AddressStep<A::Value>>,
) -> Result<(), Refusal> {
    for &DynamicTerm { value, div, stride, axis, divisor, residue } in dynamic {
        let mut moved = values.get(value).cloned().ok_or_else(|| missing("run-time value", value))?;
        if div != 1 {
            // A masked region may start before the buffer.
            moved = a.floor_div(moved, div);
        }
        let divisor = Some(if residue == 0 { divisor.max(1) } else { 1 });
        terms.push(AddressStep { stride, axis, digit: moved, divisor });
    }
    Ok(())
}
