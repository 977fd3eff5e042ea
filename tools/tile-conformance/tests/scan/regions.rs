//! Operators with regions: on pairs that are combined as one element, and operators that neither commute nor have an
//! identity.

use crate::element::{Random, Scalar};
use crate::program::Program;
use crate::run::{Launch, check, run, schedules};

const TILE: usize = 256;
const OPTIONS: &str = r#"shape = "register", threads = 32 : i64, items = 8 : i64"#;

/// y[i] = a[i] y[i-1] + b[i]: an operator that does not commute, on pairs.
pub fn recurrence(lanes: &str, plus: &str, times: &str) -> String {
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

/// Pairs of integers of `bytes` bytes.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    /// Bytes of a number.
    pub bytes: usize,
}

impl Pairs {
    /// The type of a number.
    pub fn lanes(self) -> String {
        format!("i{}", 8 * self.bytes)
    }

    /// The type of a pair.
    pub fn name(self) -> String {
        format!("vector<2x{}>", self.lanes())
    }

    /// Random pairs, and the results of the recurrence.
    pub fn data(self, n: usize, exclusive: bool) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let encode = |pair: [i64; 2]| pair.map(|value| value.to_le_bytes()[..self.bytes].to_vec()).concat();
        let mut random = Random(self.bytes as u64);
        let mut sum = [1i64, 0];
        (0..n)
            .map(|_| {
                let [a, b] = [random.next() | 1, random.next()];
                let before = sum;
                sum = [sum[0].wrapping_mul(a), sum[1].wrapping_mul(a).wrapping_add(b)];
                (encode([a, b]), encode(if exclusive { before } else { sum }))
            })
            .unzip()
    }
}

#[test]
fn pairs_are_combined_as_one() {
    for bytes in [1, 2, 4, 8] {
        for chip in ["sm_80", "sm_90a"] {
            for (strategy, exclusive) in [
                ("decoupled_fallback", false),
                ("reduce_then_scan", true),
                ("serial", false),
                ("decoupled_fallback", true),
            ] {
                pairs(Pairs { bytes }, chip, strategy, exclusive);
            }
        }
    }
}

fn pairs(pairs: Pairs, chip: &'static str, strategy: &str, exclusive: bool) {
    let shape = match strategy {
        "serial" => "",
        "reduce_then_scan" => ", threads = 64 : i64, items = 4 : i64",
        _ => r#", shape = "register", threads = 64 : i64, items = 4 : i64"#,
    };
    let mut program = Program::new(&pairs.name(), "custom", &format!("strategy = \"{strategy}\"{shape}"));
    program.combine = recurrence(&pairs.lanes(), "arith.addi", "arith.muli");
    (program.chip, program.exclusive) = (chip, exclusive);
    if exclusive {
        program.identity = format!("identity(dense<[1, 0]> : {})", pairs.name());
    }
    let (input, results) = pairs.data(3 * TILE + 5, exclusive);
    for schedule in schedules() {
        let launch = Launch::new(TILE, if strategy == "serial" { 32 } else { 64 }).under(schedule);
        check(&run(&program, &launch, &input, None).out, &results, &(&program, schedule));
    }
}

/// The leftmost element wins: an operator without an identity, which reveals any omitted or misplaced element.
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
    let pairs = Pairs { bytes: 4 };
    let options = "threads = 64 : i64, items = 4 : i64, stages = 3 : i64";
    let mut program = Program::new(&pairs.name(), "custom", options);
    program.combine = recurrence("i32", "arith.addi", "arith.muli");
    let (input, results) = pairs.data(37 * TILE + 5, false);
    for schedule in schedules() {
        let launch = Launch { blocks: Some(35), shared: 3 * 2048, ..Launch::new(TILE, 256).under(schedule) };
        check(&run(&program, &launch, &input, None).out, &results, &(&program, schedule));
    }
}
