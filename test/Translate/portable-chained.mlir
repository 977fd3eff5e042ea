// Passes in every language, the targets' declines, and ops that regions may not have there.
// RUN: split-file %s %t
// RUN: tile-translate %t/select.mlir --tile-to-wgsl | FileCheck %s --check-prefix=WGSL
// RUN: tile-translate %t/select.mlir --tile-to-msl | FileCheck %s --check-prefix=MSL
// RUN: tile-translate %t/select.mlir --tile-to-hlsl | FileCheck %s --check-prefix=HLSL
// RUN: %if spirv-val %{ tile-translate %t/select.mlir --tile-to-spirv -o %t.spv && spirv-val --target-env vulkan1.2 %t.spv %}
// RUN: %if spirv-val %{ tile-translate %t/select.mlir --tile-to-spirv --chip=vulkan1.3-64-subgroup64 -o %t.spv && spirv-val --target-env vulkan1.3 %t.spv %}

// One binding for each array, the workspace, the length in memory and the numbers; results narrower than a word by atomics.
// WGSL-DAG: @binding(0)
// WGSL-DAG: var<storage> source0_: array<vec4<u32>>;
// WGSL-DAG: var<storage, read_write> dest0_: array<atomic<u32>>;
// WGSL-DAG: var<storage, read_write> total0_: array<u32>;
// WGSL-DAG: var<storage, read_write> workspace: array<atomic<u32>>;
// WGSL-DAG: var<storage> stated: array<u32>;
// WGSL-DAG: @binding(5)
// WGSL-DAG: var<uniform> numbers: array<vec4<u32>, 2>;
// WGSL: @compute @workgroup_size(256, 1, 1)
// WGSL-NEXT: fn select_(
// MSL: kernel void select
// HLSL: void select

// RUN: not tile-translate %t/ring.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=RING
// RUN: not tile-translate %t/lookback.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=LOOKBACK
// RUN: not tile-translate %t/threads.mlir --tile-to-spirv 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not tile-translate %t/items.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=ITEMS
// RUN: not tile-translate %t/memory.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not tile-translate %t/math.mlir --tile-to-spirv --chip=vulkan1.3-64 2>&1 | FileCheck %s --check-prefix=MATH
// RUN: not tile-translate %t/division.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: not tile-translate %t/doubles.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=DOUBLES
// RUN: tile-translate %t/math32.mlir --tile-to-wgsl | FileCheck %s --check-prefix=FUSED
// RUN: tile-translate %t/doubles.mlir --tile-to-spirv --chip=vulkan1.3-64 -o /dev/null
// FUSED: = fma_f32
// RING: error: 'tile.chained' op cannot be done by any strategy
// RING: note: decoupled_fallback declined: webgpu has no asynchronous copies of whole tiles, expected sm_90 or newer (no-bulk-copy)
// LOOKBACK: error: 'tile.chained' op cannot be done by 'decoupled_lookback'
// LOOKBACK: note: decoupled_lookback declined: webgpu does not promise that a resident block makes progress (no-forward-progress)
// THREADS: note: decoupled_fallback declined: got 256 threads, expected a multiple of 32 from 32 to the 128 of vulkan1.2 (threads-not-warps)
// ITEMS: note: decoupled_fallback declined: got 128 items per thread, expected 1 to 64 of 8 bytes with their payload (items-not-registers)
// MEMORY: note: decoupled_fallback declined: needs 18464 bytes of shared memory, webgpu has 16384 (tile-exceeds-shared-memory)
// MATH: math.mlir:5:10: error: 'llvm.call_intrinsic' op has no form for vulkan1.3-64: llvm.fma
// DIVISION: division.mlir:5:10: error: 'arith.remsi' op has no form for webgpu: arith.remsi; expected
// DOUBLES: doubles.mlir:7:10: error: 'arith.addf' op computes with f64, which webgpu does not (target-lacks-64-bit-floats)

