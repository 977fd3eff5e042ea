//! The part of an operand that takes part: a static layout and run-time terms.
//!
//! [`Operand::settled`] turns a region into a separate buffer:
//!
//! ```text
//!   (3, 64, 64) : (4096, 64, 1), region [%k, 0, 32] [1, 64, 32]
//!     settled: (1, 64, 32) : (4096, 64, 1) + 32, origin %k * 4096, of which all is the region
//! ```

use tile_layout::{Axis, Fusion, Iter, Layout, Range, Swizzle};

use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{Begin, DynamicTerm};
use crate::sides::side::Side;

/// The region of an operand as one side of a plan, its iters in the region's row-major order.
///
/// A dynamic begin becomes a term of the address where it provably moves only the slowest iter of its dimension:
///
/// ```text
///   dimension of (4, 16) : (1024, 8), begin v, extent 16, v ≡ 0 (mod 16)
///     16 divides every possible v:   address + floor(v / 16) * 1024
///   the same, v ≡ 0 (mod 8):         refused; v = 8 would begin inside the iter of 16
/// ```
///
/// # Errors
/// `region-not-sliceable`, or a cause about dynamic begins.
pub(crate) fn region_side(operand: &Operand, role: Role) -> Result<Side, Refusal> {
    let (layout, dynamic) = region_parts(operand, role)?;
    let strides = operand.strides.clone();
    Ok(Side { space: operand.space, layout, dynamic, strides, align_bytes: operand.align_bytes })
}

/// The same for a side that is accessed in vectors. A swizzle that moves nothing in the whole buffer is reduced to zero
/// bits: it then only says how many elements it keeps together. This does not apply to an operand with a run-time
/// origin (a part of a buffer, or a masked region), whose layout is not that of the whole buffer.
///
/// # Errors
/// As [`region_side`].
pub(crate) fn vector_side(operand: &Operand, role: Role) -> Result<Side, Refusal> {
    let mut side = region_side(operand, role)?;
    let whole = operand.origin.is_empty();
    let still = |swizzle: &Swizzle| whole && operand.layout.span(Axis::Memory) <= swizzle.identity_below();
    if let Some(swizzle) = side.layout.swizzle.as_mut().filter(|swizzle| still(swizzle)) {
        swizzle.len = 0;
    }
    Ok(side)
}

/// The layout of a region, and its run-time terms.
///
/// # Errors
/// As [`region_side`].
pub(crate) fn region_parts(operand: &Operand, role: Role) -> Result<(Layout, Vec<DynamicTerm>), Refusal> {
    let (layout, dynamic) = moved_region(operand, role)?;
    Ok((Layout { replica: Vec::new(), ..layout }, dynamic))
}

/// The same with the replica.
///
/// # Errors
/// As [`region_side`].
pub(crate) fn moved_region(operand: &Operand, role: Role) -> Result<(Layout, Vec<DynamicTerm>), Refusal> {
    let mut ranges = Vec::with_capacity(operand.shape.len());
    let mut dynamic = operand.origin.clone();
    for (dim, (&begin, &extent)) in operand.begin.iter().zip(&operand.extent).enumerate() {
        let (low, term) = match begin {
            Begin::Const(begin) => (begin, None),
            Begin::Dynamic { .. } if extent == operand.shape[dim] => (0, None),
            Begin::Dynamic { value, divisor, residue } => {
                let Split { inner, outer } = split_dimension(operand, role, dim)?;
                split_begin(operand, role, dim, (value, divisor, residue), inner, outer)?
            }
        };
        ranges.push(Range::new(low, extent));
        dynamic.extend(term);
    }
    Ok((slice(operand, role, &ranges)?, dynamic))
}

/// The canonical layout of a static region.
fn slice(operand: &Operand, role: Role, ranges: &[Range]) -> Result<Layout, Refusal> {
    let whole = ranges.iter().zip(&operand.shape).all(|(range, &limit)| *range == Range::new(0, limit));
    let layout = if whole {
        operand.layout.canonicalize(Fusion::None)
    } else {
        let sliced = operand.layout.slice(&operand.shape, ranges);
        let sliced = sliced.map_err(|error| Refusal::of(role, "region-not-sliceable", error.to_string()))?;
        sliced.canonicalize(Fusion::None)
    };
    // An identity swizzle stays: it still says how many elements are kept together.
    Ok(Layout { swizzle: operand.layout.swizzle, ..layout })
}

/// The iters of one dimension: the slowest iter, and the number of positions per step of it.
struct Split {
    inner: i64,
    outer: Iter,
}

