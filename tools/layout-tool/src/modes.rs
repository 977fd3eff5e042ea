//! A layout as CuTe has it: modes, each with its fastest part first, and an offset and a swizzle of the sum.

use std::fmt;

use tile_layout::{Axis, Iter, Layout, Swizzle};

use crate::described::Described;
use crate::error::ToolError;

/// An extent and its stride.
pub type Part = (i64, i64);

/// Modes in the order of coordinates. In CuTe's numbering of elements the first mode is the fastest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modes {
    /// The parts of each mode, fastest first.
    pub modes: Vec<Vec<Part>>,
    /// Added to the sum, before the swizzle.
    pub offset: i64,
    /// Applied last.
    pub swizzle: Option<Swizzle>,
}

impl Modes {
    /// Modes without offset and swizzle.
    pub fn new(modes: Vec<Vec<Part>>) -> Self {
        Modes { modes, ..Modes::default() }
    }

    /// All parts, fastest first.
    pub fn parts(&self) -> Vec<Part> {
        self.modes.concat()
    }

    /// The number of elements; `None` where it does not fit.
    pub fn size(&self) -> Option<i64> {
        self.modes.iter().flatten().try_fold(1i64, |size, part| size.checked_mul(part.0))
    }

    /// The address of an element by CuTe's number of it.
    pub fn address(&self, element: i64) -> i64 {
        let mut rest = element;
        let mut sum = self.offset;
        for (extent, stride) in self.parts() {
            sum = sum.wrapping_add((rest % extent.max(1)).wrapping_mul(stride));
            rest /= extent.max(1);
        }
        self.swizzle.map_or(sum, |swizzle| swizzle.apply(sum))
    }

    /// One more than the highest address before the swizzle, as CuTe's `cosize`; saturates.
    pub fn cosize(&self) -> i64 {
        let reach = |&(extent, stride): &Part| (extent - 1).saturating_mul(stride.saturating_abs());
        self.parts().iter().map(reach).fold(1, i64::saturating_add)
    }

    /// The modes of a layout in memory: a mode for each dimension of its shape.
    ///
    /// # Errors
    /// Layouts on other axes, with replicas, or with sizes that are known only at run time.
    pub fn of(described: &Described) -> Result<Self, ToolError> {
        let layout = &described.layout;
        let refused = |what: &str| {
            Err(ToolError::Refused(format!("got {what} in '{layout}', expected a layout in memory alone")))
        };
        if let Some(axis) = layout.axes().find(|axis| *axis != Axis::Memory) {
            return refused(&format!("the axis '{axis}'"));
        }
        if !layout.replica.is_empty() {
            return refused("a replica");
        }
        let (grouped, ends) =
            layout.group(&described.shape).map_err(|error| ToolError::Layout { text: layout.to_string(), error })?;
        let mode = |ends: &[usize]| {
            let mut parts: Vec<Part> =
                grouped.shard[ends[0]..ends[1]].iter().map(|iter| (iter.extent, iter.stride)).collect();
            parts.reverse();
            parts
        };
        let modes = ends.windows(2).map(mode).collect();
        Ok(Modes { modes, offset: layout.offset_on(Axis::Memory), swizzle: layout.swizzle })
    }

    /// The same layout in the project's form, with a dimension for each mode.
    pub fn described(&self) -> Described {
        let iters = |mode: &Vec<Part>| {
            mode.iter().rev().map(|&(extent, stride)| Iter::memory(extent, stride)).collect::<Vec<_>>()
        };
        let mut layout = Layout::new(self.modes.iter().flat_map(iters).collect::<Vec<_>>());
        if self.offset != 0 {
            layout = layout.with_offset(Axis::Memory, self.offset);
        }
        layout.swizzle = self.swizzle;
        let extent = |mode: &Vec<Part>| mode.iter().fold(1i64, |size, part| size.saturating_mul(part.0));
        Described { layout, shape: self.modes.iter().map(extent).collect() }
    }
}

impl fmt::Display for Modes {
    /// CuTe's notation: `Sw<3,3,3> o 0 o (8,64):(64,1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(swizzle) = self.swizzle {
            let sign = if swizzle.inner { "" } else { "-" };
            write!(f, "Sw<{},{},{sign}{}> o {} o ", swizzle.len, swizzle.per_element, swizzle.atom_len, self.offset)?;
        } else if self.offset != 0 {
            write!(f, "{} o ", self.offset)?;
        }
        let tuple = |items: Vec<String>, one: bool| {
            if items.len() == 1 && one { items.concat() } else { format!("({})", items.join(",")) }
        };
        let numbers = |number: fn(&Part) -> i64| {
            let mode = |mode: &Vec<Part>| tuple(mode.iter().map(|part| number(part).to_string()).collect(), true);
            tuple(self.modes.iter().map(mode).collect(), self.modes.iter().all(|mode| mode.len() == 1))
        };
        write!(f, "{}:{}", numbers(|part| part.0), numbers(|part| part.1))
    }
}
