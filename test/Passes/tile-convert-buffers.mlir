// Tiles that control flow and functions forward become pointers and numbers.
// RUN: tile-opt %s --tile-convert-buffers --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @select
gpu.module @choice {
  gpu.func @select(%c: i1, %i: index) -> !tile.buffer<32x32xf32, shared> {
    %s = tile.alloc : !tile.buffer<2x32x32xf32, shared>
    // CHECK-DAG: %[[P:.*]] = tile.parts %{{.*}} : !tile.buffer<1x32x32xf32, shared> to !llvm.ptr<3>
    %p = tile.subview %s[0, 0, 0] [1, 32, 32] : !tile.buffer<2x32x32xf32, shared> to !tile.buffer<1x32x32xf32, shared>
    // CHECK-DAG: %[[Q:.*]] = tile.parts %{{.*}} : !tile.buffer<1x32x32xf32, shared> to !llvm.ptr<3>
    %q = tile.subview %s[%i, 0, 0] [1, 32, 32] : !tile.buffer<2x32x32xf32, shared> to !tile.buffer<1x32x32xf32, shared>
    // CHECK: %[[R:.*]] = arith.select %{{.*}}, %[[P]], %[[Q]] : !llvm.ptr<3>
    // CHECK: %[[X:.*]] = tile.view %[[R]] : !llvm.ptr<3> to !tile.buffer<1x32x32xf32, shared>
    %x = arith.select %c, %p, %q : !tile.buffer<1x32x32xf32, shared>
    // CHECK: %[[Y:.*]] = tile.reshape %[[X]]
    %y = tile.reshape %x : !tile.buffer<1x32x32xf32, shared> to !tile.buffer<32x32xf32, shared>
    // CHECK: %[[Z:.*]] = tile.parts %[[Y]]
    // CHECK: gpu.return %[[Z]] : !llvm.ptr<3>
    gpu.return %y : !tile.buffer<32x32xf32, shared>
  }
}

// -----

!open = !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>

// The attributes of a tile argument become those of its pointer; extents and strides follow the pointer.
// CHECK-LABEL: func.func @function(
// CHECK-SAME: %{{.*}}: !llvm.ptr<1> {llvm.align = 64 : i64}, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: i32) -> (!llvm.ptr<1>, index, index, index)
func.func @function(%a: !open {llvm.align = 64 : i64}, %n: i32) -> !open {
  return %a : !open
}

// CHECK-LABEL: func.func @caller(
func.func @caller(%p: !llvm.ptr<1>, %m: index, %n: index, %ld: index, %k: i32) -> index {
  %a = tile.view %p extents(%m, %n) strides(%ld) : !llvm.ptr<1> to !open
  // CHECK: call @function(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr<1>, index, index, index, i32) -> (!llvm.ptr<1>, index, index, index)
  %b = func.call @function(%a, %k) : (!open, i32) -> !open
  %pointer, %e0, %e1, %s0 = tile.parts %b : !open to !llvm.ptr<1>, index, index, index
  return %s0 : index
}

// -----

// If only one tile can be forwarded, uses are replaced by that tile.
// CHECK-LABEL: gpu.func @same
gpu.module @one {
  gpu.func @same(%c: i1, %A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel {
    // CHECK: %[[A:.*]] = tile.view %{{.*}} : memref<32x32xf32>
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %x = scf.if %c -> !tile.buffer<32x32xf32, global> {
      scf.yield %a : !tile.buffer<32x32xf32, global>
    } else {
      scf.yield %a : !tile.buffer<32x32xf32, global>
    }
    // CHECK: tile.copy %[[A]] to
    tile.copy %x to %b scope(thread) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, global>
    gpu.return
  }
}
