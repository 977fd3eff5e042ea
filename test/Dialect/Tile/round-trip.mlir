// Every op, type and attribute form, as text, as generic text, and as bytecode.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null

!global = !tile.buffer<32x32xf32, global>
!padded = !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (48, 1)>>
!swizzled = !tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!outer = !tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1) + 64, swizzle<base = 3, bits = 3, shift = 3, outer>>>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
!twice = !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)>>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

// CHECK-LABEL: func.func @types(
// CHECK-SAME: !tile.buffer<32x32xf32, global>
// CHECK-SAME: !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (48, 1)>>
// CHECK-SAME: !tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
// CHECK-SAME: !tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1) + 64, swizzle<base = 3, bits = 3, shift = 3, outer>>>
// CHECK-SAME: !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)>>
// CHECK-SAME: !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
func.func @types(%a: !global, %b: !padded, %c: !swizzled, %d: !outer, %e: !twice, %f: !tensor) {
  return
}

// A row-major layout is not printed; nested tuples are read colexicographically, as in CuTe.
// CHECK-LABEL: func.func @layouts(
// CHECK-SAME: !tile.buffer<4x4xf32, global>
// CHECK-SAME: #tile.layout<(2, 2, 3) : (2, 24, 8)>
// CHECK-SAME: #tile.layout<(4, 2, 8) : (1@warpid, 16@laneid, 2@laneid) + 1@laneid>
func.func @layouts(%a: !tile.buffer<4x4xf32, global, #tile.layout<(4, 4) : (4, 1)>>,
                   %b: !tile.buffer<4x3xf32, global, #tile.layout<((2, 2), 3) : ((24, 2), 8)>>,
                   %c: !tile.buffer<64xf32, local, #tile.layout<(4, 2, 8) : (1@warpid, 16@laneid, 2@laneid) + 1@laneid>>) {
  return
}

// CHECK-LABEL: func.func @ops
func.func @ops(%A: memref<32x32xf32>, %P: memref<32x32xf32, strided<[48, 1]>>, %F: memref<2048xf32>, %i: index) {
  // CHECK: tile.view %{{.*}} : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
  %a = tile.view %A : memref<32x32xf32> to !global
  // CHECK: tile.view %{{.*}} : memref<32x32xf32, strided<[48, 1]>> to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (48, 1)>>
  %p = tile.view %P : memref<32x32xf32, strided<[48, 1]>> to !padded
  // CHECK: tile.view %{{.*}} : memref<2048xf32> to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (48, 1)>>
  %f = tile.view %F : memref<2048xf32> to !padded
  // CHECK: tile.alloc {alignment = 128 : i64} : !tile.buffer<32x32xf32, shared>
  %s = tile.alloc {alignment = 128 : i64} : !tile.buffer<32x32xf32, shared>
  // CHECK: tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  %r = tile.alloc : !rows
  // CHECK: tile.local_view %{{.*}} : !tile.buffer<32x8xf32, local, {{.*}}> to memref<8xf32>
  %m = tile.local_view %r : !rows to memref<8xf32>
  // CHECK: %[[O:.*]] = tile.assume %{{.*}} divisible_by 8 : index
  %o = tile.assume %i divisible_by 8 : index
  // CHECK: tile.assume %{{.*}} uniform(warp) : index
  %u = tile.assume %i uniform(warp) : index
  // CHECK: tile.assume %{{.*}} divisible_by 4 uniform(cta) : index
  %both = tile.assume %i divisible_by 4 uniform(cta) : index
  // CHECK: tile.assume %{{.*}} uniform(warp) distinct(cta) : index
  %own = tile.assume %i uniform(warp) distinct(cta) : index
  // CHECK: tile.assume %{{.*}} uniform(warpgroup) : memref<32x32xf32>
  %U = tile.assume %A uniform(warpgroup) : memref<32x32xf32>
  // CHECK: tile.copy %{{.*}} to %{{.*}} scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
  tile.copy %a to %s scope(warp) : !global to !tile.buffer<32x32xf32, shared>
  // CHECK: tile.copy %{{.*}}[%[[O]], 4] [16, 8] to %{{.*}}[0, %[[O]]] [16, 8] scope(cta) : {{.*}}
  tile.copy %a[%o, 4] [16, 8] to %s[0, %o] [16, 8] scope(cta) : !global to !tile.buffer<32x32xf32, shared>
  // CHECK: tile.copy %{{.*}} to %{{.*}} scope(thread) {cache = "nc", variant = "vec_128b"} : {{.*}}
  tile.copy %a to %s scope(thread) {variant = "vec_128b", cache = "nc"} : !global to !tile.buffer<32x32xf32, shared>
  %h = tile.alloc : !tile.buffer<32x32xf16, shared>
  %n = tile.alloc : !tile.buffer<32x32xi8, shared>
  // CHECK: tile.copy %{{.*}} to %{{.*}} scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf16, shared>
  tile.copy %a to %h scope(warp) : !global to !tile.buffer<32x32xf16, shared>
  // CHECK: tile.copy %{{.*}} to %{{.*}} scope(warp) convert(unsigned) {variant = "gmem_smem"} : {{.*}}
  tile.copy %a to %n scope(warp) convert(unsigned) {variant = "gmem_smem"} : !global to !tile.buffer<32x32xi8, shared>
  // CHECK: tile.copy_async %{{.*}} to %{{.*}} scope(warp) convert(tf32) : {{.*}}
  tile.copy_async %a to %s scope(warp) convert(tf32) : !global to !tile.buffer<32x32xf32, shared>
  return
}

