//! Matrices through `ldmatrix` and `stmatrix`.

use crate::plan::{Guard, Side};

/// 8x8 matrices of 16-bit elements between shared memory and the registers of warps.
///
/// Both layouts are over `shape = [warps, 8, 4, steps, num, 2]`; iters of each part multiply to its extent.
/// Warp `w`, lane `l`, step `s` of the copy:
///
/// ```text
///   shared row address   position (w, 0, 0, s, l/8 where num > 1, 0), plus (l mod 8) * row_stride
///   register i < num     position (0, 0, 0, s, i, 0) / 2, in 32-bit registers
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixCopy {
    /// Shared → registers (`ldmatrix`), or registers → shared (`stmatrix`)?
    pub load: bool,
    /// Is each matrix transposed on the way?
    pub trans: bool,
    /// Matrices per instruction: 1, 2 or 4.
    pub num: i64,
    /// Threads that share the copy.
    pub threads: i64,
    /// `[threads/32, 8, 4, M/(2 num), num, 2]` with `M` elements per thread.
    pub shape: [i64; 6],
    /// Elements between two rows of a matrix in shared memory, before the swizzle.
    pub row_stride: i64,
    /// The shared side.
    pub shared: Side,
    /// The register side.
    pub registers: Side,
    /// Warps that take part; all of them where the list is empty. Whole warps only.
    pub guards: Vec<Guard>,
}

impl MatrixCopy {
    /// Instructions per warp.
    pub fn steps(&self) -> i64 {
        self.shape[3]
    }

    /// The PTX instruction: `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16`.
    pub fn instruction(&self) -> String {
        let name = if self.load { "ldmatrix" } else { "stmatrix" };
        let trans = if self.trans { ".trans" } else { "" };
        format!("{name}.sync.aligned.m8n8.x{}{trans}.shared.b16", self.num)
    }
}
