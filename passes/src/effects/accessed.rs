//! The accesses that ops of other dialects state by `TileAccessOpInterface`, which says of each where it is and what performs it.

use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::{self, DYNAMIC, strides_and_offset};
use tile_dialect::ops::{Offset, Operand, Region, string};
use tile_dialect::{BufferType, SCOPE, Space};
use tile_isa::Scope;
use tile_ops::{llvm_type, tile};
use tile_plan::problem::role::Role;
use tile_plan::sync::{Collective, Effect, Engine, Queue};

use super::completed::engine;
use super::error::UnknownEffects;
use super::{AccessedMemory, Effects, MemoryAccess, Participants, TensorPart, completed, stated};
use crate::read::{alias, divisibility, name, root, storage};
use crate::shim::{self, StatedAccess};

/// What loads from tensor memory, and what stores to it.
const TENSOR_QUEUES: [Queue; 2] = [Queue::TmemLoad, Queue::TmemStore];

/// The effects that an op states; `None` for one that states none.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    shim::stated_accesses(op).map(|(scope, accesses)| stated_effects(op, scope, &accesses))
}

fn stated_effects<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    scope: Scope,
    all: &[StatedAccess<'c, 'a>],
) -> Result<Effects<'c, 'a>, UnknownEffects> {
    if let Some(other) = string(op, SCOPE).filter(|name| Scope::named(name).is_none()) {
        return Err(UnknownEffects::Scope(other));
    }
    if let Some(inner) = stated::first_access_within(op) {
        return Err(UnknownEffects::Contains(inner));
    }
    let by = match scope {
        Scope::Thread => Participants::Any,
        Scope::Warp => Participants::Warps,
        Scope::Warpgroup => Participants::Warpgroups,
        Scope::Cta => Participants::Cta,
    };
    let mbarrier = completed::effect(op, scope, all)?;
    let accesses = all.iter().map(|access| memory_accesses(op, access, scope)).collect::<Result<Vec<_>, _>>()?;
    let accesses: Vec<_> = accesses.into_iter().flatten().collect();
    // The op waits for what it has loaded and stored itself.
    let waited = |queue: &Queue| accesses.iter().any(|access| access.engine.queue == Some(*queue));
    let wait = |queue| Effect::Wait { queue, pending: 0, reads: false };
    let order = TENSOR_QUEUES.into_iter().filter(waited).map(wait).collect();
    Ok(Effects { by, accesses, order, mbarrier })
}

/// The read and the write of an access. What it writes it may leave as it was, unless it reads nothing.
fn memory_accesses<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    access: &StatedAccess<'c, 'a>,
    scope: Scope,
) -> Result<Vec<MemoryAccess<'c, 'a>>, UnknownEffects> {
    let number = access.operand.ok_or(UnknownEffects::NoOperand)?;
    let value = op.operand_at(number).filter(|value| alias::is_address(*value));
    let value = value.ok_or(UnknownEffects::NoMemory(number))?;
    let one = |write| {
        let memory = memory((value, number), access, if write { Role::Dst } else { Role::Src })?;
        let engine = match memory {
            AccessedMemory::Tensor { .. } => of_tensor(access, scope, write)?,
            _ => engine(access),
        };
        let access = MemoryAccess::read(memory, engine);
        Ok(MemoryAccess { write, collective: Collective::of_scope(scope), ..access })
    };
    let kinds = [(access.reads, false), (access.writes, true)];
    kinds.into_iter().filter(|(is_made, _)| *is_made).map(|(_, write)| one(write)).collect()
}

/// What loads from tensor memory, or stores to it.
fn of_tensor(access: &StatedAccess<'_, '_>, scope: Scope, write: bool) -> Result<Engine, UnknownEffects> {
    if engine(access) != Engine::THREADS {
        return Err(UnknownEffects::TensorEngine);
    }
    if scope == Scope::Thread {
        return Err(UnknownEffects::TensorScope);
    }
    Ok(Engine { queue: Some(TENSOR_QUEUES[usize::from(write)]), ..Engine::THREADS })
}

