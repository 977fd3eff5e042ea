//! Draws expressions.

use tile_oracle::Rng;

use super::ast::{ARGUMENTS, Affine, AffineLast, Expression, Form, Op, Predicate, Type};
use super::interpret::wrap;

/// The names that expressions may use, each with its type and whether all threads have the same value.
#[derive(Default)]
pub struct Names(Vec<(usize, Type, bool)>);

impl Names {
    /// Adds a name.
    pub fn push(&mut self, number: usize, r#type: Type, uniform: bool) {
        self.0.push((number, r#type, uniform));
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets all names after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Whether all threads compute the same value.
    pub fn is_uniform(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Constant(..) | Expression::Argument(_) => true,
            Expression::Thread => false,
            Expression::Variable(number, _) => self.0.iter().any(|(known, _, uniform)| known == number && *uniform),
            Expression::Operation(.., operands) => operands.iter().all(|operand| self.is_uniform(operand)),
        }
    }
}

/// Constants near a limit of a type, or of the buffers.
const SMALL: [i64; 19] = [0, 0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 56, 60, 62, 63, -1, -4];
const EXTREME: [i64; 13] = [
    i64::MAX,
    i64::MIN,
    i64::MIN + 1,
    1 << 62,
    -(1 << 62),
    1 << 31,
    (1 << 31) - 1,
    -(1 << 31),
    1 << 32,
    (1 << 32) - 1,
    (1 << 32) + 5,
    1 << 63 >> 3,
    1 << 15,
];

/// A constant of a type, sometimes an extreme one.
pub fn constant(rng: &mut Rng, r#type: Type) -> i64 {
    let value = if rng.once_in(4) { *rng.one_of(&EXTREME) } else { *rng.one_of(&SMALL) };
    wrap(i128::from(value), r#type)
}

/// A number that is often from 0 to `most`.
pub fn limited(rng: &mut Rng, names: &Names, r#type: Type, uniform: bool, most: i64) -> Expression {
    let most = most + [0, 0, 0, 0, 1, -1, -2, 0][rng.below(8) as usize];
    let number = |value| Expression::Constant(r#type, value);
    let value = expression(rng, names, r#type, uniform, 2);
    match rng.below(9) {
        0 => value,
        1 => Expression::of(Op::RemU, vec![value, number(most + 1)]),
        2 => Expression::of(Op::RemS, vec![value, number(most + 1)]),
        3 => Expression::of(Op::MinU, vec![value, number(most)]),
        4 => {
            let least = Expression::of(Op::MaxS, vec![value, number(0)]);
            Expression::of(Op::MinS, vec![least, number(most)])
        }
        5 => {
            let bits = (most.max(0) as u64 + 1).next_power_of_two() as i64 / 2 - 1;
            Expression::of(Op::And, vec![value, number(bits)])
        }
        6 => {
            let by = (u64::BITS as i64 - most.max(1).ilog2() as i64 - rng.below(2)).min(63);
            let by = if r#type == Type::I32 { by - 32 } else { by };
            Expression::of(Op::ShrU, vec![value, number(by)])
        }
        7 => {
            let inner = Expression::of(Op::RemU, vec![value, number((most + 1) / 2 + 1)]);
            let other = expression(rng, names, r#type, uniform, 1);
            let other = Expression::of(Op::MinU, vec![other, number(most / 2)]);
            Expression::of(Op::Add, vec![inner, other])
        }
        _ => expression(rng, names, r#type, uniform, 0),
    }
}

const BINARY: [Op; 24] = [
    Op::Add,
    Op::Add,
    Op::Add,
    Op::Sub,
    Op::Sub,
    Op::Mul,
    Op::Mul,
    Op::DivS,
    Op::DivU,
    Op::RemS,
    Op::RemU,
    Op::CeilDivS,
    Op::CeilDivU,
    Op::FloorDivS,
    Op::MinS,
    Op::MaxS,
    Op::MinU,
    Op::MaxU,
    Op::Shl,
    Op::ShrS,
    Op::ShrU,
    Op::And,
    Op::Or,
    Op::Xor,
];

const PREDICATES: [Predicate; 10] = [
    Predicate::Eq,
    Predicate::Ne,
    Predicate::Slt,
    Predicate::Sle,
    Predicate::Sgt,
    Predicate::Sge,
    Predicate::Ult,
    Predicate::Ule,
    Predicate::Ugt,
    Predicate::Uge,
];

/// An expression of a type, with operations nested `depth` deep; all threads have the same value if `uniform`.
pub fn expression(rng: &mut Rng, names: &Names, r#type: Type, uniform: bool, depth: i64) -> Expression {
    if r#type == Type::I1 {
        return condition(rng, names, uniform, depth);
    }
    if depth <= 0 || rng.once_in(5) {
        return leaf(rng, names, r#type, uniform);
    }
    let inner = |rng: &mut Rng, r#type| expression(rng, names, r#type, uniform, depth - 1);
    match rng.below(12) {
        0 => {
            let condition = condition(rng, names, uniform, depth - 1);
            let operands = vec![condition, inner(rng, r#type), inner(rng, r#type)];
            Expression::Operation(Op::Select, Form::Plain, r#type, operands)
        }
        1 | 2 => {
            let from = *rng.one_of(&[Type::Index, Type::I64, Type::I32, Type::I32, Type::I16]);
            let operand = inner(rng, from);
            cast(rng, operand, r#type)
        }
        3 if r#type == Type::Index => {
            let last = *rng.one_of(&[
                AffineLast::Plain,
                AffineLast::Floor,
                AffineLast::Ceil,
                AffineLast::Mod,
                AffineLast::Min,
            ]);
            let affine = Affine { scale: rng.below(6) - 1, add: rng.below(12) - 4, last, by: 1 + rng.below(40) };
            Expression::Operation(Op::Affine(affine), Form::Plain, Type::Index, vec![inner(rng, Type::Index)])
        }
        _ => {
            let op = *rng.one_of(&BINARY);
            let left = inner(rng, r#type);
            // The second operand of most of these is a constant where a run-time value would seldom be defined.
            let divides =
                matches!(op, Op::DivS | Op::DivU | Op::RemS | Op::RemU | Op::CeilDivS | Op::CeilDivU | Op::FloorDivS);
            let shifts = matches!(op, Op::Shl | Op::ShrS | Op::ShrU);
            let right = if shifts && !rng.once_in(8) {
                Expression::Constant(r#type, *rng.one_of(&[1, 2, 3, 4, 5, 8, 15, 1]))
            } else if divides && !rng.once_in(5) {
                let value = constant(rng, r#type);
                Expression::Constant(r#type, if value == 0 { 3 } else { value })
            } else {
                inner(rng, r#type)
            };
            Expression::Operation(op, form(rng, op, r#type), r#type, vec![left, right])
        }
    }
}

fn form(rng: &mut Rng, op: Op, r#type: Type) -> Form {
    let may_wrap = matches!(op, Op::Add | Op::Sub | Op::Mul);
    match rng.below(8) {
        0 if may_wrap => Form::NoSignedWrap,
        1 if may_wrap => Form::NoUnsignedWrap,
        2 if r#type == Type::Index => Form::Index,
        _ => Form::Plain,
    }
}

fn condition(rng: &mut Rng, names: &Names, uniform: bool, depth: i64) -> Expression {
    if depth > 1 && rng.once_in(4) {
        let op = *rng.one_of(&[Op::And, Op::And, Op::Or, Op::Xor]);
        let [left, right] = [(); 2].map(|()| condition(rng, names, uniform, depth - 1));
        return Expression::of(op, vec![left, right]);
    }
    let r#type = *rng.one_of(&[Type::Index, Type::Index, Type::Index, Type::I32, Type::I64]);
    let left = expression(rng, names, r#type, uniform, depth - 1);
    let right = if rng.once_in(2) {
        Expression::Constant(r#type, constant(rng, r#type))
    } else {
        expression(rng, names, r#type, uniform, depth - 1)
    };
    let form = if r#type == Type::Index && rng.once_in(6) { Form::Index } else { Form::Plain };
    Expression::Operation(Op::Compare(*rng.one_of(&PREDICATES)), form, Type::I1, vec![left, right])
}

/// A value as another type; itself if it has that type.
fn cast(rng: &mut Rng, value: Expression, r#type: Type) -> Expression {
    if value.r#type() == r#type {
        return value;
    }
    let signed = rng.once_in(2);
    Expression::Operation(Op::Cast { signed }, Form::Plain, r#type, vec![value])
}

fn leaf(rng: &mut Rng, names: &Names, r#type: Type, uniform: bool) -> Expression {
    let mut all: Vec<Expression> = vec![Expression::Constant(r#type, constant(rng, r#type))];
    for (number, given) in ARGUMENTS.iter().enumerate() {
        if *given == r#type {
            all.push(Expression::Argument(number));
        }
    }
    let fits = |&&(_, given, same): &&(usize, Type, bool)| given == r#type && (same || !uniform);
    let variables = names.0.iter().filter(fits).map(|&(number, given, _)| Expression::Variable(number, given));
    // What is bound around is the most interesting.
    let variables: Vec<Expression> = variables.collect();
    all.extend(variables.iter().cloned());
    all.extend(variables);
    if !uniform && r#type == Type::Index {
        all.extend([Expression::Thread, Expression::Thread]);
    }
    if all.len() == 1 && !rng.once_in(3) {
        let from = leaf(rng, names, if r#type == Type::Index { Type::I32 } else { Type::Index }, uniform);
        return cast(rng, from, r#type);
    }
    rng.one_of(&all).clone()
}
