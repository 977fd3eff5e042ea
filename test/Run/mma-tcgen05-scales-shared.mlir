// Products whose scales come from shared memory, in rows of 16 bytes: one thread issues tcgen05.cp; and in a ring, parts of scales that
// are in tensor memory from the start. tile-run orders the accesses, and checks them under every schedule.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/scales.py 128,64,512,0,0
// RUN: cd %t && tile-run %s --entry loop --schedule=all --arg f32[128x512]=a.128x64x512.npy --arg f32[512x64]=b.128x64x512.npy --arg u8[128x16]=sa.128x64x512.npy --arg u8[16x64]=sb.128x64x512.npy --arg f32[128x64]=poison --expect 4=c.128x64x512.npy
// RUN: cd %t && tile-run %s --entry fifth_warp --schedule=all --arg f32[128x512]=a.128x64x512.npy --arg f32[512x64]=b.128x64x512.npy --arg u8[128x16]=sa.128x64x512.npy --arg u8[16x64]=sb.128x64x512.npy --arg f32[128x64]=poison --expect 4=c.128x64x512.npy
// RUN: cd %t && tile-run %s --entry ring --schedule=all --arg f8E4M3FN[128x512]=bits_a.128x64x512.npy --arg f8E4M3FN[64x512]=bits_b.128x64x512.npy --arg u8[128x16]=sa.128x64x512.npy --arg u8[16x64]=sb.128x64x512.npy --arg f32[128x64]=poison --expect 4=c.128x64x512.npy
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s

// CHECK-LABEL: .entry loop(
// CHECK-COUNT-3: tcgen05.cp.cta_group::1.32x128b.warpx4
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale
// CHECK-LABEL: .entry fifth_warp(
// CHECK-COUNT-3: tcgen05.cp.cta_group::1.32x128b.warpx4
// CHECK-LABEL: .entry ring(
// CHECK: cp.async.bulk.tensor
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale

