// Ops with every clause and option that they have read back from bytecode as they were written.
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode --emit-bytecode-version=5 | tile-opt | FileCheck %s

// CHECK: tile.alloc : !tile.buffer<4x8xf16, shared>
// CHECK: tile.copy_async %{{.*}} to %{{.*}} scope(cta) bulk_group reduce(add) {l2_evict = "L2::evict_first"} :
// CHECK: tile.copy %{{.*}} to %{{.*}} scope(cta) convert(unsigned) {variant = "gmem_smem"} :
// CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", {{.*}}accesses = (2, 1), {{.*}}convert = "{{.*}}, unsigned"{{.*}}:
// CHECK: tile.planned_copy %{{.*}} scope(cta) {{.*}}plan<bulk "bulk", {{.*}}reduction = "min.{{.*}}", l2_evict = "L2::evict_last"{{.*}}:
// CHECK: tile.planned_copy %{{.*}} scope(warp) plan<matched "gmem_smem", threads = 8, {{.*}}ranks = {first = 8, digits = [(8, 1)]}{{.*}}:
// CHECK: tile.planned_copy %{{.*}} plan<vectors "gmem_smem", rounds = 1, threads = 8, vector = 8, last_threads = 4, {{.*}}ranks = {first = 8, digits = [(8, 1)]}{{.*}}:
// CHECK: tile.copy %{{.*}}[2, 0] [4, 8] to %{{.*}} scope(warp) masked fill(%{{.*}} : f16) :
// CHECK: tile.planned_copy {{.*}} masked(%{{.*}}) fill(%{{.*}} : f16) plan<matched "gmem_smem", {{.*}}mask = {digits = [{extent = 4, dimension = 0, step = 1}, {extent = 8, dimension = 0}], limits = [{of = src, dimension = 0, begin = dynamic{value = 0}, extent = const(4)}], fill = zero}{{.*}}:
// CHECK: tile.copy %{{.*}} to %{{.*}} scope(warp) reduce(max) :
// CHECK: tile.fill %{{.*}} to %{{.*}}[2, 0] [4, 8] scope(warp) masked : f16 to
// CHECK: tile.planned_copy {{.*}}fill(%{{.*}} : f16) {{.*}}plan<matched "fill", threads = 32, {{.*}}effect = filled{{.*}}:
// CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", {{.*}}vector = 8, {{.*}}effect = reduced("add {{.*}}"){{.*}}:
// CHECK: tile.planned_copy {{.*}}fill(%{{.*}} : f16) {{.*}}plan<scalar "fallback", owner = everyone, {{.*}}effect = filled{{.*}}:
func.func @tile(%a: !tile.buffer<4x8xf16, global>, %row: index) {
  %s = tile.alloc : !tile.buffer<4x8xf16, shared>
  tile.copy_async %s to %a scope(cta) bulk_group {reduce = "add", l2_evict = "L2::evict_first"}
    : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  %i = tile.alloc : !tile.buffer<4x8xi8, shared>
  tile.copy %a to %i scope(cta) convert(unsigned) {variant = "gmem_smem"}
    : !tile.buffer<4x8xf16, global> to !tile.buffer<4x8xi8, shared>
  tile.planned_copy %a to %i scope(cta)
    plan<vectors "gmem_smem", rounds = 1, threads = 2, vector = 16, accesses = (2, 1), bits = 16, convert = "f16 to i8, unsigned",
         src = {layout = (1, 2, 16) : (32, 16, 1), space = global, align = 16},
         dst = {layout = (1, 2, 16) : (32, 16, 1), space = shared, align = 16}>
    : !tile.buffer<4x8xf16, global> to !tile.buffer<4x8xi8, shared>
  tile.planned_copy %s to %a scope(cta)
    plan<bulk "bulk", bits = 16, chunk = 32, reduction = "min.f16", l2_evict = "L2::evict_last",
         src = {layout = (32) : (1), space = shared, align = 16},
         dst = {layout = (32) : (1), space = global, align = 16}>
    : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  tile.planned_copy %s to %a scope(warp)
    plan<matched "gmem_smem", threads = 8, ranks = {first = 8, digits = [(8, 1)]}, bits = 16,
         src = {layout = (32) : (1), space = shared, align = 16},
         dst = {layout = (32) : (1), space = global, align = 16}>
    : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  tile.planned_copy %s to %a scope(warp)
    plan<vectors "gmem_smem", rounds = 1, threads = 8, vector = 8, last_threads = 4, bits = 16, ranks = {first = 8, digits = [(8, 1)]},
         src = {layout = (4, 8) : (8, 1), space = shared, align = 16},
         dst = {layout = (4, 8) : (8, 1), space = global, align = 16}>
    : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  %zero = arith.constant 0.0 : f16
    tile.copy %a[2, 0] [4, 8] to %s scope(warp) masked fill(%zero : f16)
    : !tile.buffer<4x8xf16, global> to !tile.buffer<4x8xf16, shared>
  tile.planned_copy %a to %s scope(warp) masked(%row) fill(%zero : f16)
    plan<matched "gmem_smem", threads = 32, bits = 16, mask = {digits = [{extent = 4, dimension = 0, step = 1}, {extent = 8, dimension = 0}], limits = [{of = src, dimension = 0, begin = dynamic{value = 0}, extent = const(4)}], fill = zero},
         src = {layout = (32) : (1), space = global, align = 16},
         dst = {layout = (32) : (1), space = shared, align = 16}>
    : !tile.buffer<4x8xf16, global> to !tile.buffer<4x8xf16, shared>
  tile.copy %s to %a scope(warp) reduce(max) : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  tile.fill %zero to %a[2, 0] [4, 8] scope(warp) masked : f16 to !tile.buffer<4x8xf16, global>
  tile.planned_copy %s scope(warp) fill(%zero : f16)
    plan<matched "fill", threads = 32, bits = 16, effect = filled, dst = {layout = (32) : (1), space = shared, align = 16}>
    : !tile.buffer<4x8xf16, shared>
  tile.planned_copy %s to %a scope(warp)
    plan<vectors "gmem_smem", rounds = 1, threads = 4, vector = 8, bits = 16, effect = reduced("add f16"),
         src = {layout = (1, 4, 8) : (32, 8, 1), space = shared, align = 16},
         dst = {layout = (1, 4, 8) : (32, 8, 1), space = global, align = 16}>
    : !tile.buffer<4x8xf16, shared> to !tile.buffer<4x8xf16, global>
  tile.planned_copy %s scope(thread) fill(%zero : f16)
    plan<scalar "fallback", owner = everyone, extents = [4, 8], bits = 16, effect = filled,
         dst = {layout = (4, 8) : (8, 1), space = shared, shape = [4, 8], begin = [const(0), const(0)], walked = [0, 1], align = 16}>
    : !tile.buffer<4x8xf16, shared>
  return
}
