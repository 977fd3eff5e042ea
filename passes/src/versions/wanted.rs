//! The `tile.version` with which a copy would take fewer accesses.

use melior::ir::r#type::MemRefType;
use melior::ir::{Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op, uses};
use tile_dialect::memref::{DYNAMIC, RowNumber, row_numbers};
use tile_dialect::ops::CopyOp;
use tile_layout::gcd;
use tile_ops::{arith, memref, name, tile};
use tile_plan::families::vector::plan::MatchedCopy;
use tile_plan::families::vector::wanted::{RunTimeNumber, Wanted, wanted};
use tile_plan::problem::run_time::ValueList;
use tile_plan::target::Target;

use super::clause::{PromiseKind, VersionClause};
use crate::read::divisibility;
use crate::read::rows::unpromised;
use crate::read::run_time::RunTime;
use crate::read::values::key;
use crate::read::{mask, problem, root};

/// The promises with which a copy of that plan would take fewer accesses, and their width then, in bits; `None` where there are no
/// such promises, or a version cannot make them.
pub fn promises<'c: 'a, 'a>(
    copy: CopyOp<'c, 'a>,
    plan: &MatchedCopy,
    target: &Target,
    max_bits: u32,
) -> Option<(Vec<VersionClause<'c, 'a>>, i64)> {
    let (wanted, bits) = wanted(plan, target, max_bits)?;
    let mut clauses = Vec::new();
    for wanted in &wanted {
        add(&mut clauses, clause(copy, wanted)?);
    }
    Some((clauses, bits))
}

/// Adds a promise; one that is there about the same value becomes the stronger of the two, since each is a power of two.
fn add<'c: 'a, 'a>(clauses: &mut Vec<VersionClause<'c, 'a>>, new: VersionClause<'c, 'a>) {
    let same = |known: &&mut VersionClause<'c, 'a>| {
        let of_kind = std::mem::discriminant(&known.promise) == std::mem::discriminant(&new.promise);
        of_kind && key(known.value) == key(new.value)
    };
    match clauses.iter_mut().find(same) {
        Some(known) => known.promise = known.promise.max(new.promise),
        None => clauses.push(new),
    }
}

/// Whether another copy of the region around relies on as much already, so that this one is what is left where that does not hold.
pub fn is_versioned(clause: &VersionClause<'_, '_>) -> bool {
    uses(clause.value).into_iter().filter_map(|(op, _)| tile::AssumeOp::cast(op)).any(|assumed| match clause.promise {
        PromiseKind::DivisibleBy(divisor) => assumed.divisor().is_some_and(|known| known % divisor == 0),
        PromiseKind::Aligned(bytes) => assumed.alignment().is_some_and(|known| known % bytes == 0),
    })
}

fn clause<'c: 'a, 'a>(copy: CopyOp<'c, 'a>, wanted: &Wanted) -> Option<VersionClause<'c, 'a>> {
    let sides = copy.sides()?;
    let side = |role| sides.iter().find(|(of, _)| *of == role).map(|(_, side)| side);
    let number = match wanted.number {
        RunTimeNumber::Address(role) => {
            let view = defining_op(root::root(side(role)?.value)).filter(|op| name(*op) == tile::ViewOp::NAME)?;
            return Some(VersionClause {
                value: unpromised(view.operand_at(0)?),
                promise: PromiseKind::Aligned(wanted.multiple),
            });
        }
        RunTimeNumber::Value(ValueList::Of(role), index) => {
            problem::values(side(role)?, role).ok()?.1.into_iter().nth(index)?
        }
        RunTimeNumber::Value(ValueList::Mask, index) => mask::values(&mask::bounds(copy)).into_iter().nth(index)?,
    };
    of_number(number, wanted.multiple)
}

/// A promise about a number: about the rows of a memref, where it is a number of these, else about its value.
fn of_number<'c: 'a, 'a>(number: RunTime<'c, 'a>, divisor: i64) -> Option<VersionClause<'c, 'a>> {
    let of_rows = |memref: Value<'c, 'a>, number, divisor| {
        let rows = MemRefType::try_from(memref.r#type()).ok().and_then(row_numbers)?;
        let allows = |(_, stated): &(RowNumber, i64)| *stated == DYNAMIC || stated % divisor == 0;
        let has_number = rows.iter().any(|(row, _)| *row == number) && rows.iter().all(allows);
        has_number.then(|| VersionClause { value: unpromised(memref), promise: PromiseKind::DivisibleBy(divisor) })
    };
    match number.stated() {
        RunTime::Stride(memref, dimension) => of_rows(memref, RowNumber::Stride(dimension), divisor),
        RunTime::Extent(memref, dimension) => of_rows(memref, RowNumber::Extent(dimension), divisor),
        RunTime::Start(start) => match &start.values[..] {
            &[value] if start.constant % divisor == 0 => of_number(RunTime::Value(value), divisor),
            _ => None,
        },
        RunTime::Value(value) => {
            let (value, divisor) = of_factor(value, divisor);
            let promise = PromiseKind::DivisibleBy(divisor);
            let dimension = defining_op(value).and_then(memref::DimOp::cast).and_then(|dim| {
                let dimension = divisibility::infer(dim.index()).constant()?;
                of_rows(dim.source(), RowNumber::Extent(usize::try_from(dimension).ok()?), divisor)
            });
            dimension.or(Some(VersionClause { value, promise }))
        }
        RunTime::Constant(_) => None,
    }
}

/// The value that is a factor of a product or another type of a number, and what it has to be a multiple of for the number to be a
/// multiple of `divisor`, a power of two.
fn of_factor<'c: 'a, 'a>(value: Value<'c, 'a>, divisor: i64) -> (Value<'c, 'a>, i64) {
    let (mut at, mut divisor) = (unpromised(value), divisor);
    while let Some(op) = defining_op(at) {
        let factor = match name(op) {
            arith::IndexCastOp::NAME | arith::IndexCastUIOp::NAME => Some(1),
            arith::MulIOp::NAME => op.operand_at(1).and_then(|by| divisibility::infer(by).constant()),
            _ => None,
        };
        let Some((factor, of)) = factor.zip(op.operand_at(0)) else { break };
        divisor /= gcd(divisor, factor);
        at = unpromised(of);
    }
    (at, divisor)
}
