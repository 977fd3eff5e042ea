//! The tensor in global memory as dimensions of a map: where a region is in each of them.
//!
//! A dimension of the tensor whose layout has several iters becomes several dimensions, the innermost of which the
//! region takes whole:
//!
//! ```text
//!   (64, 64) : (64, 1), rows 32 .. 48                       64 rows from 32 on: 16      64 columns: all
//!   (4, 16) : (2048, 64), positions 24 .. 32                4 blocks: block 1           16 rows from 8 on: 8
//!   (?, 64) : (1@s0, 1), rows %i .. %i + 16                 all rows from %i on: 16     64 columns: all
//! ```

use tile_layout::{Axis, Iter, OPEN, gcd};

use super::plan::{Coordinate, Moving};
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;

/// One dimension of the tensor as the engine may see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dim {
    /// Its elements; `None` where only the host knows, …
    pub size: Option<i64>,
    /// … which are a multiple of this, then.
    pub multiple: i64,
    /// From one of them to the next, on `axis`.
    pub stride: i64,
    pub axis: Axis,
    /// Where the region starts.
    pub at: Coordinate,
    /// Elements of the region.
    pub extent: i64,
    /// Whether the region is inside for sure.
    pub inside: bool,
    /// The dimension of the tensor as declared.
    pub declared: usize,
}

/// The dimensions of a tensor that a region is in, in the region's row-major order.
///
/// # Errors
/// `region-straddles-iters` for one that starts and ends in different blocks of the layout, `dynamic-begin-not-divisible`,
/// `region-out-of-bounds` for one that must be inside.
pub(super) fn dimensions(operand: &Operand, role: Role, clips: bool) -> Result<Vec<Dim>, Refusal> {
    let blocks = operand.layout.dimensions(&operand.shape);
    let blocks = blocks.map_err(|error| Refusal::of(role, "region-not-sliceable", error.to_string()))?;
    let mut dims = Vec::with_capacity(blocks.len() + 1);
    for (at, block) in blocks.iter().enumerate() {
        let multiple = operand.extent_divisors.get(at).copied().unwrap_or(1);
        let region =
            TensorRegion { role, dim: at, multiple, begin: operand.begin[at], extent: operand.extent[at], clips };
        region.dims(block, operand.shape[at], &mut dims)?;
    }
    Ok(dims)
}

/// A region in one dimension of a tensor.
struct TensorRegion {
    role: Role,
    dim: usize,
    /// What its elements are a multiple of, where only the host knows them.
    multiple: i64,
    begin: Begin,
    extent: i64,
    clips: bool,
}

/// What is known of a start: the number, or its remainder.
#[derive(Clone, Copy)]
struct KnownStart {
    moving: Option<(usize, i64)>,
    number: i64,
}

impl TensorRegion {
    fn dims(&self, block: &[Iter], size: i64, dims: &mut Vec<Dim>) -> Result<(), Refusal> {
        let start = self.start(size)?;
        let first = dims.len();
        let outermost = block.first().copied().unwrap_or(Iter::memory(size, 0));
        let (mut left, mut inner, mut whole) = (self.extent, 1, true);
        for iter in block.iter().skip(1).rev() {
            let digit = self.digit(start, inner, iter.extent)?;
            let count = if whole && digit == 0 && left % iter.extent == 0 { iter.extent } else { left };
            if digit + count > iter.extent {
                return Err(self.straddles(*iter));
            }
            // Inside of an iter, the region has one position of each slower one.
            whole = whole && count == iter.extent;
            left /= count;
            inner *= iter.extent;
            let at = Coordinate::fixed(digit);
            dims.push(Dim {
                size: Some(iter.extent),
                multiple: 1,
                stride: iter.stride,
                axis: iter.axis,
                at,
                extent: count,
                inside: true,
                declared: self.dim,
            });
        }
        dims.push(self.outermost(outermost, start, inner, left)?);
        dims[first..].reverse();
        Ok(())
    }

    fn start(&self, size: i64) -> Result<KnownStart, Refusal> {
        match self.begin {
            Begin::Const(number) => {
                let end = number.checked_add(self.extent).filter(|&end| size == OPEN || end <= size);
                if !self.clips && (number < 0 || end.is_none()) {
                    let (dimension, extent, size) =
                        (self.dim, self.extent, if size == OPEN { "?".to_owned() } else { size.to_string() });
                    let reason = format!(
                        "dimension {dimension} of the region has {extent} elements from {number} on; needed a part of \
                         [0, {size})"
                    );
                    return Err(Refusal::of(self.role, "region-out-of-bounds", reason));
                }
                Ok(KnownStart { moving: None, number })
            }
            // All of a dimension starts at 0.
            Begin::Dynamic { .. } if self.extent == size && !self.clips => Ok(KnownStart { moving: None, number: 0 }),
            Begin::Dynamic { value, divisor, residue } => {
                Ok(KnownStart { moving: Some((value, divisor)), number: residue })
            }
        }
    }

