//! What a kernel needs of its launch, and the check that a launch gives it.
//!
//! Everything that launches a kernel asks here: the simulator, the tools, the runtime of host programs, C and Python.

mod shape;

use thiserror::Error;

pub use shape::{Dim3, Dim3Error, Launch};

/// The most threads of a block, and the most blocks of a cluster.
const MAX_THREADS: u64 = 1024;
const MAX_RANKS: u64 = 16;

/// The registers of an SM, the most of a thread, and the number that each thread gets a multiple of.
const SM_REGISTERS: u64 = 65_536;
const MAX_THREAD_REGISTERS: u64 = 256;
const REGISTER_UNIT: u64 = 8;

/// What a kernel needs of its launch, as its PTX states it.
///
/// ```
/// use ptx_sim::{Dim3, Launch, Mismatch, interfaces};
///
/// let text = ".visible .entry k() .reqntid 64 { ret; }\n// dynamic shared memory of k: 256 bytes\n";
/// let needs = interfaces(text)?[0].needs;
/// let launch = needs.complete(Dim3([4, 1, 1]), None, None, None)?;
/// assert_eq!((launch.block, launch.dynamic_shared), (Dim3([64, 1, 1]), 256));
/// let other = Launch { block: Dim3([32, 1, 1]), ..launch };
/// assert_eq!(needs.check(&other).unwrap_err().to_string(), "got blocks of 32x1x1 threads, expected 64x1x1 (`.reqntid`)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// `.reqntid`: the only block that it can be launched with.
    pub threads: Option<Dim3>,
    /// `.maxntid`: the product of the extents is the most threads of a block.
    pub max_threads: Option<Dim3>,
    /// `.reqnctapercluster`: the only cluster that it can be launched with.
    pub cluster: Option<Dim3>,
    /// `.maxnreg`: the most registers of a thread.
    pub max_registers: Option<u32>,
    /// `.minnctapersm`: the least blocks that an SM has room for.
    pub min_blocks: Option<u32>,
    /// The least bytes of dynamic shared memory, which the compiler states below the text.
    pub dynamic_shared: u32,
}

/// A launch that a kernel cannot have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Mismatch {
    /// The block is neither given nor stated.
    #[error("got no size of blocks, which the PTX does not state either")]
    NoBlock,
    /// There is nothing to launch.
    #[error("got a grid of {0} blocks, expected 1 or more of each")]
    EmptyGrid(Dim3),
    /// Blocks of a size that no GPU takes.
    #[error("got blocks of {got} threads, expected 1 to {MAX_THREADS}")]
    NoSuchBlock {
        /// The block.
        got: Dim3,
    },
    /// Blocks of another size than the kernel was compiled for.
    #[error("got blocks of {got} threads, expected {expected} (`.reqntid`)")]
    Block {
        /// The block.
        got: Dim3,
        /// The kernel's.
        expected: Dim3,
    },
    /// Blocks of more threads than the kernel was compiled for.
    #[error("got blocks of {got} threads, expected at most {} (`.maxntid`)", most.volume())]
    LargeBlock {
        /// The block.
        got: Dim3,
        /// The kernel's largest.
        most: Dim3,
    },
    /// Clusters of a size that no GPU takes.
    #[error("got clusters of {got} blocks, expected 1 to {MAX_RANKS}")]
    NoSuchCluster {
        /// The cluster.
        got: Dim3,
    },
    /// Clusters of another size than the kernel was compiled for.
    #[error("got clusters of {got} blocks, expected {expected} (`.reqnctapercluster`)")]
    Cluster {
        /// The cluster.
        got: Dim3,
        /// The kernel's.
        expected: Dim3,
    },
    /// The last clusters would have too few blocks.
    #[error("got a grid of {grid} blocks, expected a multiple of the cluster {cluster}")]
    PartialCluster {
        /// The grid.
        grid: Dim3,
        /// The cluster.
        cluster: Dim3,
    },
    /// Less shared memory than the compiler has planned.
    #[error("got {got} bytes of dynamic shared memory, expected at least {needed}")]
    DynamicShared {
        /// The bytes of the launch.
        got: u32,
        /// The bytes that the kernel uses.
        needed: u32,
    },
}

impl Needs {
    /// The registers of a thread when the kernel begins, if it executes `setmaxnreg`: those of `.maxnreg`, else what an SM has for
    /// each thread of `.minnctapersm` blocks. Without either directive, ptxas may ignore `setmaxnreg`.
    ///
    /// ```
    /// let text = ".visible .entry k() .reqntid 384 .minnctapersm 1 { ret; }";
    /// assert_eq!(ptx_sim::interfaces(text)?[0].needs.entry_registers(), Some(168));
    /// # Ok::<(), ptx_sim::ParseError>(())
    /// ```
    pub fn entry_registers(&self) -> Option<u32> {
        let shared_out = || {
            let threads = self.threads.or(self.max_threads)?.volume() * u64::from(self.min_blocks?.max(1));
            let registers = (SM_REGISTERS / threads.max(1)).min(MAX_THREAD_REGISTERS);
            u32::try_from(registers / REGISTER_UNIT * REGISTER_UNIT).ok()
        };
        self.max_registers.or_else(shared_out)
    }

