// A warp copies a 32x32 tile of f32 from global to shared memory, and back to another tile.
// Neither side says which thread copies which element, so the compiler distributes the 1024 elements: 8 rounds
// in which each of 32 threads copies 4 adjacent elements, 128 bits.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.barrier
    tile.copy %s to %b scope(warp) : !shared to !global
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s --check-prefix=VECTOR
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx              | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80   | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a | %sass_count - | FileCheck %s --check-prefix=SASS %}

// Stage 1: one run of 1024 elements on both sides.
// ALIGN-NOT:   tile.copy
// ALIGN:       tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<matched "gmem_smem", threads = 32,{{.*}}src = {layout = (1024) : (1), space{{.*}}dst = {layout = (1024) : (1), space{{.*}}: !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
// ALIGN:       gpu.barrier
// ALIGN:       tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<matched "gmem_smem", threads = 32, {{.*}}: !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>

// Stage 2: round, thread, vector.
// VECTOR-COUNT-2: tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<vectors "gmem_smem", rounds = 8, threads = 32, vector = 4,{{.*}}src = {layout = (8, 32, 4) : (128, 4, 1), space{{.*}}dst = {layout = (8, 32, 4) : (128, 4, 1), space

// Stage 3: all loads of a thread before its first store, each with its alignment stated.
// EXPAND:         workgroup(%[[SHARED:.*]] : memref<1024xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// EXPAND-NOT:     tile.
// EXPAND:         %[[TID:.*]] = gpu.thread_id x
// EXPAND:         %[[BASE:.*]] = arith.muli %[[TID]], %c4
// EXPAND:         vector.load %{{.*}}[%[[BASE]]] {alignment = 16 : i64} : memref<1024xf32>, vector<4xf32>
// EXPAND:         %[[NEXT:.*]] = arith.addi %[[BASE]], %c128
// EXPAND:         vector.load %{{.*}}[%[[NEXT]]] {alignment = 16 : i64} : memref<1024xf32>, vector<4xf32>
// EXPAND-COUNT-6: vector.load
// EXPAND-NEXT:    vector.store %{{.*}}, %[[SHARED]][%[[BASE]]] {alignment = 16 : i64}
// EXPAND-NEXT:    vector.store %{{.*}}, %[[SHARED]][%[[NEXT]]] {alignment = 16 : i64}
// EXPAND-COUNT-6: vector.store %{{.*}}, %[[SHARED]]
// EXPAND-NEXT:    gpu.barrier
// EXPAND-COUNT-8: vector.load %[[SHARED]]
// EXPAND-COUNT-8: vector.store %{{.*}} : memref<1024xf32>, vector<4xf32>
// EXPAND-NEXT:    gpu.return

// REMARK-DAG: :14:5: remark: [Passed] gmem_smem | {{.*}} | Function=round_trip | BytesPerThread=128, Instructions="8 loads and 8 stores of 128 bits", {{.*}}Rounds=8, Variant=gmem_smem, VectorBits=128
// REMARK-DAG: :16:5: remark: [Passed] gmem_smem | {{.*}} | Function=round_trip | BytesPerThread=128, Instructions="8 loads and 8 stores of 128 bits", {{.*}}Rounds=8, Variant=gmem_smem, VectorBits=128
// REMARK-DAG: :14:5: remark: [Missed] unsupported-spaces | {{.*}}Remark="for other memories only: ldstmatrix, transpose", Variants="ldstmatrix, transpose"
// REMARK-DAG: :14:5: remark: [Missed] rows-aligned | {{.*}}Reason="rows of both sides begin at multiples of 8 bytes; needed rows that begin anywhere", Remark="realign declined", Variant=realign
// REMARK-DAG: :16:5: remark: [Missed] unsupported-spaces | {{.*}}Remark="for other memories only: ldstmatrix, transpose", Variants="ldstmatrix, transpose"
// REMARK-DAG: :16:5: remark: [Missed] rows-aligned | {{.*}}Remark="realign declined", Variant=realign

// The eight loads from global memory are issued before the first store to shared memory.
// PTX:         .visible .entry round_trip
// PTX:         .param .u64 .ptr .align 256
// PTX:         .reqntid 32, 1, 1
// PTX:         .shared .align 16 .b8 {{.*}}[4096];
// PTX:         ld.global.{{(nc\.)?}}v4.b32
// PTX-NEXT:    ld.global.{{(nc\.)?}}v4.b32
// PTX-NEXT:    ld.global.{{(nc\.)?}}v4.b32
// PTX-NEXT:    ld.global.{{(nc\.)?}}v4.b32
// PTX-NEXT:    ld.global.{{(nc\.)?}}v4.b32
// PTX-NEXT:    ld.global.{{(nc\.)?}}v4.b32
// PTX-NEXT:    ld.global.{{(nc\.)?}}v4.b32
// PTX-NEXT:    ld.global.{{(nc\.)?}}v4.b32
// PTX-COUNT-8: st.shared.v4.b32
// PTX-NEXT:    bar.sync 0;
// PTX-NEXT:    ld.shared.v4.b32
// PTX-NEXT:    ld.shared.v4.b32
// PTX-NEXT:    ld.shared.v4.b32
// PTX-NEXT:    ld.shared.v4.b32
// PTX-NEXT:    ld.shared.v4.b32
// PTX-NEXT:    ld.shared.v4.b32
// PTX-NEXT:    ld.shared.v4.b32
// PTX-NEXT:    ld.shared.v4.b32
// PTX-COUNT-8: st.global.v4.b32
// PTX-NEXT:    ret;

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
// SASS-NEXT: LDG: 8
// SASS-NEXT: LDG.E.128: 8
// SASS:      STG: 8
// SASS-NEXT: STG.E.128: 8
// SASS:      LDS: 8
// SASS-NEXT: LDS.128: 8
// SASS-NEXT: STS: 8
// SASS-NEXT: STS.128: 8
// SASS:      LD: 0
// SASS-NEXT: ST: 0
// SASS-NEXT: LDL: 0
// SASS-NEXT: STL: 0
