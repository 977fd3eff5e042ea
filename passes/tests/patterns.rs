//! Each variant works alone, and all together, in MLIR's greedy driver beside the patterns of another compiler.

use std::cell::Cell;
use std::rc::Rc;

use melior::Context;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Module, OperationRef, ValueLike};
use mlir_sys::MlirRewritePatternSet;
use tile_dialect::ir::{Rewriter, results_of};
use tile_dialect::pattern::{self, Match, PatternReach};
use tile_passes::{Options, embed, patterns};

/// A copy for each of four variants, one that only the fallback takes, and arithmetic for the other set.
const TEXT: &str = r#"
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel(%A: memref<32x32xf32>, %odd: memref<3x5xf32>, %x: index, %y: index) -> index
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %o = tile.view %odd : memref<3x5xf32> to !tile.buffer<3x5xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %so = tile.alloc : !tile.buffer<6x5xf32, shared, #tile.layout<(2, 3, 5) : (16, 5, 1)>>
    %row = gpu.block_id x
    %r = tile.alloc : !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a to %r scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
    tile.copy %o to %so[%row, 0] [3, 5] scope(warp) : !tile.buffer<3x5xf32, global> to !tile.buffer<6x5xf32, shared, #tile.layout<(2, 3, 5) : (16, 5, 1)>>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    %d = arith.subi %x, %y : index
    gpu.return %d : index
  }
}
"#;

/// A map, a reduction whose warps meet in shared memory, in a loop, a scan, and a map that cannot be done.
const ELEMENTWISE: &str = r#"
!x = !tile.buffer<8x32xf32, local, #tile.layout<(8, 2, 4, 4) : (4@laneid, 1@warpid, 1@laneid, 1)>>
!row = !tile.buffer<8x1xf32, local, #tile.layout<(8, 1) : (4@laneid, 1) + R(4 : 1@laneid)>>
!at = !tile.buffer<8x1xi32, local, #tile.layout<(8, 1) : (4@laneid, 1) + R(4 : 1@laneid)>>
!other = !tile.buffer<8x32xf32, local, #tile.layout<(8, 2, 4, 4) : (4@laneid, 1@warpid, 1, 1@laneid)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel(%A: memref<8x32xf32>, %m: index, %n: index) -> index
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = tile.view %A : memref<8x32xf32>
    %x = tile.alloc : !x
    %other = tile.alloc : !other
    %row = tile.alloc : !row
    %at = tile.alloc : !at
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xf32, global> to !x
    tile.map %x to %x scope(cta) : !x to !x {
    ^bb0(%e: f32, %i: index, %j: index):
      %number = arith.index_cast %j : index to i32
      %column = arith.sitofp %number : i32 to f32
      %r = arith.addf %e, %column : f32
      tile.yield %r : f32
    }
    scf.for %k = %c0 to %c4 step %c1 {
      tile.reduce argmax %x to %row, %at dim(1) scope(cta) : !x to !row, !at
    }
    tile.block_scan inclusive add %x to %x dim(1) scope(cta) : !x to !x
    tile.map %other to %x scope(cta) : !other to !x {
    ^bb0(%e: f32):
      tile.yield %e : f32
    }
    %d = arith.subi %m, %n : index
    gpu.return %d : index
  }
}
"#;

