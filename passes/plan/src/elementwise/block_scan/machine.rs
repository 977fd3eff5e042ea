//! The algorithm of a scan, on whatever a machine computes with.
//!
//! A compiler's machine writes instructions; that of the proof computes with intervals, for all threads at once.
//! So what is proved is what is written.

use super::plan::{BlockScanPlan, ScanLevel, ThreadDigit, WarpLevel};

/// A predicate of a thread: a digit of its number is at least so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigitAtLeast {
    /// The digit.
    pub digit: ThreadDigit,
    /// Whether it is one of the lane in its warp; otherwise of the thread in its scope.
    pub is_of_lane: bool,
    /// The least value.
    pub least: i64,
}

/// What computes a scan. A value stands for one in each thread.
pub trait BlockScanMachine {
    /// The elements that are combined together, one of each tile.
    type Value: Clone;
    /// A predicate.
    type Predicate: Clone;

    /// The left operand combined with the right one.
    fn combine(&mut self, left: &Self::Value, right: &Self::Value) -> Self::Value;
    /// In which threads a digit is at least so much.
    fn at_least(&mut self, digit: DigitAtLeast) -> Self::Predicate;
    /// Either of two predicates.
    fn either(&mut self, first: &Self::Predicate, second: &Self::Predicate) -> Self::Predicate;
    /// One value where the predicate holds, else the other.
    fn select(&mut self, predicate: &Self::Predicate, then: &Self::Value, otherwise: &Self::Value) -> Self::Value;
    /// The value of the lane whose digit is `distance` less. Lanes that have none get any value.
    fn shuffled_up(&mut self, value: &Self::Value, digit: ThreadDigit, distance: i64) -> Self::Value;
    /// The value of the lane whose digit is the last.
    fn broadcast_last(&mut self, value: &Self::Value, digit: ThreadDigit) -> Self::Value;
    /// The totals of all warps, by row, run and warp, from the warp's own, by row and run.
    fn gather(&mut self, level: &WarpLevel, totals: &[Vec<Self::Value>]) -> Vec<Vec<Vec<Self::Value>>>;
}

/// What a scan starts with.
#[derive(Clone, Debug)]
pub struct BlockScanStart<V> {
    /// Whether an element's result leaves the element itself out.
    pub is_exclusive: bool,
    /// A value in front of the first element.
    pub init: Option<V>,
    /// A value that changes nothing as a left operand.
    pub neutral: Option<V>,
    /// The result of no elements.
    pub empty: Option<V>,
}

/// What precedes an element, where anything does.
#[derive(Clone)]
enum Prefix<V, P> {
    Nothing,
    /// Only where the predicate holds.
    If(P, V),
    Value(V),
}

/// One row in the making.
struct RowDraft<V, P> {
    /// The elements within their runs.
    elements: Vec<V>,
    /// What precedes each of the first runs.
    prefixes: Vec<Prefix<V, P>>,
    /// The total of each run.
    totals: Vec<V>,
}

impl BlockScanPlan {
    /// The results, by row, of the elements in `rows`.
    ///
    /// `None` if nothing precedes an element of an exclusive scan that has neither an initial value nor a result of no
    /// elements.
    pub fn run<M: BlockScanMachine>(
        &self,
        machine: &mut M,
        rows: Vec<Vec<M::Value>>,
        start: &BlockScanStart<M::Value>,
    ) -> Option<Vec<Vec<M::Value>>> {
        let (first, levels) = match self.levels.split_first() {
            Some((&ScanLevel::Registers { extent }, rest)) => (extent, rest),
            _ => (1, self.levels.as_slice()),
        };
        let mut rows: Vec<_> = rows.into_iter().map(|row| first_runs(machine, row, first)).collect();
        for (number, level) in levels.iter().enumerate() {
            let is_last = number + 1 == levels.len();
            match level {
                ScanLevel::Registers { extent } => rows.iter_mut().for_each(|row| registers(machine, row, *extent)),
                ScanLevel::Lanes(digit) => rows.iter_mut().for_each(|row| lanes(machine, row, *digit, is_last)),
                ScanLevel::Warps(level) => warps(machine, &mut rows, level),
            }
        }
        rows.into_iter().map(|row| finished(machine, row, first, start)).collect()
    }
}

/// Runs of `extent` registers.
fn first_runs<M: BlockScanMachine>(
    machine: &mut M,
    mut elements: Vec<M::Value>,
    extent: usize,
) -> RowDraft<M::Value, M::Predicate> {
    for run in elements.chunks_mut(extent) {
        for at in 1..run.len() {
            run[at] = machine.combine(&run[at - 1], &run[at]);
        }
    }
    let totals: Vec<_> = elements.chunks(extent).filter_map(|run| run.last().cloned()).collect();
    RowDraft { elements, prefixes: vec![Prefix::Nothing; totals.len()], totals }
}

/// `extent` runs of registers become one.
fn registers<M: BlockScanMachine>(machine: &mut M, row: &mut RowDraft<M::Value, M::Predicate>, extent: usize) {
    let inner = row.prefixes.len() / row.totals.len().max(1);
    let mut totals = Vec::new();
    for (number, run) in row.totals.chunks(extent).enumerate() {
        let mut before: Option<M::Value> = None;
        for (digit, total) in run.iter().enumerate() {
            let first = (number * extent + digit) * inner;
            if let Some(before) = &before {
                let front = Prefix::Value(before.clone());
                row.prefixes[first..first + inner]
                    .iter_mut()
                    .for_each(|prefix| *prefix = joined(machine, &front, prefix));
            }
            before = Some(before.map_or_else(|| total.clone(), |before| machine.combine(&before, total)));
        }
        totals.extend(before);
    }
    row.totals = totals;
}

