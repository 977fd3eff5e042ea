// Expands stage ops and buffers to arith, gpu, memref, nvvm, scf and vector ops. No op of the tile dialect is left.
// tile-expand-copy-refused.mlir has the ops that cannot be expanded.
// RUN: tile-opt %s --tile-expand-copy --canonicalize | FileCheck %s --implicit-check-not='{{= tile\.|^ *tile\.}}'

// Its only option is the chip; an unknown one is refused.
// RUN: tile-opt %s --tile-expand-copy=chip=sm_103a --canonicalize | FileCheck %s
// RUN: not tile-opt %s --tile-expand-copy=chip=sm_50 2>&1 | FileCheck %s --check-prefix=NO-CHIP
// NO-CHIP: error: {{.*}}unknown chip 'sm_50'

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!halves = !tile.buffer<16x16xf16, shared>
!fragment = !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
!bytes = !tile.buffer<32x16xi8, shared>
!four = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!wide = !tile.buffer<4x32xi8, tmem, #tile.layout<(4, 32) : (32@TLane, 1@TCol)>>
!lanes = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  // Shared buffers are workgroup memory, with the planned alignment. Loads come before stores, and both state their
  // alignment.
  // CHECK-LABEL: gpu.func @vectors
  // CHECK-SAME:  workgroup(%[[S:.*]] : memref<1024xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // CHECK:       %[[FIRST:.*]] = arith.muli %{{.*}}, %c4
  // CHECK-NEXT:  %[[X:.*]] = vector.load %[[A:.*]][%[[FIRST]]] {alignment = 16 : i64} : memref<1024xf32>, vector<4xf32>
  // CHECK-NEXT:  %[[SECOND:.*]] = arith.addi %[[FIRST]], %c128
  // CHECK-NEXT:  %[[Y:.*]] = vector.load %[[A]][%[[SECOND]]]
  // CHECK-NEXT:  vector.store %[[X]], %[[S]][%[[FIRST]]] {alignment = 16 : i64}
  // CHECK-NEXT:  vector.store %[[Y]], %[[S]][%[[SECOND]]] {alignment = 16 : i64}
  gpu.func @vectors(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 2, threads = 32, vector = 4, bits = 32,
           src = {layout = (2, 32, 4) : (128, 4, 1), space = global, align = 16},
           dst = {layout = (2, 32, 4) : (128, 4, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }

  // More than 16 rounds become a loop over groups of 8.
  // CHECK-LABEL:   gpu.func @many_rounds
  // CHECK:         scf.for %{{.*}} = %c0 to %c4 step %c1
  // CHECK-COUNT-8: memref.load
  // CHECK-COUNT-8: memref.store
  // CHECK-NEXT:    }
  gpu.func @many_rounds(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 32, threads = 32, vector = 1, bits = 32,
           src = {layout = (32, 32, 1) : (32, 1, 1), space = global, align = 16},
           dst = {layout = (32, 32, 1) : (32, 1, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }

  // Each "ldgsts" vector is one instruction. If its predicate is false, it reads nothing and writes zeros, or does nothing.
  // CHECK-LABEL: gpu.func @cp_async
  // CHECK-SAME:  %[[P:[a-z0-9]+]]: i1)
  // CHECK:       nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
  // CHECK:       %[[BYTES:.*]] = arith.select %[[P]], %c8_i32, %c0_i32 : i32
  // CHECK:       nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca, %[[BYTES]]
  // CHECK:       scf.if %[[P]] {
  // CHECK:         llvm.inline_asm has_side_effects "cp.async.cg.shared.global.L2::128B [$0], [$1], 16;", "l,l,~{memory}"
  // CHECK-NEXT:  }
  gpu.func @cp_async(%A: memref<32x32xf32>, %p: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "ldgsts", rounds = 1, threads = 32, vector = 4, bits = 32,
           src = {layout = (1, 32, 4) : (0, 4, 1), space = global, align = 16},
           dst = {layout = (1, 32, 4) : (0, 4, 1), space = shared, align = 16}>
      : !global to !shared
    tile.planned_copy %a to %s scope(warp) predicate(%p) zero_fill
      plan<vectors "ldgsts", rounds = 1, threads = 32, vector = 2, bits = 32,
           src = {layout = (1, 32, 2) : (0, 4, 1), space = global, align = 16},
           dst = {layout = (1, 32, 2) : (0, 4, 1), space = shared, align = 16}>
      : !global to !shared
    tile.planned_copy %a to %s scope(warp) predicate(%p)
      plan<vectors "ldgsts", rounds = 1, threads = 32, vector = 4, bits = 32, cache = {prefetch_size = "L2::128B"},
           src = {layout = (1, 32, 4) : (0, 4, 1), space = global, align = 16},
           dst = {layout = (1, 32, 4) : (0, 4, 1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }

  // Local buffers are private arrays; a local_view is such an array.
  // CHECK-LABEL: gpu.func @matrices
  // CHECK:       %[[R:.*]] = memref.alloca() {alignment = 32 : i64} : memref<8xf16>
  // CHECK:       nvvm.ldmatrix {{.*}} num = 4 : i32
  // CHECK-COUNT-4: vector.store %{{.*}}, %[[R]]
  // CHECK:       memref.load %[[R]][%c0]
  gpu.func @matrices() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !halves
    %r = tile.alloc : !fragment
    tile.planned_copy %s to %r scope(warp)
      plan<matrix "ldstmatrix", load, num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2), row_stride = 16,
           shared = {layout = (8, 4, 2, 2, 2) : (16, 2, 128, 8, 1), space = shared, align = 16},
           registers = {layout = (8, 4, 2, 2, 2) : (4@laneid, 1@laneid, 4, 2, 1), space = local, align = 16}>
      : !halves to !fragment
    %m = tile.local_view %r : !fragment to memref<8xf16>
    %c0 = arith.constant 0 : index
    %x = memref.load %m[%c0] : memref<8xf16>
    memref.store %x, %m[%c0] : memref<8xf16>
    gpu.return
  }

  // A descriptor is built where its buffer is allocated. The result of tcgen05.ld is used after the wait.
  // CHECK-LABEL: gpu.func @tensor_memory
  // CHECK-SAME:  (%[[ADDRESS:.*]]: i32, %[[I:.*]]: index)
  // CHECK:       %[[R:.*]] = memref.alloca() {alignment = 32 : i64} : memref<4xf32>
  // CHECK:       %[[DESCRIPTOR:.*]] = arith.ori
  // CHECK:       %[[COLUMN:.*]] = arith.muli %[[I]], %c4 : index
  // CHECK:       %[[POINTER:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<6>
  // CHECK-NEXT:  nvvm.tcgen05.cp %[[POINTER]], %[[DESCRIPTOR]] {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
  // CHECK:       %[[WARP:.*]] = arith.muli %{{.*}}, %c2097152
  // CHECK:       nvvm.tcgen05.ld %{{.*}} {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  // CHECK-NEXT:  nvvm.tcgen05.wait <load>
  // CHECK:       llvm.inline_asm has_side_effects ""
  // CHECK:       vector.store %{{.*}}, %[[R]]
  // CHECK:       nvvm.tcgen05.st %{{.*}}, %{{.*}} {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
  gpu.func @tensor_memory(%address: i32, %i: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %t = tile.tmem %address : !four
    tile.planned_copy %s to %t[%i] scope(thread)
      plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
           src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
           dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16, terms = [{value = 0, stride = 4}]}>
      : !bytes to !four
    %u = tile.tmem %address : !lanes
    %r = tile.alloc : !rows
    tile.planned_copy %u to %r scope(warpgroup)
      plan<tmem_access "tcgen05_ldst", load, shape = "32x32b", num = 4, bits = 32,
           tmem = {layout = (128, 4) : (1@TLane, 1@TCol), space = tmem, align = 16},
           registers = {layout = (128, 4) : (1@tid_in_wg, 1), space = local, align = 16}>
      : !lanes to !rows
    nvvm.tcgen05.wait <load>
    tile.planned_copy %r to %u scope(warpgroup)
      plan<tmem_access "tcgen05_ldst", shape = "32x32b", num = 4, bits = 32,
           tmem = {layout = (128, 4) : (1@TLane, 1@TCol), space = tmem, align = 16},
           registers = {layout = (128, 4) : (1@tid_in_wg, 1), space = local, align = 16}>
      : !rows to !lanes
    gpu.return
  }

  // Copies from one buffer with the same fields share a descriptor, in a loop, too; other fields and other buffers have
  // separate ones. All are built before the loop, where the buffers are allocated.
  // CHECK-LABEL: gpu.func @descriptors
  // CHECK:       %[[WIDE:.*]] = arith.ori %{{.*}}, %c70368744701952_i64
  // CHECK:       %[[ONE:.*]] = arith.ori %{{.*}}, %c70403103916032_i64
  // CHECK:       %[[OTHER:.*]] = arith.ori %{{.*}}, %c70403103916032_i64
  // CHECK-NOT:   arith.ori
  // CHECK:       scf.for
  // CHECK-NOT:   arith.ori
  // CHECK:         nvvm.tcgen05.cp %{{.*}}, %[[ONE]] {multicast
  // CHECK:         nvvm.tcgen05.cp %{{.*}}, %[[WIDE]] {shape
  // CHECK-NOT:   arith.ori
  // CHECK:       nvvm.tcgen05.cp %{{.*}}, %[[ONE]] {multicast
  // CHECK:       nvvm.tcgen05.cp %{{.*}}, %[[OTHER]] {multicast
  // CHECK-NOT:   arith.ori
  // CHECK:       gpu.return
  gpu.func @descriptors(%address: i32, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %other = tile.alloc : !bytes
    %t = tile.tmem %address : !four
    %w = tile.tmem %address : !wide
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      tile.planned_copy %s to %t scope(thread)
        plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
             src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
             dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
        : !bytes to !four
      tile.planned_copy %s to %w scope(thread)
        plan<tmem_copy "tcgen05_cp", form = "4x256b", cta_group = 1, descriptor = {leading = 8, stride = 0, swizzle = 0}, bits = 8,
             src = {layout = (4, 2, 16) : (16, 128, 1), space = shared, align = 16},
             dst = {layout = (4, 2, 16) : (32@TLane, 16@TCol, 1@TCol), space = tmem, align = 16}>
        : !bytes to !wide
    }
    tile.planned_copy %s to %t scope(thread)
      plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
           src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
           dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
      : !bytes to !four
    tile.planned_copy %other to %t scope(thread)
      plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = 8,
           src = {layout = (32, 16) : (16, 1), space = shared, align = 16},
           dst = {layout = (32, 16) : (1@TLane, 1@TCol), space = tmem, align = 16}>
      : !bytes to !four
    gpu.return
  }

  // The barrier is mapped to the remote CTA once, the target of each chunk separately.
  // CHECK-LABEL: gpu.func @bulk
  // CHECK-SAME:  (%[[OWN:.*]]: !llvm.ptr<3>, %[[RANK:.*]]: i32)
  // CHECK:       nvvm.mapa %[[OWN]], %[[RANK]]
  // CHECK-COUNT-2: nvvm.cp.async.bulk.shared.cluster.shared.cta %{{.*}}, %{{.*}}, %{{.*}}, %c2048_i32
  gpu.func @bulk(%barrier: !llvm.ptr<3>, %rank: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    tile.planned_copy %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank)
      plan<bulk "dsmem", bits = 32, chunk = 512,
           src = {layout = (2, 512) : (512, 1), space = shared, align = 16},
           dst = {layout = (2, 512) : (512, 1), space = shared, align = 16}>
      : !shared to !shared
    gpu.return
  }

  // CHECK-LABEL: gpu.func @elements
  // CHECK:       %[[LANE:.*]] = gpu.lane_id
  // CHECK:       %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0
  // CHECK-NEXT:  scf.if %[[FIRST]] {
  // CHECK-NEXT:    scf.for %{{.*}} = %c0 to %c3 step %c1
  // CHECK-NEXT:      scf.for %{{.*}} = %c0 to %c5 step %c1
  gpu.func @elements(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.planned_copy %a to %s scope(warp)
      plan<scalar "fallback", owner = scope_thread(0), extents = [3, 5], bits = 32,
           src = {layout = (32, 32) : (32, 1), space = global, shape = [32, 32], begin = [const(0), const(0)], walked = [0, 1], align = 16},
           dst = {layout = (32, 32) : (32, 1), space = shared, shape = [32, 32], begin = [const(0), const(0)], walked = [0, 1], align = 16}>
      : !global to !shared
    gpu.return
  }
}
