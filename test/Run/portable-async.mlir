// Asynchronous copies in groups, with waits written by the compiler or by hand, leave the same bits on Vulkan, where they are
// synchronous, as in the simulator. The barriers of the product are inserted.
// REQUIRES: vulkan
// RUN: mkdir -p %t
// RUN: tile-run %s --entry product --grid 2,2 --arg f32[31x19]=random --arg f32[19x18]=random:7 --arg f32[31x18]=poison --write 2=%t/c.npy
// RUN: tile-run %s --entry product --device vulkan --chip vulkan1.2-64 --grid 2,2 --arg f32[31x19]=random --arg f32[19x18]=random:7 \
// RUN:   --arg f32[31x18]=poison --expect 2=%t/c.npy | FileCheck %s
// RUN: tile-run %s --entry by_hand --device vulkan --arg f32[64x16]=random --arg f32[64x16]=poison --expect-equal 0,1 \
// RUN:   | FileCheck %s --check-prefix=HAND
// RUN: tile-translate %s --tile-to-wgsl --kernel=product | FileCheck %s --check-prefix=WGSL

// CHECK: argument 2 holds {{.*}}c.npy holds
// HAND: argument 1 holds what argument 0 holds
// WGSL: workgroupBarrier()

!g = !tile.buffer<?x?xf32, global>
!s = !tile.buffer<16x16xf32, shared>
!ra = !tile.buffer<16x16xf32, local, #tile.layout<(8, 2, 16) : (8@tx, 16, 1) + R(8 : 1@tx)>>
!rb = !tile.buffer<16x16xf32, local, #tile.layout<(16, 8, 2) : (2, 1@tx, 1) + R(8 : 8@tx)>>
!rc = !tile.buffer<16x16xf32, local, #tile.layout<(8, 2, 8, 2) : (8@tx, 2, 1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @product(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %k = memref.dim %A, %c1 : memref<?x?xf32>
    %n = memref.dim %B, %c1 : memref<?x?xf32>
    %a = tile.view %A strides(%k) : memref<?x?xf32> to !g
    %b = tile.view %B strides(%n) : memref<?x?xf32> to !g
    %c = tile.view %C strides(%n) : memref<?x?xf32> to !g
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %c16 : index
    %col = arith.muli %x, %c16 : index
    %sa = tile.alloc : !s
    %sb = tile.alloc : !s
    %ra = tile.alloc : !ra
    %rb = tile.alloc : !rb
    %rc = tile.alloc : !rc
    %ma = tile.local_view %ra : !ra to memref<32xf32>
    %mb = tile.local_view %rb : !rb to memref<32xf32>
    %mc = tile.local_view %rc : !rc to memref<4xf32>
    tile.fill %zero to %rc scope(cta) : f32 to !rc
    scf.for %kk = %c0 to %k step %c16 {
      tile.copy_async %a[%row, %kk] [16, 16] to %sa scope(cta) group masked fill(%zero : f32) : !g to !s
      tile.copy_async %b[%kk, %col] [16, 16] to %sb scope(cta) group masked fill(%zero : f32) : !g to !s
      tile.copy %sa to %ra scope(cta) : !s to !ra
      tile.copy %sb to %rb scope(cta) : !s to !rb
      affine.for %p = 0 to 16 {
        affine.for %i = 0 to 2 {
          %u = affine.load %ma[%i * 16 + %p] : memref<32xf32>
          affine.for %j = 0 to 2 {
            %v = affine.load %mb[%p * 2 + %j] : memref<32xf32>
            %w = affine.load %mc[%i * 2 + %j] : memref<4xf32>
            %z = math.fma %u, %v, %w : f32
            affine.store %z, %mc[%i * 2 + %j] : memref<4xf32>
          }
        }
      }
    } {tile.stages = 2 : i64}
    tile.copy %rc to %c[%row, %col] [16, 16] scope(cta) masked : !rc to !g
    gpu.return
  }
  gpu.func @by_hand(%A: memref<64x16xf32>, %B: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %b = tile.view %B : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %s = tile.alloc : !tile.buffer<64x16xf32, shared>
    tile.copy_async %a to %s scope(cta) group : !tile.buffer<64x16xf32, global> to !tile.buffer<64x16xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<64x16xf32, shared> to !tile.buffer<64x16xf32, global>
    gpu.return
  }
}
