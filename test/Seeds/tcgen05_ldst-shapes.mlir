// The shapes of tcgen05_ldst, and which lanes they access.
// In each kernel, a warpgroup loads a tile of A into registers, stores it to tensor memory, loads it into other registers and
// writes it to B. test/Run/tcgen05_ldst-inputs.test runs it.

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  // The four shapes; the last three access 16 lanes of each warp, in the layout of datapath F.
  // CHECK-LABEL: gpu.func @shape_32x32b(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry shape_32x32b(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.32x32b.x8.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.32x32b.x8.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @shape_32x32b(%A: memref<128x8xf32>, %B: memref<128x8xf32>) kernel
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
    %t = tile.tmem %address : !tile.buffer<128x8xf32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x8xf32, global> to !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>> to !tile.buffer<128x8xf32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<128x8xf32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>> to !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
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

  // CHECK-LABEL: gpu.func @shape_16x64b(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x64b", num = 8, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x64b", num = 8, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry shape_16x64b(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.16x64b.x8.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.16x64b.x8.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @shape_16x64b(%A: memref<64x16xf32>, %B: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %b = tile.view %B : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %r = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 8, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>>
    %q = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 8, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>>
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
    %t = tile.tmem %address : !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<64x16xf32, global> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 8, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 8, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>> to !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 8, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 8, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>> to !tile.buffer<64x16xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shape_16x128b(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x128b", num = 4, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x128b", num = 4, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry shape_16x128b(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.16x128b.x4.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.16x128b.x4.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @shape_16x128b(%A: memref<64x16xf32>, %B: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %b = tile.view %B : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %r = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>>
    %q = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>>
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
    %t = tile.tmem %address : !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<64x16xf32, global> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>> to !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>> to !tile.buffer<64x16xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shape_16x256b(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x256b", num = 2, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x256b", num = 2, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry shape_16x256b(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.16x256b.x2.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.16x256b.x2.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @shape_16x256b(%A: memref<64x16xf32>, %B: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %b = tile.view %B : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %r = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    %q = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
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
    %t = tile.tmem %address : !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<64x16xf32, global> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<64x16xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // A tile stored with one shape may be loaded with another.
  // CHECK-LABEL: gpu.func @other_way_back(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x256b", num = 2, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x64b", num = 8, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry other_way_back(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.16x256b.x2.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.16x64b.x8.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @other_way_back(%A: memref<64x16xf32>, %B: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %b = tile.view %B : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %r = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    %q = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 8, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>>
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
    %t = tile.tmem %address : !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<64x16xf32, global> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol)>> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 8, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 8, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>> to !tile.buffer<64x16xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Datapath F from lane 16 of each warp on; datapath D in a shape of 16 lanes is two instructions.
  // CHECK-LABEL: gpu.func @upper_lanes(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x128b", num = 4, bits = {{[0-9]+}}, tmem = {
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x128b", num = 4, bits = {{[0-9]+}}, tmem = {
  // PTX-LABEL: .entry upper_lanes(
  // PTX-COUNT-1: tcgen05.st.sync.aligned.16x128b.x4.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-1: tcgen05.ld.sync.aligned.16x128b.x4.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @upper_lanes(%A: memref<64x16xf32>, %B: memref<64x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %b = tile.view %B : memref<64x16xf32> to !tile.buffer<64x16xf32, global>
    %r = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>>
    %q = tile.alloc :
      !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>>
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
    %t = tile.tmem %address :
      !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol) + 16@TLane>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<64x16xf32, global> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>> to !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol) + 16@TLane>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<64x16xf32, tmem, #tile.layout<(4, 16, 16) : (32@TLane, 1@TLane, 1@TCol) + 16@TLane>> to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>> to !tile.buffer<64x16xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @both_halves(
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x256b", num = 2, {{.*}}instruction_iters = 1,
  // CHECK: tile.planned_copy {{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "16x256b", num = 2, {{.*}}instruction_iters = 1,
  // PTX-LABEL: .entry both_halves(
  // PTX-COUNT-2: tcgen05.st.sync.aligned.16x256b.x2.b32
  // PTX: tcgen05.wait::st.sync.aligned;
  // PTX-COUNT-2: tcgen05.ld.sync.aligned.16x256b.x2.b32
  // PTX: tcgen05.wait::ld.sync.aligned;
  gpu.func @both_halves(%A: memref<128x16xf32>, %B: memref<128x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x16xf32> to !tile.buffer<128x16xf32, global>
    %b = tile.view %B : memref<128x16xf32> to !tile.buffer<128x16xf32, global>
    %r = tile.alloc :
      !tile.buffer<128x16xf32, local, #tile.layout<(4, 2, 2, 8, 2, 4, 2) : (1@wid_in_wg, 8, 2, 4@laneid, 4, 1@laneid, 1)>>
    %q = tile.alloc :
      !tile.buffer<128x16xf32, local, #tile.layout<(4, 2, 2, 8, 2, 4, 2) : (1@wid_in_wg, 8, 2, 4@laneid, 4, 1@laneid, 1)>>
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
    %t = tile.tmem %address : !tile.buffer<128x16xf32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x16xf32, global> to !tile.buffer<128x16xf32, local, #tile.layout<(4, 2, 2, 8, 2, 4, 2) : (1@wid_in_wg, 8, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy_async %r to %t scope(warpgroup)
      : !tile.buffer<128x16xf32, local, #tile.layout<(4, 2, 2, 8, 2, 4, 2) : (1@wid_in_wg, 8, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<128x16xf32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup)
      : !tile.buffer<128x16xf32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>> to !tile.buffer<128x16xf32, local, #tile.layout<(4, 2, 2, 8, 2, 4, 2) : (1@wid_in_wg, 8, 2, 4@laneid, 4, 1@laneid, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup)
      : !tile.buffer<128x16xf32, local, #tile.layout<(4, 2, 2, 8, 2, 4, 2) : (1@wid_in_wg, 8, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<128x16xf32, global>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

// SASS-LABEL: kernel both_halves
// SASS: LDTM: 2
// SASS-NEXT: STTM: 2
// SASS-LABEL: kernel other_way_back
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel shape_16x128b
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel shape_16x256b
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel shape_16x64b
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel shape_32x32b
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
// SASS-LABEL: kernel upper_lanes
// SASS: LDTM: 1
// SASS-NEXT: STTM: 1
