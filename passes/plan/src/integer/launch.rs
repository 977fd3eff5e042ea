//! Integers that a launch computes from the kernel's arguments, as the kernel does: the numbers of tensor maps.
//!
//! ```text
//!   %k8 = arith.ceildivui %k, %c8 : index      ceildiv(p2;8)
//!   %ld = arith.muli %n, %c2 : i32             i32(2*i32(p3))
//! ```
//!
//! An expression gives what the kernel's ops give, or nothing: where a number leaves 64 bits or the width of its op, and where an
//! argument is negative, which signed and unsigned ops read differently.

use std::fmt;

use super::{Computation, Operation};

/// A number that an argument of a launch is or has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchNumber {
    /// An argument of the kernel.
    Argument(usize),
    /// The extent of a memref argument in a dimension.
    Extent(usize, usize),
    /// The stride of a memref argument in a dimension, in elements.
    Stride(usize, usize),
}

/// An integer of 64 bits, computed from numbers that are not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchExpression<N> {
    /// An integer that is known.
    Constant(i64),
    /// A number that the launch has.
    Number(N),
    /// A function of two integers.
    Apply(LaunchFunction, Box<[LaunchExpression<N>; 2]>),
    /// An integer that has to fit a signed one of so many bits.
    Fits(u32, Box<LaunchExpression<N>>),
}

/// A function of two signed integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "those of arith; div and rem are towards zero")]
pub enum LaunchFunction {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    CeilDiv,
    Rem,
    Min,
    Max,
}

use LaunchFunction::{Add, CeilDiv, Div, FloorDiv, Max, Min, Mul, Rem, Sub};

/// In the order of their numbers in attributes, with the operation of signed integers, that of unsigned ones which is the same below
/// 2^63, and how they are written.
const FUNCTIONS: [(LaunchFunction, Operation, Option<Operation>, &str); 9] = [
    (Add, Operation::Add, None, "+"),
    (Sub, Operation::Sub, None, "-"),
    (Mul, Operation::Mul, None, "*"),
    (Div, Operation::DivSigned, Some(Operation::DivUnsigned), "div"),
    (FloorDiv, Operation::DivFloor, None, "floordiv"),
    (CeilDiv, Operation::DivCeil, Some(Operation::DivCeilUnsigned), "ceildiv"),
    (Rem, Operation::RemSigned, Some(Operation::RemUnsigned), "rem"),
    (Min, Operation::MinSigned, Some(Operation::MinUnsigned), "min"),
    (Max, Operation::MaxSigned, Some(Operation::MaxUnsigned), "max"),
];

impl<N> LaunchExpression<N> {
    /// A function of two integers; of known ones, its value.
    #[must_use]
    pub fn apply(function: LaunchFunction, a: Self, b: Self) -> Self {
        let (value, a, b) = match (a, b) {
            (LaunchExpression::Constant(a), LaunchExpression::Constant(b)) => {
                (function.at(a, b), LaunchExpression::Constant(a), LaunchExpression::Constant(b))
            }
            (a, b @ LaunchExpression::Constant(_)) if function == Mul => (None, b, a),
            (a, b) => (None, a, b),
        };
        match (function, value) {
            (_, Some(value)) => LaunchExpression::Constant(value),
            (Mul, _) if matches!(a, LaunchExpression::Constant(1)) => b,
            (Add, _) if matches!(b, LaunchExpression::Constant(0)) => a,
            (Add, _) if matches!(a, LaunchExpression::Constant(0)) => b,
            _ => LaunchExpression::Apply(function, Box::new([a, b])),
        }
    }

