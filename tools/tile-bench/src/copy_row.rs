//! What is measured of one copy.

use tile_run::cuda::Resources;

use crate::measure::Times;

/// A kernel's results.
#[derive(Debug)]
pub struct Row {
    /// The kernel.
    pub name: &'static str,
    /// Bytes that one block copies.
    pub tile: usize,
    /// The timed runs.
    pub times: Times,
    /// What the driver made of it.
    pub resources: Resources,
    /// Clock rate of the SMs in MHz.
    pub clock: f64,
    /// The first byte that is wrong, if one is.
    pub wrong: Option<usize>,
}

impl Row {
    /// Bytes that the blocks on one SM load before they store: all of their tiles.
    pub fn in_flight(&self) -> usize {
        self.tile * usize::try_from(self.resources.resident).unwrap_or(0)
    }
}
