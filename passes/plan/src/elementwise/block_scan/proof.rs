//! That every result of every thread consists of its terms, in their order: the scan on intervals of coordinates.

use std::collections::HashMap;

use tile_isa::WARP;

use super::machine::{BlockScanMachine, BlockScanStart, DigitAtLeast};
use super::plan::{BlockScanPlan, BlockScanProblem, ThreadDigit, WarpLevel};
use crate::distribution::RegisterDistribution;
use crate::elementwise::coordinates::digits_of;
use crate::elementwise::operand::RegisterOperand;
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;

/// Terms of one row from a coordinate to another, both included. The row is known by its other coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TermInterval {
    row: i64,
    first: i64,
    last: i64,
}

/// In each thread an interval; `None` for anything else.
type Intervals = Vec<Option<TermInterval>>;

struct IntervalMachine<'p> {
    threads: &'p Threads,
    count: usize,
    refusal: Option<Refusal>,
}

/// Refuses a plan in which a result of a thread would not consist of all terms up to its own.
pub(super) fn check(
    problem: &BlockScanProblem,
    plan: &BlockScanPlan,
    from: &[RegisterDistribution],
    to: &[RegisterDistribution],
) -> Result<(), Refusal> {
    let count = from[0].threads();
    let mut machine = IntervalMachine { threads: &problem.threads, count, refusal: None };
    let shape = &problem.sources[0].shape;
    let term = |thread: usize, registers: &[usize]| {
        let element = from[0].element(thread, registers[0])?;
        let is_held = from.iter().zip(registers).all(|(from, &at)| from.element(thread, at) == Some(element));
        is_held.then(|| at(element, shape, problem.dim))
    };
    let terms = plan.rows.iter().map(|row| {
        let intervals = row.iter().map(|element| (0..count).map(|thread| term(thread, &element.terms)).collect());
        intervals.collect::<Vec<Intervals>>()
    });
    let start = BlockScanStart { is_exclusive: false, init: None, neutral: None, empty: None };
    let results = plan.run(&mut machine, terms.collect(), &start).unwrap_or_default();
    if let Some(refusal) = machine.refusal {
        return Err(refusal);
    }
    for (row, intervals) in plan.rows.iter().zip(results) {
        for (element, intervals) in row.iter().zip(intervals) {
            for (thread, got) in intervals.into_iter().enumerate() {
                for ((tile, &register), operand) in to.iter().zip(&element.results).zip(&problem.results) {
                    let Some(result) = tile.element(thread, register) else { continue };
                    let needed = TermInterval { first: 0, ..at(result, shape, problem.dim) };
                    if got.as_ref() != Some(&needed) {
                        return Err(problem.elsewhere(operand, thread, result));
                    }
                }
            }
        }
    }
    all_written(problem, plan, to)
}

/// Checks that threads hold no results but those of the plan.
fn all_written(problem: &BlockScanProblem, plan: &BlockScanPlan, to: &[RegisterDistribution]) -> Result<(), Refusal> {
    let written: usize = plan.rows.iter().map(Vec::len).sum();
    for (tile, operand) in to.iter().zip(&problem.results) {
        for thread in 0..tile.threads() {
            let held = tile.elements(thread).count();
            if let Some((_, element)) = tile.elements(thread).next().filter(|_| held > written) {
                return Err(problem.elsewhere(operand, thread, element));
            }
        }
    }
    Ok(())
}

/// The interval of one element.
fn at(element: i64, shape: &[i64], dim: usize) -> TermInterval {
    let along = digits_of(element, shape)[dim];
    let inner: i64 = shape[dim + 1..].iter().product();
    TermInterval { row: element - along * inner, first: along, last: along }
}

