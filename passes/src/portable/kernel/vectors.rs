//! Ops of vector, lane by lane.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, ValueLike};
use tile_dialect::ir::{Parts, results_of};
use tile_ops::vector;
use tile_plan::problem::refusal::Refusal;
use tile_portable::Scalar;
use tile_portable::kernel::{Expression, Shift};

use super::reader::PortableReader;
use super::values::{self, Id, KnownValue};

impl PortableReader {
    /// Reads an op of vector that moves lanes; `false` for other ops.
    pub(super) fn vector(&mut self, op: OperationRef<'_, '_>) -> Result<bool, Refusal> {
        let lanes = if let Some(extract) = vector::ExtractOp::cast(op) {
            let lanes = self.operand(op, 0)?;
            self.at(op, &lanes, &extract.static_position())?
        } else if let Some(insert) = vector::InsertOp::cast(op) {
            let (one, mut lanes) = (self.operand(op, 0)?, self.operand(op, 1)?);
            let position = insert.static_position();
            self.at(op, &lanes, &position)?;
            lanes[position[0] as usize] = one[0];
            lanes
        } else if let Some(shuffle) = vector::ShuffleOp::cast(op) {
            let both = [self.operand(op, 0)?, self.operand(op, 1)?].concat();
            let place = |&place: &i64| usize::try_from(place).ok().and_then(|place| both.get(place)).copied();
            shuffle.mask().iter().map(place).collect::<Option<_>>().ok_or_else(|| self.unknown(op))?
        } else if vector::FromElementsOp::cast(op).is_some() {
            let mut lanes = Vec::new();
            for index in 0..op.operand_count() {
                lanes.extend(self.operand(op, index)?);
            }
            lanes
        } else if vector::ToElementsOp::cast(op).is_some() {
            let lanes = self.operand(op, 0)?;
            for (result, lane) in results_of(op).into_iter().zip(lanes) {
                self.know(result, KnownValue::Lanes(vec![lane]));
            }
            return Ok(true);
        } else if vector::BroadcastOp::cast(op).is_some() {
            let (_, count) = self.result_type(op)?;
            let lanes = self.operand(op, 0)?;
            (0..count).map(|place| lanes[place % lanes.len()]).collect()
        } else if vector::BitCastOp::cast(op).is_some() {
            self.recast(op)?
        } else {
            return Ok(false);
        };
        self.give(op, lanes);
        Ok(true)
    }

    /// The lane at a static, one-dimensional position.
    fn at(&self, op: OperationRef<'_, '_>, lanes: &[Id], position: &[i64]) -> Result<Vec<Id>, Refusal> {
        let [place] = position else { return Err(self.unknown(op)) };
        let lane = usize::try_from(*place).ok().and_then(|place| lanes.get(place));
        lane.map(|lane| vec![*lane]).ok_or_else(|| self.unknown(op))
    }

    pub(super) fn result_type(&self, op: OperationRef<'_, '_>) -> Result<(Scalar, usize), Refusal> {
        let result = results_of(op).first().copied().ok_or_else(|| self.unknown(op))?;
        values::lanes(result.r#type(), &self.target)
    }

    /// The same bits as lanes of another width, through words of 32 bits.
    fn recast(&mut self, op: OperationRef<'_, '_>) -> Result<Vec<Id>, Refusal> {
        let source = op.operand_at(0).ok_or_else(|| self.unknown(op))?;
        let ((from, _), (to, _)) = (values::scalar_type(source, &self.target)?, self.result_type(op)?);
        let lanes = self.lanes(source)?;
        if from.bits() == to.bits() {
            return Ok(lanes);
        }
        let whole = (lanes.len() as u32 * from.bits()).is_multiple_of(32.max(to.bits()));
        if !whole || from == Scalar::Bool || to == Scalar::Bool {
            return Err(self.unknown(op));
        }
        let words = self.words(&lanes, from);
        Ok(self.of_words(&words, to))
    }

    fn words(&mut self, lanes: &[Id], from: Scalar) -> Vec<Id> {
        let bits = from.bits();
        match bits {
            64 => lanes
                .iter()
                .flat_map(|&lane| [false, true].map(|upper| self.push(Expression::Half(lane, upper))))
                .collect(),
            32 => lanes.to_vec(),
            _ => lanes.chunks((32 / bits) as usize).map(|lanes| self.packed(lanes, bits)).collect(),
        }
    }

    /// One word packed from several lanes, the first one lowest.
    fn packed(&mut self, lanes: &[Id], bits: u32) -> Id {
        let mut word = lanes[0];
        for (place, &lane) in (1..).zip(&lanes[1..]) {
            let by = self.constant(Scalar::I32, u64::from(place * bits));
            let shifted = self.push(Expression::Shift(Shift::Left, Scalar::I32, [lane, by]));
            word = self.push(Expression::Binary(tile_portable::Binary::Or, Scalar::I32, [word, shifted]));
        }
        word
    }

    fn of_words(&mut self, words: &[Id], to: Scalar) -> Vec<Id> {
        let bits = to.bits();
        match bits {
            64 => words.chunks(2).map(|half| self.push(Expression::Joined([half[0], half[1]]))).collect(),
            32 => words.to_vec(),
            _ => {
                let part = |(word, place): (Id, u32)| self.part(word, place * bits, bits);
                let places = words.iter().flat_map(|&word| (0..32 / bits).map(move |place| (word, place)));
                places.map(part).collect()
            }
        }
    }

    /// `bits` bits of a word, starting at bit `first`.
    fn part(&mut self, word: Id, first: u32, bits: u32) -> Id {
        let by = self.constant(Scalar::I32, u64::from(first));
        let shifted = self.push(Expression::Shift(Shift::Right, Scalar::I32, [word, by]));
        let to = if bits == 8 { Scalar::I8 } else { Scalar::I16 };
        self.push(Expression::Resized { from: Scalar::I32, to, signed: false, value: shifted })
    }
}