!a = !tile.buffer<128x256xf8E4M3FN, shared, #tile.layout<(128, 2, 128) : (128, 16384, 1), swizzle<base = 4, bits = 3, shift = 3>>>
!b = !tile.buffer<256x64xf8E5M2, shared, #tile.layout<(2, 128, 64) : (8192, 1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
!c = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!row = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!of_a = !tile.buffer<128x8xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!of_b = !tile.buffer<8x64xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!shared_a = !tile.buffer<128x8xf8E8M0FNU, shared, #tile.layout<(4, 32, 2, 4) : (4, 16, 512, 1)>>
!shared_b = !tile.buffer<8x64xf8E8M0FNU, shared, #tile.layout<(2, 4, 2, 32) : (8, 1, 4, 16)>>
!left = !tile.buffer<128x512xf32, global>
!right = !tile.buffer<512x64xf32, global>
!scales_a = !tile.buffer<128x16xf8E8M0FNU, global>
!scales_b = !tile.buffer<16x64xf8E8M0FNU, global>
!sums = !tile.buffer<128x64xf32, global>
!stage_a = !tile.buffer<128x128xf8E4M3FN, shared, auto>
!stage_b = !tile.buffer<64x128xf8E4M3FN, shared, auto>
!turned_b = !tile.buffer<128x64xf8E4M3FN, shared, auto>
!bits_a = !tile.buffer<128x512xf8E4M3FN, global>
!bits_b = !tile.buffer<64x512xf8E4M3FN, global>
!all_a = !tile.buffer<128x16xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!all_b = !tile.buffer<16x64xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!local_a = !tile.buffer<128x16xf8E8M0FNU, local, #tile.layout<(4, 32, 4, 4) : (4, 1@laneid, 16, 1) + R(4 : 1@wid_in_wg)>>
!local_b = !tile.buffer<16x64xf8E8M0FNU, local, #tile.layout<(4, 4, 2, 32) : (8, 1, 4, 1@laneid) + R(4 : 1@wid_in_wg)>>
!part_a = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.layout<(4, 32, 4) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!part_b = !tile.buffer<4x64xf8E8M0FNU, tmem, #tile.layout<(4, 2, 32) : (1@TCol, 4@TCol, 1@TLane) + R(4 : 32@TLane)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @loop(%A: memref<128x512xf32>, %B: memref<512x64xf32>, %OfA: memref<128x16xf8E8M0FNU>, %OfB: memref<16x64xf8E8M0FNU>,
                 %C: memref<128x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %left = tile.view %A : memref<128x512xf32>
    %right = tile.view %B : memref<512x64xf32>
    %scales_a = tile.view %OfA : memref<128x16xf8E8M0FNU>
    %scales_b = tile.view %OfB : memref<16x64xf8E8M0FNU>
    %sums = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    %row = tile.alloc : !row
    %of_a = tile.alloc : !of_a
    %of_b = tile.alloc : !of_b
    %shared_a = tile.alloc : !shared_a
    %shared_b = tile.alloc : !shared_b
    tile.fill %zero to %row scope(cta) : f32 to !row
    tile.copy %row to %c scope(cta) : !row to !c
    scf.for %k = %c0 to %c512 step %c256 {
      %step = arith.divui %k, %c32 : index
      tile.copy %left[0, %k] [128, 256] to %a scope(cta) : !left to !a
      tile.copy %right[%k, 0] [256, 64] to %b scope(cta) : !right to !b
      tile.copy %scales_a[0, %step] [128, 8] to %shared_a scope(cta) : !scales_a to !shared_a
      tile.copy %scales_b[%step, 0] [8, 64] to %shared_b scope(cta) : !scales_b to !shared_b
      tile.copy %shared_a to %of_a scope(cta) : !shared_a to !of_a
      tile.copy %shared_b to %of_b scope(cta) : !shared_b to !of_b
      tile.mma %a, %b, %c scales(%of_a, %of_b : !of_a, !of_b) scope(cta) : !a, !b, !c
    }
    tile.copy %c to %row scope(cta) : !c to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    gpu.return
  }

  gpu.func @fifth_warp(%A: memref<128x512xf32>, %B: memref<512x64xf32>, %OfA: memref<128x16xf8E8M0FNU>, %OfB: memref<16x64xf8E8M0FNU>,
                 %C: memref<128x64xf32>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %left = tile.view %A : memref<128x512xf32>
    %right = tile.view %B : memref<512x64xf32>
    %scales_a = tile.view %OfA : memref<128x16xf8E8M0FNU>
    %scales_b = tile.view %OfB : memref<16x64xf8E8M0FNU>
    %sums = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    %row = tile.alloc : !row
    %of_a = tile.alloc : !of_a
    %of_b = tile.alloc : !of_b
    %shared_a = tile.alloc : !shared_a
    %shared_b = tile.alloc : !shared_b
    %thread = gpu.thread_id x
    %moves = arith.cmpi ult, %thread, %c128 : index
    scf.if %moves {
      tile.fill %zero to %row scope(warpgroup) : f32 to !row
      tile.copy %row to %c scope(warpgroup) : !row to !c
    }
    scf.for %k = %c0 to %c512 step %c256 {
      %step = arith.divui %k, %c32 : index
      tile.copy %left[0, %k] [128, 256] to %a scope(cta) : !left to !a
      tile.copy %right[%k, 0] [256, 64] to %b scope(cta) : !right to !b
      tile.copy %scales_a[0, %step] [128, 8] to %shared_a scope(cta) : !scales_a to !shared_a
      tile.copy %scales_b[%step, 0] [8, 64] to %shared_b scope(cta) : !scales_b to !shared_b
      scf.if %moves {
      } else {
        tile.copy %shared_a to %of_a scope(warp) : !shared_a to !of_a
        tile.copy %shared_b to %of_b scope(warp) : !shared_b to !of_b
        tile.mma %a, %b, %c scales(%of_a, %of_b : !of_a, !of_b) scope(warp) : !a, !b, !c
      }
    }
    scf.if %moves {
      tile.copy %c to %row scope(warpgroup) : !c to !row
      tile.copy %row to %sums scope(warpgroup) : !row to !sums
    }
    gpu.return
  }

  gpu.func @ring(%A: memref<128x512xf8E4M3FN>, %B: memref<64x512xf8E4M3FN>, %OfA: memref<128x16xf8E8M0FNU>, %OfB: memref<16x64xf8E8M0FNU>,
                 %C: memref<128x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %left = tile.view %A : memref<128x512xf8E4M3FN>
    %right = tile.view %B : memref<64x512xf8E4M3FN>
    %scales_a = tile.view %OfA : memref<128x16xf8E8M0FNU>
    %scales_b = tile.view %OfB : memref<16x64xf8E8M0FNU>
    %sums = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !stage_a
    %b = tile.alloc : !stage_b
    %c = tile.alloc : !c
    %row = tile.alloc : !row
    %of_a = tile.alloc : !all_a
    %of_b = tile.alloc : !all_b
    %local_a = tile.alloc : !local_a
    %local_b = tile.alloc : !local_b
    tile.copy %scales_a to %local_a scope(cta) : !scales_a to !local_a
    tile.copy %local_a to %of_a scope(cta) : !local_a to !all_a
    tile.copy %scales_b to %local_b scope(cta) : !scales_b to !local_b
    tile.copy %local_b to %of_b scope(cta) : !local_b to !all_b
    tile.fill %zero to %row scope(cta) : f32 to !row
    tile.copy %row to %c scope(cta) : !row to !c
    scf.for %k = %c0 to %c512 step %c128 {
      %step = arith.divui %k, %c32 : index
      tile.copy_async %left[0, %k] [128, 128] to %a scope(cta) : !bits_a to !stage_a
      tile.copy_async %right[0, %k] [64, 128] to %b scope(cta) : !bits_b to !stage_b
      %turned = tile.permute %b [1, 0] : !stage_b to !turned_b
      %part_a = tile.subview %of_a[0, %step] [128, 4] : !all_a to !part_a
      %part_b = tile.subview %of_b[%step, 0] [4, 64] : !all_b to !part_b
      tile.mma %a, %turned, %c scales(%part_a, %part_b : !part_a, !part_b) scope(cta) : !stage_a, !turned_b, !c
    } {tile.stages = 3 : i64}
    tile.copy %c to %row scope(cta) : !c to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    gpu.return
  }
}
