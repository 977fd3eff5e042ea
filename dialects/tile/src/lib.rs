//! The `tile` dialect for Rust: typed handles of its attribute, type and ops, their verifiers, and
//! features that MLIR's C API and melior lack (notes, remarks, patterns that own their state).
//!
//! The dialect itself is defined in `td/`; `cpp/` registers it, parses what ODS cannot, and forwards
//! every decision here. What a plan means is known to [`tile_plan`] alone.
//!
//! | module | subject |
//! | --- | --- |
//! | [`layout_attr`] | conversion between `#tile.layout` and [`tile_layout::Layout`] |
//! | [`fragment`] | `#tile.fragment`, whose names [`tile_isa::fragment`] reads |
//! | [`plan_attr`] | `#tile.plan`, which owns a plan of [`tile_plan`] |
//! | [`buffer`] | `!tile.buffer` |
//! | [`tensor_map`] | `!tile.tensor_map` |
//! | [`memref`] | queries on memrefs that melior lacks |
//! | [`ops`] | typed handles of the ops |
//! | [`context`] | types and attributes, given only an op |
//! | [`emit`] | diagnostics with notes, and remarks |
//! | [`stated_copy`] | copies that ops of other dialects state |
//! | [`pattern`] | rewrite patterns and the walk that applies them |
//! | [`ir`] | references into IR that is being changed |
//! | [`guard`] | guards against panics that unwind into C++ |
//! | `layout_text` | the text of `#tile.layout` |
//! | `bridge` | the functions that C++ calls |
//! | `verify` | the verifiers |

mod bridge;
pub mod buffer;
pub mod context;
pub mod create;
pub mod emit;
pub mod error;
pub mod fragment;
pub mod guard;
pub mod ir;
pub mod layout_attr;
mod layout_text;
pub mod memref;
pub mod ops;
pub mod pattern;
pub mod plan_attr;
mod schedule;
mod shim;
pub mod stated_copy;
pub mod tensor_map;
mod verify;

pub use buffer::{BufferType, Space};
pub use context::Ctx;
pub use fragment::FragmentAttr;
pub use layout_attr::LayoutAttr;
pub use plan_attr::PlanAttr;
pub use schedule::{SCHEDULE, schedule_of, schedule_of_text};
pub use shim::{dialect_handle, string_ref};
pub use tensor_map::TensorMapType;
pub use verify::derived_type;

/// The attribute of a kernel that says whether its memref arguments do not overlap. Overrides the option `noalias`.
pub const NOALIAS: &str = "tile.noalias";

/// The attribute of a kernel that gives the size of the dynamic shared memory that it needs, in bytes, and the alignment. It stays
/// on the lowered kernel, whose PTX states the size.
pub const DYNAMIC_SHARED: &str = "tile.dynamic_shared";

/// The attribute of a kernel that says which of its parameters are tensor maps, and what each is made of. It stays on the lowered
/// kernel, whose PTX states it for launchers.
pub const TENSOR_MAPS: &str = "tile.tensor_maps";

/// The attribute of a kernel's argument that names the arguments that its tensor map describes: the number of the one that is the tile's
/// memory, and after it the integers of each run-time number of the map.
pub const MAP_OF: &str = "tile.map_of";

/// The attribute of a kernel's argument that is memory for the maps of tiles that only the kernel knows: rows of 128 bytes, as many for
/// each block as the kernel has such maps.
pub const MAP_WORKSPACE: &str = "tile.map_workspace";

/// The attribute of a kernel that says who orders its accesses: [`BY_HAND`]. Without it, the compiler does.
pub const ORDER: &str = "tile.order";

/// The value of [`ORDER`] with which a kernel keeps the order that it is written with, proved or not.
pub const BY_HAND: &str = "by_hand";

/// The attribute of a kernel whose upstream copies were converted, and of such copies in a `gpu.launch`, until their accesses are
/// ordered: threads share the copies now.
pub const CONVERTED: &str = "tile.converted";

/// The attribute of an upstream copy that says why it did not become a tile copy, for errors of later passes of `--tile-build`.
pub const STAYS: &str = "tile.stays";

/// The attribute of synchronization that an op of the dialect contained, and of tiles that plans of copies make, between the passes of
/// `--tile-build`.
pub const INHERENT: &str = "tile.inherent";

/// The attribute of a copy, a kernel or a module that lists what must not be: `["fallback", "conflicts"]`. It stays on the lowered
/// kernel, whose registers are counted at last.
pub const DENY: &str = "tile.deny";

/// The attribute of an upstream copy that gives the scope of the tile copy that it becomes, and of another op that states its
/// accesses the threads that execute it together.
pub const SCOPE: &str = "tile.scope";

/// The attribute of an access that numbers its array of registers, once branches are blocks.
pub const REGISTERS: &str = "tile.registers";

/// The attribute of an `scf.for` that gives the number of stages of the tiles of its asynchronous copies.
pub const STAGES: &str = "tile.stages";

/// The attribute beside [`STAGES`] by which a warp of its own, behind the threads of the kernel, makes the copies of the loop.
pub const PRODUCER: &str = "tile.producer";

/// The attribute of an `scf.if` whose first arm is a role: the number of its threads, which are the first of the block.
pub const ROLE: &str = "tile.role";

/// The attribute of an `scf.if` that a `tile.version` has become: nothing is promised in its `else`.
pub const VERSIONED: &str = "tile.versioned";

/// The attribute beside [`STAGES`] in the arm of a `tile.version` in which nothing is promised: the loop has no stages there if its
/// copies cannot be asynchronous without the promises.
pub const STAGES_IF_ASYNC: &str = "tile.stages_if_async";
