//! How two elements are combined, by scans and reductions.

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
