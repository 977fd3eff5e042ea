//! How a layout divides a scan into levels: the registers, lanes and warps along the dimension.

use std::collections::{BTreeMap, HashMap};

use tile_layout::Layout;

use super::plan::{BlockScanPlan, BlockScanProblem, ElementRegisters, ScanLevel, ThreadDigit, WarpLevel};
use super::proof;
use crate::distribution::RegisterDistribution;
use crate::elementwise::coordinates::digits_of;
use crate::elementwise::operand::{HoldingThreads, RegisterOperand, of_first_thread};
use crate::elementwise::reduced::{DimensionDigit, ReducedLayouts, WarpTiles};
use crate::problem::refusal::Refusal;
use crate::sides::chain::thread_stride;
use crate::sides::require::all_active;

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
        if holding.is_part() && !self.is_total {
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
    ) -> Result<BTreeMap<Vec<i64>, Vec<ElementRegisters>>, Refusal> {
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
            let numbers = registers.iter().zip(operands).map(|(registers, operand)| {
                registers.get(&element).copied().ok_or_else(|| self.elsewhere(operand, 0, element))
            });
            numbers.collect::<Result<Vec<usize>, Refusal>>()
        };
        let row = |(coordinates, mut elements): (Vec<i64>, Vec<(i64, i64)>)| {
            elements.sort_unstable();
            let element = |&(_, element): &(i64, i64)| {
                Ok(ElementRegisters {
                    terms: find(&terms, &self.sources, element)?,
                    results: find(&results, &self.results, element)?,
                })
            };
            let row_registers = elements.iter().map(element).collect::<Result<Vec<_>, Refusal>>()?;
            Ok((coordinates, row_registers))
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
}
