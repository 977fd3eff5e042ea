//! Memory that several threads share: values, and the threads that have accessed them since the last barrier.

use std::collections::HashMap;

use crate::reduce::Operator;

/// The value of a location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its bits.
    pub value: u128,
    /// Whether it has been written.
    pub defined: bool,
    /// The hazards of the accesses from which the value comes: [`RACE`], [`FLIGHT`].
    pub taint: u8,
}

/// Read after an unordered write by another thread.
pub const RACE: u8 = 1;
/// Read while a copy was in flight.
pub const FLIGHT: u8 = 2;

impl Cell {
    /// A value without hazards.
    pub fn of(value: u128) -> Self {
        Cell { value, defined: true, taint: 0 }
    }
}

/// A location in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The number of the memory.
    pub store: usize,
    /// Offset in elements from its start.
    pub address: usize,
}

/// The originator and time of an access: a block, its barriers so far, and the set of threads of which one makes the
/// access.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The number of the block.
    pub block: u32,
    /// Barriers that the block has passed.
    pub epoch: u32,
    /// The number of the set of threads.
    pub party: usize,
    /// What it does.
    pub kind: Use,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It reads.
    Read,
    /// It writes, maybe after reading.
    Write,
    /// It combines atomically. The order among accesses by one operator does not matter.
    Reduce(Operator),
}

impl Use {
    /// Whether two accesses have to be ordered.
    fn conflicts(self, other: Use) -> bool {
        self != other || self == Use::Write
    }
}

/// The hazards of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hazard {
    /// It is unordered with another access.
    pub race: bool,
    /// That access is certainly made by another thread.
    pub definite: bool,
    /// A copy in flight uses the location.
    pub flight: bool,
}

#[derive(Clone, Debug, Default)]
struct History {
    when: (u32, u32),
    since: Vec<(usize, Use)>,
    /// The kinds of accesses so far, each with the block that made them.
    blocks: Vec<(Use, u32)>,
    writes_in_flight: u16,
    reads_in_flight: u16,
}

/// Stands for several blocks.
const SEVERAL: u32 = u32::MAX;

/// Sets of threads, by number.
#[derive(Clone, Debug, Default)]
pub struct Parties {
    all: Vec<Vec<i64>>,
    numbers: HashMap<Vec<i64>, usize>,
}

impl Parties {
    /// The number of a set.
    pub fn number(&mut self, threads: &[i64]) -> usize {
        if let Some(&number) = self.numbers.get(threads) {
            return number;
        }
        self.all.push(threads.to_vec());
        self.numbers.insert(threads.to_vec(), self.all.len() - 1);
        self.all.len() - 1
    }

    /// Whether accesses of two sets are ordered without a barrier, because both are the same single thread.
    fn ordered(&self, a: usize, b: usize) -> bool {
        a == b && self.all[a].len() == 1
    }

    fn disjoint(&self, a: usize, b: usize) -> bool {
        a != b && !self.all[a].iter().any(|thread| self.all[b].contains(thread))
    }
}

/// One memory.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// What it holds.
    pub cells: Vec<Cell>,
    history: Vec<History>,
}

impl Store {
    /// A memory that holds this.
    pub fn new(cells: Vec<Cell>) -> Self {
        let history = vec![History::default(); cells.len()];
        Store { cells, history }
    }

    /// Notes an access and returns its hazards.
    pub fn touch(&mut self, address: usize, access: Access, parties: &Parties) -> Hazard {
        let history = &mut self.history[address];
        let mut hazard = Hazard::default();
        if history.when != (access.block, access.epoch) {
            history.when = (access.block, access.epoch);
            history.since.clear();
        }
        for &(party, kind) in &history.since {
            if kind.conflicts(access.kind) && !parties.ordered(party, access.party) {
                hazard.race = true;
                hazard.definite |= parties.disjoint(party, access.party);
            }
        }
        if !history.since.contains(&(access.party, access.kind)) {
            history.since.push((access.party, access.kind));
        }
        if history.blocks.iter().any(|&(kind, block)| kind.conflicts(access.kind) && block != access.block) {
            (hazard.race, hazard.definite) = (true, true);
        }
        match history.blocks.iter_mut().find(|(kind, _)| *kind == access.kind) {
            Some((_, block)) if *block != access.block => *block = SEVERAL,
            Some(_) => {}
            None => history.blocks.push((access.kind, access.block)),
        }
        hazard.flight = history.writes_in_flight > 0 || access.kind != Use::Read && history.reads_in_flight > 0;
        hazard
    }

    /// Notes that a copy starts to use a location.
    pub fn take_off(&mut self, address: usize, write: bool) {
        let history = &mut self.history[address];
        *if write { &mut history.writes_in_flight } else { &mut history.reads_in_flight } += 1;
    }

    /// Notes that a copy no longer uses a location.
    pub fn land(&mut self, address: usize, write: bool) {
        let history = &mut self.history[address];
        let count = if write { &mut history.writes_in_flight } else { &mut history.reads_in_flight };
        *count = count.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(store: &mut Store, parties: &mut Parties, at: (u32, u32), threads: &[i64], write: bool) -> Hazard {
        used(store, parties, at, threads, if write { Use::Write } else { Use::Read })
    }

    fn used(store: &mut Store, parties: &mut Parties, at: (u32, u32), threads: &[i64], kind: Use) -> Hazard {
        let party = parties.number(threads);
        store.touch(0, Access { block: at.0, epoch: at.1, party, kind }, parties)
    }

    #[test]
    fn reductions_by_one_operator_need_no_order() {
        let (mut store, mut parties) = (Store::new(vec![Cell::default()]), Parties::default());
        for (block, thread) in [(0, 0), (0, 1), (1, 0)] {
            let add = Use::Reduce(Operator::Add);
            assert_eq!(used(&mut store, &mut parties, (block, 0), &[thread], add), Hazard::default());
        }
        assert!(used(&mut store, &mut parties, (1, 0), &[1], Use::Reduce(Operator::Min)).race);
        assert!(used(&mut store, &mut parties, (1, 0), &[1], Use::Read).race);
        assert!(used(&mut store, &mut parties, (1, 1), &[1], Use::Write).race, "another block");
    }

    #[test]
    fn only_a_barrier_orders_different_threads() {
        let (mut store, mut parties) = (Store::new(vec![Cell::default()]), Parties::default());
        let none = Hazard::default();
        assert_eq!(touch(&mut store, &mut parties, (0, 0), &[0], true), none);
        assert_eq!(touch(&mut store, &mut parties, (0, 0), &[0], false), none);
        let surely = Hazard { race: true, definite: true, flight: false };
        assert_eq!(touch(&mut store, &mut parties, (0, 0), &[1], false), surely);
        assert_eq!(touch(&mut store, &mut parties, (0, 1), &[1], false), none);
        let perhaps = Hazard { race: true, definite: false, flight: false };
        assert_eq!(touch(&mut store, &mut parties, (0, 1), &[0, 1], true), perhaps);
        assert_eq!(touch(&mut store, &mut parties, (1, 0), &[0], false), surely, "no barrier orders blocks");
    }

    #[test]
    fn what_is_in_flight_is_left_alone() {
        let (mut store, mut parties) = (Store::new(vec![Cell::default()]), Parties::default());
        store.take_off(0, false);
        assert!(!touch(&mut store, &mut parties, (0, 0), &[0], false).flight);
        assert!(touch(&mut store, &mut parties, (0, 1), &[0], true).flight);
        store.land(0, false);
        assert!(!touch(&mut store, &mut parties, (0, 2), &[0], true).flight);
    }
}
