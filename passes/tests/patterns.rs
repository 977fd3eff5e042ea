//! Each variant works alone, and all together, in MLIR's greedy driver beside the patterns of another compiler.

use std::cell::Cell;
use std::rc::Rc;

use melior::Context;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Module, OperationRef, ValueLike};
use mlir_sys::MlirRewritePatternSet;
use tile_dialect::ir::{Rewriter, results_of};
use tile_dialect::pattern;
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
    // SAFETY: set and context are those of `greedily`.
    unsafe { pattern::add_to(set, context.to_raw(), ("arith.subi", 1), &["arith.addi"], Box::new(rewrite)) };
}

/// The module after the greedy driver with the wanted variants, and how many variants those are.
fn greedily(wanted: &str) -> (String, usize) {
    greedily_in(&embed::context(), wanted)
}

fn greedily_in(context: &Context, wanted: &str) -> (String, usize) {
    let module = Module::parse(context, TEXT).expect("valid IR");
    // SAFETY: all of them are alive, and each is destroyed once.
    let count = unsafe {
        let set = mlir_sys::mlirRewritePatternSetCreate(context.to_raw());
        subtract_nothing(set, context);
        let chosen = |name: &str| wanted == "all" || name == wanted;
        let count = patterns::populate(set, context.to_raw(), &Options::default(), chosen).expect("good options");
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
    context.attach_diagnostic_handler(move |said| {
        count.set(count.get() + usize::from(said.to_string().contains("scalar fallback")));
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
