// Products of 8-bit floats with scales: small integers and powers of two, so that sums are exact. tile-run orders the accesses, and
// checks them under every schedule. Of fewer than 128 depths, a product takes a part of a tile of 4 scales a row.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/scales.py 128,8,32,3,1 128,64,128,0,0 256,96,96,0,1 128,288,64,2,0 128,32,64,1,2 128,64,512,0,0
// RUN: cd %t && tile-run %s --entry one_instruction --schedule=all --arg f32[128x32]=a.128x8x32.npy --arg f32[32x8]=b.128x8x32.npy --arg u8[128x4]=sa.128x8x32.npy --arg u8[4x32]=sb.128x8x32.npy --arg f32[128x8]=poison --expect 4=c.128x8x32.npy
// RUN: cd %t && tile-run %s --entry several_steps --schedule=all --arg f32[128x128]=a.128x64x128.npy --arg f32[128x64]=b.128x64x128.npy --arg u8[128x4]=sa.128x64x128.npy --arg u8[4x64]=sb.128x64x128.npy --arg f32[128x64]=poison --expect 4=c.128x64x128.npy
// RUN: cd %t && tile-run %s --entry two_rows --schedule=all --arg f32[256x96]=a.256x96x96.npy --arg f32[96x96]=b.256x96x96.npy --arg u8[256x4]=sa.256x96x96.npy --arg u8[4x96]=sb.256x96x96.npy --arg f32[256x96]=poison --expect 4=c.256x96x96.npy
// RUN: cd %t && tile-run %s --entry three_columns --schedule=all --arg f32[128x64]=a.128x288x64.npy --arg f32[64x288]=b.128x288x64.npy --arg u8[128x4]=sa.128x288x64.npy --arg u8[4x288]=sb.128x288x64.npy --arg f32[128x288]=poison --expect 4=c.128x288x64.npy
// RUN: cd %t && tile-run %s --entry left_in_tensor_memory --schedule=all --arg f32[128x64]=a.128x32x64.npy --arg f32[64x32]=b.128x32x64.npy --arg u8[128x4]=sa.128x32x64.npy --arg u8[4x32]=sb.128x32x64.npy --arg f32[128x32]=poison --expect 4=c.128x32x64.npy
// RUN: cd %t && tile-run %s --entry loop --schedule=all --arg f32[128x512]=a.128x64x512.npy --arg f32[512x64]=b.128x64x512.npy --arg u8[128x16]=sa.128x64x512.npy --arg u8[16x64]=sb.128x64x512.npy --arg f32[128x64]=poison --expect 4=c.128x64x512.npy
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s

// CHECK-LABEL: .entry one_instruction(
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale
// CHECK-LABEL: .entry several_steps(
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale
// CHECK-LABEL: .entry two_rows(
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale
// CHECK-LABEL: .entry three_columns(
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale
// CHECK-LABEL: .entry left_in_tensor_memory(
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale
// CHECK-LABEL: .entry loop(
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale

!one_instruction_a = !tile.buffer<128x32xf8E4M3FN, shared, #tile.layout<(128, 32) : (32, 1), swizzle<base = 4, bits = 1, shift = 3>>>
!one_instruction_b = !tile.buffer<32x8xf8E4M3FN, shared, #tile.layout<(32, 8) : (1, 32), swizzle<base = 4, bits = 1, shift = 3>>>
!one_instruction_c = !tile.buffer<128x8xf32, tmem, #tile.fragment<tcgen05.c>>
!one_instruction_of_a = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!one_instruction_of_b = !tile.buffer<4x32xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!one_instruction_ra = !tile.buffer<128x4xf8E8M0FNU, local, #tile.layout<(4, 32, 4) : (4, 1@laneid, 1) + R(4 : 1@wid_in_wg)>>
!one_instruction_rb = !tile.buffer<4x32xf8E8M0FNU, local, #tile.layout<(4, 32) : (1, 1@laneid) + R(4 : 1@wid_in_wg)>>
!one_instruction_r = !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
!one_instruction_sa = !tile.buffer<128x1xf8E8M0FNU, tmem, #tile.layout<(4, 32, 1) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!one_instruction_sb = !tile.buffer<1x8xf8E8M0FNU, tmem, #tile.layout<(1, 8) : (1@TCol, 1@TLane) + R(4 : 32@TLane)>>

