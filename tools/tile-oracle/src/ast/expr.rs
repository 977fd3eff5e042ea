//! Integers and conditions that each thread computes.

/// An integer that each thread computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A literal.
    Const(i64),
    /// A kernel argument, by its number.
    Argument(usize),
    /// The block's position: 0, 1, 2 for x, y, z.
    Block(usize),
    /// The thread's position in the block.
    Thread(usize),
    /// The number of the thread in the block.
    Linear,
    /// The number of the block in the grid.
    LinearBlock,
    /// Position in the warp.
    Lane,
    /// The variable of an enclosing loop, by its number.
    Variable(usize),
    /// An entry of a table, by the number of the argument.
    Load(usize, Box<Expr>),
    /// Sum.
    Add(Box<Expr>, Box<Expr>),
    /// Product.
    Mul(Box<Expr>, i64),
    /// Quotient; operands are not negative.
    Div(Box<Expr>, i64),
    /// Remainder; operands are not negative.
    Rem(Box<Expr>, i64),
    /// `tile.assume`, with a promise that holds.
    Assume(Box<Expr>, i64),
}

impl Expr {
    /// `self + other`.
    pub fn plus(self, other: Expr) -> Expr {
        Expr::Add(Box::new(self), Box::new(other))
    }

    /// `self * factor`.
    pub fn times(self, factor: i64) -> Expr {
        Expr::Mul(Box::new(self), factor)
    }

    /// `self / divisor`.
    pub fn over(self, divisor: i64) -> Expr {
        Expr::Div(Box::new(self), divisor)
    }

    /// `self % divisor`.
    pub fn modulo(self, divisor: i64) -> Expr {
        Expr::Rem(Box::new(self), divisor)
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less than.
    Lt,
    /// Greater than or equal.
    Ge,
}

/// A condition that each thread evaluates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// A comparison of two numbers.
    Is(Compare, Expr, Expr),
    /// Both conditions.
    And(Box<Cond>, Box<Cond>),
}
