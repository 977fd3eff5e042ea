// Kernels become PTX next to the host code, for the chip that they name, or else the default one.
// RUN: split-file %s %t
// RUN: tile-opt %t/kernels.mlir --tile-to-nvvm --tile-embed-ptx | FileCheck %s
// RUN: not tile-opt %t/early.mlir --tile-embed-ptx 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tile-opt %t/host.mlir --tile-embed-ptx 2>&1 | FileCheck %s --check-prefix=HOST
// EARLY: early.mlir:2:3: error: 'gpu.func' op is left in a kernel: no conversion to the LLVM dialect takes it; lower it before --tile-to-nvvm
// HOST: host.mlir:3:10: error: 'arith.constant' op is left in a kernel

//--- kernels.mlir
// CHECK-DAG: gpu.binary @old [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = "{{.*}}.target sm_80{{.*}}.entry one(
// CHECK-DAG: gpu.binary @none [#gpu.object<#nvvm.target<{{.*}}>, assembly = "{{.*}}.entry two(
// CHECK-NOT: gpu.module
gpu.module @old [#nvvm.target<chip = "sm_80">] {
  gpu.func @one(%A: memref<8xf32>) kernel {
    gpu.return
  }
}
gpu.module @none {
  gpu.func @two(%A: memref<8xf32>) kernel {
    gpu.return
  }
}

//--- early.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel() kernel {
    gpu.return
  }
}

//--- host.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %0 = arith.constant 1 : i32
    llvm.return
  }
}
