// The chip and the PTX version of the output.

// RUN: split-file %s %t

// The chip that the module names, unless --chip names another.
// RUN: tile-translate --tile-to-ptx %t/named.mlir | FileCheck %s --check-prefix=NAMED
// RUN: tile-translate --tile-to-ptx %t/named.mlir --chip=sm_100a | FileCheck %s --check-prefix=OTHER
// NAMED: .version 8.3
// NAMED: .target sm_90a
// OTHER: .version 8.8
// OTHER: .target sm_100a

// The chip determines the instructions of copies: no stmatrix before sm_90.
// RUN: tile-translate --tile-to-ptx %S/../Seeds/ldstmatrix.mlir | FileCheck %s --check-prefix=HAS
// RUN: tile-translate --tile-to-ptx %S/../Seeds/ldstmatrix.mlir --chip=sm_80 \
// RUN:   | FileCheck %s --check-prefix=LACKS --implicit-check-not=stmatrix
// HAS:   stmatrix
// LACKS: .target sm_80
// LACKS: ldmatrix

// A module that names no chip is compiled for sm_80.
// RUN: tile-translate --tile-to-ptx %t/unnamed.mlir | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: .target sm_80

// RUN: not tile-translate --tile-to-ptx %t/named.mlir --chip=sm_900 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: {{.*}}unknown chip 'sm_900'; known chips: sm_75, sm_80,

// RUN: not tile-translate --tile-to-ptx %t/old.mlir 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: {{.*}}unknown chip 'sm_30'; known chips: sm_75, sm_80,

// ptxas accepts every chip that we know.
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/named.mlir --chip=sm_75   | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/named.mlir --chip=sm_86   | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/named.mlir --chip=sm_89   | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/named.mlir --chip=sm_90   | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/named.mlir --chip=sm_100f | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/named.mlir --chip=sm_103a | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/named.mlir --chip=sm_110a | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/named.mlir --chip=sm_120a | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t/named.mlir --chip=sm_121a | %sass_count - | FileCheck %s --check-prefix=SASS %}
// SASS: LDG: 8
// SASS: LDG.E.128: 8

//--- named.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }
}

//--- unnamed.mlir
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}

//--- old.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_30">] {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
