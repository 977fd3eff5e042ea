//! `tile.tensor_copy`, `tile.tensor_access` and `tile.bulk_copy`.

use melior::ir::{OperationRef, ValueLike};

use super::asynchronous::is_barrier;
use super::stage::sides;
use crate::Space;
use crate::ops::{Side, StageOp, integers, segment, string};

const SHAPES: [&str; 5] = ["128x256b", "4x256b", "128x128b", "64x128b", "32x128b"];
const MULTICASTS: [&str; 3] = ["warpx4", "warpx2::02_13", "warpx2::01_23"];
const ACCESSES: [&str; 4] = ["32x32b", "16x64b", "16x128b", "16x256b"];

pub(super) fn copy(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    spaces(&src, &dst, &[(Space::Shared, Space::Tmem)])?;
    one_of("shape", &string(op, "shape").unwrap_or_default(), &SHAPES)?;
    if let Some(multicast) = string(op, "multicast") {
        one_of("multicast", &multicast, &MULTICASTS)?;
    }
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
    one_of("shape", &string(op, "shape").unwrap_or_default(), &ACCESSES)?;
    let num = StageOp(op).integer("num").unwrap_or_default();
    if !(1..=128).contains(&num) || num & (num - 1) != 0 {
        return Err(format!("got num {num}, expected a power of two from 1 to 128"));
    }
    leading_iters(op, "instruction_iters", &src, &dst)
}

pub(super) fn bulk(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    spaces(&src, &dst, &[(Space::Shared, Space::Shared)])?;
    let barrier = *segment(op, 4).first().ok_or("got no mbarrier")?;
    is_barrier(barrier.r#type())?;
    let chunk = |side: &Side<'_, '_>| side.layout.shard.last().map(|iter| (iter.extent, iter.stride));
    match (chunk(&src), chunk(&dst)) {
        (Some((from, 1)), Some((to, 1))) if from == to => Ok(()),
        (from, to) => {
            let digit =
                |digit: Option<(i64, i64)>| digit.map_or("none".to_owned(), |(of, by)| format!("({of}) : ({by})"));
            Err(format!("got last digits {} and {}, expected one extent and stride 1", digit(from), digit(to)))
        }
    }
}

fn spaces(src: &Side<'_, '_>, dst: &Side<'_, '_>, allowed: &[(Space, Space)]) -> Result<(), String> {
    let got = (src.buffer.space(), dst.buffer.space());
    if allowed.contains(&got) {
        return Ok(());
    }
    let expected: Vec<String> = allowed.iter().map(|(from, to)| format!("{} to {}", from.name(), to.name())).collect();
    Err(format!("got {} to {}, expected {}", got.0.name(), got.1.name(), expected.join(" or ")))
}

fn one_of(what: &str, got: &str, known: &[&str]) -> Result<(), String> {
    if known.contains(&got) {
        return Ok(());
    }
    Err(format!("got {what} \"{got}\", expected one of {}", known.join(", ")))
}

/// The tiles of the smallest form, 4 rows of 256 bits, that 128 lanes of 512 columns of 32 bits hold.
const MOST_INSTRUCTIONS: i64 = 2048;

/// The digits that number the instructions have the same extents on both sides, and not too many values.
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
        _ => Err(format!("got {name} {count}, expected at most the digits of the layouts")),
    }
}