//--- select.mlir
func.func @host(%x: memref<?xi16>, %y: memref<?xi16>, %c: memref<1xi32>, %n: memref<1xi64>, %w: memref<?xi8>, %e: i32, %t: i16) {
  tile.chained @k::@select ins(%x : memref<?xi16>) outs(%y : memref<?xi16>) totals(%c : memref<1xi32>) length(%n : memref<1xi64>)
    with(%t : i16) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: i16, %least: i16):
    %k = arith.cmpi sgt, %v, %least : i16
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %before: i32, %after: i32, %v: i16, %least: i16):
    %k = arith.cmpi ne, %before, %after : i32
    tile.yield %k, %before, %v : i1, i32, i16
  } finish {
  ^bb0(%s: i32, %least: i16):
    tile.yield %s : i32
  }
  return
}
//--- ring.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@pass ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e) {shape = "ring"} summary {
  ^bb0(%i: i64, %v: i32):
    tile.yield %v : i32
  } combine { ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit { ^bb0(%i: i64, %b: i32, %a: i32, %v: i32):
    %k = arith.constant true
    tile.yield %k, %i, %v : i1, i64, i32
  }
  return
}
//--- lookback.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@pass ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e) {strategy = "decoupled_lookback"} summary {
  ^bb0(%i: i64, %v: i32):
    tile.yield %v : i32
  } combine { ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit { ^bb0(%i: i64, %b: i32, %a: i32, %v: i32):
    %k = arith.constant true
    tile.yield %k, %i, %v : i1, i64, i32
  }
  return
}
//--- threads.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@pass ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e) {threads = 256} summary {
  ^bb0(%i: i64, %v: i32):
    tile.yield %v : i32
  } combine { ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit { ^bb0(%i: i64, %b: i32, %a: i32, %v: i32):
    %k = arith.constant true
    tile.yield %k, %i, %v : i1, i64, i32
  }
  return
}
//--- items.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@pass ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e) {items = 128} summary {
  ^bb0(%i: i64, %v: i32):
    tile.yield %v : i32
  } combine { ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit { ^bb0(%i: i64, %b: i32, %a: i32, %v: i32):
    %k = arith.constant true
    tile.yield %k, %i, %v : i1, i64, i32
  }
  return
}
//--- memory.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@pass ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) init [0 : i32]
    workspace(%w : memref<?xi8>) epoch(%e) {items = 64} summary {
  ^bb0(%i: i64, %v: i32):
    tile.yield %v : i32
  } combine { ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit { ^bb0(%i: i64, %b: i32, %a: i32, %v: i32):
    %k = arith.constant true
    tile.yield %k, %i, %v : i1, i64, i32
  }
  return
}
//--- math32.mlir
func.func @host(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@pass ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32]
    workspace(%w : memref<?xi8>) epoch(%e)  summary {
  ^bb0(%i: i64, %v: f32):
    %p = math.fma %v, %v, %v : f32 tile.yield %p : f32
  } combine { ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit { ^bb0(%i: i64, %b: f32, %a: f32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %i, %v : i1, i64, f32
  }
  return
}
//--- math.mlir
func.func @host(%x: memref<?xf64>, %y: memref<?xf64>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@pass ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) init [0.0 : f64]
    workspace(%w : memref<?xi8>) epoch(%e)  summary {
  ^bb0(%i: i64, %v: f64):
    %p = math.fma %v, %v, %v : f64 tile.yield %p : f64
  } combine { ^bb0(%l: f64, %r: f64):
    %s = arith.addf %l, %r : f64
    tile.yield %s : f64
  } emit { ^bb0(%i: i64, %b: f64, %a: f64, %v: f64):
    %k = arith.constant true
    tile.yield %k, %i, %v : i1, i64, f64
  }
  return
}
//--- division.mlir
func.func @host(%x: memref<?xi64>, %y: memref<?xi64>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@pass ins(%x : memref<?xi64>) outs(%y : memref<?xi64>) init [0 : i64]
    workspace(%w : memref<?xi8>) epoch(%e)  summary {
  ^bb0(%i: i64, %v: i64):
    %p = arith.remsi %v, %i : i64 tile.yield %p : i64
  } combine { ^bb0(%l: i64, %r: i64):
    %s = arith.addi %l, %r : i64
    tile.yield %s : i64
  } emit { ^bb0(%i: i64, %b: i64, %a: i64, %v: i64):
    %k = arith.constant true
    tile.yield %k, %i, %v : i1, i64, i64
  }
  return
}
//--- doubles.mlir
func.func @host(%x: memref<?xf64>, %y: memref<?xf64>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@pass ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) init [0.0 : f64]
    workspace(%w : memref<?xi8>) epoch(%e)  summary {
  ^bb0(%i: i64, %v: f64):
    tile.yield %v : f64
  } combine { ^bb0(%l: f64, %r: f64):
    %s = arith.addf %l, %r : f64
    tile.yield %s : f64
  } emit { ^bb0(%i: i64, %b: f64, %a: f64, %v: f64):
    %k = arith.constant true
    tile.yield %k, %i, %v : i1, i64, f64
  }
  return
}
