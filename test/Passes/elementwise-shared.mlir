// Maps and reductions of tiles in shared memory: the partition, what they become, and what orders it.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-insert-sync | FileCheck %s
// RUN: tile-opt %s --split-input-file --tile-insert-sync | tile-opt --split-input-file --tile-check-sync -o /dev/null
// RUN: tile-opt %s --split-input-file --tile-align-layouts -o /dev/null --remarks-filter='tile-(map|reduce)' --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

!s = !tile.buffer<64x60xf32, shared>
!a = !tile.buffer<64x60xf32, global>

// Neither a result that is its source nor registers need a barrier; what was copied to the tile does, and what copies it away.
// REMARK: remark: [Passed] map | {{.*}}Elements=30, Partition="[[P:[^"]+]]", {{.*}}Threads=128
// CHECK-LABEL: gpu.func @in_place
// CHECK: tile.copy %{{[^ ]+}} to %[[S:[^ ]+]] scope(cta) : !tile.buffer<64x60xf32, global>
// CHECK: gpu.barrier
// CHECK: tile.copy %[[S]] to %{{[^ ]+}} scope(cta) : !tile.buffer<64x60xf32, shared> to !tile.buffer<64x60xf32, local,
// CHECK-NOT: barrier
// CHECK: tile.copy %{{[^ ]+}} to %[[S]] scope(cta) :
// CHECK: gpu.barrier
// CHECK: tile.copy %[[S]] to
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @in_place(%A: memref<64x60xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x60xf32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !a to !s
    tile.map %s to %s scope(cta) : !s to !s {
    ^bb0(%e: f32):
      %r = arith.addf %e, %e : f32
      tile.yield %r : f32
    }
    tile.copy %s to %a scope(cta) : !s to !a
    gpu.return
  }
}

// -----

!s = !tile.buffer<64x64xf32, shared>
!h = !tile.buffer<64x64xf16, shared>

// The widest vectors that both tiles take without conflicts: of 8 elements, 32 bytes of f32 would be apart.
// REMARK: remark: [Passed] map | {{.*}}Partition="(8, 8, 16, 4) : (4, 16@tx, 1@tx, 1)"
// CHECK-LABEL: gpu.func @two_widths
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @two_widths() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !s
    %h = tile.alloc : !h
    tile.map %s to %h scope(cta) : !s to !h {
    ^bb0(%e: f32):
      %r = arith.truncf %e : f32 to f16
      tile.yield %r : f16
    }
    gpu.return
  }
}

// -----

!s = !tile.buffer<32x32xf32, shared>
!t = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>

// The same tile seen the other way round: all threads read before any of them writes.
// REMARK: remark: [Passed] map |
// CHECK-LABEL: gpu.func @turned
// CHECK: tile.copy %{{[^ ]+}} to
// CHECK: gpu.barrier
// CHECK: tile.copy %{{[^ ]+}} to
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @turned() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !s
    %t = tile.permute %s [1, 0] : !s
    tile.map %t to %s scope(cta) : !t to !s {
    ^bb0(%e: f32):
      tile.yield %e : f32
    }
    gpu.return
  }
}

// -----

!s = !tile.buffer<8x256xf32, shared>
!r = !tile.buffer<8x1xf32, shared>

// REMARK: remark: [Passed] reduce | {{.*}}Partition="
// CHECK-LABEL: gpu.func @sums
// CHECK: gpu.shuffle
// CHECK: tile.copy %{{.*}} to %{{.*}} scope(cta)
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !s
    %r = tile.alloc : !r
    tile.reduce add %s to %r dim(1) scope(cta) : !s to !r
    gpu.return
  }
}
