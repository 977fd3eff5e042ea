// A role: scope cta, and a barrier, are those of its threads; other threads of the block do something else meanwhile.
// RUN: split-file %s %t
// RUN: tile-opt --tile-choose-layouts --tile-check-sync %t/role.mlir -o /dev/null
// RUN: tile-run %t/role.mlir --schedule=all --arg f32[64x64]=random --arg f32[64x64]=poison --arg f32[64]=poison --expect-equal 0,1 | FileCheck %s
// RUN: tile-translate --tile-to-ptx %t/role.mlir | FileCheck %s --check-prefix=PTX
// RUN: sed '/gpu.barrier/d' %t/role.mlir > %t/unordered.mlir
// RUN: tile-opt --tile-choose-layouts --tile-insert-sync %t/unordered.mlir -o %t/ordered.mlir
// RUN: FileCheck %s --check-prefix=INSERTED < %t/ordered.mlir
// RUN: tile-run %t/unordered.mlir --schedule=all --arg f32[64x64]=random --arg f32[64x64]=poison --arg f32[64]=poison --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %t/unordered.mlir --delete-sync --arg f32[64x64]=random --arg f32[64x64]=poison --arg f32[64]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=DELETED
// RUN: tile-run %t/across.mlir --schedule=all --arg f32[64x128]=random:1 --arg f32[64]=poison --delete-sync | FileCheck %s --check-prefix=ACROSS

// CHECK: schedule fair: argument 1 holds what argument 0 holds
// PTX: .reqntid 96, 1, 1
// PTX: bar.sync 	7, 64;
// INSERTED: nvvm.barrier id = %{{.*}} number_of_threads = %c64_i32
// INSERTED-NOT: gpu.barrier
// DELETED: removed: noticed: schedule fair: race
// DELETED: {{^}}1 noticed, 0 redundant

// The warps of a role exchange what they have reduced, at its barrier.
// ACROSS: {{^}}1 noticed, 0 redundant

//--- role.mlir
!matrix = !tile.buffer<64x64xf32, global>
!shared = !tile.buffer<64x64xf32, shared>
!columns = !tile.buffer<64x64xf32, local, #tile.layout<(64, 64) : (1, 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @role(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %a = tile.view %A : memref<64x64xf32>
    %b = tile.view %B : memref<64x64xf32>
    %s = tile.alloc : !shared
    %columns = tile.alloc : !columns
    %t = gpu.thread_id x
    %takes = arith.cmpi ult, %t, %c64 : index
    scf.if %takes {
      tile.copy %a to %s scope(cta) : !matrix to !shared
      gpu.barrier
      tile.copy %s to %columns scope(cta) : !shared to !columns
      tile.copy %columns to %b scope(cta) : !columns to !matrix
    } else {
      %lane = arith.subi %t, %c64 : index
      memref.store %one, %C[%lane] : memref<64xf32>
    } {tile.role = 64 : i64}
    gpu.return
  }
}

//--- across.mlir
!matrix = !tile.buffer<64x128xf32, global>
!rows = !tile.buffer<64x128xf32, local, #tile.layout<(64, 64, 2) : (1, 1@tx, 64)>>
!row = !tile.buffer<64x1xf32, local, #tile.layout<(64, 1) : (1, 1) + R(64 : 1@tx)>>
!sums = !tile.buffer<64x1xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @across(%A: memref<64x128xf32>, %C: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c64 = arith.constant 64 : index
    %a = tile.view %A : memref<64x128xf32>
    %c = tile.view %C : memref<64xf32>
    %sums = tile.reshape %c : !tile.buffer<64xf32, global> to !sums
    %rows = tile.alloc : !rows
    %row = tile.alloc : !row
    %t = gpu.thread_id x
    %takes = arith.cmpi ult, %t, %c64 : index
    scf.if %takes {
      tile.copy %a to %rows scope(cta) : !matrix to !rows
      tile.reduce add %rows to %row dim(1) scope(cta) : !rows to !row
      tile.copy %row to %sums scope(cta) : !row to !sums
    } {tile.role = 64 : i64}
    gpu.return
  }
}
