//! Running the kernel of a scan in the simulator.

use ptx_sim::{Arg, Fault, LaunchConfig, LaunchError, launch};
use tile_conformance::arrays::{self, ArrayMemory};
pub use tile_conformance::arrays::{Launch, schedules};

use crate::program::{Program, compile};

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
pub struct Device(ArrayMemory);

/// Bytes of the workspace: more than any test needs.
const WORKSPACE: usize = 1 << 16;

impl Device {
    /// A workspace that was never used.
    pub fn new() -> Self {
        Device(ArrayMemory::new(WORKSPACE))
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
        let source = self.0.memory.alloc_with(&source).expect("there is room").offset(pad as u64);
        let out = self.0.memory.alloc(size).expect("there is room").offset(pad as u64);
        let epoch = self.0.next_epoch();
        let mut args = vec![
            Arg::Ptr(source),
            Arg::Ptr(out),
            Arg::Ptr(self.0.workspace),
            Arg::U64(input.len() as u64),
            Arg::U32(epoch),
        ];
        args.extend(init.map(argument));
        let tiles = input.len().div_ceil(launch_as.tile) as u32;
        let config = launch_as.config(tiles);
        for (kernel, blocks) in [("scan_reduce", tiles), ("scan_prefix", 1)] {
            if compiled.text.contains(&format!(".entry {kernel}(")) {
                let config = LaunchConfig { grid: [blocks, 1, 1], ..config.clone() };
                launch(&mut self.0.memory, &compiled.module, kernel, &config, &args)?;
            }
        }
        launch(&mut self.0.memory, &compiled.module, "scan", &config, &args)?;
        let outcome = Outcome {
            counters: self.0.counters(),
            gave_up: self.0.gave_up(),
            out: self.0.memory.read(out, size - pad).expect("every result is written").to_vec(),
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
    arrays::fault(Device::new().run(program, launch_as, input, None))
}

/// Compares results, element by element.
pub fn check(got: &[u8], expected: &[Vec<u8>], what: &dyn std::fmt::Debug) {
    let bytes = expected[0].len();
    assert_eq!(got.len(), bytes * expected.len(), "{what:?}");
    for (index, (got, expected)) in got.chunks(bytes).zip(expected).enumerate() {
        assert_eq!(got, expected, "element {index} of {} of {what:?}", expected.len());
    }
}
