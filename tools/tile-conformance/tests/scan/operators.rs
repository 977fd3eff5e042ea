//! Every element type with every operator.

use crate::element::{Random, SCALARS, Scalar};
use crate::program::Program;
use crate::run::{Launch, check, run, schedules};

const TILE: usize = 256;
const OPTIONS: &str = r#"shape = "register", threads = 32 : i64, items = 8 : i64"#;

/// Numbers for an operator: small for floats, so that every result is exact.
pub fn numbers(scalar: Scalar, kind: &str, n: usize) -> Vec<i64> {
    let mut random = Random(n as u64);
    (0..n)
        .map(|_| random.next())
        .map(|value| match (scalar.is_float(), kind) {
            (true, "mul") => [1, -1][(value & 1) as usize],
            (true, "add") => value.rem_euclid(3) - 1,
            (true, _) => value.rem_euclid(200) - 100,
            (false, "mul") => value | 1,
            (false, _) => value,
        })
        .collect()
}

fn combine(scalar: Scalar, kind: &str, a: i64, b: i64) -> i64 {
    let bits = scalar.bytes() * 8;
    let narrow = |value: i64| value << (64 - bits) >> (64 - bits);
    let unsigned = |value: i64| ((value << (64 - bits)) as u64) >> (64 - bits);
    narrow(match kind {
        "add" => a.wrapping_add(b),
        "mul" => a.wrapping_mul(b),
        "min" => a.min(b),
        "max" => a.max(b),
        "umin" => {
            if unsigned(a) < unsigned(b) {
                a
            } else {
                b
            }
        }
        "umax" => {
            if unsigned(a) > unsigned(b) {
                a
            } else {
                b
            }
        }
        "and" => a & b,
        "or" => a | b,
        _ => a ^ b,
    })
}

/// The first value of an exclusive scan.
fn identity(scalar: Scalar, kind: &str) -> Vec<u8> {
    let bits = scalar.bytes() * 8;
    let infinity = |negative: bool| {
        let magnitude: u64 = match scalar.0 {
            "f16" => 0x7c00,
            "bf16" => 0x7f80,
            "f32" => 0x7f80_0000,
            _ => 0x7ff0_0000_0000_0000,
        };
        (magnitude | u64::from(negative) << (bits - 1)).to_le_bytes()[..scalar.bytes()].to_vec()
    };
    match (kind, scalar.is_float()) {
        ("mul", _) => scalar.encode(1),
        ("min", true) => infinity(false),
        ("max", true) => infinity(true),
        ("min", false) => scalar.encode(i64::MAX >> (64 - bits)),
        ("max", false) => scalar.encode(i64::MIN >> (64 - bits)),
        ("umin" | "and", _) => scalar.encode(-1),
        _ => scalar.encode(0),
    }
}

pub fn expected(scalar: Scalar, kind: &str, input: &[i64], exclusive: bool, init: Option<i64>) -> Vec<Vec<u8>> {
    let mut sum = init;
    input
        .iter()
        .map(|&item| {
            let before = sum.map_or_else(|| identity(scalar, kind), |sum| scalar.encode(sum));
            let narrow = item << (64 - scalar.bytes() * 8) >> (64 - scalar.bytes() * 8);
            let item = if scalar.is_float() { item } else { narrow };
            let after = sum.map_or(item, |sum| combine(scalar, kind, sum, item));
            sum = Some(after);
            if exclusive { before } else { scalar.encode(after) }
        })
        .collect()
}

/// The options of a ring whose tiles have two vectors per thread.
fn ring_options(bytes: usize) -> String {
    format!("threads = 32 : i64, items = {} : i64, stages = 2 : i64", 32 / bytes)
}

fn launch(ring: bool, bytes: usize, schedule: ptx_sim::Schedule) -> Launch {
    match ring {
        false => Launch::new(TILE, 32).under(schedule),
        // One warp scans, two reduce a row each, one polls other blocks, one loads.
        true => Launch { blocks: Some(2), shared: 2 * 1024, ..Launch::new(1024 / bytes, 32 * 5).under(schedule) },
    }
}

