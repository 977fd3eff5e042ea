// Rings over the blocks of a cluster: what all blocks need alike, each copies in part, to all of them.
// RUN: split-file %s %t
// RUN: tile-opt --tile-build=lower=false %t/products.mlir -o %t/ring.mlir --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=RING < %t/ring.mlir
// RUN: tile-opt --tile-check-sync %t/ring.mlir -o /dev/null
// RUN: %python %t/products.py %t 200 272 456
// RUN: tile-run %t/products.mlir --entry columns --grid 4,3 --schedule=all --arg f16[200x456]=%t/a.npy --arg f16[456x272]=%t/b.npy --arg f32[200x272]=poison --expect 2=%t/c.npy | FileCheck %s --check-prefix=EXEC
// RUN: tile-run %t/products.mlir --entry columns --grid 4,3 --delete-sync --arg f16[200x456]=%t/a.npy --arg f16[456x272]=%t/b.npy --arg f32[200x272]=poison --expect 2=%t/c.npy | FileCheck %s --check-prefix=DELETED
// RUN: tile-run %t/products.mlir --entry clusters --grid 12 --schedule=all --arg f16[200x456]=%t/a.npy --arg f16[456x272]=%t/b.npy --arg f32[200x272]=poison --expect 2=%t/c.npy
// RUN: %python %t/products.py %t 128 136 64
// RUN: tile-run %t/products.mlir --entry columns --grid 2,2 --schedule=all --arg f16[128x64]=%t/a.npy --arg f16[64x136]=%t/b.npy --arg f32[128x136]=poison --expect 2=%t/c.npy
// RUN: tile-run %t/products.mlir --entry columns --grid 2,2 --schedule=all --arg f16[128x0]=zeros --arg f16[0x136]=zeros --arg f32[128x136]=poison --expect 2=%t/zeros.npy

// Each block has rows of its own of A; of B, the two blocks have the columns in common.
// REMARK:     products.mlir:34:7: remark: [Missed] not-divided | {{.*}}Reason="operand 1 may differ between the blocks"
// REMARK:     products.mlir:34:7: remark: [Passed] tensor-map-chosen
// REMARK:     products.mlir:35:7: remark: [Passed] multicast | {{.*}}Function=columns | Blocks=2, Part=64x64, Remark="each of 2 blocks copies 64x64 of 64x128 elements, to all of them"
// Of four blocks in two dimensions, none have all in common.
// REMARK-NOT: ] multicast | {{.*}}Function=square
// REMARK:     ] multicast | {{.*}}Function=clusters | Blocks=4, Part=16x128
// REMARK-NOT: ] multicast
// REMARK-NOT: maps-not-proved

// RING-LABEL: @columns
// RING:         nvvm.fence.mbarrier.init
// RING:         gpu.barrier
// RING-NEXT:    nvvm.cluster.arrive.relaxed {aligned}
// RING-NEXT:    nvvm.cluster.wait {aligned}
// RING:         scf.for
// RING:           nvvm.mbarrier.try_wait
// RING:           gpu.barrier
// RING-NEXT:      nvvm.cluster.arrive.relaxed {aligned}
// RING-NEXT:      nvvm.cluster.wait {aligned}
// RING-NEXT:      scf.if
// RING:             tile.copy_async {{.*}} [64, 64] to
// RING-NOT:         expect_tx
// RING:             nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16384_i32{{[_0-9]*}}
// RING:             tile.copy_async {{.*}} [64, 64] {{.*}} cta_mask(%c3_i16{{[_0-9]*}})
// RING-NOT:     cluster.ctarank
// RING:         gpu.return

// EXEC:    schedule fair: argument 2 holds
// EXEC:    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
// DELETED: 0 missed

//--- products.py
import sys

import numpy

