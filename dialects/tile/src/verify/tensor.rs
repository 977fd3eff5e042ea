//! `tile.tensor_copy`, `tile.tensor_access` and `tile.bulk_copy`.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, ValueLike};
use tile_isa::bulk::{Reduction, Route, check_chunks};
use tile_isa::{MOST_INSTRUCTIONS, TensorForm, TensorShape, check_element_bits};

use super::asynchronous::is_barrier;
use super::hints;
use super::sides::sides;
use crate::Space;
use crate::memref::bit_width;
use crate::ops::{Side, StageOp, integers, string};

pub(super) fn copy(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    spaces(&src, &dst, &[(Space::Shared, Space::Tmem)])?;
    check_element(&src)?;
    TensorForm::exactly(&string(op, "shape").unwrap_or_default(), string(op, "multicast").as_deref())?;
    let descriptor = integers(op, "descriptor");
    if !matches!(descriptor.as_slice(), [0..0x4000, 0..0x4000, 0..4]) {
        return Err(format!("got descriptor {descriptor:?}, expected two offsets below 16384 and a mode from 0 to 3"));
    }
    let group = StageOp(op).integer("cta_group");
    if !matches!(group, Some(1 | 2)) {
        return Err(format!("got cta_group {}, expected 1 or 2", group.unwrap_or_default()));
    }
    leading_iters(op, "tile_iters", &src, &dst)
}

pub(super) fn access(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    spaces(&src, &dst, &[(Space::Tmem, Space::Local), (Space::Local, Space::Tmem)])?;
    check_element(&src)?;
    let shape = TensorShape::parse(&string(op, "shape").unwrap_or_default())?;
    shape.check_num(StageOp(op).integer("num").unwrap_or_default())?;
    leading_iters(op, "instruction_iters", &src, &dst)
}

pub(super) fn bulk(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    let route = Route::between(src.buffer.space().name(), dst.buffer.space().name())?;
    let (barrier, remote_cta) = (StageOp(op).barrier(), StageOp(op).remote_cta());
    route.check_clauses(barrier.is_some(), remote_cta.is_some())?;
    if let Some(barrier) = barrier {
        is_barrier(barrier.r#type())?;
    }
    hints(op)?;
    let reduce = string(op, "reduce");
    route.check_extras(reduce.is_some(), op.has_attribute("l2_evict"))?;
    if let Some(word) = reduce {
        Reduction::of(&word, &src.buffer.element().to_string())?;
    }
    check_chunks(&src.layout, &dst.layout, check_element(&src)?)
}

/// The width of an element of a side, in bits.
fn check_element(side: &Side<'_, '_>) -> Result<u32, String> {
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

/// The iters that number the instructions have the same extents on both sides, and not too many values.
fn leading_iters(op: OperationRef<'_, '_>, name: &str, src: &Side<'_, '_>, dst: &Side<'_, '_>) -> Result<(), String> {
    let count = StageOp(op).integer(name).and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    let extents = |side: &Side<'_, '_>| -> Option<Vec<i64>> {
        Some(side.layout.shard.get(..count)?.iter().map(|iter| iter.extent).collect())
    };
    match (extents(src), extents(dst)) {
        (Some(from), Some(to)) if from == to => {
            let product = from.iter().try_fold(1i64, |product, &extent| product.checked_mul(extent));
            match product {
                Some(..=MOST_INSTRUCTIONS) => Ok(()),
                _ => Err(format!("got leading extents {from:?}, expected at most {MOST_INSTRUCTIONS} instructions")),
            }
        }
        (Some(from), Some(to)) => Err(format!("got leading extents {from:?} and {to:?}, expected the same")),
        _ => {
            let most = src.layout.shard.len().min(dst.layout.shard.len());
            Err(format!("got {name} {count}, expected at most {most}, the iters of the layouts"))
        }
    }
}
