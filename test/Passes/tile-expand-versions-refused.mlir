// RUN: tile-opt %s --tile-expand-versions --split-input-file --verify-diagnostics --allow-unregistered-dialect

!line = !tile.buffer<64xf32, global>
!regs = !tile.buffer<64xf32, local, #tile.layout<(64) : (1@tx)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @differs(%A: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64xf32>
    %r = tile.alloc : !regs
    // expected-note @below {{defined here}}
    %t = gpu.thread_id x
    // expected-error @below {{got a version's operand that differs between threads of the cta: 'gpu.thread_id' is 0 for thread 0 and 1 for thread 1; expected one value for all of them}}
    tile.version %t divisible_by 8 : index {
      tile.copy %a to %r scope(cta) : !line to !regs
      "test.use"(%t) : (index) -> ()
    }
    gpu.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @barrier(%A: memref<64xindex>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-note @below {{it follows from 'gpu.thread_id', which is 0 for thread 0 and 1 for thread 1}}
    %t = gpu.thread_id x
    %n = memref.load %A[%t] : memref<64xindex>
    // expected-error @below {{got a version's operand, 'memref.load', that is not known to be the same for all threads of the cta}}
    tile.version %n divisible_by 8 : index {
      gpu.barrier
      "test.use"(%n) : (index) -> ()
    }
    gpu.return
  }
}

// -----

// A warp's threads have the same, and no more are needed.
!line = !tile.buffer<64xf32, global>
!regs = !tile.buffer<64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @of_warp(%A: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64xf32>
    %r = tile.alloc : !regs
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %w = arith.divui %t, %c32 : index
    tile.version %w divisible_by 8 : index {
      tile.copy %a to %r scope(warp) : !line to !regs
      "test.use"(%w) : (index) -> ()
    }
    gpu.return
  }
}

// -----

// Each thread may take its own branch where it does nothing together with others.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @alone(%A: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    tile.version %t divisible_by 8 : index {
      "test.use"(%t) : (index) -> ()
    }
    gpu.return
  }
}

// -----

func.func @unused(%n: index, %m: index) {
  // expected-warning @below {{promises %arg1 divisible_by 4, which its region does not use}}
  tile.version %n divisible_by 8, %m divisible_by 4 : index, index {
    "test.use"(%n) : (index) -> ()
  }
  return
}
