// Roles that other threads take than they say.
// RUN: tile-opt %s --tile-check-sync --split-input-file --verify-diagnostics

!matrix = !tile.buffer<64x64xf32, global>
!shared = !tile.buffer<64x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fewer(%A: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c64 = arith.constant 64 : index
    %a = tile.view %A : memref<64x64xf32>
    %s = tile.alloc : !shared
    %t = gpu.thread_id x
    %takes = arith.cmpi ult, %t, %c64 : index
    scf.if %takes {
      // expected-error@below {{is in a role of 32 threads, which 64 threads take, expected threads 0 to 31}}
      tile.copy %a to %s scope(cta) : !matrix to !shared
    } {tile.role = 32 : i64}
    gpu.return
  }
}

// -----

// A thread has the same number in its role as in the block.
!matrix = !tile.buffer<64x64xf32, global>
!shared = !tile.buffer<64x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @last(%A: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c64 = arith.constant 64 : index
    %a = tile.view %A : memref<64x64xf32>
    %s = tile.alloc : !shared
    %t = gpu.thread_id x
    %takes = arith.cmpi uge, %t, %c64 : index
    scf.if %takes {
      // expected-error@below {{is in a role of 64 threads, which 64 threads take, expected threads 0 to 63}}
      tile.copy %a to %s scope(cta) : !matrix to !shared
    } {tile.role = 64 : i64}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<64x64xf32, global>
!shared = !tile.buffer<64x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown(%A: memref<64x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32>
    %s = tile.alloc : !shared
    %t = gpu.thread_id x
    %takes = arith.cmpi ult, %t, %n : index
    scf.if %takes {
      // expected-error@below {{is in a role of 64 threads, but it is not known which threads take it}}
      tile.copy %a to %s scope(cta) : !matrix to !shared
    } {tile.role = 64 : i64}
    gpu.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @odd(%takes: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error@below {{has tile.role, expected a number of threads: a multiple of 32 below 1024}}
    scf.if %takes {
      gpu.barrier
    } {tile.role = 48 : i64}
    gpu.return
  }
}
