// Every reason for which transpose declines a copy that the verifier accepts. Forcing the variant makes each an error; the remark has the
// cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:
// RUN: not tile-opt %s '--tile-align-layouts=variants=transpose,fallback' -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONE

!rows = !tile.buffer<128x128xf32, global>
!columns = !tile.buffer<128x128xf32, global, #tile.layout<(128, 128) : (1, 128)>>
!shared = !tile.buffer<128x64xf32, shared>
!odd_rows = !tile.buffer<64x129xf32, global>
!odd_columns = !tile.buffer<64x64xf32, global, #tile.layout<(64, 64) : (1, 129)>>
!small = !tile.buffer<8x4xf32, global>
!turned = !tile.buffer<8x4xf32, global, #tile.layout<(8, 4) : (1, 8)>>
!records = !tile.buffer<2048x3xf16, global>
!fields = !tile.buffer<2048x3xf16, global, #tile.layout<(2048, 3) : (1, 2048)>>
!halves = !tile.buffer<128x128xf16, global, #tile.layout<(128, 128) : (1, 128)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @orders(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %C: memref<128x128xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32> to !rows
    %b = tile.view %B : memref<128x128xf32> to !rows
    %t = tile.permute %b [1, 0] : !rows to !columns
    %h = tile.view %C : memref<128x128xf16> to !halves
    %s = tile.alloc : !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=global dst=shared; {{.*}} global -> global"
    tile.copy %a[0, 0] [128, 64] to %s scope(cta) {variant = "transpose"} : !rows to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] same-order | {{.*}}Reason="{{.*}} 4 elements {{.*}}"
    tile.copy %a[0, 0] [64, 64] to %b[64, 64] [64, 64] scope(cta) {variant = "transpose"} : !rows to !rows

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] converts-elements | {{.*}}Reason="{{.*}} f32, {{.*}} f16; {{.*}}"
    tile.copy %a[0, 0] [64, 64] to %h[0, 0] [64, 64] scope(cta) {variant = "transpose"} : !rows to !halves

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] not-powers-of-two | {{.*}}Reason="{{.*}} 48 {{.*}}"
    tile.copy %a[0, 0] [48, 64] to %t[0, 0] [48, 64] scope(cta) {variant = "transpose"} : !rows to !columns

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] too-few-elements | {{.*}}Reason="{{.*}} 128 elements; {{.*}} 256 threads"
    tile.copy %a[0, 0] [8, 16] to %t[0, 0] [8, 16] scope(cta) {variant = "transpose"} : !rows to !columns

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] too-many-registers | {{.*}}Reason="{{.*}} 1024 bytes; {{.*}} 512 {{.*}}"
    tile.copy %a[0, 0] [64, 128] to %t[0, 0] [64, 128] scope(warp) {variant = "transpose"} : !rows to !columns

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-has-no-warps | {{.*}}Reason="{{.*}} thread scope; {{.*}}"
    tile.copy %a[0, 0] [8, 8] to %t[0, 0] [8, 8] scope(thread) {variant = "transpose"} : !rows to !columns
    gpu.return
  }

  gpu.func @threads(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %R: memref<2048x3xf16>, %F: memref<6144xf16>) kernel
      attributes {known_block_size = array<i32: 192, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32> to !rows
    %b = tile.view %B : memref<128x128xf32> to !columns
    %thread = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %some = arith.cmpi ult, %thread, %c64 : index

    %records = tile.view %R : memref<2048x3xf16> to !records
    %fields = tile.view %F : memref<6144xf16> to !fields

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] threads-do-not-divide | {{.*}}Reason="{{.*}} 256 blocks of 8 records; {{.*}} 192 threads"
    tile.copy %records to %fields scope(cta) {variant = "transpose"} : !records to !fields

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] not-powers-of-two | {{.*}}Reason="{{.*}} 192 threads; {{.*}}"
    tile.copy %a[0, 0] [64, 64] to %b[0, 0] [64, 64] scope(cta) {variant = "transpose"} : !rows to !columns
    scf.if %some {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] not-all-threads-active | {{.*}}Reason="warpid {{.*}} [0, 2) {{.*}} [0, 6)"
      tile.copy %a[0, 0] [64, 64] to %b[0, 0] [64, 64] scope(cta) {variant = "transpose"} : !rows to !columns
    }
    gpu.return
  }

  gpu.func @block(%A: memref<128x128xf32>, %B: memref<128x128xf32>) kernel {
    %a = tile.view %A : memref<128x128xf32> to !rows
    %b = tile.view %B : memref<128x128xf32> to !columns
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] block-size-unknown | {{.*}}
    tile.copy %a[0, 0] [32, 32] to %b[0, 0] [32, 32] scope(warp) {variant = "transpose"} : !rows to !columns
    gpu.return
  }

  // Each of 32 warps would have a tile, of which one in eight parts is in shared memory. Rows of 129 have no vectors.
  gpu.func @warps(%A: memref<64x129xf32>, %B: memref<8256xf32>) kernel attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %a = tile.view %A : memref<64x129xf32> to !odd_rows
    %b = tile.view %B : memref<8256xf32> to !odd_columns
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] transpose-too-large | {{.*}}Reason="{{.*}} 65536 bytes; {{.*}} 49152 {{.*}}"
    tile.copy %a[0, 0] [64, 64] to %b[0, 0] [64, 64] scope(warp) {variant = "transpose"} : !odd_rows to !odd_columns
    gpu.return
  }

  // One line on both sides, in whatever order lanes access it.
  gpu.func @small(%A: memref<8x4xf32>, %B: memref<8x4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x4xf32> to !small
    %b = tile.view %B : memref<8x4xf32> to !turned
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] same-memory-cheaper | {{.*}}Reason="{{.*}} 2 lines, 0 wavefronts; {{.*}} 2 lines, 0 wavefronts"
    tile.copy %a to %b scope(warp) {variant = "transpose"} : !small to !turned
    gpu.return
  }

  gpu.func @step(%A: memref<128x128xf32>, %B: memref<128x128xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32> to !rows
    %b = tile.view %B : memref<128x128xf32> to !columns
    // The option leaves out the variants of the steps.
    // ALONE: :[[#@LINE+1]]:5: remark: [Missed] transpose-not-reached | {{.*}}Reason="{{.*}} 'variants' does not allow it; allowed: transpose, fallback{{.*}}"
    tile.copy %a[0, 0] [64, 64] to %b[0, 0] [64, 64] scope(cta) {variant = "transpose"} : !rows to !columns
    gpu.return
  }
}
