// Loops with a producer: examples of docs, whose loops get the attribute; numpy's results under every schedule. Each wait and each
// arrival that is left out is noticed, where stages are used several times.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t
// RUN: cp %tile_source/docs/examples/attention_wgmma.mlir attention.mlir
// RUN: sed 's/sm_80/sm_90a/; s/tile.stages = 4 : i64/tile.stages = 4 : i64, tile.producer/' %tile_source/docs/examples/gemm.mlir > gemm.mlir
// RUN: %python %tile_source/docs/examples/attention.py 1 130 500 1
// RUN: tile-run attention.mlir --grid 2 --schedule=all --arg f16[1x130x128]=q.npy --arg f16[1x500x128]=k.npy --arg f16[1x500x128]=v.npy --arg f16[1x130x128]=poison --arg i32=1 --expect 3=o.npy,rtol=1e-2,atol=1e-3 | FileCheck %s --check-prefix=ATTENTION
// RUN: %python %tile_source/docs/examples/attention.py 1 60 500 0
// RUN: tile-run attention.mlir --arg f16[1x60x128]=q.npy --arg f16[1x500x128]=k.npy --arg f16[1x500x128]=v.npy --arg f16[1x60x128]=poison --arg i32=0 --expect 3=o.npy,rtol=1e-2,atol=1e-3
// RUN: tile-run attention.mlir --arg f16[1x60x128]=zeros --arg f16[1x0x128]=zeros --arg f16[1x0x128]=zeros --arg f16[1x60x128]=poison --arg i32=0
// RUN: tile-translate --tile-to-ptx attention.mlir | FileCheck %s --check-prefix=PTX
// RUN: tile-opt --tile-build=lower=false attention.mlir -o attention.built.mlir --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt --tile-check-sync attention.built.mlir -o /dev/null
// RUN: FileCheck %s --check-prefix=BUILT < attention.built.mlir
// RUN: %python %tile_source/docs/examples/gemm.py 100 136 584
// RUN: tile-run gemm.mlir --grid 3,2 --schedule=all --arg f16[100x584]=a.npy --arg f16[584x136]=b.npy --arg f32[136]=bias.npy --arg f16[100x136]=poison --expect 3=c.npy | FileCheck %s --check-prefix=GEMM
// RUN: %python %t/product.py %t 200 328 520
// RUN: tile-run product.mlir --grid 2,2 --schedule=all --arg f16[200x520]=a.npy --arg f16[520x328]=b.npy --arg f16[200x328]=poison --expect 2=c.npy | FileCheck %s --check-prefix=PRODUCT
// RUN: tile-run product.mlir --grid 2,2 --delete-sync --arg f16[200x520]=a.npy --arg f16[520x328]=b.npy --arg f16[200x328]=poison --expect 2=c.npy | FileCheck %s --check-prefix=DELETED
// RUN: %python %t/product.py %t 40 8 8
// RUN: tile-run product.mlir --schedule=all --arg f16[40x8]=a.npy --arg f16[8x8]=b.npy --arg f16[40x8]=poison --expect 2=c.npy
// RUN: tile-run product.mlir --schedule=all --arg f16[40x0]=zeros --arg f16[0x8]=zeros --arg f16[40x8]=poison

// ATTENTION: attention: 2x1x1 blocks of 384x1x1 threads
// ATTENTION: schedule starve:0: argument 3 holds what o.npy holds
// GEMM: gemm: 3x2x1 blocks of 256x1x1 threads
// GEMM: schedule starve:0: argument 3 holds what c.npy holds
// PRODUCT: product: 2x2x1 blocks of 384x1x1 threads
// PRODUCT: schedule starve:0: argument 2 holds what c.npy holds
// DELETED: `mbarrier.try_wait.parity.shared.b64`), always true: noticed
// DELETED: `mbarrier.arrive.shared.b64`), removed: noticed
// DELETED: `mbarrier.try_wait.parity.shared.b64`), always true: noticed
// DELETED: `wgmma.wait_group.sync.aligned`), removed: noticed
// DELETED: 0 missed

