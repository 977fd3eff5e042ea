//! Copies of 1 to 64 elements through shared memory. LLVM loads an aligned vector even if its last elements are not
//! needed: these must still lie inside the variable.

use std::fmt::Write;

use ptx_sim::{Arg, Checks, LaunchConfig, Memory, Module, launch};
use tile_conformance::lower::Compiler;

const SIZES: std::ops::RangeInclusive<usize> = 1..=64;

/// A kernel for each size; `shared` writes the shared tile of one.
fn module(chip: &str, element: &str, shared: impl Fn(usize) -> (String, String)) -> String {
    let mut text = format!("gpu.module @kernels [#nvvm.target<chip = \"{chip}\">] {{\n");
    for size in SIZES {
        let (attribution, tile) = shared(size);
        let (memref, global) = (format!("memref<{size}x{element}>"), format!("!tile.buffer<{size}x{element}, global>"));
        let on_chip = format!("!tile.buffer<{size}x{element}, shared>");
        write!(
            text,
            "gpu.func @k{size}(%A: {memref}, %B: {memref}) {attribution} kernel
                 attributes {{known_block_size = array<i32: 1, 1, 1>}} {{
               %a = tile.view %A : {memref} to {global}
               %b = tile.view %B : {memref} to {global}
               %s = {tile} {on_chip}
               tile.copy %a to %s scope(thread) : {global} to {on_chip}
               gpu.barrier
               tile.copy %s to %b scope(thread) : {on_chip} to {global}
               gpu.return
             }}\n"
        )
        .unwrap();
    }
    text + "}\n"
}

/// Runs every kernel; each argument has exactly its elements.
fn round_trips(chip: &str, element: &str, bytes: usize, shared: impl Fn(usize) -> (String, String)) {
    let ptx = Compiler::new().ptx(&module(chip, element, shared)).unwrap();
    let program = Module::parse(&ptx).unwrap();
    // Before PTX 8.3, nothing states which elements of a vector are used.
    let checks = Checks { init: chip != "sm_80", ..Checks::ALL };
    for size in SIZES {
        let mut memory = Memory::new();
        let source: Vec<u8> = (0..size * bytes).map(|index| index as u8 ^ 0x5a).collect();
        let a = memory.alloc_with(&source).unwrap();
        let b = memory.alloc(source.len()).unwrap();
        let config = LaunchConfig { checks, ..LaunchConfig::new(1, 1) };
        let launched = launch(&mut memory, &program, &format!("k{size}"), &config, &[Arg::Ptr(a), Arg::Ptr(b)]);
        launched.unwrap_or_else(|error| panic!("{size} of {element} on {chip}: {error}"));
        assert_eq!(memory.read(b, source.len()).unwrap(), source, "{size} of {element} on {chip}");
    }
}

fn everywhere(shared: impl Fn(usize, &str) -> (String, String)) {
    for chip in ["sm_80", "sm_90a", "sm_100a"] {
        for (element, bytes) in [("i8", 1), ("f16", 2), ("f32", 4)] {
            round_trips(chip, element, bytes, |size| shared(size, element));
        }
    }
}

#[test]
fn allocations_have_room() {
    everywhere(|_, _| (String::new(), "tile.alloc :".to_owned()));
}

/// The caller's own shared memory, which it has aligned so that vectors may be read.
#[test]
fn attributions_have_room() {
    everywhere(|size, element| {
        let memref = format!("memref<{size}x{element}, #gpu.address_space<workgroup>>");
        (format!("workgroup(%w: {memref} {{llvm.align = 16 : i64}})"), format!("tile.view %w : {memref} to"))
    });
}
