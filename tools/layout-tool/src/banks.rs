//! Which lanes of an access are in which banks of shared memory.
//!
//! The lanes are themselves a layout, of the part of the tile that one warp accesses: its lanes, and in each of them registers in order.
//! `(8, 4, 8) : (4@laneid, 1@laneid, 1)` is 8 rows of 32 elements, 8 in a row for each lane.

use std::collections::BTreeMap;

use tile_isa::WARP;
use tile_layout::{Axis, Location, counted};
use tile_plan::choose_layout::{LayoutFamily, LayoutProblem, NVIDIA, SharedAccess, choose};

use crate::compare::{coordinates, located};
use crate::described::Described;
use crate::error::ToolError;
use crate::picture::{Cell, Picture, Table};

/// An access of a warp to a tile in shared memory.
#[derive(Clone, Debug)]
pub struct WarpAccess<'a> {
    /// The tile.
    pub tile: &'a Described,
    /// The lanes and registers of each element of the part that is accessed.
    pub lanes: &'a Described,
    /// Where in the tile the part begins.
    pub at: Vec<i64>,
    /// Bytes of an element.
    pub element_bytes: i64,
    /// Elements that a lane moves at once; as many as 16 bytes hold where it is not given.
    pub vector: Option<i64>,
}

/// Bytes of a word and of all banks.
const WORD: i64 = 4;
const BANKS: i64 = 32;

/// A lane's elements, by register: their numbers in the tile.
type LaneElements = BTreeMap<i64, i64>;

impl WarpAccess<'_> {
    /// The elements of each lane of the first warp.
    fn elements(&self) -> Result<Vec<LaneElements>, ToolError> {
        let shape = &self.tile.shape;
        let at = if self.at.is_empty() { vec![0; shape.len()] } else { self.at.clone() };
        let part = &self.lanes.shape;
        let is_inside = at.len() == shape.len()
            && part.len() == shape.len()
            && (0..shape.len()).all(|dimension| {
                at[dimension] >= 0 && at[dimension].saturating_add(part[dimension]) <= shape[dimension]
            });
        if !is_inside {
            return Err(ToolError::Refused(format!(
                "got a part {part:?} at {at:?} of a tile {shape:?}, expected one inside it"
            )));
        }
        if self.lanes.layout.size() > 1 << 16 {
            return Err(ToolError::Refused(format!(
                "got {} elements of an access, expected at most 65536",
                self.lanes.layout.size()
            )));
        }
        let mut lanes: Vec<LaneElements> = vec![LaneElements::new(); WARP as usize];
        for element in 0..self.lanes.layout.size() {
            let inside = coordinates(part, element);
            let location = located(&self.lanes.layout, &inside, part)?;
            let Some(lane) = lane_of_first_warp(&location) else { continue };
            let number = inside
                .iter()
                .zip(&at)
                .zip(shape)
                .fold(0, |number, ((inside, at), extent)| number * extent + inside + at);
            let register = location.get(&Axis::Memory).copied().unwrap_or(0);
            if let Some(other) = lanes[lane as usize].insert(register, number) {
                return Err(ToolError::Refused(format!(
                    "got elements {other} and {number} of the tile in register {register} of lane {lane}, expected one"
                )));
            }
        }
        Ok(lanes)
    }

    fn vector(&self, lanes: &[LaneElements]) -> Result<i64, ToolError> {
        let registers = lanes.iter().map(BTreeMap::len).max().unwrap_or(0) as i64;
        if lanes.iter().any(|lane| !lane.is_empty() && lane.len() as i64 != registers) {
            return Err(ToolError::Refused(
                "got lanes of different numbers of registers, expected the same number".to_owned(),
            ));
        }
        let widest = (16 / self.element_bytes.max(1)).max(1);
        let vector = self.vector.unwrap_or_else(|| tile_layout::gcd(registers, widest).max(1));
        if vector < 1 || registers % vector != 0 || vector * self.element_bytes > 16 {
            return Err(ToolError::Refused(format!(
                "got vectors of {vector} of {registers} registers of {} bytes, expected a divisor, and at most 16 bytes",
                self.element_bytes
            )));
        }
        Ok(vector)
    }

    /// The banks that the first instruction meets, phase by phase, and the wavefronts of all.
    ///
    /// # Errors
    /// A part outside of the tile, or lanes that are none of a warp's.
    pub fn picture(&self) -> Result<Picture, ToolError> {
        let lanes = self.elements()?;
        let vector = self.vector(&lanes)?;
        let registers = lanes.iter().map(BTreeMap::len).max().unwrap_or(0) as i64;
        let instruction = |first: i64| -> Vec<Vec<i64>> {
            lanes
                .iter()
                .map(|lane| lane.values().copied().skip(first as usize).take(vector as usize).collect())
                .collect()
        };
        let instructions: Vec<Vec<Vec<i64>>> = (0..registers).step_by(vector as usize).map(instruction).collect();
        let problem = LayoutProblem {
            shape: self.tile.shape.clone(),
            element_bytes: self.element_bytes,
            accesses: instructions.iter().map(|lanes| SharedAccess::new(lanes.clone(), 1)).collect(),
            phases: &NVIDIA,
            family: LayoutFamily::Modes { engine: "the question", layouts: vec![self.tile.layout.clone()] },
            max_elements: None,
        };
        let refused = |error: tile_plan::choose_layout::ChooseError| ToolError::Refused(error.to_string());
        let costs = choose(&problem).map_err(refused)?.costs;
        let total = |number: fn(&tile_plan::choose_layout::AccessCost) -> i64| costs.iter().map(number).sum::<i64>();
        let bytes = costs.first().map_or(0, |cost| cost.bytes);
        let mut picture = Picture::default();
        if let Some(first) = instructions.first() {
            picture.tables = self.tables(first, bytes)?;
        }
        picture.notes.push(format!(
            "{} of {bytes} bytes a lane: {}, {} without conflicts, {}",
            counted(instructions.len() as i64 * vector * self.element_bytes / bytes.max(1), "instruction"),
            counted(total(|cost| cost.wavefronts), "wavefront"),
            total(|cost| cost.ideal),
            counted(total(|cost| cost.conflicts()), "conflict"),
        ));
        Ok(picture)
    }

    /// A table for each phase of an instruction of `bytes` a lane: a row for each line of 128 bytes, a column for each bank.
    fn tables(&self, lanes: &[Vec<i64>], bytes: i64) -> Result<Vec<Table>, ToolError> {
        let together = (BANKS * WORD / bytes.max(WORD)).clamp(1, WARP) as usize;
        let mut tables = Vec::new();
        for (phase, group) in lanes.chunks(together).enumerate() {
            let mut words: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
            for (lane, elements) in group.iter().enumerate() {
                for element in elements.iter().take((bytes / self.element_bytes).max(1) as usize) {
                    let at = coordinates(&self.tile.shape, *element);
                    let location = located(&self.tile.layout, &at, &self.tile.shape)?;
                    let first = location.get(&Axis::Memory).copied().unwrap_or(0) * self.element_bytes;
                    for word in first / WORD..=(first + self.element_bytes - 1) / WORD {
                        let held = words.entry(word).or_default();
                        let lane = phase * together + lane;
                        if !held.contains(&lane) {
                            held.push(lane);
                        }
                    }
                }
            }
            if !words.is_empty() {
                tables.push(banks_of(&words, phase));
            }
        }
        Ok(tables)
    }
}

