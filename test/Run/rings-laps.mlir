// A ring whose parities restart in each iteration of an outer loop, while its phases continue. That loop contains nothing else.
// RUN: not tile-opt %s --tile-check-sync -o /dev/null 2>&1 | FileCheck %s
// CHECK-DAG: error: 'memref.load' op reads shared memory that an earlier operation writes, and nothing orders the two
// CHECK-DAG: error: 'scf.while' op waits for phase 0 of an mbarrier, but phase 1 may be over by then
// One outer iteration is correct; in the next, after an odd number of phases, no thread waits for the others.
// RUN: tile-run %s --entry laps --schedule=all --arg f32[64]=iota --arg f32[64]=zeros --arg i64=1 --arg i64=3 --expect-equal 0,1
// RUN: tile-run %s --entry laps --schedule=all --arg f32[64]=iota --arg f32[64]=zeros --arg i64=3 --arg i64=2 --expect-equal 0,1
// RUN: not tile-run %s --entry laps --schedule=all --arg f32[64]=iota --arg f32[64]=zeros --arg i64=2 --arg i64=1 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: error: {{.*}}: race: the bytes

gpu.module @rings [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @laps(%A: memref<64xf32>, %B: memref<64xf32>, %n: index, %m: index)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %all = arith.constant 64 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %other = arith.subi %c63, %t : index
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %m step %c1 {
        %odd = arith.andi %j, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %x = memref.load %A[%t] : memref<64xf32>
        memref.store %x, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
        %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        %y = memref.load %s[%other] : memref<64xf32, #gpu.address_space<workgroup>>
        memref.store %y, %B[%other] : memref<64xf32>
        gpu.barrier
      }
    }
    gpu.return
  }
}
