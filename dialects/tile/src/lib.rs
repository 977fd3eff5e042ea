//! The `tile` dialect for Rust: typed handles of its attribute, type and ops, their verifiers, and
//! what MLIR's C API and melior lack (notes, remarks, patterns that own their state).
//!
//! The dialect itself is defined in `td/`; `cpp/` registers it, parses what ODS cannot, and forwards
//! every decision here. Nothing in this crate knows how a copy is lowered.
//!
//! | module | subject |
//! | --- | --- |
//! | [`layout_attr`] | `#tile.layout` and [`tile_layout::Layout`], both ways |
//! | [`buffer`] | `!tile.buffer` |
//! | [`memref`] | what melior does not say of memrefs |
//! | [`ops`] | typed handles of the ops |
//! | [`context`] | types and attributes from an op alone |
//! | [`emit`] | diagnostics with notes, and remarks |
//! | [`pattern`] | rewrite patterns and the walk that applies them |
//! | [`ir`] | references into IR that is being changed |
//! | [`guard`] | no panic crosses into C++ |
//! | `layout_text` | the text of `#tile.layout` |
//! | `bridge` | the functions that C++ calls |
//! | `verify` | what the verifiers check |

mod bridge;
pub mod buffer;
pub mod context;
pub mod create;
pub mod emit;
pub mod guard;
pub mod ir;
pub mod layout_attr;
mod layout_text;
pub mod memref;
pub mod ops;
pub mod pattern;
mod shim;
mod verify;

pub use buffer::{BufferType, Space};
pub use context::Ctx;
pub use layout_attr::LayoutAttr;
pub use shim::dialect_handle;

/// The attribute of a kernel that says whether its memref arguments do not overlap. Wins over the option `noalias`.
pub const NOALIAS: &str = "tile.noalias";

/// The attribute of a kernel that says how many bytes of dynamic shared memory it needs, and what their first is a multiple of.
pub const DYNAMIC_SHARED: &str = "tile.dynamic_shared";

/// The attribute of an `scf.for` that says how many stages the tiles of its asynchronous copies get.
pub const STAGES: &str = "tile.stages";
