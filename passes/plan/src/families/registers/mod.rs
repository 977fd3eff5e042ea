//! Between registers: each thread takes what it is to hold, from its own registers, from other lanes, or by way of shared
//! memory.
//!
//! | module | subject |
//! | --- | --- |
//! | [`plan`] | the plan: digits, each in a register index or in a bit of a thread's number, and which of them change places |
//! | [`places`] | what each bit of a thread's number says on one side |
//! | [`steps`] | selects and shuffles, who carries them out, and what they cost a warp |
//! | `schedule` | those that bring the source's places to the destination's |
//! | `digits` | both sides in digits of two positions |
//! | `exchanges` | which digits change places, by the fewest instructions |
//! | `lanes` | the cheapest plan that stays in registers |
//! | [`scratch`] | the plan of a way through shared memory |
//! | `through`, `candidates` | the cheapest of these, and the layouts it may have there |
//!
//! The variants: `shuffle`, `by_scratch`.

pub(super) mod by_scratch;
mod candidates;
mod digits;
mod exchanges;
mod lanes;
pub mod places;
pub mod plan;
mod schedule;
pub mod scratch;
pub(super) mod shuffle;
pub mod steps;
mod through;
