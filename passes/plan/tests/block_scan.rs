//! Scans of tiles in registers: what threads compute with the planned registers, lanes and warps are the prefixes.

use std::collections::HashMap;

use proptest::prelude::*;
use tile_isa::Scope;
use tile_plan::elementwise::block_scan::{
    BlockScanMachine, BlockScanPlan, BlockScanProblem, BlockScanStart, DigitAtLeast, ScanLevel, ThreadDigit, WarpLevel,
};
use tile_plan::problem::threads::Threads;

use crate::common::matrices::{Matrix, distribution, matrices, parsed, tile};

/// A linear function modulo a prime; functions of a row are applied one after the other, which does not commute.
type Linear = (i64, i64);

fn then((a, b): Linear, (c, d): Linear) -> Linear {
    ((a * c) % 10007, (b * c + d) % 10007)
}

/// One function in each thread. What a thread has not got is a function like any other.
struct Numbers<'p> {
    threads: &'p Threads,
    count: usize,
}

impl Numbers<'_> {
    fn by_thread(&self, value: impl Fn(usize) -> Linear) -> Vec<Linear> {
        (0..self.count).map(value).collect()
    }
}

impl BlockScanMachine for Numbers<'_> {
    type Value = Vec<Linear>;
    type Predicate = Vec<bool>;

    fn combine(&mut self, left: &Vec<Linear>, right: &Vec<Linear>) -> Vec<Linear> {
        self.by_thread(|thread| then(left[thread], right[thread]))
    }

    fn at_least(&mut self, DigitAtLeast { digit, is_of_lane, least }: DigitAtLeast) -> Vec<bool> {
        let number = |thread: i64| if is_of_lane { thread % 32 } else { thread };
        (0..self.count as i64).map(|thread| number(thread) / digit.stride % digit.extent >= least).collect()
    }

    fn either(&mut self, first: &Vec<bool>, second: &Vec<bool>) -> Vec<bool> {
        first.iter().zip(second).map(|(first, second)| *first | *second).collect()
    }

    fn select(&mut self, predicate: &Vec<bool>, then: &Vec<Linear>, otherwise: &Vec<Linear>) -> Vec<Linear> {
        self.by_thread(|thread| if predicate[thread] { then[thread] } else { otherwise[thread] })
    }

    fn shuffled_up(&mut self, value: &Vec<Linear>, digit: ThreadDigit, distance: i64) -> Vec<Linear> {
        self.by_thread(|thread| {
            let lane = thread as i64 % 32 - distance * digit.stride;
            if lane < 0 { (5, 7) } else { value[thread / 32 * 32 + lane as usize] }
        })
    }

    fn broadcast_last(&mut self, value: &Vec<Linear>, digit: ThreadDigit) -> Vec<Linear> {
        self.by_thread(|thread| {
            let place = thread as i64 / digit.stride % digit.extent;
            value[(thread as i64 + (digit.extent - 1 - place) * digit.stride) as usize]
        })
    }

    fn gather(&mut self, level: &WarpLevel, totals: &[Vec<Vec<Linear>>]) -> Vec<Vec<Vec<Vec<Linear>>>> {
        let tiles = &level.tiles;
        let partial = distribution(&tile("partial", &tiles.partial, &tiles.shape), self.threads);
        let gathered = distribution(&tile("gathered", &tiles.gathered, &tiles.shape), self.threads);
        let mut shared: HashMap<i64, Linear> = HashMap::new();
        for (registers, runs) in level.totals.iter().zip(totals) {
            for (&register, total) in registers.iter().zip(runs) {
                for (thread, &sum) in total.iter().enumerate() {
                    let element = partial.element(thread, register).expect("each thread has totals");
                    assert_eq!(*shared.entry(element).or_insert(sum), sum);
                }
            }
        }
        let value = |&register: &usize| self.by_thread(|thread| shared[&gathered.element(thread, register).unwrap()]);
        let runs = |run: &Vec<usize>| run.iter().map(value).collect::<Vec<_>>();
        level.gathered.iter().map(|row| row.iter().map(runs).collect()).collect()
    }
}

fn problem(layout: &str, shape: &[i64], dim: usize, threads: Threads) -> BlockScanProblem {
    let layout = parsed(layout);
    let (sources, results) = (vec![tile("x", &layout, shape)], vec![tile("r", &layout, shape)]);
    BlockScanProblem { sources, results, dim, is_total: true, threads }
}

/// The element of a row that is so many further.
fn term(element: i64, along: i64) -> Linear {
    ((element * 31 + along * 17) % 10006 + 1, (element * 7919 + 3) % 10007)
}

