//! What an access costs under a layout: by ranks over F2 where both are linear, otherwise by going through its lanes.

use std::cell::OnceCell;

use super::candidate::{Candidate, moved};
use super::phases::{Phase, WORD_BYTES};
use super::problem::{LayoutProblem, SharedAccess};
use super::space::rank;
use super::tile::Tile;
use crate::target::SharedBanks;
use crate::traffic::request::conflicts;

/// What accesses cost. The fewest wavefronts are best; among layouts that take equally many, the fewest instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Total {
    pub(super) wavefronts: i64,
    pub(super) instructions: i64,
}

impl Total {
    pub(super) fn and(self, other: Total) -> Total {
        Total {
            wavefronts: self.wavefronts.saturating_add(other.wavefronts),
            instructions: self.instructions.saturating_add(other.instructions),
        }
    }

    /// What is beyond the least that an access can cost.
    pub(super) fn beyond(self, least: Total) -> Total {
        Total {
            wavefronts: self.wavefronts.saturating_sub(least.wavefronts),
            instructions: self.instructions.saturating_sub(least.instructions),
        }
    }

    pub(super) const WORST: Total = Total { wavefronts: i64::MAX, instructions: i64::MAX };
}

/// An access whose elements are `base`, plus by XOR those of `lanes` for each bit of the lane's number, and of `vector` for each bit of the
/// place in the lane's vector.
#[derive(Clone, Debug)]
pub(super) struct XorAccess {
    pub(super) base: u32,
    pub(super) lanes: Vec<u32>,
    pub(super) vector: Vec<u32>,
}

/// An access, and its linear form if it has one.
pub(super) struct Prepared<'p> {
    pub(super) problem: &'p LayoutProblem,
    pub(super) access: &'p SharedAccess,
    pub(super) linear: Option<XorAccess>,
    /// The cost without conflicts, of vectors that stay whole.
    pub(super) least: Total,
    /// The phases by width.
    served: Vec<Served>,
    /// The coordinates of all elements, lane by lane; computed where they are needed.
    coordinates: OnceCell<Vec<i64>>,
}

/// Accesses of one width.
struct Served {
    phase: &'static Phase,
    /// The lanes of each phase, as their numbers among the lanes that move something; computed where they are needed.
    groups: OnceCell<Vec<Vec<usize>>>,
}

impl Served {
    fn groups(&self, access: &SharedAccess) -> &[Vec<usize>] {
        self.groups.get_or_init(|| {
            let busy: Vec<usize> = (0..access.lanes.len()).filter(|&lane| !access.lanes[lane].is_empty()).collect();
            let slots = |group: Vec<usize>| group.iter().filter_map(|lane| busy.binary_search(lane).ok()).collect();
            let groups = self.phase.groups(access.lanes.len()).into_iter().map(slots);
            groups.filter(|group: &Vec<usize>| !group.is_empty()).collect()
        })
    }
}

impl<'p> Prepared<'p> {
    pub(super) fn new(problem: &'p LayoutProblem, tile: &Tile, access: &'p SharedAccess) -> Self {
        let phases = problem.phases.phases.iter();
        let served: Vec<Served> = phases.map(|phase| Served { phase, groups: OnceCell::new() }).collect();
        let bytes = access.vector() as i64 * problem.element_bytes;
        let whole = served.iter().find(|served| served.phase.bytes == bytes);
        let wavefronts = access.weight.saturating_mul(whole.map_or(0, |served| served.groups(access).len()) as i64);
        let least = Total { wavefronts, instructions: access.weight };
        Prepared { problem, access, linear: linear(problem, tile, access), least, served, coordinates: OnceCell::new() }
    }

    /// Wavefronts without conflicts.
    pub(super) fn ideal(&self) -> i64 {
        self.least.wavefronts
    }

    pub(super) fn cost(&self, tile: &Tile, candidate: &Candidate) -> Option<Total> {
        self.cost_and_bytes(tile, candidate).map(|(total, _)| total)
    }

