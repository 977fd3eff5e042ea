// Ops with every clause and option that they have read back from bytecode as they were written.
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
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
