// Elements of a source that belong to several of a result's: bytes of two 4-bit codes, scales of groups. A table of values is a constant
// vector that a code indexes.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run kernels.mlir --entry product --chip sm_80 --grid 2,2 --schedule all --arg f16[70x192]=a.npy --arg i8[96x80]=q.npy \
// RUN:   --arg f16[6x80]=s.npy --arg f32[70x80]=poison --expect 3=c.npy --rtol 1e-3 --atol 1e-2
// RUN: cd %t && tile-run kernels.mlir --entry product --chip sm_90a --grid 2,2 --schedule all --arg f16[70x192]=a.npy --arg i8[96x80]=q.npy \
// RUN:   --arg f16[6x80]=s.npy --arg f32[70x80]=poison --expect 3=c.npy --rtol 1e-3 --atol 1e-2
// RUN: cd %t && tile-run kernels.mlir --entry table --schedule all --arg i8[32x32]=codes.npy --arg f16[32x4]=scales.npy --arg f16[32x64]=poison \
// RUN:   --expect 2=values.npy
// RUN: cd %t && tile-run kernels.mlir --entry registers --schedule all --arg i8[32x32]=codes.npy --arg f16[32x4]=scales.npy --arg f16[32x64]=poison \
// RUN:   --expect 2=values.npy
// RUN: cd %t && tile-run kernels.mlir --entry odd --schedule all --arg f32[21x5]=odd.npy --arg f32[63x10]=poison --expect 1=repeated.npy
// RUN: cd %t && tile-run kernels.mlir --entry parts --schedule all --arg f32[64x32]=wide.npy --arg f32[128x128]=poison --expect 1=blocks.npy
// RUN: cd %t && tile-translate --tile-to-ptx kernels.mlir --kernel table | FileCheck kernels.mlir --check-prefix=PTX
// RUN: cd %t && tile-opt --tile-choose-layouts kernels.mlir | FileCheck kernels.mlir

//--- kernels.mlir
#nf4 = dense<[-1.0, -0.6961928, -0.5250731, -0.39491748, -0.28444138, -0.18477343, -0.09105003, 0.0,
              0.0795803, 0.1609302, 0.2461123, 0.33791524, 0.44070983, 0.562617, 0.72295684, 1.0]> : vector<16xf16>
