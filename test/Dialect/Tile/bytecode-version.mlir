// Bytecode states the version of the dialect. Files from before there was a version are still read; a newer version is refused.
// RUN: tile-opt %S/Inputs/unversioned.mlirbc | FileCheck %s --check-prefix=OLD
// RUN: tile-opt %S/Inputs/unversioned.mlirbc --emit-bytecode | tile-opt | FileCheck %s --check-prefix=OLD
// RUN: tile-opt %S/Inputs/version-4.mlirbc | FileCheck %s --check-prefix=FOUR
// RUN: tile-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tile-opt %t.mlirbc | FileCheck %s
// RUN: tile-opt %S/Inputs/version-5.mlirbc | FileCheck %s --check-prefix=FIVE
// The version section holds one number, 7, which bytecode encodes as the byte 15.
// RUN: %python -c "import sys; data = open(sys.argv[1], 'rb').read(); assert data.count(b'\x07\x03\x0f') == 1; open(sys.argv[2], 'wb').write(data.replace(b'\x07\x03\x0f', b'\x07\x03\x11'))" %t.mlirbc %t.newer.mlirbc
// RUN: not tile-opt %t.newer.mlirbc 2>&1 | FileCheck %s --check-prefix=NEWER

// NEWER: newer.mlirbc:0:0: error: got version 8 of the tile dialect, expected at most 7: a newer release wrote the file

// RUN: tile-opt %s --emit-bytecode --emit-bytecode-version=5 | tile-opt | FileCheck %s

// CHECK: tile.alloc : !tile.buffer<4x8xf16, shared>
// CHECK: tile.copy_async %{{.*}} to %{{.*}} scope(cta) bulk_group reduce(add) {l2_evict = "L2::evict_first"} :
// CHECK: tile.copy %{{.*}} to %{{.*}} scope(cta) convert(unsigned) {variant = "gmem_smem"} :
// CHECK: tile.vector_copy "gmem_smem" {{.*}} convert(unsigned) {accesses = array<i64: 2, 1>} :
// CHECK: tile.bulk_copy "bulk" %{{.*}} scope(cta) reduce(min) {l2_evict = "L2::evict_last"} :
// CHECK: tile.matched_copy "gmem_smem" %{{.*}} scope(warp) threads(8) {ranks = array<i64: 8, 8, 1>} :
// CHECK: tile.vector_copy "gmem_smem" %{{.*}} rounds(1) threads(8) vector(8) {last_threads = 4 : i64, ranks = array<i64: 8, 8, 1>} :
// CHECK: tile.copy %{{.*}}[2, 0] [4, 8] to %{{.*}} scope(warp) masked fill(%{{.*}} : f16) :
// CHECK: tile.matched_copy "gmem_smem" {{.*}} masked(%{{.*}}, %{{.*}}) fill(%{{.*}} : f16) {coordinates = array<i64: 4, 0, 1, 8, 0, 0>, limited = array<i64: 0, 0, 0>} :
// CHECK: tile.copy %{{.*}} to %{{.*}} scope(warp) reduce(max) :
// CHECK: tile.fill %{{.*}} to %{{.*}}[2, 0] [4, 8] scope(warp) masked : f16 to
// CHECK: tile.matched_copy "fill" {{.*}} threads(32) filled fill(%{{.*}} : f16) :
// CHECK: tile.vector_copy "gmem_smem" {{.*}} vector(8) reduce(add) :
// CHECK: tile.scalar_copy {{.*}} by "everyone" filled fill(%{{.*}} : f16) :
func.func @tile(%a: !tile.buffer<4x8xf16, global>) {
  %s = tile.alloc : !tile.buffer<4x8xf16, shared>
  tile.copy_async %s to %a scope(cta) bulk_group {reduce = "add", l2_evict = "L2::evict_first"}
    : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  %i = tile.alloc : !tile.buffer<4x8xi8, shared>
  tile.copy %a to %i scope(cta) convert(unsigned) {variant = "gmem_smem"}
    : !tile.buffer<4x8xf16, global> to !tile.buffer<4x8xi8, shared>
  tile.vector_copy "gmem_smem" %a as #tile.layout<(1, 2, 16) : (32, 16, 1)> to %i as #tile.layout<(1, 2, 16) : (32, 16, 1)>
    scope(cta) rounds(1) threads(2) vector(16) convert(unsigned) {accesses = array<i64: 2, 1>}
    : !tile.buffer<4x8xf16, global> to !tile.buffer<4x8xi8, shared>
  tile.bulk_copy "bulk" %s as #tile.layout<(32) : (1)> to %a as #tile.layout<(32) : (1)> scope(cta)
    {reduce = "min", l2_evict = "L2::evict_last"} : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  tile.matched_copy "gmem_smem" %s as #tile.layout<(32) : (1)> to %a as #tile.layout<(32) : (1)> scope(warp) threads(8)
    {ranks = array<i64: 8, 8, 1>} : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  tile.vector_copy "gmem_smem" %s as #tile.layout<(4, 8) : (8, 1)> to %a as #tile.layout<(4, 8) : (8, 1)> scope(warp)
    rounds(1) threads(8) vector(8) {last_threads = 4 : i64, ranks = array<i64: 8, 8, 1>}
    : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  %zero = arith.constant 0.0 : f16
  %c4 = arith.constant 4 : index
  tile.copy %a[2, 0] [4, 8] to %s scope(warp) masked fill(%zero : f16)
    : !tile.buffer<4x8xf16, global> to !tile.buffer<4x8xf16, shared>
  tile.matched_copy "gmem_smem" %a as #tile.layout<(32) : (1)> to %s as #tile.layout<(32) : (1)> scope(warp) threads(32)
    masked(%c4, %c4) fill(%zero : f16) {limited = array<i64: 0, 0, 0>, coordinates = array<i64: 4, 0, 1, 8, 0, 0>}
    : !tile.buffer<4x8xf16, global> to !tile.buffer<4x8xf16, shared>
  tile.copy %s to %a scope(warp) reduce(max) : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  tile.fill %zero to %a[2, 0] [4, 8] scope(warp) masked : f16 to !tile.buffer<4x8xf16, global>
  tile.matched_copy "fill" %s as #tile.layout<(32) : (1)> to %s as #tile.layout<(32) : (1)> scope(warp) threads(32)
    filled fill(%zero : f16) : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, shared>
  tile.vector_copy "gmem_smem" %s as #tile.layout<(1, 4, 8) : (32, 8, 1)> to %a as #tile.layout<(1, 4, 8) : (32, 8, 1)>
    scope(warp) rounds(1) threads(4) vector(8) reduce(add)
    : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  tile.scalar_copy %s to %s scope(thread) by "everyone" filled fill(%zero : f16)
    : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, shared>
  return
}

