// Warps that hold the same fragments each load them: ldmatrix takes replicas on warp axes, plain and transposed.
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s
// RUN: tile-run %s --arg f16[64x32]=random --arg f16[64x32]=poison --arg f16[32x64]=random --arg f16[32x64]=poison \
// RUN:   --arg f16[64x32]=poison --arg f16[64x32]=poison --arg f16[64x32]=poison --arg f16[64x32]=poison \
// RUN:   --expect-equal 0,1 --expect-equal 2,3 --expect-equal 4,5 --expect-equal 6,7
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
!ga = !tile.buffer<64x32xf16, global>
!gb = !tile.buffer<32x64xf16, global>
!sa = !tile.buffer<64x32xf16, shared, #tile.layout<(64, 32) : (32, 1), swizzle<base = 3, bits = 2, shift = 3>>>
!sb = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 2, 32) : (32, 1024, 1), swizzle<base = 3, bits = 2, shift = 3>>>
!fa = !tile.buffer<64x32xf16, local, #tile.layout<(2, 2, 2, 8, 2, 2, 4, 2) : (2@warpid, 16, 2, 4@laneid, 8, 4, 1@laneid, 1) + R(2 : 1@warpid)>>
!fb = !tile.buffer<32x64xf16, local, #tile.layout<(2, 2, 4, 2, 2, 4, 8) : (16, 2, 1@laneid, 1, 1@warpid, 4, 4@laneid) + R(2 : 2@warpid)>>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @fragments(%A: memref<64x32xf16>, %OutA: memref<64x32xf16>, %B: memref<32x64xf16>, %OutB: memref<32x64xf16>,
      %A0: memref<64x32xf16>, %A1: memref<64x32xf16>, %B0: memref<64x32xf16>, %B1: memref<64x32xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf16>
    %b = tile.view %B : memref<32x64xf16>
    %oa = tile.view %OutA : memref<64x32xf16>
    %ob = tile.view %OutB : memref<32x64xf16>
    %sa = tile.alloc : !sa
    %sb = tile.alloc : !sb
    %fa = tile.alloc : !fa
    %fb = tile.alloc : !fb
    tile.copy %a to %sa scope(cta) : !ga to !sa
    tile.copy %b to %sb scope(cta) : !gb to !sb
    gpu.barrier
    tile.copy %sa to %fa scope(cta) : !sa to !fa
    tile.copy %sb to %fb scope(cta) : !sb to !fb
    tile.copy %fa to %oa scope(cta) : !fa to !ga
    tile.copy %fb to %ob scope(cta) : !fb to !gb
    // Stores are done by the first warp of each replica; so each warp's registers are compared with those of the other.
    %t = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %lane = arith.remui %t, %c32 : index
    %warp = arith.divui %t, %c32 : index
    %high = arith.divui %warp, %c2 : index
    %low = arith.remui %warp, %c2 : index
    %half = arith.muli %high, %c32 : index
    %by_high = arith.addi %half, %lane : index
    %other = arith.muli %low, %c32 : index
    %by_low = arith.addi %other, %lane : index
    %ra = tile.local_view %fa : !fa to memref<32xf16>
    %rb = tile.local_view %fb : !fb to memref<32xf16>
    %va = vector.load %ra[%c0] : memref<32xf16>, vector<32xf16>
    %vb = vector.load %rb[%c0] : memref<32xf16>, vector<32xf16>
    %is_low = arith.cmpi eq, %low, %c0 : index
    scf.if %is_low {
      vector.store %va, %A0[%by_high, %c0] : memref<64x32xf16>, vector<32xf16>
    } else {
      vector.store %va, %A1[%by_high, %c0] : memref<64x32xf16>, vector<32xf16>
    }
    %is_high = arith.cmpi eq, %high, %c0 : index
    scf.if %is_high {
      vector.store %vb, %B0[%by_low, %c0] : memref<64x32xf16>, vector<32xf16>
    } else {
      vector.store %vb, %B1[%by_low, %c0] : memref<64x32xf16>, vector<32xf16>
    }
    gpu.return
  }
}
