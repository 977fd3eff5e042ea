//! A model of the TMA engine on integers, and copies through tensor maps judged by it.
//!
//! | module | subject |
//! | --- | --- |
//! | [`engine`] | what the boxes of a plan move: bytes of shared and of global memory |
//! | [`region`] | what a copy is to move, by plain enumeration of both layouts |
//! | [`check`] | whether the two agree |
//! | [`case`] | recorded copies, read from a file |
//! | [`judge`] | a plan against what was recorded |
//! | [`report`] | the number of cases by verdict |
//!
//! The engine knows a plan's maps, coordinates and offsets, but not the layouts; the region knows the layouts, but no map.

pub mod case;
pub mod check;
pub mod engine;
pub mod judge;
mod recorded;
pub mod region;
pub mod report;