/// A pattern of another compiler: any difference becomes a sum.
fn subtract_nothing(set: MlirRewritePatternSet, context: &Context) {
    let rewrite = |op: OperationRef<'_, '_>, rewriter: Rewriter<'_, '_>| {
        let operands: Vec<_> = op.operands().collect();
        rewriter.set_insertion_point_before(op);
        let sum = OperationBuilder::new("arith.addi", op.location())
            .add_operands(&operands)
            .add_results(&[operands[0].r#type()]);
        let sum = rewriter.insert(sum.build().map_err(|error| error.to_string())?);
        rewriter.replace(op, &results_of(sum));
        Ok(())
    };
    let rewrite = (PatternReach::Parent, Box::new(rewrite) as Box<Match>);
    // SAFETY: set and context are those of `greedily`.
    unsafe { pattern::add_to(set, context.to_raw(), ("arith.subi", 1), &["arith.addi"], rewrite) };
}

/// The module after the greedy driver with the wanted variants, and how many variants those are.
fn greedily(wanted: &str) -> (String, usize) {
    greedily_in(&embed::context(), wanted)
}

fn greedily_in(context: &Context, wanted: &str) -> (String, usize) {
    greedily_on(context, TEXT, &|name| wanted == "all" || name == wanted)
}

fn greedily_on(context: &Context, text: &str, wanted: &dyn Fn(&str) -> bool) -> (String, usize) {
    let module = Module::parse(context, text).expect("valid IR");
    // SAFETY: all of them are alive, and each is destroyed once.
    let count = unsafe {
        let set = mlir_sys::mlirRewritePatternSetCreate(context.to_raw());
        subtract_nothing(set, context);
        let count = patterns::populate(set, context.to_raw(), &Options::default(), wanted).expect("good options");
        let frozen = mlir_sys::mlirFreezeRewritePattern(set);
        let config = mlir_sys::mlirGreedyRewriteDriverConfigCreate();
        mlir_sys::mlirApplyPatternsAndFoldGreedily(module.to_raw(), frozen, config);
        mlir_sys::mlirGreedyRewriteDriverConfigDestroy(config);
        mlir_sys::mlirFrozenRewritePatternSetDestroy(frozen);
        mlir_sys::mlirRewritePatternSetDestroy(set);
        count
    };
    assert!(module.as_operation().verify());
    (module.as_operation().to_string(), count)
}

#[test]
fn each_variant_alone_takes_its_copies_and_leaves_the_others() {
    // The fallback is a pattern of copies and of fills.
    for (name, patterns, op, copies) in [
        ("gmem_smem", 1, "<matched \"gmem_smem\"", 1),
        ("reg", 1, "<matched \"reg\"", 1),
        ("fallback", 2, "<scalar \"fallback\"", 3),
        ("ldgsts", 1, "<matched \"ldgsts\"", 1),
        ("ldstmatrix", 1, "<matrix \"ldstmatrix\"", 0),
    ] {
        let (text, count) = greedily(name);
        assert_eq!(count, patterns, "{name}");
        assert_eq!(text.matches(op).count(), copies, "{name}:\n{text}");
        let left = text.matches("tile.copy ").count() + text.matches("tile.copy_async ").count();
        assert_eq!(left, 4 - copies, "{name}:\n{text}");
        assert!(text.contains("arith.addi") && !text.contains("arith.subi"), "{text}");
    }
}

#[test]
fn a_foreign_driver_hears_of_the_fallback() {
    let (context, warnings) = (embed::context(), Rc::new(Cell::new(0)));
    let count = warnings.clone();
    context.attach_diagnostic_handler(move |diagnostic| {
        count.set(count.get() + usize::from(diagnostic.to_string().contains("scalar fallback")));
        true
    });
    greedily_in(&context, "all");
    assert_eq!(warnings.get(), 1);
}

#[test]
fn together_the_benefits_decide_as_in_the_pass() {
    let (text, count) = greedily("all");
    assert!(count > 10, "{count}");
    for op in ["<matched \"gmem_smem\"", "<matched \"reg\"", "<matched \"ldgsts\"", "<scalar \"fallback\""] {
        assert_eq!(text.matches(op).count(), 1, "{op}:\n{text}");
    }
    assert!(!text.contains("tile.copy ") && !text.contains("tile.copy_async "), "{text}");
}

#[test]
fn the_order_of_tiles_is_a_pattern() {
    let text = TEXT.replace(
        "%row = gpu.block_id x",
        "%block = gpu.block_id x\n    %row, %column = tile.block_order %block of (%x, %y) grouped(8)",
    );
    let context = embed::context();
    let (after, count) = greedily_on(&context, &text, &|name| name == "tile.block_order");
    assert_eq!(count, 1);
    assert!(!after.contains("tile.block_order") && after.contains("arith.minui"), "{after}");
    let (left, _) = greedily_on(&context, &text, &|name| name == "tile.map");
    assert!(left.contains("tile.block_order"), "{left}");
}

#[test]
fn what_is_written_short_is_a_pattern() {
    let text = TEXT
        .replace("%a = tile.view %A :", "%a = tile.view %A aligned 1024 :")
        .replace("func @kernel(%A: memref<32x32xf32>, %odd", "func @kernel(%A: memref<32x32xf32>, %end: i1, %odd")
        .replace(" -> index\n", " kernel\n")
        .replace("gpu.return %d : index", "\"use\"(%d) : (index) -> ()\n    gpu.return")
        .replace("%row = gpu.block_id x", "%row = gpu.block_id x\n    tile.return_if %end")
        .replace(
            "%s = tile.alloc :",
            "%m, %n = tile.extents %a : !tile.buffer<32x32xf32, global>\n    %s = tile.allocs :",
        )
        .replace("%d = arith.subi %x, %y", "%d = arith.subi %x, %n");
    let context = embed::context();
    context.set_allow_unregistered_dialects(true);
    for (name, there, gone) in [
        ("tile.view", "tile.assume", "aligned 1024 : memref<32x32xf32> to"),
        ("tile.return_if", "scf.if", "tile.return_if"),
        ("tile.allocs", "tile.alloc : !tile.buffer<32x32xf32, shared>", "tile.allocs"),
        ("tile.extents", "arith.constant 32 : index", "tile.extents"),
    ] {
        assert!(text.contains(gone));
        let (after, count) = greedily_on(&context, &text, &|wanted| wanted == name);
        assert_eq!(count, 1, "{name}");
        assert!(after.contains(there) && !after.contains(gone), "{after}");
    }
    // A copy after an end of the kernel waits for the pattern of that.
    let (left, _) = greedily_on(&context, &text, &|wanted| wanted == "gmem_smem");
    assert!(!left.contains("tile.planned_copy"), "{left}");
    let (both, _) =
        greedily_on(&context, &text, &|wanted| ["gmem_smem", "tile.allocs", "tile.return_if"].contains(&wanted));
    assert!(both.contains("<matched \"gmem_smem\""), "{both}");
}

#[test]
fn a_constant_that_fills_is_a_value_of_the_plan() {
    let text = TEXT.replace(
        "tile.copy %a to %s scope(warp) :",
        "tile.fill 2.0 to %s scope(warp) : !tile.buffer<32x32xf32, shared>\n    tile.copy %a to %s scope(warp) :",
    );
    let (after, count) = greedily_on(&embed::context(), &text, &|name| name == "fill");
    assert_eq!(count, 1);
    assert!(after.contains("fill(%cst : f32)") && after.contains("constant 2.000000e+00 : f32"), "{after}");
}

#[test]
fn maps_reductions_and_scans_are_patterns() {
    let context = embed::context();
    for (name, left) in [("tile.map", 1), ("tile.reduce", 0), ("tile.block_scan", 0)] {
        let (text, count) = greedily_on(&context, ELEMENTWISE, &|wanted| wanted == name);
        assert_eq!(count, 1, "{name}");
        let occurrences = |op: &str| text.matches(&format!("{op} ")).count();
        assert_eq!(occurrences(name), left, "{name}:\n{text}");
        let others = ["tile.map", "tile.reduce", "tile.block_scan"].into_iter().filter(|&other| other != name);
        assert!(others.clone().all(|other| occurrences(other) > 0), "{name}:\n{text}");
        assert!(text.contains("arith.addi") && !text.contains("arith.subi"), "{text}");
    }
}

#[test]
fn the_copies_of_a_reduction_are_taken_by_theirs() {
    let (text, count) = greedily_on(&embed::context(), ELEMENTWISE, &|_| true);
    assert!(count > 13, "{count}");
    // The map whose source is elsewhere stays.
    assert_eq!(text.matches("tile.map ").count(), 1, "{text}");
    assert!(
        !text.contains("tile.reduce ") && !text.contains("tile.block_scan ") && !text.contains("tile.copy "),
        "{text}"
    );
    assert!(
        text.contains("gpu.shuffle") && text.contains("gpu.barrier") && text.contains("tile.planned_copy"),
        "{text}"
    );
}

/// A product of fragments, which `mma_sync` takes, and one that each thread does alone.
const PRODUCTS: &str = r#"
!a = !tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k16.a>>
!b = !tile.buffer<16x8xf16, local, #tile.fragment<mma.m16n8k16.b>>
!c = !tile.buffer<16x8xf32, local, #tile.fragment<mma.m16n8k16.c>>
!one = !tile.buffer<2x2xf32, local>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel(%m: index, %n: index) -> index attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.0 : f16
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    %x = tile.alloc : !one
    %y = tile.alloc : !one
    %z = tile.alloc : !one
    tile.fill %half to %a scope(warp) : f16 to !a
    tile.fill %half to %b scope(warp) : f16 to !b
    tile.fill %zero to %c scope(warp) : f32 to !c
    tile.fill %zero to %x scope(thread) : f32 to !one
    tile.fill %zero to %y scope(thread) : f32 to !one
    tile.fill %zero to %z scope(thread) : f32 to !one
    tile.mma %a, %b, %c scope(warp) : !a, !b, !c
    tile.mma %x, %y, %z scope(thread) : !one, !one, !one
    %d = arith.subi %m, %n : index
    gpu.return %d : index
  }
}
"#;

