//! What a plan does: moves of elements, the accesses that they are part of, and what can be wrong with them.

use thiserror::Error;
use tile_plan::{Guard, Refusal, Side, Which, address};

use super::places::Cell;

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

/// Why a plan does not do the copy. Elements are numbered in the order of the region.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// Regions of different size were taken.
    #[error("the source region has {src} elements, the destination region {dst}")]
    Sizes {
        /// Elements of the source region.
        src: i64,
        /// Elements of the destination region.
        dst: i64,
    },
    /// A load from a place that holds nothing of the source region.
    #[error("thread {thread} reads {cell} of the source, which is not in the region")]
    ReadsElsewhere {
        /// Who reads.
        thread: i64,
        /// Where.
        cell: Cell,
    },
    /// A store to a place outside of the destination region.
    #[error("thread {thread} writes {cell} of the destination, which is not in the region")]
    WritesElsewhere {
        /// Who writes.
        thread: i64,
        /// Where.
        cell: Cell,
    },
    /// An access outside of a buffer.
    #[error("thread {thread} accesses {cell} of a {side} that ends at {end}")]
    OutOfBounds {
        /// Who.
        thread: i64,
        /// Where.
        cell: Cell,
        /// Source or destination.
        side: &'static str,
        /// The first place behind it.
        end: i64,
    },
    /// Another element than the one that belongs there.
    #[error("{cell} of the destination gets element {got}, expected element {expected}")]
    WrongElement {
        /// Where.
        cell: Cell,
        /// What arrives.
        got: usize,
        /// What belongs there.
        expected: usize,
    },
    /// Several stores to one place.
    #[error("{cell} of the destination is written twice, the second time by thread {thread}")]
    WrittenTwice {
        /// Where.
        cell: Cell,
        /// By whom.
        thread: i64,
    },
    /// No store to a place of the region.
    #[error("{cell} of the destination does not get element {expected}")]
    Missing {
        /// Where.
        cell: Cell,
        /// What belongs there.
        expected: usize,
    },
    /// An address that is no multiple of what the access needs.
    #[error("thread {thread} accesses {bytes} bytes of the {side} from element {address} on, which is misaligned")]
    Misaligned {
        /// Who.
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
    /// A lane exchanges with one that does not take part, or a vector of a round that there is not.
    #[error("thread {thread} is to get the vector that thread {from} has in round {round}, and that has none")]
    NothingGiven {
        /// Who gets it.
        thread: i64,
        /// Who would give it.
        from: i64,
        /// The round in which that one would have loaded it.
        round: i64,
    },
    /// Two different elements of the region have one place.
    #[error("{cell} of the destination is the place of elements {first} and {second}")]
    Overlap {
        /// Where.
        cell: Cell,
        /// One of them.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A plan that gives no address.
    #[error("the plan has no address: {0}")]
    NoAddress(String),
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Fault::NoAddress(refusal.reason)
    }
}

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
