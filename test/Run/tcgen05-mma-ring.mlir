// Four warps write tiles in two stages; an elected thread of the fifth multiplies them by tcgen05.mma. Its commits signal when a
// stage can be reused and when the sum is complete. The check accepts the kernel, and it runs; without one of these waits, neither.
// RUN: tile-run %s --entry reference --arg 'f16[128x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[128x16]=zeros --write 2=%t.npy
// RUN: tile-opt %s --tile-check-sync -o /dev/null
// RUN: tile-run %s --entry ring --schedule=all --arg 'f16[128x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[128x16]=poison --arg i64=4 --expect 2=%t.npy
// --tile-insert-sync restores every ordering other than mbarriers.
// RUN: sed -e '/nvvm.fence.proxy/d' -e '/nvvm.tcgen05.fence/d' -e '/nvvm.tcgen05.wait/d' %s > %t.bare.mlir
// RUN: not tile-opt %t.bare.mlir --tile-check-sync -o /dev/null
// RUN: tile-opt %t.bare.mlir --tile-insert-sync -o %t.ordered.mlir
// RUN: tile-run %t.ordered.mlir --entry ring --schedule=all --arg 'f16[128x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[128x16]=poison --arg i64=4 --expect 2=%t.npy
// RUN: sed -e '/Until the stage is fre[e]/,/It is fre[e]/d' %s > %t.overwrites.mlir
// RUN: not tile-opt %t.overwrites.mlir --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: error: 'tile.copy' op
// RUN: not tile-run %t.overwrites.mlir --passes='tile-build{allow-unordered=true}' --entry ring --schedule=random --arg 'f16[128x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[128x16]=poison --arg i64=4 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: sed -e '/Until the sum is don[e]/,/It is don[e]/d' %s > %t.early.mlir
// RUN: not tile-opt %t.early.mlir --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=DONE
// DONE: error: 'nvvm.tcgen05.commit' op may be in flight when the block ends
// RUN: not tile-run %t.early.mlir --passes='tile-build{allow-unordered=true}' --entry ring --schedule=all --arg 'f16[128x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[128x16]=poison --arg i64=4 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: error: {{.*(race|uninitialized|not waited for)}}

