//! Copies that C++ makes (`cpp/CopyConvert.cpp`).

use std::ffi::c_void;

use melior::ir::{OperationRef, Value, ValueLike};
use mlir_sys::{MlirOperation, MlirValue};
use tile_plan::linalg::LinalgRefusal;

use crate::shim::{self, StringCallback};
use crate::upstream_copies::NotConverted;

unsafe extern "C" {
    fn tileMakeCopy(
        op: MlirOperation,
        why: *mut NotConverted,
        say: StringCallback,
        user_data: *mut c_void,
    ) -> MlirOperation;
    fn tileCopyRegion(
        before: MlirOperation,
        memref: MlirValue,
        tile: MlirValue,
        order: *const i64,
        sizes: *const i64,
        is_open: *const bool,
        rank: isize,
        is_load: bool,
        filler: MlirValue,
        why: *mut NotConverted,
        say: StringCallback,
        user_data: *mut c_void,
    ) -> MlirOperation;
    fn tileCopyToPart(
        before: MlirOperation,
        memref: MlirValue,
        tile: MlirValue,
        view: MlirOperation,
        filler: MlirValue,
        why: *mut NotConverted,
        say: StringCallback,
        user_data: *mut c_void,
    ) -> MlirOperation;
}

/// Makes the `tile.copy` that does what an upstream copy does, before that.
///
/// # Errors
/// Why there is none.
pub fn make_copy<'c, 'a>(op: OperationRef<'c, 'a>) -> Result<OperationRef<'c, 'a>, LinalgRefusal> {
    // SAFETY: the op is alive; what is made lives as long as the IR around it.
    made(|why, say, reason| unsafe { OperationRef::from_option_raw(tileMakeCopy(op.to_raw(), why, say, reason)) })
}

/// A region of a memref that has the dimensions of a tile, apart from those of extent 1.
pub struct MemrefRegion<'r, 'c, 'a> {
    /// The memref.
    pub memref: Value<'c, 'a>,
    /// The dimension of the memref for each of the region's.
    pub dimensions: &'r [usize],
    /// The extents of the region.
    pub sizes: &'r [i64],
    /// Whether the memref's extent is less, for each of these.
    pub is_open: &'r [bool],
}

/// Which way a region is copied.
#[derive(Clone, Copy)]
pub enum CopyDirection<'c, 'a> {
    /// To a tile, which is filled where the memref has no elements.
    Load(Option<Value<'c, 'a>>),
    /// From a tile.
    Store,
}

/// Makes a `tile.copy` of a region of a memref to a tile, or back, before an op.
///
/// # Errors
/// Why there is none.
pub fn copy_region<'c, 'a>(
    before: OperationRef<'c, 'a>,
    region: &MemrefRegion<'_, 'c, 'a>,
    tile: Value<'c, 'a>,
    direction: CopyDirection<'c, 'a>,
) -> Result<OperationRef<'c, 'a>, LinalgRefusal> {
    let order: Vec<i64> = region.dimensions.iter().map(|&dimension| dimension as i64).collect();
    assert_eq!(order.len(), region.is_open.len(), "both are of the region's dimensions");
    assert_eq!(order.len(), region.sizes.len(), "both are of the region's dimensions");
    let filler = if let CopyDirection::Load(filler) = direction { filler } else { None };
    let filler = raw(filler);
    let is_load = matches!(direction, CopyDirection::Load(_));
    // SAFETY: the op and the values are alive, and the lists have `rank` entries each.
    made(|why, say, reason| unsafe {
        let raw = tileCopyRegion(
            before.to_raw(),
            region.memref.to_raw(),
            tile.to_raw(),
            order.as_ptr(),
            region.sizes.as_ptr(),
            region.is_open.as_ptr(),
            order.len() as isize,
            is_load,
            filler,
            why,
            say,
            reason,
        );
        OperationRef::from_option_raw(raw)
    })
}

/// Makes the `tile.copy` of a memref to the part of a tile that a `memref.subview` of the tile's memref views, before an op. What is beside
/// the part keeps its value, or is filled.
///
/// # Errors
/// Why there is none.
pub fn copy_to_part<'c, 'a>(
    before: OperationRef<'c, 'a>,
    memref: Value<'c, 'a>,
    tile: Value<'c, 'a>,
    view: OperationRef<'c, 'a>,
    filler: Option<Value<'c, 'a>>,
) -> Result<OperationRef<'c, 'a>, LinalgRefusal> {
    let filler = raw(filler);
    // SAFETY: the ops and the values are alive.
    made(|why, say, reason| unsafe {
        let (memref, tile) = (memref.to_raw(), tile.to_raw());
        let made = tileCopyToPart(before.to_raw(), memref, tile, view.to_raw(), filler, why, say, reason);
        OperationRef::from_option_raw(made)
    })
}

/// A value for C++, which may be null there.
fn raw(value: Option<Value<'_, '_>>) -> MlirValue {
    value.map_or(MlirValue { ptr: std::ptr::null() }, |value| value.to_raw())
}

/// What C++ makes, or its reason why not.
fn made<'c, 'a>(
    make: impl FnOnce(*mut NotConverted, StringCallback, *mut c_void) -> Option<OperationRef<'c, 'a>>,
) -> Result<OperationRef<'c, 'a>, LinalgRefusal> {
    let (mut why, mut reason) = (NotConverted::Refused, String::new());
    let made = make(&raw mut why, shim::append, (&raw mut reason).cast());
    made.ok_or(LinalgRefusal::Copy { cause: why.name(), reason })
}
