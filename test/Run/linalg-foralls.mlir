// Loops over warps, threads and warpgroups: upstream's mapping gives them numbers, and what is in them is done by that scope. Values are
// compared under every schedule of the threads.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: tile-opt %t/loops.mlir --convert-linalg-to-tile=chip=sm_90a | FileCheck %s
// RUN: cd %t && tile-run loops.mlir --schedule all --entry rows --arg f32[128x64]=a.npy --arg f32[128x64]=poison --expect 1=rows.npy --rtol 1e-5
// RUN: cd %t && tile-run loops.mlir --schedule all --entry product --arg f16[64x128]=l.npy --arg f16[128x64]=r.npy --arg f32[64x64]=poison --expect 2=p.npy \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: cd %t && tile-run loops.mlir --schedule all --chip sm_90a --entry groups --arg f16[128x64]=gl.npy --arg f16[64x64]=gr.npy --arg f32[128x64]=poison --expect 2=gp.npy \
// RUN:   | FileCheck %s --check-prefix=GROUPS
// RUN: cd %t && tile-run loops.mlir --schedule all --entry threads --arg f32[64x8]=t.npy --arg f32[64x8]=poison --arg f32[64x128]=c.npy --arg f32[32]=poison \
// RUN:   --expect 1=e.npy --expect 2=abs.npy --expect 3=d.npy --rtol 1e-5

// What upstream has mapped already: the scope follows from the operands.
// RUN: mlir-opt %t/launch.mlir --transform-preload-library=transform-library-paths=%t/script.mlir --transform-interpreter -o %t/mapped.mlir
// RUN: tile-opt %t/mapped.mlir --convert-linalg-to-tile | FileCheck %s --check-prefix=MAPPED
// RUN: tile-opt %t/mapped.mlir --gpu-kernel-outlining -o %t/kernel.mlir
// RUN: cd %t && tile-run kernel.mlir --schedule all --arg f32[128x64]=a.npy --arg f32[128x64]=poison --expect 1=rows.npy --rtol 1e-5

// Loops that the block does not fit, whose number of iterations is not known, and in a kernel whose block is not known.
// RUN: tile-opt %t/stays.mlir --convert-linalg-to-tile -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: not tile-opt %t/stays.mlir --convert-linalg-to-tile=strict -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not tile-opt %t/stays.mlir --tile-build -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// STAYS-DAG: [Missed] stays-forall | {{.*}}Function=many | Reason="its iterations are no threads of the block: the number of required parallel resources (blocks or threads) 160 overflows the number of available resources 128"
// STAYS-DAG: [Missed] stays-forall | {{.*}}Function=unknown | Reason="its iterations are no threads of the block: requires statically sized
// STAYS-DAG: [Missed] product-not-multiplied | {{.*}}Function=group | Reason="a warpgroup by mma_sync, expected wgmma, or a forall of warps"
// STAYS-DAG: [Missed] stays-block-size-unknown | {{.*}}Function=block
// RUN: not tile-opt %t/word.mlir --convert-linalg-to-tile=strict -o /dev/null 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: 'linalg.fill' op stays as it is: got tile.scope = "wrap", expected one of thread, warp, warpgroup, cta in quotes
// STRICT: error: 'scf.forall' op stays as it is: its iterations are no threads of the block: the number of required parallel resources

// CHECK-LABEL: gpu.func @rows
// CHECK: tile.fill {{.*}} scope(warp)
// CHECK: tile.reduce add {{.*}} scope(warp)
// CHECK: tile.map {{.*}} scope(warp)
// CHECK-LABEL: gpu.func @product
// CHECK: tile.copy {{.*}} scope(cta)
// CHECK: tile.fill {{.*}} scope(warp) : f32 to !tile.buffer<32x32xf32, local, auto>
// CHECK: %[[A:.*]] = tile.subview %{{.*}} [32, 32] : !tile.buffer<64x128xf16, shared, auto>
// CHECK: tile.mma %[[A]], %{{.*}} scope(warp)
// CHECK-LABEL: gpu.func @groups
// CHECK: tile.mma {{.*}} scope(warpgroup)
// CHECK-LABEL: gpu.func @threads
// CHECK: tile.map {{.*}} scope(thread) : !tile.buffer<1x8xf32, local>
// CHECK: math.absf
// CHECK-NOT: linalg.
// CHECK-NOT: scf.forall
// PTX: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// PTX: all instructions {{.*}} 0{{$}}
// GROUPS: wgmma.mma_async
// MAPPED: tile.fill {{.*}} scope(warp)
// MAPPED: tile.reduce add {{.*}} scope(warp)
// MAPPED-NOT: linalg.

