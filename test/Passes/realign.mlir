// Rows that begin at any element: which thread has which chunk depends on the addresses of the buffers, so that each may read all of a row. A copy
// of what another wrote needs a barrier even where both have the same threads and rows; copies of different rows need none.
// RUN: tile-opt %s --verify-diagnostics --tile-check-sync -o /dev/null
// RUN: tile-opt %s --tile-insert-sync | FileCheck %s
// RUN: tile-opt %s --tile-insert-sync | tile-opt --tile-check-sync --lower-tile-copy | FileCheck %s --check-prefix=LOWERED

!rows = !tile.buffer<8x2047xf16, global>
!other = !tile.buffer<8x2049xf16, global>

// CHECK-LABEL: gpu.func @chain
// CHECK: tile.copy
// CHECK: gpu.barrier
// CHECK: tile.copy

// Whole chunks are loaded and stored, and nothing is copied element by element but at ends of rows.
// LOWERED-LABEL: gpu.func @chain
// LOWERED:       llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// LOWERED-NEXT:  llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// LOWERED:       llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// LOWERED:       llvm.store %{{.*}} {alignment = 2 : i64} : i16, !llvm.ptr<1>
// LOWERED-COUNT-11: arith.select
// LOWERED-COUNT-4:  llvm.intr.fshr
// LOWERED:       llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// LOWERED:       gpu.barrier
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @chain(%A: memref<8x2047xf16>, %B: memref<8x2049xf16>, %C: memref<8x2047xf16>, %row: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<8x2047xf16> to !rows
    %b = tile.view %B : memref<8x2049xf16> to !other
    %c = tile.view %C : memref<8x2047xf16> to !rows
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %a[0, 0] [1, 1000] to %b[1, 0] [1, 1000] scope(cta) : !rows to !other
    // expected-error @below {{reads global memory that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{between the two, this orders them: gpu.barrier}}
    tile.copy %b[1, 0] [1, 1000] to %c[0, 0] [1, 1000] scope(cta) : !other to !rows
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rows
  // CHECK-NOT: gpu.barrier
  gpu.func @rows(%A: memref<8x2047xf16>, %B: memref<8x2049xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<8x2047xf16> to !rows
    %b = tile.view %B : memref<8x2049xf16> to !other
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    scf.for %i = %c0 to %c7 step %c1 {
      tile.copy %a[%i, 0] [1, 1000] to %b[%i, 1] [1, 1000] scope(cta) : !rows to !other
    }
    tile.copy %a[7, 0] [1, 1000] to %b[7, 1] [1, 1000] scope(cta) : !rows to !other
    gpu.return
  }
}
