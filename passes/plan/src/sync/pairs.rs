//! Pairs of threads that touch a common byte without order.

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::access::Through;
use crate::sync::finding::Example;
use crate::sync::groups::{Groups, bits};
use crate::sync::known::Observers;

/// The search for unordered pairs of threads in two accesses.
pub(super) struct Pairs<'k> {
    known: &'k Observers,
    groups: &'k Groups,
    /// The fence that the second access needs besides a barrier.
    through: Through,
    /// The threads that have observed the access, by the warp of its issuing threads: first without, then through a
    /// fence. Filled on demand.
    informed: [[Option<ThreadSet>; MAX_WARPS]; 2],
    /// The pairs found.
    pub unordered: Option<UnorderedPairs>,
}

/// The threads of the second access that touch a byte that issuing threads of one warp touch, too.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Others {
    /// All of them.
    pub all: ThreadSet,
    /// Those that touch a byte that another thread of the warp touches.
    pub of_others: ThreadSet,
    /// Those that touch a byte that is touched by another thread, in either access.
    pub shared: ThreadSet,
}

impl Others {
    pub fn add(&mut self, more: &Others) {
        self.all = self.all.union(&more.all);
        self.of_others = self.of_others.union(&more.of_others);
        self.shared = self.shared.union(&more.shared);
    }
}

/// A summary of all pairs found.
#[derive(Clone, Debug)]
pub(super) struct UnorderedPairs {
    /// The first pair.
    pub example: Option<Example>,
    /// The threads of all pairs.
    pub threads: ThreadSet,
    /// The second threads of all pairs.
    pub others: ThreadSet,
    /// The warps of the first threads.
    pub issuers: u32,
    /// Whether both threads are of one warp, in each pair.
    pub within_warps: bool,
    /// Whether both are the same thread, in each pair.
    pub alone: bool,
    /// Whether only a fence is missing, in each pair.
    pub only_fence: bool,
}

impl<'k> Pairs<'k> {
    pub fn new(groups: &'k Groups, known: &'k Observers, through: Through) -> Self {
        Pairs { known, groups, through, informed: [[None; MAX_WARPS]; 2], unordered: None }
    }

    /// Whether no pair of threads that touch a common byte is unordered, given these threads by the warp of the issuing
    /// threads.
    pub fn are_ordered(&mut self, warps: &[(usize, Others)]) -> bool {
        warps.iter().all(|(warp, others)| {
            let fences: &[bool] = if self.through == Through::Nothing { &[false] } else { &[false, true] };
            fences.iter().all(|&fence| {
                let others = if self.knows_own(*warp, fence) { &others.of_others } else { &others.all };
                others.is_subset(self.informed(*warp, fence))
            })
        })
    }

    /// Adds the unordered pairs among threads that touch a byte; returns whether there are any. With `ordered_by_pipe`,
    /// accesses of one thread take place in program order, however they complete.
    pub fn look(&mut self, issuers: &ThreadSet, others: &ThreadSet, byte: Option<i64>, ordered_by_pipe: bool) -> bool {
        let mut any = false;
        for warp in bits(issuers.warps()) {
            let of_warp = issuers.intersect(&ThreadSet::of_warps(1 << warp));
            let threads = (&of_warp, others);
            any |= self.pair(warp, threads, byte, (ordered_by_pipe, false));
            any |= self.through != Through::Nothing && self.pair(warp, threads, byte, (ordered_by_pipe, true));
        }
        any
    }

    fn pair(
        &mut self,
        warp: usize,
        (issuers, others): (&ThreadSet, &ThreadSet),
        byte: Option<i64>,
        (ordered_by_pipe, fence): (bool, bool),
    ) -> bool {
        let mut rest = others.without(self.informed(warp, fence));
        let knows = ordered_by_pipe || self.knows_own(warp, fence);
        if knows && issuers.len() == 1 {
            rest = rest.without(issuers);
        }
        let Some(second) = rest.iter().next() else { return false };
        let differs = |first: &i64| !knows || *first != second;
        let Some(first) = issuers.iter().find(differs) else { return false };
        self.note(warp, issuers, &rest, byte.map(|byte| Example { first, second, byte }), fence);
        true
    }

    /// The threads that have observed what the issuing threads of a warp did, with or without a fence.
    fn informed(&mut self, warp: usize, fence: bool) -> &ThreadSet {
        let row = if fence { self.known.fenced[warp] } else { self.known.rows[warp] };
        let groups = self.groups;
        self.informed[usize::from(fence)][warp].get_or_insert_with(|| groups.members(row))
    }

    /// Whether each issuing thread of a warp has observed its own access.
    fn knows_own(&self, warp: usize, fence: bool) -> bool {
        let observed = match (fence, self.through) {
            (true, Through::Proxy) => self.known.own_seen & self.known.own_fence,
            // Waits are those of whole warps: if a thread has waited for its access, its warp is in the row.
            (true, Through::Tensor) => 0,
            _ => self.known.own_seen,
        };
        observed >> warp & 1 == 1
    }

    fn note(&mut self, warp: usize, issuers: &ThreadSet, rest: &ThreadSet, example: Option<Example>, fence: bool) {
        let alone = issuers.len() == 1 && issuers == rest;
        let within = rest.warps() & !(1 << warp) == 0;
        let threads = issuers.union(rest);
        let pairs = self.unordered.get_or_insert(UnorderedPairs {
            example,
            threads: ThreadSet::new(),
            others: ThreadSet::new(),
            issuers: 0,
            within_warps: true,
            alone: true,
            only_fence: true,
        });
        pairs.threads = pairs.threads.union(&threads);
        pairs.others = pairs.others.union(rest);
        pairs.issuers |= 1 << warp;
        pairs.within_warps &= within;
        pairs.alone &= alone;
        pairs.only_fence &= fence;
    }
}
