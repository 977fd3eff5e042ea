//! What a kernel takes for a memref: a pointer, and behind it what the memref's type leaves to the run.

use melior::ir::r#type::MemRefType;
use tile_dialect::memref::{DYNAMIC, extents, has_no_layout, strides_and_offset};

/// A number of a memref: what its type says, or a `?`, [`DYNAMIC`].
///
/// ```
/// use tile_passes::{MemrefNumber, Options, compile, embed};
///
/// let context = embed::context();
/// let mut module = embed::parse(&context, r#"gpu.module @kernels {
///   gpu.func @take(%A: memref<?x8xf32, strided<[?, 1], offset: ?>>) kernel { gpu.return }
/// }"#)?;
/// let ptx = compile(&mut module, &Options::new())?;
/// let numbers: Vec<_> = ptx.kernels[0].arguments.iter().filter_map(|argument| argument.number).collect();
/// assert_eq!(numbers, [MemrefNumber::Offset, MemrefNumber::Extent(0), MemrefNumber::Stride(0)]);
/// # Ok::<(), tile_passes::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// Of the first element from where the memory begins, in elements.
    Offset,
    /// In a dimension.
    Extent(usize),
    /// In a dimension, in elements.
    Stride(usize),
}

/// The numbers that a memref's type leaves to the run, in the order in which a kernel takes them behind the pointer.
///
/// # Errors
/// A memref without strides.
pub(crate) fn open_numbers(index: usize, memref: MemRefType<'_>) -> Result<Vec<Number>, String> {
    let (strides, offset) = strides_and_offset(memref).ok_or_else(|| {
        format!("has argument {index} of type {memref}, expected strides: a kernel takes a pointer and numbers")
    })?;
    let dimensions = |list: Vec<i64>| list.into_iter().enumerate().filter(|&(_, number)| number == DYNAMIC);
    let extents = dimensions(extents(memref)).map(|(dimension, _)| Number::Extent(dimension));
    // Strides of dense rows follow from the extents.
    let strides = if has_no_layout(memref) { Vec::new() } else { strides };
    let strides = dimensions(strides).map(|(dimension, _)| Number::Stride(dimension));
    Ok((offset == DYNAMIC).then_some(Number::Offset).into_iter().chain(extents).chain(strides).collect())
}
