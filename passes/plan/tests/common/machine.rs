//! The element of a copy that each location holds according to the layouts alone, without any plan.

use std::collections::HashMap;

use tile_isa::{Scope, Space};
use tile_layout::{Axis, Iter, Layout, Location};
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::problem::threads::Active;

/// A cell of storage: the thread (block-linear) for registers, `None` for memory; and the element index.
pub type Cell = (Option<i64>, i64);

/// What a cell holds: the number of an element, in the order of the copy's loop nest.
pub type Contents = HashMap<Cell, usize>;

/// Threads of a block to run: the block, or one scope where its size is not known.
pub fn block(problem: &Problem) -> i64 {
    problem.threads.block.or(problem.threads.count()).unwrap()
}

pub fn is_active(problem: &Problem, thread: i64) -> bool {
    match &problem.threads.active {
        Active::All => true,
        Active::Known(set) => set.contains(thread),
        Active::Unknown { .. } => false,
    }
}

/// Threads of one scope.
pub fn count(problem: &Problem) -> i64 {
    problem.threads.count().unwrap()
}

/// The value of a thread axis in a thread.
pub fn axis_value(axis: Axis, thread: i64) -> i64 {
    match axis {
        Axis::Tx => thread,
        Axis::LaneId => thread % 32,
        Axis::WarpId => thread / 32,
        Axis::WidInWg => thread / 32 % 4,
        Axis::TidInWg => thread % 128,
        Axis::WgId => thread / 128,
        other => panic!("no thread axis of a block: {other}"),
    }
}

/// Coordinates of the copy's elements in an operand's buffer, in the order of the loop nest.
pub fn coordinates(operand: &Operand, values: &[i64]) -> Vec<Vec<i64>> {
    let begin: Vec<i64> = operand
        .begin
        .iter()
        .map(|begin| match begin {
            Begin::Const(value) => *value,
            Begin::Dynamic { value, .. } => values[*value],
        })
        .collect();
    let mut all = vec![Vec::new()];
    for (begin, extent) in begin.iter().zip(&operand.extent) {
        let extend = |coords: Vec<i64>| (0..*extent).map(move |step| [coords.clone(), vec![begin + step]].concat());
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// The offset per axis of each combination of a replica's coordinates; the first offset is zero.
pub fn replicas(replica: &[Iter]) -> Vec<Vec<(Axis, i64)>> {
    let mut all = vec![Vec::new()];
    for iter in replica {
        let extend = |adds: Vec<(Axis, i64)>| {
            (0..iter.extent).map(move |digit| [adds.clone(), vec![(iter.axis, digit * iter.stride)]].concat())
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// Location of the element at linear position `x` of a layout, by its definition: coordinates, strides, offset,
/// replica, swizzle.
pub fn location(layout: &Layout, x: i64, adds: &[(Axis, i64)]) -> Location<i64> {
    let mut location: Location<i64> = layout.axes().map(|axis| (axis, layout.offset_on(axis))).collect();
    let mut rest = x;
    for iter in layout.shard.iter().rev() {
        *location.entry(iter.axis).or_default() += rest % iter.extent * iter.stride;
        rest /= iter.extent;
    }
    for (axis, add) in adds {
        *location.entry(*axis).or_default() += add;
    }
    let address = location.entry(Axis::Memory).or_default();
    *address = layout.swizzle.map_or(*address, |swizzle| swizzle.apply(*address));
    location
}

/// The address of a location, with run-time strides applied.
fn address(operand: &Operand, location: &Location<i64>, values: &[i64]) -> i64 {
    let stride = |axis: Axis| axis.stride_index().map_or(1, |index| values[operand.strides[index].value]);
    location.iter().filter(|(axis, _)| axis.is_address()).map(|(&axis, position)| position * stride(axis)).sum()
}

/// The offset of the origin on each axis.
fn origin(operand: &Operand, values: &[i64]) -> Vec<(Axis, i64)> {
    operand.origin.iter().map(|term| (term.axis, values[term.value].div_euclid(term.div) * term.stride)).collect()
}

/// All cells that hold the region's elements; `copies` says whether all of them, or those of the first copy only.
///
/// A thread holds an element if its axes have the element's values; axes that the layout does not name say nothing.
pub fn cells(problem: &Problem, operand: &Operand, values: &[i64], copies: bool) -> Vec<(Cell, usize)> {
    let mut placed = Vec::new();
    let origin = origin(operand, values);
    let combinations = if copies { replicas(&operand.layout.replica) } else { vec![Vec::new()] };
    for (element, coords) in coordinates(operand, values).iter().enumerate() {
        let x = coords.iter().zip(&operand.shape).fold(0, |x, (coord, extent)| x * extent + coord);
        for adds in &combinations {
            let adds = [&adds[..], &origin[..]].concat();
            let location = location(&operand.layout, x, &adds);
            let address = address(operand, &location, values);
            if operand.space != Space::Local {
                placed.push(((None, address), element));
                continue;
            }
            for thread in 0..block(problem) {
                let here = location.iter().filter(|(axis, _)| axis.is_thread());
                if here.clone().all(|(axis, value)| axis_value(*axis, thread) == *value) {
                    placed.push(((Some(thread), address), element));
                }
            }
        }
    }
    placed
}

/// Contents of the source. Of threads that hold the same element, the first active one of each scope does; the others
/// hold nothing, so that a plan that reads them is detected. (At thread scope every thread has its own.)
///
/// Elements for which `inside` is false are in no cell.
pub fn source(problem: &Problem, values: &[i64], inside: &dyn Fn(usize) -> bool) -> Contents {
    let mut contents = Contents::new();
    let mut holders: HashMap<(i64, i64, usize), i64> = HashMap::new();
    let private_copy = problem.operand(Role::Dst).unwrap().space == Space::Local;
    for ((thread, address), element) in cells(problem, problem.operand(Role::Src).unwrap(), values, false) {
        if !inside(element) {
            continue;
        }
        if let Some(thread) = thread.filter(|_| problem.threads.scope != Scope::Thread && !private_copy) {
            if !is_active(problem, thread) {
                continue;
            }
            let holder = holders.entry((thread / count(problem), address, element)).or_insert(thread);
            if *holder != thread {
                continue;
            }
        }
        contents.insert((thread, address), element);
    }
    contents
}
