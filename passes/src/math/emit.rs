//! The arithmetic of functions as SSA values.

use melior::ir::{Attribute, Type, Value, ValueLike};
use tile_plan::math::{Approximate, Arithmetic};

use crate::build::Builder;
use crate::scan::emit::Kit;

/// Writes ops at a builder's insertion point.
pub struct Emit<'c, 'a> {
    builder: Builder<'c, 'a>,
    /// f32, f64, i32, i64, i1.
    types: [Type<'c>; 5],
}

const NAMES: [&str; 5] = ["f32", "f64", "i32", "i64", "i1"];

impl<'c: 'a, 'a> Emit<'c, 'a> {
    /// Ops go where the builder puts them.
    pub fn new(builder: Builder<'c, 'a>) -> Self {
        let types = NAMES.map(|name| builder.context.parse_type(name).expect("it is a type"));
        Emit { builder, types }
    }

    /// f16 or bf16 to f32, in which its functions are computed; others as they are.
    pub fn raise(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        if self.is_half(value.r#type()) {
            self.builder.value("arith.extf", &[value], self.types[0], &[])
        } else {
            value
        }
    }

    /// An f32 to f16 or bf16, where that is the target.
    pub fn lower(&self, value: Value<'c, 'a>, to: Type<'c>) -> Value<'c, 'a> {
        if self.is_half(to) { self.builder.value("arith.truncf", &[value], to, &[]) } else { value }
    }

