//! Functions of elements: each thread computes the elements of the result that it holds.
//!
//! ```text
//!   r[i, j] = f(x[i, j], m[i, 0], i, j)      x, r of 16 x 8: two registers a lane and row
//!                                            m of 16 x 1:    one, which all lanes of the row hold
//!     register 0 of r from register 0 of x, register 0 of m
//!     register 1 of r from register 1 of x, register 0 of m
//! ```

use tile_layout::Eval;

use super::coordinates::{CoordinateLimit, Coordinates, digits_of, element_at};
use super::operand::TileOperand;
use super::operand::{HoldingThreads, RegisterOperand, of_first_thread};
use super::partition::owner;
use super::parts::TileParts;
use crate::distribution::RegisterDistribution;
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;

/// The most ops that a map is written out as, in each thread.
pub const MAX_OPS: usize = 1 << 16;

/// A function of elements, to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapProblem {
    /// The arguments. Where one has fewer elements in a dimension, each belongs to as many of a result's that follow each other.
    pub sources: Vec<RegisterOperand>,
    /// The results, all of one shape; at least one.
    pub results: Vec<RegisterOperand>,
    /// Whether the function takes coordinates.
    pub has_coordinates: bool,
    /// The number of ops that compute one element.
    pub ops: usize,
    /// Where the results end, in dimensions in which they have elements beyond: those are not computed.
    pub limits: Vec<CoordinateLimit>,
    /// The threads that compute.
    pub threads: Threads,
}

/// What each thread computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPlan {
    /// By register of the first result.
    pub steps: Vec<MapStep>,
    /// The thread's part of the coordinates, where they are needed.
    pub coordinates: Option<Coordinates>,
    /// The threads that compute.
    pub holding: HoldingThreads,
}

impl MapPlan {
    /// The elements of `steps`, two at a time where they share 32-bit registers: those of 16 bits in registers `2 r` and `2 r + 1` of all results,
    /// and of each source, or both from one register of it.
    ///
    /// ```text
    ///   r  0 1 | 2 3 | 4        x  0 1 | 2 3 | 4       m  0 0 | 0 1 | 1        elements 0 and 1 together, 2, 3 and 4 each alone
    /// ```
    pub fn pairs(steps: &[MapStep]) -> Vec<&[MapStep]> {
        let mut groups = Vec::new();
        let mut rest = steps;
        while !rest.is_empty() {
            let together = if rest.len() > 1 && rest[0].is_paired(&rest[1]) { 2 } else { 1 };
            let (group, others) = rest.split_at(together);
            groups.push(group);
            rest = others;
        }
        groups
    }
}

/// What each thread computes of a part of the tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPart {
    /// Where the part begins.
    pub begin: Vec<i64>,
    /// Its elements; registers of shared tiles are those of the part.
    pub steps: Vec<MapStep>,
}

impl MapPart {
    /// The elements, by the threads that compute them.
    pub fn groups(&self) -> impl Iterator<Item = &[MapStep]> {
        self.steps.chunk_by(|step, next| step.checks == next.checks)
    }
}

impl MapPlan {
    /// The elements part by part, where `problem` has these operands in the registers of the whole partition; without parts, all at once.
    ///
    /// # Errors
    /// As [`TileOperand::in_registers`], and layouts that are not of registers.
    pub fn in_parts(
        &self,
        problem: &MapProblem,
        [sources, results]: [&[TileOperand]; 2],
        parts: Option<&TileParts>,
    ) -> Result<Vec<MapPart>, Refusal> {
        let Some((parts, leading)) = parts.zip(problem.results.first()).filter(|(parts, _)| parts.count() > 1) else {
            let begin = vec![0; problem.results.first().map_or(0, |result| result.shape.len())];
            return Ok(vec![MapPart { begin, steps: self.steps.clone() }]);
        };
        let leading = leading.distribution(&problem.threads)?;
        let registers = |tiles: &[TileOperand]| {
            tiles.iter().map(|tile| parts.registers(tile, &problem.threads)).collect::<Result<Vec<_>, _>>()
        };
        let (from, to) = (registers(sources)?, registers(results)?);
        let within = |whole: &[usize], known: &[Option<Vec<usize>>]| -> Vec<usize> {
            let each = whole.iter().zip(known);
            each.map(|(&register, known)| known.as_ref().map_or(register, |known| known[register])).collect()
        };
        let mut map_parts: Vec<MapPart> =
            parts.begins().into_iter().map(|begin| MapPart { begin, steps: Vec::new() }).collect();
        for step in &self.steps {
            let element = leading.element(0, step.results[0]).unwrap_or(0);
            let renumbered =
                MapStep { sources: within(&step.sources, &from), results: within(&step.results, &to), ..step.clone() };
            map_parts[parts.part_of(element)].steps.push(renumbered);
        }
        Ok(map_parts)
    }
}

impl MapStep {
    fn is_paired(&self, next: &MapStep) -> bool {
        let adjacent = |(&first, &second): (&usize, &usize)| first % 2 == 0 && second == first + 1;
        self.results.iter().zip(&next.results).all(adjacent)
            && self
                .sources
                .iter()
                .zip(&next.sources)
                .all(|(first, second)| first == second || adjacent((first, second)))
    }
}

