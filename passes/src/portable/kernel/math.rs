//! Ops of math that all devices compute exactly.

use melior::ir::OperationRef;
use tile_ops::{math, name};
use tile_plan::problem::refusal::Refusal;
use tile_portable::kernel::{Expression, Function};

use super::reader::Reader;

/// What they are.
const FUNCTIONS: [(&str, Function); 5] = [
    (math::FloorOp::NAME, Function::Floor),
    (math::CeilOp::NAME, Function::Ceil),
    (math::TruncOp::NAME, Function::Trunc),
    (math::AbsFOp::NAME, Function::AbsoluteFloat),
    (math::AbsIOp::NAME, Function::Absolute),
];

impl Reader {
    /// An op of math; not so for others.
    pub(super) fn math(&mut self, op: OperationRef<'_, '_>) -> Result<bool, Refusal> {
        if math::CopySignOp::cast(op).is_some() {
            let scalar = self.computed(op, 0)?;
            let pairs: Vec<_> = self.operand(op, 0)?.into_iter().zip(self.operand(op, 1)?).collect();
            let lanes = pairs.into_iter().map(|(size, sign)| self.push(Expression::Signed(scalar, [size, sign])));
            let lanes = lanes.collect();
            self.give(op, lanes);
            return Ok(true);
        }
        let Some((_, function)) = FUNCTIONS.into_iter().find(|(known, _)| *known == name(op)) else {
            return Ok(false);
        };
        let scalar = self.computed(op, 0)?;
        let is_wide = scalar.bits() == 64 && function != Function::AbsoluteFloat;
        if is_wide || scalar.bits() == 1 {
            return Err(self.unknown(op));
        }
        let lanes = self.operand(op, 0)?;
        let lanes = self.each(lanes, |value| Expression::Function(function, scalar, value));
        self.give(op, lanes);
        Ok(true)
    }
}