fn split_dimension(operand: &Operand, role: Role, dim: usize) -> Result<Split, Refusal> {
    let grouped = operand.layout.canonicalize(Fusion::None).group(&operand.shape);
    let (grouped, seps) = grouped.map_err(|error| Refusal::of(role, "region-not-sliceable", error.to_string()))?;
    let block = seps.get(dim).zip(seps.get(dim + 1)).and_then(|(&begin, &end)| grouped.shard.get(begin..end));
    let block = Layout::new(block.unwrap_or_default()).canonicalize(Fusion::None).shard;
    let outer = block.first().copied().unwrap_or(Iter::memory(1, 0));
    let inner = block.iter().skip(1).map(|iter| iter.extent).product();
    Ok(Split { inner, outer })
}

/// The static begin inside the slowest iter, and the run-time term that moves along that iter.
fn split_begin(
    operand: &Operand,
    role: Role,
    dim: usize,
    (value, divisor, residue): (usize, i64, i64),
    inner: i64,
    outer: Iter,
) -> Result<(i64, Option<DynamicTerm>), Refusal> {
    if divisor % inner != 0 {
        let reason = format!(
            "dimension {dim} of the {role} begins at a run-time value ≡ {residue} (mod {divisor}) inside iters of \
             {inner} positions; needed a value known modulo a multiple of {inner}"
        );
        return Err(Refusal::of(role, "dynamic-begin-not-divisible", reason));
    }
    if outer.axis.is_thread() {
        let reason =
            format!("dimension {dim} of the {role} begins at a run-time value on axis '{}'; needed memory", outer.axis);
        return Err(Refusal::of(role, "dynamic-begin-on-thread-axis", reason));
    }
    let low = residue % inner;
    if low.checked_add(operand.extent[dim]).is_none_or(|end| end > operand.shape[dim]) {
        let reason = format!("dimension {dim} of the {role}'s region begins at {low} at least and leaves its buffer");
        return Err(Refusal::of(role, "region-out-of-bounds", reason));
    }
    let term = DynamicTerm {
        value,
        div: inner,
        stride: outer.stride,
        axis: outer.axis,
        divisor: divisor / inner,
        residue: (residue - low) / inner,
    };
    Ok((low, (outer.stride != 0).then_some(term)))
}

impl Operand {
    /// The operand whose buffer is the region: the static part of the region's start goes into the layout's offset, the
    /// run-time part into the origin. `which` is the side of the operand.
    ///
    /// # Errors
    /// As [`Operand::closed`]; `region-not-sliceable` for a region that no layout describes, `dynamic-begin-not-divisible` for
    /// one that starts inside an iter, `dynamic-begin-on-thread-axis`.
    pub fn settled(self, role: Role) -> Result<Operand, Refusal> {
        let operand = self.closed(role, &[])?;
        let (layout, origin) = moved_region(&operand, role)?;
        let begin = vec![Begin::Const(0); operand.extent.len()];
        Ok(Operand { layout, origin, begin, shape: operand.extent.clone(), ..operand })
    }
}

#[cfg(test)]
mod tests {
    use tile_layout::Axis;

    use super::*;
    use tile_isa::Space;

    #[test]
    fn a_stage_of_a_ring_is_a_tile() {
        let layout = "(3, 64, 64) : (4096, 64, 1), swizzle<base = 3, bits = 3, shift = 3>".parse().unwrap();
        let mut ring = Operand::whole(Space::Shared, layout, &[3, 64, 64], 16);
        ring.begin = vec![Begin::Dynamic { value: 0, divisor: 1, residue: 0 }, Begin::Const(0), Begin::Const(32)];
        ring.extent = vec![1, 64, 32];
        let stage = ring.settled(Role::Src).unwrap();
        assert_eq!(stage.layout.offset_on(Axis::Memory), 32);
        assert!(stage.layout.swizzle.is_some());
        assert_eq!((stage.shape, stage.origin.len(), stage.origin[0].stride), (vec![1, 64, 32], 1, 4096));
    }

    #[test]
    fn a_begin_inside_an_iter_is_refused() {
        let layout = "(4, 16) : (1024, 8)".parse().unwrap();
        let mut blocks = Operand::whole(Space::Shared, layout, &[64], 16);
        blocks.begin = vec![Begin::Dynamic { value: 0, divisor: 8, residue: 0 }];
        blocks.extent = vec![16];
        assert_eq!(blocks.settled(Role::Dst).unwrap_err().cause, "dynamic-begin-not-divisible");
    }
}
