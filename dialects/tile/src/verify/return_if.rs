//! `tile.return_if`: at the top level of a kernel with one block.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike};

use super::outcome;
use crate::error::{VerifyError, mismatch};
use crate::ir::Parts;

/// The attributes of functions that are kernels.
const KERNEL: [&str; 2] = ["gpu.kernel", "nvvm.kernel"];

pub(crate) fn return_if(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let around = op.parent_operation().ok_or(VerifyError::Incomplete)?;
    let name = around.name();
    let name = name.as_string_ref();
    let name = name.as_str().unwrap_or_default();
    let (is_function, is_kernel) = (name.ends_with(".func"), KERNEL.iter().any(|kernel| around.has_attribute(kernel)));
    if name != "gpu.launch" && !(is_function && is_kernel) {
        let what = if is_function { "a function that is no kernel".to_owned() } else { format!("'{name}'") };
        return Err(mismatch!("{what} around it"; expected "a kernel, or a gpu.launch: threads end at its top level"));
    }
    let has_blocks = around.region_at(0).and_then(|region| region.first_block()?.next_in_region()).is_some();
    if has_blocks {
        return Err(mismatch!("a kernel of several blocks"; expected "one block, with scf for control flow"));
    }
    Ok(())
}
