// Both copies of a version's region, executed: promises about rows, an address and a number, none of which is ever broken.
// RUN: split-file %s %t

// Through shared memory that both copies share. Its accesses are ordered in both copies, where barriers are inserted.
// RUN: tile-run %t/shared.mlir --grid 2,2 --arg f32[36x40]=random --arg f32[40x36]=poison --schedule=all --write 0=%t/a.npy --write 1=%t/b.npy | FileCheck %s --check-prefix=FOUR
// RUN: tile-run %t/shared.mlir --grid 2,2 --arg f32[40x36]=%t/b.npy --arg f32[36x40]=poison --schedule=all --expect 1=%t/a.npy | FileCheck %s --check-prefix=FOUR
// RUN: tile-run %t/shared.mlir --grid 2,2 --arg f32[33x38]=random --arg f32[38x33]=poison --schedule=all --write 0=%t/c.npy --write 1=%t/d.npy | FileCheck %s --check-prefix=SINGLE
// RUN: tile-run %t/shared.mlir --grid 2,2 --arg f32[38x33]=%t/d.npy --arg f32[33x38]=poison --schedule=all --expect 1=%t/c.npy | FileCheck %s --check-prefix=SINGLE
// FOUR:      {{^}}ld.global.nc.v4.b32
// FOUR-NEXT: {{^}}ld.shared.b32
// FOUR-NEXT: {{^}}st.global.b32
// FOUR-NEXT: {{^}}st.shared.v4.b32
// SINGLE:       {{^}}ld.global.nc.b32
// SINGLE-NEXT:  {{^}}ld.shared.b32
// SINGLE-NEXT:  {{^}}st.global.b32
// SINGLE-NEXT:  {{^}}st.shared.b32
// RUN: tile-opt --tile-build=lower=false %t/shared.mlir | FileCheck %s --check-prefix=ORDERED
// ORDERED:     tile.alloc
// ORDERED-NOT: tile.alloc
// ORDERED:     scf.if
// ORDERED:       gpu.barrier
// ORDERED:     } else {
// ORDERED:       gpu.barrier
// RUN: tile-opt --tile-expand-versions --tile-insert-sync %t/shared.mlir -o %t/ordered.mlir
// RUN: tile-opt --tile-check-sync %t/ordered.mlir -o /dev/null
// RUN: not tile-opt --tile-check-sync %t/shared.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNORDERED
// UNORDERED: reads shared memory that an earlier operation writes, and nothing orders the two

// The memory starts where the launch says.
// RUN: tile-run %t/address.mlir --arg f32[256]=random --arg f32[64]=poison --arg i64=0 --schedule=all | FileCheck %s --check-prefix=WIDE
// RUN: tile-run %t/address.mlir --arg f32[256]=random --arg f32[64]=poison --arg i64=4 --schedule=all | FileCheck %s --check-prefix=WIDE
// RUN: tile-run %t/address.mlir --arg f32[256]=random --arg f32[64]=poison --arg i64=6 --schedule=all | FileCheck %s --check-prefix=ONE
// RUN: tile-run %t/address.mlir --arg f32[256]=random --arg f32[64]=poison --arg i64=1 --schedule=all | FileCheck %s --check-prefix=ONE
// WIDE:      {{^}}ld.global{{(.nc)?}}.v4.b32 1
// ONE:       {{^}}ld.global{{(.nc)?}}.b32 4

// A result, in a promise about a number that is no power of two.
// RUN: tile-run %t/result.mlir --arg i32=9 --arg i32[1]=poison --print 1 | FileCheck %s --check-prefix=NINE
// RUN: tile-run %t/result.mlir --arg i32=10 --arg i32[1]=poison --print 1 | FileCheck %s --check-prefix=TEN
// RUN: tile-run %t/result.mlir --arg i32=-9 --arg i32[1]=poison --print 1 | FileCheck %s --check-prefix=NEGATIVE
// NINE:      argument 1, i32[1]:
// NINE-NEXT: {{^ *}}3{{$}}
// TEN:      argument 1, i32[1]:
// TEN-NEXT: {{^ *}}3{{$}}
// NEGATIVE: argument 1, i32[1]:
// NEGATIVE-NEXT: {{^ *}}-3{{$}}

//--- shared.mlir
!matrix = !tile.buffer<?x?xf32, global>
!rows = !tile.buffer<32x32xf32, shared>
!columns = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @transpose(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf32>
    %b = tile.view %B : memref<?x?xf32>
    %c32 = arith.constant 32 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %column = arith.muli %x, %c32 : index
    %row = arith.muli %y, %c32 : index
    tile.version %A divisible_by 4 : memref<?x?xf32> {
      %s = tile.alloc : !rows
      %t = tile.permute %s [1, 0] : !rows
      tile.copy %a[%row, %column] [32, 32] to %s scope(cta) masked : !matrix to !rows
      tile.copy %t to %b[%column, %row] [32, 32] scope(cta) masked : !columns to !matrix
    }
    gpu.return
  }
}

//--- address.mlir
!line = !tile.buffer<64xf32, global>
!regs = !tile.buffer<64xf32, local, #tile.layout<(16, 4) : (1@tx, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @from(%A: memref<256xf32>, %B: memref<64xf32>, %begin: index) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %part = memref.subview %A[%begin] [64] [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
    %b = tile.view %B : memref<64xf32>
    %r = tile.alloc : !regs
    tile.version %part aligned 16 : memref<64xf32, strided<[1], offset: ?>> {
      %a = tile.view %part : memref<64xf32, strided<[1], offset: ?>>
      tile.copy %a to %r scope(cta) : !line to !regs
    }
    tile.copy %r to %b scope(cta) : !regs to !line
    gpu.return
  }
}

//--- result.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @third(%n: i32, %R: memref<1xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : i32
    %q = tile.version %n divisible_by 3 : i32 -> i32 {
      %q = arith.divsi %n, %c3 : i32
      tile.yield %q : i32
    }
    memref.store %q, %R[%c0] : memref<1xi32>
    gpu.return
  }
}
