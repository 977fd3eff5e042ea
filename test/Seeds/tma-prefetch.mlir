// The boxes of the next tile are brought into L2 while the current one is copied: prefetch and load share a map.

!matrix = !tile.buffer<?x128xf32, global>
!shared = !tile.buffer<32x128xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @ahead(%A: memref<?x128xf32>, %B: memref<?x128xf32>, %tiles: index) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %a = tile.view %A : memref<?x128xf32>
    %b = tile.view %B : memref<?x128xf32>
    %s = tile.alloc : !shared
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.for %tile = %c0 to %tiles step %c1 {
      %row = arith.muli %tile, %c32 : index
      %next = arith.addi %tile, %c1 : index
      %ahead = arith.cmpi slt, %next, %tiles : index
      scf.if %ahead {
        %next_row = arith.muli %next, %c32 : index
        tile.prefetch %a[%next_row, 0] [32, 128] scope(cta) {variant = "tma"} : !matrix
      }
      tile.copy_async %a[%row, 0] [32, 128] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) {variant = "tma"} : !matrix to !shared
      %odd = arith.andi %tile, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %full, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy %s to %b[%row, 0] [32, 128] scope(cta) : !shared to !matrix
      gpu.barrier
    }
    gpu.return
  }
}

// RUN: tile-opt %s --tile-make-maps | FileCheck %s --check-prefix=MAPS
// RUN: tile-opt %s --tile-make-maps --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-opt %s --tile-check-sync -o /dev/null
// RUN: tile-run %s --schedule=all --arg f32[96x128]=random --arg f32[96x128]=poison --arg i64=3 --expect-equal 0,1 \
// RUN:   | FileCheck %s --check-prefix=DONE

// One map for both.
// MAPS:       gpu.func @ahead({{.*}}, %[[MAP:[a-z0-9]*]]: !tile.tensor_map<{{[^{]*}}{{.*}}{tile.map_of = array<i64: 0, 1, 1, 0, 0>}) workgroup(
// MAPS:       tile.prefetch %{{.*}}[%{{.*}}, 0] [32, 128] scope(cta) through(%[[MAP]] : !tile.tensor_map<{{.*}}>) {variant = "tma"} : !tile.buffer
// MAPS:       tile.copy_async {{.*}} through(%[[MAP]] : !tile.tensor_map<{{.*}}>) {variant = "tma"}

// ALIGN:      tile.planned_copy %{{[^ ]*}}[%{{.*}}] scope(cta) through({{.*}}) plan<tensor_map "tma", form = prefetch, bits = 32,

// One thread, without an mbarrier.
// EXPAND:     scf.for
// EXPAND:       scf.if
// EXPAND:         scf.if
// EXPAND-NEXT:      %{{.*}} = builtin.unrealized_conversion_cast %{{.*}} : !tile.tensor_map<{{.*}}> to !llvm.ptr
// EXPAND-NOT:   nvvm.mbarrier
// EXPAND:       nvvm.cp.async.bulk.tensor.prefetch %{{.*}}, box[%c0{{.*}}, %{{.*}}]

// REMARK:     remark: [Passed] tma | {{.*}}Instructions="1 cp.async.bulk.prefetch.tensor.2d.L2.global.tile", Maps=1

// DONE-COUNT-5: argument 1 holds what argument 0 holds
// DONE:       cp.async.bulk.prefetch.tensor.2d.L2.global.tile 2 32768
