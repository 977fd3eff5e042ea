//! Numbers that count the iterations of a loop over all times that it is entered, so that a ring goes on from one entry to the next:
//!
//! ```text
//!   for tile:                        tile   0           1           2
//!     for k in 0..3:                    k   0  1  2     0  1  2     0  1  2
//!       stage = total mod 4         total   0  1  2     3  4  5     6  7  8
//! ```

use crate::sync::program::SyncProgram;
use crate::sync::rounds::Together;
use crate::sync::shift::Apart;

impl SyncProgram {
    /// Whether what a number of [`totals`](SyncProgram::totals) counts is known for each thread: whether those that enter the loops go round
    /// them equally often.
    pub fn is_counted(&self, total: usize) -> bool {
        let mut loops = self.totals.get(&total).into_iter().flatten();
        loops.all(|&number| self.loops[number].rounds.together() == Together::Block)
    }

    /// How two executions of operations are related in what a number of [`Shift::loops`] counts, where `apart` says it of each loop.
    pub fn apart(&self, number: usize, apart: impl Fn(usize) -> Apart) -> Apart {
        let Some((&inner, around)) = self.totals.get(&number).and_then(|loops| loops.split_first()) else {
            return apart(number);
        };
        match apart(inner) {
            one @ (Apart::Same | Apart::Later(_) | Apart::AtLeast(_))
                if self.is_counted(number) && around.iter().all(|&outer| apart(outer) == Apart::Same) =>
            {
                one
            }
            _ => Apart::Any,
        }
    }
}
