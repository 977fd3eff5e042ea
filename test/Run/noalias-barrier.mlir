// Memory that a kernel writes is shared with the other threads of the block: LLVM must not treat it as private to a thread and
// drop stores before a barrier, move them after it, or reuse values that were loaded before it.
// RUN: tile-opt --lower-tile-copy --tile-prepare-kernels %s | FileCheck %s --check-prefix=PROMISED
// RUN: tile-run %s --entry exchange --arg f32[2x32]=random --arg f32[2x32]=poison | FileCheck %s
// RUN: tile-run %s --entry accesses --arg f32[32]=random --arg f32[32]=poison --arg f32[32]=random \
// RUN:   --arg f32[32]=zeros | FileCheck %s
// RUN: tile-run %s --entry moved --schedule all --arg i8[24x8x2]=random --arg i8[24x8x2]=poison --expect-equal 0,1 | FileCheck %s
// CHECK: simulated
// CHECK: st.global

!rows = !tile.buffer<2x32xf32, global>
!line = !tile.buffer<24x8x2xi8, global>
!pairs = !tile.buffer<24x8x2xi8, local, #tile.layout<(2, 3, 4, 2, 4, 2) : (2, 1@warpid, 8@laneid, 4@laneid, 1@laneid, 1)>>
!fours = !tile.buffer<24x8x2xi8, local, #tile.layout<(8, 3, 4, 2, 2) : (1@laneid, 1@warpid, 8@laneid, 2, 1) + 1>>
!row = !tile.buffer<1x32xf32, local, #tile.layout<(32) : (1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Each warp writes its row of B and reads row 0; then it writes its row again.
  // PROMISED: gpu.func @exchange(%{{.*}}: memref<2x32xf32> {llvm.align = 256 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<2x32xf32> {llvm.align = 256 : i64})
  gpu.func @exchange(%A: memref<2x32xf32>, %B: memref<2x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 2, 1>} {
    %a = tile.view %A : memref<2x32xf32> to !rows
    %b = tile.view %B : memref<2x32xf32> to !rows
    %r = tile.alloc : !row
    %warp = gpu.thread_id y
    tile.copy %a[0, 0] [1, 32] to %r scope(warp) : !rows to !row
    tile.copy %r to %b[%warp, 0] [1, 32] scope(warp) : !row to !rows
    gpu.barrier
    tile.copy %b[0, 0] [1, 32] to %r scope(warp) : !rows to !row
    gpu.barrier
    tile.copy %r to %b[%warp, 0] [1, 32] scope(warp) : !row to !rows
    gpu.return
  }

  // Loads, stores, and an unknown op.
  // PROMISED: gpu.func @accesses(%{{.*}}: memref<32xf32> {llvm.align = 128 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<32xf32> {llvm.align = 128 : i64}, %{{.*}}: memref<32xf32> {llvm.align = 128 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<32xf32> {llvm.align = 128 : i64})
  gpu.func @accesses(%A: memref<32xf32>, %B: memref<32xf32>, %C: memref<32xf32>, %D: memref<32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32xf32> to !tile.buffer<32xf32, global>
    %b = tile.view %B : memref<32xf32> to !tile.buffer<32xf32, global>
    %c = tile.view %C : memref<32xf32> to !tile.buffer<32xf32, global>
    %s = tile.alloc : !tile.buffer<32xf32, shared>
    %t = tile.alloc : !tile.buffer<32xf32, shared>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<32xf32, global> to !tile.buffer<32xf32, shared>
    tile.copy %c to %t scope(warp) {prefetch_size = "L2::128B"} : !tile.buffer<32xf32, global> to !tile.buffer<32xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32xf32, shared> to !tile.buffer<32xf32, global>
    %thread = gpu.thread_id x
    %x = memref.load %C[%thread] : memref<32xf32>
    %old = memref.atomic_rmw assign %x, %D[%thread] : (f32, memref<32xf32>) -> f32
    gpu.return
  }

  // Threads write different elements of B before the barriers and between them. LLVM would otherwise move the first stores,
  // because they are repeated at the end.
  gpu.func @moved(%A: memref<24x8x2xi8>, %B: memref<24x8x2xi8>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %a = tile.view %A : memref<24x8x2xi8> to !line
    %b = tile.view %B : memref<24x8x2xi8> to !line
    %q = tile.alloc : !pairs
    %r = tile.alloc : !fours
    tile.copy %a to %q scope(cta) {variant = "fallback"} : !line to !pairs
    tile.copy %a to %r scope(cta) : !line to !fours
    tile.copy %r to %b scope(cta) {variant = "fallback"} : !fours to !line
    gpu.barrier
    tile.copy %q to %b scope(cta) : !pairs to !line
    gpu.barrier
    tile.copy %r to %b scope(cta) : !fours to !line
    gpu.return
  }
}
