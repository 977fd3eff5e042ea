// The kernel of a tile.chained and its launch, remarks, and every reason for which a strategy declines.
// RUN: tile-opt %s --split-input-file --lower-tile-scan --verify-diagnostics | FileCheck %s
// RUN: not tile-opt %s --split-input-file --lower-tile-scan -o /dev/null --remarks-filter=tile-chained \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// RUN: not tile-opt %s --split-input-file --lower-tile-scan=chip=webgpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=PORTABLE
// PORTABLE: 'tile.chained' op got webgpu, expected one of NVIDIA's chips: tile-translate writes a tile.chained for portable targets

// The grid has one block where there are no elements, and at most as many as run at a time: each takes several tiles.
// CHECK: gpu.func @select(%{{.*}}: !llvm.ptr<1> {llvm.noalias}, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: i32, %{{.*}}: !llvm.ptr<1>, %{{.*}}: f32) kernel
// CHECK: func.func @select(
// CHECK: %[[TILES:.*]] = arith.ceildivui
// CHECK: %[[SOME:.*]] = arith.maxui %[[TILES]],
// CHECK: %[[MOST:.*]] = arith.constant 396 : index
// CHECK: %[[BLOCKS:.*]] = arith.minui %[[SOME]], %[[MOST]]
// CHECK: gpu.launch_func @k::@select blocks in (%[[BLOCKS]],
// CHECK-NOT: tile.chained

// REMARK: [Passed] decoupled_fallback | Category:tile-chained | Function=select |
// REMARK-SAME: Grid="1 to t = max(1, ceil(n / tile)), best min(t, 396)", Order=block_id, {{.*}}Resident=3, Shape=register, State="1 x 64 bits", Strategy=decoupled_fallback, Threads=256, Tile=4096, Vector=4, Wait="4 polls, then fallback", Words=8
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @select(%x: memref<?xf32>, %y: memref<?xf32>, %c: memref<1xi32>, %n: memref<1xi64>, %w: memref<?xi8>, %e: i32, %t: f32) {
  tile.chained @k::@select ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) totals(%c : memref<1xi32>) length(%n : memref<1xi64>)
    with(%t : f32) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e) {shape = "register"}
  summary {
  ^bb0(%i: i64, %v: f32, %u: f32):
    %k = arith.cmpf ogt, %v, %u : f32
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32, %u: f32):
    %k = arith.cmpi ne, %b, %a : i32
    tile.yield %k, %b, %v : i1, i32, f32
  } finish {
  ^bb0(%total: i32, %u: f32):
    tile.yield %total : i32
  }
  return
}

// REMARK: [Missed] threads-not-warps | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @threads(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+3 {{cannot be done by any strategy}}
  // expected-note @+2 {{decoupled_fallback declined: got 48 threads, expected a multiple of 32 from 32 to 512}}
  // expected-note @+1 {{decoupled_lookback declined: got 48 threads, expected a multiple of 32 from 32 to 512}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32] workspace(%w : memref<?xi8>) epoch(%e) {threads = 48}
  summary {
  ^bb0(%i: i64, %v: f32):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit {
  ^bb0(%i: i64, %b: f32, %a: f32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %i, %a : i1, i64, f32
  }
  return
}

// REMARK: [Missed] items-not-registers | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @items(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': got 65 items per thread, expected 1 to 64 of 8 bytes with their payload}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32] workspace(%w : memref<?xi8>) epoch(%e) {items = 65, shape = "register", strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit {
  ^bb0(%i: i64, %b: f32, %a: f32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %i, %a : i1, i64, f32
  }
  return
}

// REMARK: [Missed] tile-exceeds-shared-memory | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @room(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': needs 67632 bytes of shared memory for results, expected at most 48640}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32] workspace(%w : memref<?xi8>) epoch(%e) {threads = 512, items = 32, shape = "register", strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit {
  ^bb0(%i: i64, %b: f32, %a: f32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %i, %a : i1, i64, f32
  }
  return
}

// REMARK: [Missed] spin-out-of-range | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @spin(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': got max_spin 2000000000, expected 1 to 1073741824}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32] workspace(%w : memref<?xi8>) epoch(%e) {max_spin = 2000000000, strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit {
  ^bb0(%i: i64, %b: f32, %a: f32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %i, %a : i1, i64, f32
  }
  return
}

// REMARK: [Missed] option-not-taken | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @cap(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': has no use for 'poll_cap'}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32] workspace(%w : memref<?xi8>) epoch(%e) {poll_cap = 3, strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit {
  ^bb0(%i: i64, %b: f32, %a: f32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %i, %a : i1, i64, f32
  }
  return
}

// -----

gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @serial(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got strategy = "serial", expected one of decoupled_fallback, decoupled_lookback}}
  tile.chained @k::@s ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0.0 : f32] workspace(%w : memref<?xi8>) epoch(%e) {strategy = "serial"}
  summary {
  ^bb0(%i: i64, %v: f32):
    tile.yield %v : f32
  } combine {
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tile.yield %s : f32
  } emit {
  ^bb0(%i: i64, %b: f32, %a: f32, %v: f32):
    %k = arith.constant true
    tile.yield %k, %i, %a : i1, i64, f32
  }
  return
}
