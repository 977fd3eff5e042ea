// The kernel's first thread prefetches the maps that every launch uses: each once, not those that an argument decides about, and
// those that only some turns of a loop use.
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX

!matrix = !tile.buffer<64x64xf16, global>
!shared = !tile.buffer<64x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @always(
  // CHECK-SAME:    %[[MAP:[a-z0-9]+]]: !tile.tensor_map<
  // CHECK-NOT:     prefetch
  // CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %thread_id_x, %c0
  // CHECK:         scf.if %[[FIRST]] {
  // CHECK-NEXT:      %[[POINTER:.*]] = builtin.unrealized_conversion_cast %[[MAP]] : !tile.tensor_map<{{.*}}> to !llvm.ptr
  // CHECK-NEXT:      nvvm.prefetch tensormap, %[[POINTER]] : !llvm.ptr
  // CHECK-NEXT:    }
  // CHECK-NOT:     prefetch
  // CHECK:         nvvm.cp.async.bulk.tensor
  // CHECK:         gpu.return
  // PTX-LABEL:   .entry always(
  // PTX:         prefetch.tensormap [%{{.*}}];
  // PTX:         cp.async.bulk.tensor.2d
  gpu.func @always(%A: memref<64x64xf16>, %n: index) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // in order, but not followed
    %c0 = arith.constant 0 : index
    %a = tile.view %A : memref<64x64xf16>
    %s = tile.alloc : !shared
    tile.copy_async %a to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} : !matrix to !shared
    %more = arith.cmpi sgt, %n, %c0 : index
    scf.if %more {
      tile.copy_async %a to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} : !matrix to !shared
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @sometimes(
  // CHECK-NOT:     prefetch
  // CHECK:         gpu.return
  // PTX-LABEL:   .entry sometimes(
  // PTX-NOT:     prefetch
  // PTX:         ret;
  gpu.func @sometimes(%A: memref<64x64xf16>, %n: index) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // in order, but not followed
    %c0 = arith.constant 0 : index
    %a = tile.view %A : memref<64x64xf16>
    %s = tile.alloc : !shared
    %more = arith.cmpi sgt, %n, %c0 : index
    scf.if %more {
      tile.copy_async %a to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} : !matrix to !shared
    }
    gpu.return
  }

  // Which block it is decides, too.
  // CHECK-LABEL: gpu.func @some_blocks(
  // CHECK-NOT:     prefetch
  // CHECK:         gpu.return
  gpu.func @some_blocks(%A: memref<64x64xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // in order, but not followed
    %c0 = arith.constant 0 : index
    %a = tile.view %A : memref<64x64xf16>
    %s = tile.alloc : !shared
    %block = gpu.block_id x
    %more = arith.cmpi eq, %block, %c0 : index
    scf.if %more {
      tile.copy_async %a to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} : !matrix to !shared
    }
    gpu.return
  }

  // Which thread issues, and in which turn of a loop, does not matter.
  // CHECK-LABEL: gpu.func @turns(
  // CHECK:         nvvm.prefetch tensormap
  // CHECK-NOT:     prefetch
  // CHECK:         gpu.return
  gpu.func @turns(%A: memref<64x64xf16>, %n: index) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // in order, but not followed
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<64x64xf16>
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %in_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %last = arith.subi %n, %c1 : index
    scf.if %in_warp_0 {
      %elected = nvvm.elect.sync -> i1
      scf.if %elected {
        scf.for %i = %c0 to %n step %c1 {
          %more = arith.cmpi ult, %i, %last : index
          scf.if %more {
            tile.copy_async %a to %s scope(thread) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} : !matrix to !shared
          }
        }
      }
    }
    gpu.return
  }
}
