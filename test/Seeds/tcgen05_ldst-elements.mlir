// Element types, a second datapath, and the number of registers of a tcgen05_ldst instruction.
// In each kernel, a warpgroup loads a tile of A into registers, stores it to tensor memory, loads it into other registers and
// writes it to B. test/Run/tcgen05_ldst-inputs.test runs it.

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  // Datapath B: half of the columns in half of the threads.
  // CHECK-LABEL: gpu.func @datapath_b(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 32, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 32, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry datapath_b(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.32x32b.x32.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.32x32b.x32.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @datapath_b(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !tile.buffer<64x64xf32, global>
    %b = tile.view %B : memref<64x64xf32> to !tile.buffer<64x64xf32, global>
    %r = tile.alloc : !tile.buffer<64x64xf32, local, #tile.layout<(64, 2, 32) : (1@tid_in_wg, 64@tid_in_wg, 1)>>
    %q = tile.alloc : !tile.buffer<64x64xf32, local, #tile.layout<(64, 2, 32) : (1@tid_in_wg, 64@tid_in_wg, 1)>>
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
    %t = tile.tmem %address : !tile.buffer<64x64xf32, tmem, #tile.layout<(64, 2, 32) : (1@TLane, 64@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<64x64xf32, global> to !tile.buffer<64x64xf32, local, #tile.layout<(64, 2, 32) : (1@tid_in_wg, 64@tid_in_wg, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<64x64xf32, local, #tile.layout<(64, 2, 32) : (1@tid_in_wg, 64@tid_in_wg, 1)>> to !tile.buffer<64x64xf32, tmem, #tile.layout<(64, 2, 32) : (1@TLane, 64@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<64x64xf32, tmem, #tile.layout<(64, 2, 32) : (1@TLane, 64@TLane, 1@TCol)>> to !tile.buffer<64x64xf32, local, #tile.layout<(64, 2, 32) : (1@tid_in_wg, 64@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<64x64xf32, local, #tile.layout<(64, 2, 32) : (1@tid_in_wg, 64@tid_in_wg, 1)>> to !tile.buffer<64x64xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Registers of 32 bits hold four bytes or two f16 elements.
  // CHECK-LABEL: gpu.func @element_i8(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry element_i8(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.32x32b.x8.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.32x32b.x8.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @element_i8(%A: memref<128x32xi8>, %B: memref<128x32xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x32xi8> to !tile.buffer<128x32xi8, global>
    %b = tile.view %B : memref<128x32xi8> to !tile.buffer<128x32xi8, global>
    %r = tile.alloc : !tile.buffer<128x32xi8, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    %q = tile.alloc : !tile.buffer<128x32xi8, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
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
    %t = tile.tmem %address : !tile.buffer<128x32xi8, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x32xi8, global> to !tile.buffer<128x32xi8, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<128x32xi8, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xi8, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<128x32xi8, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>> to !tile.buffer<128x32xi8, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<128x32xi8, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xi8, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @element_f16(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry element_f16(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.32x32b.x8.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.32x32b.x8.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @element_f16(%A: memref<128x16xf16>, %B: memref<128x16xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x16xf16> to !tile.buffer<128x16xf16, global>
    %b = tile.view %B : memref<128x16xf16> to !tile.buffer<128x16xf16, global>
    %r = tile.alloc : !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    %q = tile.alloc : !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
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
    %t = tile.tmem %address : !tile.buffer<128x16xf16, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x16xf16, global> to !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xf16, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<128x16xf16, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>> to !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xf16, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @element_f16_16x256b(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x256b", num = 2, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x256b", num = 2, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry element_f16_16x256b(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.16x256b.x2.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.16x256b.x2.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @element_f16_16x256b(%A: memref<64x32xf16>, %B: memref<64x32xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf16> to !tile.buffer<64x32xf16, global>
    %b = tile.view %B : memref<64x32xf16> to !tile.buffer<64x32xf16, global>
    %r = tile.alloc :
      !tile.buffer<64x32xf16, local, #tile.layout<(4, 2, 8, 2, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 8, 1@laneid, 1)>>
    %q = tile.alloc :
      !tile.buffer<64x32xf16, local, #tile.layout<(4, 2, 8, 2, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 8, 1@laneid, 1)>>
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
    %t = tile.tmem %address : !tile.buffer<64x32xf16, tmem, #tile.layout<(4, 16, 32) : (32@TLane, 1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<64x32xf16, global> to !tile.buffer<64x32xf16, local, #tile.layout<(4, 2, 8, 2, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 8, 1@laneid, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<64x32xf16, local, #tile.layout<(4, 2, 8, 2, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 8, 1@laneid, 1)>> to !tile.buffer<64x32xf16, tmem, #tile.layout<(4, 16, 32) : (32@TLane, 1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<64x32xf16, tmem, #tile.layout<(4, 16, 32) : (32@TLane, 1@TLane, 1@TCol)>> to !tile.buffer<64x32xf16, local, #tile.layout<(4, 2, 8, 2, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 8, 1@laneid, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<64x32xf16, local, #tile.layout<(4, 2, 8, 2, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 8, 1@laneid, 1)>> to !tile.buffer<64x32xf16, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // From one register to 128, and more than an instruction has.
  // CHECK-LABEL: gpu.func @one_register(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 1, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 1, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry one_register(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.32x32b.x1.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.32x32b.x1.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @one_register(%A: memref<128x1xf32>, %B: memref<128x1xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x1xf32> to !tile.buffer<128x1xf32, global>
    %b = tile.view %B : memref<128x1xf32> to !tile.buffer<128x1xf32, global>
    %r = tile.alloc : !tile.buffer<128x1xf32, local, #tile.layout<(128, 1) : (1@tid_in_wg, 1)>>
    %q = tile.alloc : !tile.buffer<128x1xf32, local, #tile.layout<(128, 1) : (1@tid_in_wg, 1)>>
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
    %t = tile.tmem %address : !tile.buffer<128x1xf32, tmem, #tile.layout<(128, 1) : (1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x1xf32, global> to !tile.buffer<128x1xf32, local, #tile.layout<(128, 1) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<128x1xf32, local, #tile.layout<(128, 1) : (1@tid_in_wg, 1)>> to !tile.buffer<128x1xf32, tmem, #tile.layout<(128, 1) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<128x1xf32, tmem, #tile.layout<(128, 1) : (1@TLane, 1@TCol)>> to !tile.buffer<128x1xf32, local, #tile.layout<(128, 1) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<128x1xf32, local, #tile.layout<(128, 1) : (1@tid_in_wg, 1)>> to !tile.buffer<128x1xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @three_instructions(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 16, {{.*}}instruction_iters = 1,
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 16, {{.*}}instruction_iters = 1,
  // PTX-LABEL: .entry three_instructions(
  // PTX-COUNT-3: tcgen05.st.sync.aligned.32x32b.x16.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-3: tcgen05.ld.sync.aligned.32x32b.x16.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @three_instructions(%A: memref<128x48xf32>, %B: memref<128x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x48xf32> to !tile.buffer<128x48xf32, global>
    %b = tile.view %B : memref<128x48xf32> to !tile.buffer<128x48xf32, global>
    %r = tile.alloc : !tile.buffer<128x48xf32, local, #tile.layout<(128, 48) : (1@tid_in_wg, 1)>>
    %q = tile.alloc : !tile.buffer<128x48xf32, local, #tile.layout<(128, 48) : (1@tid_in_wg, 1)>>
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
    %t = tile.tmem %address : !tile.buffer<128x48xf32, tmem, #tile.layout<(128, 48) : (1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x48xf32, global> to !tile.buffer<128x48xf32, local, #tile.layout<(128, 48) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<128x48xf32, local, #tile.layout<(128, 48) : (1@tid_in_wg, 1)>> to !tile.buffer<128x48xf32, tmem, #tile.layout<(128, 48) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<128x48xf32, tmem, #tile.layout<(128, 48) : (1@TLane, 1@TCol)>> to !tile.buffer<128x48xf32, local, #tile.layout<(128, 48) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<128x48xf32, local, #tile.layout<(128, 48) : (1@tid_in_wg, 1)>> to !tile.buffer<128x48xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @most_registers(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 128, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 128, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry most_registers(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.32x32b.x128.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.32x32b.x128.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @most_registers(%A: memref<128x128xf32>, %B: memref<128x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32> to !tile.buffer<128x128xf32, global>
    %b = tile.view %B : memref<128x128xf32> to !tile.buffer<128x128xf32, global>
    %r = tile.alloc : !tile.buffer<128x128xf32, local, #tile.layout<(128, 128) : (1@tid_in_wg, 1)>>
    %q = tile.alloc : !tile.buffer<128x128xf32, local, #tile.layout<(128, 128) : (1@tid_in_wg, 1)>>
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 128 : i32
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<128x128xf32, tmem, #tile.layout<(128, 128) : (1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x128xf32, global> to !tile.buffer<128x128xf32, local, #tile.layout<(128, 128) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<128x128xf32, local, #tile.layout<(128, 128) : (1@tid_in_wg, 1)>> to !tile.buffer<128x128xf32, tmem, #tile.layout<(128, 128) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<128x128xf32, tmem, #tile.layout<(128, 128) : (1@TLane, 1@TCol)>> to !tile.buffer<128x128xf32, local, #tile.layout<(128, 128) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<128x128xf32, local, #tile.layout<(128, 128) : (1@tid_in_wg, 1)>> to !tile.buffer<128x128xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

// SASS-LABEL: kernel datapath_b
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel element_f16
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel element_f16_16x256b
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel element_i8
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel most_registers
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel one_register
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel three_instructions
// SASS: LDTM: 3
// SASS-NEXT: STTM: 3
