//! The operator that combines two elements: a few steps on scalars.

use crate::element::{PortableElement, Scalar};

/// The number of a step, by which later steps refer to its result.
pub type Id = usize;

/// A binary operation on scalars of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are called what they are")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    /// For floats.
    Div,
    /// For signed integers or floats; of floats: NaN where one is NaN, and -0 below +0.
    Min,
    Max,
    /// For floats: the number where the other is NaN, and -0 below +0.
    MinNum,
    MaxNum,
    UMin,
    UMax,
    And,
    Or,
    Xor,
}

/// A comparison of integers, or an ordered comparison of floats: false where one is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are called what they are")]
pub enum Compare {
    Eq,
    /// For floats, true where one is NaN.
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// For floats: whether one is NaN.
    Unordered,
    ULt,
    ULe,
    UGt,
    UGe,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OperatorStep {
    /// A lane of the left operand.
    Left(u32),
    /// A lane of the right operand.
    Right(u32),
    /// A number, by its bits.
    Constant(Scalar, u64),
    /// A binary operation on two values of a type.
    Binary(Binary, Scalar, [Id; 2]),
    /// Compares two of a type.
    Compare(Compare, Scalar, [Id; 2]),
    /// One of two values, selected by a bit.
    Select(Id, [Id; 2]),
}

/// An operator: steps in order, and the steps that give the lanes of the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operator {
    /// The element that it combines.
    pub element: PortableElement,
    /// In order; each refers only to earlier ones.
    pub steps: Vec<OperatorStep>,
    /// The lanes of the result.
    pub results: Vec<Id>,
}

impl Operator {
    /// The operator that applies `binary` to each lane.
    pub fn by_lane(element: PortableElement, binary: Binary) -> Self {
        let mut steps = Vec::new();
        for lane in 0..element.lanes {
            let left = steps.len();
            steps.extend([OperatorStep::Left(lane), OperatorStep::Right(lane)]);
            steps.push(OperatorStep::Binary(binary, element.scalar, [left, left + 1]));
        }
        let results = (0..element.lanes as usize).map(|lane| 3 * lane + 2).collect();
        Operator { element, steps, results }
    }

    /// `fn combine(left: Element, right: Element) -> Element`.
    pub(crate) fn function(&self) -> String {
        let steps = self.steps.iter().enumerate().map(|(id, step)| format!("  let v{id} = {};\n", self.step(step)));
        let steps: String = steps.collect();
        let lanes: Vec<String> = self.results.iter().map(|id| self.element.scalar.to_bits(&format!("v{id}"))).collect();
        let result = self.element.of_lanes(&lanes);
        format!("fn combine(left: Element, right: Element) -> Element {{\n{steps}  return {result};\n}}\n")
    }

    fn step(&self, step: &OperatorStep) -> String {
        let PortableElement { scalar, .. } = self.element;
        match step {
            OperatorStep::Left(lane) => scalar.of_bits(&self.element.lane("left", *lane)),
            OperatorStep::Right(lane) => scalar.of_bits(&self.element.lane("right", *lane)),
            OperatorStep::Constant(scalar, bits) => constant(*scalar, *bits),
            OperatorStep::Binary(binary, scalar, [a, b]) => {
                rounded(*scalar, self::binary(*binary, *scalar, &name(*a), &name(*b)))
            }
            OperatorStep::Compare(compare, scalar, [a, b]) => self::compare(*compare, *scalar, &name(*a), &name(*b)),
            OperatorStep::Select(bit, [yes, no]) => format!("select(v{no}, v{yes}, v{bit})"),
        }
    }
}

/// The name of a step's result.
fn name(id: Id) -> String {
    format!("v{id}")
}

fn constant(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::Bool => (bits & 1 == 1).to_string(),
        Scalar::I64 => words(bits),
        Scalar::F64 => scalar.of_bits(&words(bits)),
        // Computed from a variable: WGSL does not accept the bits of a NaN as a constant.
        _ => scalar.of_bits(&format!("(zero_bits | {}u)", bits & (u64::MAX >> (64 - scalar.bits())))),
    }
}

fn words(bits: u64) -> String {
    format!("vec2<u32>({}u, {}u)", bits as u32, bits >> 32)
}

/// Rounds a result to the type's precision, or truncates it to the type's bits.
pub(crate) fn rounded(scalar: Scalar, value: String) -> String {
    match scalar {
        Scalar::I8 | Scalar::I16 => format!("extractBits({value}, 0u, {}u)", scalar.bits()),
        // Rounding twice is harmless: f32's 24 bits are at least twice 11 or 8 bits and two more, so its sum or product
        // rounds like the exact one.
        Scalar::F16 | Scalar::Bf16 => scalar.of_bits(&scalar.to_bits(&value)),
        _ => value,
    }
}

