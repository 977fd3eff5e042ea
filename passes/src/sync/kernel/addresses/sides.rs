//! The sides of tile copies, by the bytes that their plans touch.

use std::rc::Rc;

use melior::ir::{Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op, uses};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::{CopyOp, Operand};
use tile_dialect::{BufferType, Space};
use tile_layout::Swizzle;
use tile_ops::tile;
use tile_plan::problem::role::Role;
use tile_plan::sync::{Access, AddressForm, Bytes, End, Footprint, Move, Shift, swizzle_in_bytes};

use super::Addresses;
use crate::read::run_time::RunTime;
use crate::read::values::is_view;
use crate::read::{alias, name, problem, root, run_time};
use crate::sync::kernel::access::{PlacedFootprint, access};
use crate::sync::kernel::objects::{Object, Pitch};

/// One side of a copy: where its buffer starts, and what moves its region.
struct MovedSide<'o, 'c, 'a> {
    role: Role,
    operand: &'o Operand<'c, 'a>,
    /// The first byte of the buffer.
    first: AddressForm,
    /// The run-time values that moves number.
    values: Vec<RunTime<'c, 'a>>,
    /// The value that selects the region, by its number, and what stands for it.
    selected: Option<(usize, AddressForm)>,
    pitch: Option<Pitch>,
}

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// The access of a copy to one of its sides.
    pub fn side(&mut self, (role, operand): (Role, &Operand<'c, 'a>), bytes: Bytes) -> Access {
        let space = operand.buffer.space();
        let write = role == Role::Dst;
        let values = problem::values(operand, role).ok();
        let root = values.as_ref().map(|(root, _)| *root);
        let address = root.and_then(defining_op).filter(|op| name(*op) == tile::TmemOp::NAME);
        let (root, first) = match address.and_then(|op| op.operand_at(0)) {
            Some(address) => self.tensor(address),
            None => {
                root.and_then(|root| self.memory_of_buffer(root)).unwrap_or_else(|| (alias::root(operand.value), None))
            }
        };
        let strides = bytes.strides.iter().map(|&stride| values.as_ref()?.1.get(stride).cloned());
        let strides: Option<Vec<_>> = strides.collect();
        // Accesses through stated strides are at other offsets than those through the assumed ones of the same buffer.
        let is_stated = root::states_strides(operand.value);
        let strides = strides.filter(|strides| !strides.is_empty() && !is_stated);
        let pitch = strides.zip(values.as_ref()).and_then(|(strides, (buffer, _))| {
            let extents: Vec<_> = run_time::extents(*buffer).into_iter().map(|(_, extent)| extent).collect();
            let element = i64::from(bit_width(operand.buffer.element())?.div_ceil(8));
            let buffer_type = BufferType::from_type(buffer.r#type())?;
            self.pitch((buffer.r#type(), element), (&buffer_type.layout(), buffer_type.shape()), (&strides, &extents))
        });
        let is_static = is_stated && operand.buffer.layout().stride_count() == 0;
        let comparable = bytes.strides.is_empty() || is_static || pitch.is_some();
        let swizzle = values.as_ref().and_then(|(root, _)| compared_before(*root));
        let before = bytes.unswizzled.as_ref().filter(|_| swizzle.is_some());
        let moves = before.map_or(bytes.moves.as_ref(), |before| Some(&before.moves));
        let is_of_all = first.as_ref().is_some_and(AddressForm::is_of_all);
        let (selected, selection) =
            match moves.filter(|_| is_of_all).and_then(|moves| self.selected(operand, role, moves)) {
                Some((value, stand_in, selection)) => (Some((value, stand_in)), Some(selection)),
                None => (None, None),
            };
        let object = self.object(Object { root, pitch: pitch.clone(), selection, swizzle });
        let footprint = bytes.footprint.as_ref().map(|footprint| match swizzle {
            Some(swizzle) => Rc::new(footprint.swizzled(swizzle)),
            None => footprint.clone(),
        });
        let place = first.zip(values).filter(|_| comparable).and_then(|(first, (_, values))| {
            let side = MovedSide { role, operand, first, values, selected, pitch };
            let before = before.and_then(|before| self.moved(&side, &before.footprint, &before.moves));
            before.or_else(|| self.moved(&side, footprint.as_ref()?, bytes.moves.as_ref()?))
        });
        // The threads that touch the object are known even where the bytes are not.
        let somewhere = || Some((footprint.clone()?, Shift::unknown()));
        let collective = bytes.collective;
        Access { collective, ..access(object, space, write, place.or_else(somewhere)) }
    }

    /// The bytes of a side, where run-time values move those that it touches without them; `None` where too little is known of
    /// these values.
    fn moved(
        &mut self,
        side: &MovedSide<'_, 'c, 'a>,
        footprint: &Rc<Footprint>,
        moves: &[Move],
    ) -> Option<PlacedFootprint> {
        let region = side.first.is_of_all().then(|| self.region_of(side.operand, side.role, moves)).flatten();
        let (mut form, mut most) = (side.first.clone(), Some(side.first.clone()));
        for step in moves {
            let value = side.values.get(step.value)?;
            let steps = match &side.selected {
                Some((number, stand_in)) if *number == step.value => stand_in.clone(),
                _ => self.values.quotient(value, step.div)?,
            };
            let moved = steps.times(step.bytes)?;
            let bound = self.values.most(value).filter(|_| step.div == 1 && step.bytes > 0);
            let furthest = bound.and_then(|bound| bound.times(step.bytes));
            most = most.and_then(|most| most.plus(furthest.as_ref().unwrap_or(&moved)));
            form = form.plus(&moved)?;
        }
        let end = most.filter(|most| most.shift != form.shift).and_then(|most| end(&most, footprint));
        let bytes = match form.each[..] {
            [0] => footprint.clone(),
            [by] => Rc::new(footprint.shifted(by)),
            _ => Rc::new(footprint.moved(|thread| form.of_thread(thread))),
        };
        let (coordinates, dimensions) = region.unzip();
        let dimensions = dimensions.unwrap_or_default();
        let shift = self.placed(form.shift, (coordinates, &dimensions), side.pitch.as_ref());
        Some((bytes, Shift { end, ..shift }))
    }
}

/// The swizzle, in bytes, of a tile all accesses of which are compared by their bytes before it: an allocation that only copies and
/// fills access, by their plans. A swizzle is a permutation, so accesses that have no byte in common before it have none in memory.
fn compared_before(root: Value<'_, '_>) -> Option<Swizzle> {
    let buffer = BufferType::from_type(root.r#type()).filter(|buffer| buffer.space() == Space::Shared)?;
    let swizzle = buffer.layout().swizzle.filter(|swizzle| swizzle.len > 0)?;
    let bits = bit_width(buffer.element()).filter(|bits| bits % 8 == 0)?;
    defining_op(root).filter(|op| name(*op) == tile::AllocOp::NAME)?;
    let mut tiles = vec![root];
    while let Some(tile) = tiles.pop() {
        for (op, _) in uses(tile) {
            match CopyOp::is_name(name(op)) {
                true => {}
                false if is_view(op) => tiles.push(op.result_at(0)?.into()),
                false => return None,
            }
        }
    }
    swizzle_in_bytes(swizzle, i64::from(bits / 8))
}

/// Where an access ends at the latest that moves by at most a number; `None` where that number varies with iterations.
fn end(most: &AddressForm, footprint: &Footprint) -> Option<End> {
    let Shift { fixed, loops, unknown, .. } = &most.shift;
    if !loops.is_empty() || *unknown || fixed.is_empty() {
        return None;
    }
    let byte = footprint.bounds()?.1.checked_add(*most.each.iter().max()?)?;
    Some(End { fixed: fixed.clone(), byte })
}