folder, m, n, k = sys.argv[1], *map(int, sys.argv[2:])
random = numpy.random.default_rng(m)
a = random.integers(-3, 4, (m, k)).astype(numpy.float16)
b = random.integers(-3, 4, (k, n)).astype(numpy.float16)
numpy.save(f"{folder}/a.npy", a)
numpy.save(f"{folder}/b.npy", b)
numpy.save(f"{folder}/c.npy", a.astype(numpy.float32) @ b.astype(numpy.float32))
numpy.save(f"{folder}/zeros.npy", numpy.zeros((m, n), numpy.float32))

//--- products.mlir
!matrix = !tile.buffer<?x?xf16, global>
!result = !tile.buffer<?x?xf32, global>
!a = !tile.buffer<64x64xf16, shared, auto>
!b = !tile.buffer<64x128xf16, shared, auto>
!sums = !tile.buffer<64x128xf32, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Blocks along x have other rows, those along y other columns.
  gpu.func @columns(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %width = memref.dim %B, %c1 : memref<?x?xf16>
    %k = tile.assume %depth divisible_by 8 : index
    %n = tile.assume %width divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%k, %n) strides(%n) : memref<?x?xf16> to !matrix
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xf32> to !result
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c128 : index
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %sums = tile.alloc : !sums
    tile.fill %none to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %c64 {
      tile.copy_async %a[%row, %i] [64, 64] to %sa scope(cta) masked fill(%zero : f16) : !matrix to !a
      tile.copy_async %b[%i, %column] [64, 128] to %sb scope(cta) masked fill(%zero : f16) : !matrix to !b
      tile.mma %sa, %sb, %sums scope(cta) group : !a, !b, !sums
    } {tile.stages = 4 : i64}
    tile.copy %sums to %c[%row, %column] [64, 128] scope(cta) masked : !sums to !result
    gpu.return
  }

  gpu.func @square(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %width = memref.dim %B, %c1 : memref<?x?xf16>
    %k = tile.assume %depth divisible_by 8 : index
    %n = tile.assume %width divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%k, %n) strides(%n) : memref<?x?xf16> to !matrix
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xf32> to !result
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c128 : index
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %sums = tile.alloc : !sums
    tile.fill %none to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %c64 {
      tile.copy_async %a[%row, %i] [64, 64] to %sa scope(cta) masked fill(%zero : f16) : !matrix to !a
      tile.copy_async %b[%i, %column] [64, 128] to %sb scope(cta) masked fill(%zero : f16) : !matrix to !b
      tile.mma %sa, %sb, %sums scope(cta) group : !a, !b, !sums
    } {tile.stages = 4 : i64}
    tile.copy %sums to %c[%row, %column] [64, 128] scope(cta) masked : !sums to !result
    gpu.return
  }

  // The column follows from the number of the cluster, which four blocks have in common.
  gpu.func @clusters(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %width = memref.dim %B, %c1 : memref<?x?xf16>
    %k = tile.assume %depth divisible_by 8 : index
    %n = tile.assume %width divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%k, %n) strides(%n) : memref<?x?xf16> to !matrix
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xf32> to !result
    %columns = arith.ceildivui %n, %c128 : index
    %block = gpu.block_id x
    %cluster = arith.divui %block, %c4 : index
    %rank = arith.remui %block, %c4 : index
    %y, %x = tile.block_order %cluster of (%c1, %columns) grouped(2)
    %four = arith.muli %y, %c4 : index
    %own = arith.addi %four, %rank : index
    %row = arith.muli %own, %c64 : index
    %column = arith.muli %x, %c128 : index
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %sums = tile.alloc : !sums
    tile.fill %none to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %c64 {
      tile.copy_async %a[%row, %i] [64, 64] to %sa scope(cta) masked fill(%zero : f16) : !matrix to !a
      tile.copy_async %b[%i, %column] [64, 128] to %sb scope(cta) masked fill(%zero : f16) : !matrix to !b
      tile.mma %sa, %sb, %sums scope(cta) group : !a, !b, !sums
    } {tile.stages = 4 : i64}
    tile.copy %sums to %c[%row, %column] [64, 128] scope(cta) masked : !sums to !result
    gpu.return
  }
}
