// A prefix sum of any number of floats in one pass over memory, by blocks that do not depend on the progress of other blocks.
// The op is host code; its kernel is generated in the module that it names.

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {}

func.func @cumsum(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @kernels::@cumsum inclusive add %x to %y workspace(%w) epoch(%epoch)
    : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// RUN: tile-opt %s --lower-tile-scan | FileCheck %s
// RUN: tile-opt %s --lower-tile-scan -o /dev/null --remarks-filter=tile-scan --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-translate %s --tile-to-ptx --chip=sm_80 | FileCheck %s --check-prefix=OLD
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80 | %sass_count - | FileCheck %s --check-prefix=SASS %}

// The kernel and its launch: one block per tile, at most one per SM,
// with tiles evenly distributed over the rounds.
// CHECK: gpu.module @kernels
// CHECK: gpu.func @cumsum(%arg0: !llvm.ptr<1> {llvm.noalias}, %arg1: !llvm.ptr<1>,
// CHECK-SAME: %arg2: !llvm.ptr<1>, %arg3: i64, %arg4: i32) kernel attributes {{.*}}nvvm.reqntid = array<i32: 448, 1, 1>
// CHECK: func.func @cumsum(
// CHECK: %[[TILE:.*]] = arith.constant 8192 : index
// CHECK: %[[TILES:.*]] = arith.ceildivui %{{.*}}, %[[TILE]]
// CHECK: %[[MOST:.*]] = arith.constant 132 : index
// CHECK: %[[ROUNDS:.*]] = arith.ceildivui %[[TILES]], %[[MOST]]
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[TILES]], %[[ROUNDS]]
// CHECK: gpu.launch_func @kernels::@cumsum blocks in (%[[BLOCKS]],
// CHECK-NOT: tile.scan

// REMARK: [Passed] decoupled_fallback | Category:tile-scan | Function=cumsum |
// REMARK-SAME: Shape=ring, Stages=6, State="1 x 64 bits", Strategy=decoupled_fallback, Threads=448, Tile=8192,
// REMARK-SAME: Words=8

// Whole tiles are copied in and out; sums are published by relaxed accesses of one word, sums of the fallback by compare-and-swap.
// PTX: .entry cumsum(
// PTX: .reqntid 448
// PTX-DAG: st.relaxed.gpu.global.b64
// PTX-DAG: ld.relaxed.gpu.global.b64
// PTX-DAG: atom.relaxed.gpu.global.cas.b64
// PTX-DAG: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
// PTX-DAG: cp.async.bulk.global.shared::cta.bulk_group
// PTX-NOT: ld.acquire
// PTX-NOT: st.release

// Without asynchronous tile copies: 16-byte loads and stores.
// OLD: .entry cumsum(
// OLD: ld.global.nc.v4.b32
// OLD: st.global.v4.b32

// SASS: kernel cumsum
// SASS: stack bytes: 0
