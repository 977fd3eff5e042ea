//! The operator of a scan as steps on scalars.

use std::collections::HashMap;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, Type, Value, ValueLike};
use tile_dialect::ir::{Arguments, Parts, results_of};
use tile_dialect::ops::{CombineKind, ScanElement, ScanOp};
use tile_ops::arith::{self, CmpFPredicate, CmpIPredicate};
use tile_ops::{name, tile, vector};
use tile_portable::operator::{self, Id};
use tile_portable::{Binary, Compare, Operator, OperatorStep, PortableElement, Scalar};

use super::constant;

/// The operator of an op whose verifier has run.
///
/// # Errors
/// An op in its region for which portable targets have no step.
pub(super) fn read(scan: ScanOp<'_, '_>) -> Result<Operator, String> {
    let element = element(scan.element().ok_or("scans elements that are no numbers")?)?;
    match (binary(scan.kind()), scan.combine()) {
        (Some(binary), _) => Ok(Operator::by_lane(element, binary)),
        (None, Some(block)) => OperatorRegion::new(element).read(block),
        (None, None) => Err("has no region".to_owned()),
    }
}

/// The initial value of an exclusive scan, lane by lane.
pub(super) fn identity(scan: ScanOp<'_, '_>, operator: &Operator) -> Option<Vec<u64>> {
    if let Some(stated) = scan.identity() {
        return constant::bits(stated, operator.element);
    }
    let one = operator::identity(operator.element.scalar, binary(scan.kind())?)?;
    Some(vec![one; operator.element.lanes as usize])
}

fn element(element: ScanElement<'_>) -> Result<PortableElement, String> {
    let name = element.scalar.to_string();
    match Scalar::named(&name) {
        None | Some(Scalar::Bool) => Err(format!("scans elements of {name}, which portable targets do not combine")),
        Some(scalar) => Ok(PortableElement { scalar, lanes: element.lanes }),
    }
}

fn binary(kind: CombineKind) -> Option<Binary> {
    Some(match kind {
        CombineKind::Add => Binary::Add,
        CombineKind::Mul => Binary::Mul,
        CombineKind::Min => Binary::Min,
        CombineKind::Max => Binary::Max,
        CombineKind::UMin => Binary::UMin,
        CombineKind::UMax => Binary::UMax,
        CombineKind::And => Binary::And,
        CombineKind::Or => Binary::Or,
        CombineKind::Xor => Binary::Xor,
        CombineKind::Custom => return None,
    })
}

/// The ops of arith that combine two numbers.
pub(super) const BINARIES: [(&str, Binary); 18] = [
    (arith::AddIOp::NAME, Binary::Add),
    (arith::AddFOp::NAME, Binary::Add),
    (arith::SubIOp::NAME, Binary::Sub),
    (arith::SubFOp::NAME, Binary::Sub),
    (arith::MulIOp::NAME, Binary::Mul),
    (arith::MulFOp::NAME, Binary::Mul),
    (arith::DivFOp::NAME, Binary::Div),
    (arith::MinSIOp::NAME, Binary::Min),
    (arith::MinimumFOp::NAME, Binary::Min),
    (arith::MaxSIOp::NAME, Binary::Max),
    (arith::MaximumFOp::NAME, Binary::Max),
    (arith::MinNumFOp::NAME, Binary::MinNum),
    (arith::MaxNumFOp::NAME, Binary::MaxNum),
    (arith::MinUIOp::NAME, Binary::UMin),
    (arith::MaxUIOp::NAME, Binary::UMax),
    (arith::AndIOp::NAME, Binary::And),
    (arith::OrIOp::NAME, Binary::Or),
    (arith::XOrIOp::NAME, Binary::Xor),
];

/// A region that is being read: the lanes of each value.
struct OperatorRegion {
    element: PortableElement,
    steps: Vec<OperatorStep>,
    lanes: HashMap<usize, Vec<Id>>,
}

impl OperatorRegion {
    fn new(element: PortableElement) -> Self {
        OperatorRegion { element, steps: Vec::new(), lanes: HashMap::new() }
    }

