// Every reason for which realign declines a copy that the verifier accepts. Forcing the variant makes each an error; the remark has the
// cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:
// RUN: not tile-opt %s --tile-align-layouts=max-vector-bits=64 -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NARROW
// RUN: not tile-opt %s --tile-align-layouts=variants=realign_reg -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STEPS
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
!whole = !tile.buffer<1x2048xf16, global>
!tall = !tile.buffer<16x2049xf16, global>
!tile = !tile.buffer<1x2048xf16, shared>
!runs = !tile.buffer<1x2048xf16, local, #tile.layout<(1, 128, 16) : (1, 1@tx, 1)>>
!neighbours = !tile.buffer<1x2048xf16, local, #tile.layout<(1, 16, 128) : (1, 1, 1@tx)>>
!fours_each = !tile.buffer<1x512xf16, local, #tile.layout<(1, 128, 4) : (1, 1@tx, 1)>>
!large = !tile.buffer<16x2048xf16, local, #tile.layout<(16, 128, 16) : (16, 1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copies(%A: memref<8x2047xf16>, %B: memref<8x2049xf16>, %C: memref<8x2049xf32>, %i: index, %W: memref<1x2048xf16>, %T: memref<16x2049xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<8x2047xf16> to !odd
    %b = tile.view %B : memref<8x2049xf16> to !other
    %c = tile.view %C : memref<8x2049xf32> to !floats
    %s = tile.alloc : !shared
    %w = tile.view %W : memref<1x2048xf16> to !whole
    %tall = tile.view %T : memref<16x2049xf16> to !tall
    %t = tile.alloc : !tile
    %t2 = tile.alloc : !tile
    %r = tile.alloc : !runs
    %n = tile.alloc : !neighbours
    %f = tile.alloc : !fours_each
    %l = tile.alloc : !large
    %zero = arith.constant 0.0 : f16

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=shared dst=shared; {{.*}} global -> global, global -> shared, shared -> global"
    tile.copy %t to %t2 scope(cta) {variant = "realign"} : !tile to !tile

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] elements-cheaper | {{.*}}Reason="{{.*}} lines; needed two thirds of vectors of 16 bits, {{.*}}"
    tile.copy %a[1, 0] [1, 2000] to %s scope(cta) {variant = "realign"} : !odd to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] rows-aligned | {{.*}}Reason="rows of both sides begin at multiples of 8 bytes; needed rows that begin anywhere"
    tile.copy %w to %t scope(cta) {variant = "realign"} : !whole to !tile

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] registers-kept | {{.*}}Reason="registers outside of the mask keep what they have; needed a fill"
    tile.copy %a[%i, 0] [1, 2048] to %r scope(cta) masked {variant = "realign_reg"} : !odd to !runs

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] wide-vectors | {{.*}}Reason="vectors of registers have 128 bits; needed less than 32"
    tile.copy %w to %r scope(cta) {variant = "realign_reg"} : !whole to !runs

    // STEPS: :[[#@LINE+1]]:5: remark: [Missed] realign-not-reached | {{.*}}Reason="a step through shared memory: {{.*}}"
    tile.copy %r to %b[1, 0] [1, 2048] scope(cta) {variant = "realign_reg"} : !runs to !other

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] few-accesses | {{.*}}Reason="a thread has 4 vectors; needed 8 or more"
    tile.copy %a[1, 0] [1, 512] to %f scope(cta) {variant = "realign_reg"} : !odd to !fours_each

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] reg-cheaper | {{.*}}Reason="chunks through shared memory take {{.*}}; needed half of what elements take, {{.*}}"
    tile.copy %b[1, 0] [1, 2048] to %n scope(cta) {variant = "realign_reg"} : !other to !neighbours

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scratch-too-large | {{.*}}Reason="the tiles of a block take 65536 bytes; needed 49152 at most"
    tile.copy %tall[0, 0] [16, 2048] to %l scope(cta) {variant = "realign_reg"} : !tall to !large

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
