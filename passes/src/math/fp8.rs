//! Conversions to and from floats of 8 bits, as copies convert: by the chip's instructions, rounded once, saturating.

use melior::ir::{OperationRef, Type, Value, ValueLike};
use tile_dialect::ir::{Parts, Rewriter};
use tile_isa::{Conversion, NumberFormat};
use tile_ops::arith::{self, RoundingMode};
use tile_ops::{Builder, ub, vector};
use tile_plan::convert::check_chip;

use super::{positions, shape};
use crate::emit::{Convert, Kit};
use crate::foreign::element;
use crate::read::target;

/// Whether an op of that name converts between floats.
pub fn converts(name: &str) -> bool {
    matches!(name, arith::ExtFOp::NAME | arith::TruncFOp::NAME)
}

/// Replaces a conversion, if one of its types is a float of 8 bits.
///
/// # Errors
/// A chip without the instructions, a rounding mode that these do not have, and a vector of scalable size.
pub fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Result<(), String> {
    let (Some(value), Some(result)) = (op.operand_at(0), op.result_at(0)) else { return Ok(()) };
    let [from, to] = [value.r#type(), result.r#type()];
    let Some(conversion) = conversion(element(from), element(to)) else { return Ok(()) };
    let chip = target::resolve(op, None)?;
    check_chip(conversion, &chip).map_err(|refusal| format!("has {}", refusal.reason))?;
    if arith::TruncFOp::cast(op)
        .and_then(|op| op.roundingmode())
        .is_some_and(|mode| mode != RoundingMode::ToNearestEven)
    {
        return Err("has a rounding mode, expected to_nearest_even, or none: the chip has no other".to_owned());
    }
    let convert = Convert::between(conversion, &chip, element(from), element(to));
    let converted = all(Builder::before(rewriter, op), value, to, &convert)?;
    rewriter.replace(op, &[converted]);
    Ok(())
}

/// Converts a number or each element of a vector: rows together, since the chip converts two at a time.
fn all<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    value: Value<'c, 'a>,
    to: Type<'c>,
    convert: &Convert<'c>,
) -> Result<Value<'c, 'a>, String> {
    let kit = Kit::new(builder);
    let Some(extents) = shape(to)? else { return Ok(kit.converted(value, 1, convert)) };
    let (rows, row) = extents.split_at(extents.len().saturating_sub(1));
    let [count] = *row else { return Ok(kit.converted(value, 1, convert)) };
    if rows.is_empty() && count != 1 {
        return Ok(kit.converted(value, count, convert));
    }
    let mut whole = ub::poison(builder, to).value();
    for mut position in positions(rows) {
        // A vector of one element is converted as a number.
        if count == 1 {
            position.push(0);
        }
        let part = vector::extract(builder, value, &[], &position).value();
        whole = vector::insert(builder, kit.converted(part, count, convert), whole, &[], &position).value();
    }
    Ok(whole)
}

/// The conversion between two types of floats, if one of them has 8 bits.
fn conversion(from: Type<'_>, to: Type<'_>) -> Option<Conversion> {
    let number = |r#type: Type<'_>| NumberFormat::named(&r#type.to_string());
    let (from, to) = (number(from)?, number(to)?);
    (from.is_fp8() || to.is_fp8()).then_some(Conversion { from, to, clause: None })
}
