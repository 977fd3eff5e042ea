// A masked copy whose region may be entirely inside becomes two: a uniform branch selects either the unmasked copy, by any
// variant, or vectors that are checked against the limits, as wide as these allow.
// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s | FileCheck %s
// RUN: tile-opt --lower-tile-copy %s | FileCheck %s --check-prefix=LOWERED
// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s --remarks-filter-passed=tile-copy --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!open = !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (1024, 1)>>
!tile = !tile.buffer<16x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @open
  gpu.func @open(%A: memref<?xf16>, %m: index, %n: index, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f16
    %n8 = tile.assume %n divisible_by 8 : index
    %a = tile.view %A extents(%m, %n8) : memref<?xf16> to !open
    %s = tile.alloc : !tile
    // CHECK:     %[[ROOM:.*]] = arith.subi %arg1, %c16{{.*}} : index
    // CHECK:     %[[END:.*]] = arith.cmpi sge, %[[ROOM]], %arg3 : index
    // CHECK:     %[[BEGIN:.*]] = arith.cmpi sge, %arg3, %c0{{.*}} : index
    // CHECK:     arith.andi %[[BEGIN]], %[[END]] : i1
    // CHECK:     scf.if
    // CHECK:       tile.planned_copy %{{.*}}[%arg3] {{.*}} plan<vectors "gmem_smem", rounds = 1, threads = 128, vector = 8, {{.*}}thread_iters = 2,{{.*}}src = {layout{{.*}}terms = [{value = 0, stride = 1024{{(, [^}]*)?}}}{{.*}}:
    // CHECK:     } else {
    // The columns end at a multiple of 8: each vector is inside or outside.
    // CHECK:       tile.planned_copy %{{.*}}[%arg3] to {{.*}} masked(%arg3, %arg1, %{{.*}}) fill(%{{.*}} : f16)
    // CHECK-SAME:    plan<vectors "gmem_smem", rounds = 1, threads = 128, vector = 8,
    // CHECK-SAME:    mask = {digits = [{extent = 16, dimension = 0, step = 1}, {extent = 8, dimension = 1, step = 8}, {extent = 8, dimension = 1, step = 1}],
    // CHECK-SAME:    limits = [{of = src, dimension = 0, begin = dynamic{value = 0}, extent = dynamic{value = 1}},
    // CHECK-SAME:    {of = src, dimension = 1, begin = const(0), extent = dynamic{value = 2{{[^}]*}}}}]
    // CHECK:     }
    // REMARK: :[[#@LINE+2]]:5: remark: [Passed] gmem_smem | {{.*}}VectorBits=128
    // REMARK: :[[#@LINE+1]]:5: remark: [Passed] gmem_smem | {{.*}}VectorBits=128
    tile.copy %a[%i, 0] [16, 64] to %s scope(cta) masked fill(%zero : f16) : !open to !tile
    gpu.return
  }

  // CHECK-LABEL: gpu.func @odd
  gpu.func @odd(%A: memref<100x50xf16, strided<[64, 1]>>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<100x50xf16, strided<[64, 1]>>
      to !tile.buffer<100x50xf16, global, #tile.layout<(100, 50) : (64, 1)>>
    %s = tile.alloc : !tile
    // A region of 64 columns is never inside 50 columns; 50 allows vectors of 2.
    // CHECK-NOT: scf.if
    // CHECK: tile.planned_copy {{.*}}masked({{.*}}) {{.*}}plan<vectors "gmem_smem", rounds = 4, threads = 128, vector = 2,
    // CHECK-NOT: fill
    tile.copy %a[%i, 0] [16, 64] to %s scope(cta) masked
      : !tile.buffer<100x50xf16, global, #tile.layout<(100, 50) : (64, 1)>> to !tile
    gpu.return
  }

  // A region that is provably inside is not masked.
  // CHECK-LABEL: gpu.func @inside
  gpu.func @inside(%A: memref<100x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<100x64xf16> to !tile.buffer<100x64xf16, global>
    %s = tile.alloc : !tile
    // CHECK-NOT: scf.if
    // CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", {{.*}}vector = 8, {{.*}}thread_iters = 1,{{.*}}:
    tile.copy %a[84, 0] [16, 64] to %s scope(cta) masked : !tile.buffer<100x64xf16, global> to !tile
    gpu.return
  }

  // cp.async reads those of its 16 bytes that are inside, and writes zeros for the rest.
  // CHECK-LABEL: gpu.func @asynchronous
  // LOWERED-LABEL: gpu.func @asynchronous
  gpu.func @asynchronous(%A: memref<100x50xf16, strided<[64, 1]>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<100x50xf16, strided<[64, 1]>>
      to !tile.buffer<100x50xf16, global, #tile.layout<(100, 50) : (64, 1)>>
    %s = tile.alloc : !tile
    // CHECK: tile.planned_copy {{.*}} fill({{.*}}plan<vectors "ldgsts", {{.*}}vector = 8, {{.*}}mask = {
    // LOWERED: %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}} : index
    // LOWERED: arith.minsi %{{.*}}, %[[LEFT]] : index
    // LOWERED: %[[BYTES:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
    // LOWERED: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[BYTES]]
    tile.copy_async %a[96, 0] [16, 64] to %s scope(cta) group masked fill(%zero : f16)
      : !tile.buffer<100x50xf16, global, #tile.layout<(100, 50) : (64, 1)>> to !tile
    gpu.return
  }
}
