// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s | FileCheck %s
// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-run %s --arg f32[33x64]=random --arg f32[32x64]=poison --arg f32[32x8]=poison --arg f32=1.5 --grid 3 --schedule=all --print 2 | FileCheck %s --check-prefix=LEFT
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX

// Shared memory, an edge of global memory and registers are filled.

!matrix = !tile.buffer<33x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
!global = !tile.buffer<32x64xf32, global>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
!column = !tile.buffer<32x8xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fills(%A: memref<33x64xf32>, %B: memref<32x64xf32>, %C: memref<32x8xf32>, %value: f32) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // several scopes write the same values
    %zero = arith.constant 0.0 : f32
    %c16 = arith.constant 16 : index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %row = arith.muli %block, %c16 : index
    %a = tile.view %A : memref<33x64xf32> to !matrix
    %b = tile.view %B : memref<32x64xf32> to !global
    %c = tile.view %C : memref<32x8xf32> to !column
    // CHECK: scf.if
    // CHECK:   tile.planned_copy %{{.*}}fill(%{{.*}} : f32) {{.*}}plan<vectors "fill", rounds = 4, threads = 64, vector = 4, {{.*}}effect = filled{{.*}} dst = {layout = (4, 64, 4) : (256, 4, 1), space
    // CHECK: } else {
    // CHECK:   tile.planned_copy {{.*}} masked(%{{.*}}) fill(%{{.*}} : f32) plan<vectors "fill", {{.*}}vector = 4, {{.*}}effect = filled, mask = {{.*}}extent = const(33)
    // REMARK: remark: [Passed] fill | {{.*}} Instructions="4 stores of 128 bits", Remark="filled by fill: 4 stores of 128 bits per thread"
    // REMARK: remark: [Passed] fill | {{.*}} Masked="1 limit"
    // CHECK: tile.planned_copy %{{[^ ]*}} scope(cta) fill({{.*}}) plan<vectors "fill", rounds = 8, threads = 64, vector = 4, {{.*}}effect = filled{{.*}} dst = {layout = (8, 64, 4) : (256, 4, 1), space
    // PTX: st.shared.v4.b32
    tile.fill %value to %a[%row, 0] [16, 64] scope(cta) masked : f32 to !matrix
    %s = tile.alloc : !shared
    tile.fill %zero to %s scope(cta) : f32 to !shared
    gpu.barrier
    %first = arith.cmpi eq, %block, %c16 : index
    scf.if %first {
      tile.copy %s to %b scope(cta) : !shared to !global
    }
    %r = tile.alloc : !rows
    // CHECK: tile.planned_copy %{{[^ ]*}} scope(warp) fill(%{{.*}}) plan<vectors "fill", rounds = 2, threads = 32, vector = 4, {{.*}}effect = filled{{.*}} dst = {layout = (2, 32, 4) : (4, 1@laneid, 1), space
    tile.fill %value to %r scope(warp) : f32 to !rows
    %c32 = arith.constant 32 : index
    %warp = arith.cmpi ult, %thread, %c32 : index
    %zeroth = arith.constant 0 : index
    %one = arith.cmpi eq, %block, %zeroth : index
    %alone = arith.andi %warp, %one : i1
    scf.if %alone {
      tile.copy %r to %c scope(warp) : !rows to !column
    }
    gpu.return
  }
}

// LEFT: argument 2, f32[32x8]:
// LEFT-COUNT-32: 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5
