//! The fixed cases of the other modules that portable targets accept.

use super::{Case, Vulkan};
use crate::boundaries::{WAYS, encoded, numbers, sums};
use crate::element::SCALARS;
use crate::operators;
use crate::program::Program;
use crate::random::number;
use crate::regions::{Pairs, recurrence};

const TILE: usize = 256;
const KINDS: [&str; 9] = ["add", "mul", "min", "max", "umin", "umax", "and", "or", "xor"];
const REGISTER: &str = r#"shape = "register", threads = 32 : i64, items = 8 : i64"#;
const PASSES: &str = r#"strategy = "reduce_then_scan", threads = 32 : i64, items = 8 : i64"#;

/// Every strategy that needs no progress guarantee, at lengths around its tiles.
fn boundaries() -> Vec<Case> {
    let is_portable = |options: &str| !["decoupled_lookback", "stages"].iter().any(|word| options.contains(word));
    let mut all = Vec::new();
    for way in WAYS.iter().filter(|way| is_portable(way.options)) {
        let tile = way.tile;
        for n in [1, 2, 31, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 7 * tile + 13] {
            let numbers = numbers(n, n as u64);
            let program = Program::new("i32", "add", way.options);
            all.push(Case { program, tile, input: encoded(&numbers), right: sums(&numbers), first: None });
        }
    }
    all
}

/// Every type and operator, inclusive and exclusive, and sums with an initial value.
fn numbers_of_every_type() -> Vec<Case> {
    let mut all = Vec::new();
    for scalar in SCALARS {
        let kinds = if scalar.is_float() { &KINDS[..4] } else { &KINDS[..] };
        let with_first = [("add", REGISTER, Some(7)), ("add", PASSES, Some(7)), ("add", PASSES, None)];
        let plain = kinds.iter().map(|kind| (*kind, REGISTER, None));
        for (kind, options, init) in plain.chain(with_first) {
            for exclusive in [false, true] {
                let mut program = Program::new(scalar.0, kind, options);
                (program.exclusive, program.init) = (exclusive, init.is_some());
                let input = operators::numbers(scalar, kind, 3 * TILE + 9);
                let right = operators::expected(scalar, kind, &input, exclusive, init);
                let input = input.iter().map(|&item| scalar.encode(item)).collect();
                let first = init.map(|init| scalar.encode(init));
                all.push(Case { program, tile: TILE, input, right, first });
            }
        }
    }
    all
}

/// Pairs with an operator that does not commute.
fn pairs() -> Vec<Case> {
    let mut all = Vec::new();
    for bytes in [1, 2, 4, 8] {
        for (options, exclusive) in
            [(REGISTER, false), (PASSES, true), (r#"strategy = "serial""#, false), (REGISTER, true)]
        {
            let pairs = Pairs { bytes };
            let mut program = Program::new(&pairs.name(), "custom", options);
            program.combine = recurrence(&pairs.lanes(), "arith.addi", "arith.muli");
            program.exclusive = exclusive;
            if exclusive {
                program.identity = format!("identity(dense<[1, 0]> : {})", pairs.name());
            }
            let (input, right) = pairs.data(3 * TILE + 5, exclusive);
            all.push(Case { program, tile: TILE, input, right, first: None });
        }
    }
    all
}

/// One of every `SCAN_VULKAN_STEP` cases, each on a different target than the previous one: `SCAN_VULKAN_STEP=1` runs
/// all.
#[test]
fn fixed_scans_are_right_on_vulkan() {
    let Some(mut vulkan) = Vulkan::open() else { return };
    let step = number("SCAN_VULKAN_STEP", 11).max(1) as usize;
    let all: Vec<Case> = [boundaries(), numbers_of_every_type(), pairs()].into_iter().flatten().collect();
    assert!(all.len() > 200, "{}", all.len());
    let mut done = 0;
    for (index, case) in all.iter().enumerate().step_by(step) {
        done += usize::from(vulkan.check(case, index, 1));
    }
    assert!(done * step > all.len() / 2, "{done} cases were run");
}
