//! Types of the memory that the program around a copy has.

use tile_plan::{Space, Which};

use super::image::elements;
use crate::case::{Case, Side};
use crate::kernel::{issue, tensor};

/// Images of each CTA, one behind the other; of tensor memory, its words.
pub(super) fn image(case: &Case, which: Which) -> String {
    match case.side(which).space {
        Space::Tmem => format!("memref<{}xi32>", issue::ctas(case) * tensor::LANES * tensor::COLUMNS),
        _ => memref(issue::ctas(case) * elements(case, which), case.side(which), ""),
    }
}

/// `count` elements of a side in a row; `space` is what the type says behind them.
pub(super) fn memref(count: i64, side: &Side, space: &str) -> String {
    format!("memref<{count}x{}{space}>", side.element.mlir)
}

/// Of shared memory.
pub(super) const SHARED: &str = ", #gpu.address_space<workgroup>";
