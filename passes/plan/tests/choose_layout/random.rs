//! Random accesses: the check agrees with the choice, whatever the shape.

use proptest::prelude::*;
use tile_plan::choose_layout::{Certificate, SharedAccess};

use super::{chosen, problem};

/// An access along single bits of a tile of `bits` bits: those of the vector first, in order, then those of the lanes.
fn along(bits: u32, order: &[usize], vector: u32, weight: i64) -> SharedAccess {
    let moved: Vec<i64> = order.iter().filter(|&&bit| bit < bits as usize).map(|&bit| 1 << bit).collect();
    let (inside, lanes) = moved.split_at(vector as usize);
    let sum = |steps: &[i64], number: i64| {
        (0..).zip(steps).filter(|(bit, _)| number >> bit & 1 == 1).map(|(_, step)| step).sum::<i64>()
    };
    let lane = |number: i64| (0..1 << vector).map(|place| sum(lanes, number) + sum(inside, place)).collect();
    SharedAccess::new((0..32).map(lane).collect(), weight)
}

fn order() -> impl Strategy<Value = Vec<usize>> {
    Just((0..12).collect::<Vec<usize>>()).prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A writer and a reader whose vectors agree: never a conflict.
    #[test]
    fn two_accesses_are_free(first in order(), second in order(), log2 in 0u32..4, vector in 0u32..5) {
        let vector = vector.min(4 - log2);
        let bits = 12;
        let second: Vec<usize> = first[..vector as usize].iter().copied().chain(second.into_iter().filter(|bit| !first[..vector as usize].contains(bit))).collect();
        let word = 2u32.saturating_sub(log2);
        prop_assume!(vector >= word);
        let accesses = vec![along(bits, &first, vector, 3), along(bits, &second, vector, 5)];
        let choice = chosen(&problem(&[64, 64], 1 << log2, accesses));
        prop_assert_eq!(choice.certificate, Certificate::NoConflicts);
        prop_assert!(choice.costs.iter().all(|cost| cost.bytes == 1 << (log2 + vector)));
    }

    /// Any number of accesses along single bits.
    #[test]
    fn the_check_agrees(orders in prop::collection::vec((order(), 0u32..5, 0i64..9), 0..6), log2 in 0u32..5) {
        let accesses = orders.iter().map(|(order, vector, weight)| along(12, order, (*vector).min(4 - log2), *weight));
        chosen(&problem(&[16, 4, 64], 1 << log2, accesses.collect()));
    }

    /// Any lanes at all, of any shape.
    #[test]
    fn any_lanes_have_a_layout(
        shape in prop::collection::vec(1i64..20, 1..4),
        lanes in prop::collection::vec(prop::collection::vec((any::<u16>(), any::<bool>()), 0..33), 1..4),
        log2 in 0u32..4,
    ) {
        let elements: i64 = shape.iter().product();
        let lane = |(start, active): &(u16, bool)| if *active { vec![i64::from(*start) % elements] } else { Vec::new() };
        let accesses = lanes.iter().map(|lanes| SharedAccess::new(lanes.iter().map(lane).collect(), 1));
        let accesses: Vec<SharedAccess> = accesses.filter(|access| access.lanes.iter().any(|lane| !lane.is_empty())).collect();
        chosen(&problem(&shape, 1 << log2, accesses));
    }
}
