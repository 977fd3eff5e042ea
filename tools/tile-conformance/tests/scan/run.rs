//! Running the kernel of a scan in the simulator.

use ptx_sim::{Arg, Fault, LaunchConfig, LaunchError, Memory, Pointer, Schedule, launch};

use crate::program::{Program, compile};

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
}

/// Schedules of every kind; the starved blocks are among the first few.
pub fn schedules() -> Vec<Schedule> {
    let texts = ["fair", "random:1", "random:2", "one-block-at-a-time", "reversed", "starve:0", "starve:1", "starve:2"];
    texts.iter().map(|text| text.parse().expect("it is a schedule")).collect()
}

/// The results of a launch.
pub struct Outcome {
    /// The results.
    pub out: Vec<u8>,
    /// Polls, tiles looked back over, fallbacks started, and fallbacks published.
    pub counters: [u64; 4],
    /// Whether a block gave up.
    pub gave_up: bool,
}

/// Device memory of a scan; the workspace persists across launches.
pub struct Device {
    memory: Memory,
    workspace: Pointer,
    epoch: u32,
}

/// Bytes of the workspace: more than any test needs, all of it zero.
const WORKSPACE: usize = 1 << 16;

impl Device {
    /// A workspace that was never used.
    pub fn new() -> Self {
        let mut memory = Memory::new();
        let workspace = memory.alloc_with(&vec![0; WORKSPACE]).expect("there is room");
        Device { memory, workspace, epoch: 0 }
    }

    /// Makes one more launch.
    pub fn run(
        &mut self,
        program: &Program,
        launch_as: &Launch,
        input: &[Vec<u8>],
        init: Option<&[u8]>,
    ) -> Result<Outcome, LaunchError> {
        let compiled = compile(program);
        let bytes = input[0].len();
        let pad = program.offset as usize * bytes;
        let source = [vec![0; pad], input.concat()].concat();
        let size = source.len();
        let source = self.memory.alloc_with(&source).expect("there is room").offset(pad as u64);
        let out = self.memory.alloc(size).expect("there is room").offset(pad as u64);
        self.epoch += 1;
        let mut args = vec![
            Arg::Ptr(source),
            Arg::Ptr(out),
            Arg::Ptr(self.workspace),
            Arg::U64(input.len() as u64),
            Arg::U32(self.epoch),
        ];
        args.extend(init.map(argument));
        let tiles = input.len().div_ceil(launch_as.tile) as u32;
        let config = LaunchConfig {
            schedule: launch_as.schedule,
            resident_blocks: launch_as.resident,
            dynamic_shared: launch_as.shared,
            step_limit: 50_000_000,
            ..LaunchConfig::new(launch_as.blocks.unwrap_or(tiles), launch_as.threads)
        };
        for (kernel, blocks) in [("scan_reduce", tiles), ("scan_prefix", 1)] {
            if compiled.text.contains(&format!(".entry {kernel}(")) {
                let config = LaunchConfig { grid: [blocks, 1, 1], ..config.clone() };
                launch(&mut self.memory, &compiled.module, kernel, &config, &args)?;
            }
        }
        launch(&mut self.memory, &compiled.module, "scan", &config, &args)?;
        let head = self.memory.read(self.workspace, 256).expect("it was zero at first");
        let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("8 bytes"));
        let outcome = Outcome {
            counters: [word(16), word(24), word(32), word(40)],
            gave_up: word(8) != 0,
            out: self.memory.read(out, size - pad).expect("every result is written").to_vec(),
        };
        Ok(outcome)
    }
}

fn argument(bytes: &[u8]) -> Arg {
    match *bytes {
        [a] => Arg::U8(a),
        [a, b] => Arg::U16(u16::from_le_bytes([a, b])),
        [a, b, c, d] => Arg::U32(u32::from_le_bytes([a, b, c, d])),
        _ => match <[u8; 8]>::try_from(bytes) {
            Ok(bytes) => Arg::U64(u64::from_le_bytes(bytes)),
            Err(_) => Arg::Bytes(bytes.to_vec()),
        },
    }
}

/// Runs once on a fresh workspace.
pub fn run(program: &Program, launch_as: &Launch, input: &[Vec<u8>], init: Option<&[u8]>) -> Outcome {
    let outcome = Device::new().run(program, launch_as, input, init);
    outcome.unwrap_or_else(|error| panic!("{program:?} {launch_as:?} n={}: {error}", input.len()))
}

/// The fault of a run that must have one.
pub fn fault(program: &Program, launch_as: &Launch, input: &[Vec<u8>]) -> Fault {
    match Device::new().run(program, launch_as, input, None) {
        Err(LaunchError::Fault(fault)) => *fault,
        Err(other) => panic!("a fault is expected, got {other}"),
        Ok(_) => panic!("a fault is expected, but the launch ended"),
    }
}

/// Compares results, element by element.
pub fn check(got: &[u8], expected: &[Vec<u8>], what: &dyn std::fmt::Debug) {
    let bytes = expected[0].len();
    assert_eq!(got.len(), bytes * expected.len(), "{what:?}");
    for (index, (got, expected)) in got.chunks(bytes).zip(expected).enumerate() {
        assert_eq!(got, expected, "element {index} of {} of {what:?}", expected.len());
    }
}
