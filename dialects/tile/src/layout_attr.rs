//! Conversion between `#tile.layout` and [`Layout`].

use melior::ir::{Attribute, AttributeLike, Location};
use tile_layout::{Axis, Iter, Layout, Swizzle};

use crate::error::{VerifyError, mismatch};
use crate::shim::{self, LayoutRef};

/// A `#tile.layout` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutAttr<'c>(Attribute<'c>);

impl<'c> LayoutAttr<'c> {
    /// The attribute as a layout, if it is one.
    pub fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        // SAFETY: the attribute is not null and its context is alive.
        unsafe { shim::tileAttributeIsALayout(attribute.to_raw()) }.then_some(LayoutAttr(attribute))
    }

    /// The attribute of a layout; `None`, after an error at `location`, when the layout is malformed.
    pub fn new(location: Location<'c>, layout: &Layout) -> Option<Self> {
        let parts = LayoutParts::of(layout);
        // SAFETY: `parts` outlives the call; the result is null or an attribute of the location's context.
        let raw = unsafe { shim::tileLayoutAttrGet(location.to_raw(), parts.as_ref()) };
        // SAFETY: as above.
        unsafe { Attribute::from_option_raw(raw) }.map(LayoutAttr)
    }

    /// The layout.
    pub fn layout(self) -> Layout {
        // SAFETY: the attribute is a layout, and its parts live as long as the context.
        unsafe { read(shim::tileLayoutAttrGetParts(self.0.to_raw())) }
            .expect("the attribute's verifier accepts known axes and sound swizzles only")
    }

    /// As a plain attribute.
    pub fn as_attribute(self) -> Attribute<'c> {
        self.0
    }
}

/// A layout as lists of integers.
pub(crate) struct LayoutParts {
    shard: Vec<i64>,
    replica: Vec<i64>,
    offset: Vec<i64>,
    swizzle: Vec<i64>,
}

impl LayoutParts {
    /// The lists of a layout; offsets of 0 are left out.
    pub(crate) fn of(layout: &Layout) -> Self {
        let nonzero = layout.offset.iter().filter(|&(_, &value)| value != 0);
        let swizzle =
            |s: Swizzle| vec![i64::from(s.per_element), i64::from(s.len), i64::from(s.atom_len), i64::from(s.inner)];
        LayoutParts {
            shard: flat(&layout.shard),
            replica: flat(&layout.replica),
            offset: nonzero.flat_map(|(axis, &value)| [axis.code(), value]).collect(),
            swizzle: layout.swizzle.map(swizzle).unwrap_or_default(),
        }
    }

    /// The lists in the form that C++ takes; valid as long as `self`.
    pub(crate) fn as_ref(&self) -> LayoutRef {
        LayoutRef {
            shard: self.shard.as_ptr(),
            shard_size: self.shard.len() as isize,
            replica: self.replica.as_ptr(),
            replica_size: self.replica.len() as isize,
            offset: self.offset.as_ptr(),
            offset_size: self.offset.len() as isize,
            swizzle: self.swizzle.as_ptr(),
            swizzle_size: self.swizzle.len() as isize,
        }
    }
}

/// Extent, stride and axis code of each iter, one after the other.
pub(crate) fn flat(iters: &[Iter]) -> Vec<i64> {
    iters.iter().flat_map(|iter| [iter.extent, iter.stride, iter.axis.code()]).collect()
}

/// The layout that C++ describes, or the reason why it is malformed.
///
/// # Safety
/// The pointers are valid for their sizes.
pub(crate) unsafe fn read(parts: LayoutRef) -> Result<Layout, VerifyError> {
    // SAFETY: by the function's own contract.
    let (shard, replica, offset, swizzle) = unsafe {
        (
            slice(parts.shard, parts.shard_size),
            slice(parts.replica, parts.replica_size),
            slice(parts.offset, parts.offset_size),
            slice(parts.swizzle, parts.swizzle_size),
        )
    };
    let mut layout = Layout::new(iters(shard)?).with_replica(iters(replica)?);
    for pair in whole("pairs of axis and value", offset, 2)? {
        let axis = axis(pair[0])?;
        if layout.offset.last_key_value().is_some_and(|(&last, _)| last >= axis) {
            return Err(mismatch!("an offset on axis '{axis}' after one on a later axis";
                expected "one each, in order"));
        }
        layout = layout.with_offset(axis, pair[1]);
    }
    match swizzle {
        [] => Ok(layout),
        &[per_element, len, atom_len, inner] => {
            let number = |value: i64| {
                u32::try_from(value)
                    .map_err(|_| mismatch!("swizzle parameter {value}"; expected "a number of bits from 0 to 61"))
            };
            let swizzle = Swizzle::new(number(per_element)?, number(len)?, number(atom_len)?, inner != 0);
            Ok(layout.with_swizzle(swizzle?))
        }
        _ => Err(mismatch!("{} numbers of a swizzle", swizzle.len(); expected "4 or none")),
    }
}

/// The groups of a flat list.
fn whole<'l>(what: &str, flat: &'l [i64], size: usize) -> Result<std::slice::ChunksExact<'l, i64>, VerifyError> {
    if flat.len().is_multiple_of(size) {
        return Ok(flat.chunks_exact(size));
    }
    Err(mismatch!("{} numbers", flat.len(); expected "{what}"))
}

fn iters(flat: &[i64]) -> Result<Vec<Iter>, VerifyError> {
    whole("triples of extent, stride and axis", flat, 3)?
        .map(|triple| Ok(Iter::new(triple[0], triple[1], axis(triple[2])?)))
        .collect()
}

fn axis(code: i64) -> Result<Axis, VerifyError> {
    Axis::from_code(code).ok_or_else(|| mismatch!("axis code {code}"; expected "0 to {}", Axis::ALL.len() - 1))
}

/// # Safety
/// `data` is valid for `size` elements, or `size` is 0.
pub(crate) unsafe fn slice<'a>(data: *const i64, size: isize) -> &'a [i64] {
    match usize::try_from(size) {
        // SAFETY: by the function's own contract.
        Ok(size) if size > 0 => unsafe { std::slice::from_raw_parts(data, size) },
        _ => &[],
    }
}
