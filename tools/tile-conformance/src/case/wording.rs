//! How a program says what is copied, by views or not; what it means is the same. And what a kernel knows only when it runs: where
//! regions begin, extents and strides of buffers, and what encloses the copy.

use super::Side;

/// The views that the operands are, and how much longer than the region they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// Views of the source's buffer, and of the destination's, from the buffer on.
    pub views: [Vec<View>; 2],
    /// By how many elements the regions of a masked copy are longer before and behind, per dimension; there at least one of
    /// them is outside of its buffer. None where the copy is not masked.
    pub margins: Vec<[i64; 2]>,
}

/// A view of a buffer of global or shared memory with one iter for each dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// `tile.cast` of a global buffer: what the type states is left to the run, or the other way round.
    Cast,
    /// `tile.subview`: the region.
    Part,
    /// `tile.permute` of a part; both sides of a copy are permuted alike.
    Turned(Vec<usize>),
    /// `tile.reshape` of a part, which makes one of this dimension and the next; likewise.
    Merged(usize),
}

impl View {
    /// The side that is the view of a side.
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
                seen.shape = of(order, &side.shape);
                seen.region = of(order, &side.region);
                seen.layout.shard = of(order, &side.layout.shard).into_iter().collect();
                seen.open = if side.open.is_empty() { Vec::new() } else { of(order, &side.open) };
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

/// How the program states where a region begins in one dimension.
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
    /// The kernel's argument for a region that begins at `begin`; none where it is written.
    pub fn argument(self, begin: i64) -> Option<i64> {
        match self {
            Begin::Written => None,
            Begin::Assumed(_) => Some(begin),
            Begin::Product(factor) => Some(begin / factor),
        }
    }
}

/// What the type of a global buffer leaves to the run in one dimension: `?`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Its extent, an argument of the kernel?
    pub extent: bool,
    /// Its stride, an argument of the kernel that is promised to be a multiple of this?
    pub stride: Option<i64>,
}

/// Something around the copy that depends on an argument of the kernel, the same in all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enclosing {
    /// The copy is done if the argument, this one, is not zero.
    If(bool),
    /// It is done if the argument is zero.
    Unless(bool),
    /// It is done so many times.
    For(u32),
}

impl Enclosing {
    /// The kernel's argument.
    pub fn argument(self) -> u32 {
        match self {
            Enclosing::If(set) | Enclosing::Unless(set) => u32::from(set),
            Enclosing::For(rounds) => rounds,
        }
    }

    /// Is the copy done at all?
    pub fn runs(self) -> bool {
        match self {
            Enclosing::If(set) => set,
            Enclosing::Unless(set) => !set,
            Enclosing::For(rounds) => rounds > 0,
        }
    }
}

fn of<T: Copy>(order: &[usize], all: &[T]) -> Vec<T> {
    order.iter().filter_map(|&index| all.get(index).copied()).collect()
}
