//! Recorded copies, lowered by this compiler and compared: the chosen variant, the numbers, and every element.
//!
//! ```text
//!   cases.json ─case─▶ Case ─kernel─▶ MLIR ─lower─▶ planned op: the plan ─▶ PTX
//!                        │                            │                    │
//!                        └─────────── compare ────────┴────────────────────┘      and evaluate: whether the plan
//!                                                                                 moves exactly the region
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`arrays`] | launches of ops on arrays, whose tests are beside those of copies |
//! | [`case`] | cases, and reading them |
//! | [`mod@kernel`] | the kernel of a case |
//! | [`lower`] | lowering it stage by stage |
//! | [`mod@evaluate`] | evaluating a plan numerically |
//! | [`mod@execute`] | running the program in the simulator |
//! | [`compare`] | judging whether a case passes |
//! | [`mutant`] | damaged inputs, passed through all of it |
//! | [`random`] | random cases |
//! | [`record`] | programs and their memory in files, for a GPU |
//! | [`session`] | all cases, on all processors |
//! | [`report`] | the printed report |

pub mod arrays;
pub mod case;
pub mod compare;
pub mod evaluate;
pub mod execute;
pub mod kernel;
pub mod lower;
pub mod mutant;
pub mod random;
pub mod record;
pub mod report;
pub mod session;
