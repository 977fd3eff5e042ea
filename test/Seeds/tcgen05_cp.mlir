// A warpgroup fills a 32x16 tile of bytes in shared memory; one thread copies it to tensor memory, replicated in
// the lanes of every warp; each warp loads it back and writes it out.
//
//   shared (32, 16)          tensor memory, 4 columns of 32 bits        B (128, 4) of i32
//     row 0   16 bytes  -->    lanes  0, 32, 64, 96               -->     rows  0, 32, 64, 96
//     row 1   16 bytes  -->    lanes  1, 33, 65, 97               -->     rows  1, 33, 65, 97

!global = !tile.buffer<32x16xi8, global>
!shared = !tile.buffer<32x16xi8, shared>
!tmem = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!words = !tile.buffer<128x4xi32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!registers = !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
!out = !tile.buffer<128x4xi32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @round_trip(%A: memref<32x16xi8>, %B: memref<128x4xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x16xi8> to !global
    %b = tile.view %B : memref<128x4xi32> to !out
    %s = tile.alloc : !shared
    %r = tile.alloc : !registers

    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %barrier = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index

    // A warp allocates columns, and one thread initializes the barrier.
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      nvvm.tcgen05.relinquish_alloc_permit
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
    }

    // All threads fill the tile; the fence makes it visible to the copy.
    tile.copy %a to %s scope(cta) : !global to !shared
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier

    // One thread issues the copy, and requests completion on an mbarrier.
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tmem
    scf.if %is_thread_0 {
      tile.copy_async %s to %t scope(thread) : !shared to !tmem
      nvvm.tcgen05.commit %barrier : !llvm.ptr<3>
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    nvvm.tcgen05.fence <after>

    // Each warp reads its own 32 lanes.
    %u = tile.tmem %address : !words
    tile.copy_async %u to %r scope(warpgroup) : !words to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %r to %b scope(warpgroup) : !registers to !out

    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}

// NVVM 22 knows tcgen05 only on sm_100a and sm_101a; for other chips that have it, NVVM's check is turned off.
// RUN: sed 's/chip = "sm_100a"/chip = "sm_103a", verifyTarget = false/' %s | tile-translate - --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ sed 's/chip = "sm_100a"/chip = "sm_103a", verifyTarget = false/' %s | tile-translate - --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = {{[0-9]+}}, src = {layout = (32, 16) : (16, 1), space{{.*}}dst = {layout = (32, 16) : (1@TLane, 1@TCol), space
// ALIGN: tile.planned_copy %{{.*}} scope(warpgroup) plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 4, bits = {{[0-9]+}}, tmem = {

// The descriptor is built where the shared buffer is allocated: its address, the stride offset 8, and the constant 0b001.
// EXPAND-LABEL: gpu.func @round_trip
// EXPAND-SAME:  workgroup(%[[S:.*]] : memref<512xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// EXPAND:       %[[INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[S]]
// EXPAND-NEXT:  %[[ADDRESS:.*]] = arith.index_castui %[[INDEX]] : index to i64
// EXPAND:       %[[UNITS:.*]] = arith.shrui %[[ADDRESS]], %{{.*}} : i64
// EXPAND:       %[[FIELD:.*]] = arith.andi %[[UNITS]], %{{.*}} : i64
// EXPAND-NEXT:  %[[FIELDS:.*]] = arith.constant 70403103916032 : i64
// EXPAND-NEXT:  %[[DESCRIPTOR:.*]] = arith.ori %[[FIELD]], %[[FIELDS]] : i64
// EXPAND:       %[[T:.*]] = llvm.load
// EXPAND:       %[[POINTER:.*]] = llvm.inttoptr %[[T]] : i32 to !llvm.ptr<6>
// EXPAND-NEXT:  nvvm.tcgen05.cp %[[POINTER]], %[[DESCRIPTOR]] {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
// EXPAND-NEXT:  nvvm.tcgen05.commit
// EXPAND:       nvvm.tcgen05.ld %{{.*}} {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>

// REMARK-DAG: :55:7: remark: [Passed] tcgen05_cp | {{.*}} | BytesPerThread=512, Descriptor="leading offset 0 x 16 B, stride offset 8 x 16 B, swizzle mode 0", Instructions="1 tcgen05.cp.cta_group::1.32x128b.warpx4"{{.*}}, Rounds=1, Variant=tcgen05_cp
// REMARK-DAG: :70:5: remark: [Passed] tcgen05_ldst | {{.*}} | BytesPerThread=16, Instructions="1 tcgen05.ld.sync.aligned.32x32b.x4.b32", {{.*}}Rounds=1, Variant=tcgen05_ldst

// PTX:      tcgen05.cp.cta_group::1.32x128b.warpx4 [%r{{[0-9]+}}], %rd{{[0-9]+}};
// PTX-NEXT: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [copied];
// PTX:      tcgen05.ld.sync.aligned.32x32b.x4.b32 {[[R:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}, [%r{{[0-9]+}}];
// PTX-NEXT: tcgen05.wait::ld.sync.aligned;
// PTX:      st.global.v4.b32 [%rd{{[0-9]+}}], {[[R]]};

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
// SASS:      UTCCP: 1
// SASS-NEXT: LDTM: 1
// SASS:      LDL: 0
// SASS-NEXT: STL: 0
