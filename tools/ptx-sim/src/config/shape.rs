//! The shape of a launch, checked against what the kernel requires.

use super::LaunchConfig;
use crate::code::Kernel;

/// The checked shape of a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) cluster: [u32; 3],
    /// Threads of a block.
    pub(crate) threads: u32,
    /// Blocks of a cluster.
    pub(crate) ranks: u32,
    /// Clusters of the grid.
    pub(crate) clusters: u32,
    pub(crate) explicit_cluster: bool,
}

fn volume(d: [u32; 3]) -> u64 {
    d.iter().fold(1u64, |n, &x| n.saturating_mul(x.into()))
}

impl Shape {
    pub(crate) fn new(kernel: &Kernel, config: &LaunchConfig) -> Result<Self, String> {
        let cluster = config.cluster.or(kernel.bounds.cluster).unwrap_or([1; 3]);
        let (threads, ranks) = (volume(config.block), volume(cluster));
        if threads == 0 || threads > 1024 {
            return Err(format!("got {threads} threads in a block, expected 1 to 1024"));
        }
        if ranks == 0 || ranks > 16 {
            return Err(format!("got {ranks} blocks in a cluster, expected 1 to 16"));
        }
        if let Some(required) = kernel.bounds.threads.filter(|&r| volume(r) != threads) {
            return Err(format!("got blocks of {:?} threads, `.reqntid` is {required:?}", config.block));
        }
        if let Some(most) = kernel.bounds.max_threads.filter(|&m| volume(m) < threads) {
            return Err(format!("got blocks of {:?} threads, `.maxntid` is {most:?}", config.block));
        }
        if let Some(required) = kernel.bounds.cluster.filter(|&r| r != cluster) {
            return Err(format!("got clusters of {cluster:?} blocks, `.reqnctapercluster` is {required:?}"));
        }
        if config.grid.iter().zip(&cluster).any(|(g, c)| g % c != 0) {
            return Err(format!("a grid of {:?} blocks is not a multiple of the cluster {cluster:?}", config.grid));
        }
        let blocks = volume(config.grid);
        if blocks == 0 || blocks > 1 << 24 {
            return Err(format!("got {blocks} blocks, expected 1 to 2^24"));
        }
        let explicit_cluster = config.cluster.is_some() || kernel.bounds.cluster.is_some();
        let (threads, ranks) = (threads as u32, ranks as u32);
        let clusters = (blocks / u64::from(ranks)) as u32;
        Ok(Self { grid: config.grid, block: config.block, cluster, threads, ranks, clusters, explicit_cluster })
    }
}
