//! Registration, and the buffer type.

use melior::ir::{AttributeLike, Location, Type, TypeLike};
use mlir_sys::{MlirAttribute, MlirDialectRegistry, MlirStringRef, MlirType};
use tile_dialect::memref::bit_width;
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_layout::Layout;
use tile_passes::embed;

use crate::arguments::{ErrorHandler, fragment_attr, layout, list, quietly, with_dialect};
use crate::attribute::NO_ATTRIBUTE;

const NO_TYPE: MlirType = MlirType { ptr: std::ptr::null() };

unsafe extern "C" {
    // `passes/cpp/Registry.cpp`
    fn tileRegisterDialects(registry: MlirDialectRegistry);
}

/// Adds all dialects to a registry.
///
/// # Safety
/// The registry is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileRegisterAllDialects(registry: MlirDialectRegistry, on_error: ErrorHandler) -> bool {
    on_error.run(false, || {
        if registry.ptr.is_null() {
            return Err("got a null registry, expected one".to_owned());
        }
        // SAFETY: the registry is alive.
        unsafe { tileRegisterDialects(registry) };
        Ok(true)
    })
}

/// Registers the passes.
#[unsafe(no_mangle)]
pub extern "C" fn mlirTileRegisterAllPasses() {
    quietly((), embed::register_passes);
}

/// What each op takes and gives.
#[unsafe(no_mangle)]
pub extern "C" fn mlirTileOpSignatures() -> MlirStringRef {
    let text = tile_ops::SIGNATURES;
    MlirStringRef { data: text.as_ptr().cast(), length: text.len() }
}

/// Whether the type is a buffer.
///
/// # Safety
/// The type is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTypeIsATileBuffer(r#type: MlirType) -> bool {
    // SAFETY: by the function's own contract.
    unsafe { with_buffer(r#type, |_| true) }.unwrap_or(false)
}

/// A buffer type from its parts.
///
/// # Safety
/// The list is null or valid, type and attribute are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileBufferTypeGet(
    rank: isize,
    shape: *const i64,
    element: MlirType,
    space: i32,
    raw_layout: MlirAttribute,
    on_error: ErrorHandler,
) -> MlirType {
    on_error.run(NO_TYPE, || {
        // SAFETY: by the function's own contract.
        let (shape, element) = unsafe { (list("extents", shape, rank)?, Type::from_option_raw(element)) };
        let element = element.ok_or("got a null element type, expected an integer or a float")?;
        let space = Space::from_code(i64::from(space));
        let space = space.ok_or("got no memory space, expected global, shared, local or tmem")?;
        let owner = element.context();
        // SAFETY: as above; the reference is into `owner`, which outlives the call.
        let context = unsafe { owner.to_ref() };
        with_dialect(context)?;
        // SAFETY: as above.
        let fragment = unsafe { fragment_attr(raw_layout) };
        let layout = match (fragment, raw_layout.ptr.is_null()) {
            (Some(fragment), _) => {
                let bits = bit_width(element)
                    .ok_or_else(|| format!("got element type {element}, expected an integer or a float"))?;
                fragment.layout(shape, bits, space)?
            }
            (None, true) => Layout::open_row_major(shape).map_err(|error| error.to_string())?,
            // SAFETY: as above.
            (None, false) => unsafe { layout(raw_layout)? },
        };
        let location = Location::unknown(context);
        let (made, diagnostics) = embed::hearing(context, || {
            let layout = LayoutAttr::new(location, &layout)?;
            let plain = BufferType::new(location, shape, element, space, layout)?;
            fragment.map_or(Some(plain), |fragment| plain.named(location, fragment))
        });
        made.map(|buffer| buffer.as_type().to_raw()).ok_or_else(|| embed::first_error(&diagnostics))
    })
}

/// A buffer type whose layout is still to be chosen.
///
/// # Safety
/// As [`mlirTileBufferTypeGet`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileBufferTypeGetAuto(
    rank: isize,
    shape: *const i64,
    element: MlirType,
    space: i32,
    on_error: ErrorHandler,
) -> MlirType {
    // SAFETY: by the function's own contract; a null layout is that of rows.
    let in_rows = unsafe { mlirTileBufferTypeGet(rank, shape, element, space, NO_ATTRIBUTE, on_error) };
    // SAFETY: the type is null or alive, as its context is, which outlives the call.
    let Some(plain) = (unsafe { Type::from_option_raw(in_rows) }).and_then(BufferType::from_type) else {
        return NO_TYPE;
    };
    on_error.run(NO_TYPE, || {
        let owner = plain.as_type().context();
        // SAFETY: as above.
        let context = unsafe { owner.to_ref() };
        let (made, diagnostics) =
            embed::hearing(context, || plain.left_open(Location::unknown(context), plain.shape()));
        made.map(|buffer| buffer.as_type().to_raw()).ok_or_else(|| embed::first_error(&diagnostics))
    })
}

/// Whether the layout is still to be chosen.
///
/// # Safety
/// The type is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileBufferTypeIsAuto(r#type: MlirType) -> bool {
    // SAFETY: by the function's own contract.
    unsafe { with_buffer(r#type, |buffer| buffer.is_auto()) }.unwrap_or(false)
}

/// The number of dimensions.
///
/// # Safety
/// The type is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileBufferTypeGetRank(r#type: MlirType) -> isize {
    // SAFETY: by the function's own contract.
    unsafe { with_buffer(r#type, |buffer| buffer.shape().len() as isize) }.unwrap_or(-1)
}

/// The extent of a dimension.
///
/// # Safety
/// The type is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileBufferTypeGetDimSize(r#type: MlirType, dim: isize) -> i64 {
    let extent = |buffer: BufferType<'_>| buffer.shape().get(usize::try_from(dim).ok()?).copied();
    // SAFETY: by the function's own contract.
    unsafe { with_buffer(r#type, extent) }.flatten().unwrap_or(-1)
}

/// The type of an element.
///
/// # Safety
/// The type is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileBufferTypeGetElementType(r#type: MlirType) -> MlirType {
    // SAFETY: by the function's own contract.
    unsafe { with_buffer(r#type, |buffer| buffer.element().to_raw()) }.unwrap_or(NO_TYPE)
}

/// The memory that the tile lives in.
///
/// # Safety
/// The type is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileBufferTypeGetSpace(r#type: MlirType) -> i32 {
    // SAFETY: by the function's own contract.
    unsafe { with_buffer(r#type, |buffer| buffer.space() as i32) }.unwrap_or(-1)
}

/// Its layout.
///
/// # Safety
/// The type is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileBufferTypeGetLayout(r#type: MlirType) -> MlirAttribute {
    // SAFETY: by the function's own contract.
    unsafe { with_buffer(r#type, |buffer| buffer.layout_attr().as_attribute().to_raw()) }.unwrap_or(NO_ATTRIBUTE)
}

/// The name of its layout.
///
/// # Safety
/// The type is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileBufferTypeGetFragment(r#type: MlirType) -> MlirAttribute {
    // SAFETY: by the function's own contract.
    let fragment = unsafe { with_buffer(r#type, |buffer| Some(buffer.fragment()?.as_attribute().to_raw())) };
    fragment.flatten().unwrap_or(NO_ATTRIBUTE)
}

/// # Safety
/// The type is null or alive.
unsafe fn with_buffer<R>(raw: MlirType, read: impl FnOnce(BufferType<'_>) -> R) -> Option<R> {
    // SAFETY: by the function's own contract.
    quietly(None, || unsafe { Type::from_option_raw(raw) }.and_then(BufferType::from_type).map(read))
}
