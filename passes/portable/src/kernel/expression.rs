//! Expressions: operations that give one value.

use crate::element::Scalar;
use crate::operator::{Binary, Compare, Id, binary, compare, rounded, signed};

/// A dimension of a block or of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are called what they are")]
pub enum Dimension {
    X,
    Y,
    Z,
}

/// A shift of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shift {
    /// To the left.
    Left,
    /// To the right, with zeros.
    Right,
    /// To the right, with the sign.
    Signed,
}

/// A function of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// The largest whole number that is not above a float.
    Floor,
    /// The smallest whole number that is not below a float.
    Ceil,
    /// A float rounded to a whole number towards zero.
    Trunc,
    /// The nearest whole number, halves away from zero.
    Round,
    /// The nearest whole number, halves to the even one.
    RoundEven,
    /// A float without its sign.
    Absolute,
    /// The square root of a float of at most 32 bits, rounded once.
    Sqrt,
    /// A power of 2, with the precision of the device.
    Exp2,
    /// The logarithm to base 2, with the precision of the device.
    Log2,
    /// The sine, with the precision of the device.
    Sin,
    /// The cosine, with the precision of the device.
    Cos,
    /// One over the square root, with the precision of the device.
    InverseSqrt,
}

/// An operation that gives one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number, by its bits.
    Constant(Scalar, u64),
    /// The executing thread's index in its block.
    Thread(Dimension),
    /// The block's index.
    Block(Dimension),
    /// The number of blocks of the grid.
    Blocks(Dimension),
    /// A number that the launch passes, starting at the given word.
    Number(Scalar, u32),
    /// A binary operation on two values of a type.
    Binary(Binary, Scalar, [Id; 2]),
    /// Compares two of a type.
    Compare(Compare, Scalar, [Id; 2]),
    /// One of two values, selected by a bit.
    Select(Id, [Id; 2]),
    /// A shift of an integer.
    Shift(Shift, Scalar, [Id; 2]),
    /// The quotient of integers of at most 32 bits; the flag says whether they are signed.
    Quotient(Scalar, bool, [Id; 2]),
    /// The remainder of such a division.
    Remainder(Scalar, bool, [Id; 2]),
    /// A float with its sign flipped.
    Negated(Scalar, Id),
    /// An integer converted to another width.
    Resized {
        /// The type of the operand.
        from: Scalar,
        /// The type of the result.
        to: Scalar,
        /// Whether the integer is signed.
        signed: bool,
        /// The value.
        value: Id,
    },
    /// A float of 16 or 32 bits converted to another such type.
    Converted {
        /// The type of the operand.
        from: Scalar,
        /// The type of the result, to which it is rounded to nearest.
        to: Scalar,
        /// The value.
        value: Id,
    },
    /// An integer of at most 32 bits converted to a float of 16 or 32 bits, rounded to nearest.
    ToFloat {
        /// The type of the operand.
        from: Scalar,
        /// The type of the result.
        to: Scalar,
        /// Whether the integer is signed.
        signed: bool,
        /// The value.
        value: Id,
    },
    /// A float of 16 or 32 bits, truncated to an integer of at most 32 bits that can hold the result.
    ToInteger {
        /// The type of the operand.
        from: Scalar,
        /// The type of the result.
        to: Scalar,
        /// Whether the integer is signed.
        signed: bool,
        /// The value.
        value: Id,
    },
    /// The product of the first two floats, of at most 32 bits, plus the third one, rounded once.
    Fused(Scalar, [Id; 3]),
    /// A function of a value.
    Function(Function, Scalar, Id),
    /// A float with the sign of another one.
    Signed(Scalar, [Id; 2]),
    /// The same bits as another value.
    Same(Id),
    /// The lower or the upper half of 64 bits.
    Half(Id, bool),
    /// 64 bits joined from two halves, the lower one first.
    Joined([Id; 2]),
}