    /// Is it f16 or bf16?
    pub fn is_half(&self, r#type: Type<'c>) -> bool {
        matches!(r#type.to_string().as_str(), "f16" | "bf16")
    }

    /// Is it f32 or f64?
    pub fn is_float(&self, r#type: Type<'c>) -> bool {
        r#type == self.types[0] || r#type == self.types[1]
    }

    /// Zero, of the type of an integer.
    pub fn zero_of(&self, integer: Value<'c, 'a>) -> Value<'c, 'a> {
        let zero = self.builder.parse(&format!("0 : {}", integer.r#type()));
        self.builder.value("arith.constant", &[], integer.r#type(), &[("value", zero)])
    }

    /// An integer as an f64.
    pub fn double_of(&self, integer: Value<'c, 'a>) -> Value<'c, 'a> {
        self.builder.value("arith.sitofp", &[integer], self.types[1], &[])
    }

    /// An op on values of one type that gives such a value.
    pub fn same(&self, name: &str, operands: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        self.builder.value(name, operands, operands[0].r#type(), &[])
    }

    /// One of LLVM's intrinsics, which has a variant for each type.
    pub fn intrinsic(&self, name: &str, operands: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        self.call(&format!("llvm.{name}.{}", operands[0].r#type()), operands)
    }

    fn call(&self, name: &str, operands: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        let attributes = [
            ("intrin", self.builder.string(name)),
            ("op_bundle_sizes", self.builder.context.i32_array(&[])),
            self.builder.segments(&[operands.len(), 0]),
        ];
        self.builder.value("llvm.call_intrinsic", operands, operands[0].r#type(), &attributes)
    }

    fn to(&self, name: &str, value: Value<'c, 'a>, index: usize) -> Value<'c, 'a> {
        self.builder.value(name, &[value], self.types[index], &[])
    }

    /// A comparison, numbered as arith numbers them.
    fn compare(&self, name: &str, predicate: i64, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        let predicate: Attribute<'c> = self.builder.i64(predicate);
        self.builder.value(name, &[a, b], self.types[4], &[("predicate", predicate)])
    }

    fn kit(&self) -> Kit<'c, 'a> {
        Kit::new(self.builder)
    }
}

/// Methods that are an op of the same operands.
macro_rules! ops {
    ($($name:ident = $op:literal;)+) => {
        $(fn $name(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
            self.same($op, &[a, b])
        })+
    };
}

impl<'c: 'a, 'a> Arithmetic for Emit<'c, 'a> {
    type Value = Value<'c, 'a>;

    fn is_double(&self, value: Value<'c, 'a>) -> bool {
        value.r#type() == self.types[1] || value.r#type() == self.types[3]
    }

    fn float(&self, like: Value<'c, 'a>, constant: f64) -> Value<'c, 'a> {
        let (bits, r#type) = match self.is_double(like) {
            true => (format!("0x{:016X} : f64", constant.to_bits()), self.types[1]),
            false => (format!("0x{:08X} : f32", (constant as f32).to_bits()), self.types[0]),
        };
        self.builder.value("arith.constant", &[], r#type, &[("value", self.builder.parse(&bits))])
    }

    fn integer(&self, like: Value<'c, 'a>, constant: i64) -> Value<'c, 'a> {
        self.kit().int(if self.is_double(like) { 64 } else { 32 }, constant)
    }

    ops! {
        add = "arith.addf";
        sub = "arith.subf";
        mul = "arith.mulf";
        div = "arith.divf";
        iadd = "arith.addi";
        isub = "arith.subi";
        imul = "arith.muli";
        and = "arith.andi";
        or = "arith.ori";
        shl = "arith.shli";
        shr = "arith.shrui";
        sar = "arith.shrsi";
    }

    fn fma(&self, a: Value<'c, 'a>, b: Value<'c, 'a>, c: Value<'c, 'a>) -> Value<'c, 'a> {
        self.intrinsic("fma", &[a, b, c])
    }

    fn sqrt(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.intrinsic("sqrt", &[a])
    }

    fn abs(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.intrinsic("fabs", &[a])
    }

    fn copysign(&self, a: Value<'c, 'a>, sign: Value<'c, 'a>) -> Value<'c, 'a> {
        self.intrinsic("copysign", &[a, sign])
    }

    fn trunc(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.intrinsic("trunc", &[a])
    }

    fn widen(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to("arith.extf", a, 1)
    }

    fn narrow(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to("arith.truncf", a, 0)
    }

    fn approximate(&self, function: Approximate, a: Value<'c, 'a>) -> Value<'c, 'a> {
        match function {
            Approximate::Ex2 => self.call("llvm.nvvm.ex2.approx.f32", &[a]),
            Approximate::Lg2 => self.call("llvm.nvvm.lg2.approx.f", &[a]),
            Approximate::Sin => self.call("llvm.nvvm.sin.approx.f", &[a]),
            Approximate::Cos => self.call("llvm.nvvm.cos.approx.f", &[a]),
            Approximate::Rsqrt => self.call("llvm.nvvm.rsqrt.approx.f", &[a]),
            Approximate::Sqrt => self.call("llvm.nvvm.sqrt.approx.f", &[a]),
            // LLVM has no intrinsic of it.
            Approximate::Tanh => {
                let text = self.builder.string("tanh.approx.f32 $0, $1;");
                let attributes = [("asm_string", text), ("constraints", self.builder.string("=f,f"))];
                self.builder.value("llvm.inline_asm", &[a], self.types[0], &attributes)
            }
        }
    }

    fn less(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare("arith.cmpf", 4, a, b)
    }

    fn at_least(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare("arith.cmpf", 3, a, b)
    }

    fn equal(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare("arith.cmpf", 1, a, b)
    }

    fn unordered(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare("arith.cmpf", 14, a, b)
    }

    fn iequal(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.compare("arith.cmpi", 0, a, b)
    }

    fn select(&self, condition: Value<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        self.builder.value("arith.select", &[condition, a, b], a.r#type(), &[])
    }

    fn bits(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to("arith.bitcast", a, if self.is_double(a) { 3 } else { 2 })
    }

    fn of_bits(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to("arith.bitcast", a, if self.is_double(a) { 1 } else { 0 })
    }

    fn to_float(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to("arith.sitofp", a, if self.is_double(a) { 1 } else { 0 })
    }

    fn widen_integer(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to("arith.extui", a, 3)
    }

    fn low_integer(&self, a: Value<'c, 'a>) -> Value<'c, 'a> {
        self.to("arith.trunci", a, 2)
    }

    fn unless<const N: usize>(
        &self,
        condition: Value<'c, 'a>,
        values: [Value<'c, 'a>; N],
        other: impl FnOnce() -> [Value<'c, 'a>; N],
    ) -> [Value<'c, 'a>; N] {
        let types = values.map(|value| value.r#type());
        let made = self.kit().either_list(condition, |_| values.to_vec(), &types, |_| other().to_vec());
        std::array::from_fn(|index| made[index])
    }

    fn repeat(
        &self,
        value: Value<'c, 'a>,
        condition: impl Fn(Value<'c, 'a>) -> Value<'c, 'a>,
        body: impl Fn(Value<'c, 'a>) -> Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.kit().repeat_after_list(
            &[value],
            |_, values| (condition(values[0]), values.to_vec()),
            |_, values| vec![body(values[0])],
        )[0]
    }
}