/// The memory of an access to an operand.
fn memory<'c: 'a, 'a>(
    (value, number): (Value<'c, 'a>, usize),
    access: &StatedAccess<'c, 'a>,
    role: Role,
) -> Result<AccessedMemory<'c, 'a>, UnknownEffects> {
    let Some(buffer) = BufferType::from_type(value.r#type()) else { return of_memref((value, number), access) };
    let region = region(number, access, buffer.shape())?;
    Ok(match buffer.space() {
        Space::Tmem => columns(value),
        Space::Local => AccessedMemory::Anywhere(number),
        Space::Shared | Space::Global => AccessedMemory::Region(role, Operand { value, buffer, region }),
    })
}

/// All columns of the tile in tensor memory that a tile is a view of; any, where its address is not known.
fn columns<'c: 'a, 'a>(tile: Value<'c, 'a>) -> AccessedMemory<'c, 'a> {
    let tile = root::root(tile);
    let address = defining_op(tile).filter(|op| name(*op) == tile::TmemOp::NAME).and_then(|op| op.operand_at(0));
    let columns = BufferType::from_type(tile.r#type()).map(storage::tensor_columns).filter(|_| address.is_some());
    AccessedMemory::Tensor { address: address.unwrap_or(tile), part: TensorPart::Columns(columns) }
}

/// The memory of a memref or a pointer.
fn of_memref<'c: 'a, 'a>(
    (value, number): (Value<'c, 'a>, usize),
    access: &StatedAccess<'c, 'a>,
) -> Result<AccessedMemory<'c, 'a>, UnknownEffects> {
    let is_whole = access.offsets.is_empty() && access.sizes.is_empty();
    let Ok(memref) = MemRefType::try_from(value.r#type()) else {
        return match llvm_type::Space::of(value.r#type()) {
            _ if !is_whole => Err(UnknownEffects::NoRegion(number)),
            Some(llvm_type::Space::Tensor) => {
                Ok(AccessedMemory::Tensor { address: value, part: TensorPart::Columns(None) })
            }
            _ => Ok(AccessedMemory::Anywhere(number)),
        };
    };
    if is_whole {
        return Ok(AccessedMemory::Anywhere(number));
    }
    let region = region(number, access, &memref::extents(memref))?;
    if strides_and_offset(memref).is_none() {
        return Err(UnknownEffects::NoStrides(number));
    }
    let is_followed = matches!(memref::space(memref), Some(Space::Shared | Space::Global));
    Ok(if is_followed { AccessedMemory::MemrefRegion(value, region) } else { AccessedMemory::Anywhere(number) })
}

/// The region of an access to an operand of a shape.
fn region<'c: 'a, 'a>(
    operand: usize,
    StatedAccess { offsets, sizes, values, .. }: &StatedAccess<'c, 'a>,
    shape: &[i64],
) -> Result<Region<'c, 'a>, UnknownEffects> {
    let is_inside = |region: &Region<'c, 'a>| sizes.is_empty() || may_fit(region, shape);
    Region::new(shape, offsets, sizes, values).filter(is_inside).ok_or_else(|| {
        let text = |number: &i64| if *number == DYNAMIC { "?".to_owned() } else { number.to_string() };
        let [offsets, sizes, shape] =
            [offsets.as_slice(), sizes, shape].map(|list| list.iter().map(text).collect::<Vec<_>>().join(", "));
        UnknownEffects::Region { operand, offsets, sizes, shape }
    })
}

/// Whether a region lies inside a shape, as far as its offsets are known.
fn may_fit(region: &Region<'_, '_>, shape: &[i64]) -> bool {
    let known = |offset: &Offset<'_, '_>| match *offset {
        Offset::Constant(offset) => offset,
        Offset::Value(offset) => divisibility::infer(offset).constant().unwrap_or(0),
    };
    shape.iter().zip(region.offsets.iter().map(known)).zip(&region.sizes).all(|((&extent, first), &size)| {
        size >= 1 && first >= 0 && (extent == DYNAMIC || first.checked_add(size).is_some_and(|end| end <= extent))
    })
}
