// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// What may be written short: promises of views, tiles of a matrix, constants that fill, sizes that follow, ends of kernels, several tiles,
// extents, and functions that are one op.

!matrix = !tile.buffer<?x?xf16, global>
!tile = !tile.buffer<32x64xf16, shared>
!bytes = !tile.buffer<32x64xi8, shared>

// CHECK-LABEL: func.func @views
func.func @views(%A: memref<?x?xf16>, %p: !llvm.ptr<1>, %m: index, %n: index) {
  // CHECK: tile.view %{{[^ ]*}} divisible_by 8 aligned 16 : memref<?x?xf16> to !tile.buffer<?x?xf16, global>
  %a = tile.view %A aligned 16 divisible_by 8 : memref<?x?xf16>
  // CHECK: tile.view %{{[^ ]*}} extents(%{{.*}}, %{{.*}}) strides(%{{.*}}) aligned 32 : !llvm.ptr<1> to
  %b = tile.view %p aligned 32 strides(%n) extents(%m, %n) : !llvm.ptr<1> to !matrix
  // CHECK: tile.view %{{[^ ]*}} : memref
  %c = tile.view %A : memref<?x?xf16>
  return
}

// CHECK-LABEL: func.func @orders
func.func @orders(%b: index, %c: !matrix, %s: !tile) {
  // CHECK: tile.block_order %{{[^ ]*}} of %{{[^ ]*}} [128, 256] grouped(8) : !tile.buffer<?x?xf16, global>
  %i, %j = tile.block_order %b of %c[128, 256] grouped(8) : !matrix
  // CHECK: tile.block_order %{{[^ ]*}} of %{{[^ ]*}} [8, 16] rows : !tile.buffer<32x64xf16, shared>
  %k, %l = tile.block_order %b of %s [8, 16] rows : !tile
  return
}

// CHECK-LABEL: func.func @constants
func.func @constants(%c: !matrix, %s: !tile, %b: !bytes, %i: index) {
  // CHECK: tile.fill 0.000000e+00 to %{{[^ ]*}} scope(cta) : !tile.buffer<32x64xf16, shared>
  tile.fill 0.0 to %s scope(cta) : !tile
  // CHECK: tile.fill -inf to
  tile.fill -inf to %s scope(cta) : !tile
  // CHECK: tile.fill inf to
  tile.fill inf to %s scope(cta) : !tile
  // CHECK: tile.fill nan to
  tile.fill nan to %s scope(cta) : !tile
  // CHECK: tile.fill -1.500000e+00 : f16 to
  tile.fill -1.5 : f16 to %s scope(cta) : !tile
  // CHECK: tile.fill 0x7E01 : f16 to
  tile.fill 0x7E01 : f16 to %s scope(cta) : !tile
  // CHECK: tile.fill -128 to
  tile.fill -128 to %b scope(cta) : !bytes
  // CHECK: tile.fill 255 to
  tile.fill 0xFF to %b scope(cta) : !bytes
  // CHECK: scope(cta) masked fill(0.000000e+00) :
  tile.copy %c[%i, 0] [32, 64] to %s scope(cta) fill(0.0) masked : !matrix to !tile
  // CHECK: scope(cta) group masked fill(-inf) {variant = "ldgsts"} :
  tile.copy_async %c[%i, 0] [32, 64] to %s scope(cta) group masked fill(-inf) {variant = "ldgsts"} : !matrix to !tile
  return
}

// CHECK-LABEL: func.func @sizes
func.func @sizes(%c: !matrix, %s: !tile, %i: index) {
  // CHECK: tile.copy %{{[^ ]*}}[%{{.*}}, 0] [32, 64] to %{{[^ ]*}} scope(cta) :
  tile.copy %c[%i, 0] to %s scope(cta) : !matrix to !tile
  // CHECK: tile.copy %{{[^ ]*}} to %{{[^ ]*}}[0, %{{.*}}] [32, 64] scope(cta) :
  tile.copy %s to %c[0, %i] scope(cta) : !tile to !matrix
  // CHECK: tile.copy_async %{{[^ ]*}}[%{{.*}}, 0] [8, 64] to %{{[^ ]*}}[0, 0] [8, 64] scope(cta) :
  tile.copy_async %c[%i, 0] to %s[0, 0] [8, 64] scope(cta) : !matrix to !tile
  // CHECK: tile.copy_async %{{[^ ]*}}[%{{.*}}, 0] [8, 64] to %{{[^ ]*}}[0, 0] [8, 64] scope(cta) :
  tile.copy_async %c[%i, 0] [8, 64] to %s[0, 0] scope(cta) : !matrix to !tile
  return
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%c: !matrix, %t: !tile) {
  // CHECK: %{{.*}}:2 = tile.allocs : !tile.buffer<32x64xf16, shared>, !tile.buffer<32x64xi8, shared>{{$}}
  %s, %b = tile.allocs : !tile, !bytes
  // CHECK: %{{.*}} = tile.allocs {note = "kept"} : !tile.buffer<32x64xf16, shared>{{$}}
  %one = tile.allocs {note = "kept"} : !tile
  // CHECK: %{{.*}}:2 = tile.extents %{{.*}} : !tile.buffer<?x?xf16, global>{{$}}
  %m, %n = tile.extents %c : !matrix
  // CHECK: %{{.*}}:2 = tile.extents %{{.*}} {note = "kept"} : !tile.buffer<32x64xf16, shared>{{$}}
  %rows, %columns = tile.extents %t {note = "kept"} : !tile
  return
}

