//! One pass that needs no forward progress of other blocks.

use super::super::plan::{Order, Plan, Shape, Wait};
use super::super::problem::Problem;
use super::{Strategy, decoupled, not_taken};
use crate::problem::refusal::Refusal;
use crate::target::Target;

/// `decoupled_fallback`.
pub(super) struct Fallback;

/// Polls without news before a fallback. A tile in registers is polled 4 times within some microseconds of its
/// loads, and a needless fallback is cheap. Blocks with a ring begin together and wait for first tiles, which takes
/// many polls; one whose sums are still missing after so many is not running.
const REGISTER_SPIN: i64 = 4;
const RING_SPIN: i64 = 256;

impl Strategy for Fallback {
    fn name(&self) -> &'static str {
        "decoupled_fallback"
    }

    fn priority(&self) -> u32 {
        30
    }

    fn plan(&self, problem: &Problem, target: &Target) -> Result<Plan, Refusal> {
        not_taken(&[("poll_cap", problem.hooks.poll_cap.is_some())])?;
        let shape = decoupled::shape(problem, target, Order::BlockId)?;
        let usual = if matches!(shape, Shape::Ring(_)) { RING_SPIN } else { REGISTER_SPIN };
        let max_spin = problem.requests.max_spin.unwrap_or(usual);
        if !(1..=MOST_SPIN).contains(&max_spin) {
            let reason = format!("got max_spin {max_spin}, expected 1 to {MOST_SPIN}");
            return Err(Refusal::new("spin-out-of-range", reason));
        }
        Ok(Plan::Decoupled(decoupled::plan(problem, target, shape, Wait::Fallback { max_spin })))
    }
}

/// Spins are counted in 32 bits.
const MOST_SPIN: i64 = 1 << 30;
