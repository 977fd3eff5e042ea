//! The variants of a product.
//!
//! | variant | priority | multiplies |
//! | --- | --- | --- |
//! | `tcgen05` | 40 | by matrix instructions of one thread, which read their factors from shared memory, into tensor memory |
//! | `wgmma` | 30 | by matrix instructions of each warpgroup, which read their factors from shared memory |
//! | `mma_sync` | 20 | by matrix instructions of each warp |
//! | `fma` | 0 | by single multiplications and additions of each thread |

mod registers;
mod tcgen05;
mod wgmma;

use crate::choose::{Rule, SelectError, choose};
use crate::problem::refusal::Decline;
use crate::target::Target;

use super::plan::MmaPlan;
use super::problem::MmaProblem;

/// A rule that plans a product or declines it.
pub type Variant = dyn Rule<MmaProblem>;

/// Every variant, in the order in which they are tried.
pub fn all() -> &'static [&'static Variant] {
    &[&tcgen05::TensorMma, &wgmma::WarpgroupMma, &registers::MmaSync, &registers::Fma]
}

/// The plan of the first variant that takes the product, its name, and the declines of those tried before.
///
/// # Errors
/// An unknown variant, or the declines of all that were tried.
pub fn select(problem: &MmaProblem, target: &Target) -> Result<(MmaPlan, &'static str, Vec<Decline>), SelectError> {
    choose(all(), problem, target).map(|chosen| (chosen.plan, chosen.rule.name(), chosen.declines))
}
