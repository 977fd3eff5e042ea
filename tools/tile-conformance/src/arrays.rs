//! Launches of the kernels of ops on arrays, scans, passes and sorts, whose blocks may run in any order.

use ptx_sim::{Fault, LaunchConfig, LaunchError, Memory, Pointer, Schedule};

/// The launch parameters of a kernel.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Elements of a tile.
    pub tile: usize,
    /// Threads of a block.
    pub threads: u32,
    /// Blocks; one per tile if none.
    pub blocks: Option<u32>,
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// The schedule.
    pub schedule: Schedule,
    /// Blocks that run at the same time.
    pub resident: usize,
}

impl Launch {
    /// One block per tile.
    pub fn new(tile: usize, threads: u32) -> Self {
        Launch { tile, threads, blocks: None, shared: 0, schedule: Schedule::Fair, resident: 1024 }
    }

    /// The same launch under another schedule.
    pub fn under(&self, schedule: Schedule) -> Self {
        Launch { schedule, ..self.clone() }
    }

    /// The simulator's configuration, of this many blocks unless the launch has another number.
    pub fn config(&self, tiles: u32) -> LaunchConfig {
        LaunchConfig {
            schedule: self.schedule,
            resident_blocks: self.resident,
            dynamic_shared: self.shared,
            step_limit: 50_000_000,
            ..LaunchConfig::new(self.blocks.unwrap_or(tiles), self.threads)
        }
    }
}

/// Schedules of every kind; the starved blocks are among the first few.
pub fn schedules() -> Vec<Schedule> {
    let texts = ["fair", "random:1", "random:2", "one-block-at-a-time", "reversed", "starve:0", "starve:1", "starve:2"];
    texts.iter().map(|text| text.parse().expect("it is a schedule")).collect()
}

/// Device memory with a workspace that persists across launches.
pub struct ArrayMemory {
    /// All of it.
    pub memory: Memory,
    /// The workspace.
    pub workspace: Pointer,
    epoch: u32,
}

impl ArrayMemory {
    /// A workspace of so many bytes that was never used, all of it zero.
    pub fn new(workspace_bytes: usize) -> Self {
        let mut memory = Memory::new();
        let workspace = memory.alloc_with(&vec![0; workspace_bytes]).expect("there is room");
        ArrayMemory { memory, workspace, epoch: 0 }
    }

    /// The epoch of one more launch.
    pub fn next_epoch(&mut self) -> u32 {
        self.epoch += 1;
        self.epoch
    }

    /// What the workspace has counted: polls, tiles looked back over, fallbacks started, and fallbacks published.
    pub fn counters(&self) -> [u64; 4] {
        [16, 24, 32, 40].map(|place| self.word(place))
    }

    /// Whether a block gave up.
    pub fn gave_up(&self) -> bool {
        self.word(8) != 0
    }

    fn word(&self, place: usize) -> u64 {
        let head = self.memory.read(self.workspace, 48).expect("it was zero at first");
        u64::from_le_bytes(head[place..place + 8].try_into().expect("8 bytes"))
    }
}

/// The fault of a run that must have one.
pub fn fault<T>(outcome: Result<T, LaunchError>) -> Fault {
    match outcome {
        Err(LaunchError::Fault(fault)) => *fault,
        Err(other) => panic!("a fault is expected, got {other}"),
        Ok(_) => panic!("a fault is expected, but the launch ended"),
    }
}
