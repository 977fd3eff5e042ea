// Products in flight behind a condition, whose other arm computes with the same tiles or others: ptxas serialises none of them (C7510 to
// C7520), and the sums are right.
// RUN: tile-run %s --entry started --schedule all --arg f16[64x384]=ones --arg f16[384x64]=ones --arg f32[64x64]=poison --arg f32[64x64]=poison --arg i64=384 --arg i64=128 --print 2 --print 3 | FileCheck %s --check-prefix=STARTED
// STARTED: 0.0
// STARTED: 168.0
// RUN: tile-run %s --entry written --schedule all --arg f16[64x384]=ones --arg f16[384x64]=ones --arg f32[64x64]=poison --arg f32[64x64]=poison --arg i64=384 --arg i64=128 --print 2 --print 3 | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: 18.25
// WRITTEN: 0.0
// RUN: tile-run %s --entry passed --schedule all --arg f16[64x384]=ones --arg f16[384x64]=ones --arg f32[64x64]=poison --arg f32[64x64]=poison --arg i64=384 --arg i64=128 --print 2 --print 3 | FileCheck %s --check-prefix=PASSED
// PASSED: 576.0
// PASSED: 168.0
// RUN: tile-translate --tile-to-ptx %s -o %t.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=MACHINE --implicit-check-not={{C7[0-9]+}} --implicit-check-not='{{[1-9][0-9]*}} bytes stack' %}
// MACHINE-COUNT-3: Compiling entry function

!left = !tile.buffer<64x384xf16, global>
!right = !tile.buffer<384x64xf16, global>
!result = !tile.buffer<64x64xf32, global>
!a = !tile.buffer<64x64xf16, shared, auto>
!b = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Sums of an arm's product have their registers before the condition.
  gpu.func @started(%A: memref<64x384xf16>, %B: memref<384x64xf16>, %P: memref<64x64xf32>, %Q: memref<64x64xf32>, %end: index, %period: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %a = tile.view %A : memref<64x384xf16>
    %b = tile.view %B : memref<384x64xf16>
    %c = tile.view %P : memref<64x64xf32>
    %d = tile.view %Q : memref<64x64xf32>
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %p = tile.alloc : !sums
    %q = tile.alloc : !sums
    tile.fill %zero to %p scope(cta) : f32 to !sums
    tile.fill %zero to %q scope(cta) : f32 to !sums
    scf.for %i = %c0 to %end step %c64 {
      tile.copy %a[0, %i] [64, 64] to %sa scope(cta) : !left to !a
      tile.copy %b[%i, 0] [64, 64] to %sb scope(cta) : !right to !b
      tile.fill %zero to %p scope(cta) : f32 to !sums
      %rest = arith.remui %i, %period : index
      %is = arith.cmpi eq, %rest, %c0 : index
      scf.if %is {
        tile.mma %sa, %sb, %p scope(cta) group : !a, !b, !sums
      } else {
        tile.map %q to %q scope(cta) : !sums to !sums {
        ^bb0(%x: f32):
          %h = arith.mulf %x, %half : f32
          tile.yield %h : f32
        }
      }
      tile.mma %sa, %sb, %q scope(cta) group : !a, !b, !sums
    }
    tile.copy %p to %c scope(cta) : !sums to !result
    tile.copy %q to %d scope(cta) : !sums to !result
    gpu.return
  }

  // One arm leaves sums in flight that the other computes: they are waited for in their arm.
  gpu.func @written(%A: memref<64x384xf16>, %B: memref<384x64xf16>, %P: memref<64x64xf32>, %Q: memref<64x64xf32>, %end: index, %period: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %a = tile.view %A : memref<64x384xf16>
    %b = tile.view %B : memref<384x64xf16>
    %c = tile.view %P : memref<64x64xf32>
    %d = tile.view %Q : memref<64x64xf32>
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %p = tile.alloc : !sums
    %q = tile.alloc : !sums
    tile.fill %zero to %p scope(cta) : f32 to !sums
    tile.fill %zero to %q scope(cta) : f32 to !sums
    scf.for %i = %c0 to %end step %c64 {
      tile.copy %a[0, %i] [64, 64] to %sa scope(cta) : !left to !a
      tile.copy %b[%i, 0] [64, 64] to %sb scope(cta) : !right to !b
      tile.map %p to %p scope(cta) : !sums to !sums {
      ^bb0(%x: f32):
        %h = arith.mulf %x, %half : f32
        tile.yield %h : f32
      }
      %rest = arith.remui %i, %period : index
      %is = arith.cmpi eq, %rest, %c0 : index
      scf.if %is {
        tile.mma %sa, %sb, %p scope(cta) group : !a, !b, !sums
      } else {
        tile.map %p to %p scope(cta) : !sums to !sums {
        ^bb0(%x: f32):
          %h = arith.mulf %x, %half : f32
          tile.yield %h : f32
        }
      }
    }
    tile.copy %p to %c scope(cta) : !sums to !result
    tile.copy %q to %d scope(cta) : !sums to !result
    gpu.return
  }

  // What the guarded loop has been waited for leaves nothing to the waits that were between.
  gpu.func @passed(%A: memref<64x384xf16>, %B: memref<384x64xf16>, %P: memref<64x64xf32>, %Q: memref<64x64xf32>, %end: index, %period: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %a = tile.view %A : memref<64x384xf16>
    %b = tile.view %B : memref<384x64xf16>
    %c = tile.view %P : memref<64x64xf32>
    %d = tile.view %Q : memref<64x64xf32>
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %p = tile.alloc : !sums
    %q = tile.alloc : !sums
    tile.fill %zero to %p scope(cta) : f32 to !sums
    tile.fill %zero to %q scope(cta) : f32 to !sums
    scf.for %i = %c0 to %end step %c64 {
      tile.copy %a[0, %i] [64, 64] to %sa scope(cta) : !left to !a
      tile.copy %b[%i, 0] [64, 64] to %sb scope(cta) : !right to !b
      tile.mma %sa, %sb, %q scope(cta) group : !a, !b, !sums
      tile.mma %sa, %sb, %p scope(cta) : !a, !b, !sums
      %rest = arith.remui %i, %period : index
      %is = arith.cmpi eq, %rest, %c0 : index
      scf.if %is {
        tile.mma %sa, %sb, %p scope(cta) group : !a, !b, !sums
        tile.mma %sa, %sb, %q scope(cta) group : !a, !b, !sums
      } else {
        tile.map %q to %q scope(cta) : !sums to !sums {
        ^bb0(%x: f32):
          %h = arith.mulf %x, %half : f32
          tile.yield %h : f32
        }
      }
    }
    tile.copy %p to %c scope(cta) : !sums to !result
    tile.copy %q to %d scope(cta) : !sums to !result
    gpu.return
  }
}
