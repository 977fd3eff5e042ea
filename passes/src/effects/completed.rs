//! The mbarrier that completes the asynchronous accesses that an op of another dialect states.
//!
//! | engine | on the mbarrier |
//! | --- | --- |
//! | `CpAsync` | each thread arrives once |
//! | `Bulk` | each thread completes the bytes that it writes to shared memory |

use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, ShapedTypeLike, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::Parts;
use tile_dialect::memref::{DYNAMIC, bit_width, extents};
use tile_isa::Scope;
use tile_plan::sync::Engine;

use super::error::UnknownEffects;
use super::loads::is_shared;
use super::{MbarrierAct, MbarrierEffect, Release};
use crate::shim::StatedAccess;

/// What performs an access, by its number.
const ENGINES: [Engine; 3] = [Engine::THREADS, Engine::CP_ASYNC, Engine::TMA];

/// What performs a stated access.
pub(super) fn engine(access: &StatedAccess<'_, '_>) -> Engine {
    let known = usize::try_from(access.engine).ok().and_then(|engine| ENGINES.get(engine)).copied();
    known.unwrap_or(Engine::THREADS)
}

/// What the accesses do to an mbarrier; `None` where none completes them.
pub(super) fn effect<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    scope: Scope,
    accesses: &[StatedAccess<'c, 'a>],
) -> Result<Option<MbarrierEffect<'c, 'a>>, UnknownEffects> {
    let is_asynchronous = |access: &&StatedAccess<'_, '_>| engine(access) != Engine::THREADS;
    if accesses.iter().any(|access| access.mbarrier.is_some() && !is_asynchronous(&access)) {
        return Err(UnknownEffects::AtOnce);
    }
    let mut completed = accesses.iter().filter(is_asynchronous).map(|access| (engine(access), access.mbarrier));
    let Some((engine, mbarrier)) = completed.next() else { return Ok(None) };
    if completed.any(|other| other.1 != mbarrier || mbarrier.is_some() && other.0 != engine) {
        return Err(UnknownEffects::Mbarriers);
    }
    let Some(number) = mbarrier else { return Ok(None) };
    let barrier = op.operand_at(number).filter(|barrier| is_shared(*barrier));
    let barrier = barrier.ok_or(UnknownEffects::NoMbarrier(number))?;
    let (count, bytes) = match engine.async_proxy {
        false => (1, 0),
        true if scope != Scope::Thread => return Err(UnknownEffects::Together),
        true => (0, -written(op, accesses)?),
    };
    let act = MbarrierAct::Arrive { count, bytes, releases: Release::None };
    Ok(Some(MbarrierEffect { barrier, act }))
}

/// The bytes that each thread writes to shared memory asynchronously.
fn written(op: OperationRef<'_, '_>, accesses: &[StatedAccess<'_, '_>]) -> Result<i64, UnknownEffects> {
    let mut sum: i64 = 0;
    for access in accesses.iter().filter(|access| access.writes && access.mbarrier.is_some()) {
        let value = access.operand.and_then(|number| op.operand_at(number)).ok_or(UnknownEffects::NoOperand)?;
        if !is_shared(value) {
            continue;
        }
        let shaped = BufferType::from_type(value.r#type()).map(|buffer| (buffer.shape().to_vec(), buffer.element()));
        let of_memref = || MemRefType::try_from(value.r#type()).ok().map(|memref| (extents(memref), memref.element()));
        let (shape, element) = shaped.or_else(of_memref).ok_or(UnknownEffects::Size)?;
        let sizes = if access.sizes.is_empty() { &shape } else { &access.sizes };
        let count = sizes.iter().try_fold(1i64, |count, &size| count.checked_mul(size).filter(|_| size != DYNAMIC));
        let bits = bit_width(element).and_then(|bits| count?.checked_mul(bits.into())).filter(|bits| bits % 8 == 0);
        sum = sum.saturating_add(bits.ok_or(UnknownEffects::Size)? / 8);
    }
    if sum > 0 { Ok(sum) } else { Err(UnknownEffects::NoBytes) }
}
