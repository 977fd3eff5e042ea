//! Vectors of a masked copy: which of them are read and written, and the filler.

use melior::ir::{TypeLike, Value};
use tile_dialect::ops::PlannedOp;
use tile_ops::arith;
use tile_ops::constant::{self, ConstantNumber};
use tile_plan::address;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::problem::effect::Effect;
use tile_plan::problem::mask::{Bounded, Mask};
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::ValueList;

use crate::emit::error::EmitError;
use crate::emit::{Decided, Emit, Storage, Sum, several};

/// The mask of a copy, with the values of its limits.
pub struct Masked<'p, 'c, 'a> {
    plan: &'p VectorCopy,
    mask: &'p Mask,
    values: Vec<Sum<'c, 'a>>,
    filler: Option<Value<'c, 'a>>,
}

/// A round and the thread.
pub type RoundAndThread<'c, 'a> = (Sum<'c, 'a>, Sum<'c, 'a>);

impl<'p, 'c: 'a, 'a> Masked<'p, 'c, 'a> {
    /// The mask of an op with the given plan; `None` where it has none.
    pub fn of(op: PlannedOp<'c, 'a>, plan: &'p VectorCopy) -> Option<Self> {
        let mask = plan.mask.as_ref()?;
        let values = op.values(ValueList::Mask).into_iter().map(Sum::value).collect();
        Some(Masked { plan, mask, values, filler: op.filler().filter(|_| plan.effect != Effect::Filled) })
    }

    fn bounded(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        role: Role,
        place: RoundAndThread<'c, 'a>,
    ) -> Result<Vec<Bounded<Sum<'c, 'a>>>, Refusal> {
        address::bounded(emit, self.plan, role, place, &self.values)
    }

    /// Whether the vector is inside the bounds of one side.
    pub fn inside(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        role: Role,
        place: RoundAndThread<'c, 'a>,
    ) -> Result<Decided<'c, 'a>, EmitError> {
        let bounded = self.bounded(emit, role, place)?;
        Ok(emit.inside(&bounded))
    }

    /// Whether the vector is written. Without a filler, its source must be inside the bounds, too.
    pub fn is_written(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        place: RoundAndThread<'c, 'a>,
    ) -> Result<Decided<'c, 'a>, EmitError> {
        let written = self.inside(emit, Role::Dst, place)?;
        if self.filler.is_some() {
            return Ok(written);
        }
        let read = self.inside(emit, Role::Src, place)?;
        Ok(emit.both(read, written))
    }

    /// The value of a vector that is not read: the filler, if it has the source's type, else zeros.
    pub fn unread(&self, emit: &Emit<'c, 'a, '_>, from: Storage<'c, 'a>) -> Value<'c, 'a> {
        match self.filler.filter(|_| self.plan.conversion.is_none()) {
            Some(filler) => emit.spread(filler, self.plan.vector),
            None => {
                let zero =
                    if from.element.is_integer() { ConstantNumber::Integer(0) } else { ConstantNumber::Float(0.0) };
                let zeros = constant::number(several(self.plan.vector, from.element), zero);
                constant::typed(emit.kit.builder, zeros)
            }
        }
    }

    /// A vector after conversion, replaced by the filler where it was not read.
    pub fn filled(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        value: Value<'c, 'a>,
        place: RoundAndThread<'c, 'a>,
    ) -> Result<Value<'c, 'a>, EmitError> {
        let Some(filler) = self.filler.filter(|_| self.plan.conversion.is_some()) else { return Ok(value) };
        let filler = emit.spread(filler, self.plan.vector);
        Ok(match self.inside(emit, Role::Src, place)? {
            Decided::Known(true) => value,
            Decided::Known(false) => filler,
            Decided::Bit(bit) => emit.kit.select(bit, value, filler),
        })
    }

    /// The number of bytes that a `cp.async` of `bytes` reads, where zeros fill the rest; `None` without a filler.
    pub fn bytes_read(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        bytes: i64,
        place: RoundAndThread<'c, 'a>,
    ) -> Result<Option<Value<'c, 'a>>, EmitError> {
        if self.filler.is_none() {
            return Ok(None);
        }
        let bounded = self.bounded(emit, Role::Src, place)?;
        let along = self.mask.digits.last().filter(|last| last.step != 0).map(|last| last.dimension);
        let mut read = emit.number(self.plan.vector);
        for (_, end) in self.mask.of_side(Role::Src).zip(&bounded).filter(|(limit, _)| limit.dimension == along) {
            if along.is_some() {
                let (place, extent) = (emit.materialize(end.place), emit.materialize(end.extent));
                let left = arith::subi(emit.kit.builder, extent, place).value();
                read = arith::minsi(emit.kit.builder, read, left).value();
            }
        }
        let element = emit.number(bytes / self.plan.vector);
        let read = arith::muli(emit.kit.builder, read, element).value();
        let read = arith::index_cast(emit.kit.builder, read, emit.kit.int_type(32)).value();
        Ok(Some(match emit.inside(&bounded) {
            Decided::Known(true) => read,
            Decided::Known(false) => emit.kit.i32(0),
            Decided::Bit(bit) => {
                let none = emit.kit.i32(0);
                emit.kit.select(bit, read, none)
            }
        }))
    }
}