    fn step(&mut self, step: OperatorStep) -> Id {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn read(mut self, block: BlockRef<'_, '_>) -> Result<Operator, String> {
        for (index, side) in
            [OperatorStep::Left as fn(u32) -> OperatorStep, OperatorStep::Right].into_iter().enumerate()
        {
            let argument = block.argument_at(index).ok_or("has no argument for one of the operands")?;
            let lanes = (0..self.element.lanes).map(|lane| self.step(side(lane))).collect();
            self.lanes.insert(key(argument.into()), lanes);
        }
        let mut next = block.first_operation();
        while let Some(op) = next {
            if let Some(end) = tile::YieldOp::cast(op) {
                let results = self.lanes_of(end.operation(), 0)?;
                return Ok(Operator { element: self.element, steps: self.steps, results });
            }
            self.op(op)?;
            next = op.next_in_block();
        }
        Err("has a region that yields nothing".to_owned())
    }

    fn lanes_of(&self, op: OperationRef<'_, '_>, operand: usize) -> Result<Vec<Id>, String> {
        let value = op.operand_at(operand).ok_or("has an op without operands")?;
        self.lanes.get(&key(value)).cloned().ok_or_else(|| format!("uses a value of {} before it is there", name(op)))
    }

    fn op(&mut self, op: OperationRef<'_, '_>) -> Result<(), String> {
        let results = results_of(op);
        let refused = || {
            format!(
                "combines by {}, which portable targets have no step for, expected sums, products, quotients of floats, \
                 extremes, bits, comparisons, choices, constants, and elements of vectors",
                name(op)
            )
        };
        let made = if vector::ToElementsOp::cast(op).is_some() {
            let lanes = self.lanes_of(op, 0)?;
            for (result, lane) in results.iter().zip(lanes) {
                self.lanes.insert(key(*result), vec![lane]);
            }
            return Ok(());
        } else if vector::FromElementsOp::cast(op).is_some() {
            (0..op.operand_count()).map(|index| Ok(self.lanes_of(op, index)?[0])).collect::<Result<_, String>>()?
        } else if let Some(extract) = vector::ExtractOp::cast(op) {
            let lanes = self.lanes_of(op, 0)?;
            let place = extract.static_position().first().and_then(|&place| usize::try_from(place).ok());
            vec![place.and_then(|place| lanes.get(place).copied()).ok_or_else(refused)?]
        } else {
            self.arithmetic(op, results.first().copied().ok_or_else(refused)?)?.ok_or_else(refused)?
        };
        self.lanes.insert(key(*results.first().ok_or_else(refused)?), made);
        Ok(())
    }

    /// Reads an op of arith lane by lane; `None` for an op that is not supported.
    fn arithmetic(&mut self, op: OperationRef<'_, '_>, result: Value<'_, '_>) -> Result<Option<Vec<Id>>, String> {
        let Some((made, count)) = scalar(result.r#type()) else { return Ok(None) };
        if let Some(constant) = arith::ConstantOp::cast(op) {
            let element = PortableElement { scalar: made, lanes: count };
            let bits = constant.value_attribute().and_then(|value| constant::bits(value, element));
            return Ok(
                bits.map(|all| all.into_iter().map(|bits| self.step(OperatorStep::Constant(made, bits))).collect())
            );
        }
        if arith::SelectOp::cast(op).is_some() {
            let [bits, yes, no] = [0, 1, 2].map(|operand| self.lanes_of(op, operand));
            let (bits, yes, no) = (bits?, yes?, no?);
            let choose = |lane: usize| OperatorStep::Select(bits[lane.min(bits.len() - 1)], [yes[lane], no[lane]]);
            return Ok(Some((0..yes.len()).map(|lane| self.step(choose(lane))).collect()));
        }
        let [left, right] = match op.operand_count() {
            2 => [self.lanes_of(op, 0)?, self.lanes_of(op, 1)?],
            _ => return Ok(None),
        };
        let pairs = left.into_iter().zip(right);
        let operand = op.operand_at(0).and_then(|value| scalar(value.r#type()));
        let compare = compare(op);
        let binary = BINARIES.iter().find(|(known, _)| *known == name(op)).map(|(_, binary)| *binary);
        let steps: Vec<OperatorStep> = match (compare, binary, operand) {
            (Some(compare), _, Some((of, _))) => {
                pairs.map(|(a, b)| OperatorStep::Compare(compare, of, [a, b])).collect()
            }
            (None, Some(binary), _) => pairs.map(|(a, b)| OperatorStep::Binary(binary, made, [a, b])).collect(),
            _ => return Ok(None),
        };
        Ok(Some(steps.into_iter().map(|step| self.step(step)).collect()))
    }
}

pub(super) fn compare(op: OperationRef<'_, '_>) -> Option<Compare> {
    if let Some(compare) = arith::CmpIOp::cast(op) {
        return Some(match compare.predicate()? {
            CmpIPredicate::Eq => Compare::Eq,
            CmpIPredicate::Ne => Compare::Ne,
            CmpIPredicate::Slt => Compare::Lt,
            CmpIPredicate::Sle => Compare::Le,
            CmpIPredicate::Sgt => Compare::Gt,
            CmpIPredicate::Sge => Compare::Ge,
            CmpIPredicate::Ult => Compare::ULt,
            CmpIPredicate::Ule => Compare::ULe,
            CmpIPredicate::Ugt => Compare::UGt,
            CmpIPredicate::Uge => Compare::UGe,
            _ => return None,
        });
    }
    match arith::CmpFOp::cast(op)?.predicate()? {
        CmpFPredicate::Oeq => Some(Compare::Eq),
        CmpFPredicate::Une => Some(Compare::Ne),
        CmpFPredicate::Olt => Some(Compare::Lt),
        CmpFPredicate::Ole => Some(Compare::Le),
        CmpFPredicate::Ogt => Some(Compare::Gt),
        CmpFPredicate::Oge => Some(Compare::Ge),
        CmpFPredicate::Uno => Some(Compare::Unordered),
        _ => None,
    }
}

/// The scalar of a type, and its number of lanes.
fn scalar(r#type: Type<'_>) -> Option<(Scalar, u32)> {
    let element = ScanElement::new(r#type)?;
    Some((Scalar::named(&element.scalar.to_string())?, element.lanes))
}

fn key(value: Value<'_, '_>) -> usize {
    value.to_raw().ptr as usize
}
