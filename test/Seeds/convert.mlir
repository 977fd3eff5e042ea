// Copies that convert: f32 in global memory to f16 in shared memory, and that to 8-bit floats in global memory. A vector is two
// loads of 128 bits and one store of 128 bits; the instructions convert two elements at a time.

// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX

!global = !tile.buffer<32x64xf32, global>
!shared = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!small = !tile.buffer<32x64xf8E4M3FN, global>

// PLAN:      tile.planned_copy %{{.*}} to {{.*}}plan<vectors "gmem_smem", rounds = 2, threads = 128, vector = 8, {{.*}}accesses = (2, 1), {{.*}}thread_iters = 1,{{.*}}src = {layout = (2, 128, 8) : (1024, 8, 1), space
// PLAN:      tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 1, threads = 128, vector = 16, {{.*}}accesses = (2, 1), {{.*}}thread_iters = 1,

// REMARK: :[[#]]:5: remark: [Passed] gmem_smem | {{.*}} | BytesPerThread=64, Converts="f32 to f16",
// REMARK-SAME: Instructions="4 loads of 128 bits and 2 stores of 128 bits"
// REMARK: Converts="f16 to f8E4M3FN", Instructions="2 loads of 128 bits and 1 store of 128 bits"

// PTX-LABEL: .entry narrow(
// PTX-COUNT-4: ld.global{{.*}}.v4.b32
// PTX-COUNT-8: cvt.rn.f16x2.f32
// PTX-COUNT-2: st.shared.v4.b32
// PTX: bar.sync
// PTX-COUNT-8: cvt.rn.satfinite.e4m3x2.f16x2
// PTX: st.global.v4.b32

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @narrow(%A: memref<32x64xf32>, %B: memref<32x64xf8E4M3FN>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf8E4M3FN> to !small
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.barrier
    tile.copy %s to %b scope(cta) : !shared to !small
    gpu.return
  }
}
