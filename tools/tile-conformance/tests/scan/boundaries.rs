//! Every length around the edges of tiles, every schedule, every strategy and shape.

use crate::element::{Random, Scalar};
use crate::program::Program;
use crate::run::{Device, Launch, check, run, schedules};

/// A strategy and shape of a scan, with small tiles.
#[derive(Clone, Copy)]
pub struct Way {
    /// Attributes of the op.
    pub options: &'static str,
    /// Elements of a tile, 4 bytes each.
    pub tile: usize,
    /// Threads of a block.
    pub threads: u32,
    /// Stages of the ring, if there is one.
    pub stages: usize,
}

const fn way(options: &'static str, tile: usize, threads: u32) -> Way {
    Way { options, tile, threads, stages: 0 }
}

/// Strategies and shapes.
pub const WAYS: [Way; 10] = [
    way(r#"strategy = "reduce_then_scan", threads = 64 : i64, items = 4 : i64"#, 256, 64),
    way(r#"shape = "register", threads = 64 : i64, items = 4 : i64"#, 256, 64),
    way(r#"shape = "register", threads = 32 : i64, items = 8 : i64, order = "ticket""#, 256, 32),
    way(r#"shape = "register", threads = 96 : i64, items = 3 : i64, max_spin = 1 : i64"#, 288, 96),
    way(r#"shape = "register", threads = 64 : i64, items = 4 : i64, deterministic"#, 256, 64),
    way(r#"strategy = "decoupled_lookback", shape = "register", threads = 64 : i64, items = 4 : i64"#, 256, 64),
    way(r#"strategy = "serial""#, 256, 32),
    Way { options: r#"threads = 64 : i64, items = 4 : i64, stages = 3 : i64"#, tile: 256, threads: 192, stages: 3 },
    Way {
        options: r#"threads = 32 : i64, items = 8 : i64, stages = 2 : i64, max_spin = 1 : i64"#,
        tile: 256,
        threads: 160,
        stages: 2,
    },
    Way { options: r#"threads = 96 : i64, items = 4 : i64, stages = 2 : i64"#, tile: 384, threads: 256, stages: 2 },
];

impl Way {
    /// One block per tile, or a few persistent ones.
    pub fn launch(&self, schedule: ptx_sim::Schedule) -> Launch {
        let launch = Launch::new(self.tile, self.threads).under(schedule);
        match self.stages {
            0 => launch,
            stages => Launch { blocks: Some(3), shared: (stages * self.tile * 4) as u32, ..launch },
        }
    }
}

/// Random integers whose sums wrap; some are 0.
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
    for way in WAYS {
        let (program, tile) = (Program::new("i32", "add", way.options), way.tile);
        let lengths = [1, 2, 31, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 7 * tile + 13];
        for n in lengths {
            let numbers = numbers(n, n as u64);
            for schedule in schedules() {
                let outcome = run(&program, &way.launch(schedule), &encoded(&numbers), None);
                check(&outcome.out, &sums(&numbers), &(&program, n, schedule));
            }
        }
    }
}

/// More tiles than a look-back covers at a time.
#[test]
fn many_tiles_are_right() {
    let (n, tile) = (70 * 32 + 5, 32);
    let numbers = numbers(n, 3);
    let register = r#"shape = "register""#;
    for options in [register, r#"shape = "register", deterministic"#, r#"strategy = "reduce_then_scan""#] {
        let options = format!("threads = 32 : i64, items = 1 : i64, {options}");
        let program = Program::new("i32", "add", &options);
        for schedule in schedules() {
            let outcome = run(&program, &Launch::new(tile, 32).under(schedule), &encoded(&numbers), None);
            check(&outcome.out, &sums(&numbers), &(&program, schedule));
        }
    }
}

/// A workspace serves many launches without being cleared, also with different lengths.
#[test]
fn a_workspace_is_used_again() {
    for way in WAYS {
        let (program, tile) = (Program::new("i32", "add", way.options), way.tile);
        let mut device = Device::new();
        for (round, n) in [5 * tile, 3, 4 * tile + 1, 9 * tile - 1, 5 * tile].into_iter().enumerate() {
            let numbers = numbers(n, round as u64);
            let schedule = schedules()[round % 4];
            let outcome = device.run(&program, &way.launch(schedule), &encoded(&numbers), None);
            let outcome = outcome.unwrap_or_else(|error| panic!("{}: {error}", way.options));
            check(&outcome.out, &sums(&numbers), &(&program, round));
        }
    }
}

/// Arrays at misaligned addresses.
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

/// A ring works with any number of blocks: fewer than tiles, more than tiles, more than a window covers at a time.
#[test]
fn a_ring_takes_any_grid() {
    let options = r#"threads = 32 : i64, items = 4 : i64, stages = 2 : i64"#;
    let (program, n) = (Program::new("i32", "add", options), 128 * 400 + 50);
    let numbers = numbers(n, 9);
    for blocks in [1, 2, 33, 161, 401, 500] {
        let launch = Launch { blocks: Some(blocks), shared: 2 * 512, ..Launch::new(128, 128) };
        for schedule in [schedules()[0], schedules()[3], schedules()[4]] {
            let outcome = run(&program, &launch.under(schedule), &encoded(&numbers), None);
            check(&outcome.out, &sums(&numbers), &(&program, blocks, schedule));
        }
    }
}
