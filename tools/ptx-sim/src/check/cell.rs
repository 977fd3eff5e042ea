//! One cell of shadow memory: the last write, and the accesses since then that a later write must follow.

use super::location::inclusive;
use super::{Agents, Know};
use crate::code::Scope;

/// The time of an asynchronous access that has not finished: nobody knows it.
pub(crate) const UNFINISHED: u32 = u32::MAX;

/// Whether an access is strong, and how: 0, or scope and size. Equal sizes at overlapping aligned places overlap fully.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Strength(u8);

impl Strength {
    pub(crate) const WEAK: Self = Self(0);

    pub(crate) fn strong(scope: Scope, bytes: u32) -> Self {
        Self(1 + scope as u8 | (bytes.max(1).ilog2() as u8) << 4)
    }

    fn scope(self) -> Option<Scope> {
        match self.0 & 7 {
            0 => None,
            1 => Some(Scope::Cta),
            2 => Some(Scope::Cluster),
            3 => Some(Scope::Gpu),
            _ => Some(Scope::Sys),
        }
    }

    /// Whether accesses of these strengths by these blocks are morally strong (PTX ISA 8.7.1).
    fn with(self, block: u32, other: Self, other_block: u32, cluster: u32) -> bool {
        match (self.scope(), other.scope()) {
            (Some(a), Some(b)) => self.0 >> 4 == other.0 >> 4 && inclusive((block, a), (other_block, b), cluster),
            _ => false,
        }
    }
}

/// Who accesses, and what it knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accessor<'a> {
    know: &'a Know,
    agents: Agents,
    lane: u8,
    time: u32,
    strength: Strength,
    /// Index of the instruction.
    at: u32,
    /// Blocks in a cluster.
    cluster: u32,
    /// The access is one of the asynchronous proxy, which sees generic writes only behind a proxy fence: the number of
    /// warps in a block, to tell threads from agents. Otherwise 0.
    proxy: u32,
    /// The thread on whose behalf an agent acts: its own earlier accesses are ordered before.
    issuer: Option<(Agents, u8)>,
}

impl<'a> Accessor<'a> {
    pub(crate) fn new(
        know: &'a Know,
        agents: Agents,
        lane: u8,
        time: u32,
        strength: Strength,
        at: u32,
        cluster: u32,
    ) -> Self {
        Self { know, agents, lane, time, strength, at, cluster, proxy: 0, issuer: None }
    }

    /// An access that an agent makes for a thread; `proxy` is the number of warps in a block where the access is one of
    /// the asynchronous proxy, else 0.
    pub(crate) fn on_behalf(self, issuer: Agents, lane: u8, proxy: u32) -> Self {
        Self { issuer: Some((issuer, lane)), proxy, ..self }
    }

    /// The lanes of `agents` whose accesses are in program order with this one. Copies are ordered with what their
    /// issuer did before, but not with each other.
    fn own(&self, agents: Agents) -> u32 {
        let (me, lane) = self.issuer.unwrap_or((self.agents, self.lane));
        if me == agents { 1 << lane } else { 0 }
    }
}

/// Lanes of a warp that accessed a cell with one instruction or more at one time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Record {
    agents: Agents,
    strength: Strength,
    write: bool,
    /// None: an empty record.
    lanes: u32,
    time: u32,
    at: u32,
}

impl Record {
    fn of(who: &Accessor<'_>, write: bool) -> Self {
        let Accessor { agents, strength, time, at, .. } = *who;
        Self { agents, strength, write, lanes: 1 << who.lane, time, at }
    }

    /// The lanes whose access `who` cannot be sure of.
    fn unordered(&self, who: &Accessor<'_>) -> u32 {
        let mask = self.lanes & !who.own(self.agents);
        if mask == 0 || self.time == UNFINISHED { mask } else { who.know.data.unknown(self.agents, mask, self.time) }
    }

    /// The lanes that conflict with `who`'s access: not ordered before it, and not strong together with it.
    fn conflicting(&self, who: &Accessor<'_>) -> u32 {
        if self.lanes == 0 {
            return 0;
        }
        let strong = self.strength.with(self.agents.block, who.strength, who.agents.block, who.cluster);
        if strong { 0 } else { self.unordered(who) }
    }

    /// Whether later accesses must be compared with this one although `who` writes strongly now.
    fn outlives(&self, who: &Accessor<'_>) -> bool {
        self.lanes != 0 && (self.strength == Strength::WEAK || self.unordered(who) != 0)
    }

    /// Whether an access is of the same agents, kind and strength.
    fn alike(&self, other: &Self) -> bool {
        (self.agents, self.strength, self.write) == (other.agents, other.strength, other.write)
    }

    fn conflict(&self, lanes: u32) -> Conflict {
        let (agents, write, at) = (self.agents, self.write, self.at);
        let unfinished = self.time == UNFINISHED;
        Conflict { agents, lane: lanes.trailing_zeros() as u8, write, at, unfinished, proxy: false }
    }
}

/// The earlier access of a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) agents: Agents,
    pub(crate) lane: u8,
    pub(crate) write: bool,
    /// Index of its instruction.
    pub(crate) at: u32,
    pub(crate) unfinished: bool,
    /// It is ordered, but no proxy fence makes it visible to an asynchronous copy.
    pub(crate) proxy: bool,
}

/// Lists of records that do not fit into their cell.
#[derive(Debug, Default)]
pub(crate) struct Overflow {
    lists: Vec<Vec<Record>>,
    free: Vec<u32>,
}

impl Overflow {
    fn add(&mut self, list: u32, record: Record) -> u32 {
        if list != 0 {
            self.lists[list as usize - 1].push(record);
            return list;
        }
        match self.free.pop() {
            Some(list) => {
                self.lists[list as usize - 1].push(record);
                list
            }
            None => {
                self.lists.push(vec![record]);
                self.lists.len() as u32
            }
        }
    }

