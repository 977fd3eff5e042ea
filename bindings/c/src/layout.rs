//! Queries on layouts.

use std::ffi::c_void;

use mlir_sys::{MlirAttribute, MlirStringRef};
use tile_isa::Space;
use tile_layout::vector::{VectorAccess, max_vector};
use tile_layout::{Axis, Layout};
use tile_plan::target::Target;
use tile_plan::traffic::request::WarpRequest;

use crate::arguments::{ErrorHandler, StringCallback, emit, layout, text};

/// `MlirTilePlaceCallback`.
type PlaceCallback = Option<unsafe extern "C" fn(i64, i64, *mut c_void)>;

/// `MlirTileBanks`.
#[repr(C)]
pub struct Banks {
    wavefronts: i64,
    least: i64,
}

/// The location of an element.
///
/// # Safety
/// The attribute is null or alive; the function accepts its data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutApply(
    raw: MlirAttribute,
    index: i64,
    at: PlaceCallback,
    user_data: *mut c_void,
    on_error: ErrorHandler,
) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let layout = unsafe { layout(raw)? };
        let at = at.ok_or("got a null function, expected one that receives the positions")?;
        element(&layout, index)?;
        for (axis, value) in layout.apply_linear(index) {
            // SAFETY: by the function's own contract.
            unsafe { at(axis.code(), value, user_data) };
        }
        Ok(true)
    })
}

/// The widest vector, and the reason why it is not wider.
///
/// # Safety
/// The attribute is null or alive; the function accepts its data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutWidestVector(
    raw: MlirAttribute,
    element_bytes: i64,
    base_alignment: i64,
    most: i64,
    reason: StringCallback,
    user_data: *mut c_void,
    on_error: ErrorHandler,
) -> i64 {
    on_error.run(0, || {
        // SAFETY: by the function's own contract.
        let layout = known(unsafe { layout(raw)? })?;
        for (what, number, end) in [
            ("element size", element_bytes, 1 << 10),
            ("base alignment", base_alignment, 1 << 30),
            ("width", most, 1 << 30),
        ] {
            in_range(what, number, 1, end)?;
        }
        let access = VectorAccess {
            swizzle: layout.swizzle,
            ..VectorAccess::new(&layout.shard, layout.offset_on(Axis::Memory), element_bytes, base_alignment)
        };
        let proof = max_vector(&access, most);
        if let Some(blocker) = &proof.blocker {
            emit(reason, user_data, &blocker.to_string());
        }
        Ok(proof.width)
    })
}

/// Bank conflicts of a warp's access.
///
/// # Safety
/// The attribute is null or alive, the string is null or valid, `banks` is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlirTileLayoutBankConflicts(
    raw: MlirAttribute,
    element_bytes: i64,
    first: i64,
    width: i64,
    chip: MlirStringRef,
    banks: *mut Banks,
    on_error: ErrorHandler,
) -> bool {
    on_error.run(false, || {
        // SAFETY: by the function's own contract.
        let (layout, chip) = unsafe { (known(layout(raw)?)?, text("chip", chip)?) };
        let target = Target::parse(chip).map_err(|error| error.to_string())?;
        in_range("element size", element_bytes, 1, 16)?;
        in_range("width", width, 1, 16 / element_bytes)?;
        element(&layout, first)?;
        let lanes = target.subgroup().min((layout.size() - first) / width);
        if lanes < 1 {
            return Err(format!("got {width} elements from {first} on, expected them among {}", layout.size()));
        }
        let byte = |lane| place(&layout, first + lane * width).saturating_mul(element_bytes);
        let lanes = (0..lanes).map(|lane| (lane, byte(lane))).collect();
        let request = WarpRequest { space: Space::Shared, bytes: width * element_bytes, lanes };
        let (wavefronts, least) = request.wavefronts(target.shared_banks());
        if banks.is_null() {
            return Err("got a null result, expected a pointer to one".to_owned());
        }
        // SAFETY: by the function's own contract.
        unsafe { banks.write(Banks { wavefronts, least }) };
        Ok(true)
    })
}

fn place(layout: &Layout, index: i64) -> i64 {
    layout.apply_linear(index).get(&Axis::Memory).copied().unwrap_or(0)
}

/// Checks that a layout has no run-time extents or strides.
fn known(layout: Layout) -> Result<Layout, String> {
    if layout.is_open() || layout.stride_count() > 0 {
        return Err("got a layout with run-time extents or strides, expected numbers".to_owned());
    }
    Ok(layout)
}

/// Checks that the layout has an element with this index.
fn element(layout: &Layout, index: i64) -> Result<(), String> {
    known(layout.clone())?;
    in_range("index", index, 0, layout.size() - 1)
}

fn in_range(what: &str, number: i64, first: i64, last: i64) -> Result<(), String> {
    if (first..=last).contains(&number) {
        Ok(())
    } else {
        Err(format!("got {what} {number}, expected {first} to {last}"))
    }
}