// CHECK-LABEL: func.func @stages
func.func @stages(%A: memref<32x32xf32>, %i: index) {
  %a = tile.view %A : memref<32x32xf32> to !global
  %s = tile.alloc : !tile.buffer<8x32xf32, shared>
  // CHECK: tile.planned_copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} scope(warp) plan<matched "gmem_smem", threads = 32,{{.*}}src = {layout = (256) : (1), space{{.*}}terms = [{value = 0, div = 2, stride = 64{{(, [^}]*)?}}}, {value = 1, stride = 4{{(, [^}]*)?}}}{{.*}}dst = {layout = (256) : (1), space{{.*}}: {{.*}}
  tile.planned_copy %a[%i, %i] to %s scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 32,
         src = {layout = (256) : (1), space = global, align = 16, terms = [{value = 0, div = 2, stride = 64}, {value = 1, stride = 4}]},
         dst = {layout = (256) : (1), space = shared, align = 16}>
    : !global to !tile.buffer<8x32xf32, shared>
  // CHECK: tile.planned_copy %{{.*}} to {{.*}} scope(warp) plan<vectors "gmem_smem", rounds = 2, threads = 32, vector = 4, {{.*}}thread_iters = 1,{{.*}}src = {layout = (2, 32, 4) : (128, 4, 1), space{{.*}}: {{.*}}
  tile.planned_copy %a to %s scope(warp)
    plan<vectors "gmem_smem", rounds = 2, threads = 32, vector = 4, bits = 32, thread_iters = 1,
         src = {layout = (2, 32, 4) : (128, 4, 1), space = global, align = 16},
         dst = {layout = (2, 32, 4) : (128, 4, 1), space = shared, align = 16}>
    : !global to !tile.buffer<8x32xf32, shared>
  %h = tile.alloc : !tile.buffer<8x32xi16, shared>
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 32, {{.*}}convert = "{{.*}}, signed"{{.*}}: {{.*}}
  tile.planned_copy %a to %h scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 32, convert = "f32 to i16, signed",
         src = {layout = (256) : (1), space = global, align = 16},
         dst = {layout = (256) : (1), space = shared, align = 16}>
    : !global to !tile.buffer<8x32xi16, shared>
  // CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", {{.*}}vector = 8, {{.*}}accesses = (2, 1), {{.*}}convert = "{{.*}}, signed"{{.*}}: {{.*}}
  tile.planned_copy %a to %h scope(warp)
    plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 8, accesses = (2, 1), bits = 32, convert = "f32 to i16, signed",
         src = {layout = (1, 32, 8) : (256, 8, 1), space = global, align = 16},
         dst = {layout = (1, 32, 8) : (256, 8, 1), space = shared, align = 16}>
    : !global to !tile.buffer<8x32xi16, shared>
  // CHECK: tile.planned_copy %{{.*}} to {{.*}} scope(warp) plan<scalar "fallback", owner = everyone, {{.*}}convert = "{{.*}}, signed"{{.*}}: {{.*}}
  tile.planned_copy %a to %h scope(warp)
    plan<scalar "fallback", owner = everyone, extents = [8, 32], bits = 32, convert = "f32 to i16, signed",
         src = {layout = (32, 32) : (32, 1), space = global, shape = [32, 32], begin = [const(0), const(0)], walked = [0, 1], align = 16},
         dst = {layout = (8, 32) : (32, 1), space = shared, shape = [8, 32], begin = [const(0), const(0)], walked = [0, 1], align = 16}>
    : !global to !tile.buffer<8x32xi16, shared>
  // CHECK: tile.planned_copy %{{.*}}[%{{.*}}] to %{{.*}} scope(warp) plan<scalar "fallback", owner = scope_thread(16), extents = [8, 32]{{.*}}begin = [const(0), dynamic{value = 0{{[^}]*}}}]{{.*}}begin = [const(0), const(0)]{{.*}}: {{.*}}
  tile.planned_copy %a[%i] to %s scope(warp)
    plan<scalar "fallback", owner = scope_thread(16), extents = [8, 32], bits = 32,
         src = {layout = (32, 32) : (32, 1), space = global, shape = [32, 32], begin = [const(0), dynamic{value = 0}], walked = [0, 1], align = 16},
         dst = {layout = (8, 32) : (32, 1), space = shared, shape = [8, 32], begin = [const(0), const(0)], walked = [0, 1], align = 16}>
    : !global to !tile.buffer<8x32xf32, shared>
  return
}

