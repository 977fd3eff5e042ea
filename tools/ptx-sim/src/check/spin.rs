//! Loops that cannot end unless another thread acts.
//!
//! A loop that returns to the same instruction with the state of its whole warp unchanged, while no memory has changed,
//! will do so forever. A path that polls in such a loop is therefore put to sleep until memory changes; if all paths
//! sleep, the program is provably stuck.

/// The history of a path's backward branches.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spin {
    /// Backward branches since memory was last seen to change.
    count: u32,
    /// A value that another thread may change was read since the last backward branch.
    pub(crate) polled: bool,
    /// A clock was read: the loop ends by itself.
    pub(crate) timed: bool,
    snapshot: Option<Snapshot>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Snapshot {
    target: u32,
    version: u64,
    state: u64,
}

/// Backward branches before the first snapshot.
const PATIENCE: u32 = 8;
/// Branches after a snapshot that are compared with it.
const WINDOW: u32 = 4;

impl Spin {
    /// Notes a backward branch to `target`; `state` hashes the warp. Returns true if the path repeats itself.
    pub(crate) fn back_edge(&mut self, target: u32, version: u64, state: impl FnOnce() -> u64) -> bool {
        let polled = std::mem::take(&mut self.polled);
        let timed = std::mem::take(&mut self.timed);
        self.count = self.count.saturating_add(1);
        if !polled || timed {
            self.snapshot = None;
            return false;
        }
        let since = self.count - (1 << self.count.ilog2());
        if self.count < PATIENCE || since > WINDOW {
            return false;
        }
        let now = Snapshot { target, version, state: state() };
        if since == 0 || self.snapshot.is_none() {
            self.snapshot = Some(now);
            return false;
        }
        self.snapshot == Some(now)
    }

    /// Whether the path has polled for so long that other paths of its warp should run first.
    pub(crate) fn impatient(&self) -> bool {
        self.count >= 1000
    }

    /// Adds the history of a path that has been joined: in some loops, lanes diverge and reconverge in every iteration.
    pub(crate) fn join(&mut self, other: &Self) {
        let (polled, timed) = (self.polled | other.polled, self.timed | other.timed);
        if other.count > self.count {
            *self = other.clone();
        }
        (self.polled, self.timed) = (polled, timed);
    }

    /// Starts again, because memory has changed.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeating_state_is_found() {
        let mut spin = Spin::default();
        let found = (0..32).position(|_| {
            spin.polled = true;
            spin.back_edge(4, 1, || 77)
        });
        assert_eq!(found, Some(8));
    }

    #[test]
    fn a_counting_loop_and_changing_memory_are_not() {
        let (mut counting, mut changing) = (Spin::default(), Spin::default());
        for i in 0..10_000 {
            counting.polled = true;
            changing.polled = true;
            assert!(!counting.back_edge(4, 1, || i));
            assert!(!changing.back_edge(4, i, || 77));
        }
    }
}
