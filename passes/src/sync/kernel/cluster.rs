//! Kernels whose blocks reach shared memory of each other: read once for each block of a cluster, with its rank.

use melior::ir::OperationRef;
use tile_plan::sync::SyncProgram;

use super::rank::Rank;
use super::{Leader, SyncKernel};
use crate::effects::cluster::reaches_other_blocks;
use crate::options::LoweringOptions;
use crate::read::divisibility::{self, remembering};
use crate::read::ranges::Ranges;
use crate::walk;

/// The maximum number of blocks in a cluster.
const MAX_BLOCKS: i64 = 16;

/// The number of blocks of a cluster along x, y and z, if they reach shared memory of each other.
///
/// # Errors
/// The size of the cluster is not known, or is not valid.
fn size(function: OperationRef<'_, '_>) -> Result<Option<[i64; 3]>, String> {
    if !walk::matching(function, |_| true).into_iter().any(reaches_other_blocks) {
        return Ok(None);
    }
    let size = divisibility::block::cluster(function).ok_or(
        "is not checked: its blocks reach shared memory of each other, and the size of their cluster is not known; give it \
         nvvm.cluster_dim = array<i32: …>",
    )?;
    let count = size.iter().try_fold(1i64, |count, &extent| count.checked_mul(extent));
    match count.filter(|count| (1..=MAX_BLOCKS).contains(count) && size.iter().all(|&extent| extent > 0)) {
        Some(_) => Ok(Some(size)),
        None => Err(format!("got a cluster of {size:?} blocks, expected 1 to {MAX_BLOCKS} in all")),
    }
}

impl<'r, 'c: 'a, 'a> SyncKernel<'r, 'c, 'a> {
    /// Reads a kernel as [`SyncKernel::read`] does, but leaves phases to [`tile_plan::sync::check`], which executes the program where
    /// it has to.
    ///
    /// # Errors
    /// As [`SyncKernel::read`].
    pub fn with_rings(
        function: OperationRef<'c, 'a>,
        options: &'r LoweringOptions,
        ranges: &'r Ranges<'r>,
        leader: Leader,
    ) -> Result<Self, String> {
        let of_rank = |rank| remembering(|| SyncKernel::of_block(function, options, ranges, (rank, leader)));
        let Some(size) = size(function)? else { return Ok(of_rank(None)?.0) };
        let (mut first, mut programs) = (None, Vec::new());
        for rank in Rank::all(size) {
            let (mut kernel, cluster) = of_rank(Some(rank))?;
            if !kernel.failures.is_empty() {
                return Ok(kernel);
            }
            let program = std::mem::take(&mut kernel.program);
            programs.push(SyncProgram { cluster: cluster.map(Into::into), ..program });
            first.get_or_insert(kernel);
        }
        let mut kernel = first.ok_or("has no cluster")?;
        match SyncProgram::of_blocks(programs) {
            Ok(program) => kernel.program = program,
            Err(op) => {
                let op = kernel.ops().get(op).copied().unwrap_or(function);
                kernel
                    .failures
                    .refuse(op, "is not followed: which threads execute it differs between the blocks of a cluster");
            }
        }
        Ok(kernel)
    }
}
