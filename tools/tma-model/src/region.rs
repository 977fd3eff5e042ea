//! The elements of a region, by plain enumeration of a layout's digits.

use tile_layout::{Axis, Layout, OPEN};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::Begin;

/// A buffer with all its numbers.
#[derive(Clone, Debug)]
pub struct Known {
    /// The layout, with run-time strides as numbers on the memory axis.
    layout: Layout,
    shape: Vec<i64>,
    begin: Vec<i64>,
    extent: Vec<i64>,
    /// The numbers of the rows, where they are named.
    rows: Vec<i64>,
}

impl Known {
    /// An operand with its run-time values; `extents` are those of the whole buffer.
    pub fn of(operand: &Operand, values: &[i64], extents: &[i64]) -> Self {
        let value = |index: usize| values.get(index).copied().unwrap_or(0);
        let begin = operand.begin.iter().map(|begin| match *begin {
            Begin::Const(begin) => begin,
            Begin::Dynamic { value: index, .. } => value(index),
        });
        let open: Vec<i64> =
            operand.shape.iter().zip(extents).filter(|(shape, _)| **shape == OPEN).map(|(_, &extent)| extent).collect();
        let mut layout = operand.layout.closed(&open).unwrap_or_else(|_| operand.layout.clone());
        for iter in &mut layout.shard {
            if let Some(stride) = iter.axis.stride_index().and_then(|index| operand.strides.get(index)) {
                iter.stride *= value(stride.value);
                iter.axis = Axis::Memory;
            }
        }
        let (shape, extent) = (extents.to_vec(), operand.extent.clone());
        Known { layout, shape, begin: begin.collect(), extent, rows: Vec::new() }
    }

    /// The same region, whose rows have these numbers; with none, its own.
    #[must_use]
    pub fn with_rows(self, rows: &[i64]) -> Self {
        Known { rows: rows.to_vec(), ..self }
    }

    /// The address of each element of the region in its row-major order, in elements; `None` of those outside of the buffer.
    pub fn addresses(&self) -> Vec<Option<i64>> {
        let count = self.extent.iter().product::<i64>();
        (0..count).map(|position| self.address(position)).collect()
    }

    fn address(&self, mut position: i64) -> Option<i64> {
        let mut coordinates = vec![0; self.shape.len()];
        for (dim, extent) in self.extent.iter().enumerate().rev() {
            coordinates[dim] = self.begin[dim] + position % extent;
            position /= extent;
        }
        if !self.rows.is_empty() {
            coordinates[0] = *usize::try_from(coordinates[0]).ok().and_then(|row| self.rows.get(row))?;
        }
        let mut linear = 0;
        for (coordinate, extent) in coordinates.into_iter().zip(&self.shape) {
            if !(0..*extent).contains(&coordinate) {
                return None;
            }
            linear = linear * extent + coordinate;
        }
        let mut address = self.layout.offset_on(Axis::Memory);
        for iter in self.layout.shard.iter().rev() {
            address += linear % iter.extent * iter.stride;
            linear /= iter.extent;
        }
        Some(self.layout.swizzle.map_or(address, |swizzle| swizzle.apply(address)))
    }
}
