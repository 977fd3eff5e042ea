//! Tiles in registers, enumerated: the element that each register of each thread holds.
//!
//! ```text
//!   (2, 4, 2) : (2, 1@laneid, 1), a tile of 2 x 8            registers 0   1   2   3
//!                                                    lane 0      (0,0) (0,1) (1,0) (1,1)
//!                                                    lane 1      (0,2) (0,3) (1,2) (1,3)
//! ```

use tile_layout::{Axis, Iter, Layout, counted};

use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::sides::chain::{gaps_of, on_threads, thread_offset, thread_stride};

/// The most elements of a tile that are enumerated.
const MAX_ELEMENTS: i64 = 1 << 18;
/// The most registers of all threads together, those without an element included.
const MAX_REGISTERS: i64 = 1 << 22;

/// An element of a tile of two dimensions, by its row and column.
pub type Cell = (i64, i64);

/// The elements that the threads of a scope hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterDistribution {
    /// Registers of a thread.
    registers: usize,
    /// The extent of the last dimension.
    columns: i64,
    /// Elements in row-major order, by thread, then by register; `None` for a register that holds none.
    elements: Vec<Option<i64>>,
}

impl RegisterDistribution {
    /// The elements of a tile with that layout, in `threads`; `name` is what messages call the tile.
    ///
    /// # Errors
    /// A layout that is not one of registers of these threads, threads that there are none of, a tile that is too large, and
    /// registers that would hold two elements.
    pub fn new(layout: &Layout, shape: &[i64], name: &str, threads: &Threads) -> Result<Self, Refusal> {
        let holding = holding_threads(layout);
        let count = threads.count().ok_or_else(|| {
            let reason =
                format!("the size of the block is not known; {name} is held by {} of it", counted(holding, "thread"));
            Refusal::new("block-size-unknown", reason)
        })?;
        let size = layout.size();
        if size > MAX_ELEMENTS {
            let reason = format!("{name} has {}; at most {MAX_ELEMENTS} are followed", counted(size, "element"));
            return Err(Refusal::new("tile-too-large", reason));
        }
        if layout.swizzle.is_some_and(|swizzle| swizzle.len != 0) {
            let reason = format!("{name} is a swizzled register tile; needed a plain one");
            return Err(Refusal::new("swizzled-registers", reason));
        }
        if let Some(iter) = layout.replica.iter().find(|iter| !iter.axis.is_thread() && iter.extent != 1) {
            let reason = format!("{name} holds every element {} times (replica {iter}); needed once", iter.extent);
            return Err(Refusal::new("memory-replica", reason));
        }
        let gaps = gaps_of(layout, name, threads, count, false)?;
        let replicas = layout.replica.iter().filter_map(|&iter| on_threads(iter)).chain(gaps);
        if holding > count {
            let reason = format!("{name} is held by {}, the {} has {count}", counted(holding, "thread"), threads.scope);
            return Err(Refusal::new("too-few-threads", reason));
        }
        let holders = offsets(replicas.map(|iter| (iter.extent, iter.stride)));
        let mut threads = vec![thread_offset(layout)];
        let mut registers = vec![layout.offset_on(Axis::Memory)];
        for iter in &layout.shard {
            let (thread, register) = strides(iter);
            threads = spread(&threads, iter.extent, thread);
            registers = spread(&registers, iter.extent, register);
        }
        let width = registers.iter().copied().max().map_or(0, |last| last + 1);
        let all = width.checked_mul(count).filter(|&all| all <= MAX_REGISTERS).ok_or_else(|| {
            let reason = format!(
                "{name} has {width} registers in each of {count} threads; at most {MAX_REGISTERS} are followed"
            );
            Refusal::new("tile-too-large", reason)
        })?;
        let mut elements = vec![None; all as usize];
        for (linear, (thread, register)) in (0..).zip(threads.iter().zip(&registers)) {
            for holder in &holders {
                let slot = (thread + holder) * width + register;
                let element = elements.get_mut(slot as usize).filter(|element| element.is_none());
                let element = element.ok_or_else(|| occupied(name, thread + holder, *register))?;
                *element = Some(linear);
            }
        }
        let columns = shape.last().copied().unwrap_or(1);
        Ok(RegisterDistribution { registers: width as usize, columns, elements })
    }

    /// Registers of a thread.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// Threads of the scope.
    pub fn threads(&self) -> usize {
        self.elements.len().checked_div(self.registers).unwrap_or(0)
    }

    /// The element in a register of a thread, by its number in row-major order.
    pub fn element(&self, thread: usize, register: usize) -> Option<i64> {
        self.elements.get(thread * self.registers + register).copied().flatten()
    }

    /// The elements of a thread, with their registers, by register.
    pub fn elements(&self, thread: usize) -> impl Iterator<Item = (usize, i64)> + '_ {
        (0..self.registers).filter_map(move |register| Some((register, self.element(thread, register)?)))
    }

    /// The element in a register of a thread, by row and column.
    pub fn cell(&self, thread: usize, register: usize) -> Option<Cell> {
        self.element(thread, register).map(|element| self.at(element))
    }

    /// The elements of a thread by row and column, with their registers, by register.
    pub fn held(&self, thread: usize) -> impl Iterator<Item = (usize, Cell)> + '_ {
        self.elements(thread).map(|(register, element)| (register, self.at(element)))
    }

    /// The number of an element in row-major order; `None` of a column that no row has.
    pub fn number(&self, (row, column): Cell) -> Option<i64> {
        (0..self.columns).contains(&column).then(|| row * self.columns + column)
    }

    fn at(&self, element: i64) -> Cell {
        (element / self.columns, element % self.columns)
    }
}

/// The number of threads up to the last one that holds an element according to a layout.
fn holding_threads(layout: &Layout) -> i64 {
    let iters = layout.shard.iter().chain(&layout.replica).filter_map(|&iter| on_threads(iter));
    let reach = |iter: Iter| (iter.extent - 1).max(0).saturating_mul(iter.stride.max(0));
    iters.map(reach).fold(thread_offset(layout).saturating_add(1), i64::saturating_add)
}

fn occupied(name: &str, thread: i64, register: i64) -> Refusal {
    let reason = format!("{name}: register {register} of thread {thread} would hold two elements");
    Refusal::new("registers-overlap", reason)
}

/// The strides of an iter in threads and in registers.
fn strides(iter: &Iter) -> (i64, i64) {
    match thread_stride(iter.axis) {
        Some(unit) => (iter.stride * unit, 0),
        None => (0, iter.stride),
    }
}

/// All sums of one multiple of each iter.
fn offsets(iters: impl Iterator<Item = (i64, i64)>) -> Vec<i64> {
    iters.fold(vec![0], |all, (extent, stride)| spread(&all, extent, stride))
}

/// Each number, followed by itself plus one stride, two, ….
fn spread(numbers: &[i64], extent: i64, stride: i64) -> Vec<i64> {
    numbers.iter().flat_map(|number| (0..extent).map(move |digit| number + digit * stride)).collect()
}
