// A warp holds an 8x8 tile of f32 in the layout of an mma accumulator, and transposes the distribution: lane 4r + c holds
// columns 2c and 2c + 1 of row r before, and rows 2c and 2c + 1 of column r after. Lanes 4 apart swap an element, and one
// shuffle moves each word to its lane.

!global   = !tile.buffer<8x8xf32, global>
!fragment = !tile.buffer<8x8xf32, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
!turned   = !tile.buffer<8x8xf32, local, #tile.layout<(4, 2, 8) : (1@laneid, 1, 4@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<8x8xf32>, %B: memref<8x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x8xf32> to !global
    %b = tile.view %B : memref<8x8xf32> to !global
    %r = tile.alloc : !fragment
    %q = tile.alloc : !turned
    tile.copy %a to %r scope(warp) : !global to !fragment
    tile.copy %r to %q scope(warp) : !fragment to !turned
    tile.copy %q to %b scope(warp) : !turned to !global
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx                | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80   | %sass_count - | FileCheck %s --check-prefix=SASS %}

// Stage 1: six iters of extent 2; the iter in registers is exchanged with bit 2 of the lane.
// ALIGN:      tile.planned_copy %{{.*}} scope(warp) plan<registers "shuffle", threads = 32, {{.*}}exchanges = [(5, 2)],
// ALIGN-SAME:   src = {layout = (2, 2, 2, 2, 2, 2) : (16@laneid, 8@laneid, 4@laneid, 2@laneid, 1@laneid, 1), space
// ALIGN-SAME:   dst = {layout = (2, 2, 2, 2, 2, 2) : (2@laneid, 1@laneid, 1, 16@laneid, 8@laneid, 4@laneid), space

// Stage 2: three selects and a shuffle swap a word between lanes 4 apart; one shuffle of each word follows.
// EXPAND-COUNT-1: nvvm.shfl.sync bfly
// EXPAND-COUNT-2: nvvm.shfl.sync idx
// EXPAND-NOT:     nvvm.shfl.sync
// EXPAND-NOT:     gpu.barrier

// REMARK-DAG: remark: [Passed] shuffle | {{.*}} | BytesPerThread=8, Cost="shuffle 6 instructions, 3 wavefronts; scratch {{[0-9]+}} instructions, {{[0-9]+}} wavefronts", Instructions="3 shuffles and 3 selects", {{.*}}Variant=shuffle

// PTX-NOT: .local
// PTX-NOT: .shared
// PTX:     shfl.sync.bfly.b32
// PTX:     shfl.sync.idx.b32
// PTX:     shfl.sync.idx.b32
// PTX-NOT: shfl

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
