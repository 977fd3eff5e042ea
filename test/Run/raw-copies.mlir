// NVVM copies and matrix loads among tile copies: kernels that --tile-check-sync accepts run, the others fault.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: tile-run %s --entry bulk --schedule=all --arg f32[16x32]=random --arg f32[16x32]=zeros --expect-equal 0,1
// RUN: tile-run %s --entry groups --schedule=all --arg f32[4x64]=random --arg f32[4x64]=zeros --expect-equal 0,1
// RUN: tile-run %s --entry out --schedule=all --arg f32[16x32]=random --arg f32[16x32]=zeros --expect-equal 0,1
// RUN: tile-run %s --entry matrices --schedule=all --arg f16[32x8]=random --arg i32[32x4]=zeros
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry unawaited --schedule=all --arg f32[16x32]=random --arg f32[16x32]=zeros 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry alone --schedule=all --arg f32[4x64]=random --arg f32[4x64]=zeros 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry unfenced --schedule=all --arg f32[16x32]=random --arg f32[16x32]=zeros 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry rows --schedule=all --arg f16[32x8]=random --arg i32[32x4]=zeros 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: error: {{.*(race|uninitialized|not waited for)}}

!matrix = !tile.buffer<16x32xf32, global>
!shared = !tile.buffer<16x32xf32, shared>
!columns = !tile.buffer<16x32xf32, local, #tile.layout<(16, 32) : (1, 1@tx)>>
!few = !tile.buffer<4x64xf32, global>
!fewer = !tile.buffer<4x64xf32, shared>
!turned = !tile.buffer<4x64xf32, local, #tile.layout<(4, 64) : (1, 1@tx)>>
!half = !tile.buffer<32x8xf16, global>
!halves = !tile.buffer<32x8xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // The mbarrier counts the bytes that the copy writes.
  gpu.func @bulk(%A: memref<16x32xf32>, %B: memref<16x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x32xf32> to !matrix
    %b = tile.view %B : memref<16x32xf32> to !matrix
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 2048 : i32
    %even = arith.constant 0 : i32
    %all = arith.constant -1 : i32
    %true = arith.constant true
    %s = tile.alloc : !shared
    %bars = tile.alloc {alignment = 8 : i64} : !tile.buffer<1xi64, shared>
    %from = tile.parts %a : !matrix to !llvm.ptr<1>
    %to = tile.parts %s : !shared to !llvm.ptr<3>
    %bar = tile.parts %bars : !tile.buffer<1xi64, shared> to !llvm.ptr<3>
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.bar.warp.sync %all : i32
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      %cluster = llvm.addrspacecast %to : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.shared.cluster.global %cluster, %from, %bar, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %bar, %even : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    %mine = tile.alloc : !columns
    tile.copy %s to %mine scope(cta) : !shared to !columns
    tile.copy %mine to %b scope(cta) : !columns to !matrix
    gpu.return
  }

  // Nothing waits for the phase.
  gpu.func @unawaited(%A: memref<16x32xf32>, %B: memref<16x32xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 32, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<16x32xf32> to !matrix
    %b = tile.view %B : memref<16x32xf32> to !matrix
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 2048 : i32
    %even = arith.constant 0 : i32
    %all = arith.constant -1 : i32
    %true = arith.constant true
    %s = tile.alloc : !shared
    %bars = tile.alloc {alignment = 8 : i64} : !tile.buffer<1xi64, shared>
    %from = tile.parts %a : !matrix to !llvm.ptr<1>
    %to = tile.parts %s : !shared to !llvm.ptr<3>
    %bar = tile.parts %bars : !tile.buffer<1xi64, shared> to !llvm.ptr<3>
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.bar.warp.sync %all : i32
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      %cluster = llvm.addrspacecast %to : !llvm.ptr<3> to !llvm.ptr<7>
      // expected-note @below {{writes it here}}
      // expected-error @below {{may be in flight when the block ends}}
      nvvm.cp.async.bulk.shared.cluster.global %cluster, %from, %bar, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    }
    %mine = tile.alloc : !columns
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{between the two, this orders them: a wait for the phase of the first one's mbarrier}}
    tile.copy %s to %mine scope(cta) : !shared to !columns
    tile.copy %mine to %b scope(cta) : !columns to !matrix
    // expected-note @below {{the block ends here}}
    gpu.return
  }

  // Each thread copies 16 bytes; other threads read them.
  gpu.func @groups(%A: memref<4x64xf32>, %B: memref<4x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<4x64xf32> to !few
    %b = tile.view %B : memref<4x64xf32> to !few
    %c4 = arith.constant 4 : index
    %s = tile.alloc {alignment = 16 : i64} : !fewer
    %from = tile.parts %a : !few to !llvm.ptr<1>
    %to = tile.parts %s : !fewer to !llvm.ptr<3>
    %t = gpu.thread_id x
    %place = arith.muli %t, %c4 : index
    %at = arith.index_cast %place : index to i32
    %own = llvm.getelementptr %from[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %room = llvm.getelementptr %to[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    nvvm.cp.async.shared.global %room, %own, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    gpu.barrier
    %mine = tile.alloc : !turned
    tile.copy %s to %mine scope(cta) : !fewer to !turned
    tile.copy %mine to %b scope(cta) : !turned to !few
    gpu.return
  }

  // Each thread has waited only for its own copy.
  gpu.func @alone(%A: memref<4x64xf32>, %B: memref<4x64xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<4x64xf32> to !few
    %b = tile.view %B : memref<4x64xf32> to !few
    %c4 = arith.constant 4 : index
    %s = tile.alloc {alignment = 16 : i64} : !fewer
    %from = tile.parts %a : !few to !llvm.ptr<1>
    %to = tile.parts %s : !fewer to !llvm.ptr<3>
    %t = gpu.thread_id x
    %place = arith.muli %t, %c4 : index
    %at = arith.index_cast %place : index to i32
    %own = llvm.getelementptr %from[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %room = llvm.getelementptr %to[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    // expected-note @below {{writes it here}}
    nvvm.cp.async.shared.global %room, %own, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    %mine = tile.alloc : !turned
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{between the two, this orders them: gpu.barrier}}
    tile.copy %s to %mine scope(cta) : !fewer to !turned
    tile.copy %mine to %b scope(cta) : !turned to !few
    gpu.return
  }

  // A bulk copy sees what threads have written, after a fence.
  gpu.func @out(%A: memref<16x32xf32>, %B: memref<16x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x32xf32> to !matrix
    %b = tile.view %B : memref<16x32xf32> to !matrix
    %c0 = arith.constant 0 : index
    %bytes = arith.constant 2048 : i32
    %all = arith.constant -1 : i32
    %s = tile.alloc {alignment = 16 : i64} : !shared
    %from = tile.parts %s : !shared to !llvm.ptr<3>
    %to = tile.parts %b : !matrix to !llvm.ptr<1>
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    tile.copy %a to %s scope(cta) : !matrix to !shared
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.bar.warp.sync %all : i32
    scf.if %first {
      nvvm.cp.async.bulk.global.shared.cta %to, %from, %bytes : !llvm.ptr<1>, !llvm.ptr<3>
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0
    }
    gpu.return
  }

  // There is no fence.
  gpu.func @unfenced(%A: memref<16x32xf32>, %B: memref<16x32xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 32, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<16x32xf32> to !matrix
    %b = tile.view %B : memref<16x32xf32> to !matrix
    %c0 = arith.constant 0 : index
    %bytes = arith.constant 2048 : i32
    %all = arith.constant -1 : i32
    %s = tile.alloc {alignment = 16 : i64} : !shared
    %from = tile.parts %s : !shared to !llvm.ptr<3>
    %to = tile.parts %b : !matrix to !llvm.ptr<1>
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    // expected-note @below {{writes it here}}
    tile.copy %a to %s scope(cta) : !matrix to !shared
    nvvm.bar.warp.sync %all : i32
    scf.if %first {
      // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
      // expected-note @below {{between the two, this orders them: nvvm.fence.proxy}}
      nvvm.cp.async.bulk.global.shared.cta %to, %from, %bytes : !llvm.ptr<1>, !llvm.ptr<3>
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0
    }
    gpu.return
  }

  // A warp reads the rows whose addresses its lanes supply.
  gpu.func @matrices(%A: memref<32x8xf16>, %B: memref<32x4xi32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf16> to !half
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c31 = arith.constant 31 : index
    %all = arith.constant -1 : i32
    %s = tile.alloc {alignment = 16 : i64} : !halves
    %from = tile.parts %s : !halves to !llvm.ptr<3>
    %t = gpu.thread_id x
    %lane = arith.subi %c31, %t : index
    %place = arith.muli %lane, %c8 : index
    %at = arith.index_cast %place : index to i32
    %row = llvm.getelementptr %from[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    tile.copy %a to %s scope(cta) : !half to !halves
    nvvm.bar.warp.sync %all : i32
    %r = nvvm.ldmatrix %row {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %v = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32)>
    memref.store %v, %B[%t, %c0] : memref<32x4xi32>
    gpu.return
  }

  // Rows that other lanes have written, without a barrier.
  gpu.func @rows(%A: memref<32x8xf16>, %B: memref<32x4xi32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf16> to !half
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c31 = arith.constant 31 : index
    %all = arith.constant -1 : i32
    %s = tile.alloc {alignment = 16 : i64} : !halves
    %from = tile.parts %s : !halves to !llvm.ptr<3>
    %t = gpu.thread_id x
    %lane = arith.subi %c31, %t : index
    %place = arith.muli %lane, %c8 : index
    %at = arith.index_cast %place : index to i32
    %row = llvm.getelementptr %from[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    // expected-note @below {{writes it here}}
    tile.copy %a to %s scope(cta) : !half to !halves
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{between the two, this orders them: nvvm.bar.warp.sync}}
    %r = nvvm.ldmatrix %row {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %v = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32)>
    memref.store %v, %B[%t, %c0] : memref<32x4xi32>
    gpu.return
  }
}
