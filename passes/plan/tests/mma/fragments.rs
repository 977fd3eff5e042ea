//! Products of tiles whose layouts are named: each is planned as the instruction of that name, in the order of its registers.

use tile_isa::convert::{Clause, NumberFormat};
use tile_isa::fragment::{Fragment, MatrixInstruction, MatrixOperand};
use tile_isa::mma::{Factor, MmaShape, SUMS, all_shapes, shapes};
use tile_isa::{Scope, Space};
use tile_layout::Layout;
use tile_plan::mma::tensor::{TensorChain, TensorStep};
use tile_plan::mma::wgmma::{LeftStep, WgmmaChain};
use tile_plan::mma::{MmaPlan, MmaProblem, RegisterInstruction};
use tile_plan::problem::threads::Threads;

use super::{check, problem, select, target};

/// Instructions of each warp along the rows, columns and depths; no larger instruction divides them.
const COUNTS: [i64; 3] = [3, 5, 3];

fn read_as(factor: Factor) -> (NumberFormat, Option<Clause>) {
    match factor {
        Factor::F16 => (NumberFormat::F16, None),
        Factor::Bf16 => (NumberFormat::Bf16, None),
        Factor::Tf32 => (NumberFormat::F32, Some(Clause::Tf32)),
        Factor::F64 => (NumberFormat::F64, None),
        Factor::E4m3 => (NumberFormat::E4m3, None),
        Factor::E5m2 => (NumberFormat::E5m2, None),
        Factor::S8 => (NumberFormat::Integer(8), Some(Clause::Signed)),
        Factor::U8 => (NumberFormat::Integer(8), Some(Clause::Unsigned)),
    }
}

fn fragment(instruction: MatrixInstruction, operand: MatrixOperand, scopes: [i64; 2]) -> Fragment {
    Fragment::new(instruction, operand).unwrap().over(scopes).unwrap()
}

/// The product of tiles in the fragments of a shape, over rows and columns of warps.
fn named(shape: MmaShape, scopes: [i64; 2], factor: Factor, sum: NumberFormat) -> MmaProblem {
    let instruction = MatrixInstruction::Mma(shape);
    let (number, clause) = read_as(factor);
    let [m, n, k] = [shape.m * COUNTS[0] * scopes[0], shape.n * COUNTS[1] * scopes[1], shape.k * COUNTS[2]];
    let tile = |operand, shape: [i64; 2], number: NumberFormat| {
        fragment(instruction, operand, scopes).layout(&shape, number.bits()).unwrap()
    };
    let layouts = [
        tile(MatrixOperand::A, [m, k], number),
        tile(MatrixOperand::B, [k, n], number),
        tile(MatrixOperand::C, [m, n], sum),
    ];
    let threads = Threads::all(Scope::Cta, Some(32 * scopes[0] * scopes[1]));
    let mut named = problem(layouts, [m, n, k], number, sum, threads);
    (named.a.clause, named.b.clause) = (clause, clause);
    named
}

