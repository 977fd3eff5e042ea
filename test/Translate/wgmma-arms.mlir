// Accumulators that something else copies and fills under a condition, and products in flight in both arms of one: no instruction accesses
// registers in flight, and ptxas serialises no product (C7510 to C7520). All order is left to the compiler.
// RUN: tile-run %s --entry emptied --schedule all --arg f16[64x256]=ones --arg f16[256x128]=ones --arg f32[64x128]=zeros --arg i64=128 --print 2 | FileCheck %s --check-prefix=EMPTIED
// EMPTIED: 128.0
// RUN: tile-run %s --entry arms --schedule all --arg f16[64x256]=ones --arg f16[256x64]=ones --arg f32[64x64]=zeros --arg i64=192 --print 2 | FileCheck %s --check-prefix=ARMS
// ARMS: 128.0
// RUN: tile-run %s --entry joined --schedule all --arg f16[64x256]=ones --arg f16[256x64]=ones --arg f32[64x64]=zeros --arg i64=128 --print 2 | FileCheck %s --check-prefix=JOINED
// JOINED: 368.0
// RUN: tile-translate --tile-to-ptx %s -o %t.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=MACHINE --implicit-check-not={{C7[0-9]+}} --implicit-check-not='{{[1-9][0-9]*}} bytes stack' %}
// MACHINE-COUNT-3: Compiling entry function

// Registers of a tile stay registers: no block has a tile as its argument.
// RUN: FileCheck %s --check-prefix=PTX --implicit-check-not=.local --input-file=%t.ptx
// PTX: .entry emptied
// PTX: .entry arms
// PTX: .entry joined

!matrix = !tile.buffer<?x?xf16, global>
!result = !tile.buffer<?x?xf32, global>
!a = !tile.buffer<64x64xf16, shared, auto>
!b = !tile.buffer<64x64xf16, shared, auto>
!wide = !tile.buffer<64x128xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
!wide_sums = !tile.buffer<64x128xf32, local, #tile.fragment<wgmma.c>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @emptied(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>, %period: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %pa = tile.assume %A divisible_by 8 : memref<?x?xf16>
    %pb = tile.assume %B divisible_by 8 : memref<?x?xf16>
    %pc = tile.assume %C divisible_by 8 : memref<?x?xf32>
    %a = tile.view %pa : memref<?x?xf16> to !matrix
    %b = tile.view %pb : memref<?x?xf16> to !matrix
    %c = tile.view %pc : memref<?x?xf32> to !result
    %sa = tile.alloc : !a
    %sb = tile.alloc : !wide
    %sums = tile.alloc : !wide_sums
    %more = tile.alloc : !wide_sums
    tile.fill %none to %sums scope(cta) : f32 to !wide_sums
    tile.fill %none to %more scope(cta) : f32 to !wide_sums
    scf.for %i = %c0 to %depth step %c64 {
      tile.copy %a[%c0, %i] [64, 64] to %sa scope(cta) masked fill(%zero : f16) : !matrix to !a
      tile.copy %b[%i, %c0] [64, 128] to %sb scope(cta) masked fill(%zero : f16) : !matrix to !wide
      %rest = arith.remui %i, %period : index
      %is = arith.cmpi eq, %rest, %c0 : index
      tile.mma %sa, %sb, %sums scope(cta) : !a, !wide, !wide_sums
      scf.if %is {
        tile.copy %sums to %c[%c0, %c0] [64, 128] scope(cta) masked : !wide_sums to !result
        tile.fill %none to %sums scope(cta) : f32 to !wide_sums
      }
    }
    gpu.return
  }

  gpu.func @arms(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>, %period: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %pa = tile.assume %A divisible_by 8 : memref<?x?xf16>
    %pb = tile.assume %B divisible_by 8 : memref<?x?xf16>
    %pc = tile.assume %C divisible_by 8 : memref<?x?xf32>
    %a = tile.view %pa : memref<?x?xf16> to !matrix
    %b = tile.view %pb : memref<?x?xf16> to !matrix
    %c = tile.view %pc : memref<?x?xf32> to !result
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %sums = tile.alloc : !sums
    %more = tile.alloc : !sums
    tile.fill %none to %sums scope(cta) : f32 to !sums
    tile.fill %none to %more scope(cta) : f32 to !sums
    scf.for %i = %c0 to %depth step %c64 {
      tile.copy %a[%c0, %i] [64, 64] to %sa scope(cta) masked fill(%zero : f16) : !matrix to !a
      tile.copy %b[%i, %c0] [64, 64] to %sb scope(cta) masked fill(%zero : f16) : !matrix to !b
      %rest = arith.remui %i, %period : index
      %is = arith.cmpi eq, %rest, %c0 : index
      scf.if %is {
        tile.mma %sa, %sb, %sums scope(cta) group : !a, !b, !sums
      } else {
        tile.mma %sa, %sb, %more scope(cta) group : !a, !b, !sums
      }
    }
    tile.copy %sums to %c[%c0, %c0] [64, 64] scope(cta) masked : !sums to !result
    gpu.return
  }

  gpu.func @joined(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>, %period: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %pa = tile.assume %A divisible_by 8 : memref<?x?xf16>
    %pb = tile.assume %B divisible_by 8 : memref<?x?xf16>
    %pc = tile.assume %C divisible_by 8 : memref<?x?xf32>
    %a = tile.view %pa : memref<?x?xf16> to !matrix
    %b = tile.view %pb : memref<?x?xf16> to !matrix
    %c = tile.view %pc : memref<?x?xf32> to !result
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %sums = tile.alloc : !sums
    %more = tile.alloc : !sums
    tile.fill %none to %sums scope(cta) : f32 to !sums
    tile.fill %none to %more scope(cta) : f32 to !sums
    scf.for %i = %c0 to %depth step %c64 {
      tile.copy %a[%c0, %i] [64, 64] to %sa scope(cta) masked fill(%zero : f16) : !matrix to !a
      tile.copy %b[%i, %c0] [64, 64] to %sb scope(cta) masked fill(%zero : f16) : !matrix to !b
      %rest = arith.remui %i, %period : index
      %is = arith.cmpi eq, %rest, %c0 : index
      tile.mma %sa, %sb, %sums scope(cta) group : !a, !b, !sums
      tile.mma %sa, %sb, %more scope(cta) group : !a, !b, !sums
      scf.if %is {
        tile.map %sums, %more to %sums, %more scope(cta) : !sums, !sums to !sums, !sums {
        ^bb0(%x: f32, %y: f32):
          %h = arith.mulf %x, %half : f32
          %j = arith.addf %y, %h : f32
          tile.yield %h, %j : f32, f32
        }
      }
    }
    tile.copy %more to %c[%c0, %c0] [64, 64] scope(cta) masked : !sums to !result
    gpu.return
  }
}
