//! Random rings of stages with mbarriers: one warp copies tiles in bulk, and others read them; or all threads do both.
//!
//! Each ring is drawn correct; most then get one [mistake](kernel::Mistake): a missing wait, the other parity, another
//! count of arrivals, the mbarrier of another stage. A ring that `--tile-check-sync` accepts has to run, whatever the
//! trip count of its loop; a ring without a mistake has to be accepted.

mod draw;
mod judge;
mod kernel;

use melior::Context;

use crate::kernels::Kernels;
use crate::tally::Verdict;

/// Rings that are checked.
pub struct Rings;

impl Kernels for Rings {
    fn draw(seed: u64, number: u64) -> (String, String) {
        let ring = draw::ring(seed, number);
        (ring.text(), ring.launch())
    }

    fn judge(context: &Context, seed: u64, number: u64) -> Verdict {
        judge::judge(context, seed, number)
    }
}
