//! Products: what instructions compute with the planned registers, by the PTX ISA's formulas of fragments, is the product.

mod fragments;
mod scales;

use proptest::prelude::*;
use proptest::sample::subsequence;
use tile_isa::convert::{Clause, NumberFormat};
use tile_isa::{Scope, Space};
use tile_layout::{Axis, Iter, Layout};
use tile_plan::choose::SelectError;
use tile_plan::distribution::RegisterDistribution;
use tile_plan::mma::{MmaOperand, MmaPlan, MmaProblem, RegisterInstruction, RegisterProduct};
use tile_plan::problem::refusal::Decline;
use tile_plan::problem::threads::Threads;
use tile_plan::target::Target;

fn operand(layout: Layout, shape: [i64; 2], number: NumberFormat) -> MmaOperand {
    let clause = (number == NumberFormat::Integer(8)).then_some(Clause::Signed);
    MmaOperand { space: Space::Local, align_bytes: 16, layout, shape, number, clause }
}

fn problem(
    layouts: [Layout; 3],
    [m, n, k]: [i64; 3],
    factor: NumberFormat,
    sum: NumberFormat,
    threads: Threads,
) -> MmaProblem {
    let [a, b, c] = layouts;
    MmaProblem {
        a: operand(a, [m, k], factor),
        b: operand(b, [k, n], factor),
        c: operand(c, [m, n], sum),
        scales: None,
        threads,
        forced: None,
    }
}

fn parsed(layouts: [&str; 3]) -> [Layout; 3] {
    layouts.map(|layout| layout.parse().unwrap())
}

fn warp() -> Threads {
    Threads::all(Scope::Warp, Some(32))
}

fn target(chip: &str) -> Target {
    Target::parse(chip).unwrap()
}

/// The plan of a product of registers, its variant, and what declined before.
fn select(problem: &MmaProblem, target: &Target) -> Result<(RegisterProduct, &'static str, Vec<Decline>), SelectError> {
    tile_plan::mma::select(problem, target).map(|(plan, variant, declines)| match plan {
        MmaPlan::Registers(plan) => (plan, variant, declines),
        other => panic!("{other:?}"),
    })
}

/// The element of A, B or C in a register of a lane (PTX ISA, 9.7.14.5.7 to 9.7.14.5.11): `wide` elements share 32 bits.
fn fragment(operand: char, m: usize, wide: usize, lane: usize, element: usize) -> (usize, usize) {
    let (group, member) = (lane >> 2, lane % 4);
    let rows = m / 8;
    match operand {
        'a' => {
            let (register, within) = (element / wide, element % wide);
            (group + 8 * (register % rows), 4 * wide * (register / rows) + wide * member + within)
        }
        'b' => (4 * wide * (element / wide) + wide * member + element % wide, group),
        _ => (group + 8 * (element >> 1), 2 * member + element % 2),
    }
}

fn value_a(row: i64, depth: i64) -> i64 {
    (row * 7 + depth * 5) % 11 - 5
}

fn value_b(depth: i64, column: i64) -> i64 {
    (depth * 3 + column * 13) % 17 - 8
}

/// Executes the plan, and compares the sums with the product.
fn check(problem: &MmaProblem, plan: &RegisterProduct) {
    let distribution = |operand: &MmaOperand, name| {
        RegisterDistribution::new(&operand.layout, &operand.shape, name, &problem.threads).unwrap()
    };
    let (a, b, c) = (distribution(&problem.a, "a"), distribution(&problem.b, "b"), distribution(&problem.c, "c"));
    let (m, k, wide, lanes) = match plan.instruction {
        RegisterInstruction::MmaSync { shape, factors } => {
            (shape.m as usize, shape.k as usize, factors[0].per_register() as usize, 32)
        }
        RegisterInstruction::Fma => (1, 1, 1, 1),
    };
    let mut sums = vec![vec![0; c.registers()]; c.threads()];
    for first in (0..c.threads()).step_by(lanes) {
        for step in plan.steps() {
            let n = if lanes == 1 { 1 } else { 8 };
            let (mut left, mut right) = (vec![vec![None; k]; m], vec![vec![None; n]; k]);
            for lane in 0..lanes {
                let place = |operand, element| match lanes {
                    1 => (0, 0),
                    _ => fragment(operand, m, wide, lane, element),
                };
                for (element, &register) in step.a.iter().enumerate() {
                    let (row, depth) = place('a', element);
                    left[row][depth] = a.cell(first + lane, register).map(|(row, depth)| value_a(row, depth));
                }
                for (element, &register) in step.b.iter().enumerate() {
                    let (depth, column) = place('b', element);
                    right[depth][column] = b.cell(first + lane, register).map(|(depth, column)| value_b(depth, column));
                }
            }
            for lane in 0..lanes {
                for (element, &register) in step.c.iter().enumerate() {
                    let (row, column) = if lanes == 1 { (0, 0) } else { fragment('c', m, wide, lane, element) };
                    let terms = (0..k).map(|depth| left[row][depth].unwrap() * right[depth][column].unwrap());
                    sums[first + lane][register] += terms.sum::<i64>();
                }
            }
        }
    }
    for (thread, registers) in sums.iter().enumerate() {
        for (register, (row, column)) in c.held(thread) {
            let expected: i64 = (0..problem.a.shape[1]).map(|depth| value_a(row, depth) * value_b(depth, column)).sum();
            assert_eq!(registers[register], expected, "({row}, {column}) in register {register} of thread {thread}");
        }
    }
}

