//! The same bits in every run.

use std::collections::HashSet;

use crate::element::Random;
use crate::program::Program;
use crate::run::{Launch, check, run, schedules};

/// Floats of mixed magnitudes: a different order of additions gives a different sum.
pub fn mixed(n: usize) -> Vec<Vec<u8>> {
    let mut random = Random(11);
    (0..n)
        .map(|_| {
            let bits = random.next();
            let magnitude = 2f32.powi((bits & 31) as i32 - 16);
            (((bits >> 8) as i16) as f32 * magnitude).to_le_bytes().to_vec()
        })
        .collect()
}

fn results(options: &str, launch: &Launch) -> HashSet<Vec<u8>> {
    let program = Program::new("f32", "add", options);
    let input = mixed(launch.tile * 40 + 7);
    let schedules = schedules().into_iter().chain((3..20).map(ptx_sim::Schedule::Random));
    schedules.map(|schedule| run(&program, &launch.under(schedule), &input, None).out).collect()
}

#[test]
fn a_deterministic_scan_gives_the_same_bits_under_every_schedule() {
    for spin in [1, 4] {
        let options = format!(
            r#"shape = "register", threads = 32 : i64, items = 1 : i64, deterministic, max_spin = {spin} : i64"#
        );
        assert_eq!(results(&options, &Launch::new(32, 32)).len(), 1);
    }
}

/// Without `deterministic`, the results depend on the schedule, so that the test above can fail.
#[test]
fn other_scans_need_not() {
    assert!(results(r#"shape = "register", threads = 32 : i64, items = 1 : i64"#, &Launch::new(32, 32)).len() > 1);
}

/// A ring adds up a tile's predecessors in the same way whichever block published their sums.
#[test]
fn a_ring_gives_the_same_bits_under_every_schedule() {
    for spin in [1, 8] {
        let options = format!("threads = 32 : i64, items = 4 : i64, stages = 2 : i64, max_spin = {spin} : i64");
        let launch = Launch { blocks: Some(7), shared: 2 * 512, ..Launch::new(128, 128) };
        assert_eq!(results(&options, &launch).len(), 1);
    }
}

/// Sums of two words, polled again while they are replaced by prefixes: halves of the two must never be mixed.
#[test]
fn a_sum_of_two_words_is_not_torn() {
    let options = r#"shape = "register", threads = 32 : i64, items = 3 : i64, deterministic, hold = 1 : i64, max_spin = 5 : i64, order = "ticket""#;
    let program = Program { chip: "sm_80", ..Program::new("i64", "mul", options) };
    let mut random = Random(3);
    let numbers: Vec<i64> = (0..96 * 6).map(|_| random.next() | 1).collect();
    let products = numbers.iter().scan(1i64, |product, &number| {
        *product = product.wrapping_mul(number);
        Some(*product)
    });
    let [input, right] = [numbers.clone(), products.collect()]
        .map(|values: Vec<i64>| values.iter().map(|value| value.to_le_bytes().to_vec()).collect::<Vec<_>>());
    for seed in 0..200 {
        let launch = Launch::new(96, 32).under(ptx_sim::Schedule::Random(seed));
        check(&run(&program, &launch, &input, None).out, &right, &launch);
    }
}
