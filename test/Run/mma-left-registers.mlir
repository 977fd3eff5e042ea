// Products by wgmma whose left factor is in registers give what those with both factors in shared memory give, bit for bit: elements of
// 8 to 32 bits, several parts of the sums, two warpgroups below and beside each other.
// RUN: mkdir -p %t
// RUN: tile-run %s --entry f16 --schedule=all --arg 'f16[128x64]=uniform(-2,2):1' --arg 'f16[64x64]=uniform(-2,2):2' --arg f32[128x64]=poison --arg f32[128x64]=poison --expect-equal 2,3 | FileCheck %s
// RUN: tile-run %s --entry bf16 --schedule=all --arg 'bf16[64x64]=uniform(-2,2):1' --arg 'bf16[64x64]=uniform(-2,2):2' --arg f32[64x64]=poison --arg f32[64x64]=poison --expect-equal 2,3 | FileCheck %s
// RUN: tile-run %s --entry tf32 --schedule=all --arg 'f32[64x32]=uniform(-2,2):1' --arg 'f32[64x32]=uniform(-2,2):2' --arg f32[64x64]=poison --arg f32[64x64]=poison --expect-equal 2,3 | FileCheck %s
// RUN: tile-run %s --entry s8 --schedule=all --arg 'i8[64x128]=random:1' --arg 'i8[64x128]=random:2' --arg i32[64x64]=poison --arg i32[64x64]=poison --expect-equal 2,3 | FileCheck %s
// RUN: tile-run %s --entry fp8 --schedule=all --arg 'f8E4M3FN[64x128]=uniform(-2,2):1' --arg 'f8E4M3FN[64x128]=uniform(-2,2):2' --arg f32[64x64]=poison --arg f32[64x64]=poison --expect-equal 2,3 | FileCheck %s
// RUN: tile-run %s --entry beside --schedule=all --arg 'f16[64x64]=uniform(-2,2):1' --arg 'f16[64x128]=uniform(-2,2):2' --arg f32[64x128]=poison --arg f32[64x128]=poison --expect-equal 2,3 | FileCheck %s
// RUN: tile-run %s --entry chained --schedule=all --arg 'f16[64x64]=uniform(-2,2):1' --arg 'f16[64x64]=uniform(-2,2):2' --arg f32[64x64]=poison --arg f32[64x64]=poison --expect-equal 2,3 | FileCheck %s
// CHECK-DAG: schedule starve:0: argument 3 holds what argument 2 holds
// CHECK-DAG: wgmma.mma_async
// Without a fence or a wait the simulator finds the mistake.
// RUN: tile-run %s --entry chained --arg 'f16[64x64]=uniform(-2,2):1' --arg 'f16[64x64]=uniform(-2,2):2' --arg f32[64x64]=poison --arg f32[64x64]=poison --expect-equal 2,3 --delete-sync | FileCheck %s --check-prefix=DELETE
// DELETE: 0 missed

