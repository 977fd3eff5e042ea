//! Random kernels of products by `wgmma`, in a loop with or without stages: accumulators that something else copies, fills and maps
//! between the products, also under conditions, and products in either arm of a condition.
//!
//! ```text
//!   draw ──▶ interpret ───────────────▶ all memory
//!     │                                     ║ compared
//!     └────▶ tile-build ──▶ simulator ──▶ all memory, under each schedule
//!                  └──────▶ ptxas (TILE_PTXAS) ──▶ no product is serialised
//! ```

mod draw;
mod judge;
mod kernel;

use melior::Context;

use crate::kernels::Kernels;
use crate::tally::Verdict;

/// Kernels whose products may be in flight while their accumulators are wanted.
pub struct Products;

impl Kernels for Products {
    fn draw(seed: u64, number: u64) -> (String, String) {
        let kernel = draw::kernel(seed, number);
        (kernel.text(), kernel.launch())
    }

    fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
        judge::judge(context, seed, number)
    }
}
