// RUN: tile-opt --tile-align-layouts %s | FileCheck %s

// Conditions whose outcome is not known, but is the same for all threads of the scope: every copy keeps its
// vectors.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @blocks_and_arguments
  // CHECK-COUNT-3: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  gpu.func @blocks_and_arguments(%A: memref<32x32xf32>, %wanted: i1, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %block = gpu.block_id x
    %size = gpu.grid_dim x
    %small = arith.cmpi slt, %size, %n : index
    %first = arith.cmpi eq, %block, %n : index
    scf.if %wanted {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    scf.if %small {
      tile.copy %a to %s scope(cta) : !global to !shared
    } else {
      scf.if %first {
        tile.copy %a to %s scope(cta) : !global to !shared
      }
    }
    gpu.return
  }

  // All threads of a block have the same rank in the cluster.
  // CHECK-LABEL: gpu.func @clusters
  // CHECK-COUNT-3: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  gpu.func @clusters(%A: memref<32x32xf32>, %n: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %block = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    %cluster = nvvm.read.ptx.sreg.clusterid.x : i32
    %leads = arith.cmpi eq, %rank, %n : i32
    %first = arith.cmpi eq, %block, %n : i32
    %even = arith.cmpi ult, %cluster, %n : i32
    scf.if %leads {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    scf.if %first {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    scf.if %even {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    gpu.return
  }

  // All threads that load from one address see the same value.
  // CHECK-LABEL: gpu.func @loaded
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem"
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  gpu.func @loaded(%A: memref<32x32xf32>, %flags: memref<8xi1>, %n: index)
      workgroup(%shared: memref<8xi1, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %of_block = memref.load %flags[%n] : memref<8xi1>
    %of_warp = memref.load %flags[%warp] : memref<8xi1>
    %view = memref.cast %shared : memref<8xi1, #gpu.address_space<workgroup>>
      to memref<?xi1, #gpu.address_space<workgroup>>
    %of_shared = memref.load %view[%n] : memref<?xi1, #gpu.address_space<workgroup>>
    scf.if %of_block {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    scf.if %of_warp {
      tile.copy %a to %s scope(warp) : !global to !shared
    }
    scf.if %of_shared {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @loops
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem"
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  gpu.func @loops(%A: memref<32x32xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    // The trip count is the warp's number: whole warps leave the loop.
    scf.for %i = %c0 to %warp step %c1 {
      tile.copy %a to %s scope(warp) : !global to !shared
    }
    affine.for %i = 0 to %n {
      affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
        tile.copy %a to %s scope(cta) : !global to !shared
      }
    }
    scf.while (%x = %n) : (index) -> index {
      %more = arith.cmpi sgt, %x, %c0 : index
      scf.condition(%more) %x : index
    } do {
    ^bb0(%x: index):
      tile.copy %a to %s scope(cta) : !global to !shared
      %next = arith.subi %x, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }

  // A value that a loop carries or returns is as uniform as everything that it is computed from.
  // CHECK-LABEL: gpu.func @carried
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem"
  gpu.func @carried(%A: memref<32x32xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%block_sum = %c0, %warp_sum = %c0) -> (index, index) {
      %is_n = arith.cmpi eq, %block_sum, %n : index
      %block_next = arith.addi %block_sum, %i : index
      %warp_next = arith.addi %warp_sum, %c1 : index
      scf.yield %block_next, %warp_next : index, index
    }
    %chosen = scf.for %i = %c0 to %n step %c1 iter_args(%x = %sums#0) -> (index) {
      %is_n = arith.cmpi eq, %x, %n : index
      scf.if %is_n {
        tile.copy %a to %s scope(cta) : !global to !shared
      }
      %next = scf.if %is_n -> index {
        scf.yield %n : index
      } else {
        scf.yield %i : index
      }
      scf.yield %next : index
    }
    %per_warp = scf.for %i = %c0 to %n step %c1 iter_args(%x = %warp) -> (index) {
      %is_n = arith.cmpi eq, %x, %n : index
      scf.if %is_n {
        tile.copy %a to %s scope(warp) : !global to !shared
      }
      %next = arith.addi %x, %chosen : index
      scf.yield %next : index
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @switches_and_regions
  // CHECK-COUNT-2: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  gpu.func @switches_and_regions(%A: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    scf.index_switch %n
    case 2 {
      tile.copy %a to %s scope(cta) : !global to !shared
      scf.yield
    }
    default {
    }
    scf.execute_region {
      tile.copy %a to %s scope(cta) : !global to !shared
      scf.yield
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @branches
  // CHECK-COUNT-2: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  gpu.func @branches(%A: memref<32x32xf32>, %wanted: i1, %n: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    cf.cond_br %wanted, ^copy, ^choose
  ^copy:
    tile.copy %a to %s scope(cta) : !global to !shared
    cf.br ^choose
  ^choose:
    cf.switch %n : i32, [default: ^end, 3: ^again]
  ^again:
    tile.copy %a to %s scope(cta) : !global to !shared
    cf.br ^end
  ^end:
    gpu.return
  }

  // The threads diverge after the copy, or in a branch that they have left: that does not affect the copy.
  // CHECK-LABEL: gpu.func @elsewhere
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  gpu.func @elsewhere(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      gpu.printf "elected"
    }
    tile.copy %a to %s scope(cta) : !global to !shared
    cf.cond_br %elected, ^one, ^end
  ^one:
    gpu.printf "again"
    cf.br ^end
  ^end:
    gpu.return
  }

  // Nothing branches to the block: the copy is never executed, and is erased.
  // CHECK-LABEL: gpu.func @never
  // CHECK-NOT: copy
  // CHECK: gpu.func @end
  gpu.func @never(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    gpu.return
  ^nowhere:
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.return
  }

  gpu.func @end() kernel {
    gpu.return
  }
}
