//! Buffers by their coordinates: which accesses go through the same run-time strides, and how far a loop moves a region.
//!
//! Both make accesses comparable that are not as bytes. The planner's [`pitch`](tile_plan::touch::pitch) and
//! [`Reach`] say why.

use melior::ir::r#type::TypeLike;
use melior::ir::{Type, Value};
use tile_dialect::ops::Operand;
use tile_plan::bounds::Term;
use tile_plan::overlap::is_injective;
use tile_plan::sync::{Form, Move, Reach, Shift, assumed_strides};
use tile_plan::{Begin, Which};

use crate::read::place::Root;
use crate::read::root;
use crate::read::run_time::RunTime;
use crate::read::values::key;
use crate::sync::kernel::Kernel;

/// Memory that accesses are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The memory.
    pub root: Root,
    /// What gives its offsets, where these are known only at run time.
    pub pitch: Option<Pitch>,
}

impl From<Root> for Object {
    fn from(root: Root) -> Self {
        Object { root, pitch: None }
    }
}

/// The type of a buffer with its run-time strides and extents: two buffers of one memory that agree in these are the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pitch {
    of: usize,
    numbers: Vec<Term>,
    /// The bytes that stand for the strides.
    strides: Vec<i64>,
}

impl Pitch {
    /// A byte, as a user reads it.
    ///
    /// ```text
    ///   3 * 2^40 + 10, a stride of 2^40        byte 10 after 3 * s0
    /// ```
    pub fn place(&self, byte: i64) -> String {
        let mut steps = Vec::new();
        let rest = self.strides.iter().enumerate().fold(byte, |rest, (index, &stride)| {
            let count = rest.saturating_add(stride / 2).div_euclid(stride);
            if count != 0 {
                steps.push(format!("{count} * s{index}"));
            }
            rest - count * stride
        });
        if steps.is_empty() { format!("byte {rest}") } else { format!("byte {rest} after {}", steps.join(" + ")) }
    }
}

/// The region of an access in one dimension.
pub(super) struct Dimension {
    /// Its first coordinate.
    pub start: Form,
    /// Coordinates.
    pub extent: i64,
    /// From one coordinate to the next.
    pub bytes: i64,
}

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The pitch of a buffer or memref of elements of `bytes` with these run-time strides and extents; `None` where one of them
    /// may change while the kernel runs.
    pub(super) fn pitch(
        &mut self,
        of: Type<'c>,
        bytes: i64,
        (strides, extents): (&[RunTime<'c, 'a>], &[RunTime<'c, 'a>]),
    ) -> Option<Pitch> {
        let assumed = assumed_strides(strides.len())?.iter().map(|stride| stride.checked_mul(bytes));
        let assumed = assumed.collect::<Option<Vec<_>>>()?;
        let mut terms = Vec::new();
        for number in strides.iter().chain(extents) {
            let term = self.terms.number(number);
            let form = self.of_term(term)?;
            let stays = form.each.len() == 1 && form.shift.loops.is_empty() && !form.shift.unknown;
            terms.push(stays.then_some(term)?);
        }
        Some(Pitch { of: of.to_raw().ptr as usize, numbers: terms, strides: assumed })
    }

    /// The dimensions of a copy's region in its buffer; `None` for one whose start does not count as a whole, or in a buffer whose
    /// elements may share addresses.
    pub(super) fn dimensions(
        &mut self,
        operand: &Operand<'c, 'a>,
        which: Which,
        moves: &[Move],
    ) -> Vec<Option<Dimension>> {
        let Ok(rooted) = root::of(operand, which, |_| true) else { return Vec::new() };
        if !rooted.operand.origin.is_empty() || !is_injective(&rooted.operand.layout) {
            return Vec::new();
        }
        let region = rooted.operand.begin.iter().zip(&rooted.operand.extent);
        let each = region.map(|(begin, &extent)| {
            let Begin::Dynamic { value, .. } = *begin else { return None };
            let mut of_value = moves.iter().filter(|step| step.value == value);
            let step = of_value.next().filter(|step| step.div == 1 && of_value.next().is_none())?;
            let start = self.quotient(rooted.values.get(value)?, 1)?;
            Some(Dimension { start, extent, bytes: step.bytes })
        });
        each.collect()
    }

    /// A shift with what is known of loops that move the region along a single dimension of its buffer.
    pub(super) fn within(&self, shift: Shift, buffer: Value<'c, 'a>, dimensions: &[Option<Dimension>]) -> Shift {
        let along = |number: &usize| {
            let moves = |of: &&Dimension| of.start.shift.loops.contains_key(number);
            let mut found = dimensions.iter().enumerate().filter_map(|(at, of)| Some((at, of.as_ref().filter(moves)?)));
            found.next().filter(|_| found.next().is_none())
        };
        let reaches = shift.loops.iter().filter_map(|(number, periodic)| {
            let (dimension, of) = along(number)?;
            let alone = of.start.shift.loops.len() == 1 && !of.start.shift.unknown;
            let same = of.start.shift.loops.get(number)?.times(of.bytes)? == *periodic;
            let starts: Option<Vec<i64>> = of.start.each.iter().map(|start| start.checked_mul(of.bytes)).collect();
            let starts = starts.filter(|_| alone && same)?;
            let reach = Reach {
                dimension: (key(buffer), dimension),
                fixed: of.start.shift.fixed.clone(),
                start: (*starts.iter().min()?, *starts.iter().max()?),
                width: (of.extent - 1).checked_mul(of.bytes.checked_abs()?)?,
            };
            Some((*number, reach))
        });
        let reach = reaches.collect();
        Shift { reach, ..shift }
    }
}
