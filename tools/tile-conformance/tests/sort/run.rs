//! Running the kernels of a sort in the simulator, and what they must compute.

use ptx_sim::{Arg, Fault, LaunchConfig, LaunchError, Pointer, Schedule, launch};
pub use tile_conformance::arrays::schedules;
use tile_conformance::arrays::{self, ArrayMemory};
use tile_plan::sort::{DIGITS, HISTOGRAM_THREADS};

use crate::program::{Program, compile};

/// The order in which blocks run.
#[derive(Clone, Copy, Debug)]
pub struct BlockOrder {
    /// The schedule.
    pub schedule: Schedule,
    /// Blocks that run at the same time.
    pub resident: usize,
}

impl BlockOrder {
    /// All blocks at the same time.
    pub fn under(schedule: Schedule) -> Self {
        BlockOrder { schedule, resident: 1024 }
    }
}

/// Device memory; the workspace persists across launches.
pub struct Device(ArrayMemory);

/// Bytes of the workspace: more than any test needs.
const WORKSPACE: usize = 1 << 19;

/// What a sort has left.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The keys, then the values, as bits.
    pub arrays: Vec<Vec<u64>>,
    /// Polls, tiles looked back over, fallbacks started, and fallbacks published.
    pub counters: [u64; 4],
    /// Whether a block gave up.
    pub gave_up: bool,
}

/// Blocks of the kernel that counts digits.
const HISTOGRAM_BLOCKS: u32 = 3;

impl Device {
    /// A workspace that was never used.
    pub fn new() -> Self {
        Device(ArrayMemory::new(WORKSPACE))
    }

    /// Sorts keys; values are their numbers.
    pub fn sort(&mut self, program: &Program, order: BlockOrder, keys: &[u64]) -> Result<Outcome, LaunchError> {
        let (plan, (key_bytes, value_bytes)) = (program.plan(), program.bytes());
        assert!(plan.workspace.bytes(keys.len() as i64, plan.tile.elements()) as usize <= WORKSPACE);
        let widths: Vec<_> = std::iter::once(key_bytes).chain(value_bytes).collect();
        let numbers = numbers(keys.len(), value_bytes);
        let mut args = Vec::new();
        for (values, &width) in [keys, &numbers].into_iter().zip(&widths) {
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()[..width].to_vec());
            let padded: Vec<u8> = vec![0; program.offset * width].into_iter().chain(bytes).collect();
            let array = self.0.memory.alloc_with(&padded).expect("there is room");
            args.push(Arg::Ptr(array.offset((program.offset * width) as u64)));
        }
        let results: Vec<_> = (widths.iter())
            .map(|width| {
                let poison = vec![0xee; (keys.len() + program.offset) * width];
                let array = self.0.memory.alloc_with(&poison).expect("there is room");
                array.offset((program.offset * width) as u64)
            })
            .collect();
        args.extend(results.iter().map(|&result| Arg::Ptr(result)));
        let epoch = self.0.next_epoch();
        args.extend([Arg::Ptr(self.0.workspace), Arg::U64(keys.len() as u64), Arg::U32(epoch)]);
        let module = compile(program);
        let tiles = keys.len().div_ceil(plan.tile.elements() as usize) as u32;
        let counted =
            [("sort_histogram".to_owned(), (HISTOGRAM_BLOCKS, HISTOGRAM_THREADS, plan.histogram.shared_bytes))];
        let sorted = (0..plan.passes).map(|pass| (format!("sort_{pass}"), (tiles, DIGITS, plan.tile.rooms().bytes)));
        for (name, (blocks, threads, shared)) in counted.into_iter().chain(sorted) {
            let config = LaunchConfig {
                schedule: order.schedule,
                resident_blocks: order.resident,
                dynamic_shared: shared as u32,
                step_limit: 200_000_000,
                ..LaunchConfig::new(blocks, threads as u32)
            };
            launch(&mut self.0.memory, &module, &name, &config, &args)?;
        }
        let read = |at: Pointer, size: usize| self.0.memory.read(at, size).expect("there is memory").to_vec();
        let decoded = |(&result, &width): (&Pointer, &usize)| {
            let bytes = read(result, width * keys.len());
            let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
            bytes.chunks(width).map(number).collect()
        };
        let arrays = results.iter().zip(&widths).map(decoded).collect();
        Ok(Outcome { arrays, counters: self.0.counters(), gave_up: self.0.gave_up() })
    }
}

/// The numbers of elements, as far as values have room for them.
fn numbers(n: usize, bytes: Option<usize>) -> Vec<u64> {
    let mask = u64::MAX >> (64 - 8 * bytes.unwrap_or(8));
    (0..n as u64).map(|number| number.wrapping_mul(0x0101_0101_0000_0001) & mask).collect()
}

/// An integer with the order of the keys.
pub fn rank(program: &Program, bits: u64) -> i128 {
    let width = 8 * program.bytes().0 as u32;
    let is_negative = bits >> (width - 1) == 1;
    let magnitude = i128::from(bits & (u64::MAX >> (65 - width)));
    match program.key.as_bytes()[0] {
        b'i' if program.is_unsigned || !is_negative => i128::from(bits),
        b'i' => i128::from(bits) - (1 << width),
        _ if is_negative => -1 - magnitude,
        _ => magnitude,
    }
}

/// What a sort must leave.
pub fn expected(program: &Program, keys: &[u64]) -> Vec<Vec<u64>> {
    let values = numbers(keys.len(), program.bytes().1);
    let mut pairs: Vec<_> = keys.iter().copied().zip(values).collect();
    pairs.sort_by(|(a, _), (b, _)| {
        let order = rank(program, *a).cmp(&rank(program, *b));
        if program.is_descending { order.reverse() } else { order }
    });
    let (keys, values): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    if program.value.is_some() { vec![keys, values] } else { vec![keys] }
}

/// Sorts once with a fresh workspace, and compares; the counters.
pub fn check(program: &Program, order: BlockOrder, keys: &[u64]) -> [u64; 4] {
    let what = || format!("{program:?} {order:?} n={}", keys.len());
    let outcome = Device::new().sort(program, order, keys).unwrap_or_else(|error| panic!("{}: {error}", what()));
    compare(&outcome.arrays, &expected(program, keys), &what());
    outcome.counters
}

/// Compares all elements.
pub fn compare(got: &[Vec<u64>], expected: &[Vec<u64>], what: &str) {
    for (array, (got, expected)) in got.iter().zip(expected).enumerate() {
        let differs = got.iter().zip(expected).position(|(got, expected)| got != expected);
        assert_eq!(differs, None, "element of array {array}: {what}");
        assert_eq!(got.len(), expected.len());
    }
}

/// The fault of a sort that must have one.
pub fn fault(program: &Program, order: BlockOrder, keys: &[u64]) -> Fault {
    arrays::fault(Device::new().sort(program, order, keys))
}

/// Random keys; of each number of equal bits in the highest places, so that digits are alike and are not.
pub fn random(seed: u64, n: usize) -> Vec<u64> {
    let mut state = seed.wrapping_mul(2) + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state ^ (state >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    (0..n).map(|_| next()).collect()
}

/// Keys of a program's width.
pub fn narrowed(program: &Program, keys: &[u64]) -> Vec<u64> {
    let mask = u64::MAX >> (64 - 8 * program.bytes().0);
    keys.iter().map(|key| key & mask).collect()
}
