// An NVVM operation that the chip does not have is a readable error without output, not a crash of LLVM.
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s
// CHECK: mbarrier.try_wait.parity.shared.b64

// RUN: rm -f %t.ptx
// RUN: not tile-translate --tile-to-ptx --chip=sm_80 %s -o %t.ptx 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED --implicit-check-not=Stack
// RUN: not ls %t.ptx
// REFUSED: refused-by-llvm.mlir:{{.*}}error: 'builtin.module' op LLVM cannot compile this program for the chip: Cannot select: intrinsic %llvm.nvvm.mbarrier.try.wait

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @wait(%flag: memref<1xi1>, %barrier: !llvm.ptr<3>, %phase: i32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
    %c0 = arith.constant 0 : index
    memref.store %done, %flag[%c0] : memref<1xi1>
    gpu.return
  }
}
