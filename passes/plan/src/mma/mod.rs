//! Plans products of tiles: pure functions on integers, from a [`MmaProblem`] to a [`MmaPlan`], or to the reasons why there is none.
//!
//! ```text
//!   MmaProblem ──variants, by priority──▶ MmaPlan::Registers     which registers of A, B and C each instruction takes
//!   A, B, C: layouts, chip                 MmaPlan::Warpgroups    which descriptors, and which registers of C
//!                                          MmaPlan::Tensor        which descriptors, and which tensor memory
//! ```
//!
//! A warp multiplies a 16x16 tile by a 16x8 tile that it holds as `mma.sync` expects:
//!
//! ```
//! use tile_plan::mma::{RegisterInstruction, MmaOperand, MmaPlan, MmaProblem, select};
//! use tile_isa::{Scope, Space};
//! use tile_plan::problem::threads::Threads;
//! use tile_plan::target::Target;
//! use tile_isa::NumberFormat;
//!
//! let a = "(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)";
//! let b = "(2, 4, 2, 8) : (2, 1@laneid, 1, 4@laneid)";
//! let c = "(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)";
//! let operand = |layout: &str, shape, number| {
//!     MmaOperand { space: Space::Local, align_bytes: 1, layout: layout.parse().unwrap(), shape, number, clause: None }
//! };
//! let problem = MmaProblem {
//!     a: operand(a, [16, 16], NumberFormat::F16),
//!     b: operand(b, [16, 8], NumberFormat::F16),
//!     c: operand(c, [16, 8], NumberFormat::F32),
//!     scales: None,
//!     threads: Threads::all(Scope::Warp, Some(32)),
//!     forced: None,
//! };
//! let (plan, variant, _) = select(&problem, &Target::parse("sm_80").unwrap()).unwrap();
//! let MmaPlan::Registers(plan) = plan else { panic!("a product of registers") };
//! assert_eq!((variant, plan.steps().count()), ("mma_sync", 1));
//! let RegisterInstruction::MmaSync { shape, .. } = plan.instruction else { panic!("a matrix instruction") };
//! assert_eq!(shape.to_string(), "m16n8k16");
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`problem`] | the product to be planned |
//! | [`tiling`] | operands cut into the rows, columns and depths of single instructions |
//! | [`shared_operand`] | factors in shared memory, by descriptors |
//! | [`wgmma`] | products of whole warpgroups |
//! | [`tensor`] | products into tensor memory |
//! | `tensor_places` | tiles in tensor memory, by lanes and columns |
//! | `tensor_scales` | scales of factors in tensor memory |
//! | [`nearest`] | layouts to suggest where those of a product are not an instruction's |
//! | [`plan`] | the plan of a product |
//! | [`variants`] | the variants, by priority |

pub mod nearest;
pub mod plan;
pub mod problem;
pub mod shared_operand;
pub mod tensor;
mod tensor_places;
mod tensor_scales;
pub mod tiling;
pub mod variants;
pub mod wgmma;

pub use plan::{InstructionRegisters, MmaPlan, RegisterInstruction, RegisterProduct};
pub use problem::{MmaOperand, MmaProblem, ScaleOperand};
pub use tensor::TensorPlan;
pub use variants::{Variant, all, select};
pub use wgmma::WgmmaPlan;
