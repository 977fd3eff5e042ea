//! Types of keys and values, both orders, and that sorts are stable.

use crate::program::Program;
use crate::run::{BlockOrder, check, narrowed, random, rank};

const KEYS: [&str; 8] = ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"];
const VALUES: [Option<&str>; 5] = [None, Some("i8"), Some("f16"), Some("f32"), Some("i64")];

/// Random keys, each several times, and those at the edges of their type.
fn keys(program: &Program, n: usize) -> Vec<u64> {
    let width = 8 * program.bytes().0 as u32;
    let sign = 1_u64 << (width - 1);
    // Zeros, the least and the greatest numbers, and NaN of both signs, if they are floats.
    let edges = [0, sign, u64::MAX, sign - 1, 1, sign + 1];
    let random = random(u64::from(width), n);
    let key = |(index, &key): (usize, &u64)| match index % 4 {
        0 => edges[index / 4 % edges.len()],
        1 => key & 0x0103_0107_0003_0003,
        _ => key,
    };
    let keys: Vec<_> = random.iter().enumerate().map(key).collect();
    narrowed(program, &keys)
}

#[test]
fn keys_of_every_type_are_sorted_in_both_orders() {
    for (index, key) in KEYS.into_iter().enumerate() {
        for is_descending in [false, true] {
            let value = VALUES[(index + usize::from(is_descending)) % VALUES.len()];
            let program = Program { is_descending, value, ..Program::new(key, 2) };
            check(&program, BlockOrder::under("random:1".parse().expect("a schedule")), &keys(&program, 4 * 512 + 9));
        }
    }
}

#[test]
fn unsigned_keys_are_sorted_in_both_orders() {
    for key in ["i8", "i16", "i32", "i64"] {
        for is_descending in [false, true] {
            let program = Program { is_unsigned: true, is_descending, value: Some("i32"), ..Program::new(key, 2) };
            check(&program, BlockOrder::under("fair".parse().expect("a schedule")), &keys(&program, 3 * 512 + 1));
        }
    }
}

#[test]
fn values_of_every_width_follow_their_keys() {
    for value in VALUES {
        let program = Program { value, ..Program::new("f32", 1) };
        check(&program, BlockOrder::under("reversed".parse().expect("a schedule")), &keys(&program, 6 * 256 + 1));
    }
}

/// The order of floats that the tests expect is the one of the standard.
#[test]
fn floats_have_their_total_order() {
    let program = Program::new("f32", 1);
    let keys = keys(&program, 400);
    for pair in keys.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|bits| f32::from_bits(bits as u32));
        assert_eq!(rank(&program, pair[0]).cmp(&rank(&program, pair[1])), a.total_cmp(&b), "{a} {b}");
    }
}

#[test]
fn later_chips_sort_as_well() {
    for chip in ["sm_86", "sm_90a", "sm_120"] {
        let program = Program { chip, value: Some("i32"), ..Program::new("i64", 1) };
        check(&program, BlockOrder::under("fair".parse().expect("a schedule")), &keys(&program, 2 * 256 + 3));
    }
}
