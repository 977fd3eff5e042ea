//! How a program expresses what is copied, with views or without, which does not change its meaning; and the values
//! that a kernel knows only at run time: starts of regions, extents and strides of buffers, and conditions around the
//! copy.

use super::Side;

/// The views from which the operands are built, and the margins by which masked regions extend beyond the copied
/// region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// Views of the source's buffer, and of the destination's, starting at the buffer.
    pub views: [Vec<View>; 2],
    /// For each dimension, the number of elements by which the regions of a masked copy extend before and after the
    /// copied region; at least one of the two regions is out of bounds there. Empty if the copy is not masked.
    pub margins: Vec<[i64; 2]>,
}

/// A view of a buffer of global or shared memory with one iter for each dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// `tile.cast` of a global buffer: makes static extents and strides dynamic, or dynamic ones static.
    Cast,
    /// `tile.subview`: the region.
    Part,
    /// `tile.permute` of a part; both sides of a copy are permuted alike.
    Turned(Vec<usize>),
    /// `tile.reshape` of a part, which merges this dimension with the next; both sides are reshaped alike.
    Merged(usize),
}

impl View {
    /// The side that results from applying the view to a side.
    pub fn of(&self, side: &Side) -> Side {
        let mut seen = side.clone();
        match self {
            View::Cast if side.open.is_empty() => {
                seen.open = vec![Open { extent: true, stride: Some(1) }; side.shape.len()];
            }
            View::Cast => seen.open.clear(),
            View::Part => {
                seen.shape = side.region.iter().map(|range| range.extent).collect();
                for ((iter, range), &extent) in seen.layout.shard.iter_mut().zip(&mut seen.region).zip(&seen.shape) {
                    (iter.extent, range.begin) = (extent, 0);
                }
                seen.begins.clear();
                seen.open.iter_mut().for_each(|open| open.extent = false);
            }
            View::Turned(order) => {
                seen.shape = reordered(order, &side.shape);
                seen.region = reordered(order, &side.region);
                seen.layout.shard = reordered(order, &side.layout.shard).into_iter().collect();
                seen.open = if side.open.is_empty() { Vec::new() } else { reordered(order, &side.open) };
            }
            View::Merged(at) => {
                seen.shape[*at] *= seen.shape.remove(at + 1);
                seen.region.remove(at + 1);
                seen.region[*at].extent = seen.shape[*at];
            }
        }
        seen
    }
}

/// How the program states the start of a region in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// As a number in the text.
    Written,
    /// As an argument of the kernel, promised to be a multiple of this: `tile.assume %begin divisible_by 8`.
    Assumed(i64),
    /// As a multiple of an argument of the kernel: `arith.muli %begin, %c8`.
    Product(i64),
}

impl Begin {
    /// The kernel's argument for a region that starts at `begin`; none if the start is a literal.
    pub fn argument(self, begin: i64) -> Option<i64> {
        match self {
            Begin::Written => None,
            Begin::Assumed(_) => Some(begin),
            Begin::Product(factor) => Some(begin / factor),
        }
    }
}

/// What the type of a global buffer leaves to run time in one dimension: `?`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Whether its extent is an argument of the kernel.
    pub extent: bool,
    /// The promised divisor of its stride, if the stride is an argument of the kernel.
    pub stride: Option<i64>,
}

/// A construct around the copy that depends on an argument of the kernel, which is the same in all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enclosing {
    /// The copy is executed if the argument, which has this value, is not zero.
    If(bool),
    /// The copy is executed if the argument, which has this value, is zero.
    Unless(bool),
    /// The copy is executed this number of times.
    For(u32),
}

impl Enclosing {
    /// The value of the kernel's argument.
    pub fn argument(self) -> u32 {
        match self {
            Enclosing::If(set) | Enclosing::Unless(set) => u32::from(set),
            Enclosing::For(rounds) => rounds,
        }
    }

    /// Whether the copy is executed at all.
    pub fn runs(self) -> bool {
        match self {
            Enclosing::If(set) => set,
            Enclosing::Unless(set) => !set,
            Enclosing::For(rounds) => rounds > 0,
        }
    }
}

fn reordered<T: Copy>(order: &[usize], all: &[T]) -> Vec<T> {
    order.iter().filter_map(|&index| all.get(index).copied()).collect()
}
