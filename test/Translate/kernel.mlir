// --kernel compiles one kernel of several, and tile-run the one that it executes: an error in another does not matter, and a launch
// keeps its kernel. Kernels that are lowered to LLVM's dialect are kernels, too.
// RUN: split-file %s %t
// RUN: tile-translate %t/kernels.mlir --tile-to-ptx --kernel=first | FileCheck %s --check-prefix=FIRST --implicit-check-not=.entry
// RUN: not tile-translate %t/kernels.mlir --tile-to-ptx --kernel=unordered 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not tile-run %t/kernels.mlir --entry third 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-translate %t/kernels.mlir --tile-to-ptx --kernel=third 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: tile-translate %t/launched.mlir --tile-to-ptx --kernel=first | FileCheck %s --check-prefixes=FIRST,LAUNCHED --implicit-check-not=.entry
// RUN: tile-translate %t/lowered.mlir --tile-to-ptx --kernel=first | FileCheck %s --check-prefix=FIRST --implicit-check-not=.entry
// RUN: not tile-translate %t/lowered.mlir --tile-to-ptx --kernel=helper 2>&1 | FileCheck %s --check-prefix=HELPER

// FIRST: .entry first(
// LAUNCHED: .entry second(
// REFUSED: error: 'gpu.func' op gets no synchronization
// UNKNOWN: kernels.mlir:1:1: error: has no kernel 'third', expected one of first, unordered (--kernel)
// HELPER: error: has no kernel 'helper', expected one of first, second (--kernel)

//--- kernels.mlir
module {
  gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
    gpu.func @first(%m: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %c = arith.constant 1.0 : f32
      memref.store %c, %m[%i] : memref<64xf32>
      gpu.return
    }
    func.func private @external()
    gpu.func @unordered(%m: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %b = tile.view %m : memref<64xf32>
      %s = tile.alloc : !tile.buffer<64xf32, shared>
      func.call @external() : () -> ()
      tile.copy %s to %b scope(cta) : !tile.buffer<64xf32, shared> to !tile.buffer<64xf32, global>
      gpu.return
    }
  }
}

//--- launched.mlir
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
    gpu.func @first() kernel { gpu.return }
    gpu.func @second() kernel { gpu.return }
    gpu.func @third() kernel { gpu.return }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@second blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

//--- lowered.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
  llvm.func @helper() { llvm.return }
  llvm.func @first() attributes {nvvm.kernel} { llvm.return }
  llvm.func @second() attributes {nvvm.kernel} { llvm.return }
}
