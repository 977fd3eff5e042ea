//! Between registers: each thread takes what it is to hold, from its own registers, from other lanes, or by way of shared
//! memory.
//!
//! | module | subject |
//! | --- | --- |
//! | [`plan`] | the plan: digits, each in a register index or in a bit of a thread's number, and which of them change places |
//! | [`places`] | what each bit of a thread's number says on one side |
//! | [`steps`] | selects and shuffles that bring the source's places to the destination's |
//! | `digits` | both sides in digits of two positions |
//! | `exchanges` | which digits change places, by the fewest instructions |
//! | [`cost`] | instructions and wavefronts of a warp |
//! | `shuffle` | the variant that stays in registers |
//! | [`scratch`], `candidates` | the variant that goes through shared memory, and the layouts it may have there |

mod candidates;
pub mod cost;
mod digits;
mod exchanges;
pub mod places;
pub mod plan;
pub mod scratch;
pub(super) mod shuffle;
pub mod steps;
