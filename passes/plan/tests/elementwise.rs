//! Maps and reductions: what threads compute with the planned registers and exchanges is the map, and the reduction.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use tile_isa::Scope;
use tile_layout::Eval;
use tile_plan::distribution::RegisterDistribution;
use tile_plan::elementwise::{
    LaneExchange, MapPlan, MapProblem, ReducePlan, ReduceProblem, ReducedLayouts, RegisterReduction, TotalProblem,
};
use tile_plan::problem::threads::Threads;

use crate::common::matrices::{Matrix, distribution, matrices, parsed, tile};

/// The registers of all threads.
type Registers = HashMap<(usize, usize), i64>;

/// The registers of a tile whose elements are these.
fn filled(tile: &RegisterDistribution, element: impl Fn(i64) -> i64) -> Registers {
    let all = (0..tile.threads())
        .flat_map(|thread| tile.elements(thread).map(move |(register, at)| ((thread, register), at)));
    all.map(|(place, at)| (place, element(at))).collect()
}

/// What threads have after a reduction by addition: each in the order of its terms and lanes.
fn reduced(plan: &RegisterReduction, registers: &Registers, threads: usize) -> Registers {
    let mut results = Registers::new();
    for step in &plan.steps {
        let local =
            |thread: usize| step.terms.iter().map(|term| registers.get(&(thread, term[0]))).sum::<Option<i64>>();
        let mut sums: Vec<Option<i64>> = (0..threads).map(local).collect();
        for exchange in &plan.exchanges {
            let exchanged = |thread: usize| {
                let lanes = exchange.lanes(thread as i64 % 32).into_iter();
                lanes.map(|lane| sums.get(thread / 32 * 32 + lane as usize).copied().flatten()).sum::<Option<i64>>()
            };
            sums = (0..threads).map(exchanged).collect();
        }
        let made = sums.into_iter().enumerate().filter_map(|(thread, sum)| Some(((thread, step.results[0]), sum?)));
        results.extend(made);
    }
    results
}

/// What threads have after a whole reduction.
fn executed(plan: &ReducePlan, problem: &ReduceProblem, element: impl Fn(i64) -> i64) -> Registers {
    let source = distribution(&problem.sources[0], &problem.threads);
    let within = reduced(&plan.within, &filled(&source, element), source.threads());
    let Some(across) = &plan.across else { return within };
    let partial = distribution(&tile("partial", &across.tiles.partial, &across.tiles.shape), &problem.threads);
    let mut shared: HashMap<i64, i64> = HashMap::new();
    for thread in 0..partial.threads() {
        for (register, at) in partial.elements(thread) {
            let sum = within[&(thread, register)];
            assert_eq!(*shared.entry(at).or_insert(sum), sum, "holders of element {at} disagree");
        }
    }
    let gathered = distribution(&tile("gathered", &across.tiles.gathered, &across.tiles.shape), &problem.threads);
    reduced(&across.combine, &filled(&gathered, |at| shared[&at]), gathered.threads())
}

