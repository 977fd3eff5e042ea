// Maps, reductions and scans leave the same bits on Vulkan as in the simulator: among lanes, and among warps.
// REQUIRES: vulkan
// RUN: tile-run %s --entry shares --arg f32[16x16]=normal(0,1) --arg f32[16x16]=poison --write 1=%t.npy
// RUN: tile-run %s --entry shares --device vulkan --chip vulkan1.2-64 --arg f32[16x16]=normal(0,1) --arg f32[16x16]=zeros \
// RUN:   --expect 1=%t.npy | FileCheck %s
// RUN: tile-run %s --entry prefixes --arg i32[16x16]=iota --arg i32[16x16]=poison --write 1=%t.p.npy
// RUN: tile-run %s --entry prefixes --device vulkan --chip vulkan1.2-64 --arg i32[16x16]=iota --arg i32[16x16]=zeros \
// RUN:   --expect 1=%t.p.npy | FileCheck %s
// RUN: tile-run %s --entry largest --arg f32[16x16]=normal(0,1) --arg i32[16x1]=poison --write 1=%t.l.npy
// RUN: tile-run %s --entry largest --device vulkan --chip vulkan1.2-64 --arg f32[16x16]=normal(0,1) --arg i32[16x1]=zeros \
// RUN:   --expect 1=%t.l.npy | FileCheck %s
// RUN: tile-translate %s --kernel=prefixes --tile-to-wgsl -o /dev/null
// RUN: tile-translate %s --kernel=shares --tile-to-msl -o /dev/null

// CHECK: argument 1 holds what {{.*}} holds

!x = !tile.buffer<16x16xf32, local, #tile.layout<(2, 8, 2, 4, 2) : (2, 4@laneid, 1@warpid, 1@laneid, 1)>>
!row = !tile.buffer<16x1xf32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
!at = !tile.buffer<16x1xi32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
!all = !tile.buffer<16x16xf32, global>
!p = !tile.buffer<16x16xi32, local, #tile.layout<(2, 8, 2, 4, 2) : (2, 4@laneid, 1@warpid, 1@laneid, 1)>>
!every = !tile.buffer<16x16xi32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @shares(%A: memref<16x16xf32>, %B: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x16xf32>
    %b = tile.view %B : memref<16x16xf32>
    %x = tile.alloc : !x
    %row = tile.alloc : !row
    tile.copy %a to %x scope(cta) : !all to !x
    tile.reduce max %x to %row dim(1) scope(cta) : !x to !row
    tile.map %x, %row to %x scope(cta) : !x, !row to !x {
    ^bb0(%e: f32, %largest: f32, %i: index, %j: index):
      %later = arith.cmpi ugt, %j, %i : index
      %less = arith.subf %e, %largest : f32
      %power = math.exp %less : f32
      %r = arith.select %later, %less, %power : f32
      tile.yield %r : f32
    }
    tile.reduce add %x to %row dim(1) scope(cta) : !x to !row
    tile.map %x, %row to %x scope(cta) : !x, !row to !x {
    ^bb0(%e: f32, %sum: f32):
      %r = arith.divf %e, %sum : f32
      tile.yield %r : f32
    }
    tile.copy %x to %b scope(cta) : !x to !all
    gpu.return
  }

  gpu.func @prefixes(%A: memref<16x16xi32>, %B: memref<16x16xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x16xi32>
    %b = tile.view %B : memref<16x16xi32>
    %x = tile.alloc : !p
    tile.copy %a to %x scope(cta) : !every to !p
    tile.block_scan exclusive add %x to %x dim(1) scope(cta) : !p to !p
    tile.block_scan inclusive max %x to %x dim(0) scope(cta) : !p to !p
    tile.copy %x to %b scope(cta) : !p to !every
    gpu.return
  }

  gpu.func @largest(%A: memref<16x16xf32>, %B: memref<16x1xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x16xf32>
    %b = tile.view %B : memref<16x1xi32>
    %x = tile.alloc : !x
    %at = tile.alloc : !at
    tile.copy %a to %x scope(cta) : !all to !x
    tile.reduce argmax %x to %at dim(1) scope(cta) : !x to !at
    tile.copy %at to %b scope(cta) : !at to !tile.buffer<16x1xi32, global>
    gpu.return
  }
}