//--- loops.mlir
#map = affine_map<(i) -> (i * 32)>
!row = memref<32x64xf32, strided<[64, 1], offset: ?>>
gpu.module @kernels {
  // Each warp normalizes the rows of its own; the sums are the warp's.
  gpu.func @rows(%A: memref<128x64xf32>, %B: memref<128x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    scf.forall (%w) in (4) {
      %r = affine.apply #map(%w)
      %a = memref.subview %A[%r, 0] [32, 64] [1, 1] : memref<128x64xf32> to !row
      %b = memref.subview %B[%r, 0] [32, 64] [1, 1] : memref<128x64xf32> to !row
      %s = memref.alloca() : memref<32xf32>
      linalg.fill ins(%zero : f32) outs(%s : memref<32xf32>)
      linalg.reduce ins(%a : !row) outs(%s : memref<32xf32>) dimensions = [1]
        (%in: f32, %out: f32) {
          %sum = arith.addf %in, %out : f32
          linalg.yield %sum : f32
        }
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                      iterator_types = ["parallel", "parallel"]} ins(%a, %s : !row, memref<32xf32>) outs(%b : !row) {
      ^bb0(%x: f32, %sum: f32, %o: f32):
        %y = arith.divf %x, %sum : f32
        linalg.yield %y : f32
      }
    } {mapping = [#gpu.warp<x>]}
    gpu.return
  }
  // The block loads tiles, 2 x 2 warps multiply parts of them.
  gpu.func @product(%A: memref<64x128xf16>, %B: memref<128x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %sa = memref.alloc() : memref<64x128xf16, #gpu.address_space<workgroup>>
    %sb = memref.alloc() : memref<128x64xf16, #gpu.address_space<workgroup>>
    memref.copy %A, %sa : memref<64x128xf16> to memref<64x128xf16, #gpu.address_space<workgroup>>
    memref.copy %B, %sb : memref<128x64xf16> to memref<128x64xf16, #gpu.address_space<workgroup>>
    scf.forall (%i, %j) in (2, 2) {
      %r = affine.apply #map(%i)
      %c = affine.apply #map(%j)
      %sums = memref.alloca() : memref<32x32xf32>
      linalg.fill ins(%zero : f32) outs(%sums : memref<32x32xf32>)
      scf.for %k = %c0 to %c128 step %c32 {
        %a = memref.subview %sa[%r, %k] [32, 32] [1, 1] : memref<64x128xf16, #gpu.address_space<workgroup>> to memref<32x32xf16, strided<[128, 1], offset: ?>, #gpu.address_space<workgroup>>
        %b = memref.subview %sb[%k, %c] [32, 32] [1, 1] : memref<128x64xf16, #gpu.address_space<workgroup>> to memref<32x32xf16, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>
        linalg.matmul ins(%a, %b : memref<32x32xf16, strided<[128, 1], offset: ?>, #gpu.address_space<workgroup>>, memref<32x32xf16, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>)
          outs(%sums : memref<32x32xf32>)
      }
      %o = memref.subview %C[%r, %c] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
      memref.copy %sums, %o : memref<32x32xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    } {mapping = [#gpu.warp<linear_dim_1>, #gpu.warp<linear_dim_0>]}
    gpu.return
  }
  // Each warpgroup multiplies its half of the rows.
  gpu.func @groups(%A: memref<128x64xf16>, %B: memref<64x64xf16>, %C: memref<128x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    scf.forall (%g) in (2) {
      %r = affine.apply affine_map<(i) -> (i * 64)>(%g)
      %a = memref.subview %A[%r, 0] [64, 64] [1, 1] : memref<128x64xf16> to memref<64x64xf16, strided<[64, 1], offset: ?>>
      %c = memref.subview %C[%r, 0] [64, 64] [1, 1] : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
      %sums = memref.alloca() : memref<64x64xf32>
      linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
      linalg.matmul ins(%a, %B : memref<64x64xf16, strided<[64, 1], offset: ?>>, memref<64x64xf16>) outs(%sums : memref<64x64xf32>)
      memref.copy %sums, %c : memref<64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    } {mapping = [#gpu.warpgroup<x>]}
    gpu.return
  }
  // Threads: vectors, a small tile, and what is too large for registers; then scalar accesses that need a barrier.
  gpu.func @threads(%A: memref<64x8xf32>, %B: memref<64x8xf32>, %C: memref<64x128xf32>, %D: memref<32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    scf.forall (%t) in (64) {
      %a = memref.subview %A[%t, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
      %b = memref.subview %B[%t, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
      linalg.exp ins(%a : memref<1x8xf32, strided<[8, 1], offset: ?>>) outs(%b : memref<1x8xf32, strided<[8, 1], offset: ?>>)
      %c = memref.subview %C[%t, 0] [1, 128] [1, 1] : memref<64x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
      linalg.abs ins(%c : memref<1x128xf32, strided<[128, 1], offset: ?>>) outs(%c : memref<1x128xf32, strided<[128, 1], offset: ?>>)
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%t) in (32) {
      %c5 = arith.constant 5 : index
      %c63 = arith.constant 63 : index
      %other = arith.subi %c63, %t : index
      %x = memref.load %B[%other, %c5] : memref<64x8xf32>
      memref.store %x, %D[%t] : memref<32xf32>
    } {mapping = [#gpu.thread<x>]}
    gpu.return
  }
}
//--- launch.mlir
#map = affine_map<(i) -> (i * 32)>
!row = memref<32x64xf32, strided<[64, 1], offset: ?>>
module {
  func.func @rows(%A: memref<128x64xf32>, %B: memref<128x64xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch blocks(%bx, %by, %bz) in (%nbx = %c1, %nby = %c1, %nbz = %c1) threads(%tx, %ty, %tz) in (%ntx = %c128, %nty = %c1, %ntz = %c1) {
    %zero = arith.constant 0.0 : f32
    scf.forall (%w) in (4) {
      %r = affine.apply #map(%w)
      %a = memref.subview %A[%r, 0] [32, 64] [1, 1] : memref<128x64xf32> to !row
      %b = memref.subview %B[%r, 0] [32, 64] [1, 1] : memref<128x64xf32> to !row
      %s = memref.alloca() : memref<32xf32>
      linalg.fill ins(%zero : f32) outs(%s : memref<32xf32>)
      linalg.reduce ins(%a : !row) outs(%s : memref<32xf32>) dimensions = [1]
        (%in: f32, %out: f32) {
          %sum = arith.addf %in, %out : f32
          linalg.yield %sum : f32
        }
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                      iterator_types = ["parallel", "parallel"]} ins(%a, %s : !row, memref<32xf32>) outs(%b : !row) {
      ^bb0(%x: f32, %sum: f32, %o: f32):
        %y = arith.divf %x, %sum : f32
        linalg.yield %y : f32
      }
    } {mapping = [#gpu.warp<x>]}
      gpu.terminator
    }
    return
  }
}
//--- script.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%top: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %top : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [128, 1, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
//--- stays.mlir
gpu.module @kernels {
  gpu.func @many(%A: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %one = arith.constant 1.0 : f32
    scf.forall (%i) in (5) {
      memref.store %one, %A[%i] : memref<64xf32>
    } {mapping = [#gpu.warp<x>]}
    gpu.return
  }
  gpu.func @unknown(%A: memref<64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %one = arith.constant 1.0 : f32
    scf.forall (%i) in (%n) {
      memref.store %one, %A[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    gpu.return
  }
  gpu.func @group(%A: memref<128x64xf16>, %B: memref<64x64xf16>, %C: memref<128x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    scf.forall (%g) in (2) {
      %r = affine.apply affine_map<(i) -> (i * 64)>(%g)
      %a = memref.subview %A[%r, 0] [64, 64] [1, 1] : memref<128x64xf16> to memref<64x64xf16, strided<[64, 1], offset: ?>>
      %c = memref.subview %C[%r, 0] [64, 64] [1, 1] : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
      linalg.matmul ins(%a, %B : memref<64x64xf16, strided<[64, 1], offset: ?>>, memref<64x64xf16>) outs(%c : memref<64x64xf32, strided<[64, 1], offset: ?>>)
    } {mapping = [#gpu.warpgroup<x>]}
    gpu.return
  }
  gpu.func @block(%A: memref<64xf32>) kernel {
    %one = arith.constant 1.0 : f32
    scf.forall (%i) in (4) {
      memref.store %one, %A[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    gpu.return
  }
}
//--- word.mlir
gpu.module @kernels {
  gpu.func @word(%A: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %one = arith.constant 1.0 : f32
    linalg.fill {tile.scope = "wrap"} ins(%one : f32) outs(%A : memref<64xf32>)
    gpu.return
  }
}
//--- data.py
import numpy
r = numpy.random.default_rng(1)
a = r.random((128, 64), dtype="f4") + 0.5
numpy.save("a", a)
numpy.save("rows", a / a.sum(1, keepdims=True))
left, right = r.integers(-2, 3, (64, 128)).astype("f2"), r.integers(-2, 3, (128, 64)).astype("f2")
numpy.save("l", left)
numpy.save("r", right)
numpy.save("p", left.astype("f4") @ right.astype("f4"))
left, right = r.integers(-2, 3, (128, 64)).astype("f2"), r.integers(-2, 3, (64, 64)).astype("f2")
numpy.save("gl", left)
numpy.save("gr", right)
numpy.save("gp", left.astype("f4") @ right.astype("f4"))
t = r.random((64, 8), dtype="f4")
numpy.save("t", t)
numpy.save("e", numpy.exp(t))
c = r.standard_normal((64, 128)).astype("f4")
numpy.save("c", c)
numpy.save("abs", abs(c))
numpy.save("d", numpy.exp(t)[63 - numpy.arange(32), 5])
