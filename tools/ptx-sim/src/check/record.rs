//! One access, or several by lanes of a warp, as shadow memory stores them.

use super::scopes::inclusive;
use super::{Agents, Know};
use crate::code::Scope;

/// The time of an asynchronous access that has not finished, which is unknown.
pub(crate) const UNFINISHED: u32 = u32::MAX;

/// The strength of an access: 0 for weak, otherwise its scope and size. CopyPlan accesses of equal size that overlap are
/// to the same bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Strength(u8);

impl Strength {
    pub(crate) const WEAK: Self = Self(0);
    /// A weak read of bytes that must not be written while the kernel runs (`ld.global.nc`).
    pub(crate) const CONSTANT: Self = Self(7);

    pub(crate) fn strong(scope: Scope, bytes: u32) -> Self {
        Self((1 + scope as u8) | ((bytes.max(1).ilog2() as u8) << 4))
    }

    /// Whether the access is weak: it does not synchronize.
    pub(crate) fn is_weak(self) -> bool {
        self.scope().is_none()
    }

    /// The bytes that a strong access reads or writes at once.
    pub(crate) fn unit(self) -> Option<usize> {
        self.scope().map(|_| 1 << (self.0 >> 4))
    }

    /// The scope of a strong access.
    pub(crate) fn scope(self) -> Option<Scope> {
        match self.0 & 7 {
            0 | 7 => None,
            1 => Some(Scope::Cta),
            2 => Some(Scope::Cluster),
            3 => Some(Scope::Gpu),
            _ => Some(Scope::Sys),
        }
    }

    /// Whether accesses of these strengths by these blocks are morally strong (PTX ISA 8.7.1).
    pub(crate) fn with(self, block: u32, other: Self, other_block: u32, cluster: u32) -> bool {
        match (self.scope(), other.scope()) {
            (Some(a), Some(b)) => self.0 >> 4 == other.0 >> 4 && inclusive((block, a), (other_block, b), cluster),
            _ => false,
        }
    }
}

/// The thread or agent that makes an access, and its knowledge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accessor<'a> {
    pub(crate) know: &'a Know,
    agents: Agents,
    lane: u8,
    time: u32,
    pub(crate) strength: Strength,
    /// Index of the instruction.
    at: u32,
    /// Blocks in a cluster.
    cluster: u32,
    /// For an access of the asynchronous proxy, which sees generic writes only after a proxy fence: the number of warps
    /// in a block, to distinguish threads from agents. Otherwise 0.
    pub(crate) proxy: u32,
    /// The thread on whose behalf an agent acts; the thread's earlier accesses are ordered before this one.
    issuer: Option<(Agents, u8)>,
    /// The lanes that store the same value to the same address by this instruction, if that is no race.
    equals: u32,
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
        Self { know, agents, lane, time, strength, at, cluster, proxy: 0, issuer: None, equals: 0 }
    }

    /// An access that an agent makes for a thread; `proxy` is the number of warps in a block if the access belongs to
    /// the asynchronous proxy, otherwise 0.
    pub(crate) fn on_behalf(self, issuer: Agents, lane: u8, proxy: u32) -> Self {
        Self { issuer: Some((issuer, lane)), proxy, ..self }
    }

    /// A store of the value that these lanes store, too, to the same address by the same instruction.
    pub(crate) fn with_equals(self, equals: u32) -> Self {
        Self { equals, ..self }
    }

    /// Whether a lane before this one stores the same, so that this store adds nothing.
    pub(super) fn repeats(&self) -> bool {
        self.equals & ((1 << self.lane) - 1) != 0
    }

    /// The instruction, the agents and the lane.
    pub(super) fn who(&self) -> (u32, Agents, u8) {
        (self.at, self.agents, self.lane)
    }

    /// The lanes of `agents` whose accesses are in program order with this one. Copies are ordered after earlier
    /// accesses of their issuer, but not with each other.
    fn own(&self, agents: Agents) -> u32 {
        let (me, lane) = self.issuer.unwrap_or((self.agents, self.lane));
        if me == agents { 1 << lane } else { 0 }
    }
}

/// The lanes of a warp that accessed a cell at one time, by one or more instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Record {
    pub(crate) agents: Agents,
    pub(crate) strength: Strength,
    pub(crate) write: bool,
    /// No lanes: an empty record.
    pub(crate) lanes: u32,
    pub(crate) time: u32,
    pub(crate) at: u32,
}

