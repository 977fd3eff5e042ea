// A block of 256 threads transposes 64x64 f32 of a matrix by one copy: blocks of 4x4 are loaded, turned in registers, and leave through a
// tile in shared memory as rows.

!matrix = !tile.buffer<1024x1024xf32, global>
!turned = !tile.buffer<1024x1024xf32, global, #tile.layout<(1024, 1024) : (1, 1024)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @transpose(%A: memref<1024x1024xf32>, %B: memref<1024x1024xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<1024x1024xf32> to !matrix
    %whole = tile.view %B : memref<1024x1024xf32> to !matrix
    %b = tile.permute %whole [1, 0] : !matrix to !turned
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c64 : index
    tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta) : !matrix to !turned
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-align-layouts | tile-opt --tile-vectorize-copy | tile-opt --tile-expand-copy -o /dev/null
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning --implicit-check-not='{{(transpose|realign|gmem_smem|reg|shuffle) declined}}'
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN:      %[[S:.*]] = tile.alloc {alignment = 128 : i64, tile.inherent} : !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (1, 64), swizzle<base = 2, bits = 3, shift = 6>>>
// ALIGN:      %[[L:.*]] = tile.alloc : !tile.buffer<64x64xf32, local, #tile.layout<(16, 4, 16, 4) : (16@tx, 4, 1@tx, 1)>>
// ALIGN-NEXT: %[[T:.*]] = tile.alloc : !tile.buffer<64x64xf32, local, #tile.layout<(16, 4, 16, 4) : (16@tx, 1, 1@tx, 4)>>
// ALIGN-NEXT: tile.planned_copy %{{.*}} to %[[L]] scope(cta) plan<matched "reg"
// ALIGN-NEXT: tile.planned_copy %[[L]] to %[[T]] scope(cta) plan<registers "shuffle"
// ALIGN-NEXT: tile.planned_copy %[[T]] to %[[S]] scope(cta) plan<matched "reg"
// ALIGN-NEXT: gpu.barrier
// ALIGN-NEXT: tile.planned_copy %[[S]] to %{{.*}} scope(cta) plan<matched "gmem_smem"
// ALIGN-NEXT: gpu.barrier

// REMARK-DAG: remark: [Passed] transpose | {{.*}}Cost="blocks 256 lines, 256 wavefronts; elements as they are 4224 lines, 0 wavefronts", Layout="(64, 64) : (1, 64), swizzle<base = 2, bits = 3, shift = 6>", Registers="(16, 4, 16, 4) : (16@tx, 4, 1@tx, 1) to (16, 4, 16, 4) : (16@tx, 1, 1@tx, 4)", {{.*}}Scratch="16384 bytes", Variant=transpose
// REMARK-DAG: remark: [Analysis] transpose | {{.*}}Remark="256 wavefronts, 256 without conflicts; 1024 sectors in 256 lines, 1024 at least"

// PTX-NOT:     .local
// PTX-COUNT-4: ld.global.nc.v4.b32
// PTX-COUNT-4: st.shared.v4.b32
// PTX:         bar.sync
// PTX-COUNT-4: ld.shared.v4.b32
// PTX-COUNT-4: st.global.v4.b32

// SASS: stack bytes: 0
// SASS-NEXT: spill bytes: 0
