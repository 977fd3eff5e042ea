// The layout of a tile that a copy through a tensor map stores is one of the engine.
// RUN: tile-opt %s --tile-choose-layouts | FileCheck %s
// RUN: tile-opt %s --tile-build -o /dev/null
// CHECK: tile.alloc : !tile.buffer<128x128xf32, shared, #tile.layout<{{.*}}swizzle<base = 2, bits = {{[123]}}, shift = 3>>>

!c = !tile.buffer<128x128xf32, shared, auto>
!r = !tile.buffer<128x128xf32, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>
!g = !tile.buffer<?x?xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @store(%C: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %m = memref.dim %C, %c0 : memref<?x?xf32>
    %width = memref.dim %C, %c1 : memref<?x?xf32>
    %n = tile.assume %width divisible_by 8 : index
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xf32> to !g
    %s = tile.alloc : !c
    %r = tile.alloc : !r
    tile.fill %one to %r scope(cta) : f32 to !r
    tile.copy %r to %s scope(cta) : !r to !c
    tile.copy_async %s to %c[0, 0] [128, 128] scope(cta) bulk_group masked {variant = "tma"} : !c to !g
    gpu.return
  }
}