fn are_adjacent(registers: &[usize]) -> bool {
    registers.first().is_some_and(|first| first % registers.len() == 0)
        && registers.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

#[test]
fn each_shape_is_planned_by_its_name() {
    let hopper = target("sm_90").with_features("+ptx84").unwrap();
    let mut planned = Vec::new();
    for (factor, sum) in Factor::ALL.into_iter().flat_map(|factor| SUMS.map(|sum| (factor, sum))) {
        for &shape in shapes(factor, factor, sum) {
            for scopes in [[1, 1], [2, 2], [2, 4]] {
                let problem = named(shape, scopes, factor, sum);
                let (plan, variant, _) = select(&problem, &hopper).unwrap();
                let expected = RegisterInstruction::MmaSync { shape, factors: [factor; 2] };
                assert_eq!((variant, plan.instruction), ("mma_sync", expected), "{scopes:?}");
                assert_eq!(plan.steps().count() as i64, COUNTS.iter().product::<i64>());
                for step in plan.steps() {
                    for registers in [&step.a, &step.b, &step.c] {
                        assert!(are_adjacent(registers), "{shape} of {}: {step:?}", factor.ptx());
                    }
                }
                check(&problem, &plan);
            }
            planned.push(shape);
        }
    }
    assert!(all_shapes().iter().all(|shape| planned.contains(shape)));
}

/// A factor in shared memory, 64 depths of 16 bits, contiguous.
fn in_shared_memory(rows: i64, is_right: bool) -> Layout {
    let plain = if is_right { format!("(64, {rows}) : (1, 64)") } else { format!("({rows}, 64) : (64, 1)") };
    format!("{plain}, swizzle<base = 3, bits = 3, shift = 3>").parse().unwrap()
}

/// A chain of instructions without scales.
fn chain(starts: impl Iterator<Item = [i64; 2]>, sums: i64) -> TensorChain {
    TensorChain { steps: starts.map(|starts| TensorStep { starts, scales: None }).collect(), sums }
}

#[test]
fn sums_in_tensor_memory_are_planned_by_their_name() {
    for (m, n, size) in [(128, 48, [128, 48]), (64, 24, [64, 24]), (256, 320, [128, 160])] {
        let c = fragment(MatrixInstruction::Tcgen05, MatrixOperand::C, [1, 1]).layout(&[m, n], 32).unwrap();
        let layouts = [in_shared_memory(m, false), in_shared_memory(n, true), c];
        let mut problem =
            problem(layouts, [m, n, 64], NumberFormat::F16, NumberFormat::F32, Threads::all(Scope::Cta, Some(160)));
        for factor in [&mut problem.a, &mut problem.b] {
            (factor.space, factor.align_bytes) = (Space::Shared, 1024);
        }
        problem.c.space = Space::Tmem;
        let (plan, variant, _) = tile_plan::mma::select(&problem, &target("sm_100a")).unwrap();
        let MmaPlan::Tensor(plan) = plan else { panic!("{plan:?}") };
        assert_eq!((variant, [plan.instruction.rows, plan.instruction.columns]), ("tcgen05", size));
        let mut parts = Vec::new();
        for (row, column) in (0..m / size[0]).flat_map(|row| (0..n / size[1]).map(move |column| (row, column))) {
            // Rows of 128 bytes, of which an instruction takes 32.
            let start = |step: i64| [8 * size[0] * row + 2 * step, 8 * size[1] * column + 2 * step];
            parts.push(chain((0..4).map(start), row * n + column * size[1]));
        }
        assert_eq!(plan.parts, parts, "{m}x{n}");
    }
}

/// The product of a left factor of 64 depths of 16 bits in tensor memory.
fn with_left_in_tensor_memory(a: Layout, c: Layout, [m, n]: [i64; 2]) -> MmaProblem {
    let layouts = [a, in_shared_memory(n, true), c];
    let threads = Threads::all(Scope::Cta, Some(128));
    let mut problem = problem(layouts, [m, n, 64], NumberFormat::F16, NumberFormat::F32, threads);
    (problem.b.space, problem.b.align_bytes) = (Space::Shared, 1024);
    (problem.a.space, problem.c.space) = (Space::Tmem, Space::Tmem);
    problem
}

#[test]
fn left_factors_in_tensor_memory_are_planned_by_their_name() {
    for (m, n, rows) in [(128, 48, 128), (64, 24, 64), (256, 32, 128)] {
        let tile = |operand, columns, bits| {
            fragment(MatrixInstruction::Tcgen05, operand, [1, 1]).layout(&[m, columns], bits).unwrap()
        };
        let (a, c) = (tile(MatrixOperand::A, 64, 16), tile(MatrixOperand::C, n, 32));
        let problem = with_left_in_tensor_memory(a, c, [m, n]);
        let (plan, variant, _) = tile_plan::mma::select(&problem, &target("sm_100a")).unwrap();
        let MmaPlan::Tensor(plan) = plan else { panic!("{plan:?}") };
        assert_eq!((variant, plan.a, plan.instruction.rows), ("tcgen05", None, rows));
        // 64 depths of 16 bits are 32 columns, of which an instruction takes 8.
        let part = |block| chain((0..4).map(|step: i64| [32 * block + 8 * step, 2 * step]), n * block);
        assert_eq!(plan.parts, (0..m / rows).map(part).collect::<Vec<_>>(), "{m}x{n}");
    }
}

#[test]
fn left_factors_in_other_lanes_or_columns_are_refused() {
    for (a, c, m, reason) in [
        (
            "(128, 64) : (1@TLane, 2@TCol)",
            "(128, 16) : (1@TLane, 1@TCol)",
            128,
            "element (0, 1) of a is in lane 0, column 2; an instruction of 128 rows has it in lane 0, column 1",
        ),
        (
            "(4, 16, 64) : (32@TLane, 1@TLane, 1@TCol)",
            "(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol) + 16@TLane",
            64,
            "element (0, 0) of a is in lane 0, column 0; needed lane 16",
        ),
        (
            "(128, 64) : (1@TLane, 1@TCol) + 1@TCol",
            "(128, 16) : (1@TLane, 1@TCol)",
            128,
            "element (0, 0) of a is in lane 0, column 1; needed a multiple of 2 elements, which 32 bits hold",
        ),
        (
            "(64, 64) : (1@TLane, 1@TCol) + R(2 : 64@TLane)",
            "(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)",
            64,
            "a holds every element several times; needed once",
        ),
    ] {
        let mut problem = with_left_in_tensor_memory(a.parse().unwrap(), c.parse().unwrap(), [m, 16]);
        problem.forced = Some("tcgen05".to_owned());
        let error = format!("{:?}", tile_plan::mma::select(&problem, &target("sm_100a")).unwrap_err());
        assert!(error.contains(reason), "{error}");
        assert!(
            error.contains("tcgen05 takes a in #tile.fragment<tcgen05.a>, c in #tile.fragment<tcgen05.c>"),
            "{error}"
        );
    }
}

#[test]
fn sums_of_warpgroups_are_planned_by_their_name() {
    for scopes in [[1, 1], [2, 1], [1, 2], [2, 2]] {
        let [m, n] = [2 * 64 * scopes[0], 3 * 8 * scopes[1]];
        let c = fragment(MatrixInstruction::Wgmma, MatrixOperand::C, scopes).layout(&[m, n], 32).unwrap();
        let layouts = [in_shared_memory(m, false), in_shared_memory(n, true), c];
        let threads = Threads::all(Scope::Cta, Some(128 * scopes[0] * scopes[1]));
        let mut problem = problem(layouts, [m, n, 64], NumberFormat::F16, NumberFormat::F32, threads);
        for factor in [&mut problem.a, &mut problem.b] {
            (factor.space, factor.align_bytes) = (Space::Shared, 1024);
        }
        let (plan, variant, _) = tile_plan::mma::select(&problem, &target("sm_90a")).unwrap();
        let MmaPlan::Warpgroups(plan) = plan else { panic!("{plan:?}") };
        assert_eq!((variant, plan.size), ("wgmma", [24, 16]));
        let counts: Vec<usize> = plan.parts.iter().map(|part| part.steps.len()).collect();
        assert_eq!(counts, [4, 4], "two times 64 rows, of 4 times 16 depths");
        assert!(plan.parts.iter().all(|WgmmaChain { registers, .. }| are_adjacent(registers)), "{:?}", plan.parts);

        let a = fragment(MatrixInstruction::Wgmma, MatrixOperand::A, scopes).layout(&[m, 64], 16).unwrap();
        (problem.a.space, problem.a.layout) = (Space::Local, a);
        let (left, variant, _) = tile_plan::mma::select(&problem, &target("sm_90a")).unwrap();
        let MmaPlan::Warpgroups(left) = left else { panic!("{left:?}") };
        assert_eq!((variant, left.a, left.b), ("wgmma", None, plan.b));
        for (block, (part, shared)) in left.parts.iter().zip(&plan.parts).enumerate() {
            assert_eq!(part.registers, shared.registers);
            for (at, (step, of_shared)) in part.steps.iter().zip(&shared.steps).enumerate() {
                // 64 rows of 64 depths are 32 elements of a thread, an instruction takes 8.
                let first = 32 * block + 8 * at;
                assert_eq!(step.a, LeftStep::Registers((first..first + 8).collect()));
                assert_eq!(step.b, of_shared.b);
            }
        }
    }
}

#[test]
fn left_factors_of_other_rows_are_refused() {
    let tile = |operand, scopes, shape: &[i64], bits| {
        fragment(MatrixInstruction::Wgmma, operand, scopes).layout(shape, bits).unwrap()
    };
    let refused = |a, shape: [i64; 2]| {
        let c = tile(MatrixOperand::C, [2, 1], &[128, 16], 32);
        let threads = Threads::all(Scope::Cta, Some(256));
        let layouts = [a, in_shared_memory(16, true), c];
        let mut problem = problem(layouts, [128, 16, 64], NumberFormat::F16, NumberFormat::F32, threads);
        problem.a.shape = shape;
        (problem.b.space, problem.b.align_bytes) = (Space::Shared, 1024);
        problem.forced = Some("wgmma".to_owned());
        tile_plan::mma::select(&problem, &target("sm_90a")).unwrap_err()
    };
    // Both warpgroups hold all rows.
    let error = refused(tile(MatrixOperand::A, [1, 2], &[128, 64], 16), [128, 64]);
    assert!(format!("{error:?}").contains("warpgroup 1 holds a from element (0, 0) on; needed (64, 0)"), "{error:?}");
    // Depths side by side where the instruction needs those of other lanes.
    let error = refused(tile(MatrixOperand::A, [2, 1], &[128, 64], 8), [128, 64]);
    assert!(format!("{error:?}").contains("thread 0 does not hold element (0, 8) of a"), "{error:?}");
}
