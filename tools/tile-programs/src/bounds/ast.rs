//! Kernels that copy regions with computed begins: a tree of statements over expressions.
//!
//! One block of 32 threads copies small regions between matrices in global memory. Every copy has elements of its own in
//! the result, so that the order of threads does not matter.

/// Threads of the block.
pub const THREADS: i64 = 32;
/// The extents of the matrices that copies read and write at computed begins.
pub const EXTENTS: [i64; 2] = [64, 8];
/// The extents of a view of such a matrix.
pub const PART: [i64; 2] = [16, 4];
/// Rows of the result that a thread has for each copy.
pub const ROWS: i64 = 2;

/// A kernel, and the arguments with which it is tried.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The statements.
    pub body: Vec<Statement>,
    /// Values for [`ARGUMENTS`].
    pub arguments: Vec<[i64; 3]>,
    /// The number of copies; their numbers are smaller.
    pub copies: usize,
}

/// The types of the arguments that are numbers.
pub const ARGUMENTS: [Type; 3] = [Type::Index, Type::Index, Type::I32];

/// A type of numbers. Values are sign-extended to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `index`, of 64 bits.
    Index,
    /// `i64`.
    I64,
    /// `i32`.
    I32,
    /// `i16`.
    I16,
    /// `i1`: 0, or -1 for true.
    I1,
}

/// An operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, rounded toward zero.
    DivS,
    /// Unsigned quotient.
    DivU,
    /// Remainder with the sign of the dividend.
    RemS,
    /// Unsigned remainder.
    RemU,
    /// Quotient, rounded up.
    CeilDivS,
    /// Unsigned quotient, rounded up.
    CeilDivU,
    /// Quotient, rounded down.
    FloorDivS,
    /// Smaller of two.
    MinS,
    /// Larger of two.
    MaxS,
    /// Smaller of two unsigned numbers.
    MinU,
    /// Larger of two unsigned numbers.
    MaxU,
    /// Shift to the left.
    Shl,
    /// Shift to the right with the sign.
    ShrS,
    /// Shift to the right with zeros.
    ShrU,
    /// Bits that both have.
    And,
    /// Bits that one has.
    Or,
    /// Bits that differ.
    Xor,
    /// A comparison.
    Compare(Predicate),
    /// The second or the third operand.
    Select,
    /// Another type, with the sign if `signed`.
    Cast {
        /// Whether the value is signed.
        signed: bool,
    },
    /// An `affine.apply`, or an `affine.min`.
    Affine(Affine),
}

/// `x * scale + add`, and what is then done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    /// The factor.
    pub scale: i64,
    /// The summand.
    pub add: i64,
    /// What is done with the sum.
    pub last: AffineLast,
    /// The second number of that, positive.
    pub by: i64,
}

/// The last step of an affine expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AffineLast {
    /// Nothing.
    Plain,
    /// `floordiv`.
    Floor,
    /// `ceildiv`.
    Ceil,
    /// `mod`.
    Mod,
    /// The smaller one, by `affine.min`.
    Min,
}

/// A predicate of comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
    /// Signed greater.
    Sgt,
    /// Signed greater or equal.
    Sge,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Unsigned greater.
    Ugt,
    /// Unsigned greater or equal.
    Uge,
}

/// How an operation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In the arith dialect.
    Plain,
    /// In the index dialect, where it has the operation.
    Index,
    /// In the arith dialect, with a promise that it does not wrap as a signed number.
    NoSignedWrap,
    /// In the arith dialect, with a promise that it does not wrap as an unsigned number.
    NoUnsignedWrap,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A constant.
    Constant(Type, i64),
    /// An argument, by its number in [`ARGUMENTS`].
    Argument(usize),
    /// The thread id.
    Thread,
    /// What a statement names: the variable of a loop, or a value.
    Variable(usize, Type),
    /// An operation with its result's type.
    Operation(Op, Form, Type, Vec<Expression>),
}

impl Expression {
    /// Its type.
    pub fn r#type(&self) -> Type {
        match self {
            Self::Constant(r#type, _) | Self::Variable(_, r#type) | Self::Operation(_, _, r#type, _) => *r#type,
            Self::Argument(number) => ARGUMENTS[*number],
            Self::Thread => Type::Index,
        }
    }

    /// An operation of the arith dialect.
    pub fn of(op: Op, operands: Vec<Expression>) -> Self {
        let r#type = if matches!(op, Op::Compare(_)) { Type::I1 } else { operands[0].r#type() };
        Self::Operation(op, Form::Plain, r#type, operands)
    }
}

/// A copy between the matrix with computed begins and elements of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Its number.
    pub number: usize,
    /// Whether all threads copy together; otherwise each copies a region of its own.
    pub warp: bool,
    /// Whether the computed region is the destination.
    pub writes: bool,
    /// Whether it is masked.
    pub masked: bool,
    /// The begin of a view of the matrix, of which the region is.
    pub part: Option<[Expression; 2]>,
    /// The begin of the region.
    pub begin: [Expression; 2],
    /// The extents of the region.
    pub sizes: [i64; 2],
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Names a value.
    Let(usize, Expression),
    /// A condition.
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// An `scf.for`.
    For {
        /// The number of its variable.
        variable: usize,
        /// Lower bound, upper bound and step.
        bounds: [Expression; 3],
        /// Whether bounds are compared as unsigned numbers.
        unsigned: bool,
        /// What it repeats.
        body: Vec<Statement>,
    },
    /// An `affine.for`.
    AffineFor {
        /// The number of its variable.
        variable: usize,
        /// Lower bound, upper bound and step.
        bounds: [i64; 3],
        /// What it repeats.
        body: Vec<Statement>,
    },
    /// A copy.
    Copy(Box<Copy>),
}
