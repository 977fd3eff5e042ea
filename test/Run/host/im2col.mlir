// A launch of a kernel that walks through pixels of images: the host encodes the map of them before it, from a memref whose extents
// it knows only at run time. The pixels of a filter of 3x3 are those that a loop on the host finds.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t.mlir
// RUN: mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// CHECK: {{^}}0{{$}}

// HOST: llvm.func @tileEncodeIm2colMap(!llvm.ptr, !llvm.ptr, !llvm.ptr)
// HOST-NOT: @tileEncodeTensorMap
// HOST: llvm.call @tileEncodeIm2colMap
// HOST: gpu.launch_func {{.*}}@kernels::@copy

!shared = !tile.buffer<32x8xi32, shared>
!global = !tile.buffer<?x?x?x8xi32, global>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @copy(%A: memref<?x?x?x8xi32>, %B: memref<9x40x8xi32>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c32 = arith.constant 32 : index
      %one = arith.constant 1 : i32
      %phase = arith.constant 0 : i32
      %zero = arith.constant 0 : i32
      %true = arith.constant true
      %a = tile.view %A : memref<?x?x?x8xi32>
      %b = tile.view %B : memref<9x40x8xi32>
      %s = tile.alloc : !shared
      %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
      %address = arith.index_cast %index : index to i64
      %barrier = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      %thread = gpu.thread_id x
      %first = arith.cmpi eq, %thread, %c0 : index
      scf.if %first {
        nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
      %height = memref.dim %A, %c1 : memref<?x?x?x8xi32>
      %width = memref.dim %A, %c2 : memref<?x?x?x8xi32>
      %block = gpu.block_id x
      %tap = gpu.block_id y
      %r = arith.divui %tap, %c3 : index
      %q = arith.remui %tap, %c3 : index
      %from = arith.muli %block, %c32 : index
      %row = arith.divui %from, %width : index
      %x = arith.remui %from, %width : index
      %n = arith.divui %row, %height : index
      %y = arith.remui %row, %height : index
      %w = arith.subi %x, %c1 : index
      %h = arith.subi %y, %c1 : index
      tile.copy_async %a[%n, %h, %w, 0] [1, 1, 32, 8] to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>)
        im2col [-1, -1] to [-1, -1] filter(%r, %q) masked fill(%zero : i32) : !global to !shared
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy %s to %b[%tap, %from, 0] [1, 32, 8] scope(cta) masked : !shared to !tile.buffer<9x40x8xi32, global>
      gpu.return
    }
  }

  // Two images of 4x5 pixels.
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %c40 = arith.constant 40 : index
    %c64 = arith.constant 64 : index
    %none = arith.constant 0 : i32
    %A = memref.alloc(%c2, %c4, %c5) : memref<?x?x?x8xi32>
    %B = memref.alloc() : memref<9x40x8xi32>
    scf.for %p = %c0 to %c40 step %c1 {
      scf.for %c = %c0 to %c8 step %c1 {
        %x = arith.remui %p, %c5 : index
        %rows = arith.divui %p, %c5 : index
        %y = arith.remui %rows, %c4 : index
        %n = arith.divui %rows, %c4 : index
        %ten = arith.muli %p, %c9 : index
        %number = arith.addi %ten, %c : index
        %value = arith.index_cast %number : index to i32
        memref.store %value, %A[%n, %y, %x, %c] : memref<?x?x?x8xi32>
      }
    }
    %a = gpu.alloc (%c2, %c4, %c5) : memref<?x?x?x8xi32>
    %b = gpu.alloc () : memref<9x40x8xi32>
    gpu.memcpy %a, %A : memref<?x?x?x8xi32>, memref<?x?x?x8xi32>
    gpu.launch_func @kernels::@copy blocks in (%c2, %c9, %c1) threads in (%c64, %c1, %c1)
      args(%a : memref<?x?x?x8xi32>, %b : memref<9x40x8xi32>)
    gpu.memcpy %B, %b : memref<9x40x8xi32>, memref<9x40x8xi32>
    %wrong = scf.for %tap = %c0 to %c9 step %c1 iter_args(%of_taps = %none) -> (i32) {
      %of_pixels = scf.for %p = %c0 to %c40 step %c1 iter_args(%before = %of_taps) -> (i32) {
        %x = arith.remui %p, %c5 : index
        %rows = arith.divui %p, %c5 : index
        %y = arith.remui %rows, %c4 : index
        %n = arith.divui %rows, %c4 : index
        %r = arith.divui %tap, %c3 : index
        %q = arith.remui %tap, %c3 : index
        %right = arith.addi %x, %q : index
        %down = arith.addi %y, %r : index
        %w = arith.subi %right, %c1 : index
        %h = arith.subi %down, %c1 : index
        %in_row = arith.cmpi ult, %w, %c5 : index
        %in_column = arith.cmpi ult, %h, %c4 : index
        %inside = arith.andi %in_row, %in_column : i1
        %expected = scf.if %inside -> (i32) {
          %there = memref.load %A[%n, %h, %w, %c3] : memref<?x?x?x8xi32>
          scf.yield %there : i32
        } else {
          scf.yield %none : i32
        }
        %got = memref.load %B[%tap, %p, %c3] : memref<9x40x8xi32>
        %differs = arith.cmpi ne, %got, %expected : i32
        %more = arith.extui %differs : i1 to i32
        %sum = arith.addi %before, %more : i32
        scf.yield %sum : i32
      }
      scf.yield %of_pixels : i32
    }
    return %wrong : i32
  }
}
