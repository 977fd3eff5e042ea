//! Queries on memrefs and scalar types that melior lacks.

use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, AttributeLike, ShapedTypeLike, Type, TypeLike};

use crate::Space;

/// MLIR's mark for an extent, a stride or an offset that is known at run time only.
pub const DYNAMIC: i64 = i64::MIN;

/// The space that a memref's memory space stands for; `None` for spaces of other targets.
pub fn space(memref: MemRefType<'_>) -> Option<Space> {
    let Some(space) = memref.memory_space() else { return Some(Space::Global) };
    match space.to_string().as_str() {
        "" | "<<NULL ATTRIBUTE>>" | "#gpu.address_space<global>" | "0 : i64" | "0 : i32" | "1 : i64" | "1 : i32" => {
            Some(Space::Global)
        }
        "#gpu.address_space<workgroup>" | "3 : i64" | "3 : i32" => Some(Space::Shared),
        "#gpu.address_space<private>" | "5 : i64" | "5 : i32" => Some(Space::Local),
        _ => None,
    }
}

/// The number of the space that an LLVM pointer points into; `None` for another type.
pub fn pointer_space(r#type: Type<'_>) -> Option<u32> {
    let raw = r#type.to_raw();
    // SAFETY: the space is queried for pointers only.
    unsafe { mlir_sys::mlirTypeIsALLVMPointerType(raw).then(|| mlir_sys::mlirLLVMPointerTypeGetAddressSpace(raw)) }
}

/// Extent per dimension; [`DYNAMIC`] where it is not known.
pub fn extents(memref: MemRefType<'_>) -> Vec<i64> {
    // SAFETY: each dimension is below the rank.
    (0..memref.rank()).map(|i| unsafe { mlir_sys::mlirShapedTypeGetDimSize(memref.to_raw(), i as isize) }).collect()
}

/// Strides and offset in elements, [`DYNAMIC`] where not known; `None` for a memref without strides.
pub fn strides_and_offset(memref: MemRefType<'_>) -> Option<(Vec<i64>, i64)> {
    // MLIR derives them from an affine map that it builds anew each time, even for row-major memrefs.
    if let Some(strides) = has_no_layout(memref).then(|| row_major(&extents(memref))).flatten() {
        return Some((strides, 0));
    }
    let mut strides = vec![0; memref.rank()];
    let mut offset = 0;
    // SAFETY: there is room for one stride per dimension.
    let has_strides =
        unsafe { mlir_sys::mlirMemRefTypeGetStridesAndOffset(memref.to_raw(), strides.as_mut_ptr(), &mut offset) };
    (has_strides.value != 0).then_some((strides, offset))
}

/// Whether the type states no layout, which means that its rows are dense.
pub fn has_no_layout(memref: MemRefType<'_>) -> bool {
    // SAFETY: the layout of a memref is never null, and its map is queried only when it is one.
    unsafe {
        let layout = mlir_sys::mlirMemRefTypeGetLayout(memref.to_raw());
        mlir_sys::mlirAttributeIsAAffineMap(layout)
            && mlir_sys::mlirAffineMapIsIdentity(mlir_sys::mlirAffineMapAttrGetValue(layout))
    }
}

/// Row-major strides: each is the product of the extents after it. `None` for extents that are unknown or not positive,
/// for which MLIR has its own rules, and for more than 64 bits.
fn row_major(extents: &[i64]) -> Option<Vec<i64>> {
    let mut strides = vec![1; extents.len()];
    for dimension in (1..extents.len()).rev() {
        let extent = Some(extents[dimension]).filter(|&extent| extent > 0)?;
        strides[dimension - 1] = extent.checked_mul(strides[dimension])?;
    }
    Some(strides)
}

/// A number of a memref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowNumber {
    /// The extent of this dimension.
    Extent(usize),
    /// The stride of this dimension, in elements.
    Stride(usize),
}

