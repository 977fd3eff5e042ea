// Tiles of a tile.chained that pass through a ring: the kernel, its launch and the remark, and every reason for which there is none.
// RUN: tile-opt %s --split-input-file --lower-tile-scan --verify-diagnostics | FileCheck %s
// RUN: not tile-opt %s --split-input-file --lower-tile-scan -o /dev/null --remarks-filter=tile-chained \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// 15 warps write, as many reduce; one warp collects payloads, one copies tiles in. The lanes of a warp write into shared memory what
// they keep, and one of them copies it out.
// CHECK: gpu.func @select({{.*}}) kernel attributes {{.*}}nvvm.reqntid = array<i32: 1024, 1, 1>{{.*}}tile.dynamic_shared = array<i64: 215280, 128>
// CHECK: nvvm.mbarrier.init {{.*}}
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive
// CHECK: nvvm.cp.async.bulk.global.shared.cta
// CHECK: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: func.func @select(
// CHECK: %[[MOST:.*]] = arith.constant 132 : index
// CHECK: arith.minui %{{.*}}, %[[MOST]]
// CHECK: gpu.launch_func @k::@select {{.*}} dynamic_shared_memory_size

// REMARK: [Passed] decoupled_fallback | Category:tile-chained | Function=select | DynamicShared=215280,
// REMARK-SAME: Grid="1 to t = max(1, ceil(n / tile)), best min(t, 132)", {{.*}}Shape=ring, Stages=6, State="1 x 64 bits", Strategy=decoupled_fallback, Threads=1024, Tile=7680, Wait="256 polls
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @select(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @k::@select ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e)
  summary {
  ^bb0(%i: i64, %v: f32):
    %zero = arith.constant 0.0 : f32
    %k = arith.cmpf ogt, %v, %zero : f32
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.cmpi ne, %b, %a : i32
    tile.yield %k, %b, %v : i1, i32, f32
  }
  return
}

// REMARK: [Missed] no-bulk-copy | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_80">] {}
func.func @chip(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': sm_80 has no asynchronous copies of whole tiles, expected sm_90 or newer}}
  tile.chained @k::@chip ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e) {shape = "ring", strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    %zero = arith.constant 0.0 : f32
    %k = arith.cmpf ogt, %v, %zero : f32
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.cmpi ne, %b, %a : i32
    tile.yield %k, %b, %v : i1, i32, f32
  }
  return
}

// REMARK: [Missed] scattered-not-copied | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90">] {}
func.func @scattered(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': a ring copies results out in one piece, expected places that follow each other, not 'scattered'}}
  tile.chained @k::@scattered ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e) {scattered, shape = "ring", strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    %zero = arith.constant 0.0 : f32
    %k = arith.cmpf ogt, %v, %zero : f32
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.cmpi ne, %b, %a : i32
    tile.yield %k, %b, %v : i1, i32, f32
  }
  return
}

// REMARK: [Missed] order-not-taken | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90">] {}
func.func @order(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': a block of the ring takes its tiles by its number, expected no 'order'}}
  tile.chained @k::@order ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e) {order = "block_id", shape = "ring", strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    %zero = arith.constant 0.0 : f32
    %k = arith.cmpf ogt, %v, %zero : f32
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.cmpi ne, %b, %a : i32
    tile.yield %k, %b, %v : i1, i32, f32
  }
  return
}

// REMARK: [Missed] arrays-not-aligned | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90">] {}
func.func @aligned(%x: memref<?xf32, strided<[1], offset: 1>>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': the arrays are aligned to 4 bytes, expected 16}}
  tile.chained @k::@aligned ins(%x : memref<?xf32, strided<[1], offset: 1>>) outs(%y : memref<?xf32>) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e) {shape = "ring", strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    %zero = arith.constant 0.0 : f32
    %k = arith.cmpf ogt, %v, %zero : f32
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.cmpi ne, %b, %a : i32
    tile.yield %k, %b, %v : i1, i32, f32
  }
  return
}

// REMARK: [Missed] threads-not-warps | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90">] {}
func.func @threads(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': got 512 threads that write, and as many that reduce, expected at most 480}}
  tile.chained @k::@threads ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e) {shape = "ring", threads = 512, strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    %zero = arith.constant 0.0 : f32
    %k = arith.cmpf ogt, %v, %zero : f32
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.cmpi ne, %b, %a : i32
    tile.yield %k, %b, %v : i1, i32, f32
  }
  return
}

// REMARK: [Missed] ring-too-large | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90">] {}
func.func @stages(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': got 9 stages of 30720 bytes, expected from 2 up to the 6 that sm_90 has room for}}
  tile.chained @k::@stages ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e) {stages = 9, strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    %zero = arith.constant 0.0 : f32
    %k = arith.cmpf ogt, %v, %zero : f32
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.cmpi ne, %b, %a : i32
    tile.yield %k, %b, %v : i1, i32, f32
  }
  return
}

// REMARK: [Missed] stages-without-ring | Category:tile-chained
// -----

gpu.module @k [#nvvm.target<chip = "sm_90">] {}
func.func @registers(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': a tile in registers has no stages, expected shape "ring"}}
  tile.chained @k::@registers ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e) {stages = 2, shape = "register", strategy = "decoupled_fallback"}
  summary {
  ^bb0(%i: i64, %v: f32):
    %zero = arith.constant 0.0 : f32
    %k = arith.cmpf ogt, %v, %zero : f32
    %one = arith.extui %k : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tile.yield %s : i32
  } emit {
  ^bb0(%i: i64, %b: i32, %a: i32, %v: f32):
    %k = arith.cmpi ne, %b, %a : i32
    tile.yield %k, %b, %v : i1, i32, f32
  }
  return
}
