//! Lengths around tiles, and contents of every kind.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory, launch};
use tile_plan::sort::HISTOGRAM_THREADS;

use crate::program::{Program, compile};
use crate::run::{BlockOrder, Device, check, compare, expected, narrowed, random, schedules};

/// Elements of a tile of one item per thread.
const TILE: usize = 256;

#[test]
fn lengths_around_tiles_are_sorted_under_all_schedules() {
    let program = Program::new("i32", 1);
    for n in [1, 2, TILE - 1, TILE, TILE + 1, 5 * TILE + 7] {
        for schedule in schedules() {
            check(&program, BlockOrder::under(schedule), &narrowed(&program, &random(n as u64, n)));
        }
    }
}

#[test]
fn lengths_that_counts_do_not_hold_trap() {
    let program = Program::new("i32", 1);
    let mut memory = Memory::new();
    let array = memory.alloc_with(&[0; 64]).expect("there is room");
    let dynamic_shared = program.plan().histogram.shared_bytes as u32;
    let config = LaunchConfig { dynamic_shared, ..LaunchConfig::new(1, HISTOGRAM_THREADS as u32) };
    for length in [1 << 30, u64::MAX] {
        let args = [Arg::Ptr(array), Arg::Ptr(array), Arg::Ptr(array), Arg::U64(length), Arg::U32(1)];
        match launch(&mut memory, &compile(&program), "sort_histogram", &config, &args) {
            Err(LaunchError::Fault(fault)) => assert_eq!(fault.kind, FaultKind::Trap),
            other => panic!("got {other:?}, expected a trap"),
        }
    }
}

#[test]
fn sorted_equal_and_reversed_keys_are_sorted() {
    let program = Program { is_unsigned: true, value: Some("i32"), ..Program::new("i32", 3) };
    let n = 7 * TILE + 11;
    let few = random(5, n).iter().map(|key| key % 3 * 0x0100_0001).collect();
    let rising: Vec<_> = (0..n as u64).map(|index| index * 97).collect();
    let falling = rising.iter().rev().copied().collect();
    for keys in [vec![7; n], few, rising, falling, vec![u64::from(u32::MAX); n], vec![0; n]] {
        check(&program, BlockOrder::under("fair".parse().expect("a schedule")), &keys);
    }
}

/// The tile that is planned by default, and more than one of it.
#[test]
fn the_default_tile_is_sorted() {
    let program = Program { is_unsigned: true, ..Program::new("i32", 40) };
    assert_eq!(program.plan().tile.elements(), 10240);
    check(
        &program,
        BlockOrder::under("random:3".parse().expect("a schedule")),
        &narrowed(&program, &random(1, 2 * 10240 + 77)),
    );
}

/// The workspace is used again with other lengths, without being cleared.
#[test]
fn sorts_follow_each_other_in_one_workspace() {
    let program = Program { value: Some("i64"), ..Program::new("i32", 2) };
    let mut device = Device::new();
    for (round, n) in [5 * 512 + 3, 512, 9 * 512 - 1, 3, 6 * 512].into_iter().enumerate() {
        let keys = narrowed(&program, &random(round as u64, n));
        let outcome = device.sort(&program, BlockOrder::under("random:4".parse().expect("a schedule")), &keys);
        let outcome = outcome.unwrap_or_else(|error| panic!("round {round}: {error}"));
        compare(&outcome.arrays, &expected(&program, &keys), &format!("round {round}"));
    }
}

/// Arrays that are aligned to their elements only.
#[test]
fn arrays_may_begin_anywhere() {
    for key in ["i8", "i32"] {
        let program = Program { offset: 3, value: Some("i16"), ..Program::new(key, 2) };
        check(
            &program,
            BlockOrder::under("fair".parse().expect("a schedule")),
            &narrowed(&program, &random(8, 3 * 512 + 5)),
        );
    }
}