fn all_kinds(ring: bool, chip: &'static str) {
    let kinds = ["add", "mul", "min", "max", "umin", "umax", "and", "or", "xor"];
    let schedules = schedules();
    for (number, scalar) in SCALARS.into_iter().enumerate() {
        for (kind, exclusive) in kinds.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
            if scalar.is_float() && !matches!(kind, "add" | "mul" | "min" | "max") {
                continue;
            }
            let options = if ring { ring_options(scalar.bytes()) } else { OPTIONS.to_owned() };
            let mut program = Program::new(scalar.0, kind, &options);
            (program.exclusive, program.chip) = (exclusive, chip);
            let input = numbers(scalar, kind, 3 * TILE + 9);
            let bytes: Vec<_> = input.iter().map(|&item| scalar.encode(item)).collect();
            let launch = launch(ring, scalar.bytes(), schedules[number % schedules.len()]);
            let outcome = run(&program, &launch, &bytes, None);
            check(&outcome.out, &expected(scalar, kind, &input, exclusive, None), &program);
        }
    }
}

#[test]
fn every_type_and_operator_is_right() {
    all_kinds(false, "sm_90a");
}

#[test]
fn every_type_is_right_in_three_kernels() {
    for (scalar, exclusive) in SCALARS.into_iter().flat_map(|scalar| [(scalar, false), (scalar, true)]) {
        for init in [None, Some(7)] {
            let options = r#"strategy = "reduce_then_scan", threads = 32 : i64, items = 8 : i64"#;
            let mut program = Program::new(scalar.0, "add", options);
            (program.exclusive, program.init) = (exclusive, init.is_some());
            let input = numbers(scalar, "add", 5 * TILE + 77);
            let bytes: Vec<_> = input.iter().map(|&item| scalar.encode(item)).collect();
            let first = init.map(|init| scalar.encode(init));
            let outcome = run(&program, &Launch::new(TILE, 32), &bytes, first.as_deref());
            check(&outcome.out, &expected(scalar, "add", &input, exclusive, init), &program);
        }
    }
}

#[test]
fn every_type_and_operator_is_right_in_a_ring() {
    all_kinds(true, "sm_90a");
}

/// Without atomics of 128 bits, 64-bit sums take two words.
#[test]
fn every_type_and_operator_is_right_on_an_older_chip() {
    all_kinds(false, "sm_80");
}

#[test]
fn first_values_are_part_of_everything() {
    for (scalar, exclusive) in SCALARS.into_iter().flat_map(|scalar| [(scalar, false), (scalar, true)]) {
        let mut program = Program::new(scalar.0, "add", OPTIONS);
        (program.exclusive, program.init) = (exclusive, true);
        let input = numbers(scalar, "add", 3 * TILE);
        let bytes: Vec<_> = input.iter().map(|&item| scalar.encode(item)).collect();
        for schedule in [schedules()[0], schedules()[3]] {
            let launch = Launch::new(TILE, 32).under(schedule);
            let outcome = run(&program, &launch, &bytes, Some(&scalar.encode(7)));
            check(&outcome.out, &expected(scalar, "add", &input, exclusive, Some(7)), &program);
        }
    }
}

/// -0 stays -0, and NaN spreads from its position on.
#[test]
fn zeros_keep_their_sign_and_nan_spreads() {
    let n = 2 * TILE + 9;
    let program = Program::new("f32", "add", OPTIONS);
    let zeros = vec![(-0.0f32).to_le_bytes().to_vec(); n];
    check(&run(&program, &Launch::new(TILE, 32), &zeros, None).out, &zeros, &program);
    for kind in ["add", "min", "max"] {
        let program = Program::new("f32", kind, OPTIONS);
        let mut input = vec![1f32.to_le_bytes().to_vec(); n];
        input[TILE + 3] = f32::NAN.to_le_bytes().to_vec();
        let out = run(&program, &Launch::new(TILE, 32), &input, None).out;
        for (index, bytes) in out.chunks(4).enumerate() {
            let value = f32::from_le_bytes(bytes.try_into().expect("4 bytes"));
            assert_eq!(value.is_nan(), index >= TILE + 3, "{kind}: element {index} is {value}");
        }
    }
}
