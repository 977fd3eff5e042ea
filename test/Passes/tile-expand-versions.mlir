// A version becomes a branch on its promises; only the copy of the region that relies on them uses what is assumed.
// RUN: tile-opt %s --allow-unregistered-dialect --tile-expand-versions | FileCheck %s
// RUN: tile-opt %s --allow-unregistered-dialect --tile-expand-versions=once | FileCheck %s --check-prefix=ONCE
// RUN: tile-opt %s --allow-unregistered-dialect --tile-expand-versions -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Values that are computed before the region from what is promised are computed again, next to where they are made.
// CHECK-LABEL: gpu.func @derived(
// CHECK-SAME:      %[[N:.*]]: index, %[[A:[^:]*]]: memref<?xf16>
// CHECK-NEXT:    %[[N8:.*]] = tile.assume %[[N]] divisible_by 8 : index
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3
// CHECK-NEXT:    %[[M:.*]] = arith.muli %[[N]], %[[C3]]
// CHECK-NEXT:    %[[M8:.*]] = arith.muli %[[N8]], %[[C3]]
// CHECK-NEXT:    %[[VIEW:.*]] = tile.view %[[A]] extents(%[[M]])
// CHECK-NEXT:    %[[VIEW8:.*]] = tile.view %[[A]] extents(%[[M8]])
// CHECK:         %[[REST:.*]] = arith.remui %[[N]], %{{.*}} : index
// CHECK-NEXT:    %[[HOLDS:.*]] = arith.cmpi eq, %[[REST]],
// CHECK-NEXT:    scf.if %[[HOLDS]] {
// CHECK-NEXT:      tile.copy %[[VIEW8]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      tile.copy %[[VIEW]]
// CHECK-NEXT:    }

// ONCE-LABEL: gpu.func @derived(
// ONCE-NOT:     scf.if
// ONCE-NOT:     tile.assume
// ONCE:         tile.copy

// REMARK: remark: [Passed] versioned | {{.*}}Function=derived | Promises="%arg0 divisible_by 8", Remark="compiled twice: with promises that are tested at run time, and without"
!line = !tile.buffer<?xf16, global>
!regs = !tile.buffer<512xf16, local, #tile.layout<(64, 8) : (1@tx, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @derived(%n: index, %A: memref<?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c3 = arith.constant 3 : index
    %m = arith.muli %n, %c3 : index
    %a = tile.view %A extents(%m) : memref<?xf16> to !line
    %r = tile.alloc : !regs
    tile.version %n divisible_by 8 : index {
      tile.copy %a[0] [512] to %r scope(cta) masked : !line to !regs
    }
    gpu.return
  }
}

// What is tested of a memref without layout is its fastest extent, else each run-time number; of addresses, their low bits.
// CHECK-LABEL: func.func @tests(
// CHECK:         %[[C1:.*]] = arith.constant 1 : index
// CHECK:         memref.dim %[[A:.*]], %[[C1]]
// CHECK-NOT:     memref.extract_strided_metadata %[[A]]
// CHECK:         %{{.*}}, %[[O:.*]], %{{.*}}:2, %[[S:.*]]:2 = memref.extract_strided_metadata %[[B:.*]] :
// CHECK:         memref.dim %[[B]]
// CHECK:         %[[WHERE:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         memref.extract_strided_metadata %[[B]]
// CHECK:         %[[BYTES:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK:         arith.addi %[[WHERE]], %[[BYTES]]
// CHECK:         %[[P:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
// CHECK:         arith.remui %[[P]], %{{.*}} : i64
// Where the divisor is no power of two, the promise is about signed and unsigned numbers.
// CHECK-LABEL: func.func @thirds(
// CHECK:         arith.remui %{{.*}} : i32
// CHECK:         arith.remsi %{{.*}} : i32
func.func @tests(%A: memref<?x?xf16>, %B: memref<?x?xf16, strided<[?, 1], offset: ?>>, %p: !llvm.ptr<1>) {
  tile.version %A divisible_by 8, %B divisible_by 8, %B aligned 16, %p aligned 32
      : memref<?x?xf16>, memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf16, strided<[?, 1], offset: ?>>, !llvm.ptr<1> {
    "test.use"(%A, %B, %p) : (memref<?x?xf16>, memref<?x?xf16, strided<[?, 1], offset: ?>>, !llvm.ptr<1>) -> ()
  }
  return
}
func.func @thirds(%n: i32) {
  tile.version %n divisible_by 3 : i32 {
    "test.use"(%n) : (i32) -> ()
  }
  return
}

// What is known is not tested; where everything is, one copy of the region is left.
// CHECK-LABEL: func.func @known(
// CHECK-NOT:     scf.if
// CHECK:         "test.use"
func.func @known(%n: index, %A: memref<?x64xf16>) {
  %c16 = arith.constant 16 : index
  %m = arith.muli %n, %c16 : index
  tile.version %m divisible_by 8, %A aligned 2 : index, memref<?x64xf16> {
    "test.use"(%m, %A) : (index, memref<?x64xf16>) -> ()
  }
  return
}

