//! The diagnosis when no thread can run.

use super::cluster::{Cluster, Cta};
use super::env::Env;
use super::problem::{Problem, problem};
use super::warp::{Path, WarpState};
use crate::fault::{FaultKind, Waiting};

/// The most waiting paths that a message lists.
const LISTED: usize = 16;

/// Explains why no warp of any resident block can run.
pub(crate) fn explain(env: &Env<'_>, clusters: &[Option<Box<Cluster>>], active: &[usize]) -> Box<Problem> {
    let mut waiting = Vec::new();
    let (mut spins, mut converges, mut total) = (false, false, 0);
    for &index in active {
        let Some(cluster) = &clusters[index] else { continue };
        for cta in &cluster.ctas {
            for warp in &cta.warps {
                for path in &warp.paths {
                    spins |= matches!(path.state, WarpState::Spin { .. });
                    converges |= matches!(path.state, WarpState::Converge { .. });
                    total += 1;
                    if waiting.len() < LISTED {
                        waiting.push(describe(env, cta, warp.index, path));
                    }
                }
            }
        }
    }
    let (kind, what) = match (spins, converges) {
        (true, _) => (
            FaultKind::Livelock,
            "threads repeat the same steps and no thread is left that could change what they read",
        ),
        (_, true) => (FaultKind::BarrierDivergence, "lanes wait for lanes of their warp that wait elsewhere"),
        _ => (FaultKind::Deadlock, "every thread waits"),
    };
    let mut p = problem(kind, format!("{what} ({total} groups of lanes wait, {} are listed)", waiting.len()));
    p.waiting = waiting;
    p
}

fn describe(env: &Env<'_>, cta: &Cta, warp: u32, path: &Path) -> Waiting {
    let (number, free_registers) = (cta.number, cta.free_registers);
    let (back, reason) = match path.state {
        WarpState::Ready => (0, "could run".to_string()),
        WarpState::Converge { need } => {
            (0, format!("waits for lanes {:#010x} of its warp to reach this instruction", need & !path.mask))
        }
        WarpState::Barrier { id, .. } => (1, format!("waits at barrier {id} of the block")),
        WarpState::Cluster { .. } => (1, "waits at the barrier of the cluster".to_string()),
        WarpState::Spin { .. } => (0, "polls memory that no thread changes".to_string()),
        WarpState::Stopped => (0, "has been stopped".to_string()),
        WarpState::Columns { .. } => (0, "waits for columns of tensor memory".to_string()),
        WarpState::Registers { .. } => {
            (0, format!("waits for registers, of which the block has {free_registers} free (`setmaxnreg`)"))
        }
    };
    let at = path.pc.saturating_sub(back);
    Waiting {
        thread: env.thread(number, warp, path.mask.trailing_zeros() as usize),
        lanes: path.mask.count_ones(),
        line: env.program.info[at as usize].line,
        location: env.program.source(at).cloned(),
        reason,
    }
}
