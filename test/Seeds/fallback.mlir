// A warp copies 4 rows of f32 from global to shared memory and back. In shared memory, rows are in blocks of 4, and the first row
// is known only at run time: the region is in one block or in two. Every fast variant declines: thread 0 copies element by
// element, and the compiler warns.

!global = !tile.buffer<4x6xf32, global>
!blocks = !tile.buffer<8x6xf32, shared, #tile.layout<(2, 4, 6) : (32, 6, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<4x6xf32>, %B: memref<4x6xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x6xf32> to !global
    %b = tile.view %B : memref<4x6xf32> to !global
    %s = tile.alloc : !blocks
    %row = gpu.block_id x
    tile.copy %a to %s[%row, 0] [4, 6] scope(warp) : !global to !blocks
    gpu.barrier
    tile.copy %s[%row, 0] [4, 6] to %b scope(warp) : !blocks to !global
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts 2>/dev/null | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --lower-tile-copy 2>/dev/null | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: tile-translate %s --tile-to-ptx 2>/dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx                2>/dev/null | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80   2>/dev/null | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a 2>/dev/null | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN:      tile.planned_copy %{{.*}} to %{{.*}}[%{{.*}}] scope(warp) plan<scalar "fallback", owner = scope_thread(0), extents = [4, 6]{{.*}}begin = [dynamic{value = 0{{[^}]*}}}, const(0)]
// ALIGN:      gpu.barrier
// ALIGN:      tile.planned_copy %{{.*}}[%{{.*}}] to %{{.*}} scope(warp) plan<scalar "fallback", owner = scope_thread(0), extents = [4, 6]{{.*}}begin = [dynamic{value = 0{{[^}]*}}}, const(0)]

// EXPAND:      %[[TID:.*]] = gpu.thread_id x
// EXPAND:      %[[BLOCK:.*]] = gpu.block_id x
// EXPAND:      %[[FIRST:.*]] = arith.cmpi eq, %[[TID]], %c0
// EXPAND-NEXT: scf.if %[[FIRST]] {
// EXPAND-NEXT:   scf.for %[[ROW:.*]] = %c0 to %c4 step %c1 {
// EXPAND-NEXT:     scf.for %[[COLUMN:.*]] = %c0 to %c6 step %c1 {
// EXPAND-NEXT:       %[[BEGIN:.*]] = arith.muli %[[ROW]], %c6
// EXPAND-NEXT:       %[[HERE:.*]] = arith.addi %[[BEGIN]], %[[COLUMN]]
// EXPAND-NEXT:       %[[VALUE:.*]] = memref.load %{{.*}}[%[[HERE]]]
// EXPAND-NEXT:       %[[THERE:.*]] = arith.addi %[[BLOCK]], %[[ROW]]
// EXPAND-NEXT:       arith.remui %[[THERE]], %c4
// EXPAND-NEXT:       arith.divui %[[THERE]], %c4
// EXPAND:            memref.store %[[VALUE]], %{{.*}}
// EXPAND:      gpu.barrier
// EXPAND:      scf.if
// EXPAND:      scf.for
// EXPAND-NEXT:   scf.for
// EXPAND:      gpu.return

// WARN:      :15:5: warning: is copied by the scalar fallback (one thread copies everything); all faster variants declined
// WARN:      :15:5: note: gmem_smem declined: dimension 0 of the destination begins at a run-time value {{.*}} inside iters of 4 positions
// WARN-NEXT: :15:5: note: for other memories only: ldstmatrix, transpose, realign_reg, reg, same_memory, shuffle, scratch
// WARN:      :17:5: warning: is copied by the scalar fallback

// REMARK-DAG: :15:5: remark: [Missed] unsupported-spaces | {{.*}}Remark="for other memories only: ldstmatrix, transpose, realign_reg, reg, same_memory, shuffle, scratch", Variants="ldstmatrix, transpose, realign_reg, reg, same_memory, shuffle, scratch"
// REMARK-DAG: :15:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Reason="dimension 0 of the destination {{.*}}", Remark="gmem_smem declined", Variant=gmem_smem
// REMARK-DAG: :15:5: remark: [Passed] fallback | {{.*}} | BytesPerThread=96, Instructions="24 loads and 24 stores of 32 bits", {{.*}}Rounds=24, Variant=fallback, VectorBits=32

// Only thread 0 copies; all threads reach the barrier. LLVM may combine adjacent elements.
// PTX:       mov.u32 [[TID:%r[0-9]+]], %tid.x;
// PTX:       setp.ne.b32 [[OTHERS:%p[0-9]+]], [[TID]], 0;
// PTX-NEXT:  @[[OTHERS]] bra [[BARRIER:\$L[A-Za-z_0-9]+]];
// PTX:       ld.global
// PTX:       st.shared
// PTX:       [[BARRIER]]:
// PTX-NEXT:  bar.sync 0;
// PTX-NEXT:  @[[OTHERS]] bra [[END:\$L[A-Za-z_0-9]+]];
// PTX:       ld.shared
// PTX:       st.global
// PTX:       [[END]]:
// PTX-NEXT:  ret;

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
// SASS:      LD: 0
// SASS-NEXT: ST: 0
// SASS-NEXT: LDL: 0
// SASS-NEXT: STL: 0
