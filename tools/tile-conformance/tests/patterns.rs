//! Kernels whose ops another compiler lowers by patterns alone, in MLIR's greedy driver, executed.

use melior::ir::Module as IrModule;
use melior::ir::operation::OperationLike;
use ptx_sim::{Arg, LaunchConfig, Memory, Module, Schedule, launch};
use tile_passes::{Options, compile, embed, patterns};

/// The rows, columns and depth of the products.
const SIZES: [usize; 3] = [64, 64, 32];
const THREADS: u32 = 128;

/// A product whose sums are doubled and reduced to the largest of each row. `tiles` are the layouts of A, B and C, `scope` is that of
/// the product, and `factors` brings A and B to the tiles that are multiplied.
fn kernel([a, b, c]: [&str; 3], factors: &str) -> String {
    format!(
        "!a = !tile.buffer<64x32xf16, {a}>
         !b = !tile.buffer<32x64xf16, {b}>
         !c = !tile.buffer<64x64xf32, local, {c}>
         !row = !tile.buffer<64x1xf32, shared>
         gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {{
           gpu.func @f(%A: memref<64x32xf16>, %B: memref<32x64xf16>, %C: memref<64x64xf32>, %D: memref<64x1xf32>) kernel
               attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{
             %zero = arith.constant 0.0 : f32
             %two = arith.constant 2.0 : f32
             %ga = tile.view %A : memref<64x32xf16>
             %gb = tile.view %B : memref<32x64xf16>
             %gc = tile.view %C : memref<64x64xf32>
             %gd = tile.view %D : memref<64x1xf32>
             %a = tile.alloc : !a
             %b = tile.alloc : !b
             %c = tile.alloc : !c
             %row = tile.alloc : !row
             tile.copy %ga to %a scope(cta) : !tile.buffer<64x32xf16, global> to !a
             tile.copy %gb to %b scope(cta) : !tile.buffer<32x64xf16, global> to !b
             {factors}
             tile.fill %zero to %c scope(cta) : f32 to !c
             tile.mma %a, %b, %c scope(cta) : !a, !b, !c
             tile.map %c to %c scope(cta) : !c to !c {{
             ^bb0(%e: f32):
               %d = arith.mulf %e, %two : f32
               tile.yield %d : f32
             }}
             tile.copy %c to %gc scope(cta) : !c to !tile.buffer<64x64xf32, global>
             tile.reduce max %c to %row dim(1) scope(cta) : !c to !row
             gpu.barrier
             tile.copy %row to %gd scope(cta) : !row to !tile.buffer<64x1xf32, global>
             gpu.return
           }}
         }}"
    )
}

/// Factors in shared memory, for warpgroups.
fn by_warpgroups() -> String {
    let swizzle = "swizzle<base = 3, bits = 2, shift = 3>";
    let a = format!("shared, #tile.layout<(64, 32) : (32, 1), {swizzle}>");
    let b = "shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>";
    let factors =
        "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n gpu.barrier";
    kernel([&a, b, "#tile.fragment<wgmma.c>"], factors)
}

/// Factors in registers, for warps: each has 16 rows.
fn by_warps() -> String {
    let [a, b, c] = ["a", "b", "c"].map(|role| format!("#tile.fragment<mma.m16n8k16.{role} over (4, 1) warps>"));
    kernel([&format!("local, {a}"), &format!("local, {b}"), &c], "")
}

/// The kernel after the greedy driver with all patterns that are wanted.
fn lowered<'c>(context: &'c melior::Context, text: &str, wanted: impl Fn(&str) -> bool) -> IrModule<'c> {
    let module = embed::parse(context, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    // SAFETY: the set is of the context, which outlives it; each object is destroyed once.
    unsafe {
        let set = mlir_sys::mlirRewritePatternSetCreate(context.to_raw());
        patterns::populate(set, context.to_raw(), &Options::new(), wanted).unwrap();
        let frozen = mlir_sys::mlirFreezeRewritePattern(set);
        let config = mlir_sys::mlirGreedyRewriteDriverConfigCreate();
        mlir_sys::mlirApplyPatternsAndFoldGreedily(module.to_raw(), frozen, config);
        mlir_sys::mlirGreedyRewriteDriverConfigDestroy(config);
        mlir_sys::mlirFrozenRewritePatternSetDestroy(frozen);
        mlir_sys::mlirRewritePatternSetDestroy(set);
    }
    assert!(module.as_operation().verify());
    module
}