// FIVE: tile.copy_async %{{.*}} to %{{.*}} scope(cta) bulk_group reduce(add) {l2_evict = "L2::evict_first"} :
// FIVE: tile.copy %{{.*}}[2, 0] [4, 8] to %{{.*}} scope(warp) masked fill(%{{.*}} : f16) :
// FIVE: tile.matched_copy "gmem_smem" {{.*}} masked(%{{.*}}, %{{.*}}) fill(%{{.*}} : f16) {coordinates = array<i64: 4, 0, 1, 8, 0, 0>, limited = array<i64: 0, 0, 0>} :

// FOUR: tile.copy_async %{{.*}} to %{{.*}} scope(cta) bulk_group reduce(add) {l2_evict = "L2::evict_first"} :
// FOUR: tile.copy %{{.*}} to %{{.*}} scope(cta) convert(unsigned) {variant = "gmem_smem"} :
// FOUR: tile.vector_copy "gmem_smem" {{.*}} convert(unsigned) {accesses = array<i64: 2, 1>} :
// FOUR: tile.matched_copy "gmem_smem" %{{.*}} scope(warp) threads(8) {ranks = array<i64: 8, 8, 1>} :

// OLD-LABEL: func.func @copies(
// OLD:         tile.view %{{.*}} : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
// OLD:         tile.alloc {alignment = 128 : i64} : !tile.buffer<32x32xf32, shared>
// OLD:         tile.alloc : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<3, 3, 3>>>
// OLD:         tile.local_view
// OLD:         tile.assume %{{.*}} divisible_by 8 uniform(warp) : index
// OLD:         tile.copy %{{.*}} to %{{.*}} scope(warp) {cache = "nc", variant = "gmem_smem"} :
// OLD:         tile.copy %{{.*}}[%{{.*}}, 0] [8, 32] to %{{.*}}[0, 0] [8, 32] scope(cta) :
// OLD:         scope(thread) {l1_evict = "L1::no_allocate", l2_evict = "L2::evict_first", prefetch_size = "L2::64B", variant = "vec_128b"} :
// OLD:         tile.copy_async %{{.*}} to %{{.*}} scope(cta) group :
// OLD:         scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) :
// OLD:         scope(cta) predicate(%{{.*}}) {fill = "zero", prefetch_size = "L2::128B"} :
// OLD:         scope(thread) mbarrier(%{{.*}} : !llvm.ptr<3>) remote_cta(%{{.*}}) :
// OLD:         tile.tmem
// OLD:         scope(thread) {cta_group = 2 : i64, multicast = "warpx4", shape = "32x128b"} :
// OLD-LABEL: func.func @stages(
// OLD:         tile.matched_copy "ldgsts" %{{.*}}[%{{.*}} floordiv 2 * 64] {{.*}} scope(warp) threads(32) predicate(%{{.*}}) {zero_fill} :
// OLD:         tile.vector_copy "gmem_smem" {{.*}} scope(warp) rounds(8) threads(32) vector(4) {cache = "nc"} :
// OLD:         tile.tmem_copy "tcgen05_cp" {{.*}} shape "32x128b" multicast "warpx4" cta_group(1) descriptor [0, 8, 0] tile_iters(0) :
// OLD:         tile.tmem_access "tcgen05_ldst" {{.*}} shape "32x32b" num(4) instruction_iters(0) :
// OLD:         tile.bulk_copy "dsmem" {{.*}} mbarrier(%{{.*}} : !llvm.ptr<3>) remote_cta(%{{.*}}) :
// OLD:         tile.scalar_copy {{.*}} by "elected" {threads = array<i64: 0>} :
// OLD-LABEL: func.func @scans(
// OLD:         tile.scan @kernels::@sums inclusive add {{.*}} init(%{{.*}} : i32) {order = "ticket", shape = "register", strategy = "decoupled_lookback", threads = 128 : i64} :
// OLD:         tile.scan @kernels::@longest exclusive custom {{.*}} identity(0 : i32)
// OLD:         tile.yield
