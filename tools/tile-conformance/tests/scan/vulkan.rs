//! The same scans on a Vulkan device: Mesa's software driver, where there is no other. `SCAN_VULKAN_CASES` says how many.

use std::cell::RefCell;

use tile_conformance::lower::Compiler;
use tile_run::vulkan::{Buffer, Gpu, Module};

use crate::element::Random;
use crate::program::Program;
use crate::random::{data, draw_portable, number};
use crate::run::check;

/// Targets whose features a driver may have.
const TARGETS: [&str; 4] = ["vulkan1.2", "vulkan1.2-64", "vulkan1.3", "vulkan1.3-64"];

/// What targets may decline: f64, vectors of less than a word, and tiles that have no room.
const DECLINES: [&str; 4] =
    ["target-lacks-64-bit-floats", "vector-below-word", "tile-exceeds-shared-memory", "items-not-registers"];

/// Bytes of the workspace, zero: more than any test needs.
const WORKSPACE: usize = 1 << 20;

/// A launch of all kernels of a program.
struct Job<'j> {
    spirv: &'j [u8],
    tile: usize,
    input: &'j [Vec<u8>],
    first: Option<&'j [u8]>,
    launches: u32,
}

impl Job<'_> {
    fn run(&self, gpu: &mut Gpu) -> Vec<u8> {
        let module = Module::read(self.spirv).expect("the compiler wrote it");
        let input = self.input.concat();
        let [source, dest, workspace] = [input.as_slice(), &vec![0xcd; input.len()], &vec![0; WORKSPACE]]
            .map(|bytes| gpu.holding(bytes).expect("there is room"));
        let kernels = gpu.program(&module).expect("the driver takes it");
        let blocks = [self.input.len().div_ceil(self.tile) as u32, 1];
        for epoch in 1..=self.launches {
            let mut block = [0; 32];
            block[..4].copy_from_slice(&(self.input.len() as u32).to_le_bytes());
            block[8..12].copy_from_slice(&epoch.to_le_bytes());
            let first = self.first.unwrap_or_default();
            block[12..12 + first.len()].copy_from_slice(first);
            let parameters = gpu.holding(&block).expect("there is room");
            let buffers: [&Buffer; 4] = [&source, &dest, &workspace, &parameters];
            gpu.run(&kernels, &buffers, blocks).expect("it ends");
            gpu.destroy_buffer(parameters);
        }
        let left = gpu.contents(&dest).expect("it is read");
        gpu.destroy_program(kernels);
        [source, dest, workspace].into_iter().for_each(|buffer| gpu.destroy_buffer(buffer));
        left
    }
}

thread_local! {
    static COMPILER: RefCell<Compiler> = RefCell::default();
}

/// The kernels of a program for a target, or why not.
fn spirv(program: &Program, target: &str) -> Result<Vec<u8>, String> {
    COMPILER.with_borrow(|compiler| compiler.spirv(&program.text(), target))
}

#[test]
fn any_scan_ends_and_is_right_on_vulkan() {
    let mut gpu = match Gpu::open(0) {
        Ok(gpu) => gpu,
        Err(error) => return eprintln!("skipped: {error}"),
    };
    let mut random = Random(number("SCAN_SEED", 11));
    let (mut done, cases) = (0, number("SCAN_VULKAN_CASES", 24));
    while done < cases {
        let case = draw_portable(&mut random);
        let target = TARGETS[(random.next() & 3) as usize];
        let (input, right, first) = data(&case);
        match spirv(&case.program, target) {
            Ok(spirv) => {
                let launches = 1 + (random.next() & 1) as u32;
                let job =
                    Job { spirv: &spirv, tile: case.launch.tile, input: &input, first: first.as_deref(), launches };
                check(&job.run(&mut gpu), &right, &(target, &case));
                done += 1;
            }
            Err(reason) => {
                assert!(DECLINES.iter().any(|cause| reason.contains(cause)), "{target} {case:?}: {reason}");
            }
        }
    }
}
