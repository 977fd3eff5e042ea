// A tile of f32 goes through shared memory by two bulk copies: the copy in arrives on an mbarrier that expects its bytes; the
// copy out is in a bulk group, and adds to the destination. One thread issues each copy for the block.

!window = !tile.buffer<64x64xf32, global>
!matrix = !tile.buffer<128x256xf32, global>
!shared = !tile.buffer<64x64xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @arrived() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @accumulate(%A: memref<128x256xf32>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x256xf32> to !matrix
    %b = tile.view %B : memref<64x64xf32> to !window
    %s = tile.alloc : !shared

    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index

    // The only arrival is that of the copy.
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    tile.copy_async %a[64, 128] [64, 64] to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"}
      : !matrix to !shared
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %barrier, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }

    // A bulk copy wrote the memory, and thread 0 has waited for it: no fence and no barrier are needed.
    tile.copy_async %s to %b scope(cta) bulk_group reduce(add) : !shared to !window
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN: tile.planned_copy %{{.*}} to %{{.*}} scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) plan<bulk "bulk"{{.*}}src = {layout = (64, 64) : (256, 1) + 16512, space{{.*}}dst = {layout = (64, 64) : (64, 1), space{{.*}}:
// ALIGN: tile.planned_copy %{{.*}} to %{{.*}} scope(cta) {{.*}}plan<bulk "bulk", {{.*}}reduction = "add.{{.*}}"{{.*}}src = {layout = (4096) : (1), space{{.*}}dst = {layout = (4096) : (1), space{{.*}}:
// ALIGN-NEXT: nvvm.cp.async.bulk.commit.group

// One thread arrives, expects the bytes of all rows, and issues a copy of each.
// EXPAND:      gpu.barrier
// EXPAND-NEXT: %[[FIRST:.*]] = arith.cmpi eq, %thread_id_x
// EXPAND-NEXT: scf.if %[[FIRST]]
// EXPAND-NEXT:   %[[ALL:.*]] = arith.constant 16384 : i32
// EXPAND-NEXT:   nvvm.mbarrier.arrive.expect_tx %[[BARRIER:.*]], %[[ALL]]
// EXPAND-NEXT:   %[[ROW:.*]] = arith.constant 256 : i32
// EXPAND-NEXT:   scf.for
// EXPAND:          %[[TO:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr<7>
// EXPAND-NEXT:     nvvm.cp.async.bulk.shared.cluster.global %[[TO]], %{{.*}}, %[[BARRIER]], %[[ROW]]
// EXPAND:      scf.if
// EXPAND:        llvm.inline_asm has_side_effects "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [$0], [$1], $2;", "l,l,r,~{memory}"
// EXPAND-NEXT: }
// EXPAND-NEXT: nvvm.cp.async.bulk.commit.group
// EXPAND-NEXT: nvvm.cp.async.bulk.wait_group 0

// REMARK-DAG: :31:5: remark: [Passed] bulk | {{.*}} | BytesPerThread=16384, ChunkBytes=256, Instructions="64 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", {{.*}}Rounds=64, Variant=bulk
// REMARK-DAG: :42:5: remark: [Passed] bulk | {{.*}} | BytesPerThread=16384, ChunkBytes=16384, Instructions="1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32", {{.*}}Rounds=1, Variant=bulk

// PTX: mbarrier.arrive.expect_tx.shared.b64
// PTX: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}], {{%r[0-9]+}}, [arrived];
// PTX: mbarrier.try_wait.parity.shared.b64
// PTX: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [{{%rd[0-9]+}}], [{{%rd[0-9]+}}], {{%r[0-9]+}};
// PTX: cp.async.bulk.commit_group;
// PTX: cp.async.bulk.wait_group 0;

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
// SASS:      UBLKCP: {{[1-9]}}
// SASS-NEXT: UBLKRED: 1
