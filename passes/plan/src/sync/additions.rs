//! Insertions for special memories: barriers and fences for blocks of a cluster that access each other's shared memory,
//! and waits and fences of `tcgen05` before existing barriers.

use crate::sync::finding::{Conflict, Finding, Needs};
use crate::sync::insert::Work;
use crate::sync::places::{Insertion, active, behind, by_rank, order, put};
use crate::sync::program::{Effect, Op, SyncProgram};
use crate::sync::proved::check;

impl Work {
    /// Inserts a barrier of the cluster before an operation, at least `least` levels out, and outside all branches that
    /// the rank decides.
    pub fn add_cluster_barrier(&mut self, (before, least): (usize, usize)) -> bool {
        let least = least.max(by_rank(&self.program.body, before));
        self.add((before, least), Effect::ClusterBarrier, Some(self.program.block))
    }

    /// Inserts barriers of the cluster so that blocks have started before others access their memory, and do not end
    /// before these accesses are complete.
    pub fn alive(&mut self, findings: &[Finding]) -> bool {
        let outside = findings.iter().find_map(|finding| match finding {
            Finding::Outside(outside) => Some((outside.at.0, outside.ended)),
            Finding::NeverWaited { op, queue: None, .. } if self.program.cluster.is_some() => Some((*op, true)),
            _ => None,
        });
        match outside {
            Some((op, false)) => self.add_cluster_barrier((op, 0)),
            Some((_, true)) => self.program.end.is_some_and(|end| self.add_cluster_barrier((end, 0))),
            None => false,
        }
    }

    /// Inserts the fence that lets other blocks use an mbarrier: right after its initialization, before other
    /// insertions there.
    pub fn publish(&mut self, init: usize) -> bool {
        let Some(place) = behind(&self.program.body, self.originals, init) else { return false };
        let put =
            self.made.iter().find(|(op, _)| *op == place.0).map(|(_, insertion)| (insertion.before, insertion.out));
        let (before, out) = put.unwrap_or(place);
        let reached =
            active(&self.program, before).and_then(|levels| *levels.get(levels.len().checked_sub(1 + out)?)?);
        let Some(reached) = reached.filter(|level| level.together >= Effect::MbarrierFence.needs()) else {
            return false;
        };
        let insertion = Insertion { before, out, effect: Effect::MbarrierFence, active: reached.threads };
        if self.made.iter().any(|(_, made)| *made == insertion) {
            return false;
        }
        self.make(insertion);
        true
    }
}

impl Work {
    /// Inserts a wait or a fence right before an existing barrier at which the threads of a conflict meet, if they then
    /// need no further barrier.
    pub(super) fn put_at_barrier(&mut self, conflict: &Conflict, effect: &Effect) -> bool {
        let order = order(&self.program);
        let (first, second) = (order[conflict.first.0], order[conflict.second.0]);
        let meets = |op: &usize| {
            let between = conflict.carried.is_some() || first < order[*op] && order[*op] < second;
            let effects = &self.program.ops[*op].effects;
            between && effects.iter().any(|effect| matches!(effect, Effect::Barrier | Effect::WarpBarrier))
        };
        let mut barriers: Vec<usize> = (0..self.program.ops.len()).filter(meets).collect();
        barriers.sort_by_key(|&op| order[op]);
        let issuers = self.issuing_threads(conflict);
        for barrier in barriers {
            let Some(insertion) = self.placed((barrier, 0), effect.clone(), Some(issuers)) else { continue };
            // If the barrier is itself an insertion, this one goes before it among those at the same point.
            let place = self.made.iter().position(|(op, _)| *op == barrier);
            let insertion = match place {
                Some(place) if insertion.out == 0 => {
                    let Insertion { before, out, .. } = self.made[place].1;
                    Insertion { before, out, ..insertion }
                }
                Some(_) => continue,
                None => insertion,
            };
            let mut changed = self.program.clone();
            let op = changed.ops.len();
            changed.ops.push(Op {
                active: insertion.active,
                exact: true,
                accesses: Vec::new(),
                effects: vec![insertion.effect.clone()],
            });
            let anchor = if place.is_some() { (barrier, 0) } else { (insertion.before, insertion.out) };
            put(&mut changed.body, anchor.0, anchor.1, op);
            if !is_open(&changed, conflict, effect) {
                self.program = changed;
                self.made.insert(place.unwrap_or(self.made.len()), (op, insertion));
                return true;
            }
        }
        false
    }
}

/// Whether a conflict still lacks the given effect, or a barrier.
fn is_open(program: &SyncProgram, conflict: &Conflict, effect: &Effect) -> bool {
    let fences = *effect == Effect::TensorFence { before: true };
    let lacks = |needs: &Needs| match needs {
        Needs::TensorFence { before, threads } => threads.is_some() || fences && *before,
        Needs::Group { .. } | Needs::Barrier(_) => true,
        _ => false,
    };
    check(program)
        .iter()
        .filter_map(Finding::conflict)
        .any(|other| (other.first, other.second) == (conflict.first, conflict.second) && lacks(&other.needs))
}