// A version in a version is in both copies; in one of them its promise is known.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:      %[[N:.*]]: index, %[[K:.*]]: index)
// CHECK:         %[[N8:.*]] = tile.assume %[[N]] divisible_by 8
// CHECK:         scf.if
// CHECK-NEXT:      "test.use"(%[[N8]])
// CHECK-NEXT:    } else {
// CHECK:           scf.if
// CHECK-NEXT:        "test.use"(%{{.*}})
// CHECK-NEXT:      } else {
// CHECK-NEXT:        "test.use"(%[[N]])
func.func @nested(%n: index, %k: index) {
  tile.version %n divisible_by 8 : index {
    tile.version %n divisible_by 4 : index {
      "test.use"(%n) : (index) -> ()
    }
  }
  return
}

// Results, and values in regions inside.
// CHECK-LABEL: func.func @results(
// CHECK-SAME:      %[[N:.*]]: index, %[[X:.*]]: f32)
// CHECK:         %[[N2:.*]] = tile.assume %[[N]] divisible_by 2
// CHECK:         %[[R:.*]]:2 = scf.if %{{.*}} -> (index, f32) {
// CHECK:           %[[F:.*]] = scf.for %{{.*}} to %[[N2]]
// CHECK:             arith.index_cast %[[N2]]
// CHECK:           scf.yield %[[N2]], %[[F]]
// CHECK:         } else {
// CHECK:           scf.for %{{.*}} to %[[N]]
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @results(%n: index, %x: f32) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = tile.version %n divisible_by 2 : index -> index, f32 {
    %f = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
      %k = arith.index_cast %n : index to i32
      %y = arith.sitofp %k : i32 to f32
      %z = arith.addf %a, %y : f32
      scf.yield %z : f32
    }
    tile.yield %n, %f : index, f32
  }
  return %r#0, %r#1 : index, f32
}

// Both copies have the same shared memory, and registers of their own.
// CHECK-LABEL: gpu.func @shared(
// CHECK:         %[[TILE:.*]] = tile.alloc : !tile.buffer<64xf32, shared>
// CHECK-NOT:     !tile.buffer<64xf32, shared>
// CHECK:         scf.if
// CHECK:           tile.alloc : !tile.buffer<64xf32, local
// CHECK:           tile.copy %{{.*}} to %[[TILE]]
// CHECK:         } else {
// CHECK:           tile.alloc : !tile.buffer<64xf32, local
// CHECK:           tile.copy %{{.*}} to %[[TILE]]
gpu.module @shared [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shared(%n: index, %A: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64xf32>
    tile.version %n divisible_by 8 : index {
      %s = tile.alloc : !tile.buffer<64xf32, shared>
      %r = tile.alloc : !tile.buffer<64xf32, local, #tile.layout<(64) : (1@tx)>>
      tile.copy %a to %s scope(cta) : !tile.buffer<64xf32, global> to !tile.buffer<64xf32, shared>
      tile.copy %a to %r scope(cta)
        : !tile.buffer<64xf32, global> to !tile.buffer<64xf32, local, #tile.layout<(64) : (1@tx)>>
      "test.use"(%n) : (index) -> ()
    }
    gpu.return
  }
}

// In a launch, what is made outside of it is made again inside.
// CHECK-LABEL: func.func @launch(
// CHECK:         gpu.launch
// CHECK-NEXT:      %[[A8:.*]] = tile.assume %{{.*}} divisible_by 8 : memref<?x?xf16>
// CHECK-NEXT:      %[[N8:.*]] = memref.dim %[[A8]]
// CHECK:           scf.if
// CHECK-NEXT:        "test.use"(%[[N8]])
func.func @launch(%A: memref<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %A, %c1 : memref<?x?xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c64, %by = %c1, %bz = %c1) {
    tile.version %A divisible_by 8 : memref<?x?xf16> {
      "test.use"(%n) : (index) -> ()
    }
    gpu.terminator
  }
  return
}

// What gives another number each time is not computed again.
// CHECK-LABEL: func.func @distinct(
// CHECK:         tile.assume %{{.*}} distinct(cta)
// CHECK-NOT:     distinct(cta)
func.func @distinct(%n: index) {
  %own = tile.assume %n distinct(cta) : index
  tile.version %n divisible_by 8 : index {
    "test.use"(%n, %own) : (index, index) -> ()
  }
  return
}

// -----

// The extent of a memref's fastest dimension is what its rows are multiples of: the promise reaches tiles that view the memref.
!m = !tile.buffer<?x?xf32, global>
!r = !tile.buffer<1x512xf32, local, #tile.layout<(128, 4) : (1@tx, 1)>>
// CHECK-LABEL: gpu.func @of_rows
// CHECK: %[[ROWS:.*]] = tile.assume %{{.*}} divisible_by 4 : memref<?x?xf32>
// CHECK: scf.if
// CHECK: tile.view %[[ROWS]]
// CHECK: else
// CHECK-NOT: %[[ROWS]]
gpu.module @rows [#nvvm.target<chip = "sm_80">] {
  gpu.func @of_rows(%X: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %n = memref.dim %X, %c1 : memref<?x?xf32>
    %r = tile.alloc : !r
    %row = gpu.block_id x
    tile.version %n divisible_by 4 : index {
      %x = tile.view %X : memref<?x?xf32>
      tile.copy %x[%row, 0] [1, 512] to %r scope(cta) : !m to !r
    }
    gpu.return
  }
}
