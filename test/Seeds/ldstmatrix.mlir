// A warp loads a 16x16 tile of f16 from shared memory into registers in the layout of tensor cores, and stores
// it back. Lane 4*i + j holds elements (i, 2j) and (i, 2j+1) of each of the four 8x8 matrices: one ldmatrix
// and one stmatrix move all four.

!global = !tile.buffer<16x16xf16, global>
!shared = !tile.buffer<16x16xf16, shared, #tile.layout<(16, 16) : (16, 1), swizzle<base = 3, bits = 1, shift = 3>>>
!matrix = !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<16x16xf16>, %B: memref<16x16xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xf16> to !global
    %b = tile.view %B : memref<16x16xf16> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %r = tile.alloc : !matrix
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.barrier
    tile.copy %s to %r scope(warp) : !shared to !matrix
    tile.copy %r to %t scope(warp) : !matrix to !shared
    gpu.barrier
    tile.copy %t to %b scope(warp) : !shared to !global
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx                | %sass_count - | FileCheck %s --check-prefixes=SASS,SM90 %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a | %sass_count - | FileCheck %s --check-prefixes=SASS,SM90 %}

// sm_80 has ldmatrix but no stmatrix: that copy is left to reg.
// RUN: tile-translate %s --tile-to-ptx --chip=sm_80 | FileCheck %s --check-prefix=PTX80
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80   | %sass_count - | FileCheck %s --check-prefixes=SASS,SM80 %}

// ALIGN:      tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<matrix "ldstmatrix", load, num = 4, threads = 32,
// ALIGN-SAME:   shape = (1, 8, 4, 1, 4, 2), row_stride = 16,
// ALIGN-SAME:   shared = {layout = (8, 4, 2, 2, 2) : (16, 2, 128, 8, 1), swizzle<base = 3, bits = 1, shift = 3>, space = shared
// ALIGN-SAME:   registers = {layout = (8, 4, 2, 2, 2) : (4@laneid, 1@laneid, 4, 2, 1), space = local
// ALIGN-NEXT: tile.planned_copy {{.*}}plan<matrix "ldstmatrix"

// The swizzled address of a lane's row, and the instruction.
// EXPAND:      arith.xori
// EXPAND:      %[[ROW:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<3>
// EXPAND:      nvvm.ldmatrix %[[ROW]] {{.*}}num = 4 : i32{{.*}} -> !llvm.struct<(i32, i32, i32, i32)>
// EXPAND:      arith.xori
// EXPAND:      %[[ROW:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<3>
// EXPAND:      nvvm.stmatrix %[[ROW]], %{{.*}} : !llvm.ptr<3>, i32, i32, i32, i32

// REMARK-DAG: :19:5: remark: [Passed] ldstmatrix | {{.*}} | BytesPerThread=16, Instructions="1 ldmatrix.sync.aligned.m8n8.x4.shared.b16", {{.*}}Rounds=1, Variant=ldstmatrix, VectorBits=128
// REMARK-DAG: :20:5: remark: [Passed] ldstmatrix | {{.*}} | BytesPerThread=16, Instructions="1 stmatrix.sync.aligned.m8n8.x4.shared.b16", {{.*}}Rounds=1, Variant=ldstmatrix, VectorBits=128

// PTX-NOT:  .local
// PTX:      ldmatrix.sync.aligned.m8n8.x4.shared.b16 {[[R:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}
// PTX:      stmatrix.sync.aligned.m8n8.x4.shared.b16 {{\[.*\]}}, {[[R]]};

// PTX80-NOT: .local
// PTX80:     ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX80-NOT: stmatrix
// PTX80:     st.shared.b32
// PTX80:     st.shared.b32
// PTX80:     st.shared.b32
// PTX80:     st.shared.b32

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
// SASS:      LDG.E.128: 1
// SASS:      STG.E.128: 1
// SASS:      LDS.128: 1
// SM90:      STS: 1
// SM80:      STS: 5
// SASS:      STS.128: 1
// SASS-NEXT: LDSM: 1
// SM90-NEXT: STSM: 1
// SM80-NEXT: STSM: 0
// SASS:      LDL: 0
// SASS-NEXT: STL: 0
