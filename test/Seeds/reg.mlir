// A warp loads a 32x8 tile of f32 from shared memory into registers, and stores it back.
// The register layout distributes the elements: lane i holds row i, in 8 registers. Each lane copies its row by
// 2 accesses of 128 bits.

!global = !tile.buffer<32x8xf32, global>
!shared = !tile.buffer<32x8xf32, shared>
!rows   = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %b = tile.view %B : memref<32x8xf32> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %r = tile.alloc : !rows
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.barrier
    tile.copy %s to %r scope(warp) : !shared to !rows
    tile.copy %r to %t scope(warp) : !rows to !shared
    gpu.barrier
    tile.copy %t to %b scope(warp) : !shared to !global
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s --check-prefix=VECTOR
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx                | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80   | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a | %sass_count - | FileCheck %s --check-prefix=SASS %}

// Stage 1: lanes first, on both sides.
// ALIGN:      tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<matched "reg", threads = 32, thread_iters = 1,{{.*}}src = {layout = (32, 8) : (8, 1), space{{.*}}dst = {layout = (32, 8) : (1@laneid, 1), space
// ALIGN-NEXT: tile.planned_copy %{{.*}} to %{{.*}} plan<matched "reg"{{.*}}src = {layout = (32, 8) : (1@laneid, 1), space{{.*}}dst = {layout = (32, 8) : (8, 1), space

// Stage 2: the 8 registers of a lane are 2 rounds of 4.
// VECTOR:      tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<vectors "reg", rounds = 2, threads = 32, vector = 4,{{.*}}src = {layout = (2, 32, 4) : (4, 8, 1), space{{.*}}dst = {layout = (2, 32, 4) : (4, 1@laneid, 1), space
// VECTOR-NEXT: tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<vectors "reg", rounds = 2, threads = 32, vector = 4,{{.*}}src = {layout = (2, 32, 4) : (4, 1@laneid, 1), space{{.*}}dst = {layout = (2, 32, 4) : (4, 8, 1), space

// Stage 3: a lane's row starts at element 8 * lane of shared memory, and at element 0 of its registers.
// EXPAND:      workgroup(%[[S:[^ ]*]] : memref<256xf32, {{.*}}>{{.*}}, %[[T:[^ ]*]] : memref<256xf32, {{.*}}>
// EXPAND-NOT:  tile.
// EXPAND:      %[[TID:.*]] = gpu.thread_id x
// EXPAND:      %[[REGISTERS:.*]] = memref.alloca() {{.*}} : memref<8xf32>
// EXPAND:      gpu.barrier
// EXPAND-NEXT: %[[ROW:.*]] = arith.muli %[[TID]], %c8
// EXPAND-NEXT: %[[LOW:.*]] = vector.load %[[S]][%[[ROW]]] {alignment = 16 : i64}
// EXPAND-NEXT: %[[HALF:.*]] = arith.addi %[[ROW]], %c4
// EXPAND-NEXT: %[[HIGH:.*]] = vector.load %[[S]][%[[HALF]]] {alignment = 16 : i64}
// EXPAND-NEXT: vector.store %[[LOW]], %[[REGISTERS]][%c0]
// EXPAND-NEXT: vector.store %[[HIGH]], %[[REGISTERS]][%c4]
// EXPAND-NEXT: vector.load %[[REGISTERS]][%c0]
// EXPAND-NEXT: vector.load %[[REGISTERS]][%c4]
// EXPAND:      vector.store %{{.*}}, %[[T]]
// EXPAND:      vector.store %{{.*}}, %[[T]]
// EXPAND-NEXT: gpu.barrier

// REMARK-DAG: :19:5: remark: [Passed] reg | {{.*}} | BytesPerThread=32, Instructions="2 loads of 128 bits", {{.*}}Rounds=2, Variant=reg, VectorBits=128
// REMARK-DAG: :20:5: remark: [Passed] reg | {{.*}} | BytesPerThread=32, Instructions="2 stores of 128 bits", {{.*}}Rounds=2, Variant=reg, VectorBits=128

// The register tile is in registers: from shared memory to shared memory without local memory in between.
// PTX-NOT:  .local
// PTX:      bar.sync 0;
// PTX:      ld.shared.v4.b32
// PTX:      ld.shared.v4.b32
// PTX:      st.shared.v4.b32
// PTX:      st.shared.v4.b32
// PTX:      bar.sync 0;
// PTX-NOT:  .local

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
// SASS:      LDG.E.128: 2
// SASS:      STG.E.128: 2
// SASS:      LDS: 4
// SASS-NEXT: LDS.128: 4
// SASS-NEXT: STS: 4
// SASS-NEXT: STS.128: 4
// SASS:      LD: 0
// SASS-NEXT: ST: 0
// SASS-NEXT: LDL: 0
// SASS-NEXT: STL: 0
