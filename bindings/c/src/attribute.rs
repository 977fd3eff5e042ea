//! Axes and the layout attribute.

use melior::ir::{Attribute, AttributeLike, Location};
use mlir_sys::{MlirAttribute, MlirContext, MlirStringRef};
use tile_dialect::{FragmentAttr, LayoutAttr};
use tile_layout::{Axis, Iter, Layout, Swizzle};
use tile_passes::embed;

use crate::arguments::{
    ErrorHandler, context, fragment_attr, layout_attr, list, quietly, string_ref, text, with_dialect,
};

/// The result of functions that have no attribute to return.
pub const NO_ATTRIBUTE: MlirAttribute = MlirAttribute { ptr: std::ptr::null() };

/// `MlirTileIter`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawIter {
    extent: i64,
    stride: i64,
    axis: i64,
}

/// `MlirTileSwizzle`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawSwizzle {
    per_element: u32,
    length: u32,
    distance: u32,
    inner: bool,
}

/// The axis of that name.
///
/// # Safety
/// The string is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileAxisFromName(name: MlirStringRef) -> i64 {
    quietly(-1, || {
        // SAFETY: by the function's own contract.
        let name = unsafe { text("name", name) };
        name.ok().and_then(|name| name.parse::<Axis>().ok()).map_or(-1, Axis::code)
    })
}

/// The name of an axis.
#[unsafe(no_mangle)]
pub extern "C" fn mlirTileAxisGetName(axis: i64) -> MlirStringRef {
    string_ref(Axis::from_code(axis).map_or("", Axis::name))
}

/// Whether the attribute is a layout.
///
/// # Safety
/// The attribute is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirAttributeIsATileLayout(attribute: MlirAttribute) -> bool {
    // SAFETY: by the function's own contract.
    quietly(false, || unsafe { layout_attr(attribute) }.is_some())
}

/// A layout from its parts.
///
/// # Safety
/// The context is null or alive, the lists are null or valid, the swizzle is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutAttrGet(
    raw: MlirContext,
    shard_size: isize,
    shard: *const RawIter,
    replica_size: isize,
    replica: *const RawIter,
    swizzle: *const RawSwizzle,
    on_error: ErrorHandler,
) -> MlirAttribute {
    on_error.run(NO_ATTRIBUTE, || {
        // SAFETY: by the function's own contract.
        let (shard, replica, swizzle) =
            unsafe { (list("iters", shard, shard_size)?, list("iters", replica, replica_size)?, swizzle.as_ref()) };
        let mut layout = Layout::new(iters(shard)?).with_replica(iters(replica)?);
        if let Some(raw) = swizzle {
            let swizzle = Swizzle::new(raw.per_element, raw.length, raw.distance, raw.inner);
            layout = layout.with_swizzle(swizzle.map_err(|error| error.to_string())?);
        }
        // SAFETY: as above.
        unsafe { attribute(raw, &layout) }
    })
}

/// The dense row-major layout of a shape.
///
/// # Safety
/// The context is null or alive, the list is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutAttrGetRowMajor(
    raw: MlirContext,
    rank: isize,
    shape: *const i64,
    on_error: ErrorHandler,
) -> MlirAttribute {
    on_error.run(NO_ATTRIBUTE, || {
        // SAFETY: by the function's own contract.
        let shape = unsafe { list("extents", shape, rank)? };
        let layout = Layout::open_row_major(shape).map_err(|error| error.to_string())?;
        // SAFETY: as above.
        unsafe { attribute(raw, &layout) }
    })
}

/// # Safety
/// The context is null or alive.
unsafe fn attribute(raw: MlirContext, layout: &Layout) -> Result<MlirAttribute, String> {
    // SAFETY: by the function's own contract.
    unsafe { built(raw, |location| Some(LayoutAttr::new(location, layout)?.as_attribute())) }
}

/// The attribute that `build` makes, or the first error that it reports.
///
/// # Safety
/// The context is null or alive.
unsafe fn built(
    raw: MlirContext,
    build: impl for<'c> FnOnce(Location<'c>) -> Option<Attribute<'c>>,
) -> Result<MlirAttribute, String> {
    // SAFETY: by the function's own contract.
    let owner = unsafe { context(raw)? };
    // SAFETY: as above; the reference is into `owner`, which outlives the call.
    let context = unsafe { owner.to_ref() };
    with_dialect(context)?;
    let (attribute, diagnostics) = embed::hearing(context, || build(Location::unknown(context)));
    attribute.map(|attribute| attribute.to_raw()).ok_or_else(|| embed::first_error(&diagnostics))
}

