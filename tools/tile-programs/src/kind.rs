//! The kinds of random programs.

use crate::kernels::Drawn;
use crate::{Args, pipelines, products, rings, tiles, traffic, worker};

/// The kinds, by the name that `--kind` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ProgramKind {
    /// Whole programs, compared with an oracle that shares no code with the compiler.
    Programs,
    /// Kernels with upstream's copies, compared with upstream's own lowering.
    Conversions,
    /// Kernels with barriers, or without, whose accesses may conflict.
    Order,
    /// Kernels that copy tiles, with barriers, waits and fences at random points.
    Tiles,
    /// The same without barriers, waits and fences: each one that the compiler inserts is removed in turn.
    TilesRemoved,
    /// Rings of stages with mbarriers, most of which have one mistake.
    Rings,
    /// Kernels whose loops request stages, compared with the same kernels without stages.
    Pipelines,
    /// The same: each operation that orders a pipelined kernel is removed in turn.
    PipelinesRemoved,
    /// Kernels of products that may be in flight while their accumulators are wanted.
    Products,
    /// Kernels with regions that may leave their buffers.
    Bounds,
    /// Kernels of copies, whose counted traffic is compared with that of their execution.
    Traffic,
}

impl ProgramKind {
    /// Runs the tool for this kind; returns whether nothing is wrong.
    pub fn run(self, args: &Args) -> std::io::Result<bool> {
        match self {
            ProgramKind::Programs => worker::run::<crate::programs::Programs>(args),
            ProgramKind::Conversions => worker::run::<crate::conversions::Conversions>(args),
            ProgramKind::Order => worker::run::<crate::order::Order>(args),
            ProgramKind::Tiles => worker::run::<Drawn<tiles::Tiles>>(args),
            ProgramKind::TilesRemoved => worker::run::<Drawn<tiles::Removed>>(args),
            ProgramKind::Rings => worker::run::<Drawn<rings::Rings>>(args),
            ProgramKind::Pipelines => worker::run::<Drawn<pipelines::Pipelines>>(args),
            ProgramKind::PipelinesRemoved => worker::run::<Drawn<pipelines::Removed>>(args),
            ProgramKind::Products => worker::run::<Drawn<products::Products>>(args),
            ProgramKind::Bounds => worker::run::<crate::bounds::Bounds>(args),
            ProgramKind::Traffic => worker::run::<Drawn<traffic::Copies>>(args),
        }
    }
}
