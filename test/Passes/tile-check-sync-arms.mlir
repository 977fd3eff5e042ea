// Rings of mbarriers beside conditions that only run-time numbers decide: what orders accesses in one arm alone orders nothing behind it.
// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-check-sync -o /dev/null

!matrix = !tile.buffer<?x64xf32, global>
!ring = !tile.buffer<2x32x64xf32, shared>
!tile = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>

  // In some iterations the stage is also copied to another tile, read across threads; what these need is in the arm.
  gpu.func @ordered_in_the_arm(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %n: index, %period: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32>
    %b = tile.view %B : memref<?x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %s = tile.alloc : !ring
    %x = tile.alloc : !tile
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      %next = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      nvvm.mbarrier.init %next, %one : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.for %i = %c0 to %n step %c1 {
      %stage = arith.remui %i, %c2 : index
      %lap = arith.divui %i, %c2 : index
      %odd = arith.remui %lap, %c2 : index
      %parity = arith.index_cast %odd : index to i32
      %number = arith.index_cast %stage : index to i32
      %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %row = arith.muli %i, %c32 : index
      tile.copy_async %a[%row, 0] [32, 64] to %s[%stage, 0, 0] [1, 32, 64] scope(cta) mbarrier(%f : !llvm.ptr<3>)
        {variant = "bulk"} : !matrix to !ring
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %f, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %rest = arith.remui %i, %period : index
      %now = arith.cmpi eq, %rest, %c0 : index
      scf.if %now {
        tile.copy %s[%stage, 0, 0] [1, 32, 64] to %x scope(cta) : !ring to !tile
        gpu.barrier
        tile.copy %x[16, 0] [16, 64] to %b[%row, 0] [16, 64] scope(cta) : !tile to !matrix
        gpu.barrier
      }
      gpu.barrier
    }
    gpu.return
  }

  // The barrier that the next copy to the stage needs is in the arm.
  gpu.func @barrier_in_the_arm(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %n: index, %period: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32>
    %b = tile.view %B : memref<?x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      // expected-note@below {{the mbarrier is made here, with a count of 1}}
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      %next = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      nvvm.mbarrier.init %next, %one : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.for %i = %c0 to %n step %c1 {
      %stage = arith.remui %i, %c2 : index
      %lap = arith.divui %i, %c2 : index
      %odd = arith.remui %lap, %c2 : index
      %parity = arith.index_cast %odd : index to i32
      %number = arith.index_cast %stage : index to i32
      %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %row = arith.muli %i, %c32 : index
      // expected-error@below {{writes shared memory that an earlier operation reads, and nothing orders the two 2 iterations later}}
      // expected-note@below {{phase 1 is completed here}}
      // expected-note@below {{between the two, this orders them: nvvm.bar.warp.sync: both are threads of one warp}}
      tile.copy_async %a[%row, 0] [32, 64] to %s[%stage, 0, 0] [1, 32, 64] scope(cta) mbarrier(%f : !llvm.ptr<3>)
        {variant = "bulk"} : !matrix to !ring
      // expected-error@below {{waits for phase 0 of an mbarrier, but phase 1 may be over by then, which has the other parity}}
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %f, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      // expected-note@below {{'tile.copy' reads it here}}
      tile.copy %s[%stage, 0, 0] [1, 32, 64] to %b[%row, 0] [32, 64] scope(cta) : !ring to !matrix
      %rest = arith.remui %i, %period : index
      %now = arith.cmpi eq, %rest, %c0 : index
      scf.if %now {
        gpu.barrier
      }
    }
    gpu.return
  }

  // Another copy arrives in some iterations only: which phases the others wait for is not known.
  gpu.func @arrives_in_the_arm(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %n: index, %period: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.for %i = %c0 to %n step %c1 {
      %rest = arith.remui %i, %period : index
      %now = arith.cmpi eq, %rest, %c0 : index
      scf.if %now {
        // expected-error@below {{uses an mbarrier under a condition that is decided only at run time}}
        tile.copy_async %a[%i, 0] [32, 64] to %s[0, 0, 0] [1, 32, 64] scope(cta) mbarrier(%full : !llvm.ptr<3>)
          {variant = "bulk"} : !matrix to !ring
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
      }
    }
    gpu.return
  }
}