/// The sum of a row or column, by the number of its other coordinate.
fn expected(shape: &[i64], dim: usize, kept: i64, element: &impl Fn(i64) -> i64) -> i64 {
    let at = |along: i64| if dim == 1 { kept * shape[1] + along } else { along * shape[1] + kept };
    (0..shape[dim]).map(|along| element(at(along))).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_reduction_adds_each_term_once(matrix in matrices(), dim in 0..2usize, seed in 1..1000i64) {
        let Matrix { layout, shape, warps } = matrix;
        let threads = Threads::all(Scope::Cta, Some(32 * warps));
        let result = ReducedLayouts::new(&layout, &shape, dim, "x").unwrap().result();
        let mut reduced = shape;
        reduced[dim] = 1;
        let problem = ReduceProblem {
            sources: vec![tile("x", &layout, &shape)],
            results: vec![tile("r", &result, &reduced)],
            dim,
            is_total: true,
            has_index: false,
            threads,
        };
        let plan = problem.plan().unwrap();
        let element = |at: i64| (at * 7919 + seed) % 1009;
        let got = executed(&plan, &problem, element);
        let held = distribution(&problem.results[0], &problem.threads);
        for thread in 0..held.threads() {
            for (register, kept) in held.elements(thread) {
                prop_assert_eq!(got[&(thread, register)], expected(&shape, dim, kept, &element));
            }
        }
    }

    #[test]
    fn every_term_has_its_index_and_is_in_order(matrix in matrices(), dim in 0..2usize) {
        let Matrix { layout, shape, warps } = matrix;
        let threads = Threads::all(Scope::Cta, Some(32 * warps));
        let result = ReducedLayouts::new(&layout, &shape, dim, "x").unwrap().result();
        let mut reduced = shape;
        reduced[dim] = 1;
        let results = vec![tile("value", &result, &reduced), tile("index", &result, &reduced)];
        let sources = vec![tile("x", &layout, &shape)];
        let problem = ReduceProblem { sources, results, dim, is_total: true, has_index: true, threads };
        let plan = problem.plan().unwrap();
        let (source, indices) = (distribution(&problem.sources[0], &problem.threads), plan.indices.unwrap());
        for thread in 0..source.threads() {
            let base = indices.of_thread(&mut Eval, thread as i64);
            for (step, parts) in plan.within.steps.iter().zip(&indices.parts) {
                prop_assert!(parts.windows(2).all(|pair| pair[0] < pair[1]));
                prop_assert_eq!(parts.len(), step.terms.len());
                for (term, part) in step.terms.iter().zip(parts) {
                    let element = source.element(thread, term[0]).unwrap();
                    prop_assert_eq!([element / shape[1], element % shape[1]][dim], base + part);
                }
            }
        }
    }

    #[test]
    fn a_map_finds_its_arguments_and_coordinates(matrix in matrices(), dim in 0..2usize) {
        let Matrix { layout, shape, warps } = matrix;
        let threads = Threads::all(Scope::Cta, Some(32 * warps));
        let mut reduced = shape;
        reduced[dim] = 1;
        let row = ReducedLayouts::new(&layout, &shape, dim, "x").unwrap().result();
        let problem = MapProblem {
            sources: vec![tile("x", &layout, &shape), tile("m", &row, &reduced)],
            results: vec![tile("r", &layout, &shape)],
            has_coordinates: true,
            ops: 1,
            limits: Vec::new(),
            threads,
        };
        let plan = problem.plan().unwrap();
        let [x, m] = [0, 1].map(|source| distribution(&problem.sources[source], &problem.threads));
        let coordinates = plan.coordinates.as_ref().unwrap();
        for thread in 0..x.threads() {
            for step in &plan.steps {
                let element = x.element(thread, step.results[0]).unwrap();
                let at = [element / shape[1], element % shape[1]];
                prop_assert_eq!(x.element(thread, step.sources[0]), Some(element));
                prop_assert_eq!(m.element(thread, step.sources[1]), Some(at[1 - dim]));
                for (dimension, (part, wanted)) in step.coordinates.iter().zip(at).enumerate() {
                    let base = coordinates.of_thread(&mut Eval, thread as i64, dimension);
                    prop_assert_eq!(base + part, wanted);
                }
            }
        }
    }
}

fn reduction(source: &str, shape: [i64; 2], result: &str, dim: usize, threads: Threads) -> ReduceProblem {
    let mut reduced = shape;
    reduced[dim] = 1;
    let (sources, results) = (tile("x", &parsed(source), &shape), tile("r", &parsed(result), &reduced));
    ReduceProblem { sources: vec![sources], results: vec![results], dim, is_total: true, has_index: false, threads }
}

#[test]
fn the_sums_of_mma_are_reduced_by_two_shuffles() {
    let warp = Threads::all(Scope::Warp, Some(32));
    let source = "(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)";
    let problem = reduction(source, [16, 8], "(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)", 1, warp);
    let plan = problem.plan().unwrap();
    assert_eq!(plan.within.exchanges, [LaneExchange::Butterfly { mask: 1 }, LaneExchange::Butterfly { mask: 2 }]);
    let terms: Vec<_> = plan.within.steps.iter().map(|step| step.terms.concat()).collect();
    assert_eq!(terms, [[0, 1], [2, 3]]);
    assert!(plan.across.is_none());
}

#[test]
fn indices_are_a_part_of_the_thread_and_one_of_the_register() {
    let warp = Threads::all(Scope::Warp, Some(32));
    let rows = "(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)";
    let mut problem = reduction("(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)", [16, 16], rows, 1, warp);
    problem.has_index = true;
    problem.results.push(problem.results[0].clone());
    let plan = problem.plan().unwrap();
    let indices = plan.indices.unwrap();
    assert_eq!(indices.parts, [[0, 1, 8, 9], [0, 1, 8, 9]]);
    let of_threads: Vec<_> = [0, 1, 7, 31].map(|thread| indices.of_thread(&mut Eval, thread)).into();
    assert_eq!(of_threads, [0, 2, 6, 6]);
    assert_eq!(plan.within.steps.iter().map(|step| step.results.clone()).collect::<Vec<_>>(), [[0, 0], [1, 1]]);
}