// Keys are released behind the product with them, values behind that of the next iteration: they are awaited apart.
// REMARK: remark: [Passed] specialised | {{.*}}Awaited=2, Consumers=256, Copies=2, Registers="40, 232", {{.*}}Stages=2
// The registers that warps exchange are divided by the threads of one block: ptxas is told.
// PTX: .reqntid 384
// PTX-NEXT: .minnctapersm 1
// PTX: setmaxnreg.inc.sync.aligned.u32 232
// BUILT:     gpu.barrier
// BUILT:     scf.if
// BUILT:       nvvm.setmaxregister increase 232
// The queries are handed over once, before the loop; nothing in it makes consumers wait for each other.
// BUILT:       nvvm.fence.proxy
// BUILT-NEXT:  gpu.barrier
// BUILT-NEXT:  scf.for
// BUILT-NOT:     nvvm.barrier
// BUILT-NOT:     gpu.barrier
// BUILT:         nvvm.mbarrier.arrive
// BUILT-NOT:     nvvm.barrier
// BUILT-NOT:     gpu.barrier
// BUILT:         nvvm.mbarrier.arrive
// BUILT:     } else {
// BUILT:       nvvm.setmaxregister decrease 40
// BUILT:       scf.for
// BUILT:         nvvm.mbarrier.try_wait
// BUILT:         tile.copy_async {{.*}} scope(warp)
// BUILT:         nvvm.mbarrier.try_wait
// BUILT:         tile.copy_async {{.*}} scope(warp)
// BUILT:     } {tile.role = 256 : i64}

//--- product.py
"""Writes factors and the product of small integers, a.npy, b.npy, c.npy: python3 product.py FOLDER M N K."""

import sys

import numpy

folder, (m, n, k) = sys.argv[1], map(int, sys.argv[2:])
random = numpy.random.default_rng(0)
a = random.integers(-2, 3, (m, k)).astype(numpy.float16)
b = random.integers(-2, 3, (k, n)).astype(numpy.float16)
c = a.astype(numpy.float32) @ b.astype(numpy.float32)
for name, array in (("a", a), ("b", b), ("c", c.astype(numpy.float16))):
    numpy.save(f"{folder}/{name}.npy", array)

//--- product.mlir
!matrix = !tile.buffer<?x?xf16, global>
!a = !tile.buffer<128x64xf16, shared, auto>
!b = !tile.buffer<64x256xf16, shared, auto>
!c = !tile.buffer<128x256xf16, shared, auto>
!sums = !tile.buffer<128x256xf32, local, auto>
!half = !tile.buffer<128x256xf16, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @product(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %width = memref.dim %B, %c1 : memref<?x?xf16>
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %k = tile.assume %depth divisible_by 8 : index
    %n = tile.assume %width divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%k, %n) strides(%n) : memref<?x?xf16> to !matrix
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %c128 : index
    %column = arith.muli %x, %c256 : index
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %sc = tile.alloc : !c
    %sums = tile.alloc : !sums
    %half = tile.alloc : !half
    tile.fill %none to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %c64 {
      tile.copy_async %a[%row, %i] [128, 64] to %sa scope(cta) masked fill(%zero : f16) : !matrix to !a
      tile.copy_async %b[%i, %column] [64, 256] to %sb scope(cta) masked fill(%zero : f16) : !matrix to !b
      tile.mma %sa, %sb, %sums scope(cta) group : !a, !b, !sums
    } {tile.stages = 4 : i64, tile.producer}
    tile.copy %sums to %half scope(cta) : !sums to !half
    tile.copy %half to %sc scope(cta) : !half to !c
    tile.copy %sc to %c[%row, %column] [128, 256] scope(cta) masked : !c to !matrix
    gpu.return
  }
}
