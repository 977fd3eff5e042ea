//! Step 1 for accesses that move along single bits of an element's number, without a list of their lanes.
//!
//! Let `A` be the bits of the address that an access moves in one phase, those inside of a word left out. A swizzle adds bits of the line to
//! bits of the bank. The access is free of conflicts exactly if the swizzle adds each bit of the line in `A`, to a bit of the bank that is
//! not in `A`: two masks say so.
//!
//! ```text
//!   64x64 f32, vectors of 4, written along columns of blocks      address bits   0 1 | 2 3 4 | 5 6 7 8 9 10 11
//!     A    0 1 and 8 9 10                                                        word    bank    line
//!     the swizzle adds 8 9 10 to 2 3 4: none of them is in A
//! ```

use tile_layout::Swizzle;

use super::candidate::{Xor, own_orders};
use super::orders::{bank_bits, positions, swizzles};
use super::phases::PhaseTable;
use super::problem::SharedAccess;
use super::tile::Tile;

/// An access whose lanes are numbers of as many bits, each of which moves along one bit of an element's number. A lane's vector are the
/// lowest bits.
#[derive(Clone, Debug)]
pub(crate) struct BitAccess {
    /// The bit of an element's number that each bit of a lane's number is.
    pub lanes: Vec<usize>,
    /// The base-2 logarithm of the elements of a vector.
    pub vector: usize,
    /// How many times it is executed, by all warps together.
    pub weight: i64,
}

/// A layout of a tile without conflicts, whose order of bits is one of the tile's own.
#[derive(Debug)]
pub(crate) struct FreeOrder {
    /// The bit of the address that each bit of an element's number becomes, lowest first.
    pub positions: Vec<u32>,
    pub swizzle: Option<Swizzle>,
    /// Wavefronts of all accesses.
    pub wavefronts: i64,
}

impl BitAccess {
    /// The same access, lane by lane.
    pub fn each_lane(&self) -> SharedAccess {
        let first = |lane: usize| {
            let set = self.lanes.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 == 1);
            set.map(|(_, place)| 1i64 << place).sum::<i64>()
        };
        let lane = |lane| (0..1 << self.vector).map(|step| first(lane) + step).collect();
        SharedAccess::new((0..1 << self.lanes.len()).map(lane).collect(), self.weight)
    }

    /// The lanes' bits that a phase has, and the phases; `None` where the target serves lanes together that differ in several bits.
    fn served(&self, phases: &PhaseTable, element_bytes: i64) -> Option<(Vec<usize>, i64)> {
        let phase = phases.phase(element_bytes << self.vector)?;
        let lanes = phase.lanes.iter().filter(|&&lane| lane >> self.lanes.len() == 0);
        let served = lanes.map(|&lane| lane.is_power_of_two().then(|| self.lanes[lane.trailing_zeros() as usize]));
        let served = served.collect::<Option<Vec<usize>>>()?;
        let phases = 1 << (self.lanes.len() - served.len());
        Some((served, phases))
    }
}

/// An order of a tile's bits, and what the accesses move in it.
struct MovedBits {
    positions: Vec<u32>,
    /// The bits of the address that each access moves in one phase, inside of words left out.
    moved: Vec<u32>,
}

impl MovedBits {
    /// `None` where the order does not keep all vectors whole.
    fn new(positions: Vec<u32>, bank: u32, accesses: &[(&BitAccess, Vec<usize>)]) -> Option<Self> {
        let is_whole = |access: &BitAccess| {
            (0..access.vector).all(|bit| positions[bit] == bit as u32)
                && access.lanes.iter().all(|&place| positions[place] >= access.vector as u32)
        };
        if !accesses.iter().all(|(access, _)| is_whole(access)) {
            return None;
        }
        let moved = |(access, served): &(&BitAccess, Vec<usize>)| {
            let bits = served.iter().copied().chain(0..access.vector);
            bits.fold(0u32, |mask, bit| mask | 1 << positions[bit]) >> bank << bank
        };
        let moved = accesses.iter().map(moved).collect();
        Some(MovedBits { positions, moved })
    }

    fn is_free(&self, line: u32, xor: Xor) -> bool {
        let added = ((1u32 << xor.bits) - 1) << xor.from;
        self.moved.iter().all(|moved| {
            let far = moved >> line << line;
            far & !added == 0 && far >> xor.from << xor.to & moved == 0
        })
    }
}

