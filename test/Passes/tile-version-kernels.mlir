// Kernels become versions by the promises that their copies want of arguments.
// RUN: tile-opt %s --tile-version-kernels -o %t.mlir --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tile-opt %s --tile-version-kernels=promises=1 2>/dev/null | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --tile-version-kernels=promises=1 -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: tile-opt %s --tile-build='auto-versions=4 lower=false' | FileCheck %s --check-prefix=BUILT

!matrix = !tile.buffer<?x?xf16, global>
!regs = !tile.buffer<1x512xf16, local, #tile.layout<(64, 8) : (1@tx, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // One promise of each argument, in the order of the copies.
  // CHECK-LABEL: gpu.func @copy(
  // CHECK-SAME:      %[[A:.*]]: memref<?x?xf16> {{.*}}, %[[B:.*]]: memref<?x?xf16>
  // CHECK-NEXT:    tile.version %[[A]] divisible_by 8, %[[B]] divisible_by 8 : memref<?x?xf16>, memref<?x?xf16> {
  // CHECK-NEXT:      tile.view
  // CHECK:           tile.copy
  // CHECK:           tile.copy
  // CHECK-NEXT:    }
  // CHECK-NEXT:    gpu.return
  // ONE-LABEL:   gpu.func @copy(
  // ONE-SAME:        %[[A:[^:]*]]: memref
  // ONE-NEXT:      tile.version %[[A]] divisible_by 8 : memref<?x?xf16> {
  // BUILT-LABEL: gpu.func @copy(
  // BUILT:         scf.if
  // BUILT:         } else {
  // REMARK: remark: [Passed] kernel-versioned | {{.*}}Function=copy | Remark="the kernel is a version", Version="tile.version %arg0 divisible_by 8, %arg1 divisible_by 8 : memref<?x?xf16>, memref<?x?xf16> {"
  // LIMIT: :[[@LINE+7]]:5: remark: [Missed] version-limit | {{.*}}Function=copy | Reason="2 promises in all, expected at most 1", Remark="no version of the kernel for this copy"
  gpu.func @copy(%A: memref<?x?xf16>, %B: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16>
    %b = tile.view %B : memref<?x?xf16>
    %r = tile.alloc : !regs
    %row = gpu.block_id x
    tile.copy %a[%row, 0] [1, 512] to %r scope(cta) masked : !matrix to !regs
    tile.copy %r to %b[%row, 0] [1, 512] scope(cta) masked : !regs to !matrix
    gpu.return
  }

  // Of numbers that are computed from arguments, those that are multiples where the argument is.
  // CHECK-LABEL: gpu.func @cast(
  // CHECK-SAME:      %[[N:[^:]*]]: i32
  // CHECK-NEXT:    tile.version %[[N]] divisible_by 8 : i32 {
  gpu.func @cast(%A: memref<?xf16>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %ld = arith.index_cast %n : i32 to index
    %a = tile.view %A extents(%ld, %ld) strides(%ld) : memref<?xf16> to !matrix
    %r = tile.alloc : !regs
    %row = gpu.block_id x
    tile.copy %a[%row, 0] [1, 512] to %r scope(cta) : !matrix to !regs
    gpu.return
  }

  // Nothing where the kernel loads what it would have to be promised, has versions, several blocks, or wants nothing.
  // CHECK-LABEL: gpu.func @loaded(
  // CHECK-NOT:     tile.version
  // CHECK-LABEL: gpu.func @own(
  // CHECK:         tile.version {{.*}} divisible_by 2
  // CHECK-NOT:     tile.version
  // CHECK-LABEL: gpu.func @blocks(
  // CHECK-NOT:     tile.version
  // CHECK-LABEL: gpu.func @wide(
  // CHECK-NOT:     tile.version
  gpu.func @loaded(%A: memref<?xf16>, %L: memref<1xindex>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %ld = memref.load %L[%c0] : memref<1xindex>
    %a = tile.view %A extents(%ld, %ld) strides(%ld) : memref<?xf16> to !matrix
    %r = tile.alloc : !regs
    %row = gpu.block_id x
    tile.copy %a[%row, 0] [1, 512] to %r scope(cta) : !matrix to !regs
    gpu.return
  }
  gpu.func @own(%A: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16>
    %r = tile.alloc : !regs
    tile.version %A divisible_by 2 : memref<?x?xf16> {
      tile.copy %a[0, 0] [1, 512] to %r scope(cta) masked : !matrix to !regs
    }
    gpu.return
  }
  gpu.func @blocks(%A: memref<?x?xf16>, %c: i1) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16>
    %r = tile.alloc : !regs
    cf.cond_br %c, ^copy, ^end
  ^copy:
    tile.copy %a[0, 0] [1, 512] to %r scope(cta) masked : !matrix to !regs
    cf.br ^end
  ^end:
    gpu.return
  }
  gpu.func @wide(%A: memref<?x512xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x512xf16>
    %r = tile.alloc : !regs
    tile.copy %a[0, 0] [1, 512] to %r scope(cta) : !tile.buffer<?x512xf16, global> to !regs
    gpu.return
  }
}

// A launch is a kernel in place: what it captures is its arguments.
// CHECK-LABEL: func.func @launch(
// CHECK:         gpu.launch
// CHECK-NEXT:      tile.version %{{.*}} divisible_by 8 : memref<?x?xf16> {
// CHECK:           gpu.terminator
func.func @launch(%A: memref<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tile.view %A : memref<?x?xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c64, %by = %c1, %bz = %c1) {
    %r = tile.alloc : !regs
    tile.copy %a[%x, 0] [1, 512] to %r scope(cta) masked : !matrix to !regs
    gpu.terminator
  }
  return
}
