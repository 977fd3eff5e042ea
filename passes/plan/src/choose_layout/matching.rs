//! Step 2: any order of the bits of an element's number, with the swizzle that pairs them best.
//!
//! Where every access moves along single bits, a layout is a matching: the bits that are no vector select banks and lines, and a swizzle adds
//! one bit of the line to one of the bank. An access takes twice as many ways
//!
//! * for each pair, both bits of which it moves along;
//! * for each bit of the line without a partner that it moves along.
//!
//! Bits that the same accesses move along are alike, so few matchings differ.

use super::access::{Prepared, sum_of};
use super::best::Best;
use super::candidate::{Candidate, Xor};
use super::orders::bank_bits;
use super::tile::Tile;

/// Matchings that are looked at for the vectors of one access.
const MAX_STEPS: usize = 20_000;

/// Accesses that move along the same bits of an element's number, such as the steps of a loop that is unrolled: conflicts slow them alike.
struct Movement {
    /// These bits, as a mask.
    bits: u32,
    /// Their weighted wavefronts without conflicts.
    wavefronts: i64,
    /// How many there are.
    accesses: usize,
}

/// The most different movements: each is a bit of a mask.
const MAX_MOVEMENTS: usize = u32::BITS as usize;

/// The bits to be matched, and who moves along each.
struct Matching<'m> {
    /// Bits of an element's number that are no vector, with the movements along each as a mask; most accesses first.
    bits: &'m [(u32, u32)],
    movements: &'m [Movement],
    steps: usize,
    least: i64,
    roles: Option<Vec<BitRole>>,
}

/// What becomes of a bit of an element's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BitRole {
    Open,
    /// Selects a bank, without a partner.
    Bank,
    /// Selects a line, without a partner.
    Line,
    /// One of a pair, with the index of the other.
    Paired(usize),
}

/// What is left to be given out.
#[derive(Clone, Copy)]
struct Left {
    pairs: usize,
    banks: usize,
    lines: usize,
}