    /// A launch with what the kernel states where nothing is given.
    ///
    /// # Errors
    /// As [`Needs::check`]; and where neither states the block.
    pub fn complete(
        &self,
        grid: Dim3,
        block: Option<Dim3>,
        cluster: Option<Dim3>,
        dynamic_shared: Option<u32>,
    ) -> Result<Launch, Mismatch> {
        let block = block.or(self.threads).or(self.max_threads).ok_or(Mismatch::NoBlock)?;
        let cluster = cluster.or(self.cluster);
        let launch = Launch { grid, block, cluster, dynamic_shared: dynamic_shared.unwrap_or(self.dynamic_shared) };
        self.check(&launch).map(|()| launch)
    }

    /// Checks that a launch is one that the kernel can have.
    ///
    /// # Errors
    /// The first difference: what was got, and what is expected.
    pub fn check(&self, launch: &Launch) -> Result<(), Mismatch> {
        let &Launch { grid, block, dynamic_shared, .. } = launch;
        if grid.volume() == 0 {
            return Err(Mismatch::EmptyGrid(grid));
        }
        if !(1..=MAX_THREADS).contains(&block.volume()) {
            return Err(Mismatch::NoSuchBlock { got: block });
        }
        if let Some(expected) = self.threads.filter(|&threads| threads != block) {
            return Err(Mismatch::Block { got: block, expected });
        }
        if let Some(most) = self.max_threads.filter(|most| most.volume() < block.volume()) {
            return Err(Mismatch::LargeBlock { got: block, most });
        }
        self.check_cluster(launch)?;
        match self.dynamic_shared {
            needed if dynamic_shared < needed => Err(Mismatch::DynamicShared { got: dynamic_shared, needed }),
            _ => Ok(()),
        }
    }

    fn check_cluster(&self, launch: &Launch) -> Result<(), Mismatch> {
        let cluster = launch.cluster.or(self.cluster).unwrap_or(Dim3::ONE);
        if !(1..=MAX_RANKS).contains(&cluster.volume()) {
            return Err(Mismatch::NoSuchCluster { got: cluster });
        }
        if let Some(expected) = self.cluster.filter(|&known| known != cluster) {
            return Err(Mismatch::Cluster { got: cluster, expected });
        }
        let grid = launch.grid;
        if grid.0.iter().zip(&cluster.0).any(|(blocks, ranks)| blocks % ranks != 0) {
            return Err(Mismatch::PartialCluster { grid, cluster });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDS: Needs = Needs {
        threads: Some(Dim3([64, 2, 1])),
        max_threads: None,
        cluster: Some(Dim3([2, 1, 1])),
        max_registers: None,
        min_blocks: None,
        dynamic_shared: 512,
    };

    fn refused(needs: &Needs, change: impl FnOnce(&mut Launch)) -> String {
        let mut launch = NEEDS.complete(Dim3([4, 1, 1]), None, None, None).unwrap();
        change(&mut launch);
        needs.check(&launch).unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_given_is_what_the_kernel_states() {
        let launch = NEEDS.complete(Dim3([4, 1, 1]), None, None, None).unwrap();
        assert_eq!((launch.block, launch.cluster, launch.dynamic_shared), (Dim3([64, 2, 1]), NEEDS.cluster, 512));
        assert_eq!(Needs::default().complete(Dim3::ONE, None, None, None), Err(Mismatch::NoBlock));
        let most = Needs { max_threads: Some(Dim3([32, 1, 1])), ..Needs::default() };
        assert_eq!(most.complete(Dim3::ONE, None, None, None).unwrap().block, Dim3([32, 1, 1]));
        let more = NEEDS.complete(Dim3([4, 1, 1]), None, None, Some(1024));
        assert_eq!(more.map(|launch| launch.dynamic_shared), Ok(1024));
    }

    #[test]
    fn a_wrong_launch_is_refused_with_its_numbers() {
        assert_eq!(
            refused(&NEEDS, |launch| launch.grid = Dim3([0, 1, 1])),
            "got a grid of 0x1x1 blocks, expected 1 or more of each"
        );
        // As many threads in another shape are other threads.
        assert_eq!(
            refused(&NEEDS, |launch| launch.block = Dim3([128, 1, 1])),
            "got blocks of 128x1x1 threads, expected 64x2x1 (`.reqntid`)"
        );
        assert_eq!(
            refused(&NEEDS, |launch| launch.block = Dim3([64, 32, 1])),
            "got blocks of 64x32x1 threads, expected 1 to 1024"
        );
        assert_eq!(
            refused(&NEEDS, |launch| launch.cluster = Some(Dim3([4, 1, 1]))),
            "got clusters of 4x1x1 blocks, expected 2x1x1 (`.reqnctapercluster`)"
        );
        assert_eq!(
            refused(&NEEDS, |launch| launch.grid = Dim3([3, 1, 1])),
            "got a grid of 3x1x1 blocks, expected a multiple of the cluster 2x1x1"
        );
        assert_eq!(
            refused(&NEEDS, |launch| launch.dynamic_shared = 511),
            "got 511 bytes of dynamic shared memory, expected at least 512"
        );
        let most = Needs { max_threads: Some(Dim3([8, 8, 1])), ..Needs::default() };
        assert_eq!(refused(&most, |_| ()), "got blocks of 64x2x1 threads, expected at most 64 (`.maxntid`)");
        assert_eq!(
            refused(&Needs::default(), |launch| launch.cluster = Some(Dim3([4, 4, 4]))),
            "got clusters of 4x4x4 blocks, expected 1 to 16"
        );
    }
}