!a = !tile.buffer<128x256xf16, global>
!b = !tile.buffer<16x256xf16, global>
!c = !tile.buffer<128x16xf32, global>
!as = !tile.buffer<2x128x64xf16, shared, #tile.layout<(2, 128, 64) : (8192, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!bs = !tile.buffer<2x16x64xf16, shared, #tile.layout<(2, 16, 64) : (1024, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x16xf32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
!registers = !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @full_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @all_bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @reference(%A: memref<128x256xf16>, %B: memref<16x256xf16>, %C: memref<128x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %row = gpu.thread_id x
    scf.for %column = %c0 to %c16 step %c1 {
      %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%s = %zero) -> f32 {
        %x = memref.load %A[%row, %k] : memref<128x256xf16>
        %y = memref.load %B[%column, %k] : memref<16x256xf16>
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

  gpu.func @ring(%A: memref<128x256xf16>, %B: memref<16x256xf16>, %C: memref<128x16xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %a = tile.view %A : memref<128x256xf16> to !a
    %b = tile.view %B : memref<16x256xf16> to !b
    %c = tile.view %C : memref<128x16xf32> to !c
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %r = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @full_bars : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty_bars : !llvm.ptr<3>
    %all = llvm.mlir.addressof @all_bar : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %writers = arith.constant 128 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %true = arith.constant true
    // f16 to f32, 128x16.
    %shape = arith.constant 134479888 : i32
    // Groups of eight rows of 128 bytes, 1024 bytes apart, and their swizzle.
    %mask = arith.constant 262143 : i32
    %four = arith.constant 4 : i32
    %leading = arith.constant 1 : i32
    %stride = arith.constant 64 : i32
    %base = arith.constant 0 : i8
    %relative = arith.constant false
    %swizzle = arith.constant 2 : i8
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i32
    %ma = arith.andi %ia, %mask : i32
    %sa = arith.shrui %ma, %four : i32
    %desc_a = nvvm.tcgen05.mma_smem_desc (%sa, %leading, %stride, %base, %relative, %swizzle)
      : (i32, i32, i32, i8, i1, i8) -> i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i32
    %mb = arith.andi %ib, %mask : i32
    %sb = arith.shrui %mb, %four : i32
    %desc_b = nvvm.tcgen05.mma_smem_desc (%sb, %leading, %stride, %base, %relative, %swizzle)
      : (i32, i32, i32, i8, i1, i8) -> i64
    // Bytes of a stage, divided by 16.
    %bytes_a = arith.constant 1024 : i64
    %bytes_b = arith.constant 128 : i64
    %thread = gpu.thread_id x
    %writes = arith.cmpi ult, %thread, %c128 : index
    %is_warp_4 = arith.cmpi uge, %thread, %c128 : index
    %elected = nvvm.elect.sync -> i1
    %multiplies = arith.andi %is_warp_4, %elected : i1
    scf.if %multiplies {
      scf.for %i = %c0 to %c2 step %c1 {
        %number = arith.index_cast %i : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        nvvm.mbarrier.init %here, %writers : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %free, %one : !llvm.ptr<3>, i32
      }
      nvvm.mbarrier.init %all, %one : !llvm.ptr<3>, i32
    }
    scf.if %is_warp_4 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !sums
    %d = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    scf.if %writes {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c2 : index
        %lap = arith.divui %i, %c2 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %before = arith.xori %parity, %one : i32
        // Until the stage is free.
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %free, %before : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        // It is free.
        %k = arith.muli %i, %c64 : index
        tile.copy %a[0, %k] [128, 64] to %as[%stage, 0, 0] [1, 128, 64] scope(warpgroup) : !a to !as
        tile.copy %b[0, %k] [16, 64] to %bs[%stage, 0, 0] [1, 16, 64] scope(warpgroup) : !b to !bs
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        %token = nvvm.mbarrier.arrive %here : !llvm.ptr<3> -> i64
      }
    }
    scf.if %multiplies {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c2 : index
        %lap = arith.divui %i, %c2 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %here, %parity : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        %wide = arith.index_cast %stage : index to i64
        %to_a = arith.muli %wide, %bytes_a : i64
        %to_b = arith.muli %wide, %bytes_b : i64
        %stage_a = arith.addi %desc_a, %to_a : i64
        %stage_b = arith.addi %desc_b, %to_b : i64
        %later = arith.cmpi ne, %i, %c0 : index
        %k0 = arith.constant 0 : i64
        %a0 = arith.addi %stage_a, %k0 : i64
        %b0 = arith.addi %stage_b, %k0 : i64
        nvvm.tcgen05.mma %d, %a0, %b0, %shape, %later
          {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
        %k1 = arith.constant 2 : i64
        %a1 = arith.addi %stage_a, %k1 : i64
        %b1 = arith.addi %stage_b, %k1 : i64
        nvvm.tcgen05.mma %d, %a1, %b1, %shape, %true
          {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
        %k2 = arith.constant 4 : i64
        %a2 = arith.addi %stage_a, %k2 : i64
        %b2 = arith.addi %stage_b, %k2 : i64
        nvvm.tcgen05.mma %d, %a2, %b2, %shape, %true
          {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
        %k3 = arith.constant 6 : i64
        %a3 = arith.addi %stage_a, %k3 : i64
        %b3 = arith.addi %stage_b, %k3 : i64
        nvvm.tcgen05.mma %d, %a3, %b3, %shape, %true
          {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
        nvvm.tcgen05.commit %free : !llvm.ptr<3>
      }
      nvvm.tcgen05.commit %all : !llvm.ptr<3>
    }
    scf.if %writes {
      // Until the sum is done.
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %all, %zero : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      // It is done.
      nvvm.tcgen05.fence <after>
      tile.copy_async %t to %r scope(warpgroup) : !sums to !registers
      nvvm.tcgen05.wait <load>
      tile.copy %r to %c scope(warpgroup) : !registers to !c
    }
    gpu.barrier
    scf.if %is_warp_4 {
      nvvm.tcgen05.dealloc %d, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