#[test]
fn indices_that_no_sum_gives_are_refused() {
    let warp = Threads::all(Scope::Warp, Some(32));
    let rows = "(32, 1) : (-1@laneid, 1) + 31@laneid";
    let mut problem = reduction("(32, 4) : (-1@laneid, 1) + 31@laneid", [32, 4], rows, 1, warp);
    problem.has_index = true;
    problem.results.push(problem.results[0].clone());
    assert_eq!(problem.plan().unwrap_err().cause, "coordinates-not-regular");
}

#[test]
fn lanes_that_are_no_power_of_two_are_read_in_order() {
    let block = Threads::all(Scope::Cta, Some(32));
    // Lanes 0 to 29, in tens of three: the last two hold nothing.
    let problem = reduction("(10, 3) : (3@laneid, 1@laneid)", [10, 3], "(10, 1) : (3@laneid, 1)", 1, block);
    let plan = problem.plan().unwrap();
    assert_eq!(plan.within.exchanges, [LaneExchange::All { extent: 3, stride: 1 }]);
    assert_eq!(plan.within.exchanges[0].lanes(7), [6, 7, 8]);
    let got = executed(&plan, &problem, |at| at);
    assert_eq!(got[&(0, 0)], 1 + 2);
    assert_eq!(got[&(27, 0)], 27 + 28 + 29);
}

#[test]
fn an_iter_over_lanes_and_warps_is_both() {
    let block = Threads::all(Scope::Cta, Some(128));
    let problem = reduction("(1, 128) : (1, 1@tx)", [1, 128], "(1, 1) : (1, 1) + R(128 : 1@tx)", 1, block);
    let plan = problem.plan().unwrap();
    assert_eq!(plan.within.exchanges.len(), 5);
    let across = plan.across.as_ref().unwrap();
    assert_eq!((across.tiles.shape.as_slice(), across.combine.steps[0].terms.len()), (&[1, 4][..], 4));
    assert!(executed(&plan, &problem, |at| at).values().all(|&sum| sum == 127 * 64));
}

#[test]
fn a_result_elsewhere_is_refused_with_the_layout_to_write() {
    let warp = Threads::all(Scope::Warp, Some(32));
    let source = "(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)";
    let refusal = reduction(source, [16, 8], "(16, 1) : (2@laneid, 1)", 1, warp).plan().unwrap_err();
    assert_eq!(refusal.cause, "result-elsewhere");
    assert!(
        refusal.reason.contains("needed #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>"),
        "{}",
        refusal.reason
    );
}

#[test]
fn threads_of_an_iter_are_lanes_or_warps() {
    let block = Threads::all(Scope::Cta, Some(96));
    let problem = reduction("(2, 48) : (48@tx, 1@tx)", [2, 48], "(2, 1) : (48@tx, 1)", 1, block);
    let refusal = problem.plan().unwrap_err();
    assert_eq!(refusal.cause, "threads-not-warps");
    assert_eq!(refusal.reason, "x: the threads of 48:1@tx are neither lanes of a warp nor whole warps");
}

fn map(source: (&str, &[i64]), result: (&str, &[i64]), has_coordinates: bool, threads: Threads) -> MapProblem {
    let operand = |name: &str, (layout, shape): (&str, &[i64])| tile(name, &parsed(layout), shape);
    MapProblem {
        sources: vec![operand("x", source)],
        results: vec![operand("r", result)],
        has_coordinates,
        ops: 1,
        limits: Vec::new(),
        threads,
    }
}

#[test]
fn an_argument_in_another_thread_is_refused() {
    let warp = || Threads::all(Scope::Warp, Some(32));
    let refusal = map(("(32, 2) : (1@laneid, 1)", &[32, 2]), ("(2, 32) : (1, 1@laneid)", &[32, 2]), false, warp());
    let refusal = refusal.plan().unwrap_err();
    assert_eq!(refusal.cause, "operand-elsewhere");
    assert_eq!(
        refusal.reason,
        "thread 0 computes element [16, 0] of r, and needs element [16, 0] of x, which it does not hold"
    );
    let other = map(
        ("(2, 16, 2) : (1, 1@laneid, 16@laneid)", &[32, 2]),
        ("(2, 16, 2) : (1, 2@laneid, 1@laneid)", &[32, 2]),
        false,
        warp(),
    );
    assert!(other.plan().unwrap_err().reason.starts_with("thread 1 computes element [0, 1] of r"));
}