impl Expression {
    /// The expression as WGSL.
    pub(super) fn text(&self) -> String {
        let typed = |scalar: Scalar, id: Id| scalar.of_bits(&format!("v{id}"));
        match self {
            Expression::Constant(Scalar::Bool, bits) => (bits & 1 == 1).to_string(),
            Expression::Constant(scalar, bits) if scalar.bits() == 64 => {
                format!("vec2<u32>({}u, {}u)", *bits as u32, bits >> 32)
            }
            Expression::Constant(scalar, bits) => format!("{}u", bits & (u64::MAX >> (64 - scalar.bits()))),
            Expression::Thread(dimension) => format!("thread.{}", dimension.name()),
            Expression::Block(dimension) => format!("group.{}", dimension.name()),
            Expression::Blocks(dimension) => format!("groups.{}", dimension.name()),
            Expression::Number(scalar, word) => number(*scalar, *word),
            Expression::Binary(how, scalar, [a, b]) => {
                let value = binary(*how, *scalar, &typed(*scalar, *a), &typed(*scalar, *b));
                scalar.to_bits(&rounded(*scalar, value))
            }
            Expression::Compare(how, scalar, [a, b]) => {
                compare(*how, *scalar, &typed(*scalar, *a), &typed(*scalar, *b))
            }
            Expression::Select(bit, [yes, no]) => format!("select(v{no}, v{yes}, v{bit})"),
            Expression::Shift(how, scalar, [a, b]) => shifted(*how, *scalar, *a, *b),
            Expression::Quotient(scalar, with_sign, [a, b]) => divided("/", *scalar, *with_sign, *a, *b),
            Expression::Remainder(scalar, with_sign, [a, b]) => divided("%", *scalar, *with_sign, *a, *b),
            Expression::Negated(scalar, value) => format!("(v{value} ^ {})", sign_bit(*scalar)),
            Expression::Signed(scalar, [size, sign]) => {
                let bit = sign_bit(*scalar);
                format!("((v{size} & ~{bit}) | (v{sign} & {bit}))")
            }
            Expression::ToFloat { from, to, signed, value } => to.to_bits(&float(*from, *signed, &format!("v{value}"))),
            Expression::ToInteger { from, to, signed, value } => {
                let value = typed(*from, *value);
                let word = if *signed { format!("bitcast<u32>(i32({value}))") } else { format!("u32({value})") };
                cut(&word, to.bits())
            }
            Expression::Fused(scalar, values) => {
                let name = if scalar.bits() == 32 { "fma_f32" } else { "fma_odd" };
                let [a, b, c] = values.map(|value| typed(*scalar, value));
                scalar.to_bits(&format!("{name}({a}, {b}, {c})"))
            }
            Expression::Function(function, scalar, value) => called(*function, *scalar, *value),
            Expression::Resized { from, to, signed, value } => resized(*from, *to, *signed, &format!("v{value}")),
            Expression::Converted { from, to, value } => to.to_bits(&typed(*from, *value)),
            Expression::Same(value) => format!("v{value}"),
            Expression::Half(value, upper) => format!("v{value}.{}", if *upper { "y" } else { "x" }),
            Expression::Joined([low, high]) => format!("vec2<u32>(v{low}, v{high})"),
        }
    }
}

impl Dimension {
    /// The dimension with this number: 0, 1, 2.
    pub fn of(number: usize) -> Option<Self> {
        [Dimension::X, Dimension::Y, Dimension::Z].get(number).copied()
    }

    fn name(self) -> &'static str {
        match self {
            Dimension::X => "x",
            Dimension::Y => "y",
            Dimension::Z => "z",
        }
    }
}

/// The mask of a float's sign bit.
fn sign_bit(scalar: Scalar) -> String {
    match scalar.bits() {
        64 => "vec2<u32>(0u, 0x80000000u)".to_owned(),
        bits => format!("{}u", 1u32 << (bits - 1)),
    }
}

