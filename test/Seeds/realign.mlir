// A block of 128 threads copies 2 KiB of a row between matrices whose rows begin at any two bytes: aligned chunks of the destination, each
// from two aligned chunks of the source.

!from = !tile.buffer<1024x8191xf16, global>
!to = !tile.buffer<1024x8189xf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<1024x8191xf16>, %B: memref<1024x8189xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x8191xf16> to !from
    %b = tile.view %B : memref<1024x8189xf16> to !to
    %x = gpu.block_id x
    %row = gpu.block_id y
    %c1024 = arith.constant 1024 : index
    %column = arith.muli %x, %c1024 : index
    tile.copy %a[%row, %column] [1, 1024] to %b[%row, %column] [1, 1024] scope(cta) : !from to !to
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-align-layouts | tile-opt --tile-vectorize-copy | tile-opt --tile-expand-copy -o /dev/null
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN:      tile.planned_copy %{{.*}}[%{{.*}}] to %{{.*}}[%{{.*}}] scope(cta) plan<realigned "realign", threads = 128, bits = 16,
// ALIGN-SAME:   src = {layout = (1024) : (1), space = global, {{.*}}dst = {layout = (1024) : (1), space = global,

// REMARK-DAG: remark: [Passed] realign | {{.*}}Cost="chunks 63 lines, 5 accesses; elements as they are 95 lines, 16 accesses", Remark="copied by realign: 1 x 2 loads and 1 store of 128 bits, 1 x 1 load and 1 store of 16 bits per thread", Rounds=1, RowBytes=2048, Rows=1, Variant=realign
// REMARK-DAG: remark: [Analysis] realign |

// Both loads of a chunk, then elements at the ends of the row, then shifts by words and by bytes, and the store.
// PTX-NOT:     .local
// PTX-COUNT-2: ld.global.nc.v4.b32
// PTX:         ld.global.nc.b16
// PTX-COUNT-11: selp.b32
// PTX-COUNT-4: {{prmt|shf}}
// PTX:         st.global.v4.b32

// SASS: stack bytes: 0
// SASS-NEXT: spill bytes: 0
