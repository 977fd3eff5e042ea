// The report of a race has both lines, and says in the words of --tile-check-sync what would order the accesses.
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry turn --arg f32[32x8]=random --arg f32[8x32]=poison 2>&1 | FileCheck %s --check-prefix=TURN
// TURN: error: schedule fair: kernel `turn`, line {{.*}}mlir:[[#LOAD:]]:5, {{.*}}race: {{.*}}mlir:[[#STORE:]]:5
// TURN-NEXT: {{.*}}mlir:[[#LOAD]]:5: note: between the two, this orders them: gpu.barrier
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry early --arg f32[32x8]=random --arg f32[32x8]=poison 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: schedule fair: kernel `early`, {{.*}}asynchronous copy not waited for
// EARLY-NEXT: note: between the two, this orders them: nvvm.cp.async.wait.group 0

!global = !tile.buffer<32x8xf32, global>
!shared = !tile.buffer<32x8xf32, shared>
!turned = !tile.buffer<8x32xf32, global>
!columns = !tile.buffer<8x32xf32, shared, #tile.layout<(8, 32) : (1, 8)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @turn(%A: memref<32x8xf32>, %B: memref<8x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %b = tile.view %B : memref<8x32xf32> to !turned
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    %t = tile.permute %s [1, 0] : !shared to !columns
    tile.copy %t to %b scope(cta) : !columns to !turned
    gpu.return
  }

  gpu.func @early(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %b = tile.view %B : memref<32x8xf32> to !global
    %s = tile.alloc : !shared
    tile.copy_async %a to %s scope(cta) group : !global to !shared
    gpu.barrier
    tile.copy %s to %b scope(cta) : !shared to !global
    gpu.return
  }
}
