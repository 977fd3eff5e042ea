//! What is added for some memories: barriers and fences where blocks of a cluster reach shared memory of each other, and waits and
//! fences of `tcgen05` in front of barriers that are there already.

use crate::sync::check::check;
use crate::sync::finding::{Conflict, Finding, Needs};
use crate::sync::insert::Work;
use crate::sync::places::{Insertion, active, behind, by_rank, order, put};
use crate::sync::program::{Effect, Op, Program};

impl Work {
    /// All threads of the cluster wait for each other, before an operation or what is so many levels around it or more.
    pub fn add_cluster_barrier(&mut self, (before, least): (usize, usize)) -> bool {
        let least = least.max(by_rank(&self.program.body, before));
        self.add((before, least), Effect::ClusterBarrier, Some(self.program.block))
    }

    /// Blocks wait until others have begun, and for others before they end.
    pub fn alive(&mut self, findings: &[Finding]) -> bool {
        let outside = findings.iter().find_map(|finding| match finding {
            Finding::Outside(of) => Some((of.at.0, of.ended)),
            Finding::NeverWaited { op, queue: None, .. } if self.program.cluster.is_some() => Some((*op, true)),
            _ => None,
        });
        match outside {
            Some((op, false)) => self.add_cluster_barrier((op, 0)),
            Some((_, true)) => self.program.end.is_some_and(|end| self.add_cluster_barrier((end, 0))),
            None => false,
        }
    }

    /// Lets other blocks use an mbarrier, by a fence right behind where it is made, before what else is put there.
    pub fn publish(&mut self, init: usize) -> bool {
        let Some(place) = behind(&self.program.body, self.originals, init) else { return false };
        let put = self.made.iter().find(|(op, _)| *op == place.0).map(|(_, it)| (it.before, it.out));
        let (before, out) = put.unwrap_or(place);
        let reached =
            active(&self.program, before).and_then(|levels| *levels.get(levels.len().checked_sub(1 + out)?)?);
        let Some(active) = reached else { return false };
        let insertion = Insertion { before, out, effect: Effect::MbarrierFence, active };
        if self.made.iter().any(|(_, made)| *made == insertion) {
            return false;
        }
        self.make(insertion);
        true
    }
}

impl Work {
    /// Puts a wait or a fence right before a barrier at which the threads of a conflict meet, if they need no other one then.
    pub(super) fn put_at_barrier(&mut self, conflict: &Conflict, effect: &Effect) -> bool {
        let order = order(&self.program);
        let (first, second) = (order[conflict.first.0], order[conflict.second.0]);
        let meets = |op: &usize| {
            let between = conflict.carried.is_some() || first < order[*op] && order[*op] < second;
            let of = &self.program.ops[*op].effects;
            between && of.iter().any(|it| matches!(it, Effect::Barrier | Effect::WarpBarrier))
        };
        let mut barriers: Vec<usize> = (0..self.program.ops.len()).filter(meets).collect();
        barriers.sort_by_key(|&op| order[op]);
        let makers = self.makers(conflict);
        for barrier in barriers {
            let Some(insertion) = self.placed((barrier, 0), effect.clone(), Some(makers)) else { continue };
            // Among the additions before the same operation, this one is in front of the barrier.
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

/// Does a conflict still lack what an effect is, or a barrier?
fn is_open(program: &Program, conflict: &Conflict, effect: &Effect) -> bool {
    let fences = *effect == Effect::TensorFence { before: true };
    let lacks = |needs: &Needs| match needs {
        Needs::TensorFence { before, threads } => threads.is_some() || fences && *before,
        Needs::Group { .. } | Needs::Barrier(_) => true,
        _ => false,
    };
    check(program)
        .iter()
        .filter_map(Finding::conflict)
        .any(|it| (it.first, it.second) == (conflict.first, conflict.second) && lacks(&it.needs))
}
