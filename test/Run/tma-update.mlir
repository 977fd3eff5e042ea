// A batch of matrices in one array, each with an own place, number of rows and leading dimension, which only the kernel knows: each
// block makes its maps describe its matrix, and moves it in boxes that may pass its end. What is loaded there is zeros, and what
// is stored there is left out, although the next matrix follows.
// RUN: %python %tile_source/test/tools/npy.py %t.in.npy "<f2" 2792 0:349
// RUN: %python %tile_source/test/tools/npy.py %t.out.npy "<f2" 2792 0:312 - 313:321 - 322:330 - 331:339 - 340:348 -
// RUN: tile-run %s --entry move --schedule=all --grid 3 --arg f16[2792]=%t.in.npy --arg f16[2792]=zeros --arg i8[6x128]=poison \
// RUN:   --expect 1=%t.out.npy | FileCheck %s --check-prefix=MOVED
// RUN: tile-run %s --entry move --delete-sync --grid 3 --arg f16[2792]=%t.in.npy --arg f16[2792]=zeros --arg i8[6x128]=poison \
// RUN:   --expect 1=%t.out.npy | FileCheck %s --check-prefix=DELETED
// RUN: tile-run %s --entry persistent --schedule=all --arg f16[2792]=%t.in.npy --arg f16[2792]=zeros --arg i8[2x128]=poison \
// RUN:   --expect 1=%t.out.npy | FileCheck %s --check-prefix=MOVED
// RUN: tile-run %s --entry persistent --delete-sync --arg f16[2792]=%t.in.npy --arg f16[2792]=zeros --arg i8[2x128]=poison \
// RUN:   --expect 1=%t.out.npy | FileCheck %s --check-prefix=DELETED
// RUN: tile-run %s --entry ring --schedule=all --grid 3 --arg f16[2792]=%t.in.npy --arg f16[2792]=zeros --arg i8[3x128]=poison \
// RUN:   --expect 1=%t.out.npy | FileCheck %s --check-prefix=RING
// RUN: not tile-opt %s --tile-pipeline --tile-make-maps --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=SYNC --implicit-check-not=error:
// MOVED-COUNT-5: argument 1 holds what
// MOVED-DAG:  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group 4
// MOVED-DAG:  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 4
// MOVED-DAG:  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned 6
// DELETED-COUNT-2: fence.proxy.tensormap::generic.acquire.gpu`), removed: noticed: schedule fair: race
// DELETED:    {{[0-9]+}} noticed, {{[0-9]+}} redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed
// RING-COUNT-5: argument 1 holds what
// Phases are not followed in the second kernel; nothing is wrong in the others.
// SYNC: error: 'tile.copy_async' op is in a loop whose trip count may change each time it is entered

