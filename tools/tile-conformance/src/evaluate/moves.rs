//! The moves of elements that make up a plan, the accesses that they are part of, and their possible faults.

use thiserror::Error;
use tile_plan::address;
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::role::Role;
use tile_plan::sides::side::{Guard, Side};

use super::places::Cell;

/// One move of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// The thread that moves it.
    pub thread: i64,
    /// The location from which it is read.
    pub from: Cell,
    /// The location to which it is written.
    pub to: Cell,
}

/// A consumer of moves.
pub(super) type Sink<'s> = &'s mut dyn FnMut(Move) -> Result<(), Fault>;

/// The reason that a plan does not do the copy. Elements are numbered in the order of the region.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// A plan of a kind that is not evaluated.
    #[error("plans of {0} are not evaluated")]
    NotEvaluated(&'static str),
    /// The regions differ in size.
    #[error("the source region has {src} elements, the destination region {dst}")]
    Sizes {
        /// Elements of the source region.
        src: i64,
        /// Elements of the destination region.
        dst: i64,
    },
    /// A load from a location outside of the source region.
    #[error("thread {thread} reads {cell} of the source, which is not in the region")]
    ReadsElsewhere {
        /// The reading thread.
        thread: i64,
        /// The location.
        cell: Cell,
    },
    /// A store to a location outside of the destination region.
    #[error("thread {thread} writes {cell} of the destination, which is not in the region")]
    WritesElsewhere {
        /// The writing thread.
        thread: i64,
        /// The location.
        cell: Cell,
    },
    /// An access outside of a buffer.
    #[error("thread {thread} accesses {cell} of a {side} that ends at {end}")]
    OutOfBounds {
        /// The accessing thread.
        thread: i64,
        /// The location.
        cell: Cell,
        /// Source or destination.
        side: &'static str,
        /// The first location after the end of the buffer.
        end: i64,
    },
    /// A store of a wrong element.
    #[error("{cell} of the destination gets element {got}, expected element {expected}")]
    WrongElement {
        /// The location.
        cell: Cell,
        /// The element that is stored.
        got: usize,
        /// The expected element.
        expected: usize,
    },
    /// Several stores to one location.
    #[error("{cell} of the destination is written twice, the second time by thread {thread}")]
    WrittenTwice {
        /// The location.
        cell: Cell,
        /// The thread of the second store.
        thread: i64,
    },
    /// No store to a location of the region.
    #[error("{cell} of the destination does not get element {expected}")]
    Missing {
        /// The location.
        cell: Cell,
        /// The expected element.
        expected: usize,
    },
    /// An address that is not a multiple of the access size.
    #[error("thread {thread} accesses {bytes} bytes of the {side} from element {address} on, which is misaligned")]
    Misaligned {
        /// The accessing thread.
        thread: i64,
        /// Source or destination.
        side: &'static str,
        /// The access's first element.
        address: i64,
        /// Its size.
        bytes: i64,
    },
    /// A matrix instruction needs all lanes of a warp.
    #[error("the warp of thread {thread} is not complete at a matrix instruction")]
    Diverged {
        /// The first active lane.
        thread: i64,
    },
    /// A lane takes a vector from a lane that does not take part, or the vector of a round that does not exist.
    #[error("thread {thread} takes the vector that thread {from} has in round {round}, but that thread has none")]
    NothingGiven {
        /// The thread that takes it.
        thread: i64,
        /// The thread that would provide it.
        from: i64,
        /// The round in which that thread would have loaded it.
        round: i64,
    },
    /// Two different elements of the region share one location.
    #[error("{cell} of the destination is the location of both element {first} and element {second}")]
    Overlap {
        /// The location.
        cell: Cell,
        /// One of them.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A plan without an address.
    #[error("the plan has no address: {0}")]
    NoAddress(String),
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Fault::NoAddress(refusal.reason)
    }
}

/// Whether the thread with this scope-relative id takes part.
pub(super) fn admitted(guards: &[Guard], t: i64) -> bool {
    guards.iter().all(|&guard| address::guard_digit(&mut tile_layout::Eval, guard, t) == 0)
}

/// Checks that an access of `elements` is aligned to its own size. The buffer is assumed to be aligned only as far as
/// proven.
pub(super) fn check_alignment(
    side: &Side,
    role: Role,
    thread: i64,
    address: i64,
    (elements, bits): (i64, u32),
) -> Result<(), Fault> {
    let element = i64::from(bits / 8);
    let (byte, bytes) = (side.align_bytes + address * element, elements * element);
    if byte % bytes == 0 {
        return Ok(());
    }
    Err(Fault::Misaligned { thread, side: role.name(), address, bytes })
}

/// All coordinates of a loop nest, the last fastest.
pub(super) fn grid(extents: &[i64]) -> Vec<Vec<i64>> {
    extents.iter().fold(vec![Vec::new()], |outer: Vec<Vec<i64>>, &extent| {
        let inside = |walk: Vec<i64>| (0..extent).map(move |step| [walk.clone(), vec![step]].concat());
        outer.into_iter().flat_map(inside).collect()
    })
}