/// The numbers of a memref that are multiples where its rows are, as `divisible_by` promises: each stride other than 1, and the
/// extent of each dimension of stride 1; [`DYNAMIC`] where the type does not state one. Dimensions of extent 1 have no part in it.
/// `None` for a memref without a dimension of stride 1.
pub fn row_numbers(memref: MemRefType<'_>) -> Option<Vec<(RowNumber, i64)>> {
    let (strides, _) = strides_and_offset(memref)?;
    let dimensions = strides.into_iter().zip(extents(memref)).enumerate().filter(|(_, (_, extent))| *extent != 1);
    let numbers: Vec<_> = dimensions
        .map(|(dimension, (stride, extent))| match stride {
            1 => (RowNumber::Extent(dimension), extent),
            stride => (RowNumber::Stride(dimension), stride),
        })
        .collect();
    numbers.iter().any(|(number, _)| matches!(number, RowNumber::Extent(_))).then_some(numbers)
}

/// Width of an integer or float type in bits.
pub fn bit_width(scalar: Type<'_>) -> Option<u32> {
    let raw = scalar.to_raw();
    // SAFETY: the width is queried for integers and floats only.
    unsafe {
        if mlir_sys::mlirTypeIsAInteger(raw) {
            Some(mlir_sys::mlirIntegerTypeGetWidth(raw))
        } else if mlir_sys::mlirTypeIsAFloat(raw) {
            Some(mlir_sys::mlirFloatTypeGetWidth(raw))
        } else {
            None
        }
    }
}

/// Whether a type is a float.
pub fn is_float(r#type: Type<'_>) -> bool {
    // SAFETY: the type is alive.
    unsafe { mlir_sys::mlirTypeIsAFloat(r#type.to_raw()) }
}

/// The value of `name` in a dictionary attribute.
pub fn dictionary_entry<'c>(dictionary: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    let raw = dictionary.to_raw();
    // SAFETY: the entry is queried only when the attribute is a dictionary; the result may be null.
    unsafe {
        if !mlir_sys::mlirAttributeIsADictionary(raw) {
            return None;
        }
        Attribute::from_option_raw(mlir_sys::mlirDictionaryAttrGetElementByName(raw, crate::shim::string_ref(name)))
    }
}

#[cfg(test)]
mod tests {
    use melior::Context;

    use super::*;

    #[test]
    fn rows_are_strides_and_the_extents_of_dense_dimensions() {
        let context = Context::new();
        let rows = |text: &str| {
            let r#type = Type::parse(&context, &format!("memref<{text}>")).expect("a memref");
            row_numbers(MemRefType::try_from(r#type).expect("a memref"))
        };
        let (extent, stride) = (RowNumber::Extent, RowNumber::Stride);
        assert_eq!(rows("?x?xf16"), Some(vec![(stride(0), DYNAMIC), (extent(1), DYNAMIC)]));
        assert_eq!(rows("1x?xf16"), Some(vec![(extent(1), DYNAMIC)]));
        assert_eq!(rows("?x64xf16, strided<[?, 1], offset: ?>"), Some(vec![(stride(0), DYNAMIC), (extent(1), 64)]));
        assert_eq!(rows("?x8xf16, strided<[1, 72]>"), Some(vec![(extent(0), DYNAMIC), (stride(1), 72)]));
        assert_eq!(rows("?x?xf16, strided<[?, ?]>"), None);
        assert_eq!(rows("f16"), None);
    }

    #[test]
    fn strides_of_rows_are_those_that_mlir_derives() {
        let context = Context::new();
        for shape in ["", "7x", "0x3x", "4x0x", "?x", "?x5x", "5x?x", "2x?x3x4x", "4611686018427387904x1x2x"] {
            let r#type = Type::parse(&context, &format!("memref<{shape}f32>")).expect("a memref");
            let memref = MemRefType::try_from(r#type).expect("a memref");
            let mut strides = vec![0; memref.rank()];
            let mut offset = 0;
            // SAFETY: there is room for one stride per dimension.
            let found = unsafe {
                mlir_sys::mlirMemRefTypeGetStridesAndOffset(memref.to_raw(), strides.as_mut_ptr(), &mut offset)
            };
            assert_ne!(found.value, 0, "{shape}");
            assert!(has_no_layout(memref), "{shape}");
            assert_eq!(strides_and_offset(memref), Some((strides, offset)), "{shape}");
        }
    }
}
