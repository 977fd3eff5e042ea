// A loop with stages in a version: a ring of cp.async where rows are multiples of 16 bytes, and a plain loop where elements of 2 bytes are
// copied one by one. The user wrote one loop.
// RUN: tile-opt %s --tile-build -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
// CHECK: [Missed] ring-without-promises {{.*}}Remark="the loop has no stages where nothing is promised: its copies are synchronous there"
// CHECK-NOT: ring-without-promises
// RUN: tile-run %s --schedule=all --arg f16[100x64]=random --arg f16[100x64]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=WIDE
// RUN: tile-run %s --schedule=all --arg f16[100x61]=random --arg f16[100x61]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ANY
// RUN: tile-run %s --schedule=all --arg f16[31x64]=random --arg f16[31x64]=poison --expect-equal 0,1
// WIDE: cp.async.cg.shared.global
// ANY-NOT: cp.async.c
// ANY: ld.global.nc.b16

// A loop outside of versions still says that nothing would be in flight.
// RUN: not tile-opt %s --tile-expand-versions=once --tile-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONCE
// ONCE: error: 'tile.copy_async' op is done synchronously, so nothing is in flight

!m = !tile.buffer<?x?xf16, global>
!s = !tile.buffer<32x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @k(%X: memref<?x?xf16>, %Y: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f16
    %m = memref.dim %X, %c0 : memref<?x?xf16>
    %x = tile.view %X : memref<?x?xf16>
    %y = tile.view %Y : memref<?x?xf16>
    tile.version %X divisible_by 8 : memref<?x?xf16> {
      scf.for %i = %c0 to %m step %c32 {
        %s = tile.alloc : !s
        tile.copy_async %x[%i, 0] [32, 64] to %s scope(cta) masked fill(%zero : f16) : !m to !s
        tile.copy %s to %y[%i, 0] [32, 64] scope(cta) masked : !s to !m
      } {tile.stages = 2 : i64}
    }
    gpu.return
  }
}
