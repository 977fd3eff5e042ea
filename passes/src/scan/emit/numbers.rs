//! Integer arithmetic.

use melior::ir::{Type, ValueLike};

use super::{Kit, Val};

/// Comparisons, numbered as `arith.cmpi` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// `a == b`
    Eq = 0,
    /// `a != b`
    Ne = 1,
    /// `a < b`, signed
    Lt = 2,
    /// `a <= b`, signed
    Le = 3,
    /// `a > b`, signed
    Gt = 4,
    /// `a >= b`, signed
    Ge = 5,
}

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// A constant of an integer type.
    pub fn int(self, bits: u32, value: i64) -> Val<'c, 'a> {
        let attribute = self.builder.context.integer_attribute(bits, value);
        self.builder.value("arith.constant", &[], self.int_type(bits), &[("value", attribute)])
    }

    /// A 32-bit constant.
    pub fn i32(self, value: i64) -> Val<'c, 'a> {
        self.int(32, value)
    }

    /// A 64-bit constant.
    pub fn i64(self, value: i64) -> Val<'c, 'a> {
        self.int(64, value)
    }

    /// A constant of the type of `like`.
    fn like(self, like: Val<'c, 'a>, value: i64) -> Val<'c, 'a> {
        let r#type: Type<'c> = like.r#type();
        // SAFETY: arithmetic of kernels is on integers.
        let bits = unsafe { mlir_sys::mlirIntegerTypeGetWidth(melior::ir::TypeLike::to_raw(&r#type)) };
        self.int(bits, value)
    }

    /// `a + b`
    pub fn add(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        self.same("arith.addi", &[a, b])
    }

    /// `a + b`, b constant
    pub fn plus(self, a: Val<'c, 'a>, b: i64) -> Val<'c, 'a> {
        self.add(a, self.like(a, b))
    }

    /// `a - b`
    pub fn sub(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        self.same("arith.subi", &[a, b])
    }

    /// `a * b`
    pub fn mul(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        self.same("arith.muli", &[a, b])
    }

    /// `a * b`, b constant
    pub fn times(self, a: Val<'c, 'a>, b: i64) -> Val<'c, 'a> {
        self.mul(a, self.like(a, b))
    }

    /// `a / b`, unsigned, b constant
    pub fn over(self, a: Val<'c, 'a>, b: i64) -> Val<'c, 'a> {
        self.same("arith.divui", &[a, self.like(a, b)])
    }

    /// `a & b`
    pub fn and(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        self.same("arith.andi", &[a, b])
    }

    /// `a | b`
    pub fn or(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        self.same("arith.ori", &[a, b])
    }

    /// `a & mask`
    pub fn mask(self, a: Val<'c, 'a>, mask: i64) -> Val<'c, 'a> {
        self.and(a, self.like(a, mask))
    }

    /// `a << bits`
    pub fn shl(self, a: Val<'c, 'a>, bits: i64) -> Val<'c, 'a> {
        self.same("arith.shli", &[a, self.like(a, bits)])
    }

    /// `a >> bits`, unsigned
    pub fn shr(self, a: Val<'c, 'a>, bits: i64) -> Val<'c, 'a> {
        self.same("arith.shrui", &[a, self.like(a, bits)])
    }

    /// The smaller one, signed.
    pub fn min(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        self.same("arith.minsi", &[a, b])
    }

    /// The larger one, signed.
    pub fn max(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        self.same("arith.maxsi", &[a, b])
    }

    /// A comparison.
    pub fn cmp(self, cmp: Cmp, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        let predicate = ("predicate", self.builder.i64(cmp as i64));
        self.builder.value("arith.cmpi", &[a, b], self.int_type(1), &[predicate])
    }

    /// A comparison with a constant.
    pub fn is(self, cmp: Cmp, a: Val<'c, 'a>, b: i64) -> Val<'c, 'a> {
        self.cmp(cmp, a, self.like(a, b))
    }

    /// Not a bit.
    pub fn not(self, bit: Val<'c, 'a>) -> Val<'c, 'a> {
        self.same("arith.xori", &[bit, self.int(1, 1)])
    }

    /// `condition ? a : b`
    pub fn select(self, condition: Val<'c, 'a>, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        self.builder.value("arith.select", &[condition, a, b], a.r#type(), &[])
    }

    /// To 64 bits, unsigned.
    pub fn wide(self, a: Val<'c, 'a>) -> Val<'c, 'a> {
        self.convert("arith.extui", a, self.int_type(64))
    }

    /// The low 32 bits.
    pub fn narrow(self, a: Val<'c, 'a>) -> Val<'c, 'a> {
        self.convert("arith.trunci", a, self.int_type(32))
    }

    /// Trailing zero bits; the width for 0.
    pub fn trailing_zeros(self, a: Val<'c, 'a>) -> Val<'c, 'a> {
        let zero_is_fine = ("is_zero_poison", self.builder.context.integer_attribute(1, 0));
        self.builder.value("llvm.intr.cttz", &[a], a.r#type(), &[zero_is_fine])
    }
}