#[test]
fn some_threads_may_hold_nothing() {
    let block = Threads::all(Scope::Cta, Some(64));
    let plan = map(("(48) : (1@tx)", &[48]), ("(48) : (1@tx)", &[48]), true, block).plan().unwrap();
    assert_eq!((plan.holding.count, plan.holding.all), (48, 64));
    let block = Threads::all(Scope::Cta, Some(64));
    let refusal = map(("(2, 16) : (32@tx, 1@tx)", &[32]), ("(2, 16) : (32@tx, 1@tx)", &[32]), false, block).plan();
    assert_eq!(refusal.unwrap_err().cause, "registers-partly-held");
}

#[test]
fn a_map_is_not_written_out_without_end() {
    let thread = Threads::all(Scope::Thread, Some(32));
    let shape = [256, 512];
    let refusal = map(("(256, 512) : (512, 1)", &shape), ("(256, 512) : (512, 1)", &shape), false, thread).plan();
    assert_eq!(refusal.unwrap_err().cause, "too-many-instructions");
}

#[test]
fn elements_are_paired_that_share_registers() {
    let groups = |source: &str, shape: [i64; 2], result: &str| -> Vec<usize> {
        let problem = MapProblem {
            sources: vec![tile("x", &parsed(source), &shape)],
            results: vec![tile("r", &parsed(result), &[1, 5])],
            has_coordinates: false,
            ops: 1,
            limits: Vec::new(),
            threads: Threads::all(Scope::Thread, Some(32)),
        };
        MapPlan::pairs(&problem.plan().unwrap().steps).into_iter().map(<[_]>::len).collect()
    };
    let row = "(1, 5) : (1, 1)";
    assert_eq!(groups(row, [1, 5], row), [2, 2, 1]);
    assert_eq!(groups("(1, 1) : (1, 1)", [1, 1], row), [2, 2, 1], "one register for both");
    assert_eq!(groups("(1, 5) : (1, 2)", [1, 5], row), [1; 5], "every other register");
    assert_eq!(groups("(1, 5) : (1, 1) + 1", [1, 5], row), [1; 5], "registers 1 and 2 are of two words");
    assert_eq!(groups(row, [1, 5], "(1, 5) : (1, 1) + 1"), [1; 5]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_total_has_each_term_once_in_every_thread(matrix in matrices(), seed in 1..1000i64) {
        let Matrix { layout, shape, warps } = matrix;
        let count = 32 * warps;
        let threads = Threads::all(Scope::Cta, Some(count));
        let total = TotalProblem { source: tile("x", &layout, &shape), threads, is_per_warp: false, totals: 1 };
        let element = |at: i64| (at * 7919 + seed) % 1009;
        let (problem, plan) = total.plan().unwrap();
        let got = executed(&plan, &problem, element);
        let sum = (0..shape.iter().product()).map(element).sum::<i64>();
        prop_assert!((0..count as usize).all(|thread| got.get(&(thread, 0)) == Some(&sum)));

        // The others of several totals are in the same registers of the same threads.
        let (several, same) = TotalProblem { totals: 3, ..total.clone() }.plan().unwrap();
        prop_assert_eq!(several.results.len(), 3);
        prop_assert_eq!(executed(&same, &several, element), got);

        let (problem, plan) = TotalProblem { is_per_warp: true, ..total }.plan().unwrap();
        let (got, source) = (executed(&plan, &problem, element), distribution(&problem.sources[0], &problem.threads));
        for thread in 0..count as usize {
            let warp = thread / 32 * 32;
            let held: BTreeSet<i64> = (warp..warp + 32).flat_map(|t| source.elements(t).map(|(_, at)| at)).collect();
            prop_assert_eq!(got.get(&(thread, 0)), Some(&held.into_iter().map(element).sum::<i64>()));
        }
    }
}

#[test]
fn lanes_of_a_part_of_a_warp_have_no_total() {
    let block = Threads::all(Scope::Cta, Some(64));
    let total = TotalProblem {
        source: tile("x", &parsed("(48) : (1@tx)"), &[48]),
        threads: block,
        is_per_warp: false,
        totals: 1,
    };
    assert_eq!(total.plan().unwrap_err().cause, "threads-not-warps");
}
