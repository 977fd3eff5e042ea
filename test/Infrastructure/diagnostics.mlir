// Diagnostics show the source, and the whole operation in its generic form only where it is asked for.
// RUN: not tile-opt %s --tile-check-sync 2>&1 | FileCheck %s --implicit-check-not='see current operation'
// RUN: not tile-opt %s --tile-check-sync --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not tile-translate %s --tile-to-ptx --chip=sm_1 2>&1 | FileCheck %s --check-prefix=PTX --implicit-check-not='see current operation'

// RUN: not tile-translate %s --tile-to-ptx --passes='tile-check-sync,lower-tile-copy,tile-to-nvvm' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='see current operation'
// RUN: not tile-translate %s --tile-to-ptx --passes='tile-check-sync,lower-tile-copy,tile-to-nvvm' --mlir-print-op-on-diagnostic -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WHOLE

// CHECK: [[#@LINE+13]]:5: error: 'tile.copy' op reads shared memory that an earlier operation writes
// WHOLE: error: 'tile.copy' op reads shared memory that an earlier operation writes
// WHOLE: note: see current operation: "tile.copy"
// PTX: error: {{.*}}unknown chip 'sm_1'

!global = !tile.buffer<64xf32, global>
!shared = !tile.buffer<64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @read(%A: memref<64xf32>, %B: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64xf32> to !global
    %b = tile.view %B : memref<64xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    tile.copy %s[32] [32] to %b[0] [32] scope(cta) : !shared to !global
    gpu.return
  }
}
