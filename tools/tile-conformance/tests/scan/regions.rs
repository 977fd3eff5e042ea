//! Operators with regions: pairs that are combined as one, and operators that neither commute nor have an identity.

use crate::element::{Random, Scalar};
use crate::program::Program;
use crate::run::{Launch, check, run, schedules};

const TILE: usize = 256;
const OPTIONS: &str = r#"shape = "register", threads = 32 : i64, items = 8 : i64"#;

/// y[i] = a[i] y[i-1] + b[i]: an operator that does not commute, on pairs.
fn recurrence(lanes: &str, plus: &str, times: &str) -> String {
    let pair = format!("vector<2x{lanes}>");
    format!(
        "combine {{ ^bb0(%l: {pair}, %r: {pair}):
           %la, %lb = vector.to_elements %l : {pair}
           %ra, %rb = vector.to_elements %r : {pair}
           %a = {times} %la, %ra : {lanes}
           %m = {times} %lb, %ra : {lanes}
           %b = {plus} %m, %rb : {lanes}
           %p = vector.from_elements %a, %b : {pair}
           tile.yield %p : {pair} }}"
    )
}

#[test]
fn pairs_are_combined_as_one() {
    for (lanes, bytes) in [("i8", 1), ("i16", 2), ("i32", 4), ("i64", 8)] {
        for chip in ["sm_80", "sm_90a"] {
            for (strategy, exclusive) in [
                ("decoupled_fallback", false),
                ("reduce_then_scan", true),
                ("serial", false),
                ("decoupled_fallback", true),
            ] {
                pairs(lanes, bytes, chip, strategy, exclusive);
            }
        }
    }
}

fn pairs(lanes: &str, bytes: usize, chip: &'static str, strategy: &str, exclusive: bool) {
    let shape = match strategy {
        "serial" => "",
        "reduce_then_scan" => ", threads = 64 : i64, items = 4 : i64",
        _ => r#", shape = "register", threads = 64 : i64, items = 4 : i64"#,
    };
    let mut program =
        Program::new(&format!("vector<2x{lanes}>"), "custom", &format!("strategy = \"{strategy}\"{shape}"));
    program.combine = recurrence(lanes, "arith.addi", "arith.muli");
    (program.chip, program.exclusive) = (chip, exclusive);
    if exclusive {
        program.identity = format!("identity(dense<[1, 0]> : vector<2x{lanes}>)");
    }
    let mut random = Random(bytes as u64);
    let input: Vec<[i64; 2]> = (0..3 * TILE + 5).map(|_| [random.next(), random.next()]).collect();
    let encode = |pair: [i64; 2]| [&pair[0].to_le_bytes()[..bytes], &pair[1].to_le_bytes()[..bytes]].concat();
    let mut sum = [1i64, 0];
    let results = input.iter().map(|&[a, b]| {
        let before = sum;
        sum = [sum[0].wrapping_mul(a), sum[1].wrapping_mul(a).wrapping_add(b)];
        encode(if exclusive { before } else { sum })
    });
    let results: Vec<_> = results.collect();
    let encoded: Vec<_> = input.iter().map(|&pair| encode(pair)).collect();
    for schedule in schedules() {
        let launch = Launch::new(TILE, if strategy == "serial" { 32 } else { 64 }).under(schedule);
        check(&run(&program, &launch, &encoded, None).out, &results, &(&program, schedule));
    }
}

/// The leftmost element wins: an operator without an identity, which would tell if anything was left out or moved.
#[test]
fn an_operator_without_identity_is_right() {
    let mut program = Program::new("i32", "custom", OPTIONS);
    program.combine = "combine { ^bb0(%l: i32, %r: i32): tile.yield %l : i32 }".to_owned();
    let input: Vec<_> = (0..4 * TILE + 3).map(|index| Scalar("i32").encode(index as i64 + 1)).collect();
    let expected = vec![Scalar("i32").encode(1); input.len()];
    for schedule in schedules() {
        let outcome = run(&program, &Launch::new(TILE, 32).under(schedule), &input, None);
        check(&outcome.out, &expected, &(&program, schedule));
    }
}

/// The same in a ring, where reduce and window warps must keep to the order, too.
#[test]
fn a_ring_keeps_the_order_of_an_operator() {
    let pair = "vector<2xi32>";
    let options = "threads = 64 : i64, items = 4 : i64, stages = 3 : i64";
    let mut program = Program::new(pair, "custom", options);
    program.combine = recurrence("i32", "arith.addi", "arith.muli");
    let mut random = Random(3);
    let input: Vec<[i32; 2]> = (0..37 * TILE + 5).map(|_| [random.next() as i32 | 1, random.next() as i32]).collect();
    let encode = |pair: [i32; 2]| pair.map(i32::to_le_bytes).concat();
    let mut sum = [1i32, 0];
    let results = input.iter().map(|&[a, b]| {
        sum = [sum[0].wrapping_mul(a), sum[1].wrapping_mul(a).wrapping_add(b)];
        encode(sum)
    });
    let results: Vec<_> = results.collect();
    let encoded: Vec<_> = input.iter().map(|&pair| encode(pair)).collect();
    for schedule in schedules() {
        let launch = Launch { blocks: Some(35), shared: 3 * 2048, ..Launch::new(TILE, 256).under(schedule) };
        check(&run(&program, &launch, &encoded, None).out, &results, &(&program, schedule));
    }
}
