// Every reason for which realign declines a copy that the verifier accepts. Forcing the variant makes each an error; the remark has the
// cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:
// RUN: not tile-opt %s --tile-align-layouts=max-vector-bits=64 -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NARROW
// RUN: sed 's/\[#nvvm.*"sm_90a">\]//; s/scope(cta) {variant = "realign"}/scope(cta)/' %s | not tile-opt --tile-to-portable=chip=webgpu -o /dev/null \
// RUN:   --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=PORTABLE

!odd = !tile.buffer<8x2047xf16, global>
!other = !tile.buffer<8x2049xf16, global>
!floats = !tile.buffer<8x2049xf32, global>
!columns = !tile.buffer<8x2047xf16, global, #tile.layout<(8, 2047) : (1, 8)>>
!swizzled = !tile.buffer<1x2048xf16, global, #tile.layout<(1, 2048) : (2048, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!backwards = !tile.buffer<8x2047xf16, global, #tile.layout<(8, 2047) : (2047, -1) + 2046>>
!threes = !tile.buffer<12xf16, global, #tile.layout<(4, 3) : (5, 1)>>
!fours = !tile.buffer<12xf16, global, #tile.layout<(3, 4) : (7, 1)>>
!shared = !tile.buffer<1x2000xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copies(%A: memref<8x2047xf16>, %B: memref<8x2049xf16>, %C: memref<8x2049xf32>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<8x2047xf16> to !odd
    %b = tile.view %B : memref<8x2049xf16> to !other
    %c = tile.view %C : memref<8x2049xf32> to !floats
    %s = tile.alloc : !shared
    %zero = arith.constant 0.0 : f16

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=global dst=shared; {{.*}} global -> global"
    tile.copy %a[0, 0] [1, 2000] to %s scope(cta) {variant = "realign"} : !odd to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] converts-elements | {{.*}}Reason="{{.*}} f16, {{.*}} f32; {{.*}}"
    tile.copy %a[1, 0] [1, 2000] to %c[1, 0] [1, 2000] scope(cta) {variant = "realign"} : !odd to !floats

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] reducing-copy | {{.*}}
    tile.copy %a[1, 0] [1, 2000] to %b[1, 0] [1, 2000] scope(cta) reduce(add) {variant = "realign"} : !odd to !other

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-has-no-warps | {{.*}}Reason="{{.*}} thread scope; {{.*}}"
    tile.copy %a[1, 0] [1, 2000] to %b[1, 0] [1, 2000] scope(thread) {variant = "realign"} : !odd to !other

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] hinted-loads | {{.*}}Reason="{{.*}} cache hints; {{.*}}"
    tile.copy %a[1, 0] [1, 2000] to %b[1, 0] [1, 2000] scope(cta) {variant = "realign", cache = "nc"} : !odd to !other

    // NARROW: :[[#@LINE+4]]:5: remark: [Missed] vector-limit-under-16-bytes | {{.*}}Reason="{{.*}} 64 bits; {{.*}} 128"
    // PORTABLE: :[[#@LINE+3]]:5: remark: [Missed] chip-lacks-funnel-shift | {{.*}}Reason="{{.*}} sm_32 or later; got webgpu"
    // Rows of 200 bytes: their ends are as much as what is between.
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] same-memory-cheaper | {{.*}}Reason="{{.*}} lines; {{.*}} 16 bits, {{.*}}"
    tile.copy %a[%i, 0] [1, 100] to %b[%i, 0] [1, 100] scope(cta) {variant = "realign"} : !odd to !other

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] masked-fill | {{.*}}
    tile.copy %a[%i, 0] [1, 2048] to %b[%i, 0] [1, 2048] scope(cta) masked fill(%zero : f16) {variant = "realign"} : !odd to !other
    gpu.return
  }

  gpu.func @layouts(%A: memref<16376xf16>, %B: memref<8x2049xf16>, %C: memref<18xf16>, %D: memref<18xf16>, %i: index, %j: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<16376xf16> to !columns
    %w = tile.view %A : memref<16376xf16> to !swizzled
    %b = tile.view %B : memref<8x2049xf16> to !other
    %d = tile.view %A : memref<16376xf16> to !backwards
    %threes = tile.view %D : memref<18xf16> to !threes
    %fours = tile.view %C : memref<18xf16> to !fours

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] not-contiguous | {{.*}}Operand=source, Reason="{{.*}}:8; needed a row of stride 1"
    tile.copy %a[1, 0] [1, 2000] to %b[1, 0] [1, 2000] scope(cta) {variant = "realign"} : !columns to !other

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] swizzle-chunk-too-small | {{.*}}Operand=source, Reason="{{.*}} swizzled: {{.*}}"
    tile.copy %w[0, 0] [1, 2000] to %b[1, 0] [1, 2000] scope(cta) {variant = "realign"} : !swizzled to !other

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] no-common-refinement | {{.*}}Reason="{{.*}} 3 elements, {{.*}} 4; {{.*}}"
    tile.copy %threes to %fours scope(cta) {variant = "realign"} : !threes to !fours

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] mask-not-along-rows | {{.*}}Reason="{{.*}} 2000 elements by steps of -1; {{.*}} steps of 1"
    tile.copy %d[1, %i] [1, 2000] to %d[2, %j] [1, 2000] scope(cta) masked {variant = "realign"} : !backwards to !backwards
    gpu.return
  }
}