fn instruction(plan: &RegisterProduct) -> String {
    match plan.instruction {
        RegisterInstruction::MmaSync { shape, factors: [a, b] } => format!("{shape} {} {}", a.ptx(), b.ptx()),
        RegisterInstruction::Fma => "fma".to_owned(),
    }
}

#[test]
fn each_type_has_its_largest_instruction() {
    let halves =
        ("(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)", "(2, 4, 2, 8) : (2, 1@laneid, 1, 4@laneid)", [16, 8, 16]);
    let words = ("(2, 8, 2, 4) : (1, 4@laneid, 2, 1@laneid)", "(2, 4, 8) : (1, 1@laneid, 4@laneid)", [16, 8, 8]);
    let bytes =
        ("(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)", "(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)", [16, 8, 32]);
    let c = "(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)";
    for (number, sum, (a, b, sizes), expected) in [
        (NumberFormat::F16, NumberFormat::F32, halves, "m16n8k16 f16 f16"),
        (NumberFormat::F16, NumberFormat::F16, halves, "m16n8k16 f16 f16"),
        (NumberFormat::Bf16, NumberFormat::F32, halves, "m16n8k16 bf16 bf16"),
        (NumberFormat::Integer(8), NumberFormat::Integer(32), bytes, "m16n8k32 s8 s8"),
        (NumberFormat::E4m3, NumberFormat::F32, bytes, "m16n8k32 e4m3 e4m3"),
        (NumberFormat::F64, NumberFormat::F64, words, "m16n8k8 f64 f64"),
    ] {
        let problem = problem(parsed([a, b, c]), sizes, number, sum, warp());
        let (plan, variant, _) = select(&problem, &target("sm_90").with_features("+ptx84").unwrap()).unwrap();
        assert_eq!((variant, instruction(&plan).as_str()), ("mma_sync", expected));
        check(&problem, &plan);
    }
    let mut rounded = problem(parsed([words.0, words.1, c]), words.2, NumberFormat::F32, NumberFormat::F32, warp());
    (rounded.a.clause, rounded.b.clause) = (Some(Clause::Tf32), Some(Clause::Tf32));
    let (plan, ..) = select(&rounded, &target("sm_80")).unwrap();
    assert_eq!(instruction(&plan), "m16n8k8 tf32 tf32");
    check(&rounded, &plan);
}

#[test]
fn smaller_instructions_where_the_chip_or_the_tile_has_no_others() {
    let f64s = parsed([
        "(2, 8, 2, 4) : (1, 4@laneid, 2, 1@laneid)",
        "(2, 4, 8) : (1, 1@laneid, 4@laneid)",
        "(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)",
    ]);
    let problem_f64 = problem(f64s, [16, 8, 8], NumberFormat::F64, NumberFormat::F64, warp());
    let (plan, ..) = select(&problem_f64, &target("sm_80")).unwrap();
    assert_eq!((instruction(&plan).as_str(), plan.steps().count()), ("m8n8k4 f64 f64", 4));
    check(&problem_f64, &plan);
    let short = parsed([
        "(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)",
        "(4, 2, 8) : (1@laneid, 1, 4@laneid)",
        "(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)",
    ]);
    let short = problem(short, [16, 8, 8], NumberFormat::F16, NumberFormat::F32, warp());
    let (plan, ..) = select(&short, &target("sm_75")).unwrap();
    assert_eq!(instruction(&plan), "m16n8k8 f16 f16");
    check(&short, &plan);
}

#[test]
fn warps_share_a_tile_and_hold_copies_of_its_factors() {
    let layouts = parsed([
        "(2, 2, 2, 8, 2, 2, 4, 2) : (2@warpid, 16, 2, 4@laneid, 8, 4, 1@laneid, 1) + R(2 : 1@warpid)",
        "(2, 2, 4, 2, 2, 4, 8) : (16, 2, 1@laneid, 1, 1@warpid, 4, 4@laneid) + R(2 : 2@warpid)",
        "(2, 2, 2, 8, 2, 4, 4, 2) : (2@warpid, 16, 2, 4@laneid, 1@warpid, 4, 1@laneid, 1)",
    ]);
    let problem =
        problem(layouts, [64, 64, 32], NumberFormat::F16, NumberFormat::F32, Threads::all(Scope::Cta, Some(128)));
    let (plan, ..) = select(&problem, &target("sm_80")).unwrap();
    assert_eq!(plan.steps().count(), 16);
    check(&problem, &plan);
}

