// Ops are parsed under their old names; text and bytecode output use the current ones.
// RUN: tile-opt %s -o %t.old.mlir
// RUN: FileCheck %s --implicit-check-not=aligned_copy --implicit-check-not=tensor_ < %t.old.mlir
// RUN: sed -e s/tile.aligned_copy/tile.matched_copy/ -e s/tile.tensor_copy/tile.tmem_copy/ -e s/tile.tensor_access/tile.tmem_access/ %s \
// RUN:   > %t.renamed.mlir
// RUN: tile-opt %t.renamed.mlir | diff %t.old.mlir -

// Passes have the same result under both names.
// RUN: tile-opt %t.renamed.mlir --tile-vectorize-copy='chip=sm_100a' -o %t.vectors.mlir
// RUN: tile-opt %s --tile-vectorize-copy='chip=sm_100a' | diff %t.vectors.mlir -
// RUN: tile-opt %t.renamed.mlir --tile-vectorize-copy='chip=sm_100a' --tile-expand-copy -o %t.expanded.mlir
// RUN: tile-opt %s --tile-vectorize-copy='chip=sm_100a' --tile-expand-copy | diff %t.expanded.mlir -
// RUN: FileCheck %s --check-prefix=EXPANDED < %t.expanded.mlir

// The bytecode of this file from the release that had the old names, and the same bytecode rewritten now.
// RUN: tile-opt %S/Inputs/old-names.mlirbc | diff %t.old.mlir -
// RUN: tile-opt %S/Inputs/old-names.mlirbc --emit-bytecode -o %t.mlirbc
// RUN: not grep -E 'aligned_copy|tensor_copy|tensor_access' %t.mlirbc
// RUN: tile-opt %t.mlirbc | diff %t.old.mlir -

// An old name in the generic textual form is an error that gives the current name, with properties and without.
// RUN: tile-opt %t.renamed.mlir --mlir-print-op-generic -o %t.generic.mlir
// RUN: sed 's/"tile.matched_copy"/"tile.aligned_copy"/' %t.generic.mlir | not tile-opt - 2>&1 | FileCheck %s --check-prefix=ALIGNED
// RUN: sed 's/"tile.tmem_copy"/"tile.tensor_copy"/' %t.generic.mlir | not tile-opt - 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: sed 's/"tile.tmem_access"/"tile.tensor_access"/' %t.generic.mlir | not tile-opt - 2>&1 | FileCheck %s --check-prefix=ACCESS
// RUN: echo '"tile.tensor_copy"() : () -> ()' | not tile-opt - 2>&1 | FileCheck %s --check-prefix=BARE
// ALIGNED: <stdin>:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}} for op tile.aligned_copy: is an old name, expected tile.matched_copy
// COPY: <stdin>:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}} for op tile.tensor_copy: is an old name, expected tile.tmem_copy
// ACCESS: <stdin>:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}} for op tile.tensor_access: is an old name, expected tile.tmem_access
// BARE: <stdin>:1:1: error: 'tile.tensor_copy' op is an old name, expected tile.tmem_copy

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!bytes = !tile.buffer<32x16xi8, shared>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!lanes = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @stages
  gpu.func @stages(%A: memref<32x32xf32>, %i: index, %p: i1, %address: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %b = tile.alloc : !bytes
    %t = tile.tmem %address : !tensor
    %l = tile.tmem %address : !lanes
    %r = tile.alloc : !rows
    // CHECK: tile.matched_copy "gmem_smem" %{{.*}} as {{.*}} to %{{.*}} scope(warp) threads(8) {ranks = array<i64: 8, 8, 1>} :
    tile.aligned_copy "gmem_smem" %a as #tile.layout<(1024) : (1)> to %s as #tile.layout<(1024) : (1)> scope(warp) threads(8)
      {ranks = array<i64: 8, 8, 1>} : !global to !shared
    // CHECK: tile.matched_copy "ldgsts" {{.*}} scope(cta) threads(128) predicate(%{{.*}}) {l2_evict = "L2::evict_last", zero_fill} :
    tile.aligned_copy "ldgsts" %a as #tile.layout<(1024) : (1)> to %s as #tile.layout<(1024) : (1)>
      scope(cta) threads(128) predicate(%p) {zero_fill, l2_evict = "L2::evict_last"} : !global to !shared
    // CHECK: tile.tmem_copy "tcgen05_cp" %{{.*}} to %{{.*}}[%{{.*}} * 4] as
    // CHECK-SAME: scope(thread) shape "32x128b" multicast "warpx4" cta_group(1) descriptor [0, 8, 0] tile_iters(0) :
    tile.tensor_copy "tcgen05_cp" %b as #tile.layout<(32, 16) : (16, 1)>
      to %t[%i * 4] as #tile.layout<(32, 16) : (1@TLane, 1@TCol)> scope(thread)
      shape "32x128b" multicast "warpx4" cta_group(1) descriptor [0, 8, 0] tile_iters(0) : !bytes to !tensor
    // CHECK: tile.tmem_access "tcgen05_ldst" {{.*}} scope(warpgroup) shape "32x32b" num(4) instruction_iters(0) :
    tile.tensor_access "tcgen05_ldst" %r as #tile.layout<(128, 4) : (1@tid_in_wg, 1)>
      to %l as #tile.layout<(128, 4) : (1@TLane, 1@TCol)> scope(warpgroup)
      shape "32x32b" num(4) instruction_iters(0) : !rows to !lanes
    gpu.return
  }
}

// EXPANDED: nvvm.cp.async.shared.global
// EXPANDED: nvvm.tcgen05.cp
// EXPANDED: nvvm.tcgen05.st
