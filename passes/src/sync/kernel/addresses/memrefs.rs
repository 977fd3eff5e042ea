//! Regions of memrefs: the bytes that each thread touches.

use std::rc::Rc;

use melior::ir::r#type::MemRefType;
use melior::ir::{ShapedTypeLike, Value, ValueLike};
use tile_dialect::memref::{bit_width, extents, strides_and_offset};
use tile_dialect::ops::{Offset, Region};
use tile_isa::Space;
use tile_plan::problem::overlap::is_injective;
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, AddressForm, Footprint, contiguous_runs};

use super::Addresses;
use super::coordinates::Dimension;
use super::elements::layout_of;
use crate::effects::loads::is_shared;
use crate::sync::kernel::access::access;
use crate::sync::kernel::objects::{Object, Pitch};

/// The bytes of a region.
struct RegionBytes {
    /// The first byte.
    form: AddressForm,
    /// The first byte of each run of contiguous ones, and the byte after it, counted from that.
    runs: Vec<(i64, i64)>,
    /// What gives the offsets of a memref with run-time strides.
    pitch: Option<Pitch>,
}

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// All of a region of a memref, by each thread; any bytes of its memory where it is not known which these are.
    pub(super) fn region_of_memref(
        &mut self,
        memory: Value<'c, 'a>,
        region: &Region<'c, 'a>,
        threads: &ThreadSet,
    ) -> Access {
        let (root, _) = self.memory(memory);
        let space = if is_shared(memory) { Space::Shared } else { Space::Global };
        let bytes = self.bytes_of_region(memory, region);
        let pitch = bytes.as_ref().and_then(|bytes| bytes.pitch.clone());
        let object = self.object(Object { root, pitch, selection: None, swizzle: None });
        let place = bytes.map(|RegionBytes { form, runs, .. }| {
            let runs = Footprint::alike(runs, *threads);
            let moved = match form.each[..] {
                [first] => runs.shifted(first),
                _ => runs.moved(|thread| form.of_thread(thread)),
            };
            (Rc::new(moved), form.shift)
        });
        access(object, space, false, place)
    }

    fn bytes_of_region(&mut self, memory: Value<'c, 'a>, region: &Region<'c, 'a>) -> Option<RegionBytes> {
        let memref = MemRefType::try_from(memory.r#type()).ok()?;
        let bytes = bit_width(memref.element()).filter(|bits| bits % 8 == 0).map(|bits| i64::from(bits / 8))?;
        let (mut strides, _) = strides_and_offset(memref)?;
        let layout = layout_of(memref, &strides);
        let pitch = self.pitch_of((memory, memref), (layout.as_ref(), bytes), &mut strides)?;
        let mut form = self.memory(memory).1?;
        let layout = layout.filter(|layout| is_injective(layout) && form.is_of_all());
        let coordinates = layout.map(|layout| self.objects.coordinates(memory, &layout, &extents(memref)));
        let mut dimensions = Vec::new();
        for ((offset, &extent), &stride) in region.offsets.iter().zip(&region.sizes).zip(&strides) {
            let bytes = stride.checked_mul(bytes)?;
            let start = match *offset {
                Offset::Constant(offset) => AddressForm::constant(offset),
                Offset::Value(offset) => self.values.of_value(offset)?,
            };
            form = form.plus(&start.times(bytes)?)?;
            dimensions.push(Some(Dimension { start, extent, bytes }));
        }
        let runs =
            contiguous_runs(dimensions.iter().flatten().map(|dimension| (dimension.bytes, dimension.extent)), bytes)?;
        let shift = self.placed(form.shift, (coordinates, &dimensions), pitch.as_ref());
        Some(RegionBytes { form: AddressForm { each: form.each, shift }, runs, pitch })
    }
}
