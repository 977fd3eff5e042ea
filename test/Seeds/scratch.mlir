// Each of two warps holds a 32x8 tile of f32 in the layout of mma accumulators, and needs a row in each lane. Shuffles would
// cost more than a copy through shared memory, where each warp has its own scratch tile.

!global   = !tile.buffer<64x8xf32, global>
!fragment = !tile.buffer<32x8xf32, local, #tile.layout<(4, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
!rows     = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<64x8xf32>, %B: memref<64x8xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x8xf32> to !global
    %b = tile.view %B : memref<64x8xf32> to !global
    %r = tile.alloc : !fragment
    %q = tile.alloc : !rows
    %thread = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %row = arith.muli %warp, %c32 : index
    tile.copy %a[%row, 0] [32, 8] to %r scope(warp) : !global to !fragment
    tile.copy %r to %q scope(warp) : !fragment to !rows
    tile.copy %q to %b[%row, 0] [32, 8] scope(warp) : !rows to !global
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// The tile is as aligned as the plans rely on: another process that reads them proves it again.
// RUN: tile-opt %s --tile-align-layouts | tile-opt --tile-vectorize-copy | tile-opt --tile-expand-copy -o /dev/null
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx                | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80   | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN:      %[[S:.*]] = tile.alloc {alignment = 128 : i64, tile.inherent} : !tile.buffer<2x32x8xf32, shared
// ALIGN:      %[[WARP:.*]] = tile.assume %{{.*}} uniform(warp)
// ALIGN:      tile.planned_copy %{{.*}} to %[[S]][%[[WARP]]] scope(warp) plan<matched "reg"
// ALIGN:      nvvm.bar.warp.sync
// ALIGN:      tile.planned_copy %[[S]][%[[WARP]]] to {{.*}} plan<matched "reg"
// ALIGN:      nvvm.bar.warp.sync

// REMARK-DAG: remark: [Missed] scratch-cheaper | {{.*}}Variant=shuffle
// REMARK-DAG: remark: [Passed] scratch | {{.*}}Cost="shuffle {{[0-9]+}} instructions, {{[0-9]+}} wavefronts; scratch {{[0-9]+}} instructions, {{[0-9]+}} wavefronts", Layout={{.*}}, {{.*}}Scratch="{{[0-9]+}} bytes", Variant=scratch

// PTX-NOT: .local
// PTX:     st.shared
// PTX:     bar.warp.sync
// PTX:     ld.shared.v4
// PTX:     bar.warp.sync

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
