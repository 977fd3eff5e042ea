// Loops with bulk copies of which no ring of mbarriers can be made.
// RUN: tile-opt %s --tile-pipeline --split-input-file --verify-diagnostics

// The ring has mbarriers of its own.
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
    // expected-error@below {{requests stages, which a copy of it cannot have}}
    scf.for %row = %c0 to %rows step %c32 {
      // expected-note@below {{'tile.copy_async' names an mbarrier; expected none: a bulk copy is completed by the ring's, one of each stage}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) mbarrier(%mbarrier : !llvm.ptr<3>) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// How often the ring goes round may differ each time.
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
    scf.for %i = %c0 to %more step %c32 {
      // expected-error@below {{is in a loop of which it is not known that it goes round equally often each time}}
      scf.for %row = %c0 to %i step %c32 {
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
        tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      } {tile.stages = 3 : i64}
    }
    gpu.return
  }
}

// -----

// Of three loops only the run knows how often they go round: phases are followed with two such numbers.
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
    // expected-error@below {{is in one of several loops of which only the run knows how often they go round}}
    scf.for %other = %c0 to %most step %c32 {
      tile.copy_async %a[%other, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%other, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

// Only the run decides whether there is a ring.
!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @flag(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index, %more: index, %mbarrier: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    %flag = arith.cmpi ne, %more, %c0 : index
    scf.if %flag {
      // expected-error@below {{is under a condition that only the run decides}}
      scf.for %row = %c0 to %rows step %c32 {
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
        tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      } {tile.stages = 3 : i64}
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
