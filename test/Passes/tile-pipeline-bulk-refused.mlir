// Loops with bulk copies that cannot become a ring of mbarriers.
// RUN: tile-opt %s --tile-pipeline --split-input-file --verify-diagnostics

// The copy names an mbarrier, but the ring uses its own mbarriers.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @named(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index, %more: index, %mbarrier: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    // expected-error@below {{requests stages, but one of its copies cannot have them}}
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{'tile.copy_async' names an mbarrier; expected none: the ring has its own, one of each stage}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) mbarrier(%mbarrier : !llvm.ptr<3>) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// Blocks that receive would have to tell the issuer when a stage is free.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @multicast(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index, %mask: i16) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    // expected-error@below {{requests stages, but one of its copies cannot have them}}
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{'tile.copy_async' has a cta_mask; expected none: the stages of a ring are released by their own block only}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) cta_mask(%mask) {variant = "tma"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// The trip count may differ each time the loop is entered, in two loops around.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @differs(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index, %more: index, %mbarrier: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    scf.for %lap = %c0 to %more step %c32 {
    scf.for %i = %c0 to %more step %c32 {
      scf.for %row = %c0 to %i step %c32 {
        // expected-error@below {{is in a loop whose trip count may change each time it is entered}}
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
        tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      } {tile.stages = 3 : i64}
    }
    }
    gpu.return
  }
}

// -----

// Three loops with different run-time trip counts: phases are tracked with at most two such numbers.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @three(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index, %more: index, %most: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    scf.for %other = %c0 to %more step %c32 {
      tile.copy_async %a[%other, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%other, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    // expected-error@below {{is in one of several loops with different run-time trip counts}}
    scf.for %other = %c0 to %most step %c32 {
      tile.copy_async %a[%other, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%other, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// Whether the ring is entered is decided at run time, each time anew.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @flag(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index, %more: index, %mbarrier: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    scf.for %t = %c0 to %more step %c1 {
      %rest = arith.remui %t, %rows : index
      %flag = arith.cmpi ne, %rest, %c0 : index
      scf.if %flag {
        scf.for %row = %c0 to %rows step %c32 {
          // expected-error@below {{uses an mbarrier under a condition that is decided only at run time}}
          tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
          tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
        } {tile.stages = 3 : i64}
      }
    }
    gpu.return
  }
}

// -----

// Chips before sm_90 have no bulk copies.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @old(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index, %more: index, %mbarrier: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      // expected-error@below {{a bulk copy needs sm_90}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @some_warps(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %first = arith.cmpi ult, %thread, %c64 : index
    scf.if %first {
      // expected-error @below {{requests stages and copies that mbarriers complete, but 64 of 128 threads come to it; expected all of the block, or one warp}}
      scf.for %row = %c0 to %rows step %c32 {
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(warp) {variant = "bulk"} : !matrix to !shared
        tile.copy %s to %b[%row, 0] [32, 64] scope(warp) : !shared to !matrix
      } {tile.stages = 3 : i64}
    }
    gpu.return
  }
}
