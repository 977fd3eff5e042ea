//! What a plan does: moves of elements, and the accesses that they are part of.

use tile_plan::{Guard, Side, Which, address};

use super::cell::Cell;
use super::fault::Fault;

/// Threads that share one copy, as numbers in the block.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The first thread of the scope, active or not.
    pub first: i64,
    /// How many scopes of the block are before this one.
    pub number: i64,
    /// Those that reach the copy, ascending.
    pub active: Vec<i64>,
    /// The run-time values of the source and of the destination.
    pub values: [Vec<i64>; 2],
}

impl Instance {
    /// The run-time values of an operand.
    pub(super) fn values(&self, which: Which) -> &[i64] {
        &self.values[usize::from(which == Which::Dst)]
    }
}

/// One element in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// Who does it.
    pub thread: i64,
    /// Where it is read.
    pub from: Cell,
    /// Where it is written.
    pub to: Cell,
}

/// Takes moves one by one.
pub(super) type Sink<'s> = &'s mut dyn FnMut(Move) -> Result<(), Fault>;

/// Does the thread of this scope-relative id take part?
pub(super) fn admitted(guards: &[Guard], t: i64) -> bool {
    guards.iter().all(|&guard| address::guard_digit(&mut tile_layout::Eval, guard, t) == 0)
}

/// Is an access of `elements` aligned to its own size? The buffer is aligned to what is proven, and to nothing more.
pub(super) fn check_alignment(
    side: &Side,
    which: Which,
    thread: i64,
    address: i64,
    (elements, bits): (i64, u32),
) -> Result<(), Fault> {
    let element = i64::from(bits / 8);
    let (byte, bytes) = (side.align_bytes + address * element, elements * element);
    if byte % bytes == 0 {
        return Ok(());
    }
    Err(Fault::Misaligned { thread, side: which.name(), address, bytes })
}

/// All coordinates of a loop nest, the last fastest.
pub(super) fn grid(extents: &[i64]) -> Vec<Vec<i64>> {
    extents.iter().fold(vec![Vec::new()], |outer: Vec<Vec<i64>>, &extent| {
        let inside = |walk: Vec<i64>| (0..extent).map(move |step| [walk.clone(), vec![step]].concat());
        outer.into_iter().flat_map(inside).collect()
    })
}