/// The lanes of each word, by line and bank.
fn banks_of(words: &BTreeMap<i64, Vec<usize>>, phase: usize) -> Table {
    let mut lines: Vec<i64> = words.keys().map(|word| word / BANKS).collect();
    lines.dedup();
    let ways = (0..BANKS).map(|bank| words.keys().filter(|word| *word % BANKS == bank).count()).max().unwrap_or(0);
    let mut table = Table {
        title: format!("phase {phase}, {}: the lanes in banks 0 to {}", counted(ways as i64, "wavefront"), BANKS - 1),
        ..Table::default()
    };
    for line in lines {
        let cell = |bank: i64| {
            let lanes = words.get(&(line * BANKS + bank));
            let text = match lanes.map(Vec::as_slice) {
                None => ".".to_owned(),
                Some([lane]) => lane.to_string(),
                Some([first, second]) => format!("{first},{second}"),
                Some(lanes) => format!("{}+{}", lanes[0], lanes.len() - 1),
            };
            Cell { text, colour: lanes.map(|lanes| lanes[0] as i64) }
        };
        table.rows.push(format!("line {line}"));
        table.cells.push((0..BANKS).map(cell).collect());
    }
    table
}

/// The lane, if the thread is of the first warp.
fn lane_of_first_warp(location: &Location<i64>) -> Option<i64> {
    let mut thread = 0;
    for (axis, value) in location.iter().filter(|(axis, _)| axis.is_thread()) {
        match axis {
            Axis::LaneId | Axis::Tx | Axis::TidInWg => thread += value,
            _ if *value == 0 => {}
            _ => return None,
        }
    }
    (0..WARP).contains(&thread).then_some(thread)
}
