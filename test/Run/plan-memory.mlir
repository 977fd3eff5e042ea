// Shared tiles that are never live at the same time share storage; more than 48 KiB is dynamic, and the launch provides it.

// RUN: split-file %s %t
// RUN: tile-opt %t/chain.mlir --tile-plan-memory --tile-insert-sync -o %t/chain-planned.mlir \
// RUN:   --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=CHAIN
// RUN: tile-opt %t/chain-planned.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t/chain-planned.mlir --schedule=all --arg f32[64x64]=random --arg f32[64x64]=poison --expect-equal 0,1
// CHAIN: remark: [Passed] shared-memory | Category:tile-copy | Function=chain
// CHAIN-SAME: Dynamic=0, Limit=232448, LiveAtOnce=32768, {{.*}}Static=32768, Tiles=3, WithoutSharing=49152

// RUN: tile-opt %t/large.mlir --tile-plan-memory --tile-insert-sync -o %t/large-planned.mlir
// RUN: tile-translate --tile-to-ptx %t/large-planned.mlir | FileCheck %s --check-prefix=PTX
// RUN: tile-run %t/large-planned.mlir --schedule=all --arg f16[128x128]=random --arg f16[128x128]=poison --expect-equal 0,1
// PTX: .extern .shared .align 1024 .b8 __dynamic_shmem__
// PTX: {{^}}// dynamic shared memory of large: [[BYTES:[0-9]+]] bytes

// The kernel cannot have less than what is planned, nor blocks of another size.
// RUN: not tile-run %t/large-planned.mlir --shared=1024 --arg f16[128x128]=random --arg f16[128x128]=poison 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LESS
// RUN: not tile-run %t/large-planned.mlir --block=64 --arg f16[128x128]=random --arg f16[128x128]=poison 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BLOCK
// LESS: error: kernel `large` cannot be launched: got 1024 bytes of dynamic shared memory, expected at least 65536
// BLOCK: error: kernel `large` cannot be launched: got blocks of 64x1x1 threads, expected 128x1x1 (`.reqntid`)

// Copies between registers through shared memory: two copies share their scratch.
// RUN: tile-opt %t/scratch.mlir --tile-plan-memory -o %t/scratch-planned.mlir \
// RUN:   --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=SCRATCH
// RUN: tile-opt %t/scratch-planned.mlir --tile-insert-sync -o %t/scratch-ordered.mlir
// RUN: tile-run %t/scratch-ordered.mlir --schedule=all --arg f32[64x64]=random --arg f32[64x64]=poison --expect-equal 0,1
// SCRATCH: shared-memory | {{.*}}Static=17408, Tiles=2, WithoutSharing=34816

//--- chain.mlir
!global = !tile.buffer<64x64xf32, global>
!shared = !tile.buffer<64x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @chain(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %b = tile.view %B : memref<64x64xf32> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %u = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    tile.copy %s to %t scope(cta) : !shared to !shared
    tile.copy %t to %u scope(cta) : !shared to !shared
    tile.copy %u to %b scope(cta) : !shared to !global
    gpu.return
  }
}

//--- large.mlir
!global = !tile.buffer<128x128xf16, global>
!plain = !tile.buffer<128x128xf16, shared>
!swizzled = !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @large(%A: memref<128x128xf16>, %B: memref<128x128xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf16> to !global
    %b = tile.view %B : memref<128x128xf16> to !global
    %s = tile.alloc : !plain
    %t = tile.alloc : !swizzled
    tile.copy %a to %s scope(cta) : !global to !plain
    tile.copy %s to %t scope(cta) : !plain to !swizzled
    tile.copy %t to %b scope(cta) : !swizzled to !global
    gpu.return
  }
}

//--- scratch.mlir
!global = !tile.buffer<64x64xf32, global>
!rows = !tile.buffer<64x64xf32, local, #tile.layout<(64, 64) : (1@tx, 1)>>
!columns = !tile.buffer<64x64xf32, local, #tile.layout<(64, 64) : (1, 1@tx)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scratch(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %b = tile.view %B : memref<64x64xf32> to !global
    %r = tile.alloc : !rows
    %c = tile.alloc : !columns
    %q = tile.alloc : !rows
    tile.copy %a to %r scope(cta) : !global to !rows
    tile.copy %r to %c scope(cta) : !rows to !columns
    tile.copy %c to %q scope(cta) : !columns to !rows
    tile.copy %q to %b scope(cta) : !rows to !global
    gpu.return
  }
}