    /// The cost, and the bytes that a lane moves at once.
    pub(super) fn cost_and_bytes(&self, tile: &Tile, candidate: &Candidate) -> Option<(Total, i64)> {
        match (candidate, &self.linear) {
            (Candidate::Bits { positions, xor }, Some(linear)) => {
                self.by_rank(tile, linear, |vector| xor.apply(moved(positions, vector)))
            }
            (Candidate::Given { images: Some(images), .. }, Some(linear)) => {
                self.by_rank(tile, linear, |vector| sum_of(images, vector as usize))
            }
            _ => self.by_lanes(tile, candidate),
        }
    }

    /// The cost under a linear map from elements to addresses, and the bytes that a lane moves at once.
    pub(super) fn by_rank(
        &self,
        tile: &Tile,
        linear: &XorAccess,
        address: impl Fn(u32) -> u32,
    ) -> Option<(Total, i64)> {
        let low = linear.lanes.iter().fold(address(linear.base), |low, &lane| low | address(lane));
        let mut width = linear.vector.iter().zip(0..).take_while(|&(&vector, bit)| address(vector) == 1 << bit).count();
        // Bits of the vector behind the width choose the instruction, whose address must be aligned, too.
        while linear.vector[width..].iter().fold(low, |low, &vector| low | address(vector)).trailing_zeros()
            < width as u32
        {
            width -= 1;
        }
        let phase = loop {
            match self.problem.phases.phase(self.problem.element_bytes << width) {
                Some(phase) => break phase,
                None => width = width.checked_sub(1)?,
            }
        };
        let word = |address: u32| match tile.element_log2 {
            log2 @ 0..2 => address >> (WORD_BYTES.ilog2() - log2),
            log2 => address << (log2 - WORD_BYTES.ilog2()),
        };
        let generators = phase.lanes.iter().filter(|&&lane| lane >> linear.lanes.len() == 0);
        let of_lane = |&lane: &usize| sum_of(&linear.lanes, lane);
        let (mut together, mut used) = ([0u32; 16], 0);
        let inside = linear.vector[..width].iter().copied();
        for (slot, vector) in together.iter_mut().zip(generators.clone().map(of_lane).chain(inside)) {
            *slot = word(address(vector));
            used += 1;
        }
        let together = &together[..used];
        let banks = phase.banks as u32 - 1;
        let ways = rank(together.iter().copied()) - rank(together.iter().map(|word| word & banks));
        let phases = linear.lanes.len() - generators.count();
        let instructions = self.access.weight.saturating_mul(1 << (linear.vector.len() - width));
        let wavefronts = instructions.saturating_mul(1 << (phases as u32 + ways));
        Some((Total { wavefronts, instructions }, self.problem.element_bytes << width))
    }

    /// The cost under any layout, and the bytes that a lane moves at once.
    pub(super) fn by_lanes(&self, tile: &Tile, candidate: &Candidate) -> Option<(Total, i64)> {
        let addresses = self.addresses(tile, candidate);
        let (width, phase) = self.widest(&addresses)?;
        let vector = self.access.vector();
        let bytes = width as i64 * self.problem.element_bytes;
        let banks = SharedBanks { banks: phase.phase.banks, bank_bytes: WORD_BYTES };
        let mut wavefronts = 0;
        for group in phase.groups(self.access) {
            for part in 0..vector / width {
                let starts = group.iter().map(|&slot| addresses[slot * vector + part * width]);
                wavefronts += conflicts(starts.map(|start| (start * self.problem.element_bytes, bytes)), banks);
            }
        }
        let instructions = self.access.weight.saturating_mul((vector / width) as i64);
        Some((Total { wavefronts: self.access.weight.saturating_mul(wavefronts), instructions }, bytes))
    }

