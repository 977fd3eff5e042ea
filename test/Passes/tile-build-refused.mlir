// What --tile-build says of kernels that it does not order, and of wrong options.
// RUN: split-file %s %t
// RUN: tile-opt %t/unordered.mlir --tile-build=lower=false --verify-diagnostics -o /dev/null
// RUN: tile-opt %t/unordered.mlir --tile-build='lower=false allow-unordered=true' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALLOWED
// ALLOWED: warning: stays without synchronization: it is not found what orders its accesses: {{.*}}'func.call' op is not followed
// RUN: not tile-opt %t/unordered.mlir --pass-pipeline='builtin.module(gpu.module(tile-build))' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: 'tile-build' got the anchor 'gpu.module', expected the module around kernels and host: 'builtin.module'
// RUN: not tile-opt %t/unordered.mlir --tile-build=orders=false 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no such option orders
// RUN: not tile-translate --tile-to-ptx %t/unordered.mlir --passes=lower-tile-copies 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES: cannot parse the pass pipeline 'builtin.module(lower-tile-copies)': {{.*}}'lower-tile-copies' does not refer to a registered pass
// RUN: not tile-translate --tile-to-ptx %t/unordered.mlir --passes=lower-tile-copy 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: unordered.mlir:{{.*}}: error: 'gpu.func' op is left in a kernel: no conversion to the LLVM dialect takes it; lower it before
// RUN: not tile-run %t/unordered.mlir --passes=lower-tile-copy 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not tile-opt %t/converted.mlir --tile-build=lower=false 2>&1 | FileCheck %s --check-prefix=CONVERTED
// CONVERTED: error: 'func.call' op is not followed
// RUN: not tile-opt %t/large.mlir --tile-build=lower=false 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: 'gpu.func' op needs 262144 bytes of shared memory, expected at most 232448 on sm_90a

//--- unordered.mlir
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func private @external()
  // expected-error@below {{gets no synchronization: it is not found what orders its accesses}}
  // expected-note@below {{tile.order = "by_hand" on the kernel leaves it as it is}}
  gpu.func @unordered(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    // expected-error@below {{is not followed: the effect of 'func.call' on memory and order is not known}}
    func.call @external() : () -> ()
    tile.copy %s to %b scope(cta) : !shared to !global
    gpu.return
  }
}

//--- converted.mlir
!workgroup = memref<32x32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func private @external()
  gpu.func @converted(%A: memref<32x32xf32>) workgroup(%W: !workgroup) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    memref.copy %A, %W : memref<32x32xf32> to !workgroup
    func.call @external() : () -> ()
    gpu.return
  }
}

//--- large.mlir
!global = !tile.buffer<256x128xf32, global>
!shared = !tile.buffer<256x128xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @large(%A: memref<256x128xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<256x128xf32> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    tile.copy %a to %t scope(cta) : !global to !shared
    gpu.barrier
    tile.copy %s to %a scope(cta) : !shared to !global
    tile.copy %t to %a scope(cta) : !shared to !global
    gpu.return
  }
}
