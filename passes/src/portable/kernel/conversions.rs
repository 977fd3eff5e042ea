//! Conversions of numbers.

use melior::ir::{OperationRef, TypeLike, ValueLike};
use tile_dialect::ir::{Parts, results_of};
use tile_ops::{arith, name};
use tile_plan::problem::refusal::Refusal;
use tile_portable::Scalar;
use tile_portable::kernel::Expression;

use super::reader::PortableReader;
use super::values::{self, Id};

impl PortableReader {
    /// Reads an op of arith that converts numbers; `None` for other ops.
    pub(super) fn conversion(&mut self, op: OperationRef<'_, '_>) -> Result<Option<Vec<Id>>, Refusal> {
        let lanes = match name(op) {
            arith::ExtUIOp::NAME => self.resized(op, false)?,
            arith::ExtSIOp::NAME | arith::TruncIOp::NAME | arith::IndexCastOp::NAME => self.resized(op, true)?,
            // An index represents a signed 64-bit value.
            arith::IndexCastUIOp::NAME => {
                let is_index = op.operand_at(0).is_some_and(|value| value.r#type().is_index());
                self.resized(op, is_index)?
            }
            arith::ExtFOp::NAME | arith::TruncFOp::NAME => self.converted(op)?,
            arith::SIToFPOp::NAME => self.floated(op, true)?,
            arith::UIToFPOp::NAME => self.floated(op, false)?,
            arith::FPToSIOp::NAME => self.truncated(op, true)?,
            arith::FPToUIOp::NAME => self.truncated(op, false)?,
            _ => return Ok(None),
        };
        Ok(Some(lanes))
    }

    fn resized(&mut self, op: OperationRef<'_, '_>, signed: bool) -> Result<Vec<Id>, Refusal> {
        let ((to, _), from) = (self.result_type(op)?, self.computed(op, 0)?);
        let lanes = self.operand(op, 0)?;
        Ok(self.each(lanes, |value| Expression::Resized { from, to, signed, value }))
    }

    /// The source and result types of a conversion.
    fn types(&self, op: OperationRef<'_, '_>) -> Result<[Scalar; 2], Refusal> {
        let result = results_of(op).first().copied().ok_or_else(|| self.unknown(op))?;
        Ok([self.computed(op, 0)?, values::computed(result, &self.target)?])
    }

    /// Converts between floats of 16 and 32 bits; other floats, and other rounding modes, are not supported.
    fn converted(&mut self, op: OperationRef<'_, '_>) -> Result<Vec<Id>, Refusal> {
        let [from, to] = self.types(op)?;
        let rounds = arith::TruncFOp::cast(op).and_then(arith::TruncFOp::roundingmode).is_some();
        if rounds || from == Scalar::F64 || to == Scalar::F64 {
            return Err(self.unknown(op));
        }
        let lanes = self.operand(op, 0)?;
        Ok(self.each(lanes, |value| Expression::Converted { from, to, value }))
    }

    /// Converts an integer through f32, which must not round before the result type rounds again: integers that f32
    /// rounds overflow f16, but not bf16.
    fn floated(&mut self, op: OperationRef<'_, '_>, signed: bool) -> Result<Vec<Id>, Refusal> {
        let [from, to] = self.types(op)?;
        let rounds_twice = to == Scalar::Bf16 && from.bits() > 16;
        if from.bits() > 32 || to == Scalar::F64 || rounds_twice {
            return Err(self.unknown(op));
        }
        let lanes = self.operand(op, 0)?;
        Ok(self.each(lanes, |value| Expression::ToFloat { from, to, signed, value }))
    }

    fn truncated(&mut self, op: OperationRef<'_, '_>, signed: bool) -> Result<Vec<Id>, Refusal> {
        let [from, to] = self.types(op)?;
        if from == Scalar::F64 || !(8..=32).contains(&to.bits()) {
            return Err(self.unknown(op));
        }
        let lanes = self.operand(op, 0)?;
        Ok(self.each(lanes, |value| Expression::ToInteger { from, to, signed, value }))
    }
}