    /// The bytes that a lane moves at once under any layout.
    pub(super) fn bytes(&self, tile: &Tile, candidate: &Candidate) -> Option<i64> {
        self.widest(&self.addresses(tile, candidate)).map(|(width, _)| width as i64 * self.problem.element_bytes)
    }

    /// The widest parts of vectors, in elements, that are contiguous and aligned in every lane; with their phases.
    fn widest(&self, addresses: &[i64]) -> Option<(usize, &Served)> {
        let is_whole = |part: &[i64], width: usize| {
            part[0] & (width as i64 - 1) == 0 && part.windows(2).all(|pair| pair[1] == pair[0] + 1)
        };
        let fits = |width: usize| {
            let phase = self.phase(width)?;
            (width.is_power_of_two() && addresses.chunks(width).all(|part| is_whole(part, width))).then_some(phase)
        };
        let mut width = self.access.vector();
        loop {
            match fits(width) {
                Some(phase) => return Some((width, phase)),
                None if width <= 1 => return None,
                None => width /= 2,
            }
        }
    }

    /// The address of each element of each lane that moves some.
    fn addresses(&self, tile: &Tile, candidate: &Candidate) -> Vec<i64> {
        if let Candidate::Strides(strides) = candidate {
            let coordinates = self.coordinates.get_or_init(|| {
                self.access.lanes.iter().flatten().flat_map(|&element| tile.coordinates(element)).collect()
            });
            let dot = |at: &[i64]| at.iter().zip(strides).map(|(at, stride)| at * stride).sum();
            return coordinates.chunks(strides.len().max(1)).map(dot).collect();
        }
        self.access.lanes.iter().flatten().map(|&element| candidate.address(tile, element)).collect()
    }

    fn phase(&self, width: usize) -> Option<&Served> {
        let bytes = width as i64 * self.problem.element_bytes;
        self.served.iter().find(|served| served.phase.bytes == bytes)
    }
}

/// The XOR of the vectors whose bits the number has.
pub(super) fn sum_of(vectors: &[u32], number: usize) -> u32 {
    let chosen = vectors.iter().zip(0..).filter(|&(_, bit)| number >> bit & 1 == 1);
    chosen.fold(0, |sum, (vector, _)| sum ^ vector)
}

/// The linear form: the first lanes, a power of two of them, move elements whose bits are linear in the lane and the place, and whose odd
/// parts are the same.
fn linear(problem: &LayoutProblem, tile: &Tile, access: &SharedAccess) -> Option<XorAccess> {
    let vector = access.vector();
    let active = access.lanes.iter().take_while(|lane| !lane.is_empty()).count();
    let rest_is_idle = access.lanes[active..].iter().all(Vec::is_empty);
    if vector == 0 || !vector.is_power_of_two() || !active.is_power_of_two() || !rest_is_idle {
        return None;
    }
    // Phases of lanes that are not consecutive are linear only as a whole.
    let mut generators = problem.phases.phases.iter().flat_map(|phase| phase.lanes);
    let is_cut = active < problem.phases.lanes && generators.any(|lane| !lane.is_power_of_two());
    let (base, odd) = tile.split(access.lanes[0][0]);
    let bits = |element: i64| Some(tile.split(element)).filter(|split| split.1 == odd).map(|split| split.0 ^ base);
    let lanes: Option<Vec<u32>> = (0..active.ilog2()).map(|bit| bits(access.lanes[1 << bit][0])).collect();
    let places: Option<Vec<u32>> = (0..vector.ilog2()).map(|bit| bits(access.lanes[0][1 << bit])).collect();
    let linear = XorAccess { base, lanes: lanes?, vector: places? };
    let of_place: Vec<u32> = (0..vector).map(|place| sum_of(&linear.vector, place)).collect();
    let fits = access.lanes[..active].iter().enumerate().all(|(number, lane)| {
        let of_lane = sum_of(&linear.lanes, number);
        lane.iter().zip(&of_place).all(|(&element, place)| bits(element) == Some(of_lane ^ place))
    });
    (fits && !is_cut).then_some(linear)
}