/// An integer as f32. A 32-bit integer is the sum of its halves, each of which f32 holds exactly, so there is one
/// rounding, that of the sum. WGSL does not specify how a conversion itself rounds the last bits.
fn float(from: Scalar, with_sign: bool, value: &str) -> String {
    match (from.bits(), with_sign) {
        (1, true) => format!("select(0.0, -1.0, {value})"),
        (1, false) => format!("select(0.0, 1.0, {value})"),
        (32, true) => format!("i32_value({value})"),
        (32, false) => format!("u32_value({value})"),
        (bits, true) => format!("f32({})", signed(value, bits)),
        (_, false) => format!("f32({value})"),
    }
}

fn called(function: Function, scalar: Scalar, value: Id) -> String {
    let of_float = |name: &str| scalar.to_bits(&format!("{name}({})", scalar.of_bits(&format!("v{value}"))));
    match function {
        Function::Floor => of_float("floor_f32"),
        Function::Ceil => of_float("ceil_f32"),
        Function::Trunc => of_float("trunc_f32"),
        Function::Round => of_float("round_f32"),
        Function::RoundEven => of_float("round_even_f32"),
        Function::Absolute => format!("(v{value} & ~{})", sign_bit(scalar)),
        Function::Sqrt => of_float("sqrt_f32"),
        Function::Exp2 => of_float("exp2"),
        Function::Log2 => of_float("log2"),
        Function::Sin => of_float("sin"),
        Function::Cos => of_float("cos"),
        Function::InverseSqrt => of_float("inverseSqrt"),
    }
}

fn number(scalar: Scalar, word: u32) -> String {
    let at = |word: u32| format!("numbers[{}u][{}u]", word / 4, word % 4);
    match scalar.bits() {
        64 => format!("vec2<u32>({}, {})", at(word), at(word + 1)),
        32 => at(word),
        1 => format!("(({} & 1u) == 1u)", at(word)),
        bits => cut(&at(word), bits),
    }
}

/// The lowest bits of a word.
fn cut(word: &str, bits: u32) -> String {
    if bits == 32 { word.to_owned() } else { format!("extractBits({word}, 0u, {bits}u)") }
}

fn shifted(how: Shift, scalar: Scalar, a: Id, b: Id) -> String {
    let bits = scalar.bits();
    if bits == 64 {
        let name = match how {
            Shift::Left => "shl_64",
            Shift::Right => "shr_64",
            Shift::Signed => "sar_64",
        };
        return format!("{name}(v{a}, v{b}.x)");
    }
    match how {
        Shift::Left => cut(&format!("(v{a} << (v{b} & 31u))"), bits),
        Shift::Right => format!("(v{a} >> (v{b} & 31u))"),
        Shift::Signed => cut(&format!("bitcast<u32>({} >> (v{b} & 31u))", signed(&format!("v{a}"), bits)), bits),
    }
}

fn divided(sign: &str, scalar: Scalar, with_sign: bool, a: Id, b: Id) -> String {
    if !with_sign {
        return format!("(v{a} {sign} v{b})");
    }
    let bits = scalar.bits();
    let value = |id: Id| signed(&format!("v{id}"), bits);
    cut(&format!("bitcast<u32>({} {sign} {})", value(a), value(b)), bits)
}

fn resized(from: Scalar, to: Scalar, with_sign: bool, value: &str) -> String {
    let word = match (from.bits(), with_sign) {
        (1, true) => format!("select(0u, 0xffffffffu, {value})"),
        (1, false) => format!("select(0u, 1u, {value})"),
        (64, _) => format!("{value}.x"),
        (32, _) | (_, false) => value.to_owned(),
        (bits, true) => format!("bitcast<u32>({})", signed(value, bits)),
    };
    match to.bits() {
        1 => format!("(({word} & 1u) == 1u)"),
        64 if with_sign => format!("vec2<u32>({word}, bitcast<u32>(bitcast<i32>({word}) >> 31u))"),
        64 => format!("vec2<u32>({word}, 0u)"),
        bits => cut(&word, bits),
    }
}
