//! The accesses that ops of other dialects state by `TileAccessOpInterface`, which says of each where it is and what performs it.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_dialect::memref::DYNAMIC;
use tile_dialect::ops::{Offset, Operand, Region, string};
use tile_dialect::{BufferType, SCOPE, Space};
use tile_isa::Scope;
use tile_plan::problem::role::Role;
use tile_plan::sync::{Collective, Engine};

use super::error::UnknownEffects;
use super::{AccessedMemory, Effects, MemoryAccess, Participants, stated};
use crate::read::{alias, divisibility};
use crate::shim::{self, StatedAccess};

/// What performs an access, by its number.
const ENGINES: [Engine; 3] = [Engine::THREADS, Engine::CP_ASYNC, Engine::TMA];

/// The effects that an op states; `None` for one that states none.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    let (scope, accesses) = shim::stated_accesses(op)?;
    if let Some(other) = string(op, SCOPE).filter(|name| Scope::named(name).is_none()) {
        return Some(Err(UnknownEffects::Scope(other)));
    }
    if let Some(inner) = stated::first_access_within(op) {
        return Some(Err(UnknownEffects::Contains(inner)));
    }
    let by = match scope {
        Scope::Thread => Participants::Any,
        Scope::Warp => Participants::Warps,
        Scope::Warpgroup => Participants::Warpgroups,
        Scope::Cta => Participants::Block,
    };
    let all = accesses.iter().map(|access| memory_accesses(op, access, scope)).collect::<Result<Vec<_>, _>>();
    Some(all.map(|all| Effects { by, accesses: all.into_iter().flatten().collect(), ..Effects::default() }))
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
    let engine = usize::try_from(access.engine).ok().and_then(|engine| ENGINES.get(engine)).copied();
    let one = |write| {
        let memory = memory((value, number), access, if write { Role::Dst } else { Role::Src })?;
        let access = MemoryAccess::read(memory, engine.unwrap_or(Engine::THREADS));
        Ok(MemoryAccess { write, collective: Collective::of_scope(scope), ..access })
    };
    let kinds = [(access.reads, false), (access.writes, true)];
    kinds.into_iter().filter(|(is_made, _)| *is_made).map(|(_, write)| one(write)).collect()
}

/// The memory of an access to an operand.
fn memory<'c: 'a, 'a>(
    (value, number): (Value<'c, 'a>, usize),
    access: &StatedAccess<'c, 'a>,
    role: Role,
) -> Result<AccessedMemory<'c, 'a>, UnknownEffects> {
    let StatedAccess { offsets, sizes, values, .. } = access;
    let Some(buffer) = BufferType::from_type(value.r#type()) else {
        let is_whole = offsets.is_empty() && sizes.is_empty();
        return if is_whole { Ok(AccessedMemory::Anywhere(number)) } else { Err(UnknownEffects::NoTile(number)) };
    };
    match buffer.space() {
        Space::Tmem => return Err(UnknownEffects::TensorMemory),
        Space::Local => return Ok(AccessedMemory::Anywhere(number)),
        Space::Shared | Space::Global => {}
    }
    let region = Region::new(buffer.shape(), offsets, sizes, values);
    let is_inside = |region: &Region<'c, 'a>| sizes.is_empty() || may_fit(region, buffer.shape());
    let region = region.filter(is_inside).ok_or_else(|| {
        let text = |number: &i64| if *number == DYNAMIC { "?".to_owned() } else { number.to_string() };
        let [offsets, sizes] = [offsets, sizes].map(|list| list.iter().map(text).collect());
        UnknownEffects::Region { operand: number, offsets, sizes, shape: buffer.shape().to_vec() }
    })?;
    Ok(AccessedMemory::Region(role, Operand { value, buffer, region }))
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
