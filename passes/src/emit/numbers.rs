//! Integer arithmetic.

use melior::ir::{Type, ValueLike};
pub use tile_ops::arith::CmpIPredicate as Cmp;
use tile_ops::{arith, constant, llvm};

use super::{Kit, Val};

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// A constant of an integer type.
    pub fn int(self, bits: u32, value: i64) -> Val<'c, 'a> {
        constant::integer(self.builder, bits, value)
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
    pub fn like(self, like: Val<'c, 'a>, value: i64) -> Val<'c, 'a> {
        let r#type: Type<'c> = like.r#type();
        // SAFETY: arithmetic of kernels is on integers.
        let bits = unsafe { mlir_sys::mlirIntegerTypeGetWidth(melior::ir::TypeLike::to_raw(&r#type)) };
        self.int(bits, value)
    }

    /// `a + b`
    pub fn add(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::addi(self.builder, a, b).value()
    }

    /// `a + b`, b constant
    pub fn plus(self, a: Val<'c, 'a>, b: i64) -> Val<'c, 'a> {
        self.add(a, self.like(a, b))
    }

    /// `a - b`
    pub fn sub(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::subi(self.builder, a, b).value()
    }

    /// `a * b`
    pub fn mul(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::muli(self.builder, a, b).value()
    }

    /// `a * b`, b constant
    pub fn times(self, a: Val<'c, 'a>, b: i64) -> Val<'c, 'a> {
        self.mul(a, self.like(a, b))
    }

    /// `a / b`, unsigned, b constant
    pub fn over(self, a: Val<'c, 'a>, b: i64) -> Val<'c, 'a> {
        arith::divui(self.builder, a, self.like(a, b)).value()
    }

    /// `a & b`
    pub fn and(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::andi(self.builder, a, b).value()
    }

    /// `a | b`
    pub fn or(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::ori(self.builder, a, b).value()
    }

    /// `a % b`, unsigned
    pub fn rem(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::remui(self.builder, a, b).value()
    }

    /// `a ^ b`
    pub fn xor(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::xori(self.builder, a, b).value()
    }

    /// `a & mask`
    pub fn mask(self, a: Val<'c, 'a>, mask: i64) -> Val<'c, 'a> {
        self.and(a, self.like(a, mask))
    }

    /// `a << bits`
    pub fn shl(self, a: Val<'c, 'a>, bits: i64) -> Val<'c, 'a> {
        arith::shli(self.builder, a, self.like(a, bits)).value()
    }

    /// `a >> bits`, unsigned
    pub fn shr(self, a: Val<'c, 'a>, bits: i64) -> Val<'c, 'a> {
        arith::shrui(self.builder, a, self.like(a, bits)).value()
    }

    /// `a >> bits`, signed
    pub fn shr_signed(self, a: Val<'c, 'a>, bits: i64) -> Val<'c, 'a> {
        arith::shrsi(self.builder, a, self.like(a, bits)).value()
    }

    /// The smaller one, signed.
    pub fn min(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::minsi(self.builder, a, b).value()
    }

    /// The larger one, signed.
    pub fn max(self, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::maxsi(self.builder, a, b).value()
    }

    /// A comparison.
    pub fn cmp(self, cmp: Cmp, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::cmpi(self.builder, a, b, cmp).value()
    }

    /// A comparison with a constant.
    pub fn is(self, cmp: Cmp, a: Val<'c, 'a>, b: i64) -> Val<'c, 'a> {
        self.cmp(cmp, a, self.like(a, b))
    }

    /// The negation of a bit.
    pub fn not(self, bit: Val<'c, 'a>) -> Val<'c, 'a> {
        self.xor(bit, self.int(1, 1))
    }

    /// `condition ? a : b`
    pub fn select(self, condition: Val<'c, 'a>, a: Val<'c, 'a>, b: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::select(self.builder, condition, a, b).value()
    }

    /// Zero-extended to 64 bits.
    pub fn wide(self, a: Val<'c, 'a>) -> Val<'c, 'a> {
        self.zero_extended(a, 64)
    }

    /// The low 32 bits.
    pub fn narrow(self, a: Val<'c, 'a>) -> Val<'c, 'a> {
        self.truncated(a, 32)
    }

    /// The number of trailing zero bits; the width for 0.
    pub fn trailing_zeros(self, a: Val<'c, 'a>) -> Val<'c, 'a> {
        llvm::intr_cttz(self.builder, a, 0).value()
    }

    /// The number of bits that are set.
    pub fn bits_set(self, a: Val<'c, 'a>) -> Val<'c, 'a> {
        llvm::intr_ctpop(self.builder, a).value()
    }

    /// An integer truncated to `bits` bits.
    pub fn truncated(self, a: Val<'c, 'a>, bits: u32) -> Val<'c, 'a> {
        let to = self.int_type(bits);
        if a.r#type() == to { a } else { arith::trunci(self.builder, a, to).value() }
    }

    /// An integer zero-extended to `bits` bits.
    pub fn zero_extended(self, a: Val<'c, 'a>, bits: u32) -> Val<'c, 'a> {
        let to = self.int_type(bits);
        if a.r#type() == to { a } else { arith::extui(self.builder, a, to).value() }
    }

    /// An index as a 64-bit integer.
    pub fn index_as_i64(self, index: Val<'c, 'a>) -> Val<'c, 'a> {
        arith::index_cast(self.builder, index, self.int_type(64)).value()
    }

    /// The same bits as another type.
    pub fn bits_as(self, a: Val<'c, 'a>, to: Type<'c>) -> Val<'c, 'a> {
        if a.r#type() == to { a } else { llvm::bitcast(self.builder, a, to).value() }
    }
}