impl IntervalMachine<'_> {
    fn by_thread(&self, interval: impl Fn(usize) -> Option<TermInterval>) -> Intervals {
        (0..self.count).map(interval).collect()
    }

    /// What each thread gets from the lane with that number.
    fn shuffled(&self, value: &Intervals, lane: impl Fn(i64) -> i64) -> Intervals {
        self.by_thread(|thread| {
            let in_warp = thread as i64 % WARP;
            let from = lane(in_warp);
            if !(0..WARP).contains(&from) {
                return None;
            }
            value.get(thread - in_warp as usize + from as usize).cloned().flatten()
        })
    }

    /// The totals in shared memory, by element of the tile; one that warps do not agree on is none.
    fn shared(&mut self, level: &WarpLevel, totals: &[Vec<Intervals>]) -> HashMap<i64, Option<TermInterval>> {
        let mut shared: HashMap<i64, Option<TermInterval>> = HashMap::new();
        let Some(partial) = self.distribution(level, true) else { return shared };
        for (registers, runs) in level.totals.iter().zip(totals) {
            for (&register, total) in registers.iter().zip(runs) {
                for (thread, interval) in total.iter().enumerate() {
                    let Some(element) = partial.element(thread, register) else { continue };
                    let known = shared.entry(element).or_insert_with(|| interval.clone());
                    if known != interval {
                        *known = None;
                    }
                }
            }
        }
        shared
    }

    fn distribution(&mut self, level: &WarpLevel, is_partial: bool) -> Option<RegisterDistribution> {
        let tiles = &level.tiles;
        let layout = if is_partial { &tiles.partial } else { &tiles.gathered };
        let tile = RegisterOperand {
            name: "the totals of warps".to_owned(),
            layout: layout.clone(),
            shape: tiles.shape.clone(),
        };
        let distribution = tile.distribution(self.threads);
        distribution.map_err(|refusal| self.refusal = Some(refusal)).ok()
    }
}

impl BlockScanMachine for IntervalMachine<'_> {
    type Value = Intervals;
    type Predicate = Vec<bool>;

    fn combine(&mut self, left: &Intervals, right: &Intervals) -> Intervals {
        self.by_thread(|thread| {
            let (left, right) = (left[thread].as_ref()?, right[thread].as_ref()?);
            let is_next = left.row == right.row && left.last + 1 == right.first;
            is_next.then_some(TermInterval { row: left.row, first: left.first, last: right.last })
        })
    }

    fn at_least(&mut self, digit: DigitAtLeast) -> Vec<bool> {
        let number = |thread: i64| if digit.is_of_lane { thread % WARP } else { thread };
        (0..self.count as i64).map(|thread| digit.digit.at(number(thread)) >= digit.least).collect()
    }

    fn either(&mut self, first: &Vec<bool>, second: &Vec<bool>) -> Vec<bool> {
        first.iter().zip(second).map(|(first, second)| *first || *second).collect()
    }

    fn select(&mut self, predicate: &Vec<bool>, then: &Intervals, otherwise: &Intervals) -> Intervals {
        self.by_thread(|thread| if predicate[thread] { then[thread].clone() } else { otherwise[thread].clone() })
    }

    fn shuffled_up(&mut self, value: &Intervals, digit: ThreadDigit, distance: i64) -> Intervals {
        self.shuffled(value, |lane| lane - distance * digit.stride)
    }

    fn broadcast_last(&mut self, value: &Intervals, digit: ThreadDigit) -> Intervals {
        self.shuffled(value, |lane| lane + (digit.extent - 1 - digit.at(lane)) * digit.stride)
    }

    fn gather(&mut self, level: &WarpLevel, totals: &[Vec<Intervals>]) -> Vec<Vec<Vec<Intervals>>> {
        let shared = self.shared(level, totals);
        let Some(gathered) = self.distribution(level, false) else { return Vec::new() };
        let value = |&register: &usize| {
            self.by_thread(|thread| shared.get(&gathered.element(thread, register)?).cloned().flatten())
        };
        let runs = |run: &Vec<usize>| run.iter().map(value).collect::<Vec<_>>();
        level.gathered.iter().map(|row| row.iter().map(runs).collect()).collect()
    }
}
