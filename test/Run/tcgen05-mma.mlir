// A product by tcgen05.mma with tiles: copies to swizzled shared tiles, four products over 16 columns of A each, a commit, and a
// copy of the sum through registers. Without the wait for the commit, or without the proxy fence, the simulator finds the error.
// RUN: tile-run %s --entry reference --arg 'f16[128x64]=uniform(-2,2):1' --arg 'f16[16x64]=uniform(-2,2):2' --arg f32[128x16]=zeros --write 2=%t.npy
// RUN: tile-run %s --entry product --schedule=all --arg 'f16[128x64]=uniform(-2,2):1' --arg 'f16[16x64]=uniform(-2,2):2' --arg f32[128x16]=poison --expect 2=%t.npy
// RUN: tile-run %s --entry product --arg 'f16[128x64]=uniform(-2,2):1' --arg 'f16[16x64]=uniform(-2,2):2' --arg f32[128x16]=poison --expect 2=%t.npy --delete-sync | FileCheck %s --check-prefix=DELETE
// DELETE: 6 noticed, 1 redundant, {{[0-9]+}} not executed, 1 not modelled, 0 missed
// RUN: not tile-run %s --entry early --schedule=all --arg 'f16[128x64]=uniform(-2,2):1' --arg 'f16[16x64]=uniform(-2,2):2' --arg f32[128x16]=poison 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: {{.*(race|uninitialized|not waited for)}}
// RUN: not tile-run %s --entry unfenced --arg 'f16[128x64]=uniform(-2,2):1' --arg 'f16[16x64]=uniform(-2,2):2' --arg f32[128x16]=poison 2>&1 | FileCheck %s --check-prefix=UNFENCED
// UNFENCED: without `fence.proxy.async` between that and this asynchronous access
// The check accepts the first kernel, and finds what the others lack.
// RUN: sed -e '/gpu.func @earl[y]/,/^  }/d' -e '/gpu.func @unfence[d]/,/^  }/d' %s > %t.right.mlir
// RUN: tile-opt %t.right.mlir --tile-check-sync -o /dev/null
// RUN: not tile-opt %s --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK
// CHECK: error: 'nvvm.tcgen05.mma' op may be in flight when the block ends; expected a wait for the phase of its mbarrier
// CHECK: error: 'tile.copy_async' op reads tensor memory that an earlier operation writes
// CHECK: this orders them: a wait for the phase of the first one's mbarrier
// CHECK: error: 'nvvm.tcgen05.mma' op reads shared memory that an earlier operation writes
// CHECK: note: 'tile.copy' writes it here
// CHECK: this orders them: nvvm.fence.proxy of the async proxy
// If its fences, waits and barriers are removed, --tile-insert-sync restores them.
// RUN: sed -e '/nvvm.fence.proxy/d' -e '/nvvm.tcgen05.fence/d' -e '/nvvm.tcgen05.wait/d' -e '/^    gpu.barrier/d' %t.right.mlir > %t.bare.mlir
// RUN: not tile-opt %t.bare.mlir --tile-check-sync -o /dev/null
// RUN: tile-opt %t.bare.mlir --tile-insert-sync -o %t.mlir
// RUN: tile-run %t.mlir --entry product --schedule=all --arg 'f16[128x64]=uniform(-2,2):1' --arg 'f16[16x64]=uniform(-2,2):2' --arg f32[128x16]=poison --expect 2=%t.npy

