// Tiles that loops carry, branches and selects forward, and functions take.
// RUN: tile-run %s --entry swapped --schedule=all --arg f16[6x32x64]=random --arg f16[6x32x64]=poison --expect-equal 0,1 | FileCheck %s --check-prefixes=ONE,WIDE
// RUN: tile-run %s --entry selected --grid 2 --schedule=all --arg f32[2x32x32]=random --arg f32[2x32x32]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry branches --grid 3 --schedule=all --arg f32[3x32x32]=random --arg f32[3x32x32]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry calls --schedule=all --arg f32[32x32]=random --arg f32[32x32]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry open --arg f16[32x64]=random --arg u64=32 --arg u64=64 --arg u64=64 --arg f16[32x64]=poison --arg u64=1 --expect-equal 0,4 | FileCheck %s --check-prefix=FOUR
// RUN: tile-run %s --entry arguments --arg f32[32x32]=random --arg f32[32x32]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry registers --arg f32[32x8]=random --arg f32[32x8]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry regions --grid 3 --schedule=all --arg f32[3x32x32]=random --arg f32[3x32x32]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry affine_loop --schedule=all --arg f32[6x32x32]=random --arg f32[6x32x32]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// ONE: argument 1 holds what argument 0 holds
// FOUR: argument 4 holds what argument 0 holds