!matrix = !tile.buffer<?x?xf16, global>
!bytes = !tile.buffer<?x?xi8, global>
!sums_out = !tile.buffer<?x?xf32, global>
!a = !tile.buffer<64x64xf16, shared, auto>
!b = !tile.buffer<64x64xf16, shared, auto>
!q = !tile.buffer<32x64xi8, shared, auto>
!s = !tile.buffer<2x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
!codes = !tile.buffer<32x32xi8, shared>
!groups = !tile.buffer<32x4xf16, shared>
!values = !tile.buffer<32x64xf16, shared>
!rcodes = !tile.buffer<32x32xi8, local, auto>
!rgroups = !tile.buffer<32x4xf16, local, auto>
!rvalues = !tile.buffer<32x64xf16, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // C = A W, W[k, n] = (code - 8) S[k / 32, n], two codes of neighbours in k in a byte. Rows of A and columns of W are masked.
  gpu.func @product(%A: memref<?x?xf16>, %Q: memref<?x?xi8>, %S: memref<?x?xf16>, %C: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %no = arith.constant 0 : i8
    %pa = tile.assume %A divisible_by 8 : memref<?x?xf16>
    %pq = tile.assume %Q divisible_by 16 : memref<?x?xi8>
    %ps = tile.assume %S divisible_by 8 : memref<?x?xf16>
    %k = memref.dim %A, %c1 : memref<?x?xf16>
    %a = tile.view %pa : memref<?x?xf16>
    %q = tile.view %pq : memref<?x?xi8>
    %s = tile.view %ps : memref<?x?xf16>
    %c = tile.view %C : memref<?x?xf32>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %c64 : index
    %column = arith.muli %x, %c64 : index
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %sq = tile.alloc : !q
    %ss = tile.alloc : !s
    %sums = tile.alloc : !sums
    tile.fill %none to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %c64 {
      %half = arith.divui %i, %c2 : index
      %group = arith.divui %i, %c32 : index
      tile.copy_async %a[%row, %i] [64, 64] to %sa scope(cta) masked fill(%zero : f16) : !matrix to !a
      tile.copy_async %q[%half, %column] [32, 64] to %sq scope(cta) masked fill(%no : i8) : !bytes to !q
      tile.copy_async %s[%group, %column] [2, 64] to %ss scope(cta) masked fill(%zero : f16) : !matrix to !s
      tile.map %sq, %ss to %sb scope(cta) : !q, !s to !b {
      ^bb0(%byte: i8, %scale: f16, %d: index, %n: index):
        %c4 = arith.constant 4 : index
        %c15 = arith.constant 15 : i8
        %c8 = arith.constant 8 : i8
        %odd = arith.remui %d, %c2 : index
        %bits = arith.muli %odd, %c4 : index
        %shift = arith.index_cast %bits : index to i8
        %moved = arith.shrui %byte, %shift : i8
        %code = arith.andi %moved, %c15 : i8
        %signed = arith.subi %code, %c8 : i8
        %number = arith.sitofp %signed : i8 to f16
        %w = arith.mulf %number, %scale : f16
        tile.yield %w : f16
      }
      tile.mma %sa, %sb, %sums scope(cta) : !a, !b, !sums
    } {tile.stages = 2 : i64}
    tile.copy %sums to %c[%row, %column] [64, 64] scope(cta) masked : !sums to !sums_out
    gpu.return
  }

  // The table is loaded from global memory; nothing goes through the stack of a thread.
  // PTX-NOT: .local
  // PTX: .global .align 2 .b8 tile_table[32]
  // PTX-NOT: st.local
  // PTX: ld.global.nc.b16
  gpu.func @table(%Q: memref<32x32xi8>, %S: memref<32x4xf16>, %W: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %table = arith.constant #nf4
    %q = tile.view %Q : memref<32x32xi8>
    %s = tile.view %S : memref<32x4xf16>
    %w = tile.view %W : memref<32x64xf16>
    %sq = tile.alloc : !codes
    %ss = tile.alloc : !groups
    %sw = tile.alloc : !values
    tile.copy %q to %sq scope(cta) : !tile.buffer<32x32xi8, global> to !codes
    tile.copy %s to %ss scope(cta) : !tile.buffer<32x4xf16, global> to !groups
    tile.map %sq, %ss to %sw scope(cta) : !codes, !groups to !values {
    ^bb0(%byte: i8, %scale: f16, %i: index, %j: index):
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c15 = arith.constant 15 : i8
      %odd = arith.remui %j, %c2 : index
      %bits = arith.muli %odd, %c4 : index
      %shift = arith.index_cast %bits : index to i8
      %moved = arith.shrui %byte, %shift : i8
      %code = arith.andi %moved, %c15 : i8
      %at = arith.index_castui %code : i8 to index
      %v = vector.extract %table[%at] : f16 from vector<16xf16>
      %r = arith.mulf %v, %scale : f16
      tile.yield %r : f16
    }
    tile.copy %sw to %w scope(cta) : !values to !tile.buffer<32x64xf16, global>
    gpu.return
  }

  // The layouts of the codes and of the scales follow from that of the values.
  // CHECK-LABEL: @registers
  // CHECK-DAG: !tile.buffer<32x64xf16, local, #tile.layout<(2, 16, 8, 8) : (8, 8@tx, 1@tx, 1)>>
  // CHECK-DAG: !tile.buffer<32x32xi8, local, #tile.layout<(2, 16, 8, 4) : (4, 8@tx, 1@tx, 1)>>
  // CHECK-DAG: !tile.buffer<32x4xf16, local, #tile.layout<(2, 16, 4) : (1, 8@tx, 2@tx) + R(2 : 1@tx)>>
  gpu.func @registers(%Q: memref<32x32xi8>, %S: memref<32x4xf16>, %W: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %table = arith.constant #nf4
    %q = tile.view %Q : memref<32x32xi8>
    %s = tile.view %S : memref<32x4xf16>
    %w = tile.view %W : memref<32x64xf16>
    %rq = tile.alloc : !rcodes
    %rs = tile.alloc : !rgroups
    %rw = tile.alloc : !rvalues
    tile.copy %q to %rq scope(cta) : !tile.buffer<32x32xi8, global> to !rcodes
    tile.copy %s to %rs scope(cta) : !tile.buffer<32x4xf16, global> to !rgroups
    tile.map %rq, %rs to %rw scope(cta) : !rcodes, !rgroups to !rvalues {
    ^bb0(%byte: i8, %scale: f16, %i: index, %j: index):
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c15 = arith.constant 15 : i8
      %odd = arith.remui %j, %c2 : index
      %bits = arith.muli %odd, %c4 : index
      %shift = arith.index_cast %bits : index to i8
      %moved = arith.shrui %byte, %shift : i8
      %code = arith.andi %moved, %c15 : i8
      %at = arith.index_castui %code : i8 to index
      %v = vector.extract %table[%at] : f16 from vector<16xf16>
      %r = arith.mulf %v, %scale : f16
      tile.yield %r : f16
    }
    tile.copy %rw to %w scope(cta) : !rvalues to !tile.buffer<32x64xf16, global>
    gpu.return
  }

  // Extents that no power of two divides.
  gpu.func @odd(%A: memref<21x5xf32>, %B: memref<63x10xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<21x5xf32>
    %b = tile.view %B : memref<63x10xf32>
    %sa = tile.alloc : !tile.buffer<21x5xf32, shared>
    %sb = tile.alloc : !tile.buffer<63x10xf32, shared>
    tile.copy %a to %sa scope(cta) : !tile.buffer<21x5xf32, global> to !tile.buffer<21x5xf32, shared>
    tile.map %sa to %sb scope(cta) : !tile.buffer<21x5xf32, shared> to !tile.buffer<63x10xf32, shared> {
    ^bb0(%e: f32):
      tile.yield %e : f32
    }
    tile.copy %sb to %b scope(cta) : !tile.buffer<63x10xf32, shared> to !tile.buffer<63x10xf32, global>
    gpu.return
  }

  // A tile that is too large for the registers of a block at once is computed in parts.
  gpu.func @parts(%A: memref<64x32xf32>, %B: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32>
    %b = tile.view %B : memref<128x128xf32>
    %sa = tile.alloc : !tile.buffer<64x32xf32, shared>
    %sb = tile.alloc : !tile.buffer<128x128xf32, shared>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x32xf32, global> to !tile.buffer<64x32xf32, shared>
    tile.map %sa to %sb scope(cta) : !tile.buffer<64x32xf32, shared> to !tile.buffer<128x128xf32, shared> {
    ^bb0(%e: f32, %i: index, %j: index):
      %n = arith.index_cast %j : index to i32
      %f = arith.sitofp %n : i32 to f32
      %r = arith.addf %e, %f : f32
      tile.yield %r : f32
    }
    tile.copy %sb to %b scope(cta) : !tile.buffer<128x128xf32, shared> to !tile.buffer<128x128xf32, global>
    gpu.return
  }
}
//--- data.py
import numpy as np
r, s = np.random.default_rng(5), np.save
a = r.integers(-3, 4, (70, 192)).astype("f2")
codes = r.integers(0, 16, (192, 80))
scales = (r.integers(1, 5, (6, 80)) / 8).astype("f2")
w = ((codes - 8).astype("f2") * np.repeat(scales, 32, 0)).astype("f2")
s("a", a)
s("q", (codes[0::2] | codes[1::2] << 4).astype("u1").view("i1"))
s("s", scales)
s("c", a.astype("f4") @ w.astype("f4"))
nf4 = np.array([-1.0, -0.6961928, -0.5250731, -0.39491748, -0.28444138, -0.18477343, -0.09105003, 0.0,
                0.0795803, 0.1609302, 0.2461123, 0.33791524, 0.44070983, 0.562617, 0.72295684, 1.0]).astype("f2")
codes = r.integers(0, 16, (32, 64))
scales = r.normal(size=(32, 4)).astype("f2")
s("codes", (codes[:, 0::2] | codes[:, 1::2] << 4).astype("u1").view("i1"))
s("scales", scales)
s("values", nf4[codes] * np.repeat(scales, 16, 1))
odd = r.normal(size=(21, 5)).astype("f4")
s("odd", odd)
s("repeated", np.repeat(np.repeat(odd, 3, 0), 2, 1))
wide = r.integers(-99, 99, (64, 32)).astype("f4")
s("wide", wide)
s("blocks", np.repeat(np.repeat(wide, 2, 0), 4, 1) + np.arange(128, dtype="f4"))
