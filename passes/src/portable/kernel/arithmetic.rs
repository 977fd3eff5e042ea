//! Ops of arith, lane by lane.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, TypeLike, ValueLike};
use tile_dialect::ir::{Parts, results_of};
use tile_ops::{arith, name};
use tile_plan::problem::refusal::Refusal;
use tile_portable::kernel::{Expression, Shift};
use tile_portable::{PortableElement, Scalar};

use super::super::{constant, operator};
use super::reader::PortableReader;
use super::values::{self, Id, KnownValue};

type Pair = fn(Scalar, [Id; 2]) -> Expression;

/// The ops that combine two integers; only shifts have 64 bits.
const WORDS: [(&str, Pair); 7] = [
    (arith::ShLIOp::NAME, |scalar, pair| Expression::Shift(Shift::Left, scalar, pair)),
    (arith::ShRUIOp::NAME, |scalar, pair| Expression::Shift(Shift::Right, scalar, pair)),
    (arith::ShRSIOp::NAME, |scalar, pair| Expression::Shift(Shift::Signed, scalar, pair)),
    (arith::DivUIOp::NAME, |scalar, pair| Expression::Quotient(scalar, false, pair)),
    (arith::DivSIOp::NAME, |scalar, pair| Expression::Quotient(scalar, true, pair)),
    (arith::RemUIOp::NAME, |scalar, pair| Expression::Remainder(scalar, false, pair)),
    (arith::RemSIOp::NAME, |scalar, pair| Expression::Remainder(scalar, true, pair)),
];

impl PortableReader {
    /// Reads an op of arith; `false` for other ops.
    pub(super) fn arithmetic(&mut self, op: OperationRef<'_, '_>) -> Result<bool, Refusal> {
        if let Some(constant) = arith::ConstantOp::cast(op) {
            return self.literal(op, constant).map(|()| true);
        }
        let lanes = match op.operand_count() {
            1 => self.unary(op)?,
            2 => self.binary(op)?,
            _ => self.choice(op)?,
        };
        let Some(lanes) = lanes else { return Ok(false) };
        self.give(op, lanes);
        Ok(true)
    }

    fn literal<'c: 'a, 'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        number: arith::ConstantOp<'c, 'a>,
    ) -> Result<(), Refusal> {
        let result = number.result();
        let (scalar, count) = values::scalar_type(result, &self.target)?;
        let element = PortableElement {
            scalar: if result.r#type().is_index() { Scalar::I64 } else { scalar },
            lanes: count as u32,
        };
        let is_moved = scalar == Scalar::F64;
        if !is_moved {
            values::computed(result, &self.target)?;
        }
        let bits = number.value_attribute().and_then(|value| constant::bits(value, element));
        let bits = bits.ok_or_else(|| self.unknown(op))?;
        if result.r#type().is_index() {
            self.know(result, KnownValue::Index(bits[0].cast_signed()));
        } else {
            let lanes = bits.into_iter().map(|bits| self.constant(scalar, bits)).collect();
            self.know(result, KnownValue::Lanes(lanes));
        }
        Ok(())
    }

    /// The scalar type of an operand that takes part in arithmetic.
    pub(super) fn computed(&self, op: OperationRef<'_, '_>, index: usize) -> Result<Scalar, Refusal> {
        values::computed(op.operand_at(index).ok_or_else(|| self.unknown(op))?, &self.target)
    }

    pub(super) fn each(&mut self, lanes: Vec<Id>, make: impl Fn(Id) -> Expression) -> Vec<Id> {
        lanes.into_iter().map(|lane| self.push(make(lane))).collect()
    }

    fn binary(&mut self, op: OperationRef<'_, '_>) -> Result<Option<Vec<Id>>, Refusal> {
        let compare = operator::compare(op);
        let binary = operator::BINARIES.iter().find(|(known, _)| *known == name(op)).map(|(_, binary)| *binary);
        let word = WORDS.iter().find(|(known, _)| *known == name(op)).map(|(_, make)| *make);
        if compare.is_none() && binary.is_none() && word.is_none() {
            return Ok(None);
        }
        let scalar = self.computed(op, 0)?;
        let shifts = matches!(name(op), arith::ShLIOp::NAME | arith::ShRUIOp::NAME | arith::ShRSIOp::NAME);
        if word.is_some() && scalar.bits() == 64 && !shifts {
            return Err(self.unknown(op));
        }
        let pairs: Vec<[Id; 2]> =
            self.operand(op, 0)?.into_iter().zip(self.operand(op, 1)?).map(|(a, b)| [a, b]).collect();
        let make = |pair| match (compare, binary, word) {
            (Some(compare), ..) => Expression::Compare(compare, scalar, pair),
            (None, Some(binary), _) => Expression::Binary(binary, scalar, pair),
            (None, None, Some(make)) => make(scalar, pair),
            (None, None, None) => Expression::Same(pair[0]),
        };
        Ok(Some(pairs.into_iter().map(|pair| self.push(make(pair))).collect()))
    }

    fn choice(&mut self, op: OperationRef<'_, '_>) -> Result<Option<Vec<Id>>, Refusal> {
        if arith::SelectOp::cast(op).is_none() {
            return Ok(None);
        }
        if results_of(op).first().is_some_and(|result| values::scalar_type(*result, &self.target).is_err()) {
            return Err(self.unknown(op));
        }
        let [bits, yes, no] = [self.operand(op, 0)?, self.operand(op, 1)?, self.operand(op, 2)?];
        let choose = |place: usize| Expression::Select(bits[place.min(bits.len() - 1)], [yes[place], no[place]]);
        let all: Vec<Expression> = (0..yes.len()).map(choose).collect();
        Ok(Some(all.into_iter().map(|choice| self.push(choice)).collect()))
    }

    /// Conversions and negation.
    fn unary(&mut self, op: OperationRef<'_, '_>) -> Result<Option<Vec<Id>>, Refusal> {
        if let Some(lanes) = self.conversion(op)? {
            return Ok(Some(lanes));
        }
        match name(op) {
            arith::NegFOp::NAME => {
                let scalar = self.computed(op, 0)?;
                let lanes = self.operand(op, 0)?;
                Ok(Some(self.each(lanes, |value| Expression::Negated(scalar, value))))
            }
            arith::BitcastOp::NAME => self.operand(op, 0).map(Some),
            _ => Ok(None),
        }
    }
}
