//! `tile.tmem_copy` and `tile.tmem_access`.

use melior::ir::OperationRef;
use tile_isa::matrix_descriptor;
use tile_isa::tmem_copy::check_cta_group;
use tile_isa::{TmemForm, TmemShape, check_element_bits, check_instructions};

use super::sides::sides;
use crate::Space;
use crate::memref::bit_width;
use crate::ops::{Side, StageOp, integers, string};

pub(super) fn copy(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    spaces(&src, &dst, &[(Space::Shared, Space::Tmem)])?;
    check_element(&src)?;
    TmemForm::exactly(&string(op, "shape").unwrap_or_default(), string(op, "multicast").as_deref())?;
    matrix_descriptor::named(&integers(op, "descriptor"))?;
    check_cta_group(StageOp(op).integer("cta_group").unwrap_or_default())?;
    leading_iters(op, "tile_iters", &src, &dst)
}

pub(super) fn access(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    spaces(&src, &dst, &[(Space::Tmem, Space::Local), (Space::Local, Space::Tmem)])?;
    check_element(&src)?;
    let shape = TmemShape::parse(&string(op, "shape").unwrap_or_default())?;
    shape.check_num(StageOp(op).integer("num").unwrap_or_default())?;
    leading_iters(op, "instruction_iters", &src, &dst)
}

/// The width of an element of a side, in bits.
pub(super) fn check_element(side: &Side<'_, '_>) -> Result<u32, String> {
    let bits = bit_width(side.buffer.element()).unwrap_or(0);
    check_element_bits(bits).map(|()| bits)
}

fn spaces(src: &Side<'_, '_>, dst: &Side<'_, '_>, allowed: &[(Space, Space)]) -> Result<(), String> {
    let got = (src.buffer.space(), dst.buffer.space());
    if allowed.contains(&got) {
        return Ok(());
    }
    let expected: Vec<String> = allowed.iter().map(|(from, to)| format!("{} to {}", from.name(), to.name())).collect();
    Err(format!("got {} to {}, expected {}", got.0.name(), got.1.name(), expected.join(" or ")))
}

/// The iters that number the instructions, whose number is attribute `name`.
fn leading_iters(op: OperationRef<'_, '_>, name: &str, src: &Side<'_, '_>, dst: &Side<'_, '_>) -> Result<(), String> {
    let count = StageOp(op).integer(name).and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    check_instructions(name, count, &src.layout, &dst.layout)
}
