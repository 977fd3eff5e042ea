//! A kernel that copies an array with the same vector accesses as a scan: the baseline that scans are measured against.
//!
//! | binding of group 0 | holds |
//! | --- | --- |
//! | 0 | the source array, in whole vectors of 16 bytes |
//! | 1 | the destination array |
//! | 2 | the number of vectors, as 32 bits |

use tile_plan::scan::{Tile, Workspace};
use tile_plan::target::Target;

use crate::program::Error;
use crate::program::{Launch, PortableProgram, ProgramKernel};

const COPY: &str = include_str!("wgsl/copy.wgsl");

/// The copy kernel with the threads and rows of a scan's tile; its elements are vectors.
///
/// ```
/// use tile_plan::scan::Tile;
/// use tile_plan::target::Target;
///
/// let tile = Tile { threads: 256, lanes: 256, rows: 4, vector: 4 };
/// let program = tile_portable::copy(&tile, Target::portable("webgpu").unwrap()).unwrap();
/// assert_eq!(program.kernels[0].elements, Some(1024));
/// ```
///
/// # Errors
/// A target that is not portable.
pub fn copy(tile: &Tile, target: Target) -> Result<PortableProgram, Error> {
    let Tile { threads, rows, .. } = *tile;
    let vectors = threads * rows;
    let kernels =
        vec![ProgramKernel { entry: "entry_copy", name: "copy".to_owned(), threads, elements: Some(vectors) }];
    let launch = Launch { workspace: Workspace { tile: vectors, words: 0 }, last_epoch: None, subgroup: None };
    PortableProgram::new(format!("const THREADS = {threads}u;\nconst ROWS = {rows}u;\n{COPY}"), kernels, launch, target)
}