impl Record {
    pub(crate) fn of(who: &Accessor<'_>, write: bool) -> Self {
        let Accessor { agents, strength, time, at, .. } = *who;
        Self { agents, strength, write, lanes: 1 << who.lane, time, at }
    }

    /// The lanes whose access is not ordered before `who`.
    pub(crate) fn unordered(&self, who: &Accessor<'_>) -> u32 {
        let mask = self.lanes & !who.own(self.agents) & !self.equal_stores(who);
        if mask == 0 || self.time == UNFINISHED { mask } else { who.know.data.unknown(self.agents, mask, self.time) }
    }

    /// The lanes whose store is that of `who` again.
    fn equal_stores(&self, who: &Accessor<'_>) -> u32 {
        let same = self.write && (self.agents, self.at, self.time) == (who.agents, who.at, who.time);
        if same { who.equals } else { 0 }
    }

    /// The record of a write by `who`, with the lanes that have written the same before.
    pub(crate) fn written_by(&self, who: &Accessor<'_>) -> Self {
        let lanes = self.lanes & self.equal_stores(who) | 1 << who.lane;
        Self { lanes, ..Self::of(who, true) }
    }

    /// The lanes that conflict with `who`'s access: not ordered before it, and not morally strong with it.
    pub(crate) fn conflicting(&self, who: &Accessor<'_>) -> u32 {
        if self.lanes == 0 {
            return 0;
        }
        if self.constant() || who.strength == Strength::CONSTANT && self.write {
            return self.lanes;
        }
        let strong = self.strength.with(self.agents.block, who.strength, who.agents.block, who.cluster);
        if strong { 0 } else { self.unordered(who) }
    }

    /// Whether it is a read of bytes that must not be written.
    pub(crate) fn constant(&self) -> bool {
        self.strength == Strength::CONSTANT
    }

    /// Whether later accesses must still be compared with this one after a strong write by `who`.
    pub(crate) fn outlives(&self, who: &Accessor<'_>) -> bool {
        self.lanes != 0 && (self.strength.is_weak() || self.unordered(who) != 0)
    }

    /// Whether two accesses have the same agents, kind and strength.
    pub(crate) fn alike(&self, other: &Self) -> bool {
        (self.agents, self.strength, self.write) == (other.agents, other.strength, other.write)
    }

    pub(crate) fn conflict(&self, lanes: u32) -> Conflict {
        let (agents, write, at) = (self.agents, self.write, self.at);
        let unfinished = self.time == UNFINISHED;
        let lane = lanes.trailing_zeros() as u8;
        Conflict {
            agents,
            lane,
            lanes,
            write,
            at,
            unfinished,
            proxy: false,
            made: false,
            map: None,
            constant: self.constant(),
        }
    }
}

/// A fence between a change of a tensor map and its use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapFence {
    Release,
    Acquire,
}

/// The earlier access of a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) agents: Agents,
    /// The first of `lanes`.
    pub(crate) lane: u8,
    /// All lanes of the warp whose access conflicts.
    pub(crate) lanes: u32,
    pub(crate) write: bool,
    /// Index of its instruction.
    pub(crate) at: u32,
    pub(crate) unfinished: bool,
    /// It is ordered, but no proxy fence makes it visible to an asynchronous copy.
    pub(crate) proxy: bool,
    /// It initializes an mbarrier object that another block uses, and no fence follows it.
    pub(crate) made: bool,
    /// It changes a tensor map that a copy uses, without a fence of this kind.
    pub(crate) map: Option<MapFence>,
    /// The earlier access, or the later one, reads bytes that must not be written while the kernel runs.
    pub(crate) constant: bool,
}

impl Conflict {
    /// The same conflict, for a read by `who`.
    pub(crate) fn read_by(self, who: &Accessor<'_>) -> Self {
        Self { constant: who.strength == Strength::CONSTANT, ..self }
    }
}

/// Adds a lane to a record of the same warp, time and kind. An older record of exactly the same lanes is replaced.
pub(crate) fn join(into: &mut Record, record: &Record) -> bool {
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
pub(crate) fn merged(old: Record, record: Record) -> Record {
    let mut out = old;
    if old.lanes != 0 && old.time == record.time && join(&mut out, &record) { out } else { record }
}
