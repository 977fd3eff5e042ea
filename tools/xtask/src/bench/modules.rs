//! Modules with any number of copies, to measure how the time of lowering grows.

use std::fmt::Write;

/// Copies in one function: in and out, for each tile below.
pub const COPIES_PER_FUNCTION: u32 = 2 * PAIRS.len() as u32;

/// A global tile, and the buffer that it is copied to and back from: a name, the shape with the element type, the
/// scope, and the memory space and layout of the other side.
struct Pair {
    name: &'static str,
    tile: &'static str,
    scope: &'static str,
    other: &'static str,
}

/// A tile for each kind of decision: plain and swizzled shared memory, registers with and without a layout of matrix
/// fragments, and a tile whose number of elements no group of threads divides.
const PAIRS: [Pair; 5] = [
    Pair { name: "warp", tile: "32x32xf32", scope: "warp", other: "shared" },
    Pair {
        name: "cta",
        tile: "128x64xf16",
        scope: "cta",
        other: "shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>",
    },
    Pair { name: "rows", tile: "32x8xf32", scope: "warp", other: "local, #tile.layout<(32, 8) : (1@laneid, 1)>" },
    Pair {
        name: "fragment",
        tile: "8x8xf16",
        scope: "warp",
        other: "local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>",
    },
    Pair { name: "odd", tile: "3x5xf32", scope: "warp", other: "shared" },
];

/// The kind of copies in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleKind {
    /// Copies of whole buffers, one for each kind of decision.
    Mixed,
    /// Regions of one buffer with run-time offsets, computed from block ids and constants.
    RunTime,
}

impl ModuleKind {
    /// The name in tables and file names.
    pub fn name(self) -> &'static str {
        match self {
            ModuleKind::Mixed => "mixed",
            ModuleKind::RunTime => "run-time",
        }
    }
}

/// The text of a module with `functions` functions of [`COPIES_PER_FUNCTION`] copies each.
pub fn module(kind: ModuleKind, functions: u32) -> String {
    let mut text = String::from("gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {\n");
    for number in 0..functions {
        match kind {
            ModuleKind::Mixed => function(&mut text, number),
            ModuleKind::RunTime => at_run_time(&mut text, number),
        }
    }
    text.push_str("}\n");
    text
}

/// Writes a function; writing into a string cannot fail.
fn at_run_time(text: &mut String, number: u32) {
    let (global, shared) = ("!tile.buffer<4096x64xf32, global>", "!tile.buffer<8x32xf32, shared>");
    let _ = writeln!(text, "  gpu.func @copies_{number}(%tiles: memref<4096x64xf32>) kernel");
    text.push_str("      attributes {known_block_size = array<i32: 128, 1, 1>} {\n");
    let _ = writeln!(text, "    %global = tile.view %tiles : memref<4096x64xf32> to {global}");
    let _ = writeln!(text, "    %shared = tile.alloc : {shared}\n    %eight = arith.constant 8 : index");
    text.push_str("    %block = gpu.block_id x\n    %row = arith.muli %block, %eight : index\n");
    for copy in 0..COPIES_PER_FUNCTION {
        let _ = writeln!(text, "    %c{copy} = arith.constant {} : index", copy % 4);
        let _ = writeln!(text, "    %column{copy} = arith.muli %c{copy}, %eight : index");
        let region = format!("%global[%row, %column{copy}] [8, 32]");
        let _ = writeln!(text, "    tile.copy {region} to %shared scope(cta) : {global} to {shared}");
        text.push_str("    gpu.barrier\n");
    }
    text.push_str("    gpu.return\n  }\n");
}

/// Writes a function; writing into a string cannot fail.
fn function(text: &mut String, number: u32) {
    let arguments = PAIRS.each_ref().map(|pair| format!("%arg_{}: memref<{}>", pair.name, pair.tile)).join(", ");
    let _ = writeln!(text, "  gpu.func @copies_{number}({arguments}) kernel");
    text.push_str("      attributes {known_block_size = array<i32: 128, 1, 1>} {\n");
    for Pair { name, tile, scope, other } in &PAIRS {
        let (global, near) = (format!("!tile.buffer<{tile}, global>"), format!("!tile.buffer<{tile}, {other}>"));
        let _ = writeln!(text, "    %{name} = tile.view %arg_{name} : memref<{tile}> to {global}");
        let _ = writeln!(text, "    %near_{name} = tile.alloc : {near}");
        let _ = writeln!(text, "    tile.copy %{name} to %near_{name} scope({scope}) : {global} to {near}");
        let _ = writeln!(text, "    gpu.barrier");
        let _ = writeln!(text, "    tile.copy %near_{name} to %{name} scope({scope}) : {near} to {global}");
    }
    text.push_str("    gpu.return\n  }\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_as_many_copies_as_stated() {
        for kind in [ModuleKind::Mixed, ModuleKind::RunTime] {
            let text = module(kind, 7);
            assert_eq!(text.matches("tile.copy ").count(), 7 * COPIES_PER_FUNCTION as usize);
            assert_eq!(text.matches("gpu.func @").count(), 7);
            assert_eq!(text.matches('{').count(), text.matches('}').count());
        }
    }
}
