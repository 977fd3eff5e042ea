//! What is added where blocks of a cluster reach shared memory of each other.

use crate::sync::finding::Finding;
use crate::sync::insert::Work;
use crate::sync::places::{Insertion, active, behind, by_rank};
use crate::sync::program::Effect;

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