!half = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!six = !tile.buffer<6x32x64xf16, global>
!tile = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A double buffer: the next tile is in flight while this one is written out.
  // WIDE: cp.async.cg.shared.global
  // WIDE: ld.shared.v4
  gpu.func @swapped(%A: memref<6x32x64xf16>, %B: memref<6x32x64xf16>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // in order, but not followed
    %a = tile.view %A : memref<6x32x64xf16> to !six
    %b = tile.view %B : memref<6x32x64xf16> to !six
    %first = tile.alloc : !half
    %second = tile.alloc : !half
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    tile.copy_async %a[0, 0, 0] [1, 32, 64] to %first scope(cta) group : !six to !half
    %last:2 = scf.for %k = %c0 to %c5 step %c1 iter_args(%this = %first, %next = %second) -> (!half, !half) {
      %j = arith.addi %k, %c1 : index
      tile.copy_async %a[%j, 0, 0] [1, 32, 64] to %next scope(cta) group : !six to !half
      nvvm.cp.async.wait.group 1
      gpu.barrier
      tile.copy %this to %b[%k, 0, 0] [1, 32, 64] scope(cta) : !half to !six
      gpu.barrier
      scf.yield %next, %this : !half, !half
    }
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %last#0 to %b[5, 0, 0] [1, 32, 64] scope(cta) : !half to !six
    gpu.return
  }

  gpu.func @selected(%A: memref<2x32x32xf32>, %B: memref<2x32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<2x32x32xf32> to !tile.buffer<2x32x32xf32, global>
    %b = tile.view %B : memref<2x32x32xf32> to !tile.buffer<2x32x32xf32, global>
    %p = tile.subview %a[0, 0, 0] [1, 32, 32] : !tile.buffer<2x32x32xf32, global> to !tile.buffer<1x32x32xf32, global>
    %q = tile.subview %a[1, 0, 0] [1, 32, 32] : !tile.buffer<2x32x32xf32, global> to !tile.buffer<1x32x32xf32, global>
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %is_first = arith.cmpi eq, %x, %c0 : index
    %from = arith.select %is_first, %p, %q : !tile.buffer<1x32x32xf32, global>
    %by = arith.select %is_first, %s, %t : !shared
    tile.copy %from to %by scope(cta) : !tile.buffer<1x32x32xf32, global> to !shared
    gpu.barrier
    tile.copy %by to %b[%x, 0, 0] [1, 32, 32] scope(cta) : !shared to !tile.buffer<2x32x32xf32, global>
    gpu.return
  }

  // Block arguments of a control-flow graph, and results of branches.
  gpu.func @branches(%A: memref<3x32x32xf32>, %B: memref<3x32x32xf32>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 32, 1, 1>} {  // in order, but not followed
    %a = tile.view %A : memref<3x32x32xf32> to !tile.buffer<3x32x32xf32, global>
    %b = tile.view %B : memref<3x32x32xf32> to !tile.buffer<3x32x32xf32, global>
    %ring = tile.alloc : !tile.buffer<2x32x32xf32, shared>
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %is_first = arith.cmpi eq, %x, %c0 : index
    %slot = scf.if %is_first -> !tile.buffer<1x32x32xf32, shared> {
      %p = tile.subview %ring[%c0, 0, 0] [1, 32, 32] : !tile.buffer<2x32x32xf32, shared> to !tile.buffer<1x32x32xf32, shared>
      scf.yield %p : !tile.buffer<1x32x32xf32, shared>
    } else {
      %p = tile.subview %ring[%c1, 0, 0] [1, 32, 32] : !tile.buffer<2x32x32xf32, shared> to !tile.buffer<1x32x32xf32, shared>
      scf.yield %p : !tile.buffer<1x32x32xf32, shared>
    }
    tile.copy %a[%x, 0, 0] [1, 32, 32] to %slot scope(warp) : !tile.buffer<3x32x32xf32, global> to !tile.buffer<1x32x32xf32, shared>
    gpu.barrier
    %is_last = arith.cmpi ne, %x, %c1 : index
    cf.cond_br %is_last, ^other(%slot : !tile.buffer<1x32x32xf32, shared>), ^end(%slot : !tile.buffer<1x32x32xf32, shared>)
  ^other(%o: !tile.buffer<1x32x32xf32, shared>):
    cf.br ^end(%o : !tile.buffer<1x32x32xf32, shared>)
  ^end(%e: !tile.buffer<1x32x32xf32, shared>):
    tile.copy %e to %b[%x, 0, 0] [1, 32, 32] scope(warp) : !tile.buffer<1x32x32xf32, shared> to !tile.buffer<3x32x32xf32, global>
    gpu.return
  }

  func.func private @through(%a: !tile, %s: !shared, %b: !tile) {
    tile.copy %a to %s scope(warp) : !tile to !shared
    gpu.barrier
    tile.copy %s to %b scope(warp) : !shared to !tile
    return
  }

  gpu.func @calls(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile
    %b = tile.view %B : memref<32x32xf32> to !tile
    %s = tile.alloc : !shared
    func.call @through(%a, %s, %b) : (!tile, !shared, !tile) -> ()
    gpu.return
  }

  // Run-time extents and strides are forwarded, too, even if one of two tiles has them in its type.
  gpu.func @open(%A: memref<?x?xf16, strided<[?, 1]>>, %B: memref<32x64xf16>, %which: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16, strided<[?, 1]>> to !tile.buffer<?x?xf16, global>
    %b = tile.view %B : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %any = tile.cast %b : !tile.buffer<32x64xf16, global> to !tile.buffer<?x?xf16, global>
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %is = arith.cmpi eq, %which, %c1 : index
    %from = arith.select %is, %a, %any : !tile.buffer<?x?xf16, global>
    %to = arith.select %is, %any, %a : !tile.buffer<?x?xf16, global>
    scf.for %row = %c0 to %c32 step %c16 {
      tile.copy %from[%row, 0] [16, 64] to %to[%row, 0] [16, 64] scope(warp) : !tile.buffer<?x?xf16, global> to !tile.buffer<?x?xf16, global>
    }
    gpu.return
  }

  // A kernel argument is a pointer, whose alignment may be stated.
  gpu.func @arguments(%a: !tile {llvm.align = 16 : i64}, %b: !tile) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    tile.copy %a to %b scope(warp) : !tile to !tile
    gpu.return
  }

  // Registers that a loop carries unchanged, or that both branches yield, are resolved.
  gpu.func @registers(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %b = tile.view %B : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %r = tile.alloc : !rows
    tile.copy %a to %r scope(warp) : !tile.buffer<32x8xf32, global> to !rows
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = gpu.block_id x
    %is = arith.cmpi eq, %x, %c0 : index
    %same = scf.for %i = %c0 to %c2 step %c1 iter_args(%u = %r) -> !rows {
      %m = tile.local_view %u : !rows to memref<8xf32>
      %v = memref.load %m[%c1] : memref<8xf32>
      %n = arith.negf %v : f32
      memref.store %n, %m[%c1] : memref<8xf32>
      %w = scf.if %is -> !rows {
        scf.yield %u : !rows
      } else {
        scf.yield %r : !rows
      }
      scf.yield %w : !rows
    }
    tile.copy %same to %b scope(warp) : !rows to !tile.buffer<32x8xf32, global>
    gpu.return
  }

  // A region with several blocks, and an affine.if.
  gpu.func @regions(%A: memref<3x32x32xf32>, %B: memref<3x32x32xf32>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 32, 1, 1>} {  // in order, but not followed
    %a = tile.view %A : memref<3x32x32xf32> to !tile.buffer<3x32x32xf32, global>
    %b = tile.view %B : memref<3x32x32xf32> to !tile.buffer<3x32x32xf32, global>
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %is_first = arith.cmpi eq, %x, %c0 : index
    %in = scf.execute_region -> !shared {
      cf.cond_br %is_first, ^first(%s : !shared), ^other
    ^first(%taken: !shared):
      scf.yield %taken : !shared
    ^other:
      scf.yield %t : !shared
    }
    %source = affine.if affine_set<(d0) : (d0 - 2 == 0)>(%x) -> !tile.buffer<1x32x32xf32, global> {
      %p = tile.subview %a[2, 0, 0] [1, 32, 32] : !tile.buffer<3x32x32xf32, global> to !tile.buffer<1x32x32xf32, global>
      affine.yield %p : !tile.buffer<1x32x32xf32, global>
    } else {
      %p = tile.subview %a[%x, 0, 0] [1, 32, 32] : !tile.buffer<3x32x32xf32, global> to !tile.buffer<1x32x32xf32, global>
      affine.yield %p : !tile.buffer<1x32x32xf32, global>
    }
    tile.copy %source to %in scope(warp) : !tile.buffer<1x32x32xf32, global> to !shared
    gpu.barrier
    tile.copy %in to %b[%x, 0, 0] [1, 32, 32] scope(warp) : !shared to !tile.buffer<3x32x32xf32, global>
    gpu.return
  }

  // Two tiles swap in an affine loop.
  gpu.func @affine_loop(%A: memref<6x32x32xf32>, %B: memref<6x32x32xf32>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // in order, but not followed
    %a = tile.view %A : memref<6x32x32xf32> to !tile.buffer<6x32x32xf32, global>
    %b = tile.view %B : memref<6x32x32xf32> to !tile.buffer<6x32x32xf32, global>
    %first = tile.alloc : !shared
    %second = tile.alloc : !shared
    %last:2 = affine.for %k = 0 to 6 iter_args(%this = %first, %next = %second) -> (!shared, !shared) {
      tile.copy %a[%k, 0, 0] [1, 32, 32] to %this scope(cta) : !tile.buffer<6x32x32xf32, global> to !shared
      gpu.barrier
      tile.copy %this to %b[%k, 0, 0] [1, 32, 32] scope(cta) : !shared to !tile.buffer<6x32x32xf32, global>
      affine.yield %next, %this : !shared, !shared
    }
    gpu.return
  }
}
