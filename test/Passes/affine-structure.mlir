// Loops, branches and accesses of the affine dialect are those of scf, memref and vector before a pass reads a function: a kernel, also one
// of other dialects' ops alone, a function that it calls, the function around a launch, and one that tiles pass through. Others stay.
// RUN: split-file %s %t
// RUN: tile-opt %t/read.mlir --tile-check-sync | FileCheck %s
// RUN: tile-opt %t/read.mlir --tile-choose-layouts | FileCheck %s
// RUN: tile-opt %t/read.mlir --convert-copies-to-tile | FileCheck %s
// RUN: tile-opt %t/read.mlir --tile-convert-buffers | FileCheck %s
// RUN: tile-opt %t/copied.mlir --convert-copies-to-tile | FileCheck %s --check-prefix=COPIED
// RUN: tile-opt %t/called.mlir --tile-inline | FileCheck %s --check-prefix=INLINED

// What the loop around a launch says is known in it.
// RUN: tile-opt %t/read.mlir --tile-check-bounds=strict -o /dev/null
// RUN: sed 's/to 256 step 64/to 257 step 64/' %t/read.mlir | not tile-opt --tile-check-bounds=strict -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: 'tile.copy' op leaves its buffer in dimension 0: the source begins at 256, expected 0 to 192

//--- read.mlir
!all = !tile.buffer<256xf32, global>
!part = !tile.buffer<64xf32, shared>

// CHECK-LABEL: func.func @host
// CHECK: affine.for
// CHECK: affine.store
func.func @host(%A: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    affine.store %zero, %A[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func.func @launches
// CHECK-NOT: affine.for
// CHECK: scf.for
// CHECK: gpu.launch
// CHECK: gpu.terminator
func.func @launches(%A: memref<256xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  affine.for %i = 0 to 256 step 64 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c64, %y = %c1, %z = %c1) {
      %a = tile.view %A : memref<256xf32> to !all
      %s = tile.alloc : !part
      tile.copy %a[%i] [64] to %s scope(cta) : !all to !part
      gpu.terminator
    }
  }
  return
}

// CHECK-LABEL: func.func @handed_on
// CHECK-NOT: affine.if
// CHECK: scf.if
func.func @handed_on(%a: !all, %b: !all, %n: index) -> !all {
  %x = affine.if affine_set<()[n] : (n - 4 >= 0)>()[%n] -> !all {
    affine.yield %a : !all
  } else {
    affine.yield %b : !all
  }
  return %x : !all
}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @upstream
  // CHECK-NOT: affine.for
  // CHECK: scf.for
  // CHECK: affine.apply
  // CHECK-NOT: affine.load
  // CHECK: memref.load
  // CHECK: vector.store
  gpu.func @upstream(%A: memref<64xf32>, %B: memref<256xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    affine.for %i = 0 to 1 {
      %at = affine.apply affine_map<(t) -> (4 * t)>(%t)
      %e = affine.load %A[%t] : memref<64xf32>
      %v = vector.broadcast %e : f32 to vector<4xf32>
      affine.vector_store %v, %B[4 * %t] : memref<256xf32>, vector<4xf32>
      memref.store %e, %B[%at] : memref<256xf32>
    }
    gpu.return
  }
}

//--- copied.mlir
// COPIED: scf.for
// COPIED: tile.copy %{{.*}} to %{{.*}} scope(cta)
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copied(%A: memref<256xf32>, %n: index) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    affine.for %i = 0 to %n {
      affine.if affine_set<()[n] : (n - 2 >= 0)>()[%n] {
        %part = memref.subview %A[0] [64] [1] : memref<256xf32> to memref<64xf32>
        memref.copy %part, %s : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      }
    }
    gpu.return
  }
}

//--- called.mlir
// INLINED-LABEL: func.func private @stays
// INLINED: affine.for
func.func private @stays(%r: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.store %zero, %r[%i] : memref<4xf32>
  }
  return
}

// INLINED-NOT: @clear
func.func private @clear(%r: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.store %zero, %r[%i] : memref<4xf32>
  }
  return
}

// INLINED-LABEL: func.func @calls
// INLINED: gpu.launch
// INLINED: scf.for
// INLINED-NEXT: memref.store
// INLINED: gpu.terminator
func.func @calls(%A: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%x = %c1, %y = %c1, %z = %c1) {
    func.call @clear(%A) : (memref<4xf32>) -> ()
    gpu.terminator
  }
  func.call @stays(%A) : (memref<4xf32>) -> ()
  return
}
