//! Loads and stores of memrefs: the bytes that each thread touches.

use melior::ir::attribute::{ArrayAttribute, BoolAttribute};
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, OperationRef, ShapedTypeLike, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::memref::{DYNAMIC, bit_width, extents, strides_and_offset};
use tile_layout::{Axis, Iter, Layout, OPEN};
use tile_ops::{memref, vector};
use tile_plan::bounds::Term;
use tile_plan::problem::overlap::is_injective;
use tile_plan::sync::{AddressForm, assumed_strides};

use super::Addresses;
use super::coordinates::Dimension;
use crate::read::run_time::RunTime;
use crate::read::{affine_map, name};
use crate::sync::kernel::objects::{Pitch, Selection};
use crate::sync::kernel::values::Distinct;

/// The bytes of a load or a store.
pub struct ElementAccess {
    /// The first byte.
    pub form: AddressForm,
    /// The number of bytes.
    pub bytes: i64,
    /// What gives the offsets of a memref with run-time strides.
    pub pitch: Option<Pitch>,
    /// What selects it, where its place is not known.
    pub selection: Option<Selection>,
}

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// The bytes of a load or a store of a memref, which is operand `at` with the indices behind it.
    pub fn element(&mut self, op: OperationRef<'c, 'a>, memory: Value<'c, 'a>, at: usize) -> Option<ElementAccess> {
        let simple = [
            memref::LoadOp::NAME,
            memref::StoreOp::NAME,
            memref::AtomicRMWOp::NAME,
            memref::GenericAtomicRMWOp::NAME,
            vector::LoadOp::NAME,
            vector::StoreOp::NAME,
        ];
        let is_followed = simple.contains(&name(op)) || is_contiguous_transfer(op);
        let memref = MemRefType::try_from(memory.r#type()).ok().filter(|_| is_followed)?;
        let moved = if at == 0 { op.result_at(0)?.r#type() } else { op.operand_at(0)?.r#type() };
        let bytes = i64::from(bit_width(memref.element())?.div_ceil(8));
        let count = match crate::math::shape(moved).ok()?.as_deref() {
            None | Some([]) => 1,
            Some(&[count]) => count,
            Some(_) => return None,
        };
        let (mut strides, _) = strides_and_offset(memref)?;
        let layout = layout_of(memref, &strides);
        let pitch = self.pitch_of((memory, memref), (layout.as_ref(), bytes), &mut strides)?;
        let contiguous = strides.last().is_none_or(|&last| last == 1 || count == 1);
        let mut form = self.memory(memory).1?;
        let layout = layout.filter(|layout| is_injective(layout) && form.is_of_all());
        let coordinates = layout.map(|layout| self.objects.coordinates(memory, &layout, &extents(memref)));
        let (mut dimensions, mut selection) = (Vec::new(), None);
        let indices = self.indices(op, at)?;
        if let Some(sum) = self.counted_by_one(&indices, &strides, bytes).filter(|_| pitch.is_none() && contiguous) {
            let (form, bytes) = (form.plus(&sum)?, bytes.checked_mul(count)?);
            return Some(ElementAccess { form, bytes, pitch, selection });
        }
        for (dimension, (index, stride)) in indices.into_iter().zip(&strides).enumerate() {
            let bytes = stride.checked_mul(bytes)?;
            let extent = if dimension + 1 == strides.len() { count } else { 1 };
            match self.values.of_term(index) {
                Some(start) => {
                    form = form.plus(&start.times(bytes)?)?;
                    dimensions.push(Some(Dimension { start, extent, bytes }));
                }
                None => {
                    let Distinct { op, width, stand_in } =
                        self.values.distinct(index, extent).filter(|_| selection.is_none())?;
                    selection = Some(Selection { op, coordinates: coordinates?, dimension, width });
                    form = form.plus(&stand_in.times(bytes)?)?;
                    dimensions.push(None);
                }
            }
        }
        let shift = self.placed(form.shift, (coordinates, &dimensions), pitch.as_ref());
        let form = AddressForm { each: form.each, shift };
        contiguous.then_some(ElementAccess { form, bytes: bytes.checked_mul(count)?, pitch, selection })
    }

    /// The bytes from the first element on, where the indices are not followed one by one, but their sum is: `S[k / 66][k mod 66]`
    /// is element `k`.
    fn counted_by_one(&mut self, indices: &[Term], strides: &[i64], bytes: i64) -> Option<AddressForm> {
        if indices.iter().all(|&index| self.values.of_term(index).is_some()) {
            return None;
        }
        let factors = strides.iter().map(|stride| stride.checked_mul(bytes)).collect::<Option<Vec<_>>>()?;
        self.values.of_sum(&indices.iter().copied().zip(factors).collect::<Vec<_>>())
    }

    /// The indices of a load or a store.
    fn indices(&mut self, op: OperationRef<'c, 'a>, at: usize) -> Option<Vec<Term>> {
        let values: Vec<Value<'c, 'a>> = match name(op) {
            // A padding value and a mask follow the indices.
            vector::TransferReadOp::NAME => vector::TransferReadOp::cast(op)?.indices().collect(),
            vector::TransferWriteOp::NAME => vector::TransferWriteOp::cast(op)?.indices().collect(),
            _ => op.operands().skip(at + 1).collect(),
        };
        Some(values.into_iter().map(|index| self.values.term(index)).collect())
    }

    /// Replaces run-time strides by assumed ones, and returns their pitch. `Some(None)`: all strides are constants. `None`: the
    /// strides may change, or there are too many.
    pub(super) fn pitch_of(
        &mut self,
        (memory, memref): (Value<'c, 'a>, MemRefType<'c>),
        (layout, bytes): (Option<&Layout>, i64),
        strides: &mut [i64],
    ) -> Option<Option<Pitch>> {
        let unknown: Vec<usize> = (0..strides.len()).filter(|&at| strides[at] == DYNAMIC).collect();
        if unknown.is_empty() {
            return Some(None);
        }
        for (&at, &assumed) in unknown.iter().zip(assumed_strides(unknown.len())?) {
            strides[at] = assumed;
        }
        let numbers: Vec<_> = unknown.iter().map(|&at| RunTime::Stride(memory, at)).collect();
        let shape: Vec<i64> = extents(memref).into_iter().map(|dim| if dim == DYNAMIC { OPEN } else { dim }).collect();
        let open = (0..shape.len()).filter(|&at| shape[at] == OPEN).map(|at| RunTime::Extent(memory, at));
        let open: Vec<_> = open.collect();
        Some(Some(self.pitch((memory.r#type(), bytes), (layout?, &shape), (&numbers, &open))?))
    }
}

/// Whether an op transfers neighbours along the last dimension of a memref, and none beyond its end. A mask may leave some out.
fn is_contiguous_transfer(op: OperationRef<'_, '_>) -> bool {
    let of_read = vector::TransferReadOp::cast(op).map(|read| (read.permutation_map(), read.in_bounds()));
    let of_write = || vector::TransferWriteOp::cast(op).map(|write| (write.permutation_map(), write.in_bounds()));
    let Some((Some(map), Some(in_bounds))) = of_read.or_else(of_write) else { return false };
    let is_true = |attribute: Attribute<'_>| BoolAttribute::try_from(attribute).is_ok_and(|bit| bit.value());
    let stays_inside = |bounds: ArrayAttribute<'_>| (0..bounds.len()).all(|at| bounds.element(at).is_ok_and(is_true));
    affine_map::is_minor_identity(map) && ArrayAttribute::try_from(in_bounds).is_ok_and(stays_inside)
}

/// The layout of a memref; unknown strides are axes of it. `None` where there are more than a layout has.
pub(super) fn layout_of(memref: MemRefType<'_>, strides: &[i64]) -> Option<Layout> {
    let mut unknown = Axis::STRIDES.into_iter();
    let iters = extents(memref).into_iter().zip(strides).map(|(extent, &stride)| {
        let extent = if extent == DYNAMIC { OPEN } else { extent };
        match stride {
            DYNAMIC => unknown.next().map(|axis| Iter { extent, stride: 1, axis }),
            _ => Some(Iter::memory(extent, stride)),
        }
    });
    iters.collect::<Option<Vec<_>>>().map(Layout::new)
}
