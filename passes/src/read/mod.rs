//! Reading IR: from a `tile.copy` and what is around it to a problem on integers.

pub mod activity;
pub mod affine_map;
pub mod alignment;
pub mod arithmetic;
pub mod begin;
pub mod calls;
pub mod conflicts;
pub mod distance;
pub mod divisibility;
pub mod joins;
pub mod kernel;
pub mod launch;
pub mod mask;
pub mod parts;
pub mod place;
pub mod problem;
pub mod ranges;
pub mod root;
pub mod run_time;
pub mod sources;
pub mod spread;
pub mod storage;
pub mod target;
pub mod terms;
pub mod traffic;
pub mod uniformity;
pub mod unreadable;
pub mod values;

pub use tile_ops::name;
