// Maps and reductions of shared tiles that are computed part by part, so that few elements are in registers at once; and maps that may
// overwrite what they read, which are not.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/shared_parts.py
// RUN: cd %t && tile-run %s --entry in_place --schedule=all --arg f32[128x128]=x.npy --arg f32[128x128]=poison --expect 1=moved.npy
// RUN: cd %t && tile-run %s --entry odd --schedule=all --arg f32[127x131]=odd.npy --arg f32[1x131]=weights.npy --arg f32[127x1]=scales.npy \
// RUN:   --arg f32[127x131]=poison --arg i32[127x131]=poison --expect 3=weighted.npy --expect 4=numbers.npy
// RUN: cd %t && tile-run %s --entry turned --schedule=all --arg f32[128x128]=x.npy --arg f32[128x128]=poison --expect 1=turned.npy
// RUN: cd %t && tile-run %s --entry first_row --schedule=all --arg f32[128x128]=x.npy --arg f32[128x128]=poison --expect 1=first_row.npy
// RUN: cd %t && tile-run %s --entry fragment --schedule=all --arg f32[64x256]=wide.npy --arg f32[64x256]=poison --expect 1=twice.npy
// RUN: cd %t && tile-run %s --entry warps --schedule=all --arg i32[2x96x64]=boxes.npy --arg i32[2x96x64]=poison --expect 1=numbered.npy
// RUN: cd %t && tile-run %s --entry sums --schedule=all --arg f32[128x128]=x.npy --arg f32[128x1]=poison --arg f32[1x128]=poison \
// RUN:   --arg i32[128x1]=poison --arg i32[1x128]=poison --expect 1=rows.npy --expect 2=columns.npy --expect 3=most.npy --expect 4=least.npy
// RUN: cd %t && tile-run %s --entry odd_sums --schedule=all --arg f32[126x130]=odd_sums.npy --arg f32[126x1]=poison --arg f32[1x130]=poison \
// RUN:   --expect 1=odd_rows.npy --expect 2=odd_columns.npy
// RUN: cd %t && tile-run %s --entry total --schedule=all --arg f32[128x128]=x.npy --arg f32[1]=poison --expect 1=total.npy
// RUN: cd %t && tile-run %s --entry complex --schedule=all --arg f32[128x64]=re.npy --arg f32[128x64]=im.npy --arg f32[128x1]=poison \
// RUN:   --arg f32[128x1]=poison --expect 2=real.npy --expect 3=imaginary.npy
// RUN: tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter='tile-(map|reduce)' --remark-format=emitRemark 2>&1 | FileCheck %s