/// Executes a plan, and compares each result of each thread with the prefix.
fn check(problem: &BlockScanProblem, plan: &BlockScanPlan, is_exclusive: bool, init: Option<Linear>) {
    let held = distribution(&problem.sources[0], &problem.threads);
    let (count, shape, dim) = (held.threads(), &problem.sources[0].shape, problem.dim);
    let inner: i64 = shape[dim + 1..].iter().product();
    let value = |element: i64| term(element, element / inner % shape[dim]);
    let everywhere = |one: Linear| vec![one; count];
    let rows = plan.rows.iter().map(|row| {
        let element = |registers: &Vec<usize>| {
            (0..count).map(|thread| held.element(thread, registers[0]).map_or((2, 3), value)).collect::<Vec<_>>()
        };
        row.iter().map(|element_| element(&element_.terms)).collect()
    });
    let identity = Some(everywhere((1, 0)));
    let start = BlockScanStart { is_exclusive, init: init.map(everywhere), neutral: identity.clone(), empty: identity };
    let got = plan.run(&mut Numbers { threads: &problem.threads, count }, rows.collect(), &start).unwrap();
    for (row, results) in plan.rows.iter().zip(got) {
        for (element, result) in row.iter().zip(results) {
            for (thread, got) in result.into_iter().enumerate() {
                let Some(at) = held.element(thread, element.results[0]) else { continue };
                let along = at / inner % shape[dim];
                let terms = (0..along + i64::from(!is_exclusive)).map(|digit| value(at - (along - digit) * inner));
                let wanted = terms.fold(init.unwrap_or((1, 0)), then);
                assert_eq!(got, wanted, "element {at} in thread {thread} of {problem:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn prefixes_are_those_of_a_loop(matrix in matrices(), dim in 0..2usize, is_exclusive: bool, with_init: bool) {
        let Matrix { layout, shape, warps } = matrix;
        let problem = problem(&layout.to_string(), &shape, dim, Threads::all(Scope::Cta, Some(32 * warps)));
        check(&problem, &problem.plan().unwrap(), is_exclusive, with_init.then_some((3, 4)));
    }
}

#[test]
fn pairs_in_lanes_of_warps_are_three_levels() {
    let problem = problem("(2, 32, 2) : (1@warpid, 1@laneid, 1)", &[128], 0, Threads::all(Scope::Cta, Some(64)));
    let plan = problem.plan().unwrap();
    let lanes = ThreadDigit { stride: 1, extent: 32 };
    assert_eq!(plan.levels[..2], [ScanLevel::Registers { extent: 2 }, ScanLevel::Lanes(lanes)]);
    let ScanLevel::Warps(warps) = &plan.levels[2] else { panic!("{:?}", plan.levels) };
    assert_eq!((warps.digit, warps.tiles.shape.as_slice()), (ThreadDigit { stride: 32, extent: 2 }, &[2][..]));
    assert_eq!(plan.cost(), (7, 2));
    check(&problem, &plan, false, None);
}

#[test]
fn warps_between_registers_exchange_the_totals_of_runs() {
    let layout = "(3, 2, 2, 32) : (1, 1@warpid, 3, 1@laneid)";
    let problem = problem(layout, &[384], 0, Threads::all(Scope::Cta, Some(64)));
    let plan = problem.plan().unwrap();
    let ScanLevel::Warps(warps) = &plan.levels[2] else { panic!("{:?}", plan.levels) };
    assert_eq!((warps.tiles.shape.as_slice(), warps.gathered[0].len()), (&[6][..], 3));
    check(&problem, &plan, true, None);
}

#[test]
fn lanes_that_are_no_power_of_two_have_prefixes() {
    let problem = problem("(10, 3) : (1@laneid, 10@laneid)", &[10, 3], 0, Threads::all(Scope::Warp, Some(32)));
    check(&problem, &problem.plan().unwrap(), false, Some((2, 5)));
}

#[test]
fn a_result_in_another_thread_is_refused() {
    let mut problem = problem("(32, 2) : (1@laneid, 1)", &[64], 0, Threads::all(Scope::Warp, Some(32)));
    problem.results[0].layout = parsed("(2, 32) : (1, 1@laneid)");
    let refusal = problem.plan().unwrap_err();
    assert_eq!(refusal.cause, "operand-elsewhere");
    assert!(refusal.reason.contains("needed the layout of x: #tile.layout<(32, 2) : (1@laneid, 1)>"), "{refusal:?}");
}
