//! What a block that holds one tile does while the sum of an earlier one is missing.

use super::not_taken;
use crate::problem::refusal::Refusal;
use crate::scan::plan::Wait;
use crate::scan::problem::{Hooks, Requests};
use crate::target::Target;

/// The largest `max_spin`: polls are counted in 32 bits.
const MAX_SPIN: i64 = 1 << 30;

/// Polls without news before a fallback. A tile in registers is polled 4 times within a few microseconds of its loads, and an
/// unnecessary fallback is cheap.
pub const REGISTER_SPIN: i64 = 4;

/// Polls without news before a fallback in a ring. Its blocks start together and wait for first tiles, which takes many polls; a
/// block whose sums are still missing after that many is not running.
pub const RING_SPIN: i64 = 256;

/// Polls, by default `usual`, and then a fallback.
///
/// # Errors
/// A number of polls that is not counted, or the option of a block that gives up.
pub fn with_fallback(requests: &Requests, hooks: &Hooks, usual: i64) -> Result<Wait, Refusal> {
    not_taken(&[("poll_cap", hooks.poll_cap.is_some())])?;
    let max_spin = requests.max_spin.unwrap_or(usual);
    if !(1..=MAX_SPIN).contains(&max_spin) {
        let reason = format!("got max_spin {max_spin}, expected 1 to {MAX_SPIN}");
        return Err(Refusal::new("spin-out-of-range", reason));
    }
    Ok(Wait::Fallback { max_spin })
}

/// Polls for ever, or until the block gives up.
///
/// # Errors
/// A chip whose resident blocks need not make progress, or the option of a block that falls back.
pub fn without_fallback(requests: &Requests, hooks: &Hooks, target: &Target) -> Result<Wait, Refusal> {
    // A kernel with a poll cap is for tests, and terminates.
    if !target.guarantees_progress() && hooks.poll_cap.is_none() {
        let reason = format!("{target} does not promise that a resident block makes progress");
        return Err(Refusal::new("no-forward-progress", reason));
    }
    not_taken(&[("max_spin", requests.max_spin.is_some())])?;
    Ok(hooks.poll_cap.map_or(Wait::Forever, |polls| Wait::GiveUp { polls }))
}
