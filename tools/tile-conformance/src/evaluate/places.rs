//! Locations, and the elements of a region that they hold, by the definition of a layout, independent of any plan.
//!
//! ```text
//!   element e  ->  coordinate in the buffer  ->  linear index  ->  digits  ->  sum of digit * stride per axis
//!              +  offset  +  each combination of replica digits  ->  swizzle  ->  locations
//! ```

use std::collections::BTreeMap;
use std::fmt;

use tile_isa::Space;
use tile_layout::{Axis, Iter, Layout};
use tile_plan::problem::role::Role;

use crate::case::{Case, Side, axis_value};

/// A location of an element, in elements of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// In memory, from the buffer's first element on.
    Memory(i64),
    /// In a register of a thread of the block.
    Register {
        /// The thread.
        thread: i64,
        /// The register.
        register: i64,
    },
    /// In tensor memory.
    Tensor {
        /// The lane.
        lane: i64,
        /// The column, in elements.
        column: i64,
    },
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Memory(address) => write!(f, "element {address}"),
            Cell::Register { thread, register } => write!(f, "register {register} of thread {thread}"),
            Cell::Tensor { lane, column } => write!(f, "column {column} of lane {lane}"),
        }
    }
}

/// The location of an address that a thread accesses.
pub(super) fn cell(space: Space, thread: i64, address: i64) -> Cell {
    match space {
        Space::Local => Cell::Register { thread, register: address },
        _ => Cell::Memory(address),
    }
}

/// Threads that share one copy, as numbers in the block.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The first thread of the scope, active or not.
    pub first: i64,
    /// The number of this scope in the block.
    pub number: i64,
    /// The threads that reach the copy, ascending.
    pub active: Vec<i64>,
    /// The run-time values of the source and of the destination.
    pub values: [Vec<i64>; 2],
}

impl Instance {
    /// The run-time values of an operand.
    pub(super) fn values(&self, role: Role) -> &[i64] {
        &self.values[usize::from(role == Role::Dst)]
    }
}

/// A position on each axis.
type Position = BTreeMap<Axis, i64>;

/// All locations of all elements of a side's region, for the active threads of one copy.
///
/// With `first_holder`, only the first of the threads that hold the same copy of an element counts (the layout does not
/// distinguish them).
pub(crate) fn places(case: &Case, role: Role, instance: &Instance, first_holder: bool) -> Vec<(Cell, usize)> {
    places_of(case.side(role), instance, first_holder)
}

fn places_of(side: &Side, instance: &Instance, first_holder: bool) -> Vec<(Cell, usize)> {
    let mut placed = Vec::new();
    let mut holders = Holders { instance, known: BTreeMap::new() };
    let copies = combinations(&side.layout.replica);
    for (element, linear) in linear_indices(side).into_iter().enumerate() {
        let first = digits(&side.layout, linear);
        for copy in &copies {
            let mut position = first.clone();
            copy.iter().for_each(|(axis, value)| *position.entry(*axis).or_default() += value);
            let address = position.remove(&Axis::Memory).unwrap_or(0);
            let address = side.layout.swizzle.map_or(address, |swizzle| swizzle.apply(address));
            if side.space == Space::Tmem {
                let on = |axis| position.get(&axis).copied().unwrap_or(0);
                placed.push((Cell::Tensor { lane: on(Axis::TLane), column: on(Axis::TCol) }, element));
                continue;
            }
            if side.space != Space::Local {
                placed.push((Cell::Memory(address), element));
                continue;
            }
            let threads = holders.of(position);
            let taken = if first_holder { threads.len().min(1) } else { threads.len() };
            placed
                .extend(threads[..taken].iter().map(|&thread| (Cell::Register { thread, register: address }, element)));
        }
    }
    placed
}

/// Linear indices in the buffer of a region's elements, in the region's order.
fn linear_indices(side: &Side) -> Vec<i64> {
    let mut all = vec![0];
    for (range, extent) in side.region.iter().zip(&side.shape) {
        all = all
            .into_iter()
            .flat_map(|outer: i64| (0..range.extent).map(move |step| outer * extent + range.begin + step))
            .collect();
    }
    all
}

/// The position of one element: digits times strides, plus the offset.
fn digits(layout: &Layout, linear: i64) -> Position {
    let mut position: Position = layout.offset.clone();
    let mut rest = linear;
    for iter in layout.shard.iter().rev() {
        *position.entry(iter.axis).or_default() += rest % iter.extent * iter.stride;
        rest /= iter.extent;
    }
    position
}

/// The amount that each combination of replica digits adds.
fn combinations(replica: &[Iter]) -> Vec<Vec<(Axis, i64)>> {
    let mut all = vec![Vec::new()];
    for iter in replica {
        all = all
            .into_iter()
            .flat_map(|adds| {
                (0..iter.extent).map(move |digit| [adds.clone(), vec![(iter.axis, digit * iter.stride)]].concat())
            })
            .collect();
    }
    all
}

/// Active threads by their position on thread axes; axes that the layout does not name are ignored.
struct Holders<'i> {
    instance: &'i Instance,
    known: BTreeMap<Vec<(Axis, i64)>, Vec<i64>>,
}

impl Holders<'_> {
    fn of(&mut self, position: Position) -> &[i64] {
        let threads = &self.instance.active;
        self.known.entry(position.into_iter().collect()).or_insert_with_key(|position| {
            let here = |thread: &i64| position.iter().all(|&(axis, value)| axis_value(axis, *thread) == Some(value));
            threads.iter().copied().filter(here).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Element;
    use tile_layout::Range;

    fn side(space: Space, layout: &str, shape: &[i64], region: &[(i64, i64)]) -> Side {
        Side {
            space,
            element: Element { mlir: "f16", bits: 16 },
            shape: shape.to_vec(),
            region: region.iter().map(|&(begin, extent)| Range::new(begin, extent)).collect(),
            begins: Vec::new(),
            open: Vec::new(),
            layout: layout.parse().unwrap(),
        }
    }

    fn instance(active: impl IntoIterator<Item = i64>) -> Instance {
        Instance { first: 0, number: 0, active: active.into_iter().collect(), values: Default::default() }
    }

    #[test]
    fn memory_is_swizzled() {
        let side = side(
            Space::Shared,
            "(8, 64) : (64, 1) + 64, swizzle<base = 3, bits = 3, shift = 3>",
            &[8, 64],
            &[(0, 1), (0, 2)],
        );
        let found = places_of(&side, &instance(0..32), false);
        assert_eq!(found, [(Cell::Memory(72), 0), (Cell::Memory(73), 1)]);
    }

    #[test]
    fn replicas_are_places_too() {
        let side = side(Space::Local, "(4, 2) : (1@laneid, 1) + R(2 : 4@laneid)", &[4, 2], &[(1, 1), (1, 1)]);
        let at = |thread| (Cell::Register { thread, register: 1 }, 0);
        assert_eq!(places_of(&side, &instance(0..32), false), [at(1), at(5)]);
        assert_eq!(places_of(&side, &instance([5, 6]), false), [at(5)]);
    }

    #[test]
    fn axes_without_a_name_say_nothing() {
        let side = side(Space::Local, "(32) : (1@laneid)", &[32], &[(3, 1)]);
        let at = |thread| (Cell::Register { thread, register: 0 }, 0);
        assert_eq!(places_of(&side, &instance(0..96), false), [at(3), at(35), at(67)]);
        assert_eq!(places_of(&side, &instance(8..96), true), [at(35)]);
    }
}
