//! Against all orders of bits with all swizzles, and against all linear maps, at small sizes: 4 banks, 4 lanes, tiles of 16 elements.

use tile_plan::choose_layout::{Certificate, LayoutProblem, Phase, PhaseTable, SharedAccess};

use super::{chosen, problem};

static SMALL: PhaseTable =
    PhaseTable { name: "four banks", lanes: 4, phases: &[Phase { bytes: 4, lanes: &[1, 2], banks: 4 }] };

const BITS: u32 = 4;

/// The wavefronts of accesses, each given by its two directions and its weight, if the bank of an element is `bank`.
fn wavefronts(accesses: &[(u32, u32, i64)], bank: impl Fn(u32) -> u32) -> i64 {
    let ways = |&(first, second, weight): &(u32, u32, i64)| {
        let mut held = [0; 4];
        [0, first, second, first ^ second].into_iter().for_each(|element| held[bank(element) as usize] += 1);
        weight * held.into_iter().max().unwrap_or(0)
    };
    accesses.iter().map(ways).sum()
}

fn parity(vector: u32) -> u32 {
    vector.count_ones() & 1
}

/// The least over all pairs of linear forms as the bits of the bank.
fn least_linear(accesses: &[(u32, u32, i64)]) -> i64 {
    let forms = (1..16u32).flat_map(|low| (1..16u32).filter(move |high| *high != low).map(move |high| (low, high)));
    forms
        .map(|(low, high)| wavefronts(accesses, |element| parity(element & low) | parity(element & high) << 1))
        .min()
        .unwrap()
}

/// The least over all orders of bits and all swizzles of lines into banks.
fn least_of_orders(accesses: &[(u32, u32, i64)]) -> i64 {
    let mut least = i64::MAX;
    for order in 0..256u32 {
        let places: Vec<u32> = (0..BITS).map(|bit| order >> (2 * bit) & 3).collect();
        if places.iter().fold(0, |seen, place| seen | 1 << place) != 15 {
            continue;
        }
        let moved = |element: u32| (0..BITS).map(|bit| (element >> bit & 1) << places[bit as usize]).sum::<u32>();
        for (bits, to, shift) in [(0, 0, 0), (1, 0, 2), (1, 1, 1), (1, 0, 3), (1, 1, 2), (2, 0, 2)] {
            let swizzled = |address: u32| address ^ ((address >> (to + shift) & ((1 << bits) - 1)) << to);
            least = least.min(wavefronts(accesses, |element| swizzled(moved(element)) & 3));
        }
    }
    least
}

fn problem_of(accesses: &[(u32, u32, i64)]) -> LayoutProblem {
    let one = |&(first, second, weight): &(u32, u32, i64)| {
        let lanes = [0, first, second, first ^ second].map(|element| vec![i64::from(element)]);
        SharedAccess::new(lanes.to_vec(), weight)
    };
    LayoutProblem { phases: &SMALL, ..problem(&[4, 4], 4, accesses.iter().map(one).collect()) }
}

/// Every set of up to four accesses along single bits.
#[test]
fn no_order_and_no_swizzle_is_better() {
    let pairs: Vec<(u32, u32)> =
        (0..BITS).flat_map(|low| (low + 1..BITS).map(move |high| (1 << low, 1 << high))).collect();
    for chosen_pairs in 0..1u32 << pairs.len() {
        for weights in [[1, 1, 1, 1, 1, 1], [5, 1, 3, 2, 2, 7]] {
            let picked = pairs.iter().zip(weights).enumerate().filter(|(index, _)| chosen_pairs >> index & 1 == 1);
            let accesses: Vec<(u32, u32, i64)> =
                picked.map(|(_, (&(low, high), weight))| (low, high, weight)).collect();
            let choice = chosen(&problem_of(&accesses));
            let total: i64 = choice.costs.iter().map(|cost| cost.wavefronts).sum();
            assert!(total <= least_of_orders(&accesses), "{accesses:?}: {}", choice.layout);
            assert!(total >= least_linear(&accesses) || choice.layout.swizzle.is_none(), "{accesses:?}");
        }
    }
}

/// Every set of three accesses, along any directions: what is said to be unavoidable is, and only that.
#[test]
fn what_is_unavoidable_is_unavoidable() {
    let mut planes: Vec<[u32; 3]> = Vec::new();
    for low in 1..16 {
        for high in low + 1..16u32 {
            let mut plane = [low, high, low ^ high];
            plane.sort_unstable();
            if !planes.contains(&plane) {
                planes.push(plane);
            }
        }
    }
    assert_eq!(planes.len(), 35);
    let mut unavoidable = 0;
    for (first, a) in planes.iter().enumerate() {
        for (second, b) in planes.iter().enumerate().skip(first + 1) {
            for c in &planes[second + 1..] {
                let accesses = [a, b, c].map(|plane| (plane[0], plane[1], 1));
                let choice = chosen(&problem_of(&accesses));
                let total: i64 = choice.costs.iter().map(|cost| cost.wavefronts).sum();
                let least = least_linear(&accesses);
                match choice.certificate {
                    Certificate::NoConflicts => assert_eq!(total, 3),
                    Certificate::Unavoidable { .. } => {
                        unavoidable += 1;
                        assert_eq!((total, least), (4, 4), "{accesses:?}");
                    }
                    _ => assert!(total > 3, "{accesses:?}"),
                }
            }
        }
    }
    assert!(unavoidable > 50, "{unavoidable}");
}
