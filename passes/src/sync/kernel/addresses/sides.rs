//! The sides of tile copies, by the bytes that their plans touch.

use std::rc::Rc;

use melior::ir::ValueLike;
use tile_dialect::BufferType;
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::Operand;
use tile_ops::tile;
use tile_plan::problem::role::Role;
use tile_plan::sync::{Access, AddressForm, Bytes, End, Footprint, Shift};

use super::Addresses;
use super::coordinates::within;
use crate::read::{alias, name, problem, run_time};
use crate::sync::kernel::access::access;
use crate::sync::kernel::objects::Object;

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// The access of a copy to one of its sides.
    pub fn side(&mut self, (role, operand): (Role, &Operand<'c, 'a>), atomic: bool, bytes: Bytes) -> Access {
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
        let pitch = strides.filter(|it| !it.is_empty()).zip(values.as_ref()).and_then(|(strides, (buffer, _))| {
            let extents: Vec<_> = run_time::extents(*buffer).into_iter().map(|(_, extent)| extent).collect();
            let element = i64::from(bit_width(operand.buffer.element())?.div_ceil(8));
            let of = BufferType::from_type(buffer.r#type())?;
            self.pitch((buffer.r#type(), element), (&of.layout(), of.shape()), (&strides, &extents))
        });
        let comparable = bytes.strides.is_empty() || pitch.is_some();
        let (selected, selection) = match bytes.moves.as_ref().and_then(|moves| self.selected(operand, role, moves)) {
            Some((value, stand_in, selection)) => (Some((value, stand_in)), Some(selection)),
            None => (None, None),
        };
        let object = self.object(Object { root, pitch: pitch.clone(), selection });
        let place = first.zip(bytes.moves.filter(|_| comparable)).zip(bytes.footprint.as_ref()).zip(values);
        let found = place.and_then(|(((first, moves), footprint), (_, values))| {
            let region = self.region_of(operand, role, &moves);
            let (mut form, mut most) = (first.clone(), Some(first));
            for step in moves {
                let value = values.get(step.value)?;
                let steps = match &selected {
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
            let shift = match region {
                Some((coordinates, dimensions)) => within(form.shift, coordinates, &dimensions),
                None => form.shift,
            };
            let shift = match &pitch {
                Some(pitch) => self.through(pitch, shift),
                None => shift,
            };
            Some((bytes, Shift { end, ..shift }))
        });
        // The threads that touch the object are known even where the bytes are not.
        let somewhere = || Some((bytes.footprint.clone()?, Shift::unknown()));
        let collective = bytes.collective;
        Access { collective, atomic, ..access(object, space, write, found.or_else(somewhere)) }
    }
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
