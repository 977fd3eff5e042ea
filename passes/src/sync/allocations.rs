//! Tensor memory as far as it is known before a kernel is read, its copies and products.

use std::collections::HashSet;

use tile_plan::ThreadSet;

use crate::read::place::Root;

/// What of a kernel's tensor memory is known before its operations are read, and its copies and products that are not committed.
#[derive(Default)]
pub struct Tensor {
    /// Where addresses of allocations are put: the memory and the byte.
    pub slots: Vec<(Root, i64)>,
    /// Tiles of registers that loads from tensor memory write.
    pub loaded: HashSet<usize>,
    /// The copies by `tcgen05.cp`, the products by `tcgen05.mma`, and what commits them, by the numbers of their operations.
    pub copies: Vec<usize>,
    /// Those that no `tcgen05.commit` has come behind yet.
    pub open: Vec<usize>,
    /// Each `tcgen05.commit`: its thread, and the number by which it is known that what came before it is done.
    pub commits: Vec<(ThreadSet, usize)>,
}