    /// The position of the start in an iter of `extent` with `inner` elements inside.
    fn digit(&self, start: KnownStart, inner: i64, extent: i64) -> Result<i64, Refusal> {
        if let Some((_, divisor)) = start.moving
            && divisor % (inner * extent) != 0
        {
            let (dimension, residue, needed) = (self.dim, start.number, inner * extent);
            let reason = format!(
                "dimension {dimension} of the region begins at a run-time value ≡ {residue} (mod {divisor}) inside \
                 blocks of {needed} elements; needed a value known modulo {needed}"
            );
            return Err(Refusal::of(self.role, "dynamic-begin-not-divisible", reason));
        }
        Ok(start.number.div_euclid(inner).rem_euclid(extent))
    }

    fn outermost(&self, iter: Iter, start: KnownStart, inner: i64, extent: i64) -> Result<Dim, Refusal> {
        let size = (iter.extent != OPEN).then_some(iter.extent);
        let number = start.number.div_euclid(inner);
        let (at, fits) = match start.moving {
            None => (Coordinate::fixed(number), number >= 0 && size.is_some_and(|size| number + extent <= size)),
            Some((value, divisor)) => {
                let (divisor, residue) = (divisor / inner, number.rem_euclid((divisor / inner).max(1)));
                let moving = Moving { value, div: inner, scale: 1, divisor, residue };
                (Coordinate { constant: 0, moving: Some(moving) }, false)
            }
        };
        let (stride, axis, inside) = (iter.stride, iter.axis, fits || !self.clips);
        Ok(Dim { size, multiple: self.multiple, stride, axis, at, extent, inside, declared: self.dim })
    }

    fn straddles(&self, iter: Iter) -> Refusal {
        let (dimension, extent) = (self.dim, self.extent);
        let reason = format!(
            "dimension {dimension} of the region has {extent} elements on both sides of a boundary of the layout's \
             iter {iter}; needed a region inside it, or of whole ones"
        );
        Refusal::of(self.role, "region-straddles-iters", reason)
    }
}

impl Coordinate {
    /// A coordinate that is known.
    pub(super) fn fixed(constant: i64) -> Self {
        Coordinate { constant, moving: None }
    }

    /// What divides it for sure; 0 of one that is 0.
    pub(super) fn multiple(&self) -> i64 {
        let moving = self.moving.map_or(0, |moving| gcd(moving.scale * moving.divisor, moving.scale * moving.residue));
        gcd(self.constant.saturating_abs(), moving)
    }

    /// The coordinate in units of `units` elements, which divide it.
    pub(super) fn over(&self, units: i64) -> Self {
        let moving = self.moving.map(|moving| {
            if moving.scale % units == 0 {
                return Moving { scale: moving.scale / units, ..moving };
            }
            // The units that the scale lacks divide the quotient.
            let common = gcd(moving.scale, units);
            let rest = units / common;
            let (divisor, residue) = (moving.divisor / rest, moving.residue / rest);
            Moving { scale: moving.scale / common, div: moving.div * rest, divisor: divisor.max(1), residue, ..moving }
        });
        Coordinate { constant: self.constant / units, moving }
    }

    /// So many times the coordinate.
    pub(super) fn times(&self, factor: i64) -> Self {
        let moving = self.moving.map(|moving| Moving { scale: moving.scale * factor, ..moving });
        Coordinate { constant: self.constant * factor, moving }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_isa::Space;
    use tile_layout::Range;

    /// Size, start and extent of a dimension.
    type Seen = (Option<i64>, i64, i64);

    fn seen(layout: &str, shape: &[i64], region: &[(i64, i64)]) -> Result<Vec<Seen>, &'static str> {
        let ranges: Vec<Range> = region.iter().map(|&(begin, extent)| Range::new(begin, extent)).collect();
        let operand = Operand::whole(Space::Global, layout.parse().unwrap(), shape, 256).region(&ranges);
        let dims = dimensions(&operand, Role::Src, false).map_err(|refusal| refusal.cause)?;
        Ok(dims.iter().map(|dim| (dim.size, dim.at.constant, dim.extent)).collect())
    }

    #[test]
    fn blocks_are_dimensions() {
        let rows = |region| seen("(4, 16) : (2048, 64)", &[64], &[region]);
        assert_eq!(rows((24, 8)), Ok(vec![(Some(4), 1, 1), (Some(16), 8, 8)]));
        assert_eq!(rows((16, 32)), Ok(vec![(Some(4), 1, 2), (Some(16), 0, 16)]));
        assert_eq!(rows((8, 16)), Err("region-straddles-iters"));
        assert_eq!(rows((60, 8)), Err("region-out-of-bounds"));
    }

    #[test]
    fn a_quotient_takes_what_the_scale_lacks() {
        let moving = Moving { value: 0, div: 1, scale: 6, divisor: 4, residue: 0 };
        let halved = Coordinate { constant: 12, moving: Some(moving) }.over(12);
        let expected = Moving { value: 0, div: 2, scale: 1, divisor: 2, residue: 0 };
        assert_eq!(halved, Coordinate { constant: 1, moving: Some(expected) });
    }
}
