// A barrier that is redundant only for some choice of the warp's leader is kept; one redundant for every choice is removed.
// RUN: tile-opt %s --tile-insert-sync=remove-redundant=true --remark-policy=all --remarks-filter=tile-copy -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir
// REMARK: [Missed] depends-on-leader | {{.*}}Function=kept
// REMARK: [Passed] redundant | {{.*}}Function=in_vain
// CHECK-LABEL: gpu.func @kept
// CHECK:         nvvm.bar.warp.sync
// CHECK-LABEL: gpu.func @in_vain
// CHECK-NOT:     nvvm.bar.warp.sync

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kept(%A: memref<64xf32>) workgroup(%s: memref<1xf32, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c31 = arith.constant 31 : index
    %all = arith.constant -1 : i32
    %value = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %is_lane_31 = arith.cmpi eq, %t, %c31 : index
    scf.if %is_lane_31 {
      memref.store %value, %s[%c0] : memref<1xf32, 3>
    }
    nvvm.bar.warp.sync %all : i32
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      %x = memref.load %s[%c0] : memref<1xf32, 3>
      memref.store %x, %A[%c0] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @in_vain(%A: memref<64xf32>) workgroup(%s: memref<1xf32, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %all = arith.constant -1 : i32
    %value = arith.constant 1.0 : f32
    %first = nvvm.elect.sync -> i1
    scf.if %first {
      memref.store %value, %s[%c0] : memref<1xf32, 3>
    }
    nvvm.bar.warp.sync %all : i32
    %second = nvvm.elect.sync -> i1
    scf.if %second {
      %x = memref.load %s[%c0] : memref<1xf32, 3>
      memref.store %x, %A[%c0] : memref<64xf32>
    }
    gpu.return
  }
}