// CHECK-LABEL: func.func @functions
func.func @functions(%s: !tile, %b: !bytes) {
  // CHECK: tile.map { arith.addf } %[[S:.*]], %[[S]] to %[[S]] scope(cta) : !tile.buffer<32x64xf16, shared>, !tile.buffer<32x64xf16, shared> to !tile.buffer<32x64xf16, shared>{{$}}
  tile.map { arith.addf } %s, %s to %s scope(cta) : !tile, !tile to !tile
  // CHECK: tile.map { math.exp {fastmath = #arith.fastmath<afn>} } %[[S]] to %[[S]] scope(cta) {note = "kept"} : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x64xf16, shared>{{$}}
  tile.map { math.exp {fastmath = #arith.fastmath<afn>} } %s to %s scope(cta) {note = "kept"} : !tile to !tile
  // CHECK: tile.map { arith.fptosi } %[[S]] to %[[B:.*]] scope(cta) :
  tile.map {arith.fptosi} %s to %b scope(cta) : !tile to !bytes
  // CHECK: tile.map { arith.addui_extended } %[[B]], %[[B]] to %[[B]], %{{.*}} scope(cta) :
  %carry = tile.alloc : !tile.buffer<32x64xi1, shared>
  tile.map { arith.addui_extended } %b, %b to %b, %carry scope(cta) : !bytes, !bytes to !bytes, !tile.buffer<32x64xi1, shared>
  // CHECK: tile.map { arith.constant {value = 1 : i8} } to %[[B]] scope(cta) : to !tile.buffer<32x64xi8, shared>{{$}}
  tile.map { arith.constant {value = 1 : i8} } to %b scope(cta) : to !bytes
  // A region that is such a function is written so, too.
  // CHECK: tile.map { arith.mulf } %[[S]], %[[S]] to %[[S]] scope(cta) : {{.*}}shared>{{$}}
  tile.map %s, %s to %s scope(cta) : !tile, !tile to !tile {
  ^bb0(%x: f16, %y: f16):
    %p = arith.mulf %x, %y : f16
    tile.yield %p : f16
  }
  // Operands in another order, of another count, coordinates, values from outside: other functions.
  // CHECK: tile.map %[[S]], %[[S]] to %[[S]] scope(cta) : {{.*}} {
  tile.map %s, %s to %s scope(cta) : !tile, !tile to !tile {
  ^bb0(%x: f16, %y: f16):
    %p = arith.subf %y, %x : f16
    tile.yield %p : f16
  }
  // CHECK: tile.map %[[S]] to %[[S]] scope(cta) : {{.*}} {
  tile.map %s to %s scope(cta) : !tile to !tile {
  ^bb0(%x: f16):
    %p = arith.mulf %x, %x : f16
    tile.yield %p : f16
  }
  // CHECK: tile.map %[[S]] to %[[S]] scope(cta) : {{.*}} {
  tile.map %s to %s scope(cta) : !tile to !tile {
  ^bb0(%x: f16, %i: index, %j: index):
    %p = arith.negf %x : f16
    tile.yield %p : f16
  }
  // CHECK: tile.map %[[S]] to %[[S]] scope(cta) : {{.*}} {
  tile.map %s to %s scope(cta) : !tile to !tile {
  ^bb0(%x: f16):
    tile.yield %x : f16
  }
  return
}

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @ends
  gpu.func @ends(%done: i1) kernel {
    // CHECK: tile.return_if %{{.*}}
    tile.return_if %done
    gpu.return
  }
}

// CHECK-LABEL: func.func @launches
func.func @launches(%done: i1, %n: index) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n) threads(%g, %h, %i) in (%j = %n, %k = %n, %l = %n) {
    // CHECK: tile.return_if %{{.*}}
    tile.return_if %done
    gpu.terminator
  }
  return
}
