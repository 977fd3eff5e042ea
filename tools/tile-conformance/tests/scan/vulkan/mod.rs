//! The same scans on a Vulkan device: Mesa's software driver, if there is no other. `SCAN_VULKAN_CASES` sets the number
//! of random scans; one of every `SCAN_VULKAN_STEP` fixed scans is run.

mod fixed;

use std::cell::RefCell;

use tile_conformance::lower::Compiler;
use tile_run::vulkan::{Buffer, Gpu, Module};

use crate::element::Random;
use crate::program::Program;
use crate::random::{data, draw_portable, number};
use crate::run::check;

/// Targets whose features a driver may support.
const TARGETS: [&str; 4] = ["vulkan1.2", "vulkan1.2-64", "vulkan1.3", "vulkan1.3-64"];
/// Targets with a fixed subgroup size, of which a driver supports one.
const SUBGROUPS: [&str; 3] = ["vulkan1.3-64-subgroup8", "vulkan1.3-64-subgroup32", "vulkan1.3-64-subgroup64"];

/// The reasons for which targets may decline: f64, vectors of less than a word, and tiles that are too large, or not
/// whole subgroups.
const DECLINES: [&str; 5] = [
    "target-lacks-64-bit-floats",
    "vector-below-word",
    "tile-exceeds-shared-memory",
    "items-not-registers",
    "threads-not-warps",
];

/// Bytes of the workspace, all zero: more than any test needs.
const WORKSPACE: usize = 1 << 20;

/// A scan with its results.
#[derive(Debug)]
struct Case {
    program: Program,
    /// Elements of a tile.
    tile: usize,
    input: Vec<Vec<u8>>,
    right: Vec<Vec<u8>>,
    first: Option<Vec<u8>>,
}

/// A device, and the targets that it fully supports.
struct Vulkan {
    gpu: Gpu,
    targets: Vec<&'static str>,
}

impl Vulkan {
    /// Opens the device; if there is none, prints a message and returns none.
    fn open() -> Option<Vulkan> {
        let mut gpu = match Gpu::open(0) {
            Ok(gpu) => gpu,
            Err(error) => {
                eprintln!("skipped: {error}");
                return None;
            }
        };
        let probe = Program::new("i32", "add", "threads = 128 : i64, items = 4 : i64");
        let takes = |target: &&str| {
            let code = spirv(&probe, target).expect("every target has it");
            let module = Module::read(&code).expect("the compiler wrote it");
            gpu.program(&module).is_ok()
        };
        let subgroups = SUBGROUPS.into_iter().find(takes);
        Some(Vulkan { targets: TARGETS.into_iter().chain(subgroups).collect(), gpu })
    }

    /// Runs a case `launches` times on one of the targets, and compares; returns false if the target declines it.
    fn check(&mut self, case: &Case, number: usize, launches: u32) -> bool {
        let target = self.targets[number % self.targets.len()];
        match spirv(&case.program, target) {
            Ok(spirv) => {
                check(&self.run(case, &spirv, launches), &case.right, &(target, &case.program, case.input.len()));
                true
            }
            Err(reason) => {
                assert!(DECLINES.iter().any(|cause| reason.contains(cause)), "{target} {case:?}: {reason}");
                false
            }
        }
    }

    fn run(&mut self, case: &Case, spirv: &[u8], launches: u32) -> Vec<u8> {
        let gpu = &mut self.gpu;
        let module = Module::read(spirv).expect("the compiler wrote it");
        let input = case.input.concat();
        let [source, dest, workspace] = [input.as_slice(), &vec![0xcd; input.len()], &vec![0; WORKSPACE]]
            .map(|bytes| gpu.holding(bytes).expect("there is room"));
        let kernels = gpu.program(&module).expect("the driver takes it");
        let blocks = [case.input.len().div_ceil(case.tile) as u32, 1];
        for epoch in 1..=launches {
            let mut block = [0; 32];
            block[..4].copy_from_slice(&(case.input.len() as u32).to_le_bytes());
            block[8..12].copy_from_slice(&epoch.to_le_bytes());
            let first = case.first.as_deref().unwrap_or_default();
            block[12..12 + first.len()].copy_from_slice(first);
            let parameters = gpu.holding(&block).expect("there is room");
            let buffers: [&Buffer; 4] = [&source, &dest, &workspace, &parameters];
            gpu.run(&kernels, &buffers, blocks).expect("it ends");
            gpu.destroy_buffer(parameters);
        }
        let left = gpu.contents(&dest).expect("it is read");
        [source, dest, workspace].into_iter().for_each(|buffer| gpu.destroy_buffer(buffer));
        left
    }
}

thread_local! {
    static COMPILER: RefCell<Compiler> = RefCell::default();
}

/// The kernels of a program for a target, or the reason that it is declined.
fn spirv(program: &Program, target: &str) -> Result<Vec<u8>, String> {
    COMPILER.with_borrow(|compiler| compiler.spirv(&program.text(), target))
}

#[test]
fn any_scan_ends_and_is_right_on_vulkan() {
    let Some(mut vulkan) = Vulkan::open() else { return };
    let mut random = Random(number("SCAN_SEED", 11));
    let (mut done, cases) = (0, number("SCAN_VULKAN_CASES", 24));
    while done < cases {
        let drawn = draw_portable(&mut random);
        let (input, right, first) = data(&drawn);
        let case = Case { tile: drawn.launch.tile, program: drawn.program, input, right, first };
        let (target, launches) = ((random.next() & 0xff) as usize, 1 + (random.next() & 1) as u32);
        done += u64::from(vulkan.check(&case, target, launches));
    }
}