    fn list(&self, list: u32) -> &[Record] {
        if list == 0 { &[] } else { &self.lists[list as usize - 1] }
    }

    fn release(&mut self, list: u32) {
        if list != 0 {
            self.lists[list as usize - 1].clear();
            self.free.push(list);
        }
    }
}

/// What happened to some bytes, all alike.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cell {
    last: Record,
    /// One access since, and the number of the list that has the others; 0 is none.
    other: Record,
    more: u32,
    synchronizes: bool,
}

impl Cell {
    /// A copy that has its own list.
    pub(crate) fn duplicate(&self, overflow: &mut Overflow) -> Self {
        let mut copy = Self { more: 0, ..*self };
        for i in 0..overflow.list(self.more).len() {
            let record = overflow.list(self.more)[i];
            copy.more = overflow.add(copy.more, record);
        }
        copy
    }

    pub(crate) fn mark(&mut self) {
        self.synchronizes = true;
    }

    pub(crate) fn finish(&mut self, agents: Agents, lane: u8, time: u32, overflow: &mut Overflow) {
        let list = if self.more == 0 { &mut [][..] } else { &mut overflow.lists[self.more as usize - 1][..] };
        for record in [&mut self.last, &mut self.other].into_iter().chain(list) {
            if record.agents == agents && record.lanes == 1 << lane && record.time == UNFINISHED {
                record.time = time;
            }
        }
    }

    pub(crate) fn read(&mut self, who: &Accessor<'_>, overflow: &mut Overflow) -> Result<(), Conflict> {
        let lanes = self.last.conflicting(who);
        if lanes != 0 {
            return Err(self.last.conflict(lanes));
        }
        if who.proxy != 0 {
            self.check_proxy(who)?;
        }
        if self.other.lanes != 0 {
            for record in std::iter::once(&self.other).chain(overflow.list(self.more)).filter(|r| r.write) {
                let lanes = record.conflicting(who);
                if lanes != 0 {
                    return Err(record.conflict(lanes));
                }
            }
        }
        self.note(Record::of(who, false), who, overflow);
        Ok(())
    }

    /// A generic write must be known through a proxy fence.
    fn check_proxy(&self, who: &Accessor<'_>) -> Result<(), Conflict> {
        let last = &self.last;
        let generic = last.lanes != 0 && who.know.proxy.unknown(last.agents, last.lanes, last.time) != 0;
        let by_thread = u32::from(last.agents.warp) < who.proxy;
        if generic && by_thread {
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
        let weak = who.strength == Strength::WEAK;
        // Whoever touches the bytes after a weak write must follow it, and so all that it follows. After a strong one a
        // strong access need not: what was weak, and what this write does not follow, still counts.
        if !weak && self.last.outlives(who) {
            kept = Some(self.last);
        }
        if self.other.lanes != 0 {
            for record in std::iter::once(&self.other).chain(overflow.list(self.more)) {
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
        self.last = Record::of(who, true);
        if let Some(earlier) = kept {
            self.insert(earlier, overflow);
        }
        Ok(weak && std::mem::take(&mut self.synchronizes))
    }

    /// Drops the records that `who`'s strong write makes superfluous.
    fn drop_ordered(&mut self, who: &Accessor<'_>, overflow: &mut Overflow) {
        if self.more != 0 {
            overflow.lists[self.more as usize - 1].retain(|r| r.outlives(who));
        }
        if !self.other.outlives(who) {
            let list = if self.more == 0 { None } else { overflow.lists[self.more as usize - 1].pop() };
            self.other = list.unwrap_or_default();
        }
        if self.more != 0 && overflow.list(self.more).is_empty() {
            overflow.release(self.more);
            self.more = 0;
        }
    }

    /// Adds a read, to the record of its warp where there is one.
    fn note(&mut self, record: Record, who: &Accessor<'_>, overflow: &mut Overflow) {
        let other = &mut self.other;
        let replaces = record.strength == Strength::WEAK || other.strength == record.strength;
        if other.lanes == 0 || (!other.write && self.more == 0 && replaces && other.unordered(who) == 0) {
            *other = merged(*other, record);
            return;
        }
        if join(other, &record) {
            return;
        }
        if self.more != 0 {
            let list = &mut overflow.lists[self.more as usize - 1];
            if list.iter_mut().any(|r| join(r, &record)) {
                return;
            }
            // Older accesses of the same lanes are covered by this one.
            list.iter_mut().filter(|r| r.alike(&record) && r.time < record.time).for_each(|r| r.lanes &= !record.lanes);
            list.retain(|r| r.lanes != 0);
        }
        self.insert(record, overflow);
    }

    fn insert(&mut self, record: Record, overflow: &mut Overflow) {
        if self.other.lanes == 0 {
            self.other = record;
        } else {
            self.more = overflow.add(self.more, record);
        }
    }
}

/// Adds a lane to a record of the same warp, time and kind. An older record of the very same lanes is replaced.
fn join(into: &mut Record, record: &Record) -> bool {
    if !into.alike(record) || into.time == UNFINISHED || record.time == UNFINISHED {
        return false;
    }
    if into.time == record.time {
        into.lanes |= record.lanes;
    } else if into.lanes == record.lanes {
        *into = *record;
    } else {
        return false;
    }
    true
}

/// `record`, with the lanes of `old` where both are of one warp and time.
fn merged(old: Record, record: Record) -> Record {
    let mut out = old;
    if old.lanes != 0 && old.time == record.time && join(&mut out, &record) { out } else { record }
}
