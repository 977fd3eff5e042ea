//! The offset of each buffer in shared memory: buffers that are never live simultaneously may share storage.

use petgraph::graph::NodeIndex;

use crate::sync::live::{Live, SharedBuffer};
use crate::sync::program::SyncProgram;

/// A plan of shared memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryPlan {
    /// The offset of each buffer.
    pub begins: Vec<i64>,
    /// The total number of bytes.
    pub bytes: i64,
    /// The alignment that the first byte needs.
    pub alignment: i64,
    /// The set of simultaneously live buffers with the most bytes.
    pub most: Vec<usize>,
    /// The operation at which they are live.
    pub at: Option<usize>,
}

/// Assigns an offset to each buffer. With `shares` false nothing is known about their use, and no two share storage.
///
/// ```
/// use tile_plan::sync::{SharedBuffer, SyncProgram, plan_memory};
/// let buffer = |object, bytes| SharedBuffer { object, used: bytes, bytes, alignment: 16, holds_mbarrier: false };
/// let memory = plan_memory(&SyncProgram::default(), &[buffer(0, 100), buffer(1, 64)], false);
/// assert_eq!((memory.begins, memory.bytes), (vec![0, 112], 176));
/// ```
pub fn plan_memory(program: &SyncProgram, buffers: &[SharedBuffer], shares: bool) -> MemoryPlan {
    let live = if shares { Live::of(program, buffers) } else { Live::all(buffers) };
    let mut orders: Vec<Vec<usize>> = vec![(0..buffers.len()).collect(); 3];
    orders[1].sort_by_key(|&buffer| std::cmp::Reverse(buffers[buffer].bytes));
    orders[2].sort_by_key(|&buffer| std::cmp::Reverse(live.apart.neighbors(NodeIndex::new(buffer)).count()));
    let plans = orders.into_iter().map(|order| placed(buffers, &live, &order));
    let (begins, bytes) = plans.min_by_key(|(_, bytes)| *bytes).unwrap_or_default();
    let alignment = buffers.iter().map(|buffer| buffer.alignment).max().unwrap_or(1);
    MemoryPlan { begins, bytes, alignment, most: live.most, at: live.at }
}

/// First-fit allocation in the given order.
fn placed(buffers: &[SharedBuffer], live: &Live, order: &[usize]) -> (Vec<i64>, i64) {
    let mut begins: Vec<Option<i64>> = vec![None; buffers.len()];
    let mut total = 0;
    for &buffer in order {
        let SharedBuffer { bytes, alignment, .. } = buffers[buffer];
        let others = live.apart.neighbors(NodeIndex::new(buffer)).map(NodeIndex::index);
        let mut taken: Vec<(i64, i64)> =
            others.filter_map(|at| begins[at].map(|begin| (begin, begin.saturating_add(buffers[at].bytes)))).collect();
        taken.sort_unstable();
        let aligned = |at: i64| at.saturating_add(alignment - 1) / alignment * alignment;
        let mut at = 0;
        for (begin, end) in taken {
            if at + bytes > begin {
                at = at.max(aligned(end));
            }
        }
        begins[buffer] = Some(at);
        total = total.max(at.saturating_add(bytes));
    }
    (begins.into_iter().map(Option::unwrap_or_default).collect(), total)
}
