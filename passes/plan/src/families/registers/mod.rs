//! Copies between registers: each thread takes the elements that it will hold from its own registers, from other lanes,
//! or through shared memory.
//!
//! A *digit* is an iter of the common refinement of both sides, most often one of two positions: a bit.
//!
//! | module | subject |
//! | --- | --- |
//! | [`plan`] | the plan: digits, each in the register index or in bits of the thread id, and their exchanges |
//! | [`places`] | the meaning of each bit of the thread id on one side |
//! | [`steps`] | selects and shuffles, what executes them, and their cost per warp |
//! | `schedule` | the steps that bring digits from their places in the source to those in the destination |
//! | `exchanges` | which digits are exchanged with bits of the lane id |
//! | `digits` | both sides over digits of two positions |
//! | `lanes` | the cheapest plan that stays in registers |
//! | `through`, `candidates` | the cheapest plan through a tile in shared memory, and the candidate layouts of the tile |
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
pub(super) mod shuffle;
pub mod steps;
mod through;
