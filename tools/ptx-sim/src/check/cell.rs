//! One cell of shadow memory: the last write, and the later accesses after which the next write must be ordered.

use super::overflow::Overflow;
use super::record::{Accessor, Conflict, Record, Strength, UNFINISHED, join, merged};
use super::{Agent, Agents, Clock};

/// The accesses to some bytes that have all been accessed alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cell {
    last: Record,
    /// One access since then, and the number of the list with the other ones; 0 for none.
    other: Record,
    more: u32,
    synchronizes: bool,
}

impl Cell {
    /// The number of its list.
    pub(super) fn more(&self) -> u32 {
        self.more
    }

    pub(crate) fn mark(&mut self) {
        self.synchronizes = true;
    }

    pub(crate) fn finish(&mut self, agents: Agents, lane: u8, time: u32, overflow: &mut Overflow) {
        let is_its =
            |record: &Record| record.agents == agents && record.lanes == 1 << lane && record.time == UNFINISHED;
        let finish = |record: &mut Record| record.time = if is_its(record) { time } else { record.time };
        [&mut self.last, &mut self.other].into_iter().for_each(finish);
        if overflow.records(self.more).iter().any(is_its) {
            overflow.records_mut(&mut self.more).iter_mut().for_each(finish);
        }
    }

    pub(crate) fn look(&self, who: &Accessor<'_>) -> Result<(), Conflict> {
        match self.last.conflicting(who) {
            0 => Ok(()),
            lanes => Err(self.last.conflict(lanes)),
        }
    }

    /// The last write, if a clock does not know it.
    pub(crate) fn unseen(&self, by: &Clock) -> Option<Conflict> {
        let lanes = by.unknown(self.last.agents, self.last.lanes, self.last.time);
        (lanes != 0).then(|| self.last.conflict(lanes))
    }

    pub(crate) fn read(&mut self, who: &Accessor<'_>, overflow: &mut Overflow) -> Result<(), Conflict> {
        let lanes = self.last.conflicting(who);
        if lanes != 0 {
            return Err(self.last.conflict(lanes).read_by(who));
        }
        if who.proxy != 0 {
            self.check_proxy(who)?;
        }
        if self.other.lanes != 0 {
            for record in std::iter::once(&self.other).chain(overflow.records(self.more)).filter(|r| r.write) {
                let lanes = record.conflicting(who);
                if lanes != 0 {
                    return Err(record.conflict(lanes).read_by(who));
                }
            }
        }
        self.note(Record::of(who, false), who, overflow);
        Ok(())
    }

    /// Checks that a generic write is visible to the asynchronous proxy through a proxy fence.
    fn check_proxy(&self, who: &Accessor<'_>) -> Result<(), Conflict> {
        let last = &self.last;
        let hidden = last.lanes != 0 && who.know.proxy.unknown(last.agents, last.lanes, last.time) != 0;
        if hidden && Agent::of(last.agents.warp, who.proxy).0.is_generic() {
            return Err(Conflict { proxy: true, ..last.conflict(last.lanes) });
        }
        Ok(())
    }

    pub(crate) fn write(&mut self, who: &Accessor<'_>, overflow: &mut Overflow) -> Result<bool, Conflict> {
        let mut kept = None;
        let lanes = self.last.conflicting(who);
        if lanes != 0 {
            return Err(self.last.conflict(lanes));
        }
        if who.proxy != 0 {
            self.check_proxy(who)?;
        }
        let weak = who.strength == Strength::WEAK;
        // An access after a weak write must be ordered after it, and so after everything that the write is ordered
        // after. A strong access after a strong write need not be: weak accesses, and those that this write is not
        // ordered after, are therefore kept.
        if !weak && self.last.outlives(who) {
            kept = Some(self.last);
        }
        if self.other.lanes != 0 {
            for record in std::iter::once(&self.other).chain(overflow.records(self.more)) {
                let lanes = record.conflicting(who);
                if lanes != 0 {
                    return Err(record.conflict(lanes));
                }
            }
            if weak {
                overflow.release(self.more);
                self.other = Record::default();
                self.more = 0;
            } else {
                self.drop_ordered(who, overflow);
            }
        }
        self.last = self.last.written_by(who);
        if let Some(earlier) = kept {
            self.insert(earlier, overflow);
        }
        Ok(weak && std::mem::take(&mut self.synchronizes))
    }

    /// Drops the records that `who`'s strong write makes redundant.
    fn drop_ordered(&mut self, who: &Accessor<'_>, overflow: &mut Overflow) {
        if !overflow.records(self.more).iter().all(|r| r.outlives(who)) {
            overflow.records_mut(&mut self.more).retain(|r| r.outlives(who));
        }
        if !self.other.outlives(who) {
            let list = if self.more == 0 { None } else { overflow.records_mut(&mut self.more).pop() };
            self.other = list.unwrap_or_default();
        }
        if self.more != 0 && overflow.records(self.more).is_empty() {
            overflow.release(self.more);
            self.more = 0;
        }
    }

    /// Adds a read, to an existing record of its warp if possible.
    fn note(&mut self, record: Record, who: &Accessor<'_>, overflow: &mut Overflow) {
        let other = &mut self.other;
        // A read of constant bytes must be kept: a weak read does not replace it.
        let replaces = other.strength == record.strength || record.strength.is_weak() && !other.constant();
        if other.lanes == 0 || (!other.write && self.more == 0 && replaces && other.unordered(who) == 0) {
            *other = merged(*other, record);
            return;
        }
        // Older accesses of the same lanes are covered by this one.
        if self.more != 0 {
            let list = overflow.records_mut(&mut self.more);
            list.iter_mut().filter(|r| r.alike(&record) && r.time < record.time).for_each(|r| r.lanes &= !record.lanes);
            list.retain(|r| r.lanes != 0);
            if join(other, &record) || list.iter_mut().any(|r| join(r, &record)) {
                return;
            }
        } else if join(other, &record) {
            return;
        }
        self.insert(record, overflow);
    }

    fn insert(&mut self, record: Record, overflow: &mut Overflow) {
        if self.other.lanes == 0 {
            self.other = record;
        } else {
            overflow.records_mut(&mut self.more).push(record);
        }
    }
}
