//! Memory as pointers and memrefs: addresses as LLVM pointers, and the source of a `tile.view` as a one-dimensional
//! memref.

use crate::emit::error::EmitError;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, ShapedTypeLike, Type, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::Parts;
use tile_dialect::memref::{DYNAMIC, bit_width, strides_and_offset};
use tile_ops::llvm_type::{self, Space, pointer_to};
use tile_ops::{Builder, arith, builtin, constant, llvm, memref};

/// The address of a memref's first element in bytes, as an index.
///
/// A memref's aligned pointer is that of the memory that contains it: the offset of its type is added.
pub fn base_address<'c: 'a, 'a>(builder: Builder<'c, 'a>, memref: Value<'c, 'a>) -> Value<'c, 'a> {
    let base = memref::extract_aligned_pointer_as_index(builder, memref).value();
    let Ok(r#type) = MemRefType::try_from(memref.r#type()) else { return base };
    let offset = match strides_and_offset(r#type) {
        None | Some((_, 0)) => return base,
        Some((_, DYNAMIC)) => run_time_offset(builder, memref),
        Some((_, offset)) => constant::index(builder, offset),
    };
    let size = i64::from(bit_width(r#type.element()).unwrap_or(8).div_ceil(8));
    let bytes = arith::muli(builder, offset, constant::index(builder, size)).value();
    arith::addi(builder, base, bytes).value()
}

/// An index as a 64-bit integer.
pub fn as_i64<'c: 'a, 'a>(builder: Builder<'c, 'a>, index: Value<'c, 'a>) -> Value<'c, 'a> {
    arith::index_castui(builder, index, builder.context.integer(64)).value()
}

/// A pointer to the mbarrier that an op names: the pointer itself, or the first element of a memref.
pub fn pointer_to_barrier<'c: 'a, 'a>(builder: Builder<'c, 'a>, barrier: Value<'c, 'a>) -> Value<'c, 'a> {
    if MemRefType::try_from(barrier.r#type()).is_err() {
        return barrier;
    }
    pointer_to(builder, as_i64(builder, base_address(builder, barrier)), Space::Shared)
}

/// The source of a `tile.view`: a memref or a pointer.
pub(super) struct Viewed<'c, 'a> {
    source: Value<'c, 'a>,
    /// The memref's type, and the offset of its first element in elements, or [`DYNAMIC`]; `None` for a pointer.
    memref: Option<(MemRefType<'c>, i64)>,
}

impl<'c: 'a, 'a> Viewed<'c, 'a> {
    pub fn by(op: OperationRef<'c, 'a>) -> Result<Self, EmitError> {
        let source = op.operand_at(0).ok_or(EmitError::Operands)?;
        let Ok(memref) = MemRefType::try_from(source.r#type()) else { return Ok(Viewed { source, memref: None }) };
        let (_, offset) = strides_and_offset(memref).ok_or(EmitError::NoStrides)?;
        Ok(Viewed { source, memref: Some((memref, offset)) })
    }

    /// The source as a one-dimensional memref that starts at its first element.
    pub fn flat(&self, builder: Builder<'c, 'a>, r#type: BufferType<'c>) -> Value<'c, 'a> {
        let layout = r#type.layout();
        // The position of the last element may be known only at run time. It does not matter: the layout computes the
        // addresses.
        let elements = if layout.is_open() || layout.stride_count() > 0 { DYNAMIC } else { layout.memory_span() };
        match self.memref {
            Some((memref, offset)) => self.of_memref(builder, r#type, memref, offset, elements),
            None => self.of_pointer(builder, r#type),
        }
    }

    fn of_memref(
        &self,
        builder: Builder<'c, 'a>,
        r#type: BufferType<'c>,
        memref: MemRefType<'c>,
        offset: i64,
        elements: i64,
    ) -> Value<'c, 'a> {
        let strided = (offset != 0).then(|| constant::strided(builder.context, offset, &[1]));
        let flat = MemRefType::new(r#type.element(), &[elements], strided, memref.memory_space());
        let from = (offset == DYNAMIC).then(|| run_time_offset(builder, self.source));
        let length = (elements == DYNAMIC).then(|| constant::index(builder, UNBOUNDED));
        let (offsets, sizes, flat) = ([offset], [elements], flat.into());
        let (from, length) = (from.as_slice(), length.as_slice());
        memref::reinterpret_cast(builder, self.source, from, length, &[], &offsets, &sizes, &[1], flat).value()
    }

    /// A memref descriptor that starts at the pointer.
    fn of_pointer(&self, builder: Builder<'c, 'a>, r#type: BufferType<'c>) -> Value<'c, 'a> {
        let space = llvm_type::Space::of(self.source.r#type()).filter(|space| *space != llvm_type::Space::Generic);
        let space = space.map(|space| builder.context.integer_attribute(64, space as i64));
        let flat = MemRefType::new(r#type.element(), &[DYNAMIC], None, space);
        let fields = llvm_type::descriptor(builder.context, self.source.r#type());
        let number = |value| constant::integer(builder, 64, value);
        let (zero, length, one) = (number(0), number(UNBOUNDED), number(1));
        let empty = llvm::mlir_poison(builder, fields).value();
        let filled: [(&[i64], Value<'c, 'a>); 5] =
            [(&[0], self.source), (&[1], self.source), (&[2], zero), (&[3, 0], length), (&[4, 0], one)];
        let descriptor = filled
            .into_iter()
            .fold(empty, |descriptor, (at, value)| llvm::insertvalue(builder, descriptor, value, at).value());
        let flat: Type<'c> = flat.into();
        let cast = builtin::unrealized_conversion_cast(builder, &[descriptor], &[flat]).build().operation();
        cast.result_at(0).expect("a cast has the results that it was given").into()
    }
}

/// The run-time offset of a memref, in elements.
fn run_time_offset<'c: 'a, 'a>(builder: Builder<'c, 'a>, source: Value<'c, 'a>) -> Value<'c, 'a> {
    memref::extract_strided_metadata(builder, source).build().offset()
}

/// The number of elements of memory whose end is known only at run time.
const UNBOUNDED: i64 = i64::MAX;