#[test]
fn each_variant_of_products_is_a_pattern() {
    let context = embed::context();
    let products = |text: &str| text.matches("tile.mma ").count();
    for (name, left, made) in
        [("mma_sync", 1, "nvvm.mma.sync"), ("fma", 1, "math.fma"), ("wgmma", 2, ""), ("tcgen05", 2, "")]
    {
        let (text, count) = greedily_on(&context, PRODUCTS, &|wanted| wanted == name);
        assert_eq!((count, products(&text)), (1, left), "{name}:\n{text}");
        assert!(text.contains(made) && text.contains("arith.addi") && !text.contains("arith.subi"), "{name}:\n{text}");
    }
    let (text, _) = greedily_on(&context, PRODUCTS, &|_| true);
    assert_eq!(products(&text), 0, "{text}");
    assert!(text.contains("nvvm.mma.sync") && !text.contains("tile.fill "), "{text}");
}

/// A scan on the host.
const SCAN: &str = r#"
func.func @host(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  tile.scan @kernels::@sums inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}
"#;

#[test]
fn each_strategy_of_scans_is_a_pattern() {
    let context = embed::context();
    let text = SCAN.replace("epoch(%e) :", "epoch(%e) CLAUSE :");
    let with = |clause: &str| text.replace("CLAUSE", clause);
    let chip = "gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {}\n";
    for name in ["decoupled_lookback", "decoupled_fallback", "reduce_then_scan", "serial"] {
        let module = format!("{chip}{}", with(&format!("{{strategy = \"{name}\"}}")));
        let (after, count) = greedily_on(&context, &module, &|wanted| wanted == name);
        // tile.chained and tile.sort have the strategies of one pass, too.
        assert_eq!(count, if name.starts_with("decoupled") { 3 } else { 1 }, "{name}");
        assert!(!after.contains("tile.scan ") && after.contains("gpu.launch_func"), "{name}:\n{after}");
        let (left, _) = greedily_on(&context, &module, &|wanted| wanted != name);
        assert!(left.contains("tile.scan "), "{name}:\n{left}");
    }
    let (after, _) = greedily_on(&context, &format!("{chip}{}", with("")), &|_| true);
    assert!(!after.contains("tile.scan ") && after.matches("gpu.launch_func").count() == 1, "{after}");
}