/// One element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapStep {
    /// Its register in each source.
    pub sources: Vec<usize>,
    /// Its register in each result.
    pub results: Vec<usize>,
    /// The register's part of its coordinates; empty where they are not needed.
    pub coordinates: Vec<i64>,
    /// The threads that compute it, where those are not all: whose own part of a coordinate is below an extent.
    pub checks: Vec<CoordinateLimit>,
}

impl MapProblem {
    /// The plan.
    ///
    /// # Errors
    /// The first element whose arguments are not where its thread finds them in the same registers as the other threads, and
    /// threads that hold different numbers of elements, and layouts that [`RegisterDistribution::new`] refuses.
    pub fn plan(&self) -> Result<MapPlan, Refusal> {
        let distributions = |operands: &[RegisterOperand]| {
            operands.iter().map(|operand| operand.distribution(&self.threads)).collect::<Result<Vec<_>, _>>()
        };
        let (sources, results) = (distributions(&self.sources)?, distributions(&self.results)?);
        let (Some(first), Some(leading)) = (self.results.first(), results.first()) else {
            return Err(Refusal::new("no-result", "there is no result"));
        };
        let holding = HoldingThreads::new(leading, &first.name)?;
        let count = leading.elements(0).count();
        if count.saturating_mul(self.ops.max(1)) > MAX_OPS {
            let reason = format!(
                "every thread would execute {} ops for each of {count} elements; at most {MAX_OPS} in all are written out",
                self.ops
            );
            return Err(Refusal::new("too-many-instructions", reason));
        }
        let coordinates = (self.has_coordinates || !self.limits.is_empty())
            .then(|| Coordinates::new(&first.layout, &first.shape, &first.name, leading, holding.count))
            .transpose()?;
        let registers = |operands: &[RegisterOperand], tiles: &[RegisterDistribution]| {
            let each = operands.iter().zip(tiles);
            each.map(|(operand, tile)| Self::registers(first, leading, holding, operand, tile))
                .collect::<Result<Vec<_>, _>>()
        };
        let (from, to) = (registers(&self.sources, &sources)?, registers(&self.results, &results)?);
        let step = |(index, (_, element)): (usize, (usize, i64))| {
            let parts = coordinates.as_ref().map_or(Vec::new(), |known| known.of_register(element, &first.shape));
            Some(MapStep {
                sources: from.iter().map(|registers| registers[index]).collect(),
                results: to.iter().map(|registers| registers[index]).collect(),
                checks: self.checks(&parts, coordinates.as_ref(), holding.count)?,
                coordinates: if self.has_coordinates { parts } else { Vec::new() },
            })
        };
        let steps = leading.elements(0).enumerate().filter_map(step).collect();
        Ok(MapPlan { steps, coordinates, holding })
    }

    /// What the threads that compute an element have in common; `None` where no thread does.
    fn checks(&self, parts: &[i64], all: Option<&Coordinates>, threads: usize) -> Option<Vec<CoordinateLimit>> {
        let mut checks = Vec::new();
        for &CoordinateLimit { dimension, extent } in &self.limits {
            let (part, coordinates) = (parts.get(dimension)?, all?);
            let left = extent - part;
            let of_thread = |thread| coordinates.of_thread(&mut Eval, thread as i64, dimension);
            let is_below = |thread| of_thread(thread) < left;
            if !(0..threads).any(is_below) {
                return None;
            }
            if !(0..threads).all(is_below) {
                checks.push(CoordinateLimit { dimension, extent: left });
            }
        }
        Some(checks)
    }

    /// For each register of the first result: the one of `operand` that belongs to it.
    fn registers(
        first: &RegisterOperand,
        leading: &RegisterDistribution,
        holding: HoldingThreads,
        operand: &RegisterOperand,
        tile: &RegisterDistribution,
    ) -> Result<Vec<usize>, Refusal> {
        let known = of_first_thread(tile);
        let wanted = |element: i64| {
            let digits = digits_of(element, &first.shape);
            let within: Vec<i64> = digits
                .iter()
                .zip(first.shape.iter().zip(&operand.shape))
                .map(|(&digit, (&all, &extent))| owner(digit, all, extent))
                .collect();
            element_at(&within, &operand.shape)
        };
        let elsewhere = |thread: usize, element: i64, got: String| {
            let (result, needed) = (digits_of(element, &first.shape), digits_of(wanted(element), &operand.shape));
            let reason = format!(
                "thread {thread} computes element {result:?} of {}, and needs element {needed:?} of {}, {got}",
                first.name, operand.name
            );
            Refusal::new("operand-elsewhere", reason)
        };
        let register_of = |(_, element): (usize, i64)| {
            known
                .get(&wanted(element))
                .copied()
                .ok_or_else(|| elsewhere(0, element, "which it does not hold".to_owned()))
        };
        let registers = leading.elements(0).map(register_of).collect::<Result<Vec<_>, _>>()?;
        for thread in 0..holding.count {
            for ((_, element), &register) in leading.elements(thread).zip(&registers) {
                let got = tile.element(thread, register);
                if got != Some(wanted(element)) {
                    let got = got.map_or("none".to_owned(), |got| format!("{:?}", digits_of(got, &operand.shape)));
                    let got = format!("but its register {register}, where thread 0 has its own, holds {got}");
                    return Err(elsewhere(thread, element, got));
                }
            }
        }
        Ok(registers)
    }
}
