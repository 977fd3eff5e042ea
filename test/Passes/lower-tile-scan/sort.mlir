// The kernels of a tile.sort and their launches, remarks, and every reason for which a strategy declines.
// RUN: tile-opt %s --split-input-file --lower-tile-scan --verify-diagnostics | FileCheck %s
// RUN: not tile-opt %s --split-input-file --lower-tile-scan -o /dev/null --remarks-filter=tile-sort \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// RUN: not tile-opt %s --split-input-file --lower-tile-scan=chip=webgpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=PORTABLE
// PORTABLE: 'tile.sort' op got webgpu, expected one of NVIDIA's chips: tile.sort is not written for portable targets

// The launches are skipped where there are no elements.
// CHECK: gpu.func @sort_histogram(%{{.*}}: !llvm.ptr<1> {llvm.noalias}, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: i32) kernel
// CHECK: gpu.func @sort_0(
// CHECK: gpu.func @sort_1(
// CHECK: func.func @sort(
// CHECK: scf.if
// CHECK: gpu.launch_func @k::@sort_histogram
// CHECK-SAME: dynamic_shared_memory_size
// CHECK: gpu.launch_func @k::@sort_0
// CHECK: gpu.launch_func @k::@sort_1
// CHECK-NOT: tile.sort

// REMARK: [Passed] decoupled_fallback | Category:tile-sort | Function=sort |
// REMARK-SAME: DynamicShared=48416, Grid="ceil(n / tile)", Header=8448, HistogramGrid="1 to 132", HistogramShared=65536, HistogramThreads=1024, KeyBytes=2, Passes=2, Remark="sorted by decoupled_fallback", Strategy=decoupled_fallback, Threads=256, Tile=10240, ValueBytes=0, Wait="256 polls, then fallback", Words=1024
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @sort(%x: memref<?xi16>, %y: memref<?xi16>, %w: memref<?xi8>, %e: i32) {
  tile.sort @k::@sort ins(%x : memref<?xi16>) outs(%y : memref<?xi16>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

// One pass needs no elements between passes.
// REMARK: Function=bytes
// REMARK-SAME: KeyBytes=0, Passes=1, {{.*}}ValueBytes=0
gpu.module @k [#nvvm.target<chip = "sm_80">] {}
func.func @bytes(%x: memref<?xi8>, %v: memref<?xi64>, %y: memref<?xi8>, %u: memref<?xi64>, %w: memref<?xi8>, %e: i32) {
  tile.sort @k::@bytes ins(%x, %v : memref<?xi8>, memref<?xi64>) outs(%y, %u : memref<?xi8>, memref<?xi64>)
    workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

// REMARK: [Missed] chip-lacks-redux | Category:tile-sort | Function=old | Reason="redux.sync needs sm_80 or later; got sm_75"
gpu.module @k [#nvvm.target<chip = "sm_75">] {}
func.func @old(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+3 {{cannot be done by any strategy}}
  // expected-note @+2 {{decoupled_fallback declined: redux.sync needs sm_80 or later; got sm_75}}
  // expected-note @+1 {{decoupled_lookback declined: redux.sync needs sm_80 or later; got sm_75}}
  tile.sort @k::@s ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e)
  return
}

// -----

gpu.module @k [#nvvm.target<chip = "sm_80">] {}
func.func @wide(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': got 65 items per thread, expected 1 to 64 of 4 bytes}}
  tile.sort @k::@s ins(%x : memref<?xi32>) outs(%y : memref<?xi32>) workspace(%w : memref<?xi8>) epoch(%e) {items = 65, strategy = "decoupled_fallback"}
  return
}

// -----

gpu.module @k [#nvvm.target<chip = "sm_80">] {}
func.func @small(%x: memref<20480xi32>, %y: memref<20480xi32>, %w: memref<96511xi8>, %e: i32) {
  // expected-error @+1 {{got a workspace of 96511 bytes, expected 96512 for 20480 elements in tiles of 10240}}
  tile.sort @k::@s ins(%x : memref<20480xi32>) outs(%y : memref<20480xi32>) workspace(%w : memref<96511xi8>) epoch(%e)
  return
}