/// A small integer for each element, as `f16`.
fn factor(rows: usize, columns: usize, seed: usize) -> (Vec<i64>, Vec<u8>) {
    let values: Vec<i64> = (0..rows * columns).map(|at| ((at * 7 + seed) % 11) as i64 - 5).collect();
    let half = |value: i64| {
        let (sign, size) = (u16::from(value < 0) << 15, value.unsigned_abs() as u16);
        let exponent = size.checked_ilog2().map(|exponent| exponent as u16);
        exponent.map_or(sign, |exponent| sign | (15 + exponent) << 10 | (size << (10 - exponent)) & 0x3ff)
    };
    let bytes = values.iter().flat_map(|&value| half(value).to_le_bytes()).collect();
    (values, bytes)
}

/// Compiles the rest by passes, executes the kernel under every schedule, and compares.
fn check(module: &mut IrModule<'_>) {
    const REST: &str = "builtin.module(tile-vectorize-copy,tile-expand-copy,tile-to-nvvm)";
    let ptx = compile(module, &Options::new().passes(REST)).unwrap_or_else(|error| panic!("{error}")).text;
    let kernels = Module::parse(&ptx).unwrap_or_else(|error| panic!("{error}\n{ptx}"));
    let [m, n, k] = SIZES;
    let ((a, a_bytes), (b, b_bytes)) = (factor(m, k, 1), factor(k, n, 4));
    let single = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap()) as i64;
    for schedule in [Schedule::Fair, Schedule::Reversed, Schedule::Random(1)] {
        let mut memory = Memory::new();
        let factors = [&a_bytes, &b_bytes].map(|bytes| memory.alloc_with(bytes).unwrap());
        let results = [4 * m * n, 4 * m].map(|bytes| memory.alloc(bytes).unwrap());
        let arguments: Vec<Arg> = factors.into_iter().chain(results).map(Arg::Ptr).collect();
        let config = LaunchConfig { schedule, ..LaunchConfig::new(1, THREADS) };
        launch(&mut memory, &kernels, "f", &config, &arguments).unwrap_or_else(|error| panic!("{error}\n{ptx}"));
        let read = |at, bytes: usize| memory.read(at, bytes).unwrap().chunks(4).map(single).collect::<Vec<_>>();
        let (sums, rows) = (read(results[0], 4 * m * n), read(results[1], 4 * m));
        for row in 0..m {
            let sum = |column: usize| (0..k).map(|at| a[row * k + at] * b[at * n + column]).sum::<i64>() * 2;
            let expected: Vec<i64> = (0..n).map(sum).collect();
            assert_eq!(sums[row * n..][..n], expected, "row {row}");
            assert_eq!(Some(&rows[row]), expected.iter().max(), "row {row}");
        }
    }
}

#[test]
fn a_kernel_is_lowered_by_patterns_alone() {
    let context = embed::context();
    for (text, made) in [(by_warpgroups(), "nvvm.wgmma.mma_async"), (by_warps(), "nvvm.mma.sync")] {
        let mut module = lowered(&context, &text, |_| true);
        let after = module.as_operation().to_string();
        assert!(after.contains(made), "{after}");
        let left = ["tile.mma ", "tile.map ", "tile.reduce ", "tile.copy ", "tile.fill "];
        assert!(!left.iter().any(|op| after.contains(op)), "{after}");
        check(&mut module);
    }
}

#[test]
fn a_filter_leaves_products_to_other_variants() {
    let context = embed::context();
    let text = by_warps();
    let all_but = |module: IrModule<'_>| module.as_operation().to_string();
    assert!(all_but(lowered(&context, &text, |name| name != "mma_sync")).contains("tile.mma "));
    assert!(!all_but(lowered(&context, &text, |name| name == "mma_sync")).contains("tile.mma "));
}