pub(super) fn try_bit_orders(tile: &Tile, accesses: &[Prepared<'_>], best: &mut Best) {
    let mut seen: Vec<&[u32]> = Vec::new();
    for access in accesses {
        let Some(linear) = &access.linear else { return };
        if !seen.contains(&&linear.vector[..]) {
            seen.push(&linear.vector);
            if let Some(candidate) = with_vector(tile, accesses, &linear.vector, best.total.wavefronts) {
                best.offer(tile, accesses, candidate);
            }
        }
    }
}

/// The best matching where `vector` is contiguous; `None` where it takes more than `most` wavefronts, or some access does not move along
/// single bits.
fn with_vector(tile: &Tile, accesses: &[Prepared<'_>], vector: &[u32], most: i64) -> Option<Candidate> {
    let (bank, line) = bank_bits(tile, accesses.first()?.problem.phases);
    let movements = movements(tile, accesses, vector)?;
    let mut positions = vec![u32::MAX; tile.bits as usize];
    for (&moved, place) in vector.iter().zip(0..) {
        *positions.get_mut(moved.trailing_zeros() as usize).filter(|_| moved.is_power_of_two())? = place;
    }
    let mut next = vector.len() as u32;
    let along = |bit: u32| {
        let moving = movements.iter().zip(0..).filter(|(movement, _)| movement.bits >> bit & 1 == 1);
        moving.fold((0u32, 0), |(mask, accesses), (movement, index)| (mask | 1 << index, accesses + movement.accesses))
    };
    let mut rest: Vec<(u32, (u32, usize))> = (0..tile.bits).map(|bit| (bit, along(bit))).collect();
    rest.retain(|&(bit, _)| positions[bit as usize] == u32::MAX);
    rest.sort_by_key(|&(bit, (_, accesses))| (std::cmp::Reverse(accesses), bit));
    let mut rest: Vec<(u32, u32)> = rest.into_iter().map(|(bit, (mask, _))| (bit, mask)).collect();
    // What most accesses move along shares a word: there it costs nothing.
    while next < bank && !rest.is_empty() {
        positions[rest.remove(0).0 as usize] = next;
        next += 1;
    }
    let banks = (line.saturating_sub(next) as usize).min(rest.len());
    let pairs = banks.min(rest.len() - banks);
    let left = Left { pairs, banks: banks - pairs, lines: rest.len() - banks - pairs };
    let mut matching =
        Matching { bits: &rest, movements: &movements, steps: 0, least: most.saturating_add(1), roles: None };
    matching.search(&mut vec![BitRole::Open; rest.len()], &mut vec![0; movements.len()], left);
    Some(place(&rest, &matching.roles?, positions, next, pairs as u32))
}

/// What the accesses move along where `vector` is contiguous; `None` where one does not move along single bits.
fn movements(tile: &Tile, accesses: &[Prepared<'_>], vector: &[u32]) -> Option<Vec<Movement>> {
    let mut movements: Vec<Movement> = Vec::new();
    for access in accesses {
        let linear = access.linear.as_ref()?;
        let agree = linear.vector.iter().zip(vector).take_while(|(one, other)| one == other).count();
        let phase = access.problem.phases.phase(access.problem.element_bytes << agree)?;
        let generators = phase.lanes.iter().filter(|&&lane| lane >> linear.lanes.len() == 0);
        let lanes = generators.map(|&lane| sum_of(&linear.lanes, lane));
        let mut bits = 0;
        for moved in lanes.chain(linear.vector[..agree].iter().copied()).filter(|&moved| moved != 0) {
            if !moved.is_power_of_two() || moved.trailing_zeros() >= tile.bits {
                return None;
            }
            bits |= moved;
        }
        match movements.iter_mut().find(|movement| movement.bits == bits) {
            Some(alike) => {
                alike.wavefronts = alike.wavefronts.saturating_add(access.ideal());
                alike.accesses += 1;
            }
            None => movements.push(Movement { bits, wavefronts: access.ideal(), accesses: 1 }),
        }
    }
    (movements.len() <= MAX_MOVEMENTS).then_some(movements)
}

impl Matching<'_> {
    fn cost(&self, ways: &[u32]) -> i64 {
        let costs =
            self.movements.iter().zip(ways).map(|(movement, ways)| movement.wavefronts.saturating_mul(1 << ways));
        costs.fold(0, i64::saturating_add)
    }

    /// Gives the first open bit each role that makes a difference. Costs only grow, so a branch ends where it is no better.
    fn search(&mut self, roles: &mut Vec<BitRole>, ways: &mut Vec<u32>, left: Left) {
        self.steps += 1;
        let cost = self.cost(ways);
        if cost >= self.least || self.steps > MAX_STEPS {
            return;
        }
        let Some(first) = roles.iter().position(|role| *role == BitRole::Open) else {
            (self.least, self.roles) = (cost, Some(roles.clone()));
            return;
        };
        if left.pairs > 0 {
            let mut alike = Vec::new();
            for other in first + 1..roles.len() {
                let along = self.bits[other].1;
                if roles[other] == BitRole::Open && !alike.contains(&along) {
                    alike.push(along);
                    (roles[first], roles[other]) = (BitRole::Paired(other), BitRole::Paired(first));
                    self.with(self.bits[first].1 & along, roles, ways, Left { pairs: left.pairs - 1, ..left });
                    roles[other] = BitRole::Open;
                }
            }
        }
        if left.banks > 0 {
            roles[first] = BitRole::Bank;
            self.with(0, roles, ways, Left { banks: left.banks - 1, ..left });
        }
        if left.lines > 0 {
            roles[first] = BitRole::Line;
            self.with(self.bits[first].1, roles, ways, Left { lines: left.lines - 1, ..left });
        }
        roles[first] = BitRole::Open;
    }

    /// Goes on with twice as many ways for these movements.
    fn with(&mut self, moving: u32, roles: &mut Vec<BitRole>, ways: &mut Vec<u32>, left: Left) {
        let doubled = |ways: &mut Vec<u32>, by: i32| {
            ways.iter_mut()
                .enumerate()
                .filter(|(index, _)| moving >> index & 1 == 1)
                .for_each(|(_, ways)| *ways = ways.saturating_add_signed(by));
        };
        doubled(ways, 1);
        self.search(roles, ways, left);
        doubled(ways, -1);
    }
}

/// The layout of a matching: behind the vector banks without partners, then the paired ones, their partners, and the other lines.
fn place(bits: &[(u32, u32)], roles: &[BitRole], mut positions: Vec<u32>, next: u32, pairs: u32) -> Candidate {
    let in_role = |wanted: BitRole| {
        let mut chosen: Vec<u32> =
            bits.iter().zip(roles).filter(|(_, role)| **role == wanted).map(|(bit, _)| bit.0).collect();
        chosen.sort_unstable();
        chosen
    };
    let mut paired: Vec<[u32; 2]> = Vec::new();
    for (index, role) in roles.iter().enumerate() {
        if let BitRole::Paired(other) = *role
            && index < other
        {
            let both = [bits[index].0, bits[other].0];
            paired.push([both[0].min(both[1]), both[0].max(both[1])]);
        }
    }
    paired.sort_unstable();
    let banks = in_role(BitRole::Bank);
    let to = next + banks.len() as u32;
    let order = banks.into_iter().chain(paired.iter().map(|pair| pair[0])).chain(paired.iter().map(|pair| pair[1]));
    for (bit, place) in order.chain(in_role(BitRole::Line)).zip(next..) {
        positions[bit as usize] = place;
    }
    Candidate::Bits { positions, xor: Xor { bits: pairs, to, from: to + pairs } }
}
