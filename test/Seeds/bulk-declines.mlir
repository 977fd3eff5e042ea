// Every reason for which bulk declines a copy that the verifier accepts. Forcing the variant makes each an error; the
// remark has the cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!global = !tile.buffer<64x64xf16, global>
!wide = !tile.buffer<64x256xf16, global>
!shared = !tile.buffer<64x64xf16, shared>
!narrow = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
!columns = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>>
!padded = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (68, 1)>>
!blocks = !tile.buffer<64x64xf16, shared, #tile.layout<(4, 16, 64) : (2048, 64, 1)>>
!stacked = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (0, 1)>>
!threes = !tile.buffer<12x8xf16, global, #tile.layout<(4, 3, 8) : (32, 8, 1)>>
!fours = !tile.buffer<12x8xf16, shared, #tile.layout<(3, 4, 8) : (40, 8, 1)>>
!huge = !tile.buffer<1048576xi8, global>
!huge_shared = !tile.buffer<1048576xi8, shared>

gpu.module @before [#nvvm.target<chip = "sm_89">] {
  gpu.func @chip(%A: memref<64x64xf16>, %barrier: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !global
    %s = tile.alloc : !shared
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-bulk-copy | {{.*}}Reason="{{.*}} sm_90 {{.*}} sm_89"
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !global to !shared
    gpu.return
  }
}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @flag() {addr_space = 3 : i32} : i32

  gpu.func @spaces_and_clauses(%A: memref<64x64xf16>, %barrier: !llvm.ptr<3>, %p: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=shared dst=shared; {{.*}}"
    tile.copy_async %s to %t scope(cta) bulk_group {variant = "bulk"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] mbarrier-missing | {{.*}}Reason="{{.*}} mbarrier; got the caller's commit"
    tile.copy_async %a to %s scope(cta) {variant = "bulk"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} group; {{.*}} mbarrier"
    tile.copy_async %a to %s scope(cta) group {variant = "bulk"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} bulk_group; {{.*}} mbarrier"
    tile.copy_async %a to %s scope(cta) bulk_group {variant = "bulk"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} mbarrier; {{.*}} bulk_group, reduce"
    tile.copy_async %s to %a scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !shared to !global

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} predicate; {{.*}} bulk_group, reduce"
    tile.copy_async %s to %a scope(cta) bulk_group predicate(%p) {variant = "bulk"} : !shared to !global

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} reduce; {{.*}} mbarrier"
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk", reduce = "add"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] reduction-unsupported | {{.*}}Reason="got reduce = {{.*}}or{{.*}} {{.*}} f16; allowed: i32, si32, ui32, i64, si64, ui64"
    tile.copy_async %s to %a scope(cta) bulk_group {variant = "bulk", reduce = "or"} : !shared to !global

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] hint-needs-load | {{.*}}Reason="{{.*}} L2::128B; {{.*}} l2_evict only"
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk", prefetch_size = "L2::128B"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] hint-needs-load | {{.*}}Reason="{{.*}} L2::evict_first; {{.*}} prefetch_size only"
    tile.copy_async %a to %s scope(cta) group {variant = "ldgsts", l2_evict = "L2::evict_first"} : !global to !shared
    gpu.return
  }

  // The caller of a copy that does not name its variant may wait for the arrivals of another variant.
  gpu.func @not_named(%A: memref<64x64xf16>, %barrier: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !global
    %s = tile.alloc : !shared

    // CHECK: :[[#@LINE+4]]:5: remark: [Missed] unsupported-spaces | {{.*}}Variants="dsmem, tcgen05_cp, tcgen05_ldst"
    // CHECK: :[[#@LINE+3]]:5: remark: [Missed] {{.*}}Variant=ldgsts
    // CHECK: :[[#@LINE+2]]:5: remark: [Missed] variant-not-named | {{.*}}Reason="a bulk copy arrives on the mbarrier once, {{.*}}", {{.*}}Variant=bulk
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Variant=synchronous
    tile.copy_async %a[0, 1] [2, 32] to %s[0, 0] [2, 32] scope(cta) mbarrier(%barrier : !llvm.ptr<3>) : !global to !shared
    gpu.return
  }

  // All threads of the scope must take part: otherwise a thread might wait for a copy that is never issued.
  gpu.func @threads(%A: memref<64x64xf16>, %barrier: !llvm.ptr<3>, %p: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !global
    %s = tile.alloc : !shared
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %some = arith.cmpi ult, %thread, %c32 : index
    scf.if %some {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] not-all-threads-active |
      tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !global to !shared
    }
    %M = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %lane = arith.index_cast %thread : index to i32
    %c3 = arith.constant 3 : i32
    %loaded = llvm.load %M : !llvm.ptr<3> -> i32
    %sum = arith.addi %loaded, %lane : i32
    %unknown = arith.cmpi ult, %sum, %c3 : i32
    scf.if %unknown {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] active-unknown |
      tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !global to !shared
    }
    gpu.return
  }

  // Chunks are at least 16 bytes, and start at multiples of 16 bytes, in both memories.
  gpu.func @chunks(%A: memref<64x64xf16>, %C: memref<64x256xf16>, %barrier: !llvm.ptr<3>, %i: index)
      workgroup(%M: memref<64x64xf16, #gpu.address_space<workgroup>> {llvm.align = 8 : i64}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !global
    %s = tile.alloc : !shared
    %c = tile.view %C : memref<64x256xf16> to !wide
    %columns = tile.alloc : !columns
    %padded = tile.alloc : !padded
    %narrow = tile.alloc : !narrow
    %m = tile.view %M : memref<64x64xf16, #gpu.address_space<workgroup>> to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chunk-not-16-bytes | {{.*}}Reason="chunk_bytes=2, {{.*}} 16 {{.*}}"
    tile.copy_async %a to %columns scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !global to !columns

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chunk-not-16-bytes | {{.*}}Reason="chunk_bytes=24, {{.*}} 16 {{.*}}"
    tile.copy_async %a[0, 0] [8, 12] to %s[0, 0] [8, 12] scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] offset-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 16 {{.*}}: {{.*}} 8, {{.*}} 4; {{.*}}"
    tile.copy_async %c[0, 4] [64, 64] to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !wide to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] stride-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 16 {{.*}}: {{.*}} 64:68 {{.*}} 8, {{.*}} 68; {{.*}}"
    tile.copy_async %padded to %a scope(cta) bulk_group {variant = "bulk"} : !padded to !global

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 16 {{.*}} (tile.assume … divisible_by 8 would promise it): {{.*}} 8 {{.*}} 1; {{.*}}"
    tile.copy_async %c[0, %i] [64, 64] to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !wide to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] storage-alignment | {{.*}}Operand=destination, Reason="{{.*}} 16 {{.*}} (llvm.align = 16 on the memory would promise it): {{.*}} 16 {{.*}} 8; {{.*}}"
    tile.copy_async %a to %m scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] swizzle-chunk-too-small | {{.*}}Operand=destination, Reason="{{.*}} 4 {{.*}} 8, 16 {{.*}}"
    tile.copy_async %a to %narrow scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !global to !narrow
    gpu.return
  }

  gpu.func @layouts_and_sizes(%A: memref<64x64xf16>, %T: memref<128xf16>, %H: memref<1048576xi8>, %barrier: !llvm.ptr<3>, %i: index)
      workgroup(%G: memref<1048576xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !global
    %s = tile.alloc : !shared
    %stacked = tile.alloc : !stacked
    %blocks = tile.alloc : !blocks
    %threes = tile.view %T : memref<128xf16> to !threes
    %fours = tile.alloc : !fours
    %h = tile.view %H : memref<1048576xi8> to !huge
    %g = tile.view %G : memref<1048576xi8, #gpu.address_space<workgroup>> to !huge_shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] no-common-refinement |
    tile.copy_async %threes to %fours scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !threes to !fours

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] destination-overlaps | {{.*}}Operand=destination, Reason="{{.*}} 64:0); {{.*}}"
    tile.copy_async %a to %stacked scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !global to !stacked

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-sliceable | {{.*}}Operand=destination, Reason="{{.*}} [13, 13 {{.*}} 8) {{.*}} 16:64 {{.*}}"
    tile.copy_async %a[13, 0] [8, 64] to %blocks[13, 0] [8, 64] scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !global to !blocks

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] too-many-bytes | {{.*}}Reason="got 1048576 bytes, expected at most 1048575, {{.*}}"
    tile.copy_async %h to %g scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !huge to !huge_shared
    gpu.return
  }
}
