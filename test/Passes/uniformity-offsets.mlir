// RUN: tile-opt --tile-align-layouts %s | FileCheck %s

// Run-time operands of copies that are provably the same for all threads of the scope. Refused operands are in
// uniformity-offsets-refused.mlir.

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<4x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Computed from thread ids and constants: known for each thread.
  // CHECK-LABEL: gpu.func @exact
  // CHECK-COUNT-4: tile.planned_copy {{.*}}plan<matched "gmem_smem"
  gpu.func @exact(%A: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %threads = gpu.block_dim x
    %lane = gpu.lane_id
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %warp = arith.divui %thread, %c32 : index
    %warpgroup = arith.divui %thread, %c128 : index
    %none = arith.divui %thread, %c256 : index
    %warps = arith.divui %threads, %c32 : index
    tile.copy %a[%warp, 0] [4, 32] to %s scope(warp) : !global to !shared
    tile.copy %a[%warpgroup, 0] [4, 32] to %s scope(warpgroup) : !global to !shared
    tile.copy %a[%none, 0] [4, 32] to %s scope(cta) : !global to !shared
    tile.copy %a[%warps, 0] [4, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }

  // The threads that execute the copy agree, although other threads would not.
  // CHECK-LABEL: gpu.func @those_that_get_there
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 1, {{.*}}ranks = {first = 7}
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem", threads = 32, {{.*}}ranks = {first = 32, digits = [(32, 1)]}
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem", threads = 32, {{.*}}ranks = {first = 32, digits = [(32, 1)]}
  gpu.func @those_that_get_there(%A: memref<64x32xf32>, %N: memref<64xindex>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %lane = gpu.lane_id
    %warp = gpu.subgroup_id : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %is_7 = arith.cmpi eq, %lane, %c7 : index
    scf.if %is_7 {
      // Its own value, loaded from its own address.
      %own = memref.load %N[%thread] : memref<64xindex>
      tile.copy %a[%own, 0] [4, 32] to %s scope(warp) : !global to !shared
    }
    %is_1 = arith.cmpi eq, %warp, %c1 : index
    scf.if %is_1 {
      tile.copy %a[%warp, 0] [4, 32] to %s scope(cta) : !global to !shared
      %of_warp = memref.load %N[%warp] : memref<64xindex>
      tile.copy %a[%of_warp, 0] [4, 32] to %s scope(cta) : !global to !shared
    }
    gpu.return
  }

  // Not known, but uniform: arguments, block ids, induction variables of loops with uniform bounds that also carry a
  // per-thread value, values loaded from one address, block arguments.
  // CHECK-LABEL: gpu.func @same
  // CHECK-COUNT-9: tile.planned_copy {{.*}}plan<matched "gmem_smem"
  gpu.func @same(%A: memref<64x32xf32>, %N: memref<64xindex>, %n: index, %b: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    tile.copy %a[%n, 0] [4, 32] to %s scope(cta) : !global to !shared
    tile.copy %a[%block, 0] [4, 32] to %s scope(cta) : !global to !shared
    %sum, %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %thread, %y = %c0) -> (index, index) {
      tile.copy %a[%i, 0] [4, 32] to %s scope(cta) : !global to !shared
      tile.copy %a[%y, 0] [4, 32] to %s scope(cta) : !global to !shared
      %next = arith.addi %x, %i : index
      scf.yield %next, %i : index, index
    }
    tile.copy %a[%last, 0] [4, 32] to %s scope(cta) : !global to !shared
    affine.for %i = 0 to %n iter_args(%x = %thread) -> (index) {
      tile.copy %a[%i, 0] [4, 32] to %s scope(cta) : !global to !shared
      affine.yield %thread : index
    }
    %first = memref.load %N[%c0] : memref<64xindex>
    tile.copy %a[%first, 0] [4, 32] to %s scope(cta) : !global to !shared
    %row = affine.min affine_map<(d0, d1) -> (d0 + d1, 60)>(%first, %n)
    tile.copy %a[%row, 0] [4, 32] to %s scope(cta) : !global to !shared
    cf.cond_br %b, ^join(%first, %thread : index, index), ^join(%n, %thread : index, index)
  ^join(%chosen: index, %own: index):
    tile.copy %a[%chosen, 0] [4, 32] to %s scope(cta) : !global to !shared
    gpu.return
  }

  // The results of a while loop, a switch, and a region are analysed one value at a time.
  // CHECK-LABEL: gpu.func @carried
  // CHECK-COUNT-4: tile.planned_copy {{.*}}plan<matched "gmem_smem"
  gpu.func @carried(%A: memref<64x32xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end, %other = scf.while (%x = %c0, %y = %thread) : (index, index) -> (index, index) {
      %more = arith.cmpi slt, %x, %n : index
      scf.condition(%more) %x, %y : index, index
    } do {
    ^bb0(%x: index, %y: index):
      tile.copy %a[%x, 0] [4, 32] to %s scope(cta) : !global to !shared
      %next = arith.addi %x, %c1 : index
      scf.yield %next, %y : index, index
    }
    tile.copy %a[%end, 0] [4, 32] to %s scope(cta) : !global to !shared
    %row, %own = scf.index_switch %n -> index, index
    case 2 {
      scf.yield %c1, %thread : index, index
    }
    default {
      scf.yield %n, %thread : index, index
    }
    tile.copy %a[%row, 0] [4, 32] to %s scope(cta) : !global to !shared
    %region, %mine = scf.execute_region -> (index, index) {
      scf.yield %row, %thread : index, index
    }
    tile.copy %a[%region, 0] [4, 32] to %s scope(cta) : !global to !shared
    gpu.return
  }

  // Results that the threads of a warp or block compute together, and promised uniformity.
  // CHECK-LABEL: gpu.func @together
  // CHECK-COUNT-9: tile.planned_copy {{.*}}plan<matched "gmem_smem"
  gpu.func @together(%A: memref<64x32xf32>, %N: memref<128xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %own = memref.load %N[%thread] : memref<128xi32>
    %own_index = arith.index_cast %own : i32 to index
    %c3 = arith.constant 3 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %all = arith.constant -1 : i32
    %0 = gpu.all_reduce add %own uniform {} : (i32) -> i32
    %i0 = arith.index_cast %0 : i32 to index
    tile.copy %a[%i0, 0] [4, 32] to %s scope(cta) : !global to !shared
    %1 = gpu.subgroup_reduce maxsi %own uniform : (i32) -> i32
    %i1 = arith.index_cast %1 : i32 to index
    tile.copy %a[%i1, 0] [4, 32] to %s scope(warp) : !global to !shared
    %2 = gpu.subgroup_broadcast %own_index, first_active_lane : index
    tile.copy %a[%2, 0] [4, 32] to %s scope(warp) : !global to !shared
    %3, %valid = gpu.shuffle idx %own, %c3, %c32 : i32
    %i3 = arith.index_cast %3 : i32 to index
    tile.copy %a[%i3, 0] [4, 32] to %s scope(warp) : !global to !shared
    %4 = nvvm.shfl.sync idx %all, %own, %c3, %c31 : i32 -> i32
    %i4 = arith.index_cast %4 : i32 to index
    tile.copy %a[%i4, 0] [4, 32] to %s scope(warp) : !global to !shared
    %5 = nvvm.redux.sync add %own, %all : i32 -> i32
    %i5 = arith.index_cast %5 : i32 to index
    tile.copy %a[%i5, 0] [4, 32] to %s scope(warp) : !global to !shared
    %6 = tile.assume %own_index uniform(warp) : index
    tile.copy %a[%6, 0] [4, 32] to %s scope(warp) : !global to !shared
    %7 = tile.assume %own_index divisible_by 4 uniform(cta) : index
    tile.copy %a[%7, 0] [4, 32] to %s scope(cta) : !global to !shared
    %M = tile.assume %A uniform(cta) : memref<64x32xf32>
    %m = tile.view %M : memref<64x32xf32> to !global
    tile.copy %m[%7, 0] [4, 32] to %s scope(cta) : !global to !shared
    gpu.return
  }

  // At thread scope, each thread may have its own offsets, registers and predicate; at any scope, its own registers.
  // CHECK-LABEL: gpu.func @own
  // CHECK: tile.planned_copy {{.*}} scope(thread) plan<matched 
  // CHECK: tile.planned_copy {{.*}}predicate({{.*}}) {{.*}}plan<matched "ldgsts"
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<matched "reg"
  gpu.func @own(%A: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %own = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    %mine = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    %thread = gpu.thread_id x
    %lane = gpu.lane_id
    %c0 = arith.constant 0 : index
    %odd = arith.cmpi ugt, %lane, %c0 : index
    tile.copy %a[%thread, 0] [1, 4] to %s[0, 0] [1, 4] scope(thread) : !global to !shared
    tile.copy_async %a[0, 0] [4, 32] to %s scope(warp) predicate(%odd) : !global to !shared
    %registers = arith.select %odd, %own, %mine : memref<4xf32, #gpu.address_space<private>>
    %r = tile.view %registers : memref<4xf32, #gpu.address_space<private>>
      to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
    tile.copy %a[0, 0] [32, 4] to %r scope(warp)
      : !global to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
    gpu.return
  }

  // What an op does is what its interfaces say: these only compute.
  // CHECK-LABEL: gpu.func @of_any_dialect
  // CHECK-COUNT-2: plan<matched "gmem_smem"
  gpu.func @of_any_dialect(%A: memref<64x32xf32>, %n: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %least = llvm.intr.umin(%n, %n) : (i64, i64) -> i64
    %first = arith.index_cast %least : i64 to index
    tile.copy %a[%first, 0] [4, 32] to %s scope(cta) : !global to !shared
    %other = llvm.xor %n, %least : i64
    %second = arith.index_cast %other : i64 to index
    tile.copy %a[%second, 0] [4, 32] to %s scope(cta) : !global to !shared
    gpu.return
  }
}
