// Products of wgmma among tile copies: correct as written, and so is a twin without any ordering after --tile-insert-sync.
// Errors that the check reports are also found by the simulator.
// RUN: tile-opt %s --tile-insert-sync -o %t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: FileCheck %s < %t.mlir
// RUN: tile-run %s --entry reference --arg 'f16[64x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[64x16]=zeros --write 2=%t.npy
// RUN: tile-run %s --entry product --schedule=all --arg 'f16[64x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[64x16]=poison --expect 2=%t.npy
// RUN: tile-run %s --entry stages --schedule=all --arg 'f16[64x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[64x16]=poison --expect 2=%t.npy
// RUN: tile-run %s --entry stages --schedule=all --arg 'f16[64x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[64x16]=poison --expect 2=%t.npy --delete-sync | FileCheck %s --check-prefix=DELETE
// DELETE: 6 noticed, 0 redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed
// RUN: tile-run %t.mlir --entry product --arg 'f16[64x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[64x16]=poison --expect 2=%t.npy
// RUN: tile-run %t.mlir --entry stages --arg 'f16[64x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[64x16]=poison --expect 2=%t.npy
// RUN: tile-run %t.mlir --entry bare --schedule=all --arg 'f16[64x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[64x16]=poison --expect 2=%t.npy
// RUN: not tile-opt %s --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=BARE
// BARE: error: 'nvvm.wgmma.mma_async' op reads shared memory that an earlier operation writes
// BARE: note: between the two, this orders them: gpu.barrier
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry bare --schedule=all --arg 'f16[64x256]=uniform(-2,2):1' --arg 'f16[16x256]=uniform(-2,2):2' --arg f32[64x16]=poison 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: error: {{.*(race|uninitialized|not waited for)}}

// Correct kernels are unchanged.
// CHECK-LABEL: gpu.func @product
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @stages
// CHECK:         gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @bare
// CHECK:         gpu.barrier
// CHECK:         nvvm.wgmma.mma_async
// CHECK:         nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT:    nvvm.wgmma.wait.group.sync.aligned 0

