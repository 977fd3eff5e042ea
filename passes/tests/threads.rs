//! Pipelines that MLIR runs on many functions concurrently give the same bytes as on one thread, every time.

use std::fmt::Write;

use melior::Context;
use melior::ir::operation::OperationLike;
use tile_passes::embed;

/// Numbers of functions that launch, and of kernels.
const FEW: usize = 24;
const MANY: usize = 400;
const MODULES: usize = 8;
const RUNS: usize = 50;

const STAGES: &str = "tile-align-layouts,tile-vectorize-copy,tile-expand-copy";

/// Copies through shared memory and registers, one of them element by element, with what all copies of a function share.
const BODY: &str = "
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %r = tile.alloc : !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
    tile.copy %a to %s scope(cta) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %s to %r scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
    tile.copy %a[0, 0] [3, 5] to %s[0, 0] [3, 5] scope(cta) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
";

/// `functions` host functions, and as many kernels in a few modules, each of which has a device function, too, if `device`.
fn text(functions: usize, device: bool) -> String {
    let mut text = String::new();
    for index in 0..functions {
        let _ = writeln!(
            text,
            "func.func @host_{index}(%A: memref<32x32xf32>) {{
              %c1 = arith.constant 1 : index
              %c32 = arith.constant 32 : index
              gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
                         threads(%tx, %ty, %tz) in (%bx = %c32, %by = %c1, %bz = %c1) {{ {BODY} gpu.terminator }}
              return
            }}"
        );
    }
    for module in 0..MODULES {
        let _ = writeln!(text, "gpu.module @kernels_{module} [#nvvm.target<chip = \"sm_90a\">] {{");
        for index in (module..functions).step_by(MODULES) {
            let _ = writeln!(
                text,
                "gpu.func @kernel_{index}(%A: memref<32x32xf32>) kernel
                   attributes {{known_block_size = array<i32: 32, 1, 1>}} {{ {BODY} gpu.return }}"
            );
        }
        if device {
            let block = "attributes {gpu.known_block_size = array<i32: 32, 1, 1>}";
            let _ = writeln!(text, "func.func @device(%A: memref<32x32xf32>) {block} {{ {BODY} return }}");
        }
        text.push_str("}\n");
    }
    text
}

/// The result of a pipeline on a module.
fn run(context: &Context, text: &str, pipeline: &str) -> String {
    let mut module = embed::parse(context, text).expect("valid text");
    embed::run(&mut module, pipeline).expect("the pipeline runs");
    assert!(module.as_operation().verify());
    module.as_operation().to_string()
}

fn quiet(threads: bool) -> Context {
    let context = embed::context();
    context.enable_multi_threading(threads);
    // The copies of 15 elements warn.
    context.attach_diagnostic_handler(|_| true);
    context
}

/// Runs a pipeline many times on many threads; each result must be that of one thread.
fn same_bytes(functions: usize, pipeline: &str, device: bool) -> String {
    let text = text(functions, device);
    let expected = run(&quiet(false), &text, pipeline);
    let context = quiet(true);
    for number in 0..RUNS {
        assert!(run(&context, &text, pipeline) == expected, "run {number} of {pipeline} gives other bytes");
    }
    expected
}

fn nested_on_functions_and_kernels(functions: usize) {
    let whole = "builtin.module(func.func(lower-tile-copy),gpu.module(gpu.func(lower-tile-copy)))";
    let lowered = same_bytes(functions, whole, false);
    assert!(!lowered.contains("tile.") && !lowered.contains("memref.global"));
    let staged = format!("builtin.module(func.func({STAGES}),gpu.module(gpu.func({STAGES})))");
    assert!(run(&quiet(true), &text(functions, false), &staged) == lowered, "the stages one by one give other bytes");
}

fn nested_on_modules_of_kernels(functions: usize) {
    let pipeline = "builtin.module(func.func(lower-tile-copy),gpu.module(lower-tile-copy))";
    assert_eq!(same_bytes(functions, pipeline, true).matches("memref.global").count(), MODULES);
}

fn on_the_whole_module(functions: usize) {
    let lowered = same_bytes(functions, "builtin.module(lower-tile-copy)", true);
    assert_eq!(lowered.matches("memref.global").count(), MODULES);
}

#[test]
fn few_functions() {
    nested_on_functions_and_kernels(FEW);
    nested_on_modules_of_kernels(FEW);
    on_the_whole_module(FEW);
}

#[test]
#[ignore = "takes minutes; cargo xtask sanitize runs it"]
fn many_functions() {
    nested_on_functions_and_kernels(MANY);
    nested_on_modules_of_kernels(MANY);
    on_the_whole_module(MANY);
}
