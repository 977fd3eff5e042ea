//! The time of a product in tiles, estimated from what is counted: multiply-adds, bytes and waits.
//!
//! Blocks run in waves of as many as the SMs hold. A block steps through the depths; a step takes as long as the slowest of
//!
//! ```text
//!   multiply   m n k multiply-adds of each block of an SM, by its instruction; mma.sync waits for fragments, too
//!   load       (m + n) k elements of each block of an SM, from L2
//!   dram       (group m + columns n) k elements that the blocks of a wave have together; none where both factors fit L2
//!   latency    latency + max(load, dram), over stages - 2 tiles in flight: one is multiplied, and one is still read
//! ```
//!
//! A wave begins with a latency and ends with the stores of its tiles. The last wave has the tiles that remain.
//!
//! 4096 x 4096 x 4096 of f16 on an H200, in tiles of 128x256x64 with 4 stages, in groups of 16 rows:
//!
//! ```text
//!   multiply   128 * 256 * 64 / (2048 * 1430 MHz)         0.72 us
//!   load       (128 + 256) * 64 * 2 bytes / 87.5 KB/us    0.56 us
//!   dram       (16 * 128 + 8.25 * 256) * 64 * 2 / 3.2 MB  0.17 us
//!   latency    (0.48 + 0.56) / 2                          0.52 us
//!   a wave     0.48 + 64 * 0.72 + 64 KB / 64 KB/us        47.3 us
//!   512 tiles on 132 SMs: 4 waves, and the launch         193.8 us     measured: 191.8
//! ```

use tile_isa::NumberFormat;
use tile_isa::registers::resident_blocks;

use super::schedule::ProductInstruction;
use crate::target::Target;
use crate::target::speeds::Speeds;

/// The bytes of depths that a matrix instruction multiplies.
const FRAGMENT_BYTES: i64 = 32;

/// Multiply-adds that an SM does in a clock by single threads.
const FMA_LANES: i64 = 128;

/// Registers of a thread beside its sums.
const OTHER_REGISTERS: i64 = 72;

/// Shared memory that a block has beside its tiles: barriers, and gaps before aligned tiles.
const OTHER_BYTES: i64 = 2048;

/// Tiles that a step has taken from the ring: one is multiplied, one is still read by products in flight.
const TAKEN_STAGES: i64 = 2;

/// The time in microseconds is compared in tenths.
const TENTHS: f64 = 10.0;

/// One way to do a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductTiling {
    /// Rows, columns and depths of the product.
    pub size: [i64; 3],
    /// The elements of the factors; results are as wide.
    pub number: NumberFormat,
    /// What multiplies.
    pub instruction: ProductInstruction,
    /// Rows, columns and depths of a tile.
    pub tile: [i64; 3],
    /// The threads of a block.
    pub threads: i64,
    /// The tiles of a ring.
    pub stages: i64,
    /// The rows of tiles that blocks take in groups.
    pub group: i64,
}

/// The parts of a time, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProductEstimate {
    /// Of a step: the multiplications.
    pub multiply: f64,
    /// Of a step: loads from L2.
    pub load: f64,
    /// Of a step: loads from DRAM.
    pub dram: f64,
    /// Of a step: what is waited for a tile.
    pub latency: f64,
    /// The waves of blocks, the last one included.
    pub waves: i64,
    /// The whole product, its launch included.
    pub total: f64,
}

/// One wave.
struct Wave {
    /// multiply, load, dram and latency of a step.
    step: [f64; 4],
    time: f64,
}

impl ProductEstimate {
    /// What the steps are waiting for.
    pub fn bound(&self) -> &'static str {
        let parts = [
            ("multiplications", self.multiply),
            ("loads from L2", self.load),
            ("loads from DRAM", self.dram),
            ("latency", self.latency),
        ];
        parts.into_iter().max_by(|(_, one), (_, other)| one.total_cmp(other)).map_or("", |(name, _)| name)
    }

    /// The time as estimates are compared.
    pub fn tenths(&self) -> i64 {
        (self.total * TENTHS).round() as i64
    }
}

impl ProductTiling {
    /// The bytes of both tiles of a step.
    pub fn step_bytes(&self) -> i64 {
        let [m, n, k] = self.tile;
        (m + n) * k * i64::from(self.number.bits()) / 8
    }

    /// The bytes that are on their way while a step is multiplied.
    pub fn bytes_in_flight(&self) -> i64 {
        (self.stages - TAKEN_STAGES).max(0) * self.step_bytes()
    }

    /// The most stages of blocks of which so many are on an SM together.
    pub fn most_stages(&self, target: &Target, blocks: i64) -> i64 {
        (target.shared_bytes() / blocks - OTHER_BYTES) / self.step_bytes().max(1)
    }

