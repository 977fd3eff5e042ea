//! What melior does not say of memrefs and scalar types.

use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, AttributeLike, ShapedTypeLike, Type, TypeLike};

use crate::Space;

/// MLIR's mark for an extent, a stride or an offset that is known at run time only.
pub const DYNAMIC: i64 = i64::MIN;

/// Which space a memref's memory space stands for; `None` for spaces of other targets.
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

/// Extent per dimension; [`DYNAMIC`] where it is not known.
pub fn extents(memref: MemRefType<'_>) -> Vec<i64> {
    // SAFETY: each dimension is below the rank.
    (0..memref.rank()).map(|i| unsafe { mlir_sys::mlirShapedTypeGetDimSize(memref.to_raw(), i as isize) }).collect()
}

/// Strides and offset in elements, [`DYNAMIC`] where not known; `None` for a memref without strides.
pub fn strides_and_offset(memref: MemRefType<'_>) -> Option<(Vec<i64>, i64)> {
    let mut strides = vec![0; memref.rank()];
    let mut offset = 0;
    // SAFETY: there is room for one stride per dimension.
    let found =
        unsafe { mlir_sys::mlirMemRefTypeGetStridesAndOffset(memref.to_raw(), strides.as_mut_ptr(), &mut offset) };
    (found.value != 0).then_some((strides, offset))
}

/// Width of an integer or float type in bits.
pub fn bit_width(scalar: Type<'_>) -> Option<u32> {
    let raw = scalar.to_raw();
    // SAFETY: the width is asked of integers and floats only.
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

/// The value of `name` in a dictionary attribute.
pub fn dictionary_entry<'c>(dictionary: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    let raw = dictionary.to_raw();
    // SAFETY: the attribute is asked for an entry only when it is a dictionary; the result may be null.
    unsafe {
        if !mlir_sys::mlirAttributeIsADictionary(raw) {
            return None;
        }
        Attribute::from_option_raw(mlir_sys::mlirDictionaryAttrGetElementByName(raw, crate::shim::string_ref(name)))
    }
}
