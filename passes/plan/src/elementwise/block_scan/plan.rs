//! The levels of a scan along a dimension.

use std::collections::{BTreeMap, HashMap};

use tile_layout::Layout;

use super::proof;
use crate::distribution::RegisterDistribution;
use crate::elementwise::coordinates::digits_of;
use crate::elementwise::operand::{HoldingThreads, RegisterOperand, of_first_thread};
use crate::elementwise::reduced::{DimensionDigit, ReducedLayouts, WarpTiles};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::sides::chain::thread_stride;
use crate::sides::require::all_active;

/// A scan to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockScanProblem {
    /// The tiles that are scanned together, of one shape; at least one.
    pub sources: Vec<RegisterOperand>,
    /// As many results of that shape.
    pub results: Vec<RegisterOperand>,
    /// The dimension.
    pub dim: usize,
    /// Whether the operator is defined for all values, so that threads that hold nothing may compute with what they have.
    pub is_total: bool,
    /// The threads that scan.
    pub threads: Threads,
}

/// A scan in steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockScanPlan {
    /// The elements of a thread, by row, in the order of their coordinate along the dimension.
    pub rows: Vec<Vec<ScannedElement>>,
    /// The digits of that coordinate, fastest first.
    pub levels: Vec<ScanLevel>,
}

/// The registers of one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScannedElement {
    /// By source.
    pub terms: Vec<usize>,
    /// By result.
    pub results: Vec<usize>,
}

/// One digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanLevel {
    /// Registers of each thread.
    Registers {
        /// Values of the digit.
        extent: usize,
    },
    /// Lanes of each warp.
    Lanes(ThreadDigit),
    /// Warps.
    Warps(Box<WarpLevel>),
}

/// `number / stride % extent`, of a lane of its warp or of a thread of its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadDigit {
    /// Lanes or threads from one value to the next.
    pub stride: i64,
    /// Values.
    pub extent: i64,
}

impl ThreadDigit {
    /// Its value for that lane or thread.
    pub fn at(self, number: i64) -> i64 {
        number / self.stride % self.extent
    }
}

/// The exchange of totals among warps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpLevel {
    /// The digit of the thread's number in its scope.
    pub digit: ThreadDigit,
    /// The tiles.
    pub tiles: WarpTiles,
    /// The registers of the totals in the partial tile, by row and run.
    pub totals: Vec<Vec<usize>>,
    /// The registers of the totals of all warps in the gathered tile, by row, run and warp.
    pub gathered: Vec<Vec<Vec<usize>>>,
}

impl BlockScanProblem {
    /// The plan.
    ///
    /// # Errors
    /// As reductions: a layout along whose dimension threads are neither lanes nor warps; and a result in another thread than its
    /// source.
    pub fn plan(&self) -> Result<BlockScanPlan, Refusal> {
        let (Some(source), Some(_)) = (self.sources.first(), self.results.first()) else {
            return Err(Refusal::new("no-result", "there is no result"));
        };
        let layouts = ReducedLayouts::new(&source.layout, &source.shape, self.dim, &source.name)?;
        let distributions = |operands: &[RegisterOperand]| {
            operands.iter().map(|operand| operand.distribution(&self.threads)).collect::<Result<Vec<_>, _>>()
        };
        let (from, to) = (distributions(&self.sources)?, distributions(&self.results)?);
        let holding = HoldingThreads::new(&from[0], &source.name)?;
        if holding.is_part && !self.is_total {
            return Err(holding.refusal("a scan with a region", &source.name));
        }
        if layouts.digits().iter().any(|digit| !matches!(digit, DimensionDigit::Registers(_))) {
            all_active(&self.threads)?;
        }
        let (coordinates, rows): (Vec<_>, Vec<_>) = self.rows(&from, &to)?.into_iter().unzip();
        let plan = BlockScanPlan { rows, levels: self.levels(&layouts, &coordinates)? };
        proof::check(self, &plan, &from, &to)?;
        Ok(plan)
    }

    /// The elements of thread 0 by row, with the coordinates of each row: 0 along the dimension.
    fn rows(
        &self,
        from: &[RegisterDistribution],
        to: &[RegisterDistribution],
    ) -> Result<BTreeMap<Vec<i64>, Vec<ScannedElement>>, Refusal> {
        let mut rows: BTreeMap<Vec<i64>, Vec<(i64, i64)>> = BTreeMap::new();
        let shape = &self.sources[0].shape;
        for (_, element) in from[0].elements(0) {
            let mut digits = digits_of(element, shape);
            let along = std::mem::take(&mut digits[self.dim]);
            rows.entry(digits).or_default().push((along, element));
        }
        let registers = |tiles: &[RegisterDistribution]| tiles.iter().map(of_first_thread).collect::<Vec<_>>();
        let (terms, results) = (registers(from), registers(to));
        let find = |registers: &[HashMap<i64, usize>], operands: &[RegisterOperand], element: i64| {
            let found = registers.iter().zip(operands).map(|(registers, operand)| {
                registers.get(&element).copied().ok_or_else(|| self.elsewhere(operand, 0, element))
            });
            found.collect::<Result<Vec<usize>, Refusal>>()
        };
        let row = |(coordinates, mut elements): (Vec<i64>, Vec<(i64, i64)>)| {
            elements.sort_unstable();
            let element = |&(_, element): &(i64, i64)| {
                Ok(ScannedElement {
                    terms: find(&terms, &self.sources, element)?,
                    results: find(&results, &self.results, element)?,
                })
            };
            let found = elements.iter().map(element).collect::<Result<Vec<_>, Refusal>>()?;
            Ok((coordinates, found))
        };
        rows.into_iter().map(row).collect()
    }

