//! Running the kernel of a body in the simulator.

use ptx_sim::{Arg, Fault, LaunchError, Pointer, launch};
use tile_conformance::arrays::{self, ArrayMemory};
pub use tile_conformance::arrays::{Launch, schedules};

use crate::bodies::{Body, compile};
use crate::inputs::bytes;
use crate::oracle::{Results, expected};

/// Device memory; the workspace persists across launches.
pub struct Device(ArrayMemory);

/// Bytes of the workspace: more than any test needs.
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
        Device(ArrayMemory::new(WORKSPACE))
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
            args.push(Arg::Ptr(self.0.memory.alloc_with(&padded).expect("there is room").offset(pad as u64)));
        }
        let dests: Vec<_> = (results.iter())
            .map(|name| {
                let pad = body.offset * bytes(name);
                self.0.memory.alloc(pad + bytes(name) * n + 8).expect("there is room").offset(pad as u64)
            })
            .collect();
        let total = self.0.memory.alloc(4).expect("there is room");
        let epoch = self.0.next_epoch();
        args.extend(dests.iter().map(|&dest| Arg::Ptr(dest)));
        // With a length in memory, the arrays are longer.
        let claimed = if body.has_length { n + 5 } else { n };
        args.extend([Arg::Ptr(total), Arg::Ptr(self.0.workspace), Arg::U64(claimed as u64), Arg::U32(epoch)]);
        if body.has_length {
            let length = self.0.memory.alloc_with(&(n as u64).to_le_bytes()).expect("there is room");
            args.push(Arg::Ptr(length));
        }
        let tiles = claimed.div_ceil(launch_as.tile).max(1) as u32;
        let config = launch_as.config(tiles);
        launch(&mut self.0.memory, &compile(body), "chained", &config, &args)?;
        let read = |at: Pointer, size: usize| self.0.memory.read(at, size).expect("every result is written").to_vec();
        let total = i64::from(i32::from_le_bytes(read(total, 4).try_into().expect("4 bytes")));
        let arrays = results.iter().zip(dests).zip(body.lengths(total, n));
        let arrays = arrays.map(|((name, dest), length)| read(dest, bytes(name) * length)).collect();
        Ok(Outcome { results: Results { arrays, total }, counters: self.0.counters() })
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
    arrays::fault(Device::new().run(body, launch_as, input))
}