    /// What an op computes of integers; `None` where no launch computes that.
    pub fn computed(computation: &Computation, operands: Vec<Self>) -> Option<Self> {
        let (from, to) = (*computation.operand_bits.first()?, computation.result_bits);
        let wide_enough = from > 1 && to > 1;
        let mut operands = operands.into_iter().take_while(|_| wide_enough);
        let (a, b) = (operands.next()?, operands.next());
        match (computation.operation, b) {
            (Operation::Unsigned, None) if !a.is_natural() => None,
            (Operation::Unsigned | Operation::Signed, None) => Some(if to < from { a.fitting(to) } else { a }),
            (Operation::ShiftLeft, Some(LaunchExpression::Constant(bits @ 0..=62))) if bits < i64::from(to) => {
                Some(Self::apply(Mul, a, LaunchExpression::Constant(1 << bits)).fitting(to))
            }
            (Operation::ShiftRight, Some(_)) if !a.is_natural() => None,
            (Operation::ShiftRight | Operation::ShiftRightSigned, Some(LaunchExpression::Constant(bits @ 0..=62)))
                if bits < i64::from(to) =>
            {
                Some(Self::apply(FloorDiv, a, LaunchExpression::Constant(1 << bits)))
            }
            (operation, Some(b)) => {
                let naturals = a.is_natural() && b.is_natural();
                let same = |&&(_, signed, unsigned, _): &&(_, Operation, Option<Operation>, _)| {
                    signed == operation || naturals && unsigned == Some(operation)
                };
                let (function, ..) = FUNCTIONS.iter().find(same)?;
                let applied = Self::apply(*function, a, b);
                Some(if matches!(function, Add | Sub | Mul) { applied.fitting(to) } else { applied })
            }
            _ => None,
        }
    }

    /// The integer, of a width.
    #[must_use]
    pub fn fitting(self, bits: u32) -> Self {
        let is_known = matches!(self, LaunchExpression::Constant(_));
        if bits >= 64 || is_known { self } else { LaunchExpression::Fits(bits, Box::new(self)) }
    }

    /// Whether it is known not to be negative.
    fn is_natural(&self) -> bool {
        match self {
            LaunchExpression::Constant(number) => *number >= 0,
            LaunchExpression::Number(_) => true,
            LaunchExpression::Fits(_, number) => number.is_natural(),
            LaunchExpression::Apply(Max, numbers) => numbers.iter().any(Self::is_natural),
            LaunchExpression::Apply(function, numbers) => *function != Sub && numbers.iter().all(Self::is_natural),
        }
    }

    /// The same expression of what its numbers are.
    pub fn replaced<M>(&self, number: &impl Fn(&N) -> Option<LaunchExpression<M>>) -> Option<LaunchExpression<M>> {
        Some(match self {
            LaunchExpression::Constant(known) => LaunchExpression::Constant(*known),
            LaunchExpression::Number(known) => number(known)?,
            LaunchExpression::Fits(bits, inner) => inner.replaced(number)?.fitting(*bits),
            LaunchExpression::Apply(function, operands) => {
                LaunchExpression::apply(*function, operands[0].replaced(number)?, operands[1].replaced(number)?)
            }
        })
    }
}

impl LaunchFunction {
    fn row(self) -> &'static (LaunchFunction, Operation, Option<Operation>, &'static str) {
        &FUNCTIONS[self as usize]
    }

    fn at(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Add => a.checked_add(b),
            Sub => a.checked_sub(b),
            Mul => a.checked_mul(b),
            _ => Computation::wide(self.row().1).at(&[a, b]),
        }
    }
}

impl<N: fmt::Display> fmt::Display for LaunchExpression<N> {
    /// `2*p1*p2`, `(p1+7)*64`, `ceildiv(p1;64)`, `i32(p1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchExpression::Constant(number @ 0..) => write!(f, "{number}"),
            LaunchExpression::Constant(number) => write!(f, "(0-{})", number.unsigned_abs()),
            LaunchExpression::Number(number) => write!(f, "{number}"),
            LaunchExpression::Fits(bits, number) => write!(f, "i{bits}({number})"),
            LaunchExpression::Apply(function @ (Add | Sub | Mul), numbers) => {
                write!(f, "{}{}{}", Parenthesized(&numbers[0]), function.row().3, Parenthesized(&numbers[1]))
            }
            LaunchExpression::Apply(function, numbers) => {
                write!(f, "{}({};{})", function.row().3, numbers[0], numbers[1])
            }
        }
    }
}