/// The result of a binary operation on two values, given by name.
pub(crate) fn binary(binary: Binary, scalar: Scalar, a: &str, b: &str) -> String {
    let infix = |sign: &str| format!("({a} {sign} {b})");
    let call = |name: &str| format!("{name}({a}, {b})");
    let bits = scalar.bits();
    match (binary, scalar) {
        (Binary::And | Binary::Or | Binary::Xor, Scalar::Bool) => match binary {
            Binary::And => infix("&"),
            Binary::Or => infix("|"),
            _ => infix("!="),
        },
        (Binary::And, _) => infix("&"),
        (Binary::Or, _) => infix("|"),
        (Binary::Xor, _) => infix("^"),
        (Binary::Add, Scalar::I64) => call("add_64"),
        (Binary::Sub, Scalar::I64) => call("sub_64"),
        (Binary::Mul, Scalar::I64) => call("mul_64"),
        (Binary::Min, Scalar::I64) => format!("select({b}, {a}, less_64({a}, {b}))"),
        (Binary::Max, Scalar::I64) => format!("select({b}, {a}, less_64({b}, {a}))"),
        (Binary::UMin, Scalar::I64) => format!("select({b}, {a}, below_64({a}, {b}))"),
        (Binary::UMax, Scalar::I64) => format!("select({b}, {a}, below_64({b}, {a}))"),
        (Binary::Min, Scalar::F64) => call("min_f64"),
        (Binary::Max, Scalar::F64) => call("max_f64"),
        (Binary::MinNum, Scalar::F64) => call("minnum_f64"),
        (Binary::MaxNum, Scalar::F64) => call("maxnum_f64"),
        (Binary::MinNum, _) => call("minnum_f32"),
        (Binary::MaxNum, _) => call("maxnum_f32"),
        (Binary::Min, _) if scalar.is_float() => call("min_f32"),
        (Binary::Max, _) if scalar.is_float() => call("max_f32"),
        (Binary::Min, _) => format!("select({b}, {a}, {} < {})", signed(a, bits), signed(b, bits)),
        (Binary::Max, _) => format!("select({b}, {a}, {} > {})", signed(a, bits), signed(b, bits)),
        (Binary::UMin, _) => call("min"),
        (Binary::UMax, _) => call("max"),
        (Binary::Add, _) => infix("+"),
        (Binary::Sub, _) => infix("-"),
        (Binary::Mul, _) => infix("*"),
        (Binary::Div, _) => infix("/"),
    }
}

/// A narrow integer, sign-extended.
pub(crate) fn signed(value: &str, bits: u32) -> String {
    format!("extractBits(bitcast<i32>({value}), 0u, {bits}u)")
}

/// Compares two values, given by name.
pub(crate) fn compare(compare: Compare, scalar: Scalar, a: &str, b: &str) -> String {
    let sign = match compare {
        Compare::Eq => "==",
        Compare::Ne | Compare::Unordered => "!=",
        Compare::Lt | Compare::ULt => "<",
        Compare::Le | Compare::ULe => "<=",
        Compare::Gt | Compare::UGt => ">",
        Compare::Ge | Compare::UGe => ">=",
    };
    let is_signed = matches!(compare, Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge);
    match (compare, scalar) {
        (Compare::Unordered, Scalar::F64) => format!("({a} != {a} || {b} != {b})"),
        (Compare::Unordered, _) => format!("(is_nan(bitcast<u32>({a})) || is_nan(bitcast<u32>({b})))"),
        (Compare::Eq, Scalar::I64) => format!("all({a} == {b})"),
        (Compare::Ne, Scalar::I64) => format!("any({a} != {b})"),
        (_, Scalar::I64) => {
            let less = if is_signed { "less_64" } else { "below_64" };
            match compare {
                Compare::Lt | Compare::ULt => format!("{less}({a}, {b})"),
                Compare::Gt | Compare::UGt => format!("{less}({b}, {a})"),
                Compare::Le | Compare::ULe => format!("!{less}({b}, {a})"),
                _ => format!("!{less}({a}, {b})"),
            }
        }
        (Compare::Eq | Compare::Ne, Scalar::Bool) => format!("({a} {sign} {b})"),
        _ if !scalar.is_float() && is_signed => {
            format!("({} {sign} {})", signed(a, scalar.bits()), signed(b, scalar.bits()))
        }
        _ => format!("({a} {sign} {b})"),
    }
}

/// The identity of a built-in operator, as the bits of a scalar.
pub fn identity(scalar: Scalar, binary: Binary) -> Option<u64> {
    let bits = scalar.bits();
    let ones = u64::MAX >> (64 - bits);
    let highest = 1u64 << (bits - 1);
    let (one, infinity) = match scalar {
        Scalar::F16 => (0x3c00, 0x7c00),
        Scalar::Bf16 => (0x3f80, 0x7f80),
        Scalar::F32 => (0x3f80_0000, 0x7f80_0000),
        Scalar::F64 => (0x3ff0_0000_0000_0000, 0x7ff0_0000_0000_0000),
        _ => (1, 0),
    };
    Some(match (binary, scalar.is_float()) {
        (Binary::Add | Binary::Or | Binary::Xor | Binary::UMax, _) => 0,
        (Binary::Mul, _) => one,
        (Binary::Min, true) => infinity,
        (Binary::Max, true) => infinity | highest,
        (Binary::And | Binary::UMin, _) => ones,
        (Binary::Min, false) => ones >> 1,
        (Binary::Max, false) => highest,
        (Binary::Sub | Binary::Div | Binary::MinNum | Binary::MaxNum, _) => return None,
    })
}
