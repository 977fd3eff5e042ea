// Several totals in one op are those of as many ops, with the barriers of one: of registers and of shared memory, of any scope, in a
// loop, of each warp, of results of several types, and with threads that hold nothing.
// RUN: tile-run %s --entry block --schedule=all --arg f32[1x512]=uniform(-1,1) --arg f32[128x2]=poison --arg f32[128x2]=poison --expect-equal 1,2
// RUN: tile-run %s --entry memory --schedule=all --arg f32[6x50]=uniform(-1,1) --arg f32[96x2]=poison --arg f32[96x2]=poison --expect-equal 1,2
// RUN: tile-run %s --entry loop --schedule=all --arg f32[4x512]=uniform(-1,1) --arg f32[512x2]=poison --arg f32[512x2]=poison --expect-equal 1,2
// RUN: tile-run %s --entry groups --schedule=all --arg f32[2x128]=uniform(-1,1) --arg f32[256x2]=poison --arg f32[256x2]=poison --expect-equal 1,2
// RUN: tile-run %s --entry warps --schedule=all --arg f32[1x64]=uniform(-1,1) --arg f32[64x2]=poison --arg f32[64x2]=poison --expect-equal 1,2
// RUN: tile-run %s --entry types --schedule=all --arg f32[1x96]=uniform(-1,1) --arg i32[128x2]=poison --arg i32[128x2]=poison --expect-equal 1,2

// What the test sees: totals in the other order.
// RUN: sed 's/yield \(.f\), \(.square\)/yield \2, \1/' %s > %t.turned.mlir
// RUN: not tile-run %t.turned.mlir --entry block --arg f32[1x512]=uniform(-1,1) --arg f32[128x2]=poison --arg f32[128x2]=poison --expect-equal 1,2 2>&1 | FileCheck %s --check-prefix=TURNED
// TURNED: argument 2

// One exchange for the op with both, and one for each of the ops with one: a barrier of each, outside of a loop.
// RUN: tile-translate %s --tile-to-ptx --kernel=block | FileCheck %s --check-prefix=BLOCK
// BLOCK:         .entry block
// BLOCK-COUNT-3: bar.sync
// BLOCK-NOT:     bar.sync
// BLOCK:         ret;
// In a loop another one each, before what was exchanged is overwritten: 6 an iteration, of which there are 4.
// RUN: tile-translate %s --tile-to-ptx --kernel=loop | FileCheck %s --check-prefix=LOOP
// LOOP:         .entry loop
// LOOP-COUNT-24: bar.sync
// LOOP-NOT:     bar.sync
// LOOP:         ret;

