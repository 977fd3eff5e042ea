// One tile at a time goes through shared memory into tensor memory: one mbarrier, a phase and a wait per iteration. The correct
// kernel is accepted, and runs; so does the kernel without waits and fences after --tile-insert-sync.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: sed -e '/gpu.func @lack[s]_/,/^  }/d' %s > %t.right.mlir
// RUN: tile-opt %t.right.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t.right.mlir --entry right --schedule=all --arg i8[128x16]=random --arg i8[128x16]=poison --arg i64=4 --expect-equal 0,1
// RUN: sed -e '/nvvm.tcgen05.fence/d' -e '/nvvm.tcgen05.wait/d' -e '/nvvm.fence.proxy/d' %t.right.mlir > %t.bare.mlir
// RUN: tile-opt %t.bare.mlir --tile-insert-sync -o %t.mlir
// RUN: tile-run %t.mlir --entry right --schedule=all --arg i8[128x16]=random --arg i8[128x16]=poison --arg i64=4 --expect-equal 0,1

!tiles = !tile.buffer<128x16xi8, global>
!shared = !tile.buffer<32x16xi8, shared>
!copied = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!tensor = !tile.buffer<128x16xi8, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
!registers = !tile.buffer<128x16xi8, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
!all = !tile.buffer<128x16xi8, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @right(%A: memref<128x16xi8>, %B: memref<128x16xi8>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x16xi8> to !tiles
    %b = tile.view %B : memref<128x16xi8> to !tiles
    %s = tile.alloc : !shared
    %o = tile.alloc : !all
    %r = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %c = tile.tmem %address : !copied
    %t = tile.tmem %address : !tensor
    scf.for %i = %c0 to %n step %c1 {
      %row = arith.muli %i, %c32 : index
      %odd = arith.andi %i, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      tile.copy %a[%row, 0] [32, 16] to %s scope(cta) : !tiles to !shared
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      scf.if %is_thread_0 {
        nvvm.tcgen05.fence <after>
        tile.copy_async %s to %c scope(thread) : !shared to !copied
        nvvm.tcgen05.commit %full : !llvm.ptr<3>
      }
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %full, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      nvvm.tcgen05.fence <after>
      tile.copy_async %t to %r scope(warpgroup) : !tensor to !registers
      nvvm.tcgen05.wait <load>
      tile.copy %r to %o scope(warpgroup) : !registers to !all
      nvvm.tcgen05.fence <before>
      gpu.barrier
      tile.copy %o[0, 0] [32, 16] to %b[%row, 0] [32, 16] scope(cta) : !all to !tiles
    }
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @lacks_after(%A: memref<128x16xi8>, %B: memref<128x16xi8>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<128x16xi8> to !tiles
    %b = tile.view %B : memref<128x16xi8> to !tiles
    %s = tile.alloc : !shared
    %o = tile.alloc : !all
    %r = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %c = tile.tmem %address : !copied
    %t = tile.tmem %address : !tensor
    scf.for %i = %c0 to %n step %c1 {
      %row = arith.muli %i, %c32 : index
      %odd = arith.andi %i, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      tile.copy %a[%row, 0] [32, 16] to %s scope(cta) : !tiles to !shared
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      scf.if %is_thread_0 {
        nvvm.tcgen05.fence <after>
        // expected-note @below {{'tile.copy_async' writes it here}}
        tile.copy_async %s to %c scope(thread) : !shared to !copied
        nvvm.tcgen05.commit %full : !llvm.ptr<3>
      }
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %full, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      // expected-error @below {{reads tensor memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 0, lane 0, column 0}}
      // expected-note @below {{this orders them: nvvm.tcgen05.fence <after> before the second}}
      tile.copy_async %t to %r scope(warpgroup) : !tensor to !registers
      nvvm.tcgen05.wait <load>
      tile.copy %r to %o scope(warpgroup) : !registers to !all
      nvvm.tcgen05.fence <before>
      gpu.barrier
      tile.copy %o[0, 0] [32, 16] to %b[%row, 0] [32, 16] scope(cta) : !all to !tiles
    }
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @lacks_before(%A: memref<128x16xi8>, %B: memref<128x16xi8>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<128x16xi8> to !tiles
    %b = tile.view %B : memref<128x16xi8> to !tiles
    %s = tile.alloc : !shared
    %o = tile.alloc : !all
    %r = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %c = tile.tmem %address : !copied
    %t = tile.tmem %address : !tensor
    scf.for %i = %c0 to %n step %c1 {
      %row = arith.muli %i, %c32 : index
      %odd = arith.andi %i, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      tile.copy %a[%row, 0] [32, 16] to %s scope(cta) : !tiles to !shared
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      scf.if %is_thread_0 {
        nvvm.tcgen05.fence <after>
        // expected-error @below {{writes tensor memory that an earlier operation reads, and nothing orders the two one iteration later: for example}}
        // expected-note @below {{this orders them: nvvm.tcgen05.fence <before> after the first, before its threads synchronize with others}}
        tile.copy_async %s to %c scope(thread) : !shared to !copied
        nvvm.tcgen05.commit %full : !llvm.ptr<3>
      }
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %full, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      nvvm.tcgen05.fence <after>
      // expected-note @below {{'tile.copy_async' reads it here}}
      tile.copy_async %t to %r scope(warpgroup) : !tensor to !registers
      nvvm.tcgen05.wait <load>
      tile.copy %r to %o scope(warpgroup) : !registers to !all
      gpu.barrier
      tile.copy %o[0, 0] [32, 16] to %b[%row, 0] [32, 16] scope(cta) : !all to !tiles
    }
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