!several_steps_a = !tile.buffer<128x128xf8E4M3FN, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
!several_steps_b = !tile.buffer<128x64xf8E5M2, shared, #tile.layout<(128, 64) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
!several_steps_c = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!several_steps_of_a = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!several_steps_of_b = !tile.buffer<4x64xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!several_steps_ra = !tile.buffer<128x4xf8E8M0FNU, local, #tile.layout<(4, 32, 4) : (4, 1@laneid, 1) + R(4 : 1@wid_in_wg)>>
!several_steps_rb = !tile.buffer<4x64xf8E8M0FNU, local, #tile.layout<(4, 2, 32) : (1, 4, 1@laneid) + R(4 : 1@wid_in_wg)>>
!several_steps_r = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>

!two_rows_a = !tile.buffer<256x96xf8E5M2, shared, #tile.layout<(256, 3, 32) : (32, 8192, 1), swizzle<base = 4, bits = 1, shift = 3>>>
!two_rows_b = !tile.buffer<96x96xf8E5M2, shared, #tile.layout<(3, 32, 96) : (3072, 1, 32), swizzle<base = 4, bits = 1, shift = 3>>>
!two_rows_c = !tile.buffer<256x96xf32, tmem, #tile.fragment<tcgen05.c>>
!two_rows_of_a = !tile.buffer<256x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!two_rows_of_b = !tile.buffer<4x96xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!two_rows_ra = !tile.buffer<256x4xf8E8M0FNU, local, #tile.layout<(8, 32, 4) : (4, 1@laneid, 1) + R(4 : 1@wid_in_wg)>>
!two_rows_rb = !tile.buffer<4x96xf8E8M0FNU, local, #tile.layout<(4, 3, 32) : (1, 4, 1@laneid) + R(4 : 1@wid_in_wg)>>
!two_rows_r = !tile.buffer<256x96xf32, local, #tile.layout<(2, 128, 96) : (96, 1@tid_in_wg, 1)>>
!two_rows_sa = !tile.buffer<256x3xf8E8M0FNU, tmem, #tile.layout<(8, 32, 3) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!two_rows_sb = !tile.buffer<3x96xf8E8M0FNU, tmem, #tile.layout<(3, 3, 32) : (1@TCol, 4@TCol, 1@TLane) + R(4 : 32@TLane)>>

!three_columns_a = !tile.buffer<128x64xf8E5M2, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
!three_columns_b = !tile.buffer<64x288xf8E4M3FN, shared, #tile.layout<(64, 288) : (1, 64), swizzle<base = 4, bits = 2, shift = 3>>>
!three_columns_c = !tile.buffer<128x288xf32, tmem, #tile.fragment<tcgen05.c>>
!three_columns_of_a = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!three_columns_of_b = !tile.buffer<4x288xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!three_columns_ra = !tile.buffer<128x4xf8E8M0FNU, local, #tile.layout<(4, 32, 4) : (4, 1@laneid, 1) + R(4 : 1@wid_in_wg)>>
!three_columns_rb = !tile.buffer<4x288xf8E8M0FNU, local, #tile.layout<(4, 9, 32) : (1, 4, 1@laneid) + R(4 : 1@wid_in_wg)>>
!three_columns_r = !tile.buffer<128x288xf32, local, #tile.layout<(128, 288) : (1@tid_in_wg, 1)>>
!three_columns_sa = !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(4, 32, 2) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!three_columns_sb = !tile.buffer<2x288xf8E8M0FNU, tmem, #tile.layout<(2, 9, 32) : (1@TCol, 4@TCol, 1@TLane) + R(4 : 32@TLane)>>

