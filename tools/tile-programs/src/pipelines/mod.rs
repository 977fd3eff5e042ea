//! Random kernels whose loops request stages, compared with the same kernels without stages.
//!
//! ```text
//!   draw ──▶ without stages ──▶ tile-insert-sync ──▶ simulator ──▶ all memory
//!     │                                                                ║ compared
//!     └────▶ with stages ─────▶ tile-pipeline ─────▶ simulator ──▶ all memory, under each schedule
//! ```

mod body;
mod bounds;
mod draw;
mod judge;
mod kernel;

use melior::Context;

use crate::kernels::Kernels;
use crate::tally::Verdict;
use draw::Form;

/// Kernels that are compared with what they leave without stages.
pub struct Pipelines;

impl Kernels for Pipelines {
    fn draw(seed: u64, number: u64) -> (String, String) {
        let kernel = draw::kernel(seed, number, Form::default());
        (kernel.text(), kernel.launch())
    }

    fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
        judge::judge(context, seed, number)
    }
}

/// Kernels that are pipelined, and then lose one operation after the other.
pub struct Removed;

impl Kernels for Removed {
    fn draw(seed: u64, number: u64) -> (String, String) {
        let kernel = draw::kernel(seed, number, Form { plain: false, lasting: true });
        (kernel.text(), kernel.launch())
    }

    fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
        judge::removed(context, seed, number)
    }
}
