// Strategies decline what a portable target lacks, with the name of the cause; an operator without a portable form is an error.
// RUN: split-file %s %t
// RUN: not tile-translate %t/f64.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=F64
// RUN: tile-translate %t/f64.mlir --tile-to-spirv --chip=vulkan1.3-64 -o /dev/null
// RUN: not tile-translate %t/lookback.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=LOOKBACK
// RUN: not tile-translate %t/items.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=ITEMS
// RUN: not tile-translate %t/narrow.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not tile-translate %t/backwards.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=BACKWARDS
// RUN: not tile-translate %t/threads.mlir --tile-to-spirv 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not tile-translate %t/operator.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=OPERATOR
// RUN: not tile-translate %t/two.mlir --tile-to-wgsl 2>&1 | FileCheck %s --check-prefix=TWO

// F64: error: 'tile.scan' op cannot be done by any strategy
// F64: note: decoupled_fallback declined: got f64, which webgpu does not compute with (target-lacks-64-bit-floats)
// F64: note: serial declined: got f64,
// LOOKBACK: error: 'tile.scan' op cannot be done by 'decoupled_lookback'
// LOOKBACK: note: decoupled_lookback declined: webgpu does not promise that a resident block makes progress (no-forward-progress)
// ITEMS: note: decoupled_fallback declined: needs {{[0-9]+}} bytes of shared memory, webgpu has 16384 (tile-exceeds-shared-memory)
// NARROW: note: decoupled_fallback declined: a thread has vectors of 2 bytes, with 2 items and arrays aligned to 256 bytes; expected words of 4 (vector-below-word)
// BACKWARDS: note: decoupled_fallback declined: got an array of stride -1, expected stride 1 for webgpu (backwards-on-nvidia-only)
// THREADS: note: decoupled_fallback declined: got 256 threads, expected a multiple of 32 from 32 to the 128 of vulkan1.2 (threads-not-warps)
// OPERATOR: error: 'tile.scan' op combines by arith.remsi, which portable targets have no step for, expected
// TWO: error: {{.*}}has 2 scans and kernels, expected the name of one of them: @one, @two (--kernel)

//--- f64.mlir
func.func @host(%x: memref<?xf64>, %y: memref<?xf64>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @k::@scan inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<?xf64> to memref<?xf64>, memref<?xi8>
  return
}
//--- backwards.mlir
func.func @host(%x: memref<?xi32, strided<[-1], offset: ?>>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @k::@scan inclusive add %x to %y workspace(%w) epoch(%epoch)
    : memref<?xi32, strided<[-1], offset: ?>> to memref<?xi32>, memref<?xi8>
  return
}
//--- lookback.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @k::@scan inclusive add %x to %y workspace(%w) epoch(%epoch) {strategy = "decoupled_lookback"}
    : memref<?xi32> to memref<?xi32>, memref<?xi8>
  return
}
//--- items.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @k::@scan inclusive add %x to %y workspace(%w) epoch(%epoch) {items = 64}
    : memref<?xi32> to memref<?xi32>, memref<?xi8>
  return
}
//--- narrow.mlir
func.func @host(%x: memref<?xi8>, %y: memref<?xi8>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @k::@scan inclusive add %x to %y workspace(%w) epoch(%epoch) {items = 2}
    : memref<?xi8> to memref<?xi8>, memref<?xi8>
  return
}
//--- threads.mlir
func.func @host(%x: memref<?xi8>, %y: memref<?xi8>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @k::@scan inclusive add %x to %y workspace(%w) epoch(%epoch) {threads = 256}
    : memref<?xi8> to memref<?xi8>, memref<?xi8>
  return
}
//--- operator.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @k::@scan inclusive custom %x to %y workspace(%w) epoch(%epoch)
    : memref<?xi32> to memref<?xi32>, memref<?xi8> combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.remsi %l, %r : i32
    tile.yield %s : i32
  }
  return
}
//--- two.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @k::@one inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
  tile.scan @k::@two inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
  return
}
