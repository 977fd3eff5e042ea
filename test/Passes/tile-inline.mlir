// Calls in kernels become the bodies of their callees; private functions that nothing calls any more are erased.
// RUN: tile-opt %s --tile-inline | FileCheck %s --implicit-check-not=func.call
// RUN: tile-opt %s --tile-inline --remarks-filter-passed=tile-copy --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(tile-inline))' -o %t.nested.mlir
// RUN: tile-opt %t.nested.mlir --tile-inline | FileCheck %s

// REMARK: tile-inline.mlir:[[# @LINE+31]]:{{.*}}: remark: [Passed] inlined | Category:tile-copy | Function=tiles | Callee=load,

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!rows = !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-NOT: @load
  // CHECK-NOT: @through
  func.func private @load(%a: !global, %r: !rows) -> (!shared, !rows) attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.barrier
    func.call @through(%s, %r) : (!shared, !rows) -> ()
    return %s, %r : !shared, !rows
  }
  func.func private @through(%s: !shared, %r: !rows) {
    tile.copy %s to %r scope(warp) : !shared to !rows
    return
  }

  // CHECK-LABEL: gpu.func @tiles
  gpu.func @tiles(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    // CHECK: %[[R:.*]] = tile.alloc : {{.*}} local
    %r = tile.alloc : !rows
    // CHECK: %[[S:.*]] = tile.alloc : {{.*}} shared
    // CHECK: tile.copy {{.*}} to %[[S]] scope(cta)
    // CHECK: gpu.barrier
    // CHECK: tile.copy %[[S]] to %[[R]] scope(warp)
    %s, %same = func.call @load(%a, %r) : (!global, !rows) -> (!shared, !rows)
    // CHECK: tile.copy %[[R]] to
    tile.copy %same to %b scope(warp) : !rows to !global
    gpu.return
  }

  // Several blocks fit where the call is in the kernel's own region.
  func.func private @choose(%c: i1, %m: memref<32x32xf32>) {
    cf.cond_br %c, ^store, ^end
  ^store:
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    memref.store %zero, %m[%c0, %c0] : memref<32x32xf32>
    cf.br ^end
  ^end:
    return
  }
  // CHECK-LABEL: gpu.func @branches
  // CHECK: cf.cond_br
  gpu.func @branches(%A: memref<32x32xf32>, %c: i1) kernel {
    func.call @choose(%c, %A) : (i1, memref<32x32xf32>) -> ()
    gpu.return
  }

  // What an argument promises is kept, where the operand does not promise it yet, and no more: an offset is no multiple.
  func.func private @aligned(%p: memref<4xf32> {llvm.align = 64 : i64}, %q: memref<4xf32> {llvm.align = 8 : i64},
                             %open: memref<4xf32, strided<[1], offset: ?>> {llvm.align = 64 : i64},
                             %behind: memref<4xf32, strided<[1], offset: 4>> {llvm.align = 64 : i64}) {
    %c0 = arith.constant 0 : index
    %x = memref.load %p[%c0] : memref<4xf32>
    %y = memref.load %q[%c0] : memref<4xf32>
    %z = memref.load %open[%c0] : memref<4xf32, strided<[1], offset: ?>>
    memref.store %x, %behind[%c0] : memref<4xf32, strided<[1], offset: 4>>
    return
  }
  // CHECK-LABEL: gpu.func @alignment
  // CHECK-SAME: (%[[A:[a-z0-9]*]]: memref<4xf32> {llvm.align = 256 : i64}, %{{.*}}: memref<4xf32> {llvm.align = 16 : i64}
  gpu.func @alignment(%A: memref<4xf32>, %B: memref<4xf32> {llvm.align = 16 : i64},
                      %C: memref<8xf32, strided<[1], offset: ?>>) kernel {
    // CHECK: %[[P:.*]] = memref.assume_alignment %{{.*}}, 64 : memref<4xf32>
    // CHECK-NEXT: %[[D:.*]] = memref.assume_alignment %{{.*}}, 16 : memref<4xf32, strided<[1], offset: 4>>
    // CHECK: memref.load %[[P]]
    // CHECK: memref.load %[[A]]
    // CHECK: memref.store %{{.*}}, %[[D]]
    %d = memref.reinterpret_cast %A to offset: [4], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
    %e = memref.cast %d : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32, strided<[1], offset: ?>>
    %f = memref.subview %C[1] [4] [1] : memref<8xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
    %g = memref.cast %f : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: 4>>
    func.call @aligned(%B, %A, %e, %g) : (memref<4xf32>, memref<4xf32>, memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: 4>>) -> ()
    gpu.return
  }

  // A private array of a callee is allocated once, not in each iteration.
  func.func private @private(%i: index) -> f32 {
    %m = memref.alloca() : memref<4xf32>
    %x = memref.load %m[%i] : memref<4xf32>
    return %x : f32
  }
  // CHECK-LABEL: gpu.func @loop
  // CHECK-NEXT: memref.alloca
  // CHECK: scf.for
  // CHECK-NEXT: memref.load
  gpu.func @loop(%A: memref<16xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = func.call @private(%i) : (index) -> f32
      memref.store %x, %A[%i] : memref<16xf32>
    }
    gpu.return
  }

  // An affine loop of the callee is one of scf, which may be anywhere, also where a map's operand is none of the affine dialect.
  func.func private @affine(%n: index, %m: memref<16xf32>) {
    %zero = arith.constant 0.0 : f32
    %last = affine.apply affine_map<()[n] -> (n - 1)>()[%n]
    affine.for %i = 0 to %n {
      affine.store %zero, %m[symbol(%last) - %i] : memref<16xf32>
    }
    return
  }
  // CHECK-LABEL: gpu.func @nested
  // CHECK: scf.if
  // CHECK: affine.apply
  // CHECK: scf.for
  // CHECK: memref.store
  // CHECK: scf.for
  // CHECK: affine.apply
  // CHECK: scf.for
  gpu.func @nested(%A: memref<16xf32>, %n: index, %c: i1) kernel {
    scf.if %c {
      func.call @affine(%n, %A) : (index, memref<16xf32>) -> ()
    }
    affine.for %i = 0 to 4 {
      func.call @affine(%i, %A) : (index, memref<16xf32>) -> ()
    }
    gpu.return
  }

  // Erased, though never called.
  // CHECK-NOT: @idle
  func.func private @idle(%r: !rows) {
    return
  }
  // Public, but nothing can call it.
  // CHECK-NOT: @registers
  func.func @registers(%r: !rows) {
    return
  }
  // CHECK-LABEL: gpu.func @calls_registers
  gpu.func @calls_registers() kernel {
    %r = tile.alloc : !rows
    func.call @registers(%r) : (!rows) -> ()
    gpu.return
  }
  // Public, and stays.
  // CHECK: func.func @public
  func.func @public() {
    return
  }
}

// A launch calls functions of the module around it, from its body or from regions in it. The host's calls stay.
// CHECK: func.func private @host_only
func.func private @host_only() {
  return
}
// CHECK-NOT: @of_launch
func.func private @of_launch(%m: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  memref.store %zero, %m[%c0, %c0] : memref<32x32xf32>
  return
}
// CHECK-LABEL: func.func @host
func.func @host(%A: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  // CHECK: {{^ *}}call @host_only
  func.call @host_only() : () -> ()
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c1, %by = %c1, %bz = %c1) {
    // CHECK: memref.store
    func.call @of_launch(%A) : (memref<32x32xf32>) -> ()
    // CHECK: scf.for
    // CHECK: memref.store
    scf.for %i = %c1 to %bx step %c1 {
      func.call @of_launch(%A) : (memref<32x32xf32>) -> ()
    }
    gpu.terminator
  }
  return
}
