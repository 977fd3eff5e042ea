// Products in flight: the groups of wgmma are waited for where the sums are read and where a stage is overwritten. The waits are
// inserted; without one of them, or without a fence, the simulator finds what is read or overwritten too early.
// RUN: mkdir -p %t && sed -E 's/(tile.mma .*) group/\1/' %s > %t/awaited.mlir
// RUN: tile-run %t/awaited.mlir --entry f16 --arg 'f16[64x320]=uniform(-2,2):1' --arg 'f16[320x64]=uniform(-2,2):2' --arg f32[64x64]=poison --write 2=%t/f16.npy
// RUN: tile-run %s --entry f16 --schedule=all --arg 'f16[64x320]=uniform(-2,2):1' --arg 'f16[320x64]=uniform(-2,2):2' --arg f32[64x64]=poison --expect 2=%t/f16.npy
// RUN: tile-run %t/awaited.mlir --entry bf16 --arg 'bf16[64x320]=uniform(-2,2):1' --arg 'bf16[320x64]=uniform(-2,2):2' --arg f32[64x64]=poison --write 2=%t/bf16.npy
// RUN: tile-run %s --entry bf16 --schedule=all --arg 'bf16[64x320]=uniform(-2,2):1' --arg 'bf16[320x64]=uniform(-2,2):2' --arg f32[64x64]=poison --expect 2=%t/bf16.npy
// RUN: tile-run %t/awaited.mlir --entry s8 --arg 'i8[64x640]=random:1' --arg 'i8[64x640]=random:2' --arg i32[64x64]=poison --write 2=%t/s8.npy
// RUN: tile-run %s --entry s8 --schedule=all --arg 'i8[64x640]=random:1' --arg 'i8[64x640]=random:2' --arg i32[64x64]=poison --expect 2=%t/s8.npy
// RUN: tile-run %t/awaited.mlir --entry twice --arg 'f16[64x64]=uniform(-2,2):1' --arg 'f16[64x64]=uniform(-2,2):2' --arg f32[128x64]=poison --write 2=%t/twice.npy
// RUN: tile-run %s --entry twice --schedule=all --arg 'f16[64x64]=uniform(-2,2):1' --arg 'f16[64x64]=uniform(-2,2):2' --arg f32[128x64]=poison --expect 2=%t/twice.npy
// RUN: tile-run %t/awaited.mlir --entry wide --arg 'f16[128x512]=uniform(-2,2):1' --arg 'f16[512x64]=uniform(-2,2):2' --arg f32[128x64]=poison --write 2=%t/wide.npy
// RUN: tile-run %s --entry wide --schedule=all --arg 'f16[128x512]=uniform(-2,2):1' --arg 'f16[512x64]=uniform(-2,2):2' --arg f32[128x64]=poison --expect 2=%t/wide.npy
// RUN: tile-run %s --entry f16 --arg 'f16[64x320]=uniform(-2,2):1' --arg 'f16[320x64]=uniform(-2,2):2' --arg f32[64x64]=poison --expect 2=%t/f16.npy --delete-sync | FileCheck %s --check-prefix=DELETE
// RUN: tile-run %s --entry twice --arg 'f16[64x64]=uniform(-2,2):1' --arg 'f16[64x64]=uniform(-2,2):2' --arg f32[128x64]=poison --expect 2=%t/twice.npy --delete-sync | FileCheck %s --check-prefix=DELETE
// DELETE: (`wgmma.wait_group.sync.aligned`), removed: noticed
// DELETE: 0 missed
// RUN: tile-opt %s --tile-pipeline --tile-insert-sync | FileCheck %s
// Without the waits for all, what is missing is a wait, and no threads have to meet: sums are in registers of their own.
// RUN: tile-opt %s --tile-pipeline --tile-insert-sync | sed '/wgmma.wait.group.sync.aligned 0/d' > %t/unawaited.mlir
// RUN: not tile-opt %t/unawaited.mlir --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNAWAITED --implicit-check-not=bar.warp
// UNAWAITED-DAG: note: between the two, this orders them: nvvm.wgmma.wait.group.sync.aligned 0{{$}}

// Each iteration meets at one barrier, and waits at its end for the groups of the iteration before.
// CHECK-LABEL: gpu.func @f16
// CHECK:         scf.for
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK:           gpu.barrier
// CHECK-NOT:       gpu.barrier
// CHECK:           tile.copy_async
// CHECK-NOT:       gpu.barrier
// CHECK:           nvvm.wgmma.commit.group.sync.aligned
// CHECK:           nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NEXT:    }
// CHECK:         nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT:     wgmma.wait
// CHECK:         tile.copy
// CHECK-LABEL: gpu.func @bf16
// Of two stages none is kept.
// CHECK-LABEL: gpu.func @s8
// CHECK:         scf.for
// CHECK:           nvvm.cp.async.wait.group 0
// CHECK:           nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT:    }
// CHECK-LABEL: gpu.func @wide
// CHECK:         scf.for
// CHECK:           nvvm.mbarrier.try_wait
// CHECK:           gpu.barrier
// CHECK-NOT:       gpu.barrier
// CHECK:           nvvm.wgmma.commit.group.sync.aligned
// CHECK:           nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NEXT:    }
// CHECK-LABEL: gpu.func @twice
// CHECK:         nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NEXT:    tile.copy
// CHECK:         nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT:    tile.copy