#[test]
fn threads_multiply_what_they_hold_themselves() {
    let layouts = parsed([
        "(8, 4, 16) : (4@laneid, 16, 1) + R(4 : 1@laneid)",
        "(16, 4, 8) : (8, 1@laneid, 1) + R(8 : 4@laneid)",
        "(8, 4, 4, 8) : (4@laneid, 8, 1@laneid, 1)",
    ]);
    let problem = problem(layouts, [32, 32, 16], NumberFormat::F32, NumberFormat::F32, warp());
    let (plan, variant, declines) = select(&problem, &target("sm_80")).unwrap();
    assert_eq!((variant, plan.steps().count()), ("fma", 4 * 8 * 16));
    assert_eq!(of_mma_sync(&declines).cause, "types-not-multiplied");
    check(&problem, &plan);
}

/// The decline of `mma.sync`.
fn of_mma_sync(declines: &[Decline]) -> &Decline {
    declines.iter().find(|decline| decline.variant == "mma_sync").unwrap()
}

fn cause(problem: &MmaProblem, chip: &str, variant: &str) -> (&'static str, String) {
    match select(&MmaProblem { forced: Some(variant.to_owned()), ..problem.clone() }, &target(chip)) {
        Err(SelectError::Declined { declines, .. }) => (declines[0].cause, declines[0].reason.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn refusals_say_what_is_where() {
    let [a, b, c] = [
        "(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)",
        "(2, 4, 2, 8) : (2, 1@laneid, 1, 4@laneid)",
        "(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)",
    ];
    let product = |a, b, c| problem(parsed([a, b, c]), [16, 8, 16], NumberFormat::F16, NumberFormat::F32, warp());
    let good = product(a, b, c);
    // Columns of A are rows of lanes.
    let (name, reason) = cause(&product("(2, 8, 2, 4, 2) : (2, 1@laneid, 4, 8@laneid, 1)", b, c), "sm_80", "mma_sync");
    assert_eq!(name, "fragment-mismatch");
    assert_eq!(
        reason,
        "m16n8k16: register 0 of thread 1 holds element (1, 0) of a; the instruction needs (0, 0) there; mma.m16n8k16 takes \
         a in #tile.fragment<mma.m16n8k16.a>, b in #tile.fragment<mma.m16n8k16.b>, c in #tile.fragment<mma.m16n8k16.c>"
    );
    let (name, reason) = cause(&good, "sm_80", "fma");
    assert_eq!((name, reason.as_str()), ("depth-not-held", "threads 0 to 0 hold 4 of 16 depths of a"));
    let brain = problem(parsed([a, b, c]), [16, 8, 16], NumberFormat::Bf16, NumberFormat::F32, warp());
    assert_eq!(cause(&brain, "sm_75", "mma_sync").0, "chip-lacks-mma");
    let one = MmaProblem { threads: Threads::all(Scope::Thread, Some(32)), ..good.clone() };
    assert_eq!(cause(&one, "sm_80", "mma_sync").0, "thread-axis-wider-than-scope");
    let alone = problem(parsed(["(1, 1) : (1, 1)"; 3]), [1, 1, 1], NumberFormat::F16, NumberFormat::F32, one.threads);
    assert_eq!(cause(&alone, "sm_80", "mma_sync").0, "scope-not-whole-warps");
    let twice = product(a, b, "(2, 8, 4, 2) : (0, 4@laneid, 1@laneid, 1)");
    assert_eq!(cause(&twice, "sm_80", "mma_sync").0, "registers-overlap");
    let small = "(8, 4, 2) : (4@laneid, 1@laneid, 1)";
    let small = problem(parsed([small, b, small]), [8, 8, 8], NumberFormat::F16, NumberFormat::F32, warp());
    assert_eq!(cause(&small, "sm_80", "mma_sync").0, "fragment-too-small");
    let mixed = problem(parsed([a, b, c]), [16, 8, 16], NumberFormat::F16, NumberFormat::F64, warp());
    assert_eq!(cause(&mixed, "sm_80", "mma_sync").0, "types-not-multiplied");
}

/// Bits of an index, by what they choose.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bit {
    Lane(i64),
    Register,
}

/// The bits of a dimension: given lane bits among register bits, in any order.
fn dimension(lanes: &[i64], registers: usize) -> impl Strategy<Value = Vec<Bit>> {
    let all = lanes.len() + registers;
    (subsequence((0..all).collect::<Vec<_>>(), lanes.len()), Just(lanes.to_vec()).prop_shuffle()).prop_map(
        move |(positions, lanes)| {
            let mut lanes = lanes.into_iter();
            let lane = |at: usize| positions.contains(&at).then(|| Bit::Lane(lanes.next().unwrap()));
            (0..all).map(lane).map(|bit| bit.unwrap_or(Bit::Register)).collect()
        },
    )
}

/// The layout of dimensions with these bits, whose register bits are numbered from the last on.
fn layout(dimensions: [&[Bit]; 2]) -> Layout {
    let mut register = 1;
    let mut iters: Vec<Iter> = Vec::new();
    for bit in dimensions.concat().into_iter().rev() {
        iters.push(match bit {
            Bit::Lane(stride) => Iter::new(2, stride, Axis::LaneId),
            Bit::Register => {
                register *= 2;
                Iter::memory(2, register / 2)
            }
        });
    }
    iters.reverse();
    Layout::new(iters)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Rows, columns and depths may be permuted in any way that both operands agree on.
    #[test]
    fn any_permutation_of_rows_columns_and_depths(
        rows in dimension(&[4, 8, 16], 2),
        depths in dimension(&[1, 2], 3),
        columns in dimension(&[4, 8, 16], 1),
    ) {
        let of_c: Vec<Bit> = columns
            .iter()
            .map(|&bit| match bit {
                Bit::Lane(4) => Bit::Register,
                Bit::Lane(stride) => Bit::Lane(stride / 8),
                Bit::Register => Bit::Register,
            })
            .collect();
        let layouts = [layout([&rows, &depths]), layout([&depths, &columns]), layout([&rows, &of_c])];
        let sizes = [&rows, &columns, &depths].map(|bits| 1 << bits.len());
        let problem = problem(layouts, sizes, NumberFormat::F16, NumberFormat::F32, warp());
        let (plan, variant, _) = select(&problem, &target("sm_80")).unwrap();
        prop_assert_eq!(variant, "mma_sync");
        prop_assert_eq!(plan.steps().count(), 2 * 2 * 2);
        check(&problem, &plan);
    }

    /// Where the operands disagree, the plan is refused, never wrong.
    #[test]
    fn disagreeing_layouts_are_refused_or_right(
        rows in dimension(&[4, 8, 16], 2),
        rows_of_c in dimension(&[4, 8, 16], 2),
        depths in dimension(&[1, 2], 3),
        depths_of_b in dimension(&[1, 2], 3),
    ) {
        let columns = [Bit::Lane(4), Bit::Lane(8), Bit::Lane(16)];
        let of_c = [Bit::Register, Bit::Lane(1), Bit::Lane(2)];
        let layouts = [layout([&rows, &depths]), layout([&depths_of_b, &columns]), layout([&rows_of_c, &of_c])];
        let problem = problem(layouts, [32, 8, 32], NumberFormat::F16, NumberFormat::F32, warp());
        match select(&problem, &target("sm_80")) {
            Ok((plan, ..)) => check(&problem, &plan),
            Err(SelectError::Declined { declines, .. }) => {
                prop_assert_eq!(of_mma_sync(&declines).cause, "fragment-mismatch");
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}

#[test]
fn what_a_decline_suggests_is_planned() {
    for (warps, [m, n, k]) in [(1, [16, 8, 16]), (4, [64, 64, 32]), (4, [64, 8, 32]), (2, [16, 16, 8])] {
        let threads = || Threads::all(Scope::Cta, Some(32 * warps));
        let plain = |shape: [i64; 2]| -> Layout {
            let registers = shape[0] * shape[1] / (32 * warps);
            format!("({}, {registers}) : (1@tx, 1)", 32 * warps).parse().unwrap()
        };
        let layouts = [plain([m, k]), plain([k, n]), plain([m, n])];
        let refused = problem(layouts, [m, n, k], NumberFormat::F16, NumberFormat::F32, threads());
        let refused = MmaProblem { forced: Some("mma_sync".to_owned()), ..refused };
        let error = select(&refused, &target("sm_80")).unwrap_err().to_string();
        let names: Vec<&str> =
            error.split("#tile.fragment<").skip(1).map(|name| name.split('>').next().unwrap()).collect();
        let named = |index: usize, shape: [i64; 2], bits| {
            names[index].parse::<tile_isa::fragment::Fragment>().unwrap().layout(&shape, bits).unwrap()
        };
        let layouts = [named(0, [m, k], 16), named(1, [k, n], 16), named(2, [m, n], 32)];
        let taken = problem(layouts, [m, n, k], NumberFormat::F16, NumberFormat::F32, threads());
        assert_eq!(select(&taken, &target("sm_80")).unwrap().1, "mma_sync", "{error}");
    }
}
