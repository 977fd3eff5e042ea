//! `tile.bulk_copy`.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, ValueLike};
use tile_isa::bulk::{Reduction, Route, check_chunks};

use super::super::asynchronous::is_barrier;
use super::super::hints;
use super::sides::sides;
use super::tmem::check_element;
use crate::ops::{segment, string};

/// Groups of operands, after those of the two sides.
const BARRIER: usize = 4;
const REMOTE_CTA: usize = 5;

pub(super) fn bulk(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (src, dst) = sides(op)?;
    let route = Route::between(src.buffer.space().name(), dst.buffer.space().name())?;
    let [barrier, remote_cta] = [BARRIER, REMOTE_CTA].map(|group| segment(op, group).first().copied());
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
