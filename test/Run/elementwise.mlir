// Maps and reductions, executed: all widths of elements, lanes and warps, lanes that are no power of two, threads that hold nothing,
// scopes of a block that reduce on their own, and a region that combines two tiles.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/elementwise.py
// RUN: cd %t && tile-run %s --entry max_f16 --schedule=all --arg f16[8x32]=f16.npy --arg f16[8x1]=poison --expect 1=max_f16.npy
// RUN: cd %t && tile-run %s --entry min_bf16 --schedule=all --arg bf16[8x32]=bf16.npy --arg bf16[8x1]=poison --expect 1=min_bf16.npy
// RUN: cd %t && tile-run %s --entry add_f64 --schedule=all --arg f64[8x32]=f64.npy --arg f64[8x1]=poison --expect 1=add_f64.npy
// RUN: cd %t && tile-run %s --entry max_i8 --schedule=all --arg i8[8x32]=i8.npy --arg i8[8x1]=poison --expect 1=max_i8.npy
// RUN: cd %t && tile-run %s --entry umax_i16 --schedule=all --arg i16[8x32]=i16.npy --arg i16[8x1]=poison --expect 1=umax_i16.npy
// RUN: cd %t && tile-run %s --entry xor_i32 --schedule=all --arg i32[8x32]=i32.npy --arg i32[8x1]=poison --expect 1=xor_i32.npy
// RUN: cd %t && tile-run %s --entry add_i64 --schedule=all --arg i64[8x32]=i64.npy --arg i64[8x1]=poison --expect 1=add_i64.npy
// RUN: cd %t && tile-run %s --entry mul_f32 --schedule=all --arg f32[8x32]=f32.npy --arg f32[8x1]=poison --expect 1=mul_f32.npy
// RUN: cd %t && tile-run %s --entry argmax --schedule=all --arg f32[8x32]=f.npy --arg f32[8x1]=poison --arg i32[8x1]=poison \
// RUN:   --expect 1=most.npy --expect 2=at.npy
// RUN: cd %t && tile-run %s --entry groups --schedule=all --arg i32[6x128]=g.npy --arg i32[6x1]=poison --expect 1=sums.npy
// RUN: cd %t && tile-run %s --entry thirds --arg i32[10x3]=t.npy --arg i32[10x1]=poison --expect 1=thirds.npy
// RUN: cd %t && tile-run %s --entry part --arg i32[48]=p.npy --arg i32[48]=poison --expect 1=part.npy
// RUN: cd %t && tile-run %s --entry transposed --arg i32[4x4]=q.npy --arg i32[4x4]=poison --expect 1=transposed.npy
// RUN: tile-opt %s --lower-tile-copy --tile-check-sync -o /dev/null