/// An operand of a sum, a difference or a product, in parentheses where it needs them.
struct Parenthesized<'e, N>(&'e LaunchExpression<N>);

impl<N: fmt::Display> fmt::Display for Parenthesized<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            LaunchExpression::Apply(Add | Sub, _) => write!(f, "({})", self.0),
            number => write!(f, "{number}"),
        }
    }
}

impl LaunchExpression<LaunchNumber> {
    /// As integers of an attribute, three for each number and function, operands first; and before them how many these are.
    pub fn to_integers(&self) -> Vec<i64> {
        let mut integers = vec![0];
        self.write(&mut integers);
        integers[0] = integers.len() as i64 / 3;
        integers
    }

    fn write(&self, integers: &mut Vec<i64>) {
        let triple = match self {
            LaunchExpression::Number(LaunchNumber::Argument(argument)) => [0, *argument as i64, 0],
            LaunchExpression::Number(LaunchNumber::Extent(argument, dimension)) => {
                [1, *argument as i64, *dimension as i64]
            }
            LaunchExpression::Number(LaunchNumber::Stride(argument, dimension)) => {
                [2, *argument as i64, *dimension as i64]
            }
            LaunchExpression::Constant(number) => [3, *number, 0],
            LaunchExpression::Fits(bits, number) => {
                number.write(integers);
                [4, i64::from(*bits), 0]
            }
            LaunchExpression::Apply(function, numbers) => {
                numbers.iter().for_each(|number| number.write(integers));
                [5, *function as i64, 0]
            }
        };
        integers.extend(triple);
    }

