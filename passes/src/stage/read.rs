//! Ops as plans.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value};
use tile_dialect::ops::{self, CopyOp, StageOp, integers, string};
use tile_plan::{
    Aligned, AlignedCopy, Cache, DynamicTerm, Elected, Guard, MatrixCopy, Owner, ScalarCopy, Side, VectorCopy,
};

use crate::read::problem::Reader;
use crate::read::words::space;
use crate::read::{divisibility, name};

/// The owner that a `tile.scalar_copy` names, unless registers say who owns what.
pub fn elected(op: OperationRef<'_, '_>) -> Option<Elected> {
    let threads = integers(op, "threads");
    match string(op, "by")?.as_str() {
        "elected" => threads.first().copied().map(Elected::ScopeThread),
        "elected_in_block" => Some(Elected::BlockThreads(threads)),
        _ => None,
    }
}

/// Does a variant of that name make such ops?
///
/// # Errors
/// Got, and the names that there are.
pub fn check_variant(op: StageOp<'_, '_>) -> Result<(), String> {
    let only = |name| vec![name];
    let known: Vec<&str> = match name(op.0).as_str() {
        "tile.matrix_copy" => only("ldstmatrix"),
        "tile.tensor_copy" => only("tcgen05_cp"),
        "tile.tensor_access" => only("tcgen05_ldst"),
        "tile.bulk_copy" => only("dsmem"),
        _ => tile_plan::variants::partitioning().map(|variant| variant.name()).collect(),
    };
    tile_isa::words::one_of("variant", &op.variant(), known)
}

/// A `tile.aligned_copy` as the planner's plan.
pub fn read_aligned(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<AlignedCopy> {
    let variant = tile_plan::variants::by_name(&op.variant())?.name();
    let (src, dst) = (op.src()?, op.dst()?);
    let element = tile_dialect::memref::bit_width(src.buffer.element())?;
    let integer = |name| op.integer(name);
    Some(AlignedCopy {
        variant,
        threads: integer("threads")?,
        thread_iters: usize::try_from(integer("thread_iters").unwrap_or(0)).ok()?,
        element_bits: element,
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        forced_bits: integer("forced_bits").and_then(|bits| u32::try_from(bits).ok()),
        guards: read_guards(op.0),
        cache: read_cache(op.0)?,
    })
}

/// A `tile.vector_copy` as the planner's plan.
pub fn read_vector(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<VectorCopy> {
    let variant = tile_plan::variants::by_name(&op.variant())?.name();
    let (src, dst) = (op.src()?, op.dst()?);
    let integer = |name| op.integer(name);
    Some(VectorCopy {
        variant,
        rounds: integer("rounds")?,
        threads: integer("threads")?,
        vector: integer("vector")?,
        element_bits: tile_dialect::memref::bit_width(src.buffer.element())?,
        thread_iters: usize::try_from(integer("thread_iters").unwrap_or(0)).ok()?,
        exchange: integer("exchange").unwrap_or(1),
        src: read_side(&src, reader),
        dst: read_side(&dst, reader),
        guards: read_guards(op.0),
        cache: read_cache(op.0)?,
    })
}

/// A `tile.matrix_copy` as the planner's plan.
pub fn read_matrix(op: StageOp<'_, '_>, reader: &Reader<'_>) -> Option<MatrixCopy> {
    let (src, dst) = (op.src()?, op.dst()?);
    let load = src.buffer.space() == tile_dialect::Space::Shared;
    let (shared, registers) = if load { (&src, &dst) } else { (&dst, &src) };
    let shape: [i64; 6] = integers(op.0, "shape").try_into().ok()?;
    Some(MatrixCopy {
        load,
        trans: op.0.has_attribute("transposed"),
        num: shape[4],
        threads: shape[0].checked_mul(32)?,
        shape,
        row_stride: op.integer("row_stride")?,
        shared: read_side(shared, reader),
        registers: read_side(registers, reader),
        guards: read_guards(op.0),
    })
}

/// A `tile.scalar_copy` as the planner's plan. Who copies is on the op; what each owner of registers copies follows
/// from the layouts.
///
/// # Errors
/// An op that names an owner where the layouts need another, or that poses no problem: got and expected.
pub fn read_scalar(op: CopyOp<'_, '_>, reader: &Reader<'_>) -> Result<ScalarCopy, String> {
    let reading = reader.read(op).map_err(|unreadable| unreadable.reason)?;
    let fallback = tile_plan::variants::by_name("fallback").ok_or("needs the variant 'fallback'")?;
    let Aligned::Scalar(mut plan) =
        fallback.plan(&reading.problem, &reading.target).map_err(|decline| decline.reason)?
    else {
        return Err("is no scalar copy".to_owned());
    };
    let owners = matches!(plan.owner, Owner::Distributed(_));
    let by = string(op.0, "by").unwrap_or_default();
    if owners != (by == "owners") {
        let expected = if owners { "\"owners\", for a tile that is spread over threads" } else { "no \"owners\"" };
        return Err(format!("got by \"{by}\", expected {expected}"));
    }
    if !owners {
        plan.owner = match elected(op.0) {
            Some(Elected::ScopeThread(thread)) => Owner::ScopeThread(thread),
            Some(Elected::BlockThreads(threads)) => Owner::BlockThreads(threads),
            None => Owner::Everyone,
        };
    }
    Ok(plan)
}

pub(super) fn read_side(side: &ops::Side<'_, '_>, reader: &Reader<'_>) -> Side {
    let term = |(value, &(of, div, stride)): (usize, &(Value<'_, '_>, i64, i64))| {
        let (divisor, residue) = divisibility::of(of).floor_div(div).parts();
        DynamicTerm { value, div, stride, divisor, residue }
    };
    Side {
        space: space(side.buffer.space()),
        layout: side.layout.clone(),
        dynamic: side.terms.iter().enumerate().map(term).collect(),
        align_bytes: reader.alignment(side.value),
    }
}

fn read_guards(op: OperationRef<'_, '_>) -> Vec<Guard> {
    integers(op, "guards").chunks_exact(2).map(|pair| Guard { div: pair[0], extent: pair[1] }).collect()
}

fn read_cache(op: OperationRef<'_, '_>) -> Option<Cache> {
    let names = ["cache", "l1_evict", "l2_evict", "prefetch_size"];
    let given: Vec<(&str, String)> = names.into_iter().filter_map(|name| Some((name, string(op, name)?))).collect();
    Cache::from_options(given.iter().map(|(name, value)| (*name, value.as_str()))).ok()
}
