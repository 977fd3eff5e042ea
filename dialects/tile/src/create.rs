//! Making ops.

use melior::ir::operation::Operation;
use melior::ir::{Attribute, AttributeLike, Location, Region};
use mlir_sys::{MlirType, MlirValue};

use crate::shim::{OpParts, string_ref, tileCreateOp};

/// The parts of an op, other than its name and location.
#[derive(Debug, Default)]
pub struct Parts<'s, 'c> {
    /// Operands of all groups.
    pub operands: &'s [MlirValue],
    /// Types of the results.
    pub results: &'s [MlirType],
    /// Attributes by name, inherent or not.
    pub attributes: &'s [(&'static str, Attribute<'c>)],
    /// Regions.
    pub regions: Vec<Region<'c>>,
}

/// Makes an op that is in no block.
///
/// # Safety
/// Operands and types are alive, and of the location's context.
pub unsafe fn create<'c>(name: &str, location: Location<'c>, parts: Parts<'_, 'c>) -> Operation<'c> {
    let names: Vec<_> = parts.attributes.iter().map(|(name, _)| string_ref(name)).collect();
    let attributes: Vec<_> = parts.attributes.iter().map(|(_, value)| value.to_raw()).collect();
    let regions: Vec<_> = parts.regions.into_iter().map(Region::into_raw).collect();
    let raw = OpParts {
        name: string_ref(name),
        location: location.to_raw(),
        operand_count: parts.operands.len() as isize,
        operands: parts.operands.as_ptr(),
        result_count: parts.results.len() as isize,
        results: parts.results.as_ptr(),
        attribute_count: names.len() as isize,
        names: names.as_ptr(),
        attributes: attributes.as_ptr(),
        region_count: regions.len() as isize,
        regions: regions.as_ptr(),
    };
    // SAFETY: each list has the stated length and outlives the call; C++ copies them and takes the regions. The op is
    // new, and belongs to nothing else.
    unsafe { Operation::from_raw(tileCreateOp(raw)) }
}
