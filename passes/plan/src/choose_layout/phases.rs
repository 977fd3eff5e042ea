//! Which lanes of an access shared memory serves together, by target, as data.

/// The phases of accesses of one width. The lanes of the first phase are the XORs of some of `lanes`; those of another phase are these
/// XORed with one of its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The bytes of a lane.
    pub bytes: i64,
    /// Lanes that generate the first phase.
    pub lanes: &'static [usize],
    /// The banks, of 4 bytes each: a power of two, at most [`MAX_BANKS`](crate::target::MAX_BANKS).
    pub banks: i64,
}

/// How the shared memory of a target serves the lanes of a warp.
#[derive(Debug, PartialEq, Eq)]
pub struct PhaseTable {
    /// The target's name.
    pub name: &'static str,
    /// Lanes of a warp.
    pub lanes: usize,
    /// The phases by width.
    pub phases: &'static [Phase],
}

/// Bytes of a word, which one bank delivers.
pub(super) const WORD_BYTES: i64 = 4;

const fn nvidia(bytes: i64, lanes: &'static [usize]) -> Phase {
    Phase { bytes, lanes, banks: 32 }
}

/// NVIDIA's chips: a phase is as many consecutive lanes as fill 32 banks.
pub static NVIDIA: PhaseTable = PhaseTable {
    name: "NVIDIA",
    lanes: 32,
    phases: &[
        nvidia(1, &[1, 2, 4, 8, 16]),
        nvidia(2, &[1, 2, 4, 8, 16]),
        nvidia(4, &[1, 2, 4, 8, 16]),
        nvidia(8, &[1, 2, 4, 8]),
        nvidia(16, &[1, 2, 4]),
    ],
};

impl PhaseTable {
    /// The phases of accesses of that width; `None` where the table has none.
    pub fn phase(&self, bytes: i64) -> Option<&'static Phase> {
        self.phases.iter().find(|phase| phase.bytes == bytes)
    }
}

impl Phase {
    /// The lanes of each phase among the first `active` ones.
    pub(super) fn groups(&self, active: usize) -> Vec<Vec<usize>> {
        let mut first = vec![0];
        for &generator in self.lanes {
            first.extend(first.clone().into_iter().map(|lane| lane ^ generator));
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut is_served = vec![false; active];
        for lane in 0..active {
            if !is_served[lane] {
                let group: Vec<usize> =
                    first.iter().map(|other| other ^ lane).filter(|&other| other < active).collect();
                group.iter().for_each(|&lane| is_served[lane] = true);
                groups.push(group);
            }
        }
        groups
    }
}
