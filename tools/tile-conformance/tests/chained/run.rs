//! Running the kernel of a body in the simulator.

use ptx_sim::{Arg, Fault, LaunchConfig, LaunchError, Memory, Pointer, Schedule, launch};

use crate::bodies::{Body, compile};
use crate::inputs::bytes;
use crate::oracle::{Results, expected};

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

/// Device memory; the workspace persists across launches.
pub struct Device {
    memory: Memory,
    workspace: Pointer,
    epoch: u32,
}

/// Bytes of the workspace: more than any test needs, all of it zero.
const WORKSPACE: usize = 1 << 16;

/// The results of a launch.
pub struct Outcome {
    /// The results.
    pub results: Results,
    /// Polls, tiles looked back over, fallbacks started, and fallbacks published.
    pub counters: [u64; 4],
}

impl Device {
    /// A workspace that was never used.
    pub fn new() -> Self {
        let mut memory = Memory::new();
        let workspace = memory.alloc_with(&vec![0; WORKSPACE]).expect("there is room");
        Device { memory, workspace, epoch: 0 }
    }

    /// Makes one more launch. Arrays of results are as long as those of elements; what lies behind the results is not written.
    pub fn run(
        &mut self,
        body: &Body,
        launch_as: &Launch,
        (elements, others): (&[i64], &[i64]),
    ) -> Result<Outcome, LaunchError> {
        let n = elements.len();
        let (sources, results) = (body.sources(elements, others), body.results());
        let mut args = Vec::new();
        for (name, source) in &sources {
            let pad = body.offset * bytes(name);
            let padded = [&vec![0; pad], source.as_slice(), &[0; 8]].concat();
            args.push(Arg::Ptr(self.memory.alloc_with(&padded).expect("there is room").offset(pad as u64)));
        }
        let dests: Vec<_> = (results.iter())
            .map(|name| {
                let pad = body.offset * bytes(name);
                self.memory.alloc(pad + bytes(name) * n + 8).expect("there is room").offset(pad as u64)
            })
            .collect();
        let total = self.memory.alloc(4).expect("there is room");
        self.epoch += 1;
        args.extend(dests.iter().map(|&dest| Arg::Ptr(dest)));
        // With a length in memory, the arrays are longer.
        let claimed = if body.has_length { n + 5 } else { n };
        args.extend([Arg::Ptr(total), Arg::Ptr(self.workspace), Arg::U64(claimed as u64), Arg::U32(self.epoch)]);
        if body.has_length {
            let length = self.memory.alloc_with(&(n as u64).to_le_bytes()).expect("there is room");
            args.push(Arg::Ptr(length));
        }
        let tiles = claimed.div_ceil(launch_as.tile).max(1) as u32;
        let config = LaunchConfig {
            schedule: launch_as.schedule,
            resident_blocks: launch_as.resident,
            dynamic_shared: launch_as.shared,
            step_limit: 50_000_000,
            ..LaunchConfig::new(launch_as.blocks.unwrap_or(tiles), launch_as.threads)
        };
        launch(&mut self.memory, &compile(body), "chained", &config, &args)?;
        let read = |at: Pointer, size: usize| self.memory.read(at, size).expect("every result is written").to_vec();
        let total = i64::from(i32::from_le_bytes(read(total, 4).try_into().expect("4 bytes")));
        let arrays = results.iter().zip(dests).zip(body.lengths(total, n));
        let arrays = arrays.map(|((name, dest), length)| read(dest, bytes(name) * length)).collect();
        let head = read(self.workspace, 48);
        let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("8 bytes"));
        Ok(Outcome { results: Results { arrays, total }, counters: [word(16), word(24), word(32), word(40)] })
    }
}

/// Runs once on a fresh workspace, and compares; the counters.
pub fn check(body: &Body, launch_as: &Launch, (elements, others): (&[i64], &[i64])) -> [u64; 4] {
    let outcome = Device::new().run(body, launch_as, (elements, others));
    let outcome = outcome.unwrap_or_else(|error| panic!("{body:?} {launch_as:?} n={}: {error}", elements.len()));
    compare(body, (elements, others), &outcome.results, launch_as);
    outcome.counters
}

/// Compares results.
pub fn compare(body: &Body, (elements, others): (&[i64], &[i64]), got: &Results, what: &dyn std::fmt::Debug) {
    let expected = expected(body, elements, others);
    assert_eq!(got.total, expected.total, "{} elements, {body:?} {what:?}", elements.len());
    for (index, (got, expected)) in got.arrays.iter().zip(&expected.arrays).enumerate() {
        let differs = got.iter().zip(expected).position(|(got, expected)| got != expected);
        assert_eq!(differs, None, "byte of array {index}, {} elements, {body:?} {what:?}", elements.len());
        assert_eq!(got.len(), expected.len());
    }
}

/// The fault of a run that must have one.
pub fn fault(body: &Body, launch_as: &Launch, input: (&[i64], &[i64])) -> Fault {
    match Device::new().run(body, launch_as, input) {
        Err(LaunchError::Fault(fault)) => *fault,
        Err(other) => panic!("a fault is expected, got {other}"),
        Ok(_) => panic!("a fault is expected, but the launch ended"),
    }
}