/// The runs of lanes become one: each takes in what lanes 1, 2, 4 … below have.
fn lanes<M: BlockScanMachine>(
    machine: &mut M,
    row: &mut RowDraft<M::Value, M::Predicate>,
    digit: ThreadDigit,
    is_last: bool,
) {
    let inner = row.prefixes.len() / row.totals.len().max(1);
    let at_least = |least| DigitAtLeast { digit, is_of_lane: true, least };
    for (number, total) in row.totals.iter_mut().enumerate() {
        let mut distance = 1;
        while distance < digit.extent {
            let below = machine.shuffled_up(total, digit, distance);
            let (has_any, sum) = (machine.at_least(at_least(distance)), machine.combine(&below, total));
            *total = machine.select(&has_any, &sum, total);
            distance *= 2;
        }
        let front = Prefix::If(machine.at_least(at_least(1)), machine.shuffled_up(total, digit, 1));
        let prefixes = &mut row.prefixes[number * inner..(number + 1) * inner];
        prefixes.iter_mut().for_each(|prefix| *prefix = joined(machine, &front, prefix));
        if !is_last {
            *total = machine.broadcast_last(total, digit);
        }
    }
}

/// The runs of warps become one: each thread combines what all warps have, and takes what is in front of its own.
fn warps<M: BlockScanMachine>(machine: &mut M, rows: &mut [RowDraft<M::Value, M::Predicate>], level: &WarpLevel) {
    let totals: Vec<_> = rows.iter().map(|row| row.totals.clone()).collect();
    let gathered = machine.gather(level, &totals);
    let is_behind = |least| DigitAtLeast { digit: level.digit, is_of_lane: false, least };
    for (row, runs) in rows.iter_mut().zip(gathered) {
        let inner = row.prefixes.len() / row.totals.len().max(1);
        for (number, warps) in runs.iter().enumerate() {
            let Some((first, rest)) = warps.split_first() else { continue };
            let (mut all, mut before) = (first.clone(), first.clone());
            for (total, least) in rest.iter().zip(2..) {
                all = machine.combine(&all, total);
                if least <= rest.len() as i64 {
                    let has_more = machine.at_least(is_behind(least));
                    before = machine.select(&has_more, &all, &before);
                }
            }
            let front = Prefix::If(machine.at_least(is_behind(1)), before);
            let prefixes = &mut row.prefixes[number * inner..(number + 1) * inner];
            prefixes.iter_mut().for_each(|prefix| *prefix = joined(machine, &front, prefix));
            row.totals[number] = all;
        }
    }
}

/// Two neighbours.
fn joined<M: BlockScanMachine>(
    machine: &mut M,
    left: &Prefix<M::Value, M::Predicate>,
    right: &Prefix<M::Value, M::Predicate>,
) -> Prefix<M::Value, M::Predicate> {
    use Prefix::{If, Nothing, Value};
    match (left, right) {
        (Nothing, one) | (one, Nothing) => one.clone(),
        (Value(left), Value(right)) => Value(machine.combine(left, right)),
        (If(has_left, left), Value(right)) => {
            let both = machine.combine(left, right);
            Value(machine.select(has_left, &both, right))
        }
        (Value(left), If(has_right, right)) => {
            let both = machine.combine(left, right);
            Value(machine.select(has_right, &both, left))
        }
        (If(has_left, left), If(has_right, right)) => {
            let both = machine.combine(left, right);
            let right_or_both = machine.select(has_left, &both, right);
            let value = machine.select(has_right, &right_or_both, left);
            If(machine.either(has_left, has_right), value)
        }
    }
}

/// Each element with what precedes its run.
fn finished<M: BlockScanMachine>(
    machine: &mut M,
    row: RowDraft<M::Value, M::Predicate>,
    run: usize,
    start: &BlockScanStart<M::Value>,
) -> Option<Vec<M::Value>> {
    let init = start.init.clone().map_or(Prefix::Nothing, Prefix::Value);
    let mut results = Vec::new();
    for (elements, prefix) in row.elements.chunks(run).zip(&row.prefixes) {
        let prefix = joined(machine, &init, prefix);
        let within = if start.is_exclusive { &elements[..elements.len() - 1] } else { elements };
        if start.is_exclusive {
            results.push(match &prefix {
                Prefix::Value(value) => value.clone(),
                Prefix::Nothing => start.empty.clone()?,
                Prefix::If(has_any, value) => machine.select(has_any, value, start.empty.as_ref()?),
            });
        }
        let prefix = match (prefix, &start.neutral) {
            (Prefix::If(has_any, value), Some(neutral)) if !within.is_empty() => {
                Prefix::Value(machine.select(&has_any, &value, neutral))
            }
            (prefix, _) => prefix,
        };
        for element in within {
            results.push(match &prefix {
                Prefix::Nothing => element.clone(),
                Prefix::Value(value) => machine.combine(value, element),
                Prefix::If(has_any, value) => {
                    let both = machine.combine(value, element);
                    machine.select(has_any, &both, element)
                }
            });
        }
    }
    Some(results)
}
