//! Random kernels that copy tiles, with barriers, waits and fences of random kinds at random points.
//!
//! Each kernel copies tiles between global memory, shared memory (rows, columns, padded, swizzled, rings of stages) and
//! registers, by blocks, by warps, by `cp.async` and in bulk, masked, in loops and under conditions of warps and of the
//! whole block. What `--tile-check-sync` accepts, and what `--tile-insert-sync` leaves, has to run without a fault; and
//! without any of the operations that are inserted, something has to be wrong.

mod copies;
mod draw;
mod judge;
mod kernel;

use melior::Context;

use crate::kernels::Kernels;
use crate::removal::without_order;
use crate::tally::Verdict;

/// Kernels that are checked, and ordered.
pub struct Tiles;

impl Kernels for Tiles {
    fn draw(seed: u64, number: u64) -> (String, String) {
        let kernel = draw::kernel(seed, number, false);
        (kernel.text(), kernel.launch())
    }

    fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
        judge::judge(context, seed, number)
    }
}

/// Kernels that are ordered, and then lose one operation after the other.
pub struct Removed;

impl Kernels for Removed {
    fn draw(seed: u64, number: u64) -> (String, String) {
        let kernel = draw::kernel(seed, number, true);
        (without_order(&kernel.text()), kernel.launch())
    }

    fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
        judge::removed(context, seed, number)
    }
}