/// Whether the attribute is a fragment.
///
/// # Safety
/// The attribute is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirAttributeIsATileFragment(attribute: MlirAttribute) -> bool {
    // SAFETY: by the function's own contract.
    quietly(false, || unsafe { fragment_attr(attribute) }.is_some())
}

/// The layout of an operand of a matrix instruction, by name.
///
/// # Safety
/// The context is null or alive, the string is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileFragmentAttrGet(
    raw: MlirContext,
    name: MlirStringRef,
    on_error: ErrorHandler,
) -> MlirAttribute {
    on_error.run(NO_ATTRIBUTE, || {
        // SAFETY: by the function's own contract.
        unsafe {
            let name = text("name", name)?;
            built(raw, |location| Some(FragmentAttr::new(location, name)?.as_attribute()))
        }
    })
}

fn iters(raw: &[RawIter]) -> Result<Vec<Iter>, String> {
    let axis =
        |code| Axis::from_code(code).ok_or_else(|| format!("got axis {code}, expected one of mlirTileAxisFromName"));
    raw.iter().map(|iter| Ok(Iter::new(iter.extent, iter.stride, axis(iter.axis)?))).collect()
}

/// The number of iters.
///
/// # Safety
/// The attribute is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutAttrGetShardSize(layout: MlirAttribute) -> isize {
    // SAFETY: by the function's own contract.
    unsafe { with_layout(layout, |layout| layout.shard.len() as isize) }.unwrap_or(-1)
}

/// The number of iters along which elements are repeated.
///
/// # Safety
/// The attribute is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutAttrGetReplicaSize(layout: MlirAttribute) -> isize {
    // SAFETY: by the function's own contract.
    unsafe { with_layout(layout, |layout| layout.replica.len() as isize) }.unwrap_or(-1)
}

/// One of the iters.
///
/// # Safety
/// The attribute is null or alive, the iter is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutAttrGetShard(layout: MlirAttribute, index: isize, iter: *mut RawIter) -> bool {
    // SAFETY: by the function's own contract.
    unsafe { put(iter, with_layout(layout, |layout| nth(&layout.shard, index)).flatten()) }
}

/// One of the iters along which elements are repeated.
///
/// # Safety
/// The attribute is null or alive, the iter is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutAttrGetReplica(layout: MlirAttribute, index: isize, iter: *mut RawIter) -> bool {
    // SAFETY: by the function's own contract.
    unsafe { put(iter, with_layout(layout, |layout| nth(&layout.replica, index)).flatten()) }
}

/// The offset on an axis.
///
/// # Safety
/// The attribute is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutAttrGetOffset(layout: MlirAttribute, axis: i64) -> i64 {
    // SAFETY: by the function's own contract.
    let offset = unsafe { with_layout(layout, |layout| Axis::from_code(axis).map(|axis| layout.offset_on(axis))) };
    offset.flatten().unwrap_or(0)
}

/// The swizzle.
///
/// # Safety
/// The attribute is null or alive, the swizzle is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutAttrGetSwizzle(layout: MlirAttribute, swizzle: *mut RawSwizzle) -> bool {
    let parts = |swizzle: Swizzle| RawSwizzle {
        per_element: swizzle.per_element,
        length: swizzle.len,
        distance: swizzle.atom_len,
        inner: swizzle.inner,
    };
    // SAFETY: by the function's own contract.
    unsafe { put(swizzle, with_layout(layout, |layout| layout.swizzle.map(parts)).flatten()) }
}

/// # Safety
/// The attribute is null or alive.
unsafe fn with_layout<R>(raw: MlirAttribute, read: impl FnOnce(Layout) -> R) -> Option<R> {
    // SAFETY: by the function's own contract.
    quietly(None, || unsafe { layout_attr(raw) }.map(|layout| read(layout.layout())))
}

fn nth(iters: &[Iter], index: isize) -> Option<RawIter> {
    let iter = iters.get(usize::try_from(index).ok()?)?;
    Some(RawIter { extent: iter.extent, stride: iter.stride, axis: iter.axis.code() })
}

/// # Safety
/// The pointer is null or valid for writing.
unsafe fn put<T>(place: *mut T, value: Option<T>) -> bool {
    match value {
        Some(value) if !place.is_null() => {
            // SAFETY: by the function's own contract.
            unsafe { place.write(value) };
            true
        }
        _ => false,
    }
}
