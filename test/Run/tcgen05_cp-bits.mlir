// Bytes in shared memory are copied into tensor memory bit for bit, where they are 8-bit floats: every value, also those
// that are NaN. Elements of other widths, and floats of another type, are not.
// RUN: tile-run %s --schedule=all --arg i8[32x16]=random --arg i8[32x16]=poison --expect-equal 0,1
// RUN: sed -e "s/xf8E4M3FN, tmem/xf8E5M2, tmem/" %s > %t.mlir && tile-run %t.mlir --schedule=all --arg i8[32x16]=random --arg i8[32x16]=poison --expect-equal 0,1
// RUN: sed -e 's/xi8, shared/xui8, shared/' -e '/tile.copy %/d' %s | tile-opt --lower-tile-copy | FileCheck %s
// RUN: sed -e 's/xf8E4M3FN, tmem/xf16, tmem/' %s | not tile-opt --lower-tile-copy 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: sed -e 's/xi8, shared/xf8E5M2, shared/' -e '/tile.copy %/d' %s | not tile-opt --lower-tile-copy 2>&1 | FileCheck %s --check-prefix=FLOAT
// CHECK: nvvm.tcgen05.cp
// WIDTH: error: {{.*}} i8 to f16 without the signedness
// FLOAT: tcgen05_cp declined: {{.*}} f8E5M2, {{.*}} f8E4M3FN

!matrix = !tile.buffer<32x16xi8, global>
!source = !tile.buffer<32x16xi8, shared>
!copied = !tile.buffer<32x16xf8E4M3FN, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!tensor = !tile.buffer<128x16xi8, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
!registers = !tile.buffer<128x16xi8, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
!all = !tile.buffer<128x16xi8, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @bits(%A: memref<32x16xi8>, %B: memref<32x16xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x16xi8> to !matrix
    %b = tile.view %B : memref<32x16xi8> to !matrix
    %s = tile.alloc : !source
    %o = tile.alloc : !all
    %r = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %parity = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
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
    tile.copy %a to %s scope(cta) : !matrix to !source
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    scf.if %is_thread_0 {
      nvvm.tcgen05.fence <after>
      tile.copy_async %s to %c scope(thread) : !source to !copied
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
    tile.copy %o[0, 0] [32, 16] to %b scope(cta) : !all to !matrix
    gpu.barrier
    scf.if %is_warp_0 {
      %pointer = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %pointer, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
