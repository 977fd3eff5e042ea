// Scans of tiles in registers, executed: along rows and columns of one tile, warps between registers, lanes that are no power of
// two, scopes of a block that scan on their own, operators that do not commute, and signs of zeros.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/block_scan.py
// RUN: cd %t && tile-run %s --entry table --schedule=all --arg i32[16x256]=x.npy --arg i32[16x256]=poison --expect 1=both.npy
// RUN: cd %t && tile-run %s --entry exclusive --schedule=all --arg f16[8x64]=f.npy --arg f16[8x64]=poison --expect 1=exclusive.npy
// RUN: cd %t && tile-run %s --entry between --schedule=all --arg i64[384]=n.npy --arg i64[384]=poison --expect 1=most.npy
// RUN: cd %t && tile-run %s --entry zeros --arg f32[64]=z.npy --arg f32[64]=poison --write 1=sums.npy
// RUN: cd %t && cmp z.npy sums.npy
// RUN: cd %t && tile-run %s --entry groups --schedule=all --arg i32[6x128]=g.npy --arg i32[6x128]=poison --expect 1=groups.npy
// RUN: cd %t && tile-run %s --entry recurrence --arg f32[64]=a.npy --arg f32[64]=b.npy --arg f32[64]=poison --expect 2=y.npy
// RUN: cd %t && tile-run %s --entry thirds --arg i32[10x3]=t.npy --arg i32[10x3]=poison --expect 1=thirds.npy
// RUN: tile-opt %s --lower-tile-copy --tile-check-sync -o /dev/null

#table = #tile.layout<(4, 4, 2, 32, 4) : (4, 2@warpid, 1@warpid, 1@laneid, 1)>
#between = #tile.layout<(3, 2, 2, 32) : (1, 1@warpid, 3, 1@laneid)>
!table = !tile.buffer<16x256xi32, local, #table>
!half = !tile.buffer<8x64xf16, local, #tile.layout<(8, 2, 4, 8) : (4@laneid, 1@warpid, 1@laneid, 1)>>
!between = !tile.buffer<384xi64, local, #between>
!pairs = !tile.buffer<64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>
!group = !tile.buffer<1x128xi32, local, #tile.layout<(1, 128) : (1, 1@tid_in_wg)>>
!thirds = !tile.buffer<10x3xi32, local, #tile.layout<(10, 3) : (1@laneid, 10@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // Rows and columns of one tile; the columns extend over registers and over pairs of warps.
  gpu.func @table(%A: memref<16x256xi32>, %B: memref<16x256xi32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<16x256xi32>
    %b = tile.view %B : memref<16x256xi32>
    %x = tile.alloc : !table
    tile.copy %a to %x scope(cta) : !tile.buffer<16x256xi32, global> to !table
    tile.block_scan inclusive add %x to %x dim(1) scope(cta) : !table to !table
    tile.block_scan inclusive add %x to %x dim(0) scope(cta) : !table to !table
    tile.copy %x to %b scope(cta) : !table to !tile.buffer<16x256xi32, global>
    gpu.return
  }

  gpu.func @exclusive(%A: memref<8x64xf16>, %B: memref<8x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x64xf16>
    %b = tile.view %B : memref<8x64xf16>
    %x = tile.alloc : !half
    %r = tile.alloc : !half
    tile.copy %a to %x scope(cta) : !tile.buffer<8x64xf16, global> to !half
    tile.block_scan exclusive add %x to %r dim(1) scope(cta) : !half to !half
    tile.copy %r to %b scope(cta) : !half to !tile.buffer<8x64xf16, global>
    gpu.return
  }

  // Runs of lanes and registers in two warps, three times over.
  gpu.func @between(%A: memref<384xi64>, %B: memref<384xi64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %least = arith.constant 12345 : i64
    %a = tile.view %A : memref<384xi64>
    %b = tile.view %B : memref<384xi64>
    %x = tile.alloc : !between
    tile.copy %a to %x scope(cta) : !tile.buffer<384xi64, global> to !between
    tile.block_scan inclusive max %x to %x init(%least : i64) dim(0) scope(cta) : !between to !between
    tile.copy %x to %b scope(cta) : !between to !tile.buffer<384xi64, global>
    gpu.return
  }

  // Sums of nothing but -0 are -0.
  gpu.func @zeros(%A: memref<64xf32>, %B: memref<64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64xf32>
    %b = tile.view %B : memref<64xf32>
    %x = tile.alloc : !pairs
    tile.copy %a to %x scope(warp) : !tile.buffer<64xf32, global> to !pairs
    tile.block_scan inclusive add %x to %x dim(0) scope(warp) : !pairs to !pairs
    tile.copy %x to %b scope(warp) : !pairs to !tile.buffer<64xf32, global>
    gpu.return
  }

  // Two warpgroups scan every other row, in a loop: the tile of their warps is written again.
  gpu.func @groups(%A: memref<6x128xi32>, %B: memref<6x128xi32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c128 = arith.constant 128 : index
    %a = tile.view %A : memref<6x128xi32>
    %b = tile.view %B : memref<6x128xi32>
    %t = gpu.thread_id x
    %own = arith.divui %t, %c128 : index
    scf.for %i = %c0 to %c6 step %c2 {
      %row = arith.addi %i, %own : index
      %x = tile.alloc : !group
      tile.copy %a[%row, 0] [1, 128] to %x scope(warpgroup) : !tile.buffer<6x128xi32, global> to !group
      tile.block_scan exclusive add %x to %x dim(1) scope(warpgroup) : !group to !group
      tile.copy %x to %b[%row, 0] [1, 128] scope(warpgroup) : !group to !tile.buffer<6x128xi32, global>
    }
    gpu.return
  }

  // y[i] = a[i] y[i-1] + b[i] with y[-1] = 3.
  gpu.func @recurrence(%A: memref<64xf32>, %B: memref<64xf32>, %Y: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %start = arith.constant 3.0 : f32
    %a = tile.view %A : memref<64xf32>
    %b = tile.view %B : memref<64xf32>
    %y = tile.view %Y : memref<64xf32>
    %fa = tile.alloc : !pairs
    %fb = tile.alloc : !pairs
    tile.copy %a to %fa scope(warp) : !tile.buffer<64xf32, global> to !pairs
    tile.copy %b to %fb scope(warp) : !tile.buffer<64xf32, global> to !pairs
    tile.block_scan inclusive custom %fa, %fb to %fa, %fb init(%one, %start : f32, f32) dim(0) scope(warp)
        : !pairs, !pairs to !pairs, !pairs combine {
    ^bb0(%la: f32, %lb: f32, %ra: f32, %rb: f32):
      %p = arith.mulf %la, %ra : f32
      %m = arith.mulf %lb, %ra : f32
      %s = arith.addf %m, %rb : f32
      tile.yield %p, %s : f32, f32
    }
    tile.copy %fb to %y scope(warp) : !pairs to !tile.buffer<64xf32, global>
    gpu.return
  }

  // Three columns in ten lanes each: two lanes hold nothing.
  gpu.func @thirds(%A: memref<10x3xi32>, %B: memref<10x3xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<10x3xi32>
    %b = tile.view %B : memref<10x3xi32>
    %x = tile.alloc : !thirds
    tile.copy %a to %x scope(warp) : !tile.buffer<10x3xi32, global> to !thirds
    tile.block_scan inclusive xor %x to %x dim(0) scope(warp) : !thirds to !thirds
    tile.copy %x to %b scope(warp) : !thirds to !tile.buffer<10x3xi32, global>
    gpu.return
  }
}