!s = !tile.buffer<128x128xf32, shared>
!g = !tile.buffer<128x128xf32, global>
!o = !tile.buffer<127x131xf32, shared>
!n = !tile.buffer<127x131xi32, shared, #tile.layout<(127, 131) : (1, 127)>>
!w = !tile.buffer<1x131xf32, shared>
!c = !tile.buffer<127x1xf32, shared>
!e = !tile.buffer<126x130xf32, shared>
!wide = !tile.buffer<64x256xf32, shared>
!own = !tile.buffer<64x256xf32, local, #tile.fragment<wgmma.c>>
!boxes = !tile.buffer<2x96x64xi32, shared>
!box = !tile.buffer<1x96x64xi32, shared, #tile.layout<(1, 96, 64) : (6144, 64, 1)>>
!rows = !tile.buffer<128x1xf32, shared>
!columns = !tile.buffer<1x128xf32, shared>
!row_at = !tile.buffer<128x1xi32, shared>
!column_at = !tile.buffer<1x128xi32, shared>
!part = !tile.buffer<128x64xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK: [Passed] map | {{.*}}Function=in_place | Elements=128, {{.*}}Parts=4, {{.*}}in 4 parts
  gpu.func @in_place(%A: memref<128x128xf32>, %B: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x128xf32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !g to !s
    tile.map %s to %s scope(cta) : !s to !s {
    ^bb0(%x: f32, %i: index, %j: index):
      %less = arith.subi %i, %j : index
      %number = arith.index_cast %less : index to i32
      %f = arith.sitofp %number : i32 to f32
      %r = arith.addf %x, %f : f32
      tile.yield %r : f32
    }
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }

  // Parts extend beyond the tile; a row and a column are repeated, and two results have other elements and another order.
  // CHECK: [Passed] map | {{.*}}Function=odd | {{.*}}Parts={{[1-9][0-9]*}},
  gpu.func @odd(%X: memref<127x131xf32>, %W: memref<1x131xf32>, %C: memref<127x1xf32>, %R: memref<127x131xf32>, %N: memref<127x131xi32>)
      kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %x = tile.view %X : memref<127x131xf32>
    %w = tile.view %W : memref<1x131xf32>
    %c = tile.view %C : memref<127x1xf32>
    %r = tile.view %R : memref<127x131xf32>
    %n = tile.view %N : memref<127x131xi32>
    %s = tile.alloc : !o
    %sw = tile.alloc : !w
    %sc = tile.alloc : !c
    %sn = tile.alloc : !n
    tile.copy %x to %s scope(cta) : !tile.buffer<127x131xf32, global> to !o
    tile.copy %w to %sw scope(cta) : !tile.buffer<1x131xf32, global> to !w
    tile.copy %c to %sc scope(cta) : !tile.buffer<127x1xf32, global> to !c
    tile.map %s, %sw, %sc to %s, %sn scope(cta) : !o, !w, !c to !o, !n {
    ^bb0(%e: f32, %weight: f32, %scale: f32, %i: index, %j: index):
      %product = arith.mulf %e, %weight : f32
      %result = arith.addf %product, %scale : f32
      %c131 = arith.constant 131 : index
      %first = arith.muli %i, %c131 : index
      %number = arith.addi %first, %j : index
      %narrow = arith.index_cast %number : index to i32
      tile.yield %result, %narrow : f32, i32
    }
    tile.copy %s to %r scope(cta) : !o to !tile.buffer<127x131xf32, global>
    tile.copy %sn to %n scope(cta) : !n to !tile.buffer<127x131xi32, global>
    gpu.return
  }

  // Rows become columns of the same tile: everything is read, and after a barrier written.
  // CHECK: [Passed] map | {{.*}}Function=turned | {{.*}}Parts=1,
  // CHECK: [Missed] parts-overlap | {{.*}}Function=turned | Parts=4, {{.*}}the result may overlap the source
  gpu.func @turned(%A: memref<128x128xf32>, %B: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x128xf32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !g to !s
    %t = tile.permute %s [1, 0] : !s
    tile.map %t to %s scope(cta) : !tile.buffer<128x128xf32, shared, #tile.layout<(128, 128) : (1, 128)>> to !s {
    ^bb0(%x: f32):
      %r = arith.negf %x : f32
      tile.yield %r : f32
    }
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }

  // All rows need the first one as it was.
  // CHECK: [Passed] map | {{.*}}Function=first_row | {{.*}}Parts=1,
  // CHECK: [Missed] parts-overlap | {{.*}}Function=first_row | {{.*}}the result may overlap source 2
  gpu.func @first_row(%A: memref<128x128xf32>, %B: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x128xf32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !g to !s
    %row = tile.subview %s[0, 0] [1, 128] : !s to !columns
    tile.map %s, %row to %s scope(cta) : !s, !columns to !s {
    ^bb0(%x: f32, %y: f32):
      %r = arith.addf %x, %y : f32
      tile.yield %r : f32
    }
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }

  // A tile in registers says who has what; parts are columns of it.
  // CHECK: [Passed] map | {{.*}}Function=fragment | {{.*}}Parts=2,
  gpu.func @fragment(%A: memref<64x256xf32>, %B: memref<64x256xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x256xf32>
    %b = tile.view %B : memref<64x256xf32>
    %s = tile.alloc : !wide
    %own = tile.alloc : !own
    tile.copy %a to %s scope(cta) : !tile.buffer<64x256xf32, global> to !wide
    tile.copy %s to %own scope(cta) : !wide to !own
    tile.map %s, %own to %own scope(cta) : !wide, !own to !own {
    ^bb0(%x: f32, %y: f32):
      %r = arith.addf %x, %y : f32
      tile.yield %r : f32
    }
    tile.copy %own to %b scope(cta) : !own to !tile.buffer<64x256xf32, global>
    gpu.return
  }

  // Two warps, each with a box that begins at a run-time place.
  // CHECK: [Passed] map | {{.*}}Function=warps | {{.*}}Parts=6,
  gpu.func @warps(%A: memref<2x96x64xi32>, %B: memref<2x96x64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %warp = arith.divui %t, %c32 : index
    %a = tile.view %A : memref<2x96x64xi32>
    %b = tile.view %B : memref<2x96x64xi32>
    %s = tile.alloc : !boxes
    %box = tile.subview %s[%warp, 0, 0] [1, 96, 64] : !boxes to !box
    tile.copy %a to %s scope(cta) : !tile.buffer<2x96x64xi32, global> to !boxes
    tile.map %box to %box scope(warp) : !box to !box {
    ^bb0(%x: i32, %i: index, %j: index, %k: index):
      %sum = arith.addi %j, %k : index
      %part = arith.addi %sum, %warp : index
      %number = arith.index_cast %part : index to i32
      %r = arith.addi %x, %number : i32
      tile.yield %r : i32
    }
    tile.copy %s to %b scope(cta) : !boxes to !tile.buffer<2x96x64xi32, global>
    gpu.return
  }

  // CHECK-COUNT-4: [Passed] reduce | {{.*}}Function=sums | {{.*}}Parts=2,
  gpu.func @sums(%A: memref<128x128xf32>, %B: memref<128x1xf32>, %C: memref<1x128xf32>, %D: memref<128x1xi32>, %E: memref<1x128xi32>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x1xf32>
    %c = tile.view %C : memref<1x128xf32>
    %d = tile.view %D : memref<128x1xi32>
    %e = tile.view %E : memref<1x128xi32>
    %s = tile.alloc : !s
    %rows = tile.alloc : !rows
    %columns = tile.alloc : !columns
    %most = tile.alloc : !row_at
    %least = tile.alloc : !column_at
    tile.copy %a to %s scope(cta) : !g to !s
    tile.reduce add %s to %rows dim(1) scope(cta) : !s to !rows
    tile.reduce add %s to %columns dim(0) scope(cta) : !s to !columns
    tile.reduce argmax %s to %most dim(1) scope(cta) : !s to !row_at
    tile.reduce argmin %s to %least dim(0) scope(cta) : !s to !column_at
    tile.copy %rows to %b scope(cta) : !rows to !tile.buffer<128x1xf32, global>
    tile.copy %columns to %c scope(cta) : !columns to !tile.buffer<1x128xf32, global>
    tile.copy %most to %d scope(cta) : !row_at to !tile.buffer<128x1xi32, global>
    tile.copy %least to %e scope(cta) : !column_at to !tile.buffer<1x128xi32, global>
    gpu.return
  }

  gpu.func @odd_sums(%A: memref<126x130xf32>, %B: memref<126x1xf32>, %C: memref<1x130xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<126x130xf32>
    %b = tile.view %B : memref<126x1xf32>
    %c = tile.view %C : memref<1x130xf32>
    %s = tile.alloc : !e
    %rows = tile.alloc : !tile.buffer<126x1xf32, shared>
    %columns = tile.alloc : !tile.buffer<1x130xf32, shared>
    tile.copy %a to %s scope(cta) : !tile.buffer<126x130xf32, global> to !e
    tile.reduce add %s to %rows dim(1) scope(cta) : !e to !tile.buffer<126x1xf32, shared>
    tile.reduce add %s to %columns dim(0) scope(cta) : !e to !tile.buffer<1x130xf32, shared>
    tile.copy %rows to %b scope(cta) : !tile.buffer<126x1xf32, shared> to !tile.buffer<126x1xf32, global>
    tile.copy %columns to %c scope(cta) : !tile.buffer<1x130xf32, shared> to !tile.buffer<1x130xf32, global>
    gpu.return
  }

  // CHECK: [Passed] reduce | {{.*}}Function=total | {{.*}}Parts=2,
  gpu.func @total(%A: memref<128x128xf32>, %B: memref<1xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tile.view %A : memref<128x128xf32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !g to !s
    %sum = tile.total add %s scope(cta) : !s to f32 of {
    ^bb0(%x: f32):
      %r = arith.addf %x, %x : f32
      tile.yield %r : f32
    }
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %sum, %B[%c0] : memref<1xf32>
    }
    gpu.return
  }

  // Pairs of tiles are reduced together.
  gpu.func @complex(%A: memref<128x64xf32>, %B: memref<128x64xf32>, %C: memref<128x1xf32>, %D: memref<128x1xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<128x64xf32>
    %b = tile.view %B : memref<128x64xf32>
    %c = tile.view %C : memref<128x1xf32>
    %d = tile.view %D : memref<128x1xf32>
    %re = tile.alloc : !part
    %im = tile.alloc : !part
    %real = tile.alloc : !rows
    %imaginary = tile.alloc : !rows
    tile.copy %a to %re scope(cta) : !tile.buffer<128x64xf32, global> to !part
    tile.copy %b to %im scope(cta) : !tile.buffer<128x64xf32, global> to !part
    tile.reduce custom %re, %im to %real, %imaginary dim(1) scope(cta) : !part, !part to !rows, !rows combine {
    ^bb0(%r: f32, %i: f32, %s: f32, %j: f32):
      %sum = arith.addf %r, %s : f32
      %most = arith.maximumf %i, %j : f32
      tile.yield %sum, %most : f32, f32
    }
    tile.copy %real to %c scope(cta) : !rows to !tile.buffer<128x1xf32, global>
    tile.copy %imaginary to %d scope(cta) : !rows to !tile.buffer<128x1xf32, global>
    gpu.return
  }
}