!left_in_tensor_memory_a = !tile.buffer<128x64xf8E4M3FN, tmem, #tile.fragment<tcgen05.a>>
!left_in_tensor_memory_b = !tile.buffer<64x32xf8E4M3FN, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 4, bits = 2, shift = 3>>>
!left_in_tensor_memory_c = !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
!left_in_tensor_memory_of_a = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!left_in_tensor_memory_of_b = !tile.buffer<4x32xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!left_in_tensor_memory_ra = !tile.buffer<128x4xf8E8M0FNU, local, #tile.layout<(4, 32, 4) : (4, 1@laneid, 1) + R(4 : 1@wid_in_wg)>>
!left_in_tensor_memory_rb = !tile.buffer<4x32xf8E8M0FNU, local, #tile.layout<(4, 32) : (1, 1@laneid) + R(4 : 1@wid_in_wg)>>
!left_in_tensor_memory_r = !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
!left_in_tensor_memory_rl = !tile.buffer<128x64xf8E4M3FN, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!left_in_tensor_memory_sa = !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(4, 32, 2) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!left_in_tensor_memory_sb = !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.layout<(2, 32) : (1@TCol, 1@TLane) + R(4 : 32@TLane)>>

!loop_a = !tile.buffer<128x256xf8E4M3FN, shared, #tile.layout<(128, 2, 128) : (128, 16384, 1), swizzle<base = 4, bits = 3, shift = 3>>>
!loop_b = !tile.buffer<256x64xf8E4M3FN, shared, #tile.layout<(2, 128, 64) : (8192, 1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
!loop_c = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!loop_of_a = !tile.buffer<128x8xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!loop_of_b = !tile.buffer<8x64xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!loop_ra = !tile.buffer<128x8xf8E8M0FNU, local, #tile.layout<(4, 32, 2, 4) : (4, 1@laneid, 16, 1) + R(4 : 1@wid_in_wg)>>
!loop_rb = !tile.buffer<8x64xf8E8M0FNU, local, #tile.layout<(2, 4, 2, 32) : (8, 1, 4, 1@laneid) + R(4 : 1@wid_in_wg)>>
!loop_r = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @one_instruction(%A: memref<128x32xf32>, %B: memref<32x8xf32>, %SA: memref<128x4xf8E8M0FNU>, %SB: memref<4x32xf8E8M0FNU>, %C: memref<128x8xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %ga = tile.view %A : memref<128x32xf32>
    %gb = tile.view %B : memref<32x8xf32>
    %gsa = tile.view %SA : memref<128x4xf8E8M0FNU>
    %gsb = tile.view %SB : memref<4x32xf8E8M0FNU>
    %gc = tile.view %C : memref<128x8xf32>
    %a = tile.alloc : !one_instruction_a
    %b = tile.alloc : !one_instruction_b
    %c = tile.alloc : !one_instruction_c
    %of_a = tile.alloc : !one_instruction_of_a
    %of_b = tile.alloc : !one_instruction_of_b
    %ra = tile.alloc : !one_instruction_ra
    %rb = tile.alloc : !one_instruction_rb
    %r = tile.alloc : !one_instruction_r
    tile.fill %zero to %r scope(cta) : f32 to !one_instruction_r
    tile.copy %r to %c scope(cta) : !one_instruction_r to !one_instruction_c
    tile.copy %ga to %a scope(cta) : !tile.buffer<128x32xf32, global> to !one_instruction_a
    tile.copy %gb to %b scope(cta) : !tile.buffer<32x8xf32, global> to !one_instruction_b
    tile.copy %gsa to %ra scope(cta) : !tile.buffer<128x4xf8E8M0FNU, global> to !one_instruction_ra
    tile.copy %gsb to %rb scope(cta) : !tile.buffer<4x32xf8E8M0FNU, global> to !one_instruction_rb
    tile.copy %ra to %of_a scope(cta) : !one_instruction_ra to !one_instruction_of_a
    tile.copy %rb to %of_b scope(cta) : !one_instruction_rb to !one_instruction_of_b
    %sa = tile.subview %of_a[0, 3] [128, 1] : !one_instruction_of_a to !one_instruction_sa
    %sb = tile.subview %of_b[1, 0] [1, 8] : !one_instruction_of_b to !one_instruction_sb
    tile.mma %a, %b, %c scales(%sa, %sb : !one_instruction_sa, !one_instruction_sb) scope(cta) : !one_instruction_a, !one_instruction_b, !one_instruction_c
    tile.copy %c to %r scope(cta) : !one_instruction_c to !one_instruction_r
    tile.copy %r to %gc scope(cta) : !one_instruction_r to !tile.buffer<128x8xf32, global>
    gpu.return
  }

  gpu.func @several_steps(%A: memref<128x128xf32>, %B: memref<128x64xf32>, %SA: memref<128x4xf8E8M0FNU>, %SB: memref<4x64xf8E8M0FNU>, %C: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %ga = tile.view %A : memref<128x128xf32>
    %gb = tile.view %B : memref<128x64xf32>
    %gsa = tile.view %SA : memref<128x4xf8E8M0FNU>
    %gsb = tile.view %SB : memref<4x64xf8E8M0FNU>
    %gc = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !several_steps_a
    %b = tile.alloc : !several_steps_b
    %c = tile.alloc : !several_steps_c
    %of_a = tile.alloc : !several_steps_of_a
    %of_b = tile.alloc : !several_steps_of_b
    %ra = tile.alloc : !several_steps_ra
    %rb = tile.alloc : !several_steps_rb
    %r = tile.alloc : !several_steps_r
    tile.fill %zero to %r scope(cta) : f32 to !several_steps_r
    tile.copy %r to %c scope(cta) : !several_steps_r to !several_steps_c
    tile.copy %ga to %a scope(cta) : !tile.buffer<128x128xf32, global> to !several_steps_a
    tile.copy %gb to %b scope(cta) : !tile.buffer<128x64xf32, global> to !several_steps_b
    tile.copy %gsa to %ra scope(cta) : !tile.buffer<128x4xf8E8M0FNU, global> to !several_steps_ra
    tile.copy %gsb to %rb scope(cta) : !tile.buffer<4x64xf8E8M0FNU, global> to !several_steps_rb
    tile.copy %ra to %of_a scope(cta) : !several_steps_ra to !several_steps_of_a
    tile.copy %rb to %of_b scope(cta) : !several_steps_rb to !several_steps_of_b
    tile.mma %a, %b, %c scales(%of_a, %of_b : !several_steps_of_a, !several_steps_of_b) scope(cta) : !several_steps_a, !several_steps_b, !several_steps_c
    tile.copy %c to %r scope(cta) : !several_steps_c to !several_steps_r
    tile.copy %r to %gc scope(cta) : !several_steps_r to !tile.buffer<128x64xf32, global>
    gpu.return
  }

  gpu.func @two_rows(%A: memref<256x96xf32>, %B: memref<96x96xf32>, %SA: memref<256x4xf8E8M0FNU>, %SB: memref<4x96xf8E8M0FNU>, %C: memref<256x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %ga = tile.view %A : memref<256x96xf32>
    %gb = tile.view %B : memref<96x96xf32>
    %gsa = tile.view %SA : memref<256x4xf8E8M0FNU>
    %gsb = tile.view %SB : memref<4x96xf8E8M0FNU>
    %gc = tile.view %C : memref<256x96xf32>
    %a = tile.alloc : !two_rows_a
    %b = tile.alloc : !two_rows_b
    %c = tile.alloc : !two_rows_c
    %of_a = tile.alloc : !two_rows_of_a
    %of_b = tile.alloc : !two_rows_of_b
    %ra = tile.alloc : !two_rows_ra
    %rb = tile.alloc : !two_rows_rb
    %r = tile.alloc : !two_rows_r
    tile.fill %zero to %r scope(cta) : f32 to !two_rows_r
    tile.copy %r to %c scope(cta) : !two_rows_r to !two_rows_c
    tile.copy %ga to %a scope(cta) : !tile.buffer<256x96xf32, global> to !two_rows_a
    tile.copy %gb to %b scope(cta) : !tile.buffer<96x96xf32, global> to !two_rows_b
    tile.copy %gsa to %ra scope(cta) : !tile.buffer<256x4xf8E8M0FNU, global> to !two_rows_ra
    tile.copy %gsb to %rb scope(cta) : !tile.buffer<4x96xf8E8M0FNU, global> to !two_rows_rb
    tile.copy %ra to %of_a scope(cta) : !two_rows_ra to !two_rows_of_a
    tile.copy %rb to %of_b scope(cta) : !two_rows_rb to !two_rows_of_b
    %sa = tile.subview %of_a[0, 0] [256, 3] : !two_rows_of_a to !two_rows_sa
    %sb = tile.subview %of_b[1, 0] [3, 96] : !two_rows_of_b to !two_rows_sb
    tile.mma %a, %b, %c scales(%sa, %sb : !two_rows_sa, !two_rows_sb) scope(cta) : !two_rows_a, !two_rows_b, !two_rows_c
    tile.copy %c to %r scope(cta) : !two_rows_c to !two_rows_r
    tile.copy %r to %gc scope(cta) : !two_rows_r to !tile.buffer<256x96xf32, global>
    gpu.return
  }

  gpu.func @three_columns(%A: memref<128x64xf32>, %B: memref<64x288xf32>, %SA: memref<128x4xf8E8M0FNU>, %SB: memref<4x288xf8E8M0FNU>, %C: memref<128x288xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %ga = tile.view %A : memref<128x64xf32>
    %gb = tile.view %B : memref<64x288xf32>
    %gsa = tile.view %SA : memref<128x4xf8E8M0FNU>
    %gsb = tile.view %SB : memref<4x288xf8E8M0FNU>
    %gc = tile.view %C : memref<128x288xf32>
    %a = tile.alloc : !three_columns_a
    %b = tile.alloc : !three_columns_b
    %c = tile.alloc : !three_columns_c
    %of_a = tile.alloc : !three_columns_of_a
    %of_b = tile.alloc : !three_columns_of_b
    %ra = tile.alloc : !three_columns_ra
    %rb = tile.alloc : !three_columns_rb
    %r = tile.alloc : !three_columns_r
    tile.fill %zero to %r scope(cta) : f32 to !three_columns_r
    tile.copy %r to %c scope(cta) : !three_columns_r to !three_columns_c
    tile.copy %ga to %a scope(cta) : !tile.buffer<128x64xf32, global> to !three_columns_a
    tile.copy %gb to %b scope(cta) : !tile.buffer<64x288xf32, global> to !three_columns_b
    tile.copy %gsa to %ra scope(cta) : !tile.buffer<128x4xf8E8M0FNU, global> to !three_columns_ra
    tile.copy %gsb to %rb scope(cta) : !tile.buffer<4x288xf8E8M0FNU, global> to !three_columns_rb
    tile.copy %ra to %of_a scope(cta) : !three_columns_ra to !three_columns_of_a
    tile.copy %rb to %of_b scope(cta) : !three_columns_rb to !three_columns_of_b
    %sa = tile.subview %of_a[0, 2] [128, 2] : !three_columns_of_a to !three_columns_sa
    %sb = tile.subview %of_b[0, 0] [2, 288] : !three_columns_of_b to !three_columns_sb
    tile.mma %a, %b, %c scales(%sa, %sb : !three_columns_sa, !three_columns_sb) scope(cta) : !three_columns_a, !three_columns_b, !three_columns_c
    tile.copy %c to %r scope(cta) : !three_columns_c to !three_columns_r
    tile.copy %r to %gc scope(cta) : !three_columns_r to !tile.buffer<128x288xf32, global>
    gpu.return
  }

  gpu.func @left_in_tensor_memory(%A: memref<128x64xf32>, %B: memref<64x32xf32>, %SA: memref<128x4xf8E8M0FNU>, %SB: memref<4x32xf8E8M0FNU>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %ga = tile.view %A : memref<128x64xf32>
    %gb = tile.view %B : memref<64x32xf32>
    %gsa = tile.view %SA : memref<128x4xf8E8M0FNU>
    %gsb = tile.view %SB : memref<4x32xf8E8M0FNU>
    %gc = tile.view %C : memref<128x32xf32>
    %a = tile.alloc : !left_in_tensor_memory_a
    %b = tile.alloc : !left_in_tensor_memory_b
    %c = tile.alloc : !left_in_tensor_memory_c
    %of_a = tile.alloc : !left_in_tensor_memory_of_a
    %of_b = tile.alloc : !left_in_tensor_memory_of_b
    %ra = tile.alloc : !left_in_tensor_memory_ra
    %rb = tile.alloc : !left_in_tensor_memory_rb
    %r = tile.alloc : !left_in_tensor_memory_r
    %rl = tile.alloc : !left_in_tensor_memory_rl
    tile.fill %zero to %r scope(cta) : f32 to !left_in_tensor_memory_r
    tile.copy %r to %c scope(cta) : !left_in_tensor_memory_r to !left_in_tensor_memory_c
    tile.copy %ga to %rl scope(cta) : !tile.buffer<128x64xf32, global> to !left_in_tensor_memory_rl
    tile.copy %rl to %a scope(cta) : !left_in_tensor_memory_rl to !left_in_tensor_memory_a
    tile.copy %gb to %b scope(cta) : !tile.buffer<64x32xf32, global> to !left_in_tensor_memory_b
    tile.copy %gsa to %ra scope(cta) : !tile.buffer<128x4xf8E8M0FNU, global> to !left_in_tensor_memory_ra
    tile.copy %gsb to %rb scope(cta) : !tile.buffer<4x32xf8E8M0FNU, global> to !left_in_tensor_memory_rb
    tile.copy %ra to %of_a scope(cta) : !left_in_tensor_memory_ra to !left_in_tensor_memory_of_a
    tile.copy %rb to %of_b scope(cta) : !left_in_tensor_memory_rb to !left_in_tensor_memory_of_b
    %sa = tile.subview %of_a[0, 1] [128, 2] : !left_in_tensor_memory_of_a to !left_in_tensor_memory_sa
    %sb = tile.subview %of_b[2, 0] [2, 32] : !left_in_tensor_memory_of_b to !left_in_tensor_memory_sb
    tile.mma %a, %b, %c scales(%sa, %sb : !left_in_tensor_memory_sa, !left_in_tensor_memory_sb) scope(cta) : !left_in_tensor_memory_a, !left_in_tensor_memory_b, !left_in_tensor_memory_c
    tile.copy %c to %r scope(cta) : !left_in_tensor_memory_c to !left_in_tensor_memory_r
    tile.copy %r to %gc scope(cta) : !left_in_tensor_memory_r to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @loop(%A: memref<128x512xf32>, %B: memref<512x64xf32>, %SA: memref<128x16xf8E8M0FNU>, %SB: memref<16x64xf8E8M0FNU>, %C: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %step = arith.constant 256 : index
    %end = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %ga = tile.view %A : memref<128x512xf32>
    %gb = tile.view %B : memref<512x64xf32>
    %gsa = tile.view %SA : memref<128x16xf8E8M0FNU>
    %gsb = tile.view %SB : memref<16x64xf8E8M0FNU>
    %gc = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !loop_a
    %b = tile.alloc : !loop_b
    %c = tile.alloc : !loop_c
    %of_a = tile.alloc : !loop_of_a
    %of_b = tile.alloc : !loop_of_b
    %ra = tile.alloc : !loop_ra
    %rb = tile.alloc : !loop_rb
    %r = tile.alloc : !loop_r
    tile.fill %zero to %r scope(cta) : f32 to !loop_r
    tile.copy %r to %c scope(cta) : !loop_r to !loop_c
    scf.for %k = %c0 to %end step %step {
      %of = arith.divui %k, %c32 : index
      tile.copy %ga[0, %k] [128, 256] to %a scope(cta) : !tile.buffer<128x512xf32, global> to !loop_a
      tile.copy %gb[%k, 0] [256, 64] to %b scope(cta) : !tile.buffer<512x64xf32, global> to !loop_b
      tile.copy %gsa[0, %of] [128, 8] to %ra scope(cta) : !tile.buffer<128x16xf8E8M0FNU, global> to !loop_ra
      tile.copy %gsb[%of, 0] [8, 64] to %rb scope(cta) : !tile.buffer<16x64xf8E8M0FNU, global> to !loop_rb
      tile.copy %ra to %of_a scope(cta) : !loop_ra to !loop_of_a
      tile.copy %rb to %of_b scope(cta) : !loop_rb to !loop_of_b
      tile.mma %a, %b, %c scales(%of_a, %of_b : !loop_of_a, !loop_of_b) scope(cta) : !loop_a, !loop_b, !loop_c
    }
    tile.copy %c to %r scope(cta) : !loop_c to !loop_r
    tile.copy %r to %gc scope(cta) : !loop_r to !tile.buffer<128x64xf32, global>
    gpu.return
  }
}
