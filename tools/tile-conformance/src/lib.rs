//! Recorded copies, lowered by this compiler and compared: the choice, the numbers, and every element.
//!
//! ```text
//!   cases.json ─case─▶ Case ─kernel─▶ MLIR ─lower─▶ stage op: the plan ─▶ PTX
//!                        │                            │                    │
//!                        └─────────── compare ────────┴────────────────────┘      and evaluate: does the plan move
//!                                                                                 exactly the region?
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`case`] | cases, and reading them |
//! | [`mod@kernel`] | the kernel that a case becomes |
//! | [`lower`] | lowering it stage by stage |
//! | [`mod@evaluate`] | running a plan on numbers |
//! | [`mod@execute`] | running the program in the simulator |
//! | [`compare`] | does a case pass? |
//! | [`mutant`] | damaged inputs, taken through all of it |
//! | [`random`] | random cases |
//! | [`record`] | programs and their memory in files, for a GPU |
//! | [`session`] | all cases, on all processors |
//! | [`report`] | what is printed |

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