    /// Takes the next expression from such integers.
    pub fn take(integers: &mut &[i64]) -> Option<Self> {
        let (&count, rest) = integers.split_first()?;
        let (triples, rest) = rest.split_at_checked(usize::try_from(count).ok()?.checked_mul(3)?)?;
        *integers = rest;
        let mut stack: Vec<Self> = Vec::new();
        for triple in triples.chunks_exact(3) {
            let place = || Some((usize::try_from(triple[1]).ok()?, usize::try_from(triple[2]).ok()?));
            let next = match triple[0] {
                0 => LaunchExpression::Number(LaunchNumber::Argument(place()?.0)),
                1 => LaunchExpression::Number(LaunchNumber::Extent(place()?.0, place()?.1)),
                2 => LaunchExpression::Number(LaunchNumber::Stride(place()?.0, place()?.1)),
                3 => LaunchExpression::Constant(triple[1]),
                4 => LaunchExpression::Fits(u32::try_from(triple[1]).ok()?, Box::new(stack.pop()?)),
                5 => {
                    let (b, a) = (stack.pop()?, stack.pop()?);
                    LaunchExpression::Apply(FUNCTIONS.get(place()?.0)?.0, Box::new([a, b]))
                }
                _ => return None,
            };
            stack.push(next);
        }
        stack.pop().filter(|_| stack.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Parameters = LaunchExpression<usize>;

    /// The value, as launches compute it.
    fn value(expression: &Parameters, parameters: &[i64]) -> Option<i64> {
        match expression {
            Parameters::Constant(known) => Some(*known),
            Parameters::Number(parameter) => Some(parameters[*parameter]).filter(|&number| number >= 0),
            Parameters::Fits(bits, inner) => {
                value(inner, parameters).filter(|&number| super::super::to_signed(number, *bits) == number)
            }
            Parameters::Apply(function, numbers) => {
                function.at(value(&numbers[0], parameters)?, value(&numbers[1], parameters)?)
            }
        }
    }

    /// `f(p0, p1)` and `f(p0 - p1, p1)` give what the ops give, wherever they give something.
    #[test]
    fn expressions_are_what_ops_compute() {
        let numbers = |bits: u32| [0, 1, 2, 7, 8, 100, -1, i64::MAX >> (64 - bits), i64::MIN >> (64 - bits)];
        let unsigned = [Operation::ShiftLeft, Operation::ShiftRight, Operation::ShiftRightSigned];
        let operations = FUNCTIONS.iter().flat_map(|row| [Some(row.1), row.2]).flatten().chain(unsigned);
        let mut computed = 0;
        for (operation, bits) in operations.flat_map(|operation| [8, 32, 64].map(|bits| (operation, bits))) {
            let op = |operation| Computation::new(operation, vec![bits; 2], bits);
            let pairs = numbers(bits).into_iter().flat_map(|a| numbers(bits).map(|b| [a, b]));
            for [a, b] in pairs {
                let parameter = |number| Parameters::Number(number).fitting(bits);
                let difference = Parameters::computed(&op(Operation::Sub), vec![parameter(0), parameter(1)]).unwrap();
                let shift =
                    matches!(operation, Operation::ShiftLeft | Operation::ShiftRight | Operation::ShiftRightSigned);
                let second = if shift { Parameters::Constant(b) } else { parameter(1) };
                let known = op(Operation::Sub).at(&[a, b]).unwrap();
                for (first, expression) in [(a, parameter(0)), (known, difference)] {
                    let Some(expression) = Parameters::computed(&op(operation), vec![expression, second.clone()])
                    else {
                        continue;
                    };
                    let Some(number) = value(&expression, &[a, b]) else { continue };
                    computed += 1;
                    assert_eq!(
                        Some(number),
                        op(operation).at(&[first, b]),
                        "{operation:?} {bits}: {expression} at {a}, {b}"
                    );
                }
            }
        }
        assert!(computed > 1000, "{computed}");
    }

    #[test]
    fn what_signed_and_unsigned_ops_read_differently_is_not_computed() {
        let negative = Parameters::apply(Sub, Parameters::Number(0), Parameters::Constant(8));
        let computed = |operation, a: &Parameters| {
            let operands = vec![a.clone(), Parameters::Constant(4)];
            Parameters::computed(&Computation::new(operation, vec![64; 2], 64), operands)
        };
        assert_eq!(computed(Operation::DivUnsigned, &negative), None);
        assert_eq!(computed(Operation::ShiftRight, &negative), None);
        assert_eq!(computed(Operation::Xor, &negative), None);
        let natural = computed(Operation::MaxSigned, &negative).unwrap();
        assert_eq!(
            computed(Operation::RemUnsigned, &natural).unwrap().replaced(&text).unwrap().to_string(),
            "rem(max(p0-8;4);4)"
        );
        let narrow = Computation::new(Operation::Signed, vec![64], 32);
        assert_eq!(
            Parameters::computed(&narrow, vec![Parameters::Number(3)]).unwrap().replaced(&text).unwrap().to_string(),
            "i32(p3)"
        );
    }

    fn text(number: &usize) -> Option<LaunchExpression<String>> {
        Some(LaunchExpression::Number(format!("p{number}")))
    }

    #[test]
    fn integers_of_an_attribute_are_read_back() {
        let argument = |number| LaunchExpression::Number(LaunchNumber::Argument(number));
        let sum = LaunchExpression::apply(Add, argument(1), LaunchExpression::Constant(-7));
        let extent = LaunchExpression::Number(LaunchNumber::Extent(2, 1)).fitting(32);
        let all =
            LaunchExpression::apply(Mul, LaunchExpression::apply(CeilDiv, sum, extent), LaunchExpression::Constant(3));
        let integers = [all.to_integers(), argument(4).to_integers()].concat();
        let mut rest = integers.as_slice();
        assert_eq!(LaunchExpression::take(&mut rest), Some(all));
        assert_eq!((LaunchExpression::take(&mut rest), rest), (Some(argument(4)), &[][..]));
        for malformed in [&[1, 5, 0, 0][..], &[1, 9, 0, 0], &[2, 3, 1, 0, 3, 1, 0], &[2, 3, 1, 0], &[0]] {
            assert_eq!(LaunchExpression::take(&mut &*malformed), None);
        }
    }
}
