// Every reason for which ldstmatrix declines a copy that the verifier accepts. Forcing the variant
// makes each an error; the remark has the cause's name. What reg declines for the same cause is not repeated.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!global = !tile.buffer<8x8xf16, global>
!shared = !tile.buffer<8x8xf16, shared>
!matrix = !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
!wide_shared = !tile.buffer<8x8xf64, shared>
!wide = !tile.buffer<8x8xf64, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
!words_shared = !tile.buffer<8x4xf32, shared>
!words = !tile.buffer<8x4xf32, local, #tile.layout<(8, 4) : (4@laneid, 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @what(%A: memref<8x8xf16>) kernel attributes {known_block_size = array<i32: 48, 1, 1>} {
    %a = tile.view %A : memref<8x8xf16> to !global
    %s = tile.alloc : !shared
    %r = tile.alloc : !matrix
    %p = tile.alloc : !tile.buffer<8x8xf16, local>
    %ws = tile.alloc : !wide_shared
    %wr = tile.alloc : !wide
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=global dst=local; {{.*}} local <-> shared"
    tile.copy %a to %r scope(warp) {variant = "ldstmatrix"} : !global to !matrix

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-has-no-warps | {{.*}}Reason="{{.*}} warp; {{.*}} thread {{.*}}"
    tile.copy %s to %p scope(thread) {variant = "ldstmatrix"} : !shared to !tile.buffer<8x8xf16, local>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] element-not-of-matrix | {{.*}}Reason="{{.*}} f64 {{.*}} 64 {{.*}} 8, 16 or 32"
    tile.copy %ws to %wr scope(warp) {variant = "ldstmatrix"} : !wide_shared to !wide

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-stmatrix | {{.*}}Reason="{{.*}} sm_90 {{.*}} sm_80"
    tile.copy %r to %s scope(warp) {variant = "ldstmatrix"} : !matrix to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] threads-not-whole-warps | {{.*}}Reason="{{.*}} 48 {{.*}} 32"
    tile.copy %s to %r scope(cta) {variant = "ldstmatrix"} : !shared to !matrix
    gpu.return
  }

  gpu.func @fragment(%A: memref<8x8xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %ns = tile.alloc : !words_shared
    %nr = tile.alloc : !words

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] rows-adjacent | {{.*}}Operand=source{{.*}}Reason="{{.*}} 32 elements in order {{.*}}"
    tile.copy %ns to %nr scope(warp) {variant = "ldstmatrix"} : !words_shared to !words

    // Lanes along the columns, as 4 rows of 8.
    %rows = tile.alloc : !tile.buffer<8x8xf16, local, #tile.layout<(4, 2, 8) : (8@laneid, 1, 1@laneid)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] lanes-not-8-by-4 | {{.*}}Operand=destination
    tile.copy %s to %rows scope(warp) {variant = "ldstmatrix"}
      : !shared to !tile.buffer<8x8xf16, local, #tile.layout<(4, 2, 8) : (8@laneid, 1, 1@laneid)>>

    // The pair's elements are two registers apart.
    %apart = tile.alloc : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 2)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] registers-not-coupled | {{.*}}Operand=destination
    tile.copy %s to %apart scope(warp) {variant = "ldstmatrix"}
      : !shared to !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 2)>>

    %four = tile.alloc : !tile.buffer<2x8xf16, local, #tile.layout<(2, 4, 2) : (4@laneid, 1@laneid, 1) + R(4 : 8@laneid)>>
    %t = tile.alloc : !tile.buffer<2x8xf16, shared>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] lanes-not-8-by-4 | {{.*}}
    tile.copy %t to %four scope(warp) {variant = "ldstmatrix"}
      : !tile.buffer<2x8xf16, shared>
      to !tile.buffer<2x8xf16, local, #tile.layout<(2, 4, 2) : (4@laneid, 1@laneid, 1) + R(4 : 8@laneid)>>
    gpu.return
  }

  gpu.func @shared_side(%i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %r = tile.alloc : !matrix

    // Rows 12 elements apart do not all start at multiples of 16 bytes.
    %padded = tile.alloc : !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (12, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] not-a-matrix | {{.*}}Operand=source, Reason="{{.*}} (12, 2, 1) {{.*}} (8, 4, 2); {{.*}} (8k, 2, 1), {{.*}} (1, 16k, 8k) {{.*}}"
    tile.copy %padded to %r scope(warp) {variant = "ldstmatrix"}
      : !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (12, 1)>> to !matrix

    %swizzled = tile.alloc : !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 2>>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] swizzle-chunk-too-small | {{.*}}Operand=source, Reason="{{.*}} 4 {{.*}} 8, {{.*}}"
    tile.copy %swizzled to %r scope(warp) {variant = "ldstmatrix"}
      : !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 2>>> to !matrix

    %line = tile.alloc : !tile.buffer<8x32xf16, shared>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] offset-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 4; {{.*}} 8"
    tile.copy %line[0, 4] [8, 8] to %r[0, 0] [8, 8] scope(warp) {variant = "ldstmatrix"}
      : !tile.buffer<8x32xf16, shared> to !matrix

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source
    tile.copy %line[0, %i] [8, 8] to %r[0, 0] [8, 8] scope(warp) {variant = "ldstmatrix"}
      : !tile.buffer<8x32xf16, shared> to !matrix

    // Two matrices 100 elements apart, no multiple of 8.
    %two = tile.alloc : !tile.buffer<16x8xf16, shared, #tile.layout<(2, 8, 8) : (100, 8, 1)>>
    %both = tile.alloc : !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] matrix-misaligned | {{.*}}Operand=source, Reason="{{.*}} 100 {{.*}} 8"
    tile.copy %two to %both scope(warp) {variant = "ldstmatrix"}
      : !tile.buffer<16x8xf16, shared, #tile.layout<(2, 8, 8) : (100, 8, 1)>>
      to !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    gpu.return
  }

  // Shared memory that is not a tile.alloc's, of which only the element alignment is known.
  gpu.func @alignment(%i: index) workgroup(%W: memref<64xf16, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %M = memref.reinterpret_cast %W to offset: [0], sizes: [8, 8], strides: [8, 1]
      : memref<64xf16, #gpu.address_space<workgroup>> to memref<8x8xf16, #gpu.address_space<workgroup>>
    %s = tile.view %M : memref<8x8xf16, #gpu.address_space<workgroup>> to !shared
    %r = tile.alloc : !matrix
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] storage-alignment | {{.*}}Operand=source, Reason="{{.*}} 2 {{.*}} 16"
    tile.copy %s to %r scope(warp) {variant = "ldstmatrix"} : !shared to !matrix
    gpu.return
  }
}