!g2 = !tile.buffer<128x64xf16, global>
!g = !tile.buffer<64x64xf16, global>
!gn = !tile.buffer<64x128xf16, global>
!s2 = !tile.buffer<128x64xf16, shared, auto>
!s = !tile.buffer<64x64xf16, shared, auto>
!sn = !tile.buffer<64x128xf16, shared, auto>
!a2 = !tile.buffer<128x64xf16, local, #tile.fragment<wgmma.a over (2, 1) warpgroups>>
!c2 = !tile.buffer<128x64xf32, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>
!an = !tile.buffer<64x64xf16, local, #tile.fragment<wgmma.a over (1, 2) warpgroups>>
!cn = !tile.buffer<64x128xf32, local, #tile.fragment<wgmma.c over (1, 2) warpgroups>>
!a = !tile.buffer<64x64xf16, local, #tile.fragment<wgmma.a>>
!c = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
!out = !tile.buffer<64x64xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @f16(%A: memref<128x64xf16>, %B: memref<64x64xf16>, %C: memref<128x64xf32>, %D: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c = tile.view %C : memref<128x64xf32>
    %d = tile.view %D : memref<128x64xf32>
    %sa = tile.alloc : !s2
    %sb = tile.alloc : !s
    %ra = tile.alloc : !a2
    %one = tile.alloc : !c2
    %two = tile.alloc : !c2
    tile.copy %a to %sa scope(cta) : !g2 to !s2
    tile.copy %a to %ra scope(cta) : !g2 to !a2
    tile.copy %b to %sb scope(cta) : !g to !s
    tile.fill %zero to %one scope(cta) : f32 to !c2
    tile.fill %zero to %two scope(cta) : f32 to !c2
    tile.mma %sa, %sb, %one scope(cta) : !s2, !s, !c2
    tile.mma %ra, %sb, %two scope(cta) group : !a2, !s, !c2
    tile.copy %one to %c scope(cta) : !c2 to !tile.buffer<128x64xf32, global>
    tile.copy %two to %d scope(cta) : !c2 to !tile.buffer<128x64xf32, global>
    gpu.return
  }

  gpu.func @beside(%A: memref<64x64xf16>, %B: memref<64x128xf16>, %C: memref<64x128xf32>, %D: memref<64x128xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x128xf16>
    %c = tile.view %C : memref<64x128xf32>
    %d = tile.view %D : memref<64x128xf32>
    %sa = tile.alloc : !s
    %sb = tile.alloc : !sn
    %ra = tile.alloc : !an
    %one = tile.alloc : !cn
    %two = tile.alloc : !cn
    tile.copy %a to %sa scope(cta) : !g to !s
    tile.copy %a to %ra scope(cta) : !g to !an
    tile.copy %b to %sb scope(cta) : !gn to !sn
    tile.fill %zero to %one scope(cta) : f32 to !cn
    tile.fill %zero to %two scope(cta) : f32 to !cn
    tile.mma %sa, %sb, %one scope(cta) : !s, !sn, !cn
    tile.mma %ra, %sb, %two scope(cta) : !an, !sn, !cn
    tile.copy %one to %c scope(cta) : !cn to !tile.buffer<64x128xf32, global>
    tile.copy %two to %d scope(cta) : !cn to !tile.buffer<64x128xf32, global>
    gpu.return
  }

  // The rounded sums of one product are the left factor of the next, from shared memory and from the registers that hold them.
  gpu.func @chained(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>, %D: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %d = tile.view %D : memref<64x64xf32>
    %sa = tile.alloc : !s
    %sb = tile.alloc : !s
    %sp = tile.alloc : !s
    %ra = tile.alloc : !a
    %one = tile.alloc : !c
    %two = tile.alloc : !c
    %three = tile.alloc : !c
    tile.copy %a to %sa scope(cta) : !g to !s
    tile.copy %b to %sb scope(cta) : !g to !s
    tile.fill %zero to %one scope(cta) : f32 to !c
    tile.fill %zero to %two scope(cta) : f32 to !c
    tile.fill %zero to %three scope(cta) : f32 to !c
    tile.mma %sa, %sb, %one scope(cta) group : !s, !s, !c
    tile.copy %one to %ra scope(cta) : !c to !a
    tile.mma %ra, %sb, %two scope(cta) group : !a, !s, !c
    tile.copy %ra to %sp scope(cta) : !a to !s
    tile.mma %sp, %sb, %three scope(cta) group : !s, !s, !c
    tile.copy %two to %c scope(cta) : !c to !out
    tile.copy %three to %d scope(cta) : !c to !out
    gpu.return
  }

  gpu.func @bf16(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>, %C: memref<64x64xf32>, %D: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xbf16>
    %b = tile.view %B : memref<64x64xbf16>
    %c = tile.view %C : memref<64x64xf32>
    %d = tile.view %D : memref<64x64xf32>
    %sa = tile.alloc : !tile.buffer<64x64xbf16, shared, auto>
    %sb = tile.alloc : !tile.buffer<64x64xbf16, shared, auto>
    %ra = tile.alloc : !tile.buffer<64x64xbf16, local, #tile.fragment<wgmma.a>>
    %one = tile.alloc : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    %two = tile.alloc : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x64xbf16, global> to !tile.buffer<64x64xbf16, shared, auto>
    tile.copy %a to %ra scope(cta) : !tile.buffer<64x64xbf16, global> to !tile.buffer<64x64xbf16, local, #tile.fragment<wgmma.a>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x64xbf16, global> to !tile.buffer<64x64xbf16, shared, auto>
    tile.fill %zero to %one scope(cta) : f32 to !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.fill %zero to %two scope(cta) : f32 to !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.mma %sa, %sb, %one scope(cta) : !tile.buffer<64x64xbf16, shared, auto>, !tile.buffer<64x64xbf16, shared, auto>, !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.mma %ra, %sb, %two scope(cta) : !tile.buffer<64x64xbf16, local, #tile.fragment<wgmma.a>>, !tile.buffer<64x64xbf16, shared, auto>, !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %one to %c scope(cta) : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x64xf32, global>
    tile.copy %two to %d scope(cta) : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  gpu.func @tf32(%A: memref<64x32xf32>, %B: memref<64x32xf32>, %C: memref<64x64xf32>, %D: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x32xf32>
    %b = tile.view %B : memref<64x32xf32>
    %c = tile.view %C : memref<64x64xf32>
    %d = tile.view %D : memref<64x64xf32>
    %sa = tile.alloc : !tile.buffer<64x32xf32, shared, auto>
    %sb = tile.alloc : !tile.buffer<64x32xf32, shared, auto>
    %t = tile.permute %sb [1, 0] : !tile.buffer<64x32xf32, shared, auto>
    %ra = tile.alloc : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.a>>
    %one = tile.alloc : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    %two = tile.alloc : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x32xf32, global> to !tile.buffer<64x32xf32, shared, auto>
    tile.copy %a to %ra scope(cta) : !tile.buffer<64x32xf32, global> to !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.a>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x32xf32, global> to !tile.buffer<64x32xf32, shared, auto>
    tile.fill %zero to %one scope(cta) : f32 to !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.fill %zero to %two scope(cta) : f32 to !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.mma %sa, %t, %one scope(cta) convert(tf32) : !tile.buffer<64x32xf32, shared, auto>, !tile.buffer<32x64xf32, shared, auto>, !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.mma %ra, %t, %two scope(cta) convert(tf32) : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.a>>, !tile.buffer<32x64xf32, shared, auto>, !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %one to %c scope(cta) : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x64xf32, global>
    tile.copy %two to %d scope(cta) : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  gpu.func @s8(%A: memref<64x128xi8>, %B: memref<64x128xi8>, %C: memref<64x64xi32>, %D: memref<64x64xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<64x128xi8>
    %b = tile.view %B : memref<64x128xi8>
    %c = tile.view %C : memref<64x64xi32>
    %d = tile.view %D : memref<64x64xi32>
    %sa = tile.alloc : !tile.buffer<64x128xi8, shared, auto>
    %sb = tile.alloc : !tile.buffer<64x128xi8, shared, auto>
    %t = tile.permute %sb [1, 0] : !tile.buffer<64x128xi8, shared, auto>
    %ra = tile.alloc : !tile.buffer<64x128xi8, local, #tile.fragment<wgmma.a>>
    %one = tile.alloc : !tile.buffer<64x64xi32, local, #tile.fragment<wgmma.c>>
    %two = tile.alloc : !tile.buffer<64x64xi32, local, #tile.fragment<wgmma.c>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x128xi8, global> to !tile.buffer<64x128xi8, shared, auto>
    tile.copy %a to %ra scope(cta) : !tile.buffer<64x128xi8, global> to !tile.buffer<64x128xi8, local, #tile.fragment<wgmma.a>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x128xi8, global> to !tile.buffer<64x128xi8, shared, auto>
    tile.fill %zero to %one scope(cta) : i32 to !tile.buffer<64x64xi32, local, #tile.fragment<wgmma.c>>
    tile.fill %zero to %two scope(cta) : i32 to !tile.buffer<64x64xi32, local, #tile.fragment<wgmma.c>>
    tile.mma %sa, %t, %one scope(cta) convert(signed) : !tile.buffer<64x128xi8, shared, auto>, !tile.buffer<128x64xi8, shared, auto>, !tile.buffer<64x64xi32, local, #tile.fragment<wgmma.c>>
    tile.mma %ra, %t, %two scope(cta) convert(signed) : !tile.buffer<64x128xi8, local, #tile.fragment<wgmma.a>>, !tile.buffer<128x64xi8, shared, auto>, !tile.buffer<64x64xi32, local, #tile.fragment<wgmma.c>>
    tile.copy %one to %c scope(cta) : !tile.buffer<64x64xi32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x64xi32, global>
    tile.copy %two to %d scope(cta) : !tile.buffer<64x64xi32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x64xi32, global>
    gpu.return
  }

  gpu.func @fp8(%A: memref<64x128xf8E4M3FN>, %B: memref<64x128xf8E4M3FN>, %C: memref<64x64xf32>, %D: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x128xf8E4M3FN>
    %b = tile.view %B : memref<64x128xf8E4M3FN>
    %c = tile.view %C : memref<64x64xf32>
    %d = tile.view %D : memref<64x64xf32>
    %sa = tile.alloc : !tile.buffer<64x128xf8E4M3FN, shared, auto>
    %sb = tile.alloc : !tile.buffer<64x128xf8E4M3FN, shared, auto>
    %t = tile.permute %sb [1, 0] : !tile.buffer<64x128xf8E4M3FN, shared, auto>
    %ra = tile.alloc : !tile.buffer<64x128xf8E4M3FN, local, #tile.fragment<wgmma.a>>
    %one = tile.alloc : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    %two = tile.alloc : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x128xf8E4M3FN, global> to !tile.buffer<64x128xf8E4M3FN, shared, auto>
    tile.copy %a to %ra scope(cta) : !tile.buffer<64x128xf8E4M3FN, global> to !tile.buffer<64x128xf8E4M3FN, local, #tile.fragment<wgmma.a>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x128xf8E4M3FN, global> to !tile.buffer<64x128xf8E4M3FN, shared, auto>
    tile.fill %zero to %one scope(cta) : f32 to !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.fill %zero to %two scope(cta) : f32 to !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.mma %sa, %t, %one scope(cta) : !tile.buffer<64x128xf8E4M3FN, shared, auto>, !tile.buffer<128x64xf8E4M3FN, shared, auto>, !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.mma %ra, %t, %two scope(cta) : !tile.buffer<64x128xf8E4M3FN, local, #tile.fragment<wgmma.a>>, !tile.buffer<128x64xf8E4M3FN, shared, auto>, !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %one to %c scope(cta) : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x64xf32, global>
    tile.copy %two to %d scope(cta) : !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}