!matrix = !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (1@s0, 1)>>
!shared = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = times{stride = 0, bytes = 2}, box = 32}], swizzle = b128, promotion = b256>
!plain = !tile.buffer<32x64xf16, shared>
!plain_map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = times{stride = 0, bytes = 2}, box = 32}], promotion = b256>
!bytes = !tile.buffer<128xi8, global>
!scratch = !tile.buffer<128xi8, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @move(%A: memref<?xf16>, %B: memref<?xf16>, %W: memref<6x128xi8>)
      workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %first_phase = arith.constant 0 : i32
    %zero = arith.constant 0.0 : f16
    %s = tile.alloc : !shared
    %scratch = tile.alloc : !scratch
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

    // The matrix of the block.
    %block = gpu.block_id x
    %offsets = arith.constant dense<[0, 2368, 2432]> : vector<3xi64>
    %counts = arith.constant dense<[37, 1, 5]> : vector<3xindex>
    %strides = arith.constant dense<[64, 64, 72]> : vector<3xindex>
    %offset = vector.extract %offsets[%block] : i64 from vector<3xi64>
    %rows = vector.extract %counts[%block] : index from vector<3xindex>
    %ld = vector.extract %strides[%block] : index from vector<3xindex>
    %A_index = memref.extract_aligned_pointer_as_index %A : memref<?xf16> -> index
    %B_index = memref.extract_aligned_pointer_as_index %B : memref<?xf16> -> index
    %A_start = arith.index_cast %A_index : index to i64
    %B_start = arith.index_cast %B_index : index to i64
    %A_begin = llvm.inttoptr %A_start : i64 to !llvm.ptr<1>
    %B_begin = llvm.inttoptr %B_start : i64 to !llvm.ptr<1>
    %A_own = llvm.getelementptr %A_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %B_own = llvm.getelementptr %B_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %A_matrix = tile.assume %A_own aligned 16 : !llvm.ptr<1>
    %B_matrix = tile.assume %B_own aligned 16 : !llvm.ptr<1>
    %a = tile.view %A_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix
    %b = tile.view %B_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix

    // The host makes one map, of any tile of this form.
    %any = tile.view %A extents(%c1) strides(%c64) : memref<?xf16> to !matrix
    %map = tile.tensor_map %any : !matrix to !map
    %workspace = tile.view %W : memref<6x128xi8>
    %slot_a = arith.muli %block, %c2 : index
    %slot_b = arith.addi %slot_a, %c1 : index
    %at_a = tile.subview %workspace[%slot_a, 0] [1, 128] : !tile.buffer<6x128xi8, global> to !bytes
    %at_b = tile.subview %workspace[%slot_b, 0] [1, 128] : !tile.buffer<6x128xi8, global> to !bytes
    %map_a = tile.update_map %map to %a in(%at_a : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    %map_b = tile.update_map %map to %b in(%at_b : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix

    scf.for %row = %c0 to %rows step %c32 iter_args(%phase = %first_phase) -> i32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) through(%map_a : !map)
        masked fill(%zero : f16) : !matrix to !shared
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy_async %s to %b[%row, 0] [32, 64] scope(cta) bulk_group through(%map_b : !map) masked : !shared to !matrix
      nvvm.cp.async.bulk.wait_group 0
      gpu.barrier
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // One block, whose maps describe one matrix after the other.
  gpu.func @persistent(%A: memref<?xf16>, %B: memref<?xf16>, %W: memref<2x128xi8>)
      workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // in order, but not followed
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %first_phase = arith.constant 0 : i32
    %zero = arith.constant 0.0 : f16
    %s = tile.alloc : !shared
    %scratch = tile.alloc : !scratch
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

    %c3 = arith.constant 3 : index
    // The host makes one map, of any tile of this form.
    %any = tile.view %A extents(%c1) strides(%c64) : memref<?xf16> to !matrix
    %map = tile.tensor_map %any : !matrix to !map
    %workspace = tile.view %W : memref<2x128xi8>
    %at_a = tile.subview %workspace[0, 0] [1, 128] : !tile.buffer<2x128xi8, global> to !bytes
    %at_b = tile.subview %workspace[1, 0] [1, 128] : !tile.buffer<2x128xi8, global> to !bytes
    %offsets = arith.constant dense<[0, 2368, 2432]> : vector<3xi64>
    %counts = arith.constant dense<[37, 1, 5]> : vector<3xindex>
    %strides = arith.constant dense<[64, 64, 72]> : vector<3xindex>
    scf.for %matrix = %c0 to %c3 step %c1 iter_args(%before = %first_phase) -> i32 {
      %offset = vector.extract %offsets[%matrix] : i64 from vector<3xi64>
      %rows = vector.extract %counts[%matrix] : index from vector<3xindex>
      %ld = vector.extract %strides[%matrix] : index from vector<3xindex>
      %A_index = memref.extract_aligned_pointer_as_index %A : memref<?xf16> -> index
      %B_index = memref.extract_aligned_pointer_as_index %B : memref<?xf16> -> index
      %A_start = arith.index_cast %A_index : index to i64
      %B_start = arith.index_cast %B_index : index to i64
      %A_begin = llvm.inttoptr %A_start : i64 to !llvm.ptr<1>
      %B_begin = llvm.inttoptr %B_start : i64 to !llvm.ptr<1>
      %A_own = llvm.getelementptr %A_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      %B_own = llvm.getelementptr %B_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      %A_matrix = tile.assume %A_own aligned 16 : !llvm.ptr<1>
      %B_matrix = tile.assume %B_own aligned 16 : !llvm.ptr<1>
      %a = tile.view %A_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix
      %b = tile.view %B_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix

      %map_a = tile.update_map %map to %a in(%at_a : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
      %map_b = tile.update_map %map to %b in(%at_b : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix

      %after = scf.for %row = %c0 to %rows step %c32 iter_args(%phase = %before) -> i32 {
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) through(%map_a : !map)
          masked fill(%zero : f16) : !matrix to !shared
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        tile.copy_async %s to %b[%row, 0] [32, 64] scope(cta) bulk_group through(%map_b : !map) masked : !shared to !matrix
        nvvm.cp.async.bulk.wait_group 0
        gpu.barrier
        %next = arith.xori %phase, %one : i32
        scf.yield %next : i32
      }
      scf.yield %after : i32
    }
    gpu.return
  }

  // The rows of a matrix in a ring of two stages.
  gpu.func @ring(%A: memref<?xf16>, %B: memref<?xf16>, %W: memref<3x128xi8>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    %block = gpu.block_id x
    %offsets = arith.constant dense<[0, 2368, 2432]> : vector<3xi64>
    %counts = arith.constant dense<[37, 1, 5]> : vector<3xindex>
    %strides = arith.constant dense<[64, 64, 72]> : vector<3xindex>
    %offset = vector.extract %offsets[%block] : i64 from vector<3xi64>
    %rows = vector.extract %counts[%block] : index from vector<3xindex>
    %ld = vector.extract %strides[%block] : index from vector<3xindex>
    %A_index = memref.extract_aligned_pointer_as_index %A : memref<?xf16> -> index
    %B_index = memref.extract_aligned_pointer_as_index %B : memref<?xf16> -> index
    %A_start = arith.index_cast %A_index : index to i64
    %B_start = arith.index_cast %B_index : index to i64
    %A_begin = llvm.inttoptr %A_start : i64 to !llvm.ptr<1>
    %B_begin = llvm.inttoptr %B_start : i64 to !llvm.ptr<1>
    %A_own = llvm.getelementptr %A_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %B_own = llvm.getelementptr %B_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %A_matrix = tile.assume %A_own aligned 16 : !llvm.ptr<1>
    %B_matrix = tile.assume %B_own aligned 16 : !llvm.ptr<1>
    %stride = tile.assume %ld divisible_by 8 : index
    %a = tile.view %A_matrix extents(%rows) strides(%stride) : !llvm.ptr<1> to !matrix
    %b = tile.view %B_matrix extents(%rows) strides(%stride) : !llvm.ptr<1> to !matrix
    %any = tile.view %A extents(%c1) strides(%c64) : memref<?xf16> to !matrix
    %map = tile.tensor_map %any : !matrix to !plain_map
    %workspace = tile.view %W : memref<3x128xi8>
    %scratch = tile.alloc : !scratch
    %at = tile.subview %workspace[%block, 0] [1, 128] : !tile.buffer<3x128xi8, global> to !bytes
    %own = tile.update_map %map to %a in(%at : !bytes) scratch(%scratch : !scratch) scope(cta) : !plain_map to !matrix
    scf.for %row = %c0 to %rows step %c32 {
      %s = tile.alloc : !plain
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) through(%own : !plain_map) masked fill(%zero : f16) : !matrix to !plain
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) masked : !plain to !matrix
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
