//! The arithmetic of functions on numbers, which tests evaluate: bit for bit what the chip computes.

use super::{Approximate, Arithmetic};

/// A number of one of the types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MathNumber {
    /// f32.
    F32(f32),
    /// f64.
    F64(f64),
    /// i32.
    I32(i32),
    /// i64.
    I64(i64),
    /// A truth value.
    Bool(bool),
}

use MathNumber::{Bool, F32, F64, I32, I64};

impl MathNumber {
    /// Whether the truth value is true.
    ///
    /// # Panics
    /// When the number is not a truth value.
    pub fn truth(self) -> bool {
        match self {
            Bool(truth) => truth,
            other => panic!("{other:?} is no truth value"),
        }
    }
}

/// Evaluates operations immediately.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers;

macro_rules! floats {
    ($($name:ident($($operand:ident),+) = $value:expr;)+) => {
        $(fn $name(&self, $($operand: MathNumber),+) -> MathNumber {
            match [$($operand),+] {
                [$(F32($operand)),+] => F32($value),
                [$(F64($operand)),+] => F64($value),
                other => panic!("no floats of one type: {other:?}"),
            }
        })+
    };
}

macro_rules! integers {
    ($($name:ident($($operand:ident),+) = $value:expr;)+) => {
        $(fn $name(&self, $($operand: MathNumber),+) -> MathNumber {
            match [$($operand),+] {
                [$(I32($operand)),+] => I32($value),
                [$(I64($operand)),+] => I64($value),
                other => panic!("no integers of one type: {other:?}"),
            }
        })+
    };
}

macro_rules! compares {
    ($($name:ident = $value:expr;)+) => {
        $(fn $name(&self, a: MathNumber, b: MathNumber) -> MathNumber {
            match (a, b) {
                (F32(a), F32(b)) => Bool($value(&f64::from(a), &f64::from(b))),
                (F64(a), F64(b)) => Bool($value(&a, &b)),
                other => panic!("no floats of one type: {other:?}"),
            }
        })+
    };
}

impl Arithmetic for Numbers {
    type Value = MathNumber;

    fn is_double(&self, value: MathNumber) -> bool {
        matches!(value, F64(_) | I64(_))
    }

    fn float(&self, like: MathNumber, constant: f64) -> MathNumber {
        if self.is_double(like) { F64(constant) } else { F32(constant as f32) }
    }

    fn integer(&self, like: MathNumber, constant: i64) -> MathNumber {
        if self.is_double(like) { I64(constant) } else { I32(constant as i32) }
    }

    floats! {
        add(a, b) = a + b;
        sub(a, b) = a - b;
        mul(a, b) = a * b;
        div(a, b) = a / b;
        fma(a, b, c) = a.mul_add(b, c);
        sqrt(a) = a.sqrt();
        abs(a) = a.abs();
        copysign(a, sign) = a.copysign(sign);
        trunc(a) = a.trunc();
    }

    integers! {
        iadd(a, b) = a.wrapping_add(b);
        isub(a, b) = a.wrapping_sub(b);
        imul(a, b) = a.wrapping_mul(b);
        and(a, b) = a & b;
        or(a, b) = a | b;
        shl(a, n) = a.wrapping_shl(n as u32);
        sar(a, n) = a.wrapping_shr(n as u32);
    }

    compares! {
        less = f64::lt;
        at_least = f64::ge;
        equal = f64::eq;
        unordered = |a: &f64, b: &f64| a.is_nan() || b.is_nan();
    }

    fn shr(&self, a: MathNumber, n: MathNumber) -> MathNumber {
        match (a, n) {
            (I32(a), I32(n)) => I32((a as u32).wrapping_shr(n as u32) as i32),
            (I64(a), I64(n)) => I64((a as u64).wrapping_shr(n as u32) as i64),
            other => panic!("no integers of one type: {other:?}"),
        }
    }

    fn iequal(&self, a: MathNumber, b: MathNumber) -> MathNumber {
        Bool(a == b)
    }

    fn select(&self, condition: MathNumber, a: MathNumber, b: MathNumber) -> MathNumber {
        if condition.truth() { a } else { b }
    }

    fn widen(&self, a: MathNumber) -> MathNumber {
        match a {
            F32(a) => F64(a.into()),
            other => panic!("{other:?} is no f32"),
        }
    }

    fn narrow(&self, a: MathNumber) -> MathNumber {
        match a {
            F64(a) => F32(a as f32),
            other => panic!("{other:?} is no f64"),
        }
    }

    /// Computed in f64 and rounded once, as in the PTX simulator.
    fn approximate(&self, function: Approximate, a: MathNumber) -> MathNumber {
        let F32(a) = a else { panic!("{a:?} is no f32") };
        let a = f64::from(a);
        F32(match function {
            Approximate::Ex2 => a.exp2(),
            Approximate::Lg2 => a.log2(),
            Approximate::Sin => a.sin(),
            Approximate::Cos => a.cos(),
            Approximate::Tanh => a.tanh(),
            Approximate::Rsqrt => 1.0 / a.sqrt(),
            Approximate::Sqrt => a.sqrt(),
        } as f32)
    }

    fn bits(&self, a: MathNumber) -> MathNumber {
        match a {
            F32(a) => I32(a.to_bits() as i32),
            F64(a) => I64(a.to_bits() as i64),
            other => panic!("{other:?} is no float"),
        }
    }

    fn of_bits(&self, a: MathNumber) -> MathNumber {
        match a {
            I32(a) => F32(f32::from_bits(a as u32)),
            I64(a) => F64(f64::from_bits(a as u64)),
            other => panic!("{other:?} is no integer"),
        }
    }

    fn to_float(&self, a: MathNumber) -> MathNumber {
        match a {
            I32(a) => F32(a as f32),
            I64(a) => F64(a as f64),
            other => panic!("{other:?} is no integer"),
        }
    }

    fn widen_integer(&self, a: MathNumber) -> MathNumber {
        match a {
            I32(a) => I64(i64::from(a as u32)),
            other => panic!("{other:?} is no i32"),
        }
    }

    fn low_integer(&self, a: MathNumber) -> MathNumber {
        match a {
            I64(a) => I32(a as i32),
            other => panic!("{other:?} is no i64"),
        }
    }

    fn unless<const N: usize>(
        &self,
        condition: MathNumber,
        values: [MathNumber; N],
        other: impl FnOnce() -> [MathNumber; N],
    ) -> [MathNumber; N] {
        if condition.truth() { values } else { other() }
    }

    fn repeat(
        &self,
        mut value: MathNumber,
        condition: impl Fn(MathNumber) -> MathNumber,
        body: impl Fn(MathNumber) -> MathNumber,
    ) -> MathNumber {
        while condition(value).truth() {
            value = body(value);
        }
        value
    }
}
