//! What a kernel knows only when it runs: where regions begin, extents and strides of buffers, and what encloses the copy.

/// How the program states where a region begins in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// As a number in the text.
    Written,
    /// As an argument of the kernel, promised to be a multiple of this: `tile.assume %begin divisible_by 8`.
    Assumed(i64),
    /// As a multiple of an argument of the kernel: `arith.muli %begin, %c8`.
    Product(i64),
}

impl Begin {
    /// The kernel's argument for a region that begins at `begin`; none where it is written.
    pub fn argument(self, begin: i64) -> Option<i64> {
        match self {
            Begin::Written => None,
            Begin::Assumed(_) => Some(begin),
            Begin::Product(factor) => Some(begin / factor),
        }
    }
}

/// What the type of a global buffer leaves to the run in one dimension: `?`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Its extent, an argument of the kernel?
    pub extent: bool,
    /// Its stride, an argument of the kernel that is promised to be a multiple of this?
    pub stride: Option<i64>,
}

/// Something around the copy that depends on an argument of the kernel, the same in all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enclosing {
    /// The copy is done if the argument, this one, is not zero.
    If(bool),
    /// It is done if the argument is zero.
    Unless(bool),
    /// It is done so many times.
    For(u32),
}

impl Enclosing {
    /// The kernel's argument.
    pub fn argument(self) -> u32 {
        match self {
            Enclosing::If(set) | Enclosing::Unless(set) => u32::from(set),
            Enclosing::For(rounds) => rounds,
        }
    }

    /// Is the copy done at all?
    pub fn runs(self) -> bool {
        match self {
            Enclosing::If(set) => set,
            Enclosing::Unless(set) => !set,
            Enclosing::For(rounds) => rounds > 0,
        }
    }
}
