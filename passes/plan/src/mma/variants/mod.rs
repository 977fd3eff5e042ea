//! The variants of a product.
//!
//! | variant | priority | multiplies |
//! | --- | --- | --- |
//! | `wgmma` | 30 | by matrix instructions of each warpgroup, which read their factors from shared memory |
//! | `mma_sync` | 20 | by matrix instructions of each warp |
//! | `fma` | 0 | by single multiplications and additions of each thread |

mod registers;
mod wgmma;

use crate::choose::{Rule, SelectError, choose};
use crate::problem::refusal::{Decline, Refusal};
use crate::problem::threads::Active;
use crate::target::Target;

use super::plan::MmaPlan;
use super::problem::MmaProblem;

/// A rule that plans a product or declines it.
pub type Variant = dyn Rule<MmaProblem>;

/// Every variant, in the order in which they are tried.
pub fn all() -> &'static [&'static Variant] {
    &[&wgmma::WarpgroupMma, &registers::MmaSync, &registers::Fma]
}

/// The plan of the first variant that takes the product, its name, and the declines of those tried before.
///
/// # Errors
/// An unknown variant, or the declines of all that were tried.
pub fn select(problem: &MmaProblem, target: &Target) -> Result<(MmaPlan, &'static str, Vec<Decline>), SelectError> {
    choose(all(), problem, target).map(|chosen| (chosen.plan, chosen.rule.name(), chosen.declines))
}

/// Requires that no thread of the scope is left out: matrix instructions are those of whole warps.
fn all_active(problem: &MmaProblem) -> Result<(), Refusal> {
    let Some(narrowed) = problem.threads.narrowed() else { return Ok(()) };
    let is_unknown = matches!(problem.threads.active, Active::Unknown { .. });
    Err(Refusal::new(if is_unknown { "active-unknown" } else { "not-all-threads-active" }, narrowed))
}
