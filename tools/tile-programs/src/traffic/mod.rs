//! Random kernels of two or three copies: what the planner counts of their traffic is what the simulator counts when they run.
//!
//! ```text
//!   global ──▶ shared ──▶ global                     rows, columns, padded or swizzled; by a block or a warp; conversions
//!   global ──▶ shared ──▶ registers ──▶ global       fragments of mma.sync, by ldmatrix where that is possible; short vectors of lanes
//! ```
//!
//! A layout that the compiler chooses takes no more wavefronts than rows or columns without gaps do.
//!
//! LLVM merges accesses of a thread that are adjacent in memory. Such a kernel issues fewer requests than planned, and may only cost
//! less; all others cost exactly what is counted.

mod draw;
mod judge;

use melior::Context;

use crate::kernels::Kernels;
use crate::tally::Verdict;

/// Kernels whose traffic is counted.
pub struct Copies;

impl Kernels for Copies {
    fn draw(seed: u64, number: u64) -> (String, String) {
        let kernel = draw::kernel(seed, number);
        (kernel.text(), kernel.launch())
    }

    fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
        judge::judge(context, seed, number)
    }
}
