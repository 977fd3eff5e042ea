// The choice of the gpu.module that is printed.

// RUN: split-file %s %t

// RUN: not tile-translate --tile-to-ptx %t/several.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: {{.*}}has several gpu.modules (first, second); choose one with --gpu-module

// RUN: tile-translate --tile-to-ptx %t/several.mlir --gpu-module=second | FileCheck %s --implicit-check-not=one
// CHECK: .target sm_100a
// CHECK: .entry two

// RUN: not tile-translate --tile-to-ptx %t/several.mlir --gpu-module=third 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: {{.*}}has no gpu.module 'third', only first, second

// RUN: not tile-translate --tile-to-ptx %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}has no gpu.module, expected one with the kernels

// A copy that cannot be lowered is an error at its location, and nothing is printed.
// RUN: rm -f %t.ptx
// RUN: not tile-translate --tile-to-ptx %t/refused.mlir -o %t.ptx 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: refused.mlir:6:5: error: 'tile.copy' op cannot be done by 'gmem_smem': unsupported memory scopes src=shared dst=shared; allowed: global -> shared, shared -> global
// RUN: not FileCheck %s --input-file=%t.ptx --check-prefix=EMPTY
// EMPTY: .version

// So is a syntax error.
// RUN: not tile-translate --tile-to-ptx %t/malformed.mlir 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: malformed.mlir:3:35: error: got '?' in a shared tile, expected it in a global one only

//--- several.mlir
gpu.module @first [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one() kernel {
    gpu.return
  }
}
gpu.module @second [#nvvm.target<chip = "sm_100a">] {
  gpu.func @two() kernel {
    gpu.return
  }
}

//--- none.mlir
func.func @host() {
  return
}

//--- refused.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @odd(%A: memref<4x6xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !tile.buffer<4x6xf32, shared>
    %t = tile.alloc : !tile.buffer<4x6xf32, shared>
    tile.copy %s to %t scope(warp) {variant = "gmem_smem"} : !tile.buffer<4x6xf32, shared> to !tile.buffer<4x6xf32, shared>
    gpu.return
  }
}

//--- malformed.mlir
gpu.module @kernels {
  gpu.func @odd() kernel {
    %s = tile.alloc : !tile.buffer<4x?xf32, shared>
    gpu.return
  }
}