!a = !tile.buffer<128x64xf16, global>
!b = !tile.buffer<16x64xf16, global>
!c = !tile.buffer<128x16xf32, global>
!as = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!bs = !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x16xf32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
!registers = !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @multiplied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @reference(%A: memref<128x64xf16>, %B: memref<16x64xf16>, %C: memref<128x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %row = gpu.thread_id x
    scf.for %column = %c0 to %c16 step %c1 {
      %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %zero) -> f32 {
        %x = memref.load %A[%row, %k] : memref<128x64xf16>
        %y = memref.load %B[%column, %k] : memref<16x64xf16>
        %xw = arith.extf %x : f16 to f32
        %yw = arith.extf %y : f16 to f32
        %p = arith.mulf %xw, %yw : f32
        %next = arith.addf %s, %p : f32
        scf.yield %next : f32
      }
      memref.store %sum, %C[%row, %column] : memref<128x16xf32>
    }
    gpu.return
  }

  gpu.func @product(%A: memref<128x64xf16>, %B: memref<16x64xf16>, %C: memref<128x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x64xf16> to !a
    %b = tile.view %B : memref<16x64xf16> to !b
    %c = tile.view %C : memref<128x16xf32> to !c
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %r = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @multiplied : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %false = arith.constant false
    %true = arith.constant true
    %mask = arith.constant 262143 : i64
    %four = arith.constant 4 : i64
    // Groups of eight rows of 128 bytes, 1024 bytes apart, and their swizzle; f16 to f32, 128x16.
    %mode = arith.constant 4611756662049538048 : i64
    %shape = arith.constant 134479888 : i32
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %ma = arith.andi %ia, %mask : i64
    %sa = arith.shrui %ma, %four : i64
    %a0 = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %mb = arith.andi %ib, %mask : i64
    %sb = arith.shrui %mb, %four : i64
    %b0 = arith.ori %sb, %mode : i64
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !sums
    %d = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %is_thread_0 {
      nvvm.tcgen05.mma %d, %a0, %b0, %shape, %false
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      %k1 = arith.constant 2 : i64
      %a1 = arith.addi %a0, %k1 : i64
      %b1 = arith.addi %b0, %k1 : i64
      nvvm.tcgen05.mma %d, %a1, %b1, %shape, %true
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      %k2 = arith.constant 4 : i64
      %a2 = arith.addi %a0, %k2 : i64
      %b2 = arith.addi %b0, %k2 : i64
      nvvm.tcgen05.mma %d, %a2, %b2, %shape, %true
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      %k3 = arith.constant 6 : i64
      %a3 = arith.addi %a0, %k3 : i64
      %b3 = arith.addi %b0, %k3 : i64
      nvvm.tcgen05.mma %d, %a3, %b3, %shape, %true
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      nvvm.tcgen05.commit %full : !llvm.ptr<3>
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    nvvm.tcgen05.fence <after>
    tile.copy_async %t to %r scope(warpgroup) : !sums to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %r to %c scope(warpgroup) : !registers to !c
    gpu.barrier
    scf.if %is_warp_0 {
      nvvm.tcgen05.dealloc %d, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @early(%A: memref<128x64xf16>, %B: memref<16x64xf16>, %C: memref<128x16xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<128x64xf16> to !a
    %b = tile.view %B : memref<16x64xf16> to !b
    %c = tile.view %C : memref<128x16xf32> to !c
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %r = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @multiplied : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %false = arith.constant false
    %true = arith.constant true
    %mask = arith.constant 262143 : i64
    %four = arith.constant 4 : i64
    // Groups of eight rows of 128 bytes, 1024 bytes apart, and their swizzle; f16 to f32, 128x16.
    %mode = arith.constant 4611756662049538048 : i64
    %shape = arith.constant 134479888 : i32
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %ma = arith.andi %ia, %mask : i64
    %sa = arith.shrui %ma, %four : i64
    %a0 = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %mb = arith.andi %ib, %mask : i64
    %sb = arith.shrui %mb, %four : i64
    %b0 = arith.ori %sb, %mode : i64
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !sums
    %d = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %is_thread_0 {
      nvvm.tcgen05.mma %d, %a0, %b0, %shape, %false
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      %k1 = arith.constant 2 : i64
      %a1 = arith.addi %a0, %k1 : i64
      %b1 = arith.addi %b0, %k1 : i64
      nvvm.tcgen05.mma %d, %a1, %b1, %shape, %true
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      %k2 = arith.constant 4 : i64
      %a2 = arith.addi %a0, %k2 : i64
      %b2 = arith.addi %b0, %k2 : i64
      nvvm.tcgen05.mma %d, %a2, %b2, %shape, %true
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      %k3 = arith.constant 6 : i64
      %a3 = arith.addi %a0, %k3 : i64
      %b3 = arith.addi %b0, %k3 : i64
      nvvm.tcgen05.mma %d, %a3, %b3, %shape, %true
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      nvvm.tcgen05.commit %full : !llvm.ptr<3>
    }
    nvvm.tcgen05.fence <after>
    tile.copy_async %t to %r scope(warpgroup) : !sums to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %r to %c scope(warpgroup) : !registers to !c
    gpu.barrier
    scf.if %is_warp_0 {
      nvvm.tcgen05.dealloc %d, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @unfenced(%A: memref<128x64xf16>, %B: memref<16x64xf16>, %C: memref<128x16xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<128x64xf16> to !a
    %b = tile.view %B : memref<16x64xf16> to !b
    %c = tile.view %C : memref<128x16xf32> to !c
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %r = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @multiplied : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %false = arith.constant false
    %true = arith.constant true
    %mask = arith.constant 262143 : i64
    %four = arith.constant 4 : i64
    // Groups of eight rows of 128 bytes, 1024 bytes apart, and their swizzle; f16 to f32, 128x16.
    %mode = arith.constant 4611756662049538048 : i64
    %shape = arith.constant 134479888 : i32
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %ma = arith.andi %ia, %mask : i64
    %sa = arith.shrui %ma, %four : i64
    %a0 = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %mb = arith.andi %ib, %mask : i64
    %sb = arith.shrui %mb, %four : i64
    %b0 = arith.ori %sb, %mode : i64
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !sums
    %d = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %is_thread_0 {
      nvvm.tcgen05.mma %d, %a0, %b0, %shape, %false
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      %k1 = arith.constant 2 : i64
      %a1 = arith.addi %a0, %k1 : i64
      %b1 = arith.addi %b0, %k1 : i64
      nvvm.tcgen05.mma %d, %a1, %b1, %shape, %true
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      %k2 = arith.constant 4 : i64
      %a2 = arith.addi %a0, %k2 : i64
      %b2 = arith.addi %b0, %k2 : i64
      nvvm.tcgen05.mma %d, %a2, %b2, %shape, %true
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      %k3 = arith.constant 6 : i64
      %a3 = arith.addi %a0, %k3 : i64
      %b3 = arith.addi %b0, %k3 : i64
      nvvm.tcgen05.mma %d, %a3, %b3, %shape, %true
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      nvvm.tcgen05.commit %full : !llvm.ptr<3>
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    nvvm.tcgen05.fence <after>
    tile.copy_async %t to %r scope(warpgroup) : !sums to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %r to %c scope(warpgroup) : !registers to !c
    gpu.barrier
    scf.if %is_warp_0 {
      nvvm.tcgen05.dealloc %d, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
