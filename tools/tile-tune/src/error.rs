//! Why products are not tuned.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use tile_run::BindKernelError;
use tile_run::cuda::CudaError;
use tile_run::fill::FillError;
use tile_run::sim::SimError;
use tile_run::source::SourceError;

/// Why nothing is timed, or one candidate is not.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    /// A file or folder cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    /// The folder has no manifest that can be read.
    #[error("{}: {error}, expected what `tile-tune emit` writes", path.display())]
    Manifest { path: PathBuf, error: serde_json::Error },
    /// A line of the record is none.
    #[error("{}:{line}: {error}, expected a measured time of a product", path.display())]
    Record { path: PathBuf, line: usize, error: serde_json::Error },
    /// A tool cannot be started.
    #[error("cannot start {}: {error}; it is LLVM's, and --mlir-opt names it", path.display())]
    Start { path: PathBuf, error: io::Error },
    /// There is no plugin.
    #[error("there is no {}, expected the plugin of mlir-opt; --plugin names it", .0.display())]
    NoPlugin(PathBuf),
    /// mlir-opt has refused a file, and printed why.
    #[error("mlir-opt refuses {}, for the reason above", .0.display())]
    Refused(PathBuf),
    /// What the compiler lists cannot be read.
    #[error("got a list of candidates from the plugin that is none: {0}; it has to be of the version of this tool")]
    List(serde_json::Error),
    /// Nothing to do.
    #[error("{} has no product that the model has tiles for, expected a linalg.matmul or such an op of known extents without a tile.schedule", .0.display())]
    NoProduct(PathBuf),
    /// A function has several products.
    #[error("{second}: a second product of @{function}, after that at {first}; expected one in each function")]
    SeveralProducts { function: String, first: String, second: String },
    /// The script has not left one kernel.
    #[error("{candidate}: {} leaves {got} kernels of @{function}, expected one", script.display())]
    Kernels { candidate: String, script: PathBuf, function: String, got: usize },
    /// The kernel does not state its grid.
    #[error("{candidate}: the grid of {kernel} is not known, expected a launch whose sizes are constants")]
    Grid { candidate: String, kernel: String },
    /// An argument of which the extents are not known.
    #[error("{place}: argument {argument} of {kernel} is {got}, expected a memref of known extents and strides")]
    Argument { place: String, argument: usize, kernel: String, got: String },
    /// The PTX cannot be made.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The PTX cannot be read.
    #[error("{candidate}: the PTX cannot be read: {error}")]
    Ptx { candidate: String, error: ptx_sim::ParseError },
    /// The arguments in the manifest are none of a command line.
    #[error("{candidate}: {error}")]
    Arguments { candidate: String, error: clap::Error },
    /// The kernel cannot be launched as the manifest says.
    #[error("{candidate}: {error}")]
    Bind { candidate: String, error: BindKernelError },
    /// What is multiplied does not fit the host.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// A kernel takes something that is no argument of its function.
    #[error(
        "{candidate}: got a kernel whose {got} operands are not all arguments of @{function}, expected {expected} that are"
    )]
    Operands { candidate: String, function: String, got: usize, expected: usize },
    /// The candidates of a product take different arguments.
    #[error("{candidate}: takes {got}, expected {expected}, as the candidate before it")]
    Differs { candidate: String, got: String, expected: String },
    /// The simulator has found a mistake.
    #[error("{candidate}: {error}")]
    Simulated { candidate: String, error: SimError },
    /// The GPU cannot be used.
    #[error(transparent)]
    Gpu(#[from] CudaError),
    /// A candidate cannot be loaded or launched.
    #[error("{candidate}: {error}")]
    Launch { candidate: String, error: CudaError },
    /// A kernel has failed while it ran.
    #[error("{candidate}: {error}")]
    Lost { candidate: String, error: CudaError },
    /// The other kernels could not go on.
    #[error("cannot start tile-tune for the other candidates: {0}")]
    Again(io::Error),
    /// They have ended with an error.
    #[error("the other candidates are not timed, for the reason above")]
    Rest,
}

impl TuneError {
    /// Whether it is of one candidate, so that others may have none.
    pub fn is_of_one(&self) -> bool {
        matches!(
            self,
            Self::Refused(_) | Self::Source(_) | Self::Ptx { .. } | Self::Bind { .. } | Self::Operands { .. }
        )
    }
}