!x = !tile.buffer<1x512xf32, local, #tile.layout<(1, 2, 128, 2) : (1, 2, 1@tx, 1)>>
!one = !tile.buffer<1x512xf32, global>
!four = !tile.buffer<4x512xf32, global>
!six = !tile.buffer<6x50xf32, global>
!s = !tile.buffer<6x50xf32, shared>
!group = !tile.buffer<1x128xf32, local, #tile.layout<(1, 128) : (1, 1@tid_in_wg)>>
!pairs = !tile.buffer<2x128xf32, global>
!warp = !tile.buffer<1x64xf32, local, #tile.layout<(1, 64) : (1, 1@tx)>>
!row = !tile.buffer<1x64xf32, global>
!part = !tile.buffer<1x96xf32, local, #tile.layout<(1, 96) : (1, 1@tx)>>
!long = !tile.buffer<1x96xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @block(%A: memref<1x512xf32>, %B: memref<128x2xf32>, %C: memref<128x2xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %a = tile.view %A : memref<1x512xf32>
    %x = tile.alloc : !x
    tile.copy %a to %x scope(cta) : !one to !x
    %sum, %power = tile.total add %x scope(cta) : !x to f32, f32 of {
    ^bb0(%f: f32):
      %square = arith.mulf %f, %f : f32
      tile.yield %f, %square : f32, f32
    }
    %sum_alone = tile.total add %x scope(cta) : !x to f32
    %power_alone = tile.total add %x scope(cta) : !x to f32 of {
    ^bb0(%f: f32):
      %square = arith.mulf %f, %f : f32
      tile.yield %square : f32
    }
    memref.store %sum, %B[%thread, %c0] : memref<128x2xf32>
    memref.store %power, %B[%thread, %c1] : memref<128x2xf32>
    memref.store %sum_alone, %C[%thread, %c0] : memref<128x2xf32>
    memref.store %power_alone, %C[%thread, %c1] : memref<128x2xf32>
    gpu.return
  }
  gpu.func @memory(%A: memref<6x50xf32>, %B: memref<96x2xf32>, %C: memref<96x2xf32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %a = tile.view %A : memref<6x50xf32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !six to !s
    %sum, %power = tile.total max %s scope(cta) : !s to f32, f32 of {
    ^bb0(%f: f32):
      %square = arith.mulf %f, %f : f32
      tile.yield %f, %square : f32, f32
    }
    %sum_alone = tile.total max %s scope(cta) : !s to f32
    %power_alone = tile.total max %s scope(cta) : !s to f32 of {
    ^bb0(%f: f32):
      %square = arith.mulf %f, %f : f32
      tile.yield %square : f32
    }
    memref.store %sum, %B[%thread, %c0] : memref<96x2xf32>
    memref.store %power, %B[%thread, %c1] : memref<96x2xf32>
    memref.store %sum_alone, %C[%thread, %c0] : memref<96x2xf32>
    memref.store %power_alone, %C[%thread, %c1] : memref<96x2xf32>
    gpu.return
  }
  gpu.func @loop(%A: memref<4x512xf32>, %B: memref<512x2xf32>, %C: memref<512x2xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %a = tile.view %A : memref<4x512xf32>
    %c128 = arith.constant 128 : index
    %c4 = arith.constant 4 : index
    %x = tile.alloc : !x
    scf.for %i = %c0 to %c4 step %c1 {
      %before = arith.muli %i, %c128 : index
      %at = arith.addi %before, %thread : index
      tile.copy %a[%i, 0] to %x scope(cta) : !four to !x
      %sum, %power = tile.total add %x scope(cta) : !x to f32, f32 of {
      ^bb0(%f: f32):
        %square = arith.mulf %f, %f : f32
        tile.yield %f, %square : f32, f32
      }
      %sum_alone = tile.total add %x scope(cta) : !x to f32
      %power_alone = tile.total add %x scope(cta) : !x to f32 of {
      ^bb0(%f: f32):
        %square = arith.mulf %f, %f : f32
        tile.yield %square : f32
      }
      memref.store %sum, %B[%at, %c0] : memref<512x2xf32>
      memref.store %power, %B[%at, %c1] : memref<512x2xf32>
      memref.store %sum_alone, %C[%at, %c0] : memref<512x2xf32>
      memref.store %power_alone, %C[%at, %c1] : memref<512x2xf32>
    }
    gpu.return
  }
  gpu.func @groups(%A: memref<2x128xf32>, %B: memref<256x2xf32>, %C: memref<256x2xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.view %A : memref<2x128xf32>
    %c128 = arith.constant 128 : index
    %thread = gpu.thread_id x
    %group = arith.divui %thread, %c128 : index
    %x = tile.alloc : !group
    tile.copy %a[%group, 0] to %x scope(warpgroup) : !pairs to !group
    %sum, %power = tile.total add %x scope(warpgroup) : !group to f32, f32 of {
    ^bb0(%f: f32):
      %square = arith.mulf %f, %f : f32
      tile.yield %f, %square : f32, f32
    }
    %sum_alone = tile.total add %x scope(warpgroup) : !group to f32
    %power_alone = tile.total add %x scope(warpgroup) : !group to f32 of {
    ^bb0(%f: f32):
      %square = arith.mulf %f, %f : f32
      tile.yield %square : f32
    }
    memref.store %sum, %B[%thread, %c0] : memref<256x2xf32>
    memref.store %power, %B[%thread, %c1] : memref<256x2xf32>
    memref.store %sum_alone, %C[%thread, %c0] : memref<256x2xf32>
    memref.store %power_alone, %C[%thread, %c1] : memref<256x2xf32>
    gpu.return
  }
  gpu.func @warps(%A: memref<1x64xf32>, %B: memref<64x2xf32>, %C: memref<64x2xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.view %A : memref<1x64xf32>
    %thread = gpu.thread_id x
    %x = tile.alloc : !warp
    tile.copy %a to %x scope(cta) : !row to !warp
    %sum, %power = tile.total min %x scope(cta) per_warp : !warp to f32, f32 of {
    ^bb0(%f: f32):
      %square = arith.mulf %f, %f : f32
      tile.yield %f, %square : f32, f32
    }
    %sum_alone = tile.total min %x scope(cta) per_warp : !warp to f32
    %power_alone = tile.total min %x scope(cta) per_warp : !warp to f32 of {
    ^bb0(%f: f32):
      %square = arith.mulf %f, %f : f32
      tile.yield %square : f32
    }
    memref.store %sum, %B[%thread, %c0] : memref<64x2xf32>
    memref.store %power, %B[%thread, %c1] : memref<64x2xf32>
    memref.store %sum_alone, %C[%thread, %c0] : memref<64x2xf32>
    memref.store %power_alone, %C[%thread, %c1] : memref<64x2xf32>
    gpu.return
  }
  gpu.func @types(%A: memref<1x96xf32>, %B: memref<128x2xi32>, %C: memref<128x2xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %a = tile.view %A : memref<1x96xf32>
    %x = tile.alloc : !part
    tile.copy %a to %x scope(cta) : !long to !part
    %count, %long = tile.total or %x scope(cta) : !part to i32, i64 of {
    ^bb0(%f: f32):
      %bits = arith.bitcast %f : f32 to i32
      %wider = arith.extui %bits : i32 to i64
      tile.yield %bits, %wider : i32, i64
    }
    %count_alone = tile.total or %x scope(cta) : !part to i32 of {
    ^bb0(%f: f32):
      %bits = arith.bitcast %f : f32 to i32
      tile.yield %bits : i32
    }
    %long_alone = tile.total or %x scope(cta) : !part to i64 of {
    ^bb0(%f: f32):
      %bits = arith.bitcast %f : f32 to i32
      %wider = arith.extui %bits : i32 to i64
      tile.yield %wider : i64
    }
    %wide = arith.trunci %long : i64 to i32
    %wide_alone = arith.trunci %long_alone : i64 to i32
    memref.store %count, %B[%thread, %c0] : memref<128x2xi32>
    memref.store %wide, %B[%thread, %c1] : memref<128x2xi32>
    memref.store %count_alone, %C[%thread, %c0] : memref<128x2xi32>
    memref.store %wide_alone, %C[%thread, %c1] : memref<128x2xi32>
    gpu.return
  }
}