/// The first layout that [`choose`](super::choose()) tries of those without conflicts, in a tile whose extents are 2 to these powers, slowest
/// first. `None` also where no order of the tile's own has one.
pub(crate) fn first_free(
    extents: &[u32],
    element_bytes: i64,
    accesses: &[BitAccess],
    phases: &PhaseTable,
) -> Option<FreeOrder> {
    let tile = Tile::of_bits(extents, element_bytes).filter(|tile| tile.bits < u32::BITS - 1)?;
    let (bank, line) = bank_bits(&tile, phases);
    let mut wavefronts = 0i64;
    let mut served = Vec::with_capacity(accesses.len());
    for access in accesses {
        let (lanes, phases) = access.served(phases, element_bytes)?;
        wavefronts = wavefronts.saturating_add(access.weight.saturating_mul(phases));
        served.push((access, lanes));
    }
    let widest = accesses.iter().map(|access| access.vector as u32).max().unwrap_or(0);
    let orders = own_orders(extents.len()).into_iter();
    let orders: Vec<MovedBits> =
        orders.filter_map(|order| MovedBits::new(positions(&tile, &order), bank, &served)).collect();
    (0..=line - bank).find_map(|bits| {
        orders.iter().find_map(|order| {
            let xor = swizzles(&tile, (bank, line), widest, bits).find(|&xor| order.is_free(line, xor))?;
            Some(FreeOrder { positions: order.positions.clone(), swizzle: xor.swizzle(), wavefronts })
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use tile_layout::Layout;

    use super::super::candidate::Candidate;
    use super::*;
    use crate::choose_layout::{AccessCost, LayoutFamily, LayoutProblem, NVIDIA, choose};

    proptest! {
        /// What masks find is what a search with all lanes finds.
        #[test]
        fn masks_find_what_the_search_finds(
            element in 0u32..=4,
            extents in prop::collection::vec(0u32..=6, 1..=3),
            places in prop::collection::vec(Just((0..18).collect::<Vec<usize>>()).prop_shuffle(), 2),
            vectors in prop::collection::vec(0usize..=4, 2),
            lanes in 0usize..=5,
        ) {
            let bits = extents.iter().sum::<u32>() as usize;
            let access = |(places, vector): (&Vec<usize>, &usize)| {
                let vector = (*vector).min(4 - element as usize).min(bits);
                let lanes = places.iter().copied().filter(|place| (vector..bits).contains(place)).take(lanes).collect();
                BitAccess { lanes, vector, weight: 3 }
            };
            let accesses: Vec<BitAccess> = places.iter().zip(&vectors).map(access).collect();
            let problem = LayoutProblem {
                shape: extents.iter().map(|bits| 1 << bits).collect(),
                element_bytes: 1 << element,
                accesses: accesses.iter().map(BitAccess::each_lane).collect(),
                phases: &NVIDIA,
                family: LayoutFamily::Free,
                max_elements: None,
            };
            let choice = choose(&problem).unwrap();
            let is_ideal = |(cost, access): (&AccessCost, &BitAccess)| {
                cost.conflicts() == 0 && cost.bytes == 1 << (element as usize + access.vector)
            };
            let is_ideal = choice.costs.iter().zip(&accesses).all(is_ideal);
            let tile = Tile::of_bits(&extents, 1 << element).unwrap();
            let in_order = |positions| Candidate::Bits { positions, xor: Xor::default() }.layout(&tile);
            match first_free(&extents, 1 << element, &accesses, &NVIDIA) {
                Some(FreeOrder { positions, swizzle, wavefronts }) => {
                    prop_assert_eq!(Layout { swizzle, ..in_order(positions) }, choice.layout);
                    prop_assert_eq!(wavefronts, choice.costs.iter().map(|cost| cost.wavefronts).sum::<i64>());
                    prop_assert!(is_ideal);
                }
                None => {
                    let mut all = own_orders(extents.len()).into_iter().map(|order| in_order(positions(&tile, &order)));
                    prop_assert!(!is_ideal || all.all(|one| one.shard != choice.layout.shard), "{:?}", choice.layout);
                }
            }
        }
    }
}