!f16 = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!bf16 = !tile.buffer<64x64xbf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!s8 = !tile.buffer<64x128xi8, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
!s8_turned = !tile.buffer<128x64xi8, shared, #tile.layout<(128, 64) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
!sums_f32 = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
!wide = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums_wide = !tile.buffer<128x64xf32, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>
!sums_i32 = !tile.buffer<64x64xi32, local, #tile.fragment<wgmma.c>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @f16(%A: memref<64x320xf16>, %B: memref<320x64xf16>, %C: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %end = arith.constant 320 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x320xf16>
    %b = tile.view %B : memref<320x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !f16
    %sb = tile.alloc : !f16
    %sums = tile.alloc : !sums_f32
    tile.fill %zero to %sums scope(cta) : f32 to !sums_f32
    scf.for %k = %c0 to %end step %step {
      tile.copy_async %a[0, %k] [64, 64] to %sa scope(cta) group : !tile.buffer<64x320xf16, global> to !f16
      tile.copy_async %b[%k, 0] [64, 64] to %sb scope(cta) group : !tile.buffer<320x64xf16, global> to !f16
      tile.mma %sa, %sb, %sums scope(cta) group : !f16, !f16, !sums_f32
    } {tile.stages = 4 : i64}
    tile.copy %sums to %c scope(cta) : !sums_f32 to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  gpu.func @bf16(%A: memref<64x320xbf16>, %B: memref<320x64xbf16>, %C: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %end = arith.constant 320 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x320xbf16>
    %b = tile.view %B : memref<320x64xbf16>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !bf16
    %sb = tile.alloc : !bf16
    %sums = tile.alloc : !sums_f32
    tile.fill %zero to %sums scope(cta) : f32 to !sums_f32
    scf.for %k = %c0 to %end step %step {
      tile.copy_async %a[0, %k] [64, 64] to %sa scope(cta) group : !tile.buffer<64x320xbf16, global> to !bf16
      tile.copy_async %b[%k, 0] [64, 64] to %sb scope(cta) group : !tile.buffer<320x64xbf16, global> to !bf16
      tile.mma %sa, %sb, %sums scope(cta) group : !bf16, !bf16, !sums_f32
    } {tile.stages = 4 : i64}
    tile.copy %sums to %c scope(cta) : !sums_f32 to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  gpu.func @s8(%A: memref<64x640xi8>, %B: memref<64x640xi8>, %C: memref<64x64xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 128 : index
    %end = arith.constant 640 : index
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<64x640xi8>
    %b = tile.view %B : memref<64x640xi8>
    %c = tile.view %C : memref<64x64xi32>
    %sa = tile.alloc : !s8
    %sb = tile.alloc : !s8
    %sums = tile.alloc : !sums_i32
    tile.fill %zero to %sums scope(cta) : i32 to !sums_i32
    scf.for %k = %c0 to %end step %step {
      tile.copy_async %a[0, %k] [64, 128] to %sa scope(cta) group : !tile.buffer<64x640xi8, global> to !s8
      tile.copy_async %b[0, %k] [64, 128] to %sb scope(cta) group : !tile.buffer<64x640xi8, global> to !s8
      %turned = tile.permute %sb [1, 0] : !s8 to !s8_turned
      tile.mma %sa, %turned, %sums scope(cta) group convert(signed) : !s8, !s8_turned, !sums_i32
    } {tile.stages = 2 : i64}
    tile.copy %sums to %c scope(cta) : !sums_i32 to !tile.buffer<64x64xi32, global>
    gpu.return
  }

  // Two warpgroups, and a ring of tensor maps.
  gpu.func @wide(%A: memref<128x512xf16>, %B: memref<512x64xf16>, %C: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = arith.constant 64 : index
    %end = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x512xf16>
    %b = tile.view %B : memref<512x64xf16>
    %c = tile.view %C : memref<128x64xf32>
    %sa = tile.alloc : !wide
    %sb = tile.alloc : !f16
    %sums = tile.alloc : !sums_wide
    tile.fill %zero to %sums scope(cta) : f32 to !sums_wide
    scf.for %k = %c0 to %end step %step {
      tile.copy_async %a[0, %k] [128, 64] to %sa scope(cta) {variant = "tma"} : !tile.buffer<128x512xf16, global> to !wide
      tile.copy_async %b[%k, 0] [64, 64] to %sb scope(cta) {variant = "tma"} : !tile.buffer<512x64xf16, global> to !f16
      tile.mma %sa, %sb, %sums scope(cta) group : !wide, !f16, !sums_wide
    } {tile.stages = 3 : i64}
    tile.copy %sums to %c scope(cta) : !sums_wide to !tile.buffer<128x64xf32, global>
    gpu.return
  }

  // Two products in flight at once; the first is waited for alone where its sums are read.
  gpu.func @twice(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c = tile.view %C : memref<128x64xf32>
    %sa = tile.alloc : !f16
    %sb = tile.alloc : !f16
    %first = tile.alloc : !sums_f32
    %second = tile.alloc : !sums_f32
    tile.fill %zero to %first scope(cta) : f32 to !sums_f32
    tile.fill %zero to %second scope(cta) : f32 to !sums_f32
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x64xf16, global> to !f16
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x64xf16, global> to !f16
    tile.mma %sa, %sb, %first scope(cta) group : !f16, !f16, !sums_f32
    tile.mma %sb, %sa, %second scope(cta) group : !f16, !f16, !sums_f32
    tile.copy %first to %c[0, 0] [64, 64] scope(cta) : !sums_f32 to !tile.buffer<128x64xf32, global>
    tile.copy %second to %c[64, 0] [64, 64] scope(cta) : !sums_f32 to !tile.buffer<128x64xf32, global>
    gpu.return
  }
}