    /// Of tilings of the same time, the better one is less: more bytes in flight, then fewer steps, then fewer elements of a wave, then
    /// more blocks side by side that read the same columns.
    pub fn preference(&self, target: &Target) -> [i64; 4] {
        let wave = self.wave_elements(target.sm_count() * self.resident(target));
        [-self.bytes_in_flight(), up(self.size[2], self.tile[2]), wave as i64, -self.group]
    }

    /// The blocks that an SM has at a time: at least the one that is being asked for.
    pub fn resident(&self, target: &Target) -> i64 {
        let [m, n, _] = self.tile;
        let by_shared = target.shared_bytes() / (self.stages * self.step_bytes() + OTHER_BYTES);
        let by_registers = resident_blocks(self.threads, m * n / self.threads + OTHER_REGISTERS);
        by_shared.clamp(1, by_registers)
    }

    /// The time on a chip.
    pub fn estimate(&self, target: &Target, speeds: &Speeds) -> ProductEstimate {
        let ([m, n, _], [tm, tn, _]) = (self.size, self.tile);
        let tiles = up(m, tm) * up(n, tn);
        let slots = target.sm_count() * self.resident(target);
        let wave = |blocks| self.wave(blocks, target.sm_count(), speeds);
        let (full, last) = (wave(tiles.min(slots)), tiles % slots);
        let ragged = if last > 0 { wave(last).time } else { 0.0 };
        let [multiply, load, dram, latency] = full.step;
        let total = speeds.launch_ns as f64 / 1e3 + (tiles / slots) as f64 * full.time + ragged;
        ProductEstimate { multiply, load, dram, latency, waves: up(tiles, slots), total }
    }

    /// So many blocks, which run at the same time.
    fn wave(&self, blocks: i64, sms: i64, speeds: &Speeds) -> Wave {
        let [m, n, k] = self.tile;
        let element_bytes = f64::from(self.number.bits()) / 8.0;
        let on_one = up(blocks, sms) as f64;
        let latency = speeds.latency_ns as f64 / 1e3;
        let fragments = k * i64::from(self.number.bits()) / 8 / FRAGMENT_BYTES;
        let is_by_warps = self.instruction == ProductInstruction::MmaSync;
        let fragment_ns = if is_by_warps { fragments * speeds.fragment_ns } else { 0 };
        let multiply = on_one * (m * n * k) as f64 / self.multiply_adds(speeds) + fragment_ns as f64 / 1e3;
        let load = on_one * self.step_bytes() as f64 / speeds.load_bytes as f64;
        let fits_l2 = self.factor_bytes() < speeds.l2_bytes * 3 / 4;
        let elements = if fits_l2 { 0.0 } else { self.wave_elements(blocks) };
        let dram = elements * element_bytes / speeds.dram_bytes as f64;
        let in_flight = (self.stages - TAKEN_STAGES) as f64;
        let wait = (latency + load.max(dram)) / in_flight.max(0.5);
        let slowest = multiply.max(load).max(dram).max(wait);
        let stores = on_one * (m * n) as f64 * element_bytes / speeds.store_bytes as f64;
        Wave { step: [multiply, load, dram, wait], time: latency + up(self.size[2], k) as f64 * slowest + stores }
    }

    fn factor_bytes(&self) -> i64 {
        let [m, n, k] = self.size;
        (m + n) * k * i64::from(self.number.bits()) / 8
    }

    /// The elements that so many blocks, which run together, have in common in a step.
    fn wave_elements(&self, blocks: i64) -> f64 {
        let ([m, n, _], [tm, tn, k]) = (self.size, self.tile);
        let columns = (blocks as f64 / self.group as f64).clamp(1.0, up(n, tn) as f64);
        let rows = (blocks as f64 / columns).clamp(1.0, up(m, tm) as f64);
        (rows * tm as f64 + columns * tn as f64) * k as f64
    }

    /// Multiply-adds of an SM in a microsecond.
    fn multiply_adds(&self, speeds: &Speeds) -> f64 {
        let of_bits = match self.number.bits() {
            64 => speeds.multiply_adds / 16,
            bits => speeds.multiply_adds * 16 / i64::from(bits.max(1)),
        };
        let in_clock = match self.instruction {
            ProductInstruction::Fma => FMA_LANES.min(of_bits),
            ProductInstruction::MmaSync => of_bits * speeds.warp_percent / 100,
            ProductInstruction::Wgmma | ProductInstruction::Tcgen05 => of_bits,
        };
        (in_clock * speeds.clock_mhz) as f64
    }
}

/// How many parts of a size there are.
fn up(number: i64, size: i64) -> i64 {
    (number + size - 1) / size
}
