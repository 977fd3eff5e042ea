//! How elements are combined, by scans and reductions.

/// The operator that combines two elements. The numbers are those of `TileScanOps.td`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CombineKind {
    /// Sum.
    Add = 0,
    /// Product.
    Mul = 1,
    /// Signed or floating-point minimum; NaN if either is NaN.
    Min = 2,
    /// Signed or floating-point maximum; NaN if either is NaN.
    Max = 3,
    /// Unsigned minimum.
    UMin = 4,
    /// Unsigned maximum.
    UMax = 5,
    /// Bitwise and.
    And = 6,
    /// Bitwise or.
    Or = 7,
    /// Bitwise exclusive or.
    Xor = 8,
    /// The op's region.
    Custom = 9,
}

impl CombineKind {
    /// All of them.
    pub const ALL: [CombineKind; 10] = [
        CombineKind::Add,
        CombineKind::Mul,
        CombineKind::Min,
        CombineKind::Max,
        CombineKind::UMin,
        CombineKind::UMax,
        CombineKind::And,
        CombineKind::Or,
        CombineKind::Xor,
        CombineKind::Custom,
    ];

    /// The kind with that number in the dialect's encoding.
    pub fn from_code(code: i64) -> Option<CombineKind> {
        CombineKind::ALL.into_iter().find(|&kind| kind as i64 == code)
    }

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        ["add", "mul", "min", "max", "umin", "umax", "and", "or", "xor", "custom"][self as usize]
    }

    /// Whether it is defined only for integers.
    pub fn is_integer_only(self) -> bool {
        matches!(self, CombineKind::UMin | CombineKind::UMax | CombineKind::And | CombineKind::Or | CombineKind::Xor)
    }
}

/// The element that an arg-reduction finds. The numbers are those of `ReduceKind` in `TileElementwiseOps.td`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extreme {
    /// The smallest.
    Min = 10,
    /// The largest.
    Max = 11,
}

impl Extreme {
    /// The name of its arg-reduction in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Extreme::Min => "argmin",
            Extreme::Max => "argmax",
        }
    }
}

/// What `tile.reduce` reduces a dimension to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceKind {
    /// All elements combined.
    Combined(CombineKind),
    /// The index of one element and, where asked for, the element.
    Index(Extreme),
}

impl ReduceKind {
    /// The kind with that number in the dialect's encoding.
    pub fn from_code(code: i64) -> Option<ReduceKind> {
        let extreme = [Extreme::Min, Extreme::Max].into_iter().find(|&extreme| extreme as i64 == code);
        extreme.map(ReduceKind::Index).or_else(|| CombineKind::from_code(code).map(ReduceKind::Combined))
    }
}