    /// The digits, fastest first. `rows` are the coordinates of each row.
    fn levels(&self, layouts: &ReducedLayouts, rows: &[Vec<i64>]) -> Result<Vec<ScanLevel>, Refusal> {
        let mut levels: Vec<ScanLevel> = Vec::new();
        for (number, digit) in layouts.digits().iter().enumerate().rev() {
            let iter = digit.iter();
            let stride = iter.stride * thread_stride(iter.axis).unwrap_or(1);
            match (digit, levels.last_mut()) {
                (DimensionDigit::Registers(_), Some(ScanLevel::Registers { extent })) => {
                    *extent *= iter.extent as usize
                }
                (DimensionDigit::Registers(_), _) => {
                    levels.push(ScanLevel::Registers { extent: iter.extent as usize });
                }
                (DimensionDigit::Lanes(_), _) => {
                    levels.push(ScanLevel::Lanes(ThreadDigit { stride, extent: iter.extent }));
                }
                (DimensionDigit::Warps(_), _) => {
                    let digit = ThreadDigit { stride, extent: iter.extent };
                    let level = self.warps(digit, layouts.tiles_of_digit(number), rows)?;
                    levels.push(ScanLevel::Warps(Box::new(level)));
                }
            }
        }
        Ok(levels)
    }

    fn warps(&self, digit: ThreadDigit, tiles: WarpTiles, rows: &[Vec<i64>]) -> Result<WarpLevel, Refusal> {
        let registers = |layout: &Layout| {
            let tile = RegisterOperand {
                name: "the totals of warps".to_owned(),
                layout: layout.clone(),
                shape: tiles.shape.clone(),
            };
            tile.distribution(&self.threads).map(|tile| of_first_thread(&tile))
        };
        // The totals of thread 0 in each row: those of a run after another.
        let in_rows = |held: &HashMap<i64, usize>| -> Vec<Vec<usize>> {
            let mut by_row: HashMap<Vec<i64>, Vec<(i64, usize)>> = HashMap::new();
            for (&element, &register) in held {
                let mut digits = digits_of(element, &tiles.shape);
                let along = std::mem::take(&mut digits[self.dim]);
                by_row.entry(digits).or_default().push((along, register));
            }
            let sorted = rows.iter().map(|row| {
                let mut runs = by_row.remove(row).unwrap_or_default();
                runs.sort_unstable();
                runs.into_iter().map(|(_, register)| register).collect()
            });
            sorted.collect()
        };
        let totals = in_rows(&registers(&tiles.partial)?);
        let all = in_rows(&registers(&tiles.gathered)?);
        let by_run = |row: Vec<usize>| row.chunks(digit.extent as usize).map(<[usize]>::to_vec).collect();
        Ok(WarpLevel { digit, totals, gathered: all.into_iter().map(by_run).collect(), tiles })
    }

    pub(super) fn elsewhere(&self, operand: &RegisterOperand, thread: usize, element: i64) -> Refusal {
        let reason = format!(
            "thread {thread} does not hold element {:?} of {}, or not in the register in which thread 0 does; needed the \
             layout of {}: #tile.layout<{}>",
            digits_of(element, &operand.shape),
            operand.name,
            self.sources[0].name,
            self.sources[0].layout
        );
        Refusal::new("operand-elsewhere", reason)
    }
}

impl BlockScanPlan {
    /// The number of shuffles, and of warps that exchange totals.
    pub fn cost(&self) -> (i64, i64) {
        let runs_after = |level: usize| -> i64 {
            let slower = self.levels[level..].iter().filter_map(|level| match level {
                ScanLevel::Registers { extent } => Some(*extent as i64),
                _ => None,
            });
            slower.product::<i64>() * self.rows.len() as i64
        };
        let last = self.levels.len().saturating_sub(1);
        self.levels.iter().enumerate().fold((0, 1), |(shuffles, warps), (number, level)| match level {
            ScanLevel::Registers { .. } => (shuffles, warps),
            ScanLevel::Lanes(digit) => {
                let steps = i64::from((digit.extent - 1).checked_ilog2().map_or(0, |log| log + 1));
                (shuffles + runs_after(number) * (steps + 1 + i64::from(number < last)), warps)
            }
            ScanLevel::Warps(level) => (shuffles, warps * level.digit.extent),
        })
    }
}
