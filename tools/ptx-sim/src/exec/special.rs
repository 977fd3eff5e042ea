//! Special registers (PTX ISA 10).

use super::cluster::Cluster;
use super::env::Env;
use super::warp::Warp;
use crate::code::{LANES, Row, Special};
use crate::memory::{BLOCK_SHIFT, LOCAL_WINDOW, SHARED_WINDOW, THREAD_SHIFT, WINDOW_SIZE};

/// The values of a special register in all lanes of a warp of the block of `rank`.
pub(crate) fn read(env: &Env<'_>, cluster: &Cluster, rank: usize, warp: &Warp, special: Special) -> Row {
    use Special::*;
    let lane = |f: fn(u32) -> u32| std::array::from_fn(|i| u64::from(f(i as u32)));
    match special {
        Tid(axis) => warp.tid[axis],
        Laneid => lane(|i| i),
        LanemaskEq => lane(|i| 1 << i),
        LanemaskLt => lane(|i| (1 << i) - 1),
        LanemaskLe => lane(|i| u32::MAX >> (31 - i)),
        LanemaskGe => lane(|i| u32::MAX << i),
        LanemaskGt => lane(|i| (u32::MAX << i) << 1 & if i == 31 { 0 } else { u32::MAX }),
        LocalWindow => std::array::from_fn(|lane| local_window(env, cluster.ctas[rank].number, warp.index, lane)),
        other => [uniform(env, cluster, rank, warp, other); LANES],
    }
}

/// The generic address of a thread's local memory. Each thread has a separate one, so that an address that reaches
/// another thread is found.
pub(crate) fn local_window(env: &Env<'_>, block: u32, warp: u32, lane: usize) -> u64 {
    let thread = (u64::from(block) * u64::from(env.warps) + u64::from(warp)) * LANES as u64 + lane as u64;
    LOCAL_WINDOW + ((thread << THREAD_SHIFT) & (WINDOW_SIZE - 1))
}

/// The generic address of a block's shared memory. Each block has a separate one, so that an address that reaches another
/// block is found.
pub(crate) fn shared_window(block: u32) -> u64 {
    SHARED_WINDOW + ((u64::from(block) << BLOCK_SHIFT) & (WINDOW_SIZE - 1))
}

/// The value of a register that is the same in all lanes of a warp.
fn uniform(env: &Env<'_>, cluster: &Cluster, rank: usize, warp: &Warp, special: Special) -> u64 {
    use Special::*;
    let shape = &env.shape;
    let cta = &cluster.ctas[rank];
    // One step counts as one nanosecond and one clock.
    let time = env.steps;
    u64::from(match special {
        Ntid(axis) => shape.block[axis],
        Ctaid(axis) => cta.id[axis],
        Nctaid(axis) => shape.grid[axis],
        Clusterid(axis) => cluster.id[axis],
        Nclusterid(axis) => shape.grid[axis] / shape.cluster[axis],
        ClusterCtaid(axis) => cta.id[axis] % shape.cluster[axis],
        ClusterNctaid(axis) => shape.cluster[axis],
        ClusterCtarank => rank as u32,
        ClusterNctarank => shape.ranks,
        IsExplicitCluster => u32::from(shape.explicit_cluster),
        Warpid => warp.index,
        Nwarpid => env.warps,
        Smid => cta.number % env.config.sm_count.max(1),
        Nsmid => env.config.sm_count,
        Clock | GlobalTimerLo => time as u32,
        ClockHi | GlobalTimerHi => (time >> 32) as u32,
        Clock64 | GlobalTimer => return time,
        SharedWindow => return shared_window(cta.number),
        TotalSmemSize | AggrSmemSize => env.shared_bytes as u32,
        DynamicSmemSize => env.config.dynamic_shared,
        WarpSize => LANES as u32,
        Environment(1) => (env.workspace >> 32) as u32,
        Environment(2) => env.workspace as u32,
        _ => 0,
    })
}
