//! The kinds of random programs.

use crate::{Args, worker};

/// The kinds, by the name that `--kind` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Whole programs, compared with an oracle that shares no code with the compiler.
    Programs,
    /// Kernels with upstream's copies, compared with upstream's own lowering.
    Conversions,
    /// Kernels with barriers, or without, whose accesses may conflict.
    Order,
    /// Kernels whose loops request stages, compared with the same kernels without stages.
    Pipelines,
    /// Kernels with regions that may leave their buffers.
    Bounds,
}

impl Kind {
    /// Runs the tool for this kind; returns whether nothing is wrong.
    pub fn run(self, args: &Args) -> std::io::Result<bool> {
        match self {
            Kind::Programs => worker::run::<crate::programs::Programs>(args),
            Kind::Conversions => worker::run::<crate::conversions::Conversions>(args),
            Kind::Order => worker::run::<crate::order::Order>(args),
            Kind::Pipelines => worker::run::<crate::pipelines::Pipelines>(args),
            Kind::Bounds => worker::run::<crate::bounds::Bounds>(args),
        }
    }
}
