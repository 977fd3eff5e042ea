// Windows of columns, also at run time, by tcgen05_ldst.
// In each kernel, a warpgroup loads a tile of A into registers, stores it to tensor memory, loads it into other registers and
// writes it to B. test/Run/tcgen05_ldst-inputs.test runs it.

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  // A window of columns: from column 3 on, and from a run-time column on.
  // CHECK-LABEL: gpu.func @columns_3_to_18(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 16, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 16, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry columns_3_to_18(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.32x32b.x16.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.32x32b.x16.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @columns_3_to_18(%A: memref<128x16xf32>, %B: memref<128x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x16xf32> to !tile.buffer<128x16xf32, global>
    %b = tile.view %B : memref<128x16xf32> to !tile.buffer<128x16xf32, global>
    %r = tile.alloc : !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    %q = tile.alloc : !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 64 : i32
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<128x40xf32, tmem, #tile.layout<(128, 40) : (1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x16xf32, global> to !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %t[0, 3] [128, 16] scope(warpgroup)
      : !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x40xf32, tmem, #tile.layout<(128, 40) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t[0, 3] [128, 16] to %q scope(warpgroup)
      : !tile.buffer<128x40xf32, tmem, #tile.layout<(128, 40) : (1@TLane, 1@TCol)>> to !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @run_time_column(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry run_time_column(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.32x32b.x8.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.32x32b.x8.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @run_time_column(%A: memref<128x8xf32>, %B: memref<128x8xf32>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x8xf32> to !tile.buffer<128x8xf32, global>
    %b = tile.view %B : memref<128x8xf32> to !tile.buffer<128x8xf32, global>
    %r = tile.alloc : !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    %q = tile.alloc : !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x8xf32, global> to !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %t[0, %i] [128, 8] scope(warpgroup)
      : !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t[0, %i] [128, 8] to %q scope(warpgroup)
      : !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>> to !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>> to !tile.buffer<128x8xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @run_time_halves(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 4, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 4, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry run_time_halves(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.32x32b.x4.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.32x32b.x4.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @run_time_halves(%A: memref<128x8xf16>, %B: memref<128x8xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x8xf16> to !tile.buffer<128x8xf16, global>
    %b = tile.view %B : memref<128x8xf16> to !tile.buffer<128x8xf16, global>
    %r = tile.alloc : !tile.buffer<128x8xf16, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    %q = tile.alloc : !tile.buffer<128x8xf16, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<128x32xf16, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    %even = tile.assume %i divisible_by 2 : index
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x8xf16, global> to !tile.buffer<128x8xf16, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %t[0, %even] [128, 8] scope(warpgroup)
      : !tile.buffer<128x8xf16, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf16, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t[0, %even] [128, 8] to %q scope(warpgroup)
      : !tile.buffer<128x32xf16, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>> to !tile.buffer<128x8xf16, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<128x8xf16, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>> to !tile.buffer<128x8xf16, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

// SASS-LABEL: kernel columns_3_to_18
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel run_time_column
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel run_time_halves
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
