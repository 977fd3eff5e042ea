//! Buffers by their coordinates: which accesses go through the same run-time strides, and how far a loop moves a region.
//!
//! Accesses that cannot be compared by their bytes can then be compared by their coordinates;
//! [`tile_plan::sync::assumed_strides`] and [`Reach`] say why.

use melior::ir::Type;
use tile_dialect::ops::Operand;
use tile_layout::Layout;
use tile_plan::problem::overlap::is_injective;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::sync::{self, Move, Reach, Shift, assumed_strides};

use super::Addresses;
use crate::read::root::{self, Rooted};
use crate::read::run_time::RunTime;
use crate::sync::kernel::objects::{BufferForm, Pitch, Selection};
use crate::sync::kernel::values::Distinct;

/// The region of an access in one dimension.
pub struct Dimension {
    /// Its first coordinate.
    pub start: sync::AddressForm,
    /// Coordinates.
    pub extent: i64,
    /// From one coordinate to the next.
    pub bytes: i64,
}

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// The pitch of a buffer or memref with a layout and a shape, of elements of `bytes`, with these run-time strides and extents;
    /// `None` where one of them may change while the kernel runs.
    pub fn pitch(
        &mut self,
        (r#type, bytes): (Type<'c>, i64),
        (layout, shape): (&Layout, &[i64]),
        (strides, extents): (&[RunTime<'c, 'a>], &[RunTime<'c, 'a>]),
    ) -> Option<Pitch> {
        let elements = assumed_strides(strides.len())?;
        let assumed = elements.iter().map(|stride| stride.checked_mul(bytes)).collect::<Option<Vec<_>>>()?;
        let mut terms = Vec::new();
        for number in strides.iter().chain(extents) {
            let term = self.values.number(&number.clone().stated());
            let form = self.values.of_term(term)?;
            let stays = form.each.len() == 1 && form.shift.loops.is_empty() && !form.shift.unknown;
            terms.push(stays.then_some(term)?);
        }
        Some(Pitch { form: BufferForm::new(r#type, (layout, shape), elements), numbers: terms, strides: assumed })
    }

    /// The shift of a region with these coordinates and dimensions, through the pitch of its memory.
    pub fn placed(
        &mut self,
        shift: Shift,
        (coordinates, dimensions): (Option<usize>, &[Option<Dimension>]),
        pitch: Option<&Pitch>,
    ) -> Shift {
        let shift = match coordinates {
            Some(coordinates) => within(shift, coordinates, dimensions),
            None => shift,
        };
        match pitch {
            Some(pitch) => self.through(pitch, shift),
            None => shift,
        }
    }

    /// A shift through a pitch: where its numbers vary from iteration to iteration, offsets are compared within one only.
    fn through(&mut self, pitch: &Pitch, mut shift: Shift) -> Shift {
        for &number in &pitch.numbers {
            let Some(form) = self.values.of_term(number) else { return Shift::unknown() };
            for value in
                form.shift.varied_by(self.values.loops().all()).next().into_iter().flat_map(|_| form.shift.fixed.keys())
            {
                shift.fixed.entry(*value).or_insert(1);
            }
        }
        shift
    }

    /// The run-time value that selects the region of a copy, where what it selects is unknown, but promised to be another region
    /// each time: the value's number in `moves`, a number that may stand for it, and what it selects.
    pub fn selected(
        &mut self,
        operand: &Operand<'c, 'a>,
        role: Role,
        moves: &[Move],
    ) -> Option<(usize, sync::AddressForm, Selection)> {
        if self.values.promises_nothing() {
            return None;
        }
        let Rooted { operand: region, values, root, .. } = root::find(operand, role, |_| true).ok()?;
        if !region.origin.is_empty() || !is_injective(&region.layout) {
            return None;
        }
        let mut selected = None;
        for (dimension, (begin, &extent)) in region.begin.iter().zip(&region.extent).enumerate() {
            let Begin::Dynamic { value, .. } = *begin else { continue };
            let number = values.get(value)?;
            if self.values.quotient(number, 1).is_none() {
                let mut of_value = moves.iter().filter(|step| step.value == value);
                of_value.next().filter(|step| step.div == 1 && of_value.next().is_none())?;
                let Distinct { op, width, stand_in } =
                    self.values.distinct_number(number, extent).filter(|_| selected.is_none())?;
                selected = Some((value, stand_in, (op, dimension, width)));
            }
        }
        let (value, stand_in, (op, dimension, width)) = selected?;
        let coordinates = self.objects.coordinates(root, &region.layout, &region.shape);
        Some((value, stand_in, Selection { op, coordinates, dimension, width }))
    }

    /// The number of the buffer's coordinates, and the copy's region in them. `None` where a view hides the start of the region,
    /// or elements of the buffer may share addresses.
    pub fn region_of(
        &mut self,
        operand: &Operand<'c, 'a>,
        role: Role,
        moves: &[Move],
    ) -> Option<(usize, Vec<Option<Dimension>>)> {
        let rooted = root::find(operand, role, |_| true).ok()?;
        if !rooted.operand.origin.is_empty() || !is_injective(&rooted.operand.layout) {
            return None;
        }
        let region = rooted.operand.begin.iter().zip(&rooted.operand.extent);
        let each = region.map(|(begin, &extent)| {
            let Begin::Dynamic { value, .. } = *begin else { return None };
            let mut of_value = moves.iter().filter(|step| step.value == value);
            let step = of_value.next().filter(|step| step.div == 1 && of_value.next().is_none())?;
            let start = self.values.quotient(rooted.values.get(value)?, 1)?;
            Some(Dimension { start, extent, bytes: step.bytes })
        });
        let dimensions = each.collect();
        Some((self.objects.coordinates(rooted.root, &rooted.operand.layout, &rooted.operand.shape), dimensions))
    }
}

/// A shift with the reach of each loop that moves the region along a single dimension. `coordinates`: their number.
fn within(shift: Shift, coordinates: usize, dimensions: &[Option<Dimension>]) -> Shift {
    let along = |number: &usize| {
        let moves = |dim: &&Dimension| dim.start.shift.loops.contains_key(number);
        let mut moved = dimensions.iter().enumerate().filter_map(|(at, dim)| Some((at, dim.as_ref().filter(moves)?)));
        moved.next().filter(|_| moved.next().is_none())
    };
    let reaches = shift.loops.iter().filter_map(|(number, periodic)| {
        let (dimension, moved) = along(number)?;
        let alone = moved.start.shift.loops.len() == 1 && !moved.start.shift.unknown;
        let same = moved.start.shift.loops.get(number)?.times(moved.bytes)? == *periodic;
        let starts: Option<Vec<i64>> = moved.start.each.iter().map(|start| start.checked_mul(moved.bytes)).collect();
        let starts = starts.filter(|_| alone && same)?;
        let reach = Reach {
            dimension: (coordinates, dimension),
            fixed: moved.start.shift.fixed.clone(),
            start: (*starts.iter().min()?, *starts.iter().max()?),
            width: (moved.extent - 1).checked_mul(moved.bytes.checked_abs()?)?,
        };
        Some((*number, reach))
    });
    let reach = reaches.collect();
    Shift { reach, ..shift }
}
