//! Powers of integers.

use melior::ir::{Value, ValueLike};
use tile_ops::Builder;
use tile_ops::arith::{self, CmpIPredicate};
use tile_ops::constant::{self, ConstantNumber};

use crate::emit::Kit;

/// `base` to the power of `exponent`, both signed: squared and multiplied, one bit of the exponent at a time.
///
/// ```text
///   exponent < 0, base 1     1
///                 base -1    1 or -1
///                 others     0, what is left of 1 / base^-exponent
/// ```
pub fn power<'c: 'a, 'a>(builder: Builder<'c, 'a>, base: Value<'c, 'a>, exponent: Value<'c, 'a>) -> Value<'c, 'a> {
    let kit = Kit::new(builder);
    let number = |value| constant::typed(builder, constant::number(base.r#type(), ConstantNumber::Integer(value)));
    let (zero, one) = (number(0), number(1));
    let is_odd = |kit: Kit<'c, 'a>, value| {
        let last = arith::andi(kit.builder, value, one).value();
        kit.cmp(CmpIPredicate::Ne, last, zero)
    };
    let is_negative = kit.cmp(CmpIPredicate::Slt, exponent, zero);
    let bits = kit.select(is_negative, zero, exponent);
    let product = kit.repeat_after_list(
        &[one, base, bits],
        |kit, values| (kit.cmp(CmpIPredicate::Ne, values[2], zero), values.to_vec()),
        |kit, values| {
            let times = arith::muli(kit.builder, values[0], values[1]).value();
            let square = arith::muli(kit.builder, values[1], values[1]).value();
            let rest = arith::shrui(kit.builder, values[2], one).value();
            vec![kit.select(is_odd(kit, values[2]), times, values[0]), square, rest]
        },
    )[0];
    let minus_one = arith::subi(builder, zero, one).value();
    let signed = kit.select(is_odd(kit, exponent), minus_one, one);
    let of_minus_one = kit.select(kit.cmp(CmpIPredicate::Eq, base, minus_one), signed, zero);
    let reciprocal = kit.select(kit.cmp(CmpIPredicate::Eq, base, one), one, of_minus_one);
    kit.select(is_negative, reciprocal, product)
}
