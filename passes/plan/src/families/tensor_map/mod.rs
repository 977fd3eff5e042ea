//! Boxes of a tensor, moved by the TMA engine through tensor maps: `cp.async.bulk.tensor` and its relatives.
//!
//! A *tensor map* describes a tensor in global memory: up to five dimensions, each with an extent, a stride, and the extent
//! of a *box*. It is made on the host and passed to the kernel. One thread then issues an instruction with the coordinates
//! of a box and an address in shared memory, and the engine moves the whole box by itself: it computes the addresses,
//! leaves out what is outside of the tensor, and swizzles shared memory.
//!
//! # A worked example
//!
//! A tile of 64x128 halfwords of a row-major tensor of 512x512 goes to shared memory in two swizzled panels of 64 columns,
//! as tensor cores read them:
//!
//! ```text
//!   tensor   (512, 512) : (512, 1),  rows 64 .. 128, columns 128 .. 256
//!   shared   (64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>
//! ```
//!
//! 1. **Mode** ([`swizzle`]). `swizzle<base = 3, bits = 3, shift = 3>` keeps 2^3 halfwords, 16 bytes, together and XORs three bits with those
//!    three higher: the 128-byte mode. A row of a box may have 128 bytes, 64 halfwords.
//! 2. **Dimensions** (`tensor.rs`). 512 rows from 64 on, 512 columns from 128 on.
//! 3. **Pieces** (`pieces.rs`), by distance in shared memory: 64 columns (1), 64 rows (64), 2 panels (4096), which are 64
//!    columns apart in the tensor. Each begins where the previous one ends, so all of them make one box.
//! 4. **Cuts** (`boxes.rs`). Columns are in two pieces, so the map sees them as two dimensions, 64 and 512 / 64 = 8; the
//!    region starts at panel 128 / 64 = 2.
//! 5. **Map and box**:
//!
//! ```text
//!   dimension    0: 64 columns     1: 512 rows      2: 8 panels
//!   stride          2 bytes           1024 bytes       128 bytes
//!   box             64                64               2            16384 bytes, one instruction
//!   coordinate      0                 64               2
//! ```
//!
//! The order of the map's outer dimensions thus permutes rows and panels at no cost.
//!
//! ```
//! use tile_layout::Range;
//! use tile_plan::families::tensor_map::plan;
//! use tile_isa::{Scope, Space};
//! use tile_plan::problem::{Element, Problem};
//! use tile_plan::problem::asynchronous::{Asynchronous, Completion};
//! use tile_plan::problem::operands::Operand;
//! use tile_plan::problem::tensor_map::MapRequest;
//! use tile_plan::problem::threads::Threads;
//! use tile_plan::target::Target;
//!
//! let tensor = Operand::whole(Space::Global, "(512, 512) : (512, 1)".parse().unwrap(), &[512, 512], 16)
//!     .region(&[Range::new(64, 64), Range::new(128, 128)]);
//! let panels = "(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>".parse().unwrap();
//! let tile = Operand::whole(Space::Shared, panels, &[64, 128], 1024);
//! let mut problem = Problem::new(tensor, tile, Element::new(16, "f16"), Threads::all(Scope::Thread, Some(32)));
//! problem.asynchronous = Some(Asynchronous::new(Completion::Barrier));
//! let copy = plan(&problem, MapRequest::default(), &Target::parse("sm_90a").unwrap()).unwrap();
//! assert_eq!((copy.instructions(), copy.bytes()), (1, 16384));
//! let part = &copy.parts[0];
//! assert_eq!(part.map.dims.iter().map(|dim| dim.boxed).collect::<Vec<_>>(), [64, 64, 2]);
//! assert_eq!(part.at.iter().map(|at| at.constant).collect::<Vec<_>>(), [0, 64, 2]);
//! ```
//!
//! # Which map
//!
//! The same region can be seen in several ways; the first with the fewest instructions is taken:
//!
//! | view | for |
//! | --- | --- |
//! | the tensor as declared | maps that many copies share |
//! | neighbouring dimensions that continue each other, as one | rows of few bytes; long dense regions |
//! | the region itself as a tensor, for starts that are known | starts inside a block, regions across blocks |
//!
//! Rows that are named by their numbers are boxes of a row, or four of these an instruction (`rows.rs`).
//!
//! A first dimension that ends at a run-time row has two more dimensions in the map (`until.rs`).
//!
//! Pixels of images, as a filter visits them, are walked through by the engine: maps of im2col mode (`im2col.rs`).
//!
//! A run that no box can have is cut (`cut.rs`): it becomes two dimensions, or a loop over boxes, or boxes of two maps.
//!
//! # What a plan leaves to its expansion
//!
//! Map operands by number; coordinates as run-time values and constants ([`plan::Coordinate`]); offsets in shared memory;
//! the bytes of all boxes, which a load's mbarrier expects ([`plan::TensorMapCopy::bytes`]).

mod boxes;
pub mod element;
pub mod form;
mod frame;
mod im2col;
pub mod map;
mod pieces;
pub mod plan;
mod rows;
mod shape;
pub mod swizzle;
mod tensor;
pub(crate) mod tma;
mod touch;
mod until;
mod views;

pub use element::MapElement;
pub use form::{MapForm, TENSOR_MAPS, TMA};
pub use map::{Extent, MAP_BYTES, MapDim, Stride, TensorMap, max_filter_offset};
pub use plan::{BoxLoop, Coordinate, Issue, Moving, Part, TensorMapCopy};
pub use swizzle::{BOX_ALIGN, MapSwizzle};
pub use views::{explained, plan};
