// Every reason for which an asynchronous copy cannot be performed synchronously, either. Forcing the variant makes each an
// error; the remark has the cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!lanes = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>

gpu.module @no_groups [#nvvm.target<chip = "sm_75">] {
  gpu.func @chip(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-cp-async | {{.*}}Reason="{{.*}} group {{.*}} sm_80 {{.*}} sm_75"
    tile.copy_async %a to %s scope(cta) group {variant = "synchronous"} : !global to !shared
    gpu.return
  }
}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @requests(%A: memref<32x32xf32>, %barrier: !llvm.ptr<3>, %rank: i32, %p: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} mbarrier; {{.*}} group"
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "synchronous"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} remote_cta; {{.*}} group"
    tile.copy_async %a to %s scope(cta) remote_cta(%rank) {variant = "synchronous"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} predicate, fill; {{.*}} group"
    tile.copy_async %a to %s scope(cta) group predicate(%p) {variant = "synchronous", fill = "zero"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} direct, {{.*}} cta_group; {{.*}} group"
    tile.copy_async %a to %s scope(cta) {variant = "synchronous", direct, shape = "32x128b", multicast = "warpx4", cta_group = 1 : i64} : !global to !shared
    gpu.return
  }

  gpu.func @spaces(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !lanes
    %s = tile.alloc : !tile.buffer<128x4xf32, shared>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] tensor-memory | {{.*}}Operand=source, Reason="{{.*}} global, shared {{.*}} local"
    tile.copy_async %t to %s scope(cta) {variant = "synchronous"} : !lanes to !tile.buffer<128x4xf32, shared>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] tensor-memory | {{.*}}Operand=destination, Reason="{{.*}} global, shared {{.*}} local"
    tile.copy_async %s to %t scope(thread) {variant = "synchronous"} : !tile.buffer<128x4xf32, shared> to !lanes

    // The reason contains the reasons of the variants of a synchronous copy.
    %r = tile.alloc : !rows
    %q = tile.alloc : !rows
    %lane = gpu.lane_id
    %c16 = arith.constant 16 : index
    %lower = arith.cmpi ult, %lane, %c16 : index
    scf.if %lower {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] no-synchronous-variant | {{.*}}Reason="{{.*}} ldstmatrix {{.*}} src=local dst=local; {{.*}} local <-> shared; transpose {{.*}}; realign {{.*}}; gmem_smem {{.*}} src=local dst=local; {{.*}} global -> shared, shared -> global; realign_reg {{.*}}; reg {{.*}} src=local dst=local; {{.*}} local <-> shared {{.*}} global; same_memory {{.*}} src=local dst=local; {{.*}}; shuffle {{.*}}; scratch {{.*}}; fallback {{.*}}"
      tile.copy_async %r to %q scope(warp) {variant = "synchronous"} : !rows to !rows
    }
    gpu.return
  }
}
