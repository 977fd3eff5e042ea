//! Numbers and conditions that each thread computes.

/// An integer that each thread computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// Written.
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
    /// The variable of a loop around, by its number.
    Variable(usize),
    /// An entry of a table, by the number of the argument.
    Load(usize, Box<Expr>),
    /// Sum.
    Add(Box<Expr>, Box<Expr>),
    /// Product.
    Mul(Box<Expr>, i64),
    /// Quotient; operands are not negative.
    Div(Box<Expr>, i64),
    /// Remainder; likewise.
    Rem(Box<Expr>, i64),
    /// `tile.assume`: a true promise.
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

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Not less.
    Ge,
}

/// A condition of each thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Two numbers compared.
    Is(Compare, Expr, Expr),
    /// Both.
    And(Box<Cond>, Box<Cond>),
}
