//! Pairs of threads that touch a byte without order.

use crate::problem::threads::{MAX_WARPS, ThreadSet};
use crate::sync::finding::Example;
use crate::sync::groups::{Groups, bits};
use crate::sync::known::Known;
use crate::sync::program::Through;

/// Looks for pairs of threads.
pub(super) struct Pairs<'k> {
    known: &'k Known,
    groups: &'k Groups,
    /// What the second access needs besides threads that meet.
    through: Through,
    /// Who knows of the access of each warp; the second through a fence.
    informed: [[Option<ThreadSet>; MAX_WARPS]; 2],
    /// What was found.
    pub found: Option<Unordered>,
}

/// All pairs that were found.
#[derive(Clone, Debug)]
pub(super) struct Unordered {
    /// The first one.
    pub example: Option<Example>,
    /// Who is in some pair.
    pub threads: ThreadSet,
    /// The second ones.
    pub others: ThreadSet,
    /// The warps of the first ones.
    pub makers: u32,
    /// Are both of one warp, in each pair?
    pub within_warps: bool,
    /// Are both one thread, in each pair?
    pub alone: bool,
    /// Is it but a fence that is missing, in each pair?
    pub only_fence: bool,
}

impl<'k> Pairs<'k> {
    pub fn new(groups: &'k Groups, known: &'k Known, through: Through) -> Self {
        Pairs { known, groups, through, informed: [[None; MAX_WARPS]; 2], found: None }
    }

    /// Looks at threads that touch a byte; did it find a pair? `in_line`: accesses of one thread are made in its order, however
    /// they are completed.
    pub fn look(&mut self, makers: &ThreadSet, others: &ThreadSet, byte: Option<i64>, in_line: bool) -> bool {
        let mut any = false;
        for warp in bits(makers.warps()) {
            let own = makers.intersect(&ThreadSet::of_warps(1 << warp));
            let threads = (&own, others);
            any |= self.pair(warp, threads, byte, (in_line, false));
            any |= self.through != Through::Nothing && self.pair(warp, threads, byte, (in_line, true));
        }
        any
    }

    fn pair(
        &mut self,
        warp: usize,
        (makers, others): (&ThreadSet, &ThreadSet),
        byte: Option<i64>,
        (in_line, fence): (bool, bool),
    ) -> bool {
        let row = if fence { self.known.fenced[warp] } else { self.known.rows[warp] };
        let groups = self.groups;
        let informed = self.informed[usize::from(fence)][warp].get_or_insert_with(|| groups.members(row));
        let mut rest = others.without(informed);
        // A thread knows what it has done.
        let own = match (fence, self.through) {
            (true, Through::Proxy) => self.known.own & self.known.own_fence,
            // Who has waited for its own has all of its warp informed.
            (true, Through::Tensor) => 0,
            _ => self.known.own,
        };
        let knows = in_line || own >> warp & 1 == 1;
        if knows && makers.len() == 1 {
            rest = rest.without(makers);
        }
        let Some(second) = rest.iter().next() else { return false };
        let differs = |first: &i64| !knows || *first != second;
        let Some(first) = makers.iter().find(differs) else { return false };
        self.note(warp, makers, &rest, byte.map(|byte| Example { first, second, byte }), fence);
        true
    }

    fn note(&mut self, warp: usize, makers: &ThreadSet, rest: &ThreadSet, example: Option<Example>, fence: bool) {
        let alone = makers.len() == 1 && makers == rest;
        let within = rest.warps() & !(1 << warp) == 0;
        let threads = makers.union(rest);
        let found = self.found.get_or_insert(Unordered {
            example,
            threads: ThreadSet::new(),
            others: ThreadSet::new(),
            makers: 0,
            within_warps: true,
            alone: true,
            only_fence: true,
        });
        found.threads = found.threads.union(&threads);
        found.others = found.others.union(rest);
        found.makers |= 1 << warp;
        found.within_warps &= within;
        found.alone &= alone;
        found.only_fence &= fence;
    }
}
