// A copy of any matrix, by tiles that leave it at the edges: blocks walk along rows of tiles. Ordered by --tile-insert-sync, it
// copies under all schedules. Each thread stores what it has loaded, so that no barrier is needed along a row; the rows of two
// iterations are at least a tile apart, however large the grid is.

// RUN: tile-opt %s --tile-insert-sync -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t.mlir --entry copy --grid 2 --schedule=all --arg f16[70x150]=random --arg f16[70x150]=poison \
// RUN:   --expect-equal 0,1 --expect-unchanged 0
// RUN: tile-run %t.mlir --entry diagonal --schedule=all --arg f16[40x50]=random --arg f16[64x64]=zeros --arg i64=3

// CHECK-LABEL: gpu.func @copy
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        tile.copy
// CHECK-NEXT:        tile.copy
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.return

// CHECK-LABEL: gpu.func @diagonal
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return

!matrix = !tile.buffer<?x?xf16, global>
!shared = !tile.buffer<32x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%A: memref<?x?xf16>, %B: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    %rows = memref.dim %A, %c0 : memref<?x?xf16>
    %columns = memref.dim %A, %c1 : memref<?x?xf16>
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %b = tile.view %B : memref<?x?xf16> to !matrix
    %s = tile.alloc : !shared
    %block = gpu.block_id x
    %blocks = gpu.grid_dim x
    %first = arith.muli %block, %c32 : index
    %step = arith.muli %blocks, %c32 : index
    scf.for %i = %first to %rows step %step {
      scf.for %j = %c0 to %columns step %c64 {
        tile.copy %a[%i, %j] [32, 64] to %s scope(cta) masked fill(%zero : f16) : !matrix to !shared
        tile.copy %s to %b[%i, %j] [32, 64] scope(cta) masked : !shared to !matrix
      }
    }
    gpu.return
  }

  // Each thread stores its own elements of a row that all of them have loaded.
  gpu.func @diagonal(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %row: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %b = tile.view %B : memref<?x?xf16> to !matrix
    tile.copy %a[%row, 0] [32, 32] to %b[0, 0] [32, 32] scope(cta) : !matrix to !matrix
    %x = memref.load %A[%row, %thread] : memref<?x?xf16>
    %y = arith.addf %x, %x : f16
    %c32 = arith.constant 32 : index
    memref.store %y, %B[%c32, %thread] : memref<?x?xf16>
    gpu.return
  }
}
