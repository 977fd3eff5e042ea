// What has been inserted is checked as it is written, also for the leaders that the insertions were not computed for: lane 31 is
// taken to be the leader, so that nothing is missing between its store and its load, and the one barrier comes too late for
// another leader.
// RUN: not tile-opt %s --tile-insert-sync --remarks-filter-passed=tile-copy --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: [Passed] inserted | {{.*}}'nvvm.bar.warp.sync' orders what comes before it
// CHECK: error: 'memref.load' op reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 31 and thread 0, byte 0
// CHECK: note: {{.*}}this orders them: nvvm.bar.warp.sync

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @late(%A: memref<64xf32>)
      workgroup(%s: memref<1xf32, 3>, %u: memref<32xf32, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %value = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %is_lane_31 = arith.cmpi eq, %t, %c31 : index
    scf.if %is_lane_31 {
      memref.store %value, %s[%c0] : memref<1xf32, 3>
    }
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      %x = memref.load %s[%c0] : memref<1xf32, 3>
      memref.store %x, %A[%c0] : memref<64xf32>
    }
    // Here a barrier is inserted.
    memref.store %value, %u[%t] : memref<32xf32, 3>
    %other = arith.subi %c31, %t : index
    %y = memref.load %u[%other] : memref<32xf32, 3>
    %place = arith.addi %t, %c32 : index
    memref.store %y, %A[%place] : memref<64xf32>
    gpu.return
  }
}