// Extents and strides that are known only at run time.
!open = !tile.buffer<?x?xf16, global>
!wide = !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (?, 1)>>
!mixed = !tile.buffer<?x?x64xf16, global>
!shared_stride = !tile.buffer<?x64x64xf16, global, #tile.layout<(?, 64, 64) : (64@s0, 1@s0, 1)>>

// CHECK-LABEL: func.func @open
func.func @open(%A: memref<?x?xf16, strided<[?, 1], offset: ?>>, %F: memref<?xf16>, %P: !llvm.ptr<1>, %n: index, %ld: index) {
  // CHECK: tile.view %{{.*}} : memref<?x?xf16, strided<[?, 1], offset: ?>> to !tile.buffer<?x?xf16, global>
  %a = tile.view %A : memref<?x?xf16, strided<[?, 1], offset: ?>> to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
  // CHECK: tile.view %{{.*}} strides(%{{.*}}) : memref<?x?xf16, strided<[?, 1], offset: ?>> to !tile.buffer<?x?xf16, global>
  %s = tile.view %A strides(%ld) : memref<?x?xf16, strided<[?, 1], offset: ?>> to !open
  // CHECK: tile.view %{{.*}} extents(%{{.*}}) strides(%{{.*}}) : memref<?xf16> to !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (?, 1)>>
  %f = tile.view %F extents(%n) strides(%ld) : memref<?xf16> to !wide
  // CHECK: tile.view %{{.*}} extents(%{{.*}}, %{{.*}}) strides(%{{.*}}) : !llvm.ptr<1> to !tile.buffer<?x?x64xf16, global>
  %p = tile.view %P extents(%n, %n) strides(%ld) : !llvm.ptr<1> to !mixed
  // CHECK: tile.view %{{.*}} extents(%{{.*}}) strides(%{{.*}}) : !llvm.ptr<1> to !tile.buffer<?x64x64xf16, global, #tile.layout<(?, 64, 64) : (64@s0, 1@s0, 1)>>
  %q = tile.view %P extents(%n) strides(%ld) : !llvm.ptr<1> to !shared_stride
  %t = tile.alloc : !tile.buffer<16x64xf16, shared>
  // CHECK: tile.copy %{{.*}}[%{{.*}}, 64] [16, 64] to %{{.*}} scope(warp) : !tile.buffer<?x?xf16, global> to !tile.buffer<16x64xf16, shared>
  tile.copy %s[%n, 64] [16, 64] to %t scope(warp) : !open to !tile.buffer<16x64xf16, shared>
  // CHECK: tile.planned_copy %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] to %{{.*}} scope(warp) plan<matched "gmem_smem", threads = 32,{{.*}}src = {layout = (16, 64) : (?, 1) + 64, space{{.*}}terms = [{value = 0, div = 2, stride = 3, axis = "s0"{{(, [^}]*)?}}}, {value = 1, stride = 4{{(, [^}]*)?}}}{{.*}}dst = {layout = (1024) : (1), space{{.*}}: {{.*}}
  tile.planned_copy %s[%n, %n, %ld] to %t scope(warp)
    plan<matched "gmem_smem", threads = 32, bits = 16,
         src = {layout = (16, 64) : (1@s0, 1) + 64, space = global, align = 16, terms = [{value = 0, div = 2, stride = 3, axis = "s0"}, {value = 1, stride = 4}], strides = [{value = 2}]},
         dst = {layout = (1024) : (1), space = shared, align = 16}>
    : !open to !tile.buffer<16x64xf16, shared>
  return
}
