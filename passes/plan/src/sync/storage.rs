//! The offset of each buffer in shared memory: buffers that are never live simultaneously may share storage.

use petgraph::graph::NodeIndex;

use crate::sync::live::{Live, Room};
use crate::sync::program::Program;

/// A plan of shared memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The offset of each room.
    pub begins: Vec<i64>,
    /// The total number of bytes.
    pub bytes: i64,
    /// The alignment that the first byte needs.
    pub alignment: i64,
    /// The set of simultaneously live rooms with the most bytes.
    pub most: Vec<usize>,
    /// The operation at which they are live.
    pub at: Option<usize>,
}

/// Assigns an offset to each buffer. With `shares` false nothing is known about their use, and no two share storage.
///
/// ```
/// use tile_plan::sync::{Program, Room, plan_memory};
/// let room = |object, bytes| Room { object, used: bytes, bytes, alignment: 16 };
/// let memory = plan_memory(&Program::default(), &[room(0, 100), room(1, 64)], false);
/// assert_eq!((memory.begins, memory.bytes), (vec![0, 112], 176));
/// ```
pub fn plan_memory(program: &Program, rooms: &[Room], shares: bool) -> Memory {
    let live = if shares { Live::of(program, rooms) } else { Live::all(rooms) };
    let mut orders: Vec<Vec<usize>> = vec![(0..rooms.len()).collect(); 3];
    orders[1].sort_by_key(|&room| std::cmp::Reverse(rooms[room].bytes));
    orders[2].sort_by_key(|&room| std::cmp::Reverse(live.apart.neighbors(NodeIndex::new(room)).count()));
    let plans = orders.into_iter().map(|order| placed(rooms, &live, &order));
    let (begins, bytes) = plans.min_by_key(|(_, bytes)| *bytes).unwrap_or_default();
    let alignment = rooms.iter().map(|room| room.alignment).max().unwrap_or(1);
    Memory { begins, bytes, alignment, most: live.most, at: live.at }
}

/// First-fit allocation in the given order.
fn placed(rooms: &[Room], live: &Live, order: &[usize]) -> (Vec<i64>, i64) {
    let mut begins: Vec<Option<i64>> = vec![None; rooms.len()];
    let mut total = 0;
    for &room in order {
        let Room { bytes, alignment, .. } = rooms[room];
        let others = live.apart.neighbors(NodeIndex::new(room)).map(NodeIndex::index);
        let mut taken: Vec<(i64, i64)> =
            others.filter_map(|it| begins[it].map(|begin| (begin, begin.saturating_add(rooms[it].bytes)))).collect();
        taken.sort_unstable();
        let aligned = |at: i64| at.saturating_add(alignment - 1) / alignment * alignment;
        let mut at = 0;
        for (begin, end) in taken {
            if at + bytes > begin {
                at = at.max(aligned(end));
            }
        }
        begins[room] = Some(at);
        total = total.max(at.saturating_add(bytes));
    }
    (begins.into_iter().map(Option::unwrap_or_default).collect(), total)
}
