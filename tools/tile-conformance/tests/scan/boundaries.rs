//! Every length around the edges of tiles, every schedule, every way to do it.

use crate::element::{Random, Scalar};
use crate::program::Program;
use crate::run::{Device, Launch, check, run, schedules};

/// Strategies and shapes with small tiles: attributes, elements of a tile, threads.
pub const WAYS: [(&str, usize, u32); 6] = [
    (r#"shape = "register", threads = 64 : i64, items = 4 : i64"#, 256, 64),
    (r#"shape = "register", threads = 32 : i64, items = 8 : i64, order = "ticket""#, 256, 32),
    (r#"shape = "register", threads = 96 : i64, items = 3 : i64, max_spin = 1 : i64"#, 288, 96),
    (r#"shape = "register", threads = 64 : i64, items = 4 : i64, deterministic"#, 256, 64),
    (r#"strategy = "decoupled_lookback", shape = "register", threads = 64 : i64, items = 4 : i64"#, 256, 64),
    (r#"strategy = "serial""#, 256, 32),
];

/// Random whole numbers that wrap when they are added up; some are 0.
pub fn numbers(n: usize, seed: u64) -> Vec<i64> {
    let mut random = Random(seed);
    (0..n).map(|_| random.next()).map(|value| if value % 5 == 0 { 0 } else { value as i32 as i64 }).collect()
}

/// Their sums, as i32.
pub fn sums(numbers: &[i64]) -> Vec<Vec<u8>> {
    let mut sum = 0i32;
    numbers
        .iter()
        .map(|&number| {
            sum = sum.wrapping_add(number as i32);
            sum.to_le_bytes().to_vec()
        })
        .collect()
}

pub fn encoded(numbers: &[i64]) -> Vec<Vec<u8>> {
    numbers.iter().map(|&number| Scalar("i32").encode(number)).collect()
}

#[test]
fn every_length_around_tiles_is_right_under_every_schedule() {
    for (options, tile, threads) in WAYS {
        let program = Program::new("i32", "add", options);
        let lengths = [1, 2, 31, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 7 * tile + 13];
        for n in lengths {
            let numbers = numbers(n, n as u64);
            for schedule in schedules() {
                let launch = Launch::new(tile, threads).under(schedule);
                let outcome = run(&program, &launch, &encoded(&numbers), None);
                check(&outcome.out, &sums(&numbers), &(&program, n, schedule));
            }
        }
    }
}

/// More tiles than a look-back sees at a time.
#[test]
fn many_tiles_are_right() {
    let (n, tile) = (70 * 32 + 5, 32);
    let numbers = numbers(n, 3);
    for options in ["", ", deterministic", ", max_spin = 1 : i64"] {
        let options = format!(r#"shape = "register", threads = 32 : i64, items = 1 : i64{options}"#);
        let program = Program::new("i32", "add", &options);
        for schedule in schedules() {
            let outcome = run(&program, &Launch::new(tile, 32).under(schedule), &encoded(&numbers), None);
            check(&outcome.out, &sums(&numbers), &(&program, schedule));
        }
    }
}

/// A workspace serves many launches without being cleared, of other lengths, too.
#[test]
fn a_workspace_is_used_again() {
    for (options, tile, threads) in WAYS {
        let program = Program::new("i32", "add", options);
        let mut device = Device::new();
        for (round, n) in [5 * tile, 3, 4 * tile + 1, 9 * tile - 1, 5 * tile].into_iter().enumerate() {
            let numbers = numbers(n, round as u64);
            let schedule = schedules()[round % 4];
            let launch = Launch::new(tile, threads).under(schedule);
            let outcome = device.run(&program, &launch, &encoded(&numbers), None);
            let outcome = outcome.unwrap_or_else(|error| panic!("{options}: {error}"));
            check(&outcome.out, &sums(&numbers), &(&program, round));
        }
    }
}

/// Arrays that begin anywhere.
#[test]
fn misaligned_arrays_are_right() {
    for offset in [1, 2, 4] {
        let mut program = Program::new("i32", "add", r#"shape = "register", threads = 64 : i64, items = 4 : i64"#);
        program.offset = offset;
        let numbers = numbers(3 * 256 + 17, 8);
        let outcome = run(&program, &Launch::new(256, 64), &encoded(&numbers), None);
        check(&outcome.out, &sums(&numbers), &program);
    }
}