!a = !tile.buffer<64x256xf16, global>
!b = !tile.buffer<16x256xf16, global>
!c = !tile.buffer<64x16xf32, global>
!as = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!bs = !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!a2 = !tile.buffer<2x64x64xf16, shared, #tile.layout<(2, 64, 64) : (4096, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!b2 = !tile.buffer<2x16x64xf16, shared, #tile.layout<(2, 16, 64) : (1024, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
!struct = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @reference(%A: memref<64x256xf16>, %B: memref<16x256xf16>, %C: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %row = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    %first = arith.muli %half, %c8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %column = arith.addi %first, %i : index
      %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%s = %zero) -> f32 {
        %x = memref.load %A[%row, %k] : memref<64x256xf16>
        %y = memref.load %B[%column, %k] : memref<16x256xf16>
        %xw = arith.extf %x : f16 to f32
        %yw = arith.extf %y : f16 to f32
        %p = arith.mulf %xw, %yw : f32
        %next = arith.addf %s, %p : f32
        scf.yield %next : f32
      }
      memref.store %sum, %C[%row, %column] : memref<64x16xf32>
    }
    gpu.return
  }

  gpu.func @product(%A: memref<64x256xf16>, %B: memref<16x256xf16>, %C: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x256xf16> to !a
    %b = tile.view %B : memref<16x256xf16> to !b
    %c = tile.view %C : memref<64x16xf32> to !c
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %mask = arith.constant 262143 : i64
    %four = arith.constant 4 : i64
    %mode = arith.constant 4611686293305360384 : i64
    %k0 = arith.constant 0 : i64
    %k1 = arith.constant 2 : i64
    %k2 = arith.constant 4 : i64
    %k3 = arith.constant 6 : i64
    %zero = llvm.mlir.zero : !struct
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %ma = arith.andi %ia, %mask : i64
    %sa = arith.shrui %ma, %four : i64
    %desc_a = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %mb = arith.andi %ib, %mask : i64
    %sb = arith.shrui %mb, %four : i64
    %desc_b = arith.ori %sb, %mode : i64
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> !struct {
      %k = arith.muli %i, %c64 : index
      tile.copy %a[0, %k] [64, 64] to %as scope(cta) : !a to !as
      tile.copy %b[0, %k] [16, 64] to %bs scope(cta) : !b to !bs
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      nvvm.wgmma.fence.aligned
      %a0_0 = arith.addi %desc_a, %k0 : i64
      %b0_0 = arith.addi %desc_b, %k0 : i64
      %d0_0 = nvvm.wgmma.mma_async %a0_0, %b0_0, %acc, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      %a0_1 = arith.addi %desc_a, %k1 : i64
      %b0_1 = arith.addi %desc_b, %k1 : i64
      %d0_1 = nvvm.wgmma.mma_async %a0_1, %b0_1, %d0_0, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      %a0_2 = arith.addi %desc_a, %k2 : i64
      %b0_2 = arith.addi %desc_b, %k2 : i64
      %d0_2 = nvvm.wgmma.mma_async %a0_2, %b0_2, %d0_1, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      %a0_3 = arith.addi %desc_a, %k3 : i64
      %b0_3 = arith.addi %desc_b, %k3 : i64
      %d0_3 = nvvm.wgmma.mma_async %a0_3, %b0_3, %d0_2, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 0
      gpu.barrier
      scf.yield %d0_3 : !struct
    }
    %r = tile.alloc : !sums
    %regs = tile.local_view %r : !sums to memref<8xf32>
    %n0 = arith.constant 0 : index
    %e0 = llvm.extractvalue %sum[0] : !struct
    memref.store %e0, %regs[%n0] : memref<8xf32>
    %n1 = arith.constant 1 : index
    %e1 = llvm.extractvalue %sum[1] : !struct
    memref.store %e1, %regs[%n1] : memref<8xf32>
    %n2 = arith.constant 2 : index
    %e2 = llvm.extractvalue %sum[2] : !struct
    memref.store %e2, %regs[%n2] : memref<8xf32>
    %n3 = arith.constant 3 : index
    %e3 = llvm.extractvalue %sum[3] : !struct
    memref.store %e3, %regs[%n3] : memref<8xf32>
    %n4 = arith.constant 4 : index
    %e4 = llvm.extractvalue %sum[4] : !struct
    memref.store %e4, %regs[%n4] : memref<8xf32>
    %n5 = arith.constant 5 : index
    %e5 = llvm.extractvalue %sum[5] : !struct
    memref.store %e5, %regs[%n5] : memref<8xf32>
    %n6 = arith.constant 6 : index
    %e6 = llvm.extractvalue %sum[6] : !struct
    memref.store %e6, %regs[%n6] : memref<8xf32>
    %n7 = arith.constant 7 : index
    %e7 = llvm.extractvalue %sum[7] : !struct
    memref.store %e7, %regs[%n7] : memref<8xf32>
    tile.copy %r to %c scope(warpgroup) : !sums to !c
    gpu.return
  }

  // Products of one stage are in flight while the other stage is filled.
  gpu.func @stages(%A: memref<64x256xf16>, %B: memref<16x256xf16>, %C: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x256xf16> to !a
    %b = tile.view %B : memref<16x256xf16> to !b
    %c = tile.view %C : memref<64x16xf32> to !c
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %mask = arith.constant 262143 : i64
    %four = arith.constant 4 : i64
    %mode = arith.constant 4611686293305360384 : i64
    %k0 = arith.constant 0 : i64
    %k1 = arith.constant 2 : i64
    %k2 = arith.constant 4 : i64
    %k3 = arith.constant 6 : i64
    %zero = llvm.mlir.zero : !struct
    %c2 = arith.constant 2 : index
    %c512 = arith.constant 512 : i64
    %c128 = arith.constant 128 : i64
    %as = tile.alloc {alignment = 1024 : i64} : !a2
    %bs = tile.alloc {alignment = 1024 : i64} : !b2
    %pa = tile.parts %as : !a2 to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %ma = arith.andi %ia, %mask : i64
    %sa = arith.shrui %ma, %four : i64
    %desc_a = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !b2 to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %mb = arith.andi %ib, %mask : i64
    %sb = arith.shrui %mb, %four : i64
    %desc_b = arith.ori %sb, %mode : i64
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> !struct {
      %k = arith.muli %i, %c64 : index
      %stage = arith.remui %i, %c2 : index
      %number = arith.index_cast %stage : index to i64
      %to_a = arith.muli %number, %c512 : i64
      %to_b = arith.muli %number, %c128 : i64
      %stage_a = arith.addi %desc_a, %to_a : i64
      %stage_b = arith.addi %desc_b, %to_b : i64
      tile.copy %a[0, %k] [64, 64] to %as[%stage, 0, 0] [1, 64, 64] scope(cta) : !a to !a2
      tile.copy %b[0, %k] [16, 64] to %bs[%stage, 0, 0] [1, 16, 64] scope(cta) : !b to !b2
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.wgmma.wait.group.sync.aligned 0
      gpu.barrier
      nvvm.wgmma.fence.aligned
      %a0_0 = arith.addi %stage_a, %k0 : i64
      %b0_0 = arith.addi %stage_b, %k0 : i64
      %d0_0 = nvvm.wgmma.mma_async %a0_0, %b0_0, %acc, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      %a0_1 = arith.addi %stage_a, %k1 : i64
      %b0_1 = arith.addi %stage_b, %k1 : i64
      %d0_1 = nvvm.wgmma.mma_async %a0_1, %b0_1, %d0_0, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      %a0_2 = arith.addi %stage_a, %k2 : i64
      %b0_2 = arith.addi %stage_b, %k2 : i64
      %d0_2 = nvvm.wgmma.mma_async %a0_2, %b0_2, %d0_1, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      %a0_3 = arith.addi %stage_a, %k3 : i64
      %b0_3 = arith.addi %stage_b, %k3 : i64
      %d0_3 = nvvm.wgmma.mma_async %a0_3, %b0_3, %d0_2, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      nvvm.wgmma.commit.group.sync.aligned
      scf.yield %d0_3 : !struct
    }
    nvvm.wgmma.wait.group.sync.aligned 0
    %r = tile.alloc : !sums
    %regs = tile.local_view %r : !sums to memref<8xf32>
    %n0 = arith.constant 0 : index
    %e0 = llvm.extractvalue %sum[0] : !struct
    memref.store %e0, %regs[%n0] : memref<8xf32>
    %n1 = arith.constant 1 : index
    %e1 = llvm.extractvalue %sum[1] : !struct
    memref.store %e1, %regs[%n1] : memref<8xf32>
    %n2 = arith.constant 2 : index
    %e2 = llvm.extractvalue %sum[2] : !struct
    memref.store %e2, %regs[%n2] : memref<8xf32>
    %n3 = arith.constant 3 : index
    %e3 = llvm.extractvalue %sum[3] : !struct
    memref.store %e3, %regs[%n3] : memref<8xf32>
    %n4 = arith.constant 4 : index
    %e4 = llvm.extractvalue %sum[4] : !struct
    memref.store %e4, %regs[%n4] : memref<8xf32>
    %n5 = arith.constant 5 : index
    %e5 = llvm.extractvalue %sum[5] : !struct
    memref.store %e5, %regs[%n5] : memref<8xf32>
    %n6 = arith.constant 6 : index
    %e6 = llvm.extractvalue %sum[6] : !struct
    memref.store %e6, %regs[%n6] : memref<8xf32>
    %n7 = arith.constant 7 : index
    %e7 = llvm.extractvalue %sum[7] : !struct
    memref.store %e7, %regs[%n7] : memref<8xf32>
    tile.copy %r to %c scope(warpgroup) : !sums to !c
    gpu.return
  }

  gpu.func @bare(%A: memref<64x256xf16>, %B: memref<16x256xf16>, %C: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x256xf16> to !a
    %b = tile.view %B : memref<16x256xf16> to !b
    %c = tile.view %C : memref<64x16xf32> to !c
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %mask = arith.constant 262143 : i64
    %four = arith.constant 4 : i64
    %mode = arith.constant 4611686293305360384 : i64
    %k0 = arith.constant 0 : i64
    %k1 = arith.constant 2 : i64
    %k2 = arith.constant 4 : i64
    %k3 = arith.constant 6 : i64
    %zero = llvm.mlir.zero : !struct
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %ma = arith.andi %ia, %mask : i64
    %sa = arith.shrui %ma, %four : i64
    %desc_a = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %mb = arith.andi %ib, %mask : i64
    %sb = arith.shrui %mb, %four : i64
    %desc_b = arith.ori %sb, %mode : i64
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> !struct {
      %k = arith.muli %i, %c64 : index
      tile.copy %a[0, %k] [64, 64] to %as scope(cta) : !a to !as
      tile.copy %b[0, %k] [16, 64] to %bs scope(cta) : !b to !bs
      nvvm.wgmma.fence.aligned
      %a0_0 = arith.addi %desc_a, %k0 : i64
      %b0_0 = arith.addi %desc_b, %k0 : i64
      %d0_0 = nvvm.wgmma.mma_async %a0_0, %b0_0, %acc, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      %a0_1 = arith.addi %desc_a, %k1 : i64
      %b0_1 = arith.addi %desc_b, %k1 : i64
      %d0_1 = nvvm.wgmma.mma_async %a0_1, %b0_1, %d0_0, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      %a0_2 = arith.addi %desc_a, %k2 : i64
      %b0_2 = arith.addi %desc_b, %k2 : i64
      %d0_2 = nvvm.wgmma.mma_async %a0_2, %b0_2, %d0_1, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      %a0_3 = arith.addi %desc_a, %k3 : i64
      %b0_3 = arith.addi %desc_b, %k3 : i64
      %d0_3 = nvvm.wgmma.mma_async %a0_3, %b0_3, %d0_2, <m = 64, n = 16, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      scf.yield %d0_3 : !struct
    }
    %r = tile.alloc : !sums
    %regs = tile.local_view %r : !sums to memref<8xf32>
    %n0 = arith.constant 0 : index
    %e0 = llvm.extractvalue %sum[0] : !struct
    memref.store %e0, %regs[%n0] : memref<8xf32>
    %n1 = arith.constant 1 : index
    %e1 = llvm.extractvalue %sum[1] : !struct
    memref.store %e1, %regs[%n1] : memref<8xf32>
    %n2 = arith.constant 2 : index
    %e2 = llvm.extractvalue %sum[2] : !struct
    memref.store %e2, %regs[%n2] : memref<8xf32>
    %n3 = arith.constant 3 : index
    %e3 = llvm.extractvalue %sum[3] : !struct
    memref.store %e3, %regs[%n3] : memref<8xf32>
    %n4 = arith.constant 4 : index
    %e4 = llvm.extractvalue %sum[4] : !struct
    memref.store %e4, %regs[%n4] : memref<8xf32>
    %n5 = arith.constant 5 : index
    %e5 = llvm.extractvalue %sum[5] : !struct
    memref.store %e5, %regs[%n5] : memref<8xf32>
    %n6 = arith.constant 6 : index
    %e6 = llvm.extractvalue %sum[6] : !struct
    memref.store %e6, %regs[%n6] : memref<8xf32>
    %n7 = arith.constant 7 : index
    %e7 = llvm.extractvalue %sum[7] : !struct
    memref.store %e7, %regs[%n7] : memref<8xf32>
    tile.copy %r to %c scope(warpgroup) : !sums to !c
    gpu.return
  }
}