// Eight rows of 32: two warps have 16 columns each, four lanes a row.
#wide = #tile.layout<(8, 2, 4, 4) : (4@laneid, 1@warpid, 1@laneid, 1)>
#row = #tile.layout<(8, 1) : (4@laneid, 1) + R(4 : 1@laneid)>
!x = !tile.buffer<8x32xf32, local, #wide>
!i = !tile.buffer<8x32xi32, local, #wide>
!m = !tile.buffer<8x1xf32, local, #row>
!k = !tile.buffer<8x1xi32, local, #row>
!group = !tile.buffer<1x128xi32, local, #tile.layout<(1, 128) : (1, 1@tid_in_wg)>>
!sum = !tile.buffer<1x1xi32, local, #tile.layout<(1, 1) : (1, 1) + R(128 : 1@tid_in_wg)>>
!thirds = !tile.buffer<10x3xi32, local, #tile.layout<(10, 3) : (3@laneid, 1@laneid)>>
!third = !tile.buffer<10x1xi32, local, #tile.layout<(10, 1) : (3@laneid, 1)>>
!part = !tile.buffer<48xi32, local, #tile.layout<(48) : (1@tx)>>
!square = !tile.buffer<4x4xi32, local>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @max_f16(%A: memref<8x32xf16>, %B: memref<8x1xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x32xf16>
    %b = tile.view %B : memref<8x1xf16>
    %x = tile.alloc : !tile.buffer<8x32xf16, local, #wide>
    %r = tile.alloc : !tile.buffer<8x1xf16, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xf16, global> to !tile.buffer<8x32xf16, local, #wide>
    tile.reduce max %x to %r dim(1) scope(cta) : !tile.buffer<8x32xf16, local, #wide> to !tile.buffer<8x1xf16, local, #row>
    tile.copy %r to %b scope(cta) : !tile.buffer<8x1xf16, local, #row> to !tile.buffer<8x1xf16, global>
    gpu.return
  }

  gpu.func @min_bf16(%A: memref<8x32xbf16>, %B: memref<8x1xbf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x32xbf16>
    %b = tile.view %B : memref<8x1xbf16>
    %x = tile.alloc : !tile.buffer<8x32xbf16, local, #wide>
    %r = tile.alloc : !tile.buffer<8x1xbf16, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xbf16, global> to !tile.buffer<8x32xbf16, local, #wide>
    tile.reduce min %x to %r dim(1) scope(cta) : !tile.buffer<8x32xbf16, local, #wide> to !tile.buffer<8x1xbf16, local, #row>
    tile.copy %r to %b scope(cta) : !tile.buffer<8x1xbf16, local, #row> to !tile.buffer<8x1xbf16, global>
    gpu.return
  }

  gpu.func @add_f64(%A: memref<8x32xf64>, %B: memref<8x1xf64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x32xf64>
    %b = tile.view %B : memref<8x1xf64>
    %x = tile.alloc : !tile.buffer<8x32xf64, local, #wide>
    %r = tile.alloc : !tile.buffer<8x1xf64, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xf64, global> to !tile.buffer<8x32xf64, local, #wide>
    tile.reduce add %x to %r dim(1) scope(cta) : !tile.buffer<8x32xf64, local, #wide> to !tile.buffer<8x1xf64, local, #row>
    tile.copy %r to %b scope(cta) : !tile.buffer<8x1xf64, local, #row> to !tile.buffer<8x1xf64, global>
    gpu.return
  }

  gpu.func @max_i8(%A: memref<8x32xi8>, %B: memref<8x1xi8>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x32xi8>
    %b = tile.view %B : memref<8x1xi8>
    %x = tile.alloc : !tile.buffer<8x32xi8, local, #wide>
    %r = tile.alloc : !tile.buffer<8x1xi8, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xi8, global> to !tile.buffer<8x32xi8, local, #wide>
    tile.reduce max %x to %r dim(1) scope(cta) : !tile.buffer<8x32xi8, local, #wide> to !tile.buffer<8x1xi8, local, #row>
    tile.copy %r to %b scope(cta) : !tile.buffer<8x1xi8, local, #row> to !tile.buffer<8x1xi8, global>
    gpu.return
  }

  gpu.func @umax_i16(%A: memref<8x32xi16>, %B: memref<8x1xi16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x32xi16>
    %b = tile.view %B : memref<8x1xi16>
    %x = tile.alloc : !tile.buffer<8x32xi16, local, #wide>
    %r = tile.alloc : !tile.buffer<8x1xi16, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xi16, global> to !tile.buffer<8x32xi16, local, #wide>
    tile.reduce umax %x to %r dim(1) scope(cta) : !tile.buffer<8x32xi16, local, #wide> to !tile.buffer<8x1xi16, local, #row>
    tile.copy %r to %b scope(cta) : !tile.buffer<8x1xi16, local, #row> to !tile.buffer<8x1xi16, global>
    gpu.return
  }

  gpu.func @xor_i32(%A: memref<8x32xi32>, %B: memref<8x1xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x32xi32>
    %b = tile.view %B : memref<8x1xi32>
    %x = tile.alloc : !tile.buffer<8x32xi32, local, #wide>
    %r = tile.alloc : !tile.buffer<8x1xi32, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xi32, global> to !tile.buffer<8x32xi32, local, #wide>
    tile.reduce xor %x to %r dim(1) scope(cta) : !tile.buffer<8x32xi32, local, #wide> to !tile.buffer<8x1xi32, local, #row>
    tile.copy %r to %b scope(cta) : !tile.buffer<8x1xi32, local, #row> to !tile.buffer<8x1xi32, global>
    gpu.return
  }

  gpu.func @add_i64(%A: memref<8x32xi64>, %B: memref<8x1xi64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x32xi64>
    %b = tile.view %B : memref<8x1xi64>
    %x = tile.alloc : !tile.buffer<8x32xi64, local, #wide>
    %r = tile.alloc : !tile.buffer<8x1xi64, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xi64, global> to !tile.buffer<8x32xi64, local, #wide>
    tile.reduce add %x to %r dim(1) scope(cta) : !tile.buffer<8x32xi64, local, #wide> to !tile.buffer<8x1xi64, local, #row>
    tile.copy %r to %b scope(cta) : !tile.buffer<8x1xi64, local, #row> to !tile.buffer<8x1xi64, global>
    gpu.return
  }

  gpu.func @mul_f32(%A: memref<8x32xf32>, %B: memref<8x1xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x32xf32>
    %b = tile.view %B : memref<8x1xf32>
    %x = tile.alloc : !tile.buffer<8x32xf32, local, #wide>
    %r = tile.alloc : !tile.buffer<8x1xf32, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xf32, global> to !tile.buffer<8x32xf32, local, #wide>
    tile.reduce mul %x to %r dim(1) scope(cta) : !tile.buffer<8x32xf32, local, #wide> to !tile.buffer<8x1xf32, local, #row>
    tile.copy %r to %b scope(cta) : !tile.buffer<8x1xf32, local, #row> to !tile.buffer<8x1xf32, global>
    gpu.return
  }

  // The block has two dimensions: threads count along x first.
  gpu.func @argmax(%A: memref<8x32xf32>, %B: memref<8x1xf32>, %C: memref<8x1xi32>) kernel
      attributes {known_block_size = array<i32: 16, 4, 1>} {
    %a = tile.view %A : memref<8x32xf32>
    %b = tile.view %B : memref<8x1xf32>
    %c = tile.view %C : memref<8x1xi32>
    %x = tile.alloc : !x
    %i = tile.alloc : !i
    %m = tile.alloc : !m
    %k = tile.alloc : !k
    tile.copy %a to %x scope(cta) : !tile.buffer<8x32xf32, global> to !x
    tile.map to %i scope(cta) : to !i {
    ^bb0(%row: index, %column: index):
      %at = arith.index_cast %column : index to i32
      tile.yield %at : i32
    }
    tile.reduce custom %x, %i to %m, %k dim(1) scope(cta) : !x, !i to !m, !k combine {
    ^bb0(%u: f32, %iu: i32, %v: f32, %iv: i32):
      %more = arith.cmpf ogt, %u, %v : f32
      %same = arith.cmpf oeq, %u, %v : f32
      %before = arith.cmpi slt, %iu, %iv : i32
      %first = arith.andi %same, %before : i1
      %left = arith.ori %more, %first : i1
      %value = arith.select %left, %u, %v : f32
      %index = arith.select %left, %iu, %iv : i32
      tile.yield %value, %index : f32, i32
    }
    tile.copy %m to %b scope(cta) : !m to !tile.buffer<8x1xf32, global>
    tile.copy %k to %c scope(cta) : !k to !tile.buffer<8x1xi32, global>
    gpu.return
  }

  // Two warpgroups, each with rows of its own, three times over the same memory.
  gpu.func @groups(%A: memref<6x128xi32>, %B: memref<6x1xi32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c128 = arith.constant 128 : index
    %a = tile.view %A : memref<6x128xi32>
    %b = tile.view %B : memref<6x1xi32>
    %x = tile.alloc : !group
    %s = tile.alloc : !sum
    %t = gpu.thread_id x
    %own = arith.divui %t, %c128 : index
    scf.for %i = %c0 to %c6 step %c2 {
      %row = arith.addi %i, %own : index
      tile.copy %a[%row, 0] [1, 128] to %x scope(warpgroup) : !tile.buffer<6x128xi32, global> to !group
      tile.reduce add %x to %s dim(1) scope(warpgroup) : !group to !sum
      tile.copy %s to %b[%row, 0] [1, 1] scope(warpgroup) : !sum to !tile.buffer<6x1xi32, global>
    }
    gpu.return
  }

  gpu.func @thirds(%A: memref<10x3xi32>, %B: memref<10x1xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<10x3xi32>
    %b = tile.view %B : memref<10x1xi32>
    %x = tile.alloc : !thirds
    %r = tile.alloc : !third
    tile.copy %a to %x scope(warp) : !tile.buffer<10x3xi32, global> to !thirds
    tile.reduce add %x to %r dim(1) scope(warp) : !thirds to !third
    tile.copy %r to %b scope(warp) : !third to !tile.buffer<10x1xi32, global>
    gpu.return
  }

  // The last 16 threads hold nothing: they would divide by what they have not loaded.
  gpu.func @part(%A: memref<48xi32>, %B: memref<48xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<48xi32>
    %b = tile.view %B : memref<48xi32>
    %c1000 = arith.constant 1000 : i32
    %x = tile.alloc : !part
    tile.copy %a to %x scope(cta) : !tile.buffer<48xi32, global> to !part
    tile.map %x to %x scope(cta) : !part to !part {
    ^bb0(%e: i32, %i: index):
      %q = arith.divsi %c1000, %e : i32
      %at = arith.index_cast %i : index to i32
      %r = arith.addi %q, %at : i32
      tile.yield %r : i32
    }
    tile.copy %x to %b scope(cta) : !part to !tile.buffer<48xi32, global>
    gpu.return
  }

  // The source is the result, seen the other way round.
  gpu.func @transposed(%A: memref<4x4xi32>, %B: memref<4x4xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tile.view %A : memref<4x4xi32>
    %b = tile.view %B : memref<4x4xi32>
    %x = tile.alloc : !square
    %y = tile.permute %x [1, 0] : !square
    tile.copy %a to %x scope(thread) : !tile.buffer<4x4xi32, global> to !square
    tile.map %y to %x scope(thread) : !tile.buffer<4x4xi32, local, #tile.layout<(4, 4) : (1, 4)>> to !square {
    ^bb0(%e: i32):
      tile.yield %e : i32
    }
    tile.copy %x to %b scope(thread) : !square to !tile.buffer<4x4xi32, global>
    gpu.return
  }
}
