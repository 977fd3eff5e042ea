// Lanes that exchange vectors between registers and global memory: the result is correct under every schedule, each
// sector is accessed once, and nothing races.

// RUN: tile-run %s --entry first_warp_stores --schedule=all --arg f32[32x8]=random --arg f32[32x8]=poison \
// RUN:   --expect-equal 0,1 --expect-unchanged 0 | FileCheck %s --check-prefixes=RIGHT,FIRST
// RUN: tile-run %s --entry windows --grid 2 --schedule=all --arg f64[128x48]=random --arg f64[128x48]=poison \
// RUN:   --expect-equal 0,1 | FileCheck %s --check-prefixes=RIGHT,WINDOWS
// RUN: tile-run %s --entry one_of_two_warps --schedule=all --arg u8[32x64]=random --arg u8[32x64]=poison \
// RUN:   --expect-equal 0,1 | FileCheck %s --check-prefixes=RIGHT,ONE
// RUN: tile-run %s --entry long_rows --schedule=all --arg f16[128x128]=random --arg f16[128x128]=poison \
// RUN:   --expect-equal 0,1 | FileCheck %s --check-prefixes=RIGHT,LONG
// RUN: tile-run %s --entry through_the_read_only_cache --schedule=all --arg f32[32x16]=random \
// RUN:   --arg f32[32x16]=poison --expect-equal 0,1 | FileCheck %s --check-prefixes=RIGHT,CACHE
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

// RIGHT: schedule fair: argument 1 holds what argument 0 holds
// RIGHT: schedule random:0: argument 1 holds what argument 0 holds
// RIGHT: schedule one-block-at-a-time: argument 1 holds what argument 0 holds
// RIGHT: schedule reversed: argument 1 holds what argument 0 holds
// RIGHT: schedule starve:0: argument 1 holds what argument 0 holds

!wide = !tile.buffer<128x48xf64, global>
!near = !tile.buffer<64x16xf64, local, #tile.layout<(64, 16) : (1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Four warps hold the same rows: all of them load, and the first one stores.
  // FIRST: ld.global{{.*}}.v4.b32 8 4096 128{{$}}
  // FIRST-NEXT: st.global.v4.b32 2 1024 32{{$}}
  gpu.func @first_warp_stores(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %b = tile.view %B : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %a to %r scope(cta)
      : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %r to %b scope(cta)
      : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to !tile.buffer<32x8xf32, global>
    gpu.return
  }

  // Three adjacent windows of wider rows, starting at a row that depends on the block id.
  // WINDOWS: ld.global{{.*}}.v4.b32 96 49152 1536{{$}}
  // WINDOWS-NEXT: st.global.v4.b32 96 49152 1536{{$}}
  gpu.func @windows(%A: memref<128x48xf64>, %B: memref<128x48xf64>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %height = arith.constant 64 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<128x48xf64> to !wide
    %b = tile.view %B : memref<128x48xf64> to !wide
    %r = tile.alloc : !near
    tile.copy %a[%row, 0] [64, 16] to %r[0, 0] [64, 16] scope(cta) : !wide to !near
    tile.copy %r[0, 0] [64, 16] to %b[%row, 0] [64, 16] scope(cta) : !near to !wide
    tile.copy %a[%row, 16] [64, 16] to %r[0, 0] [64, 16] scope(cta) : !wide to !near
    tile.copy %r[0, 0] [64, 16] to %b[%row, 16] [64, 16] scope(cta) : !near to !wide
    tile.copy %a[%row, 32] [64, 16] to %r[0, 0] [64, 16] scope(cta) : !wide to !near
    tile.copy %r[0, 0] [64, 16] to %b[%row, 32] [64, 16] scope(cta) : !near to !wide
    gpu.return
  }

  // ONE: ld.global{{.*}}.v4.b32 4 2048 64{{$}}
  // ONE-NEXT: st.global.v4.b32 4 2048 64{{$}}
  gpu.func @one_of_two_warps(%A: memref<32x64xi8>, %B: memref<32x64xi8>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x64xi8> to !tile.buffer<32x64xi8, global>
    %b = tile.view %B : memref<32x64xi8> to !tile.buffer<32x64xi8, global>
    %x = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %second = arith.cmpi uge, %x, %c32 : index
    scf.if %second {
      %r = tile.alloc : !tile.buffer<32x64xi8, local, #tile.layout<(32, 64) : (1@laneid, 1)>>
      tile.copy %a to %r scope(warp)
        : !tile.buffer<32x64xi8, global> to !tile.buffer<32x64xi8, local, #tile.layout<(32, 64) : (1@laneid, 1)>>
      tile.copy %r to %b scope(warp)
        : !tile.buffer<32x64xi8, local, #tile.layout<(32, 64) : (1@laneid, 1)>> to !tile.buffer<32x64xi8, global>
    }
    gpu.return
  }

  // Rows of 256 bytes: two batches of 8 rounds, each exchanged by itself.
  // LONG: ld.global{{.*}}.v4.b32 64 32768 1024{{$}}
  // LONG-NEXT: st.global.v4.b32 64 32768 1024{{$}}
  gpu.func @long_rows(%A: memref<128x128xf16>, %B: memref<128x128xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf16> to !tile.buffer<128x128xf16, global>
    %b = tile.view %B : memref<128x128xf16> to !tile.buffer<128x128xf16, global>
    %r = tile.alloc : !tile.buffer<128x128xf16, local, #tile.layout<(128, 128) : (1@tid_in_wg, 1)>>
    tile.copy %a to %r scope(warpgroup) : !tile.buffer<128x128xf16, global>
      to !tile.buffer<128x128xf16, local, #tile.layout<(128, 128) : (1@tid_in_wg, 1)>>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x128xf16, local, #tile.layout<(128, 128) : (1@tid_in_wg, 1)>>
      to !tile.buffer<128x128xf16, global>
    gpu.return
  }

  // CACHE: ld.global.nc.v4.{{[bu]}}32 4 2048 64{{$}}
  // CACHE-NEXT: st.global.v4.b32 4 2048 64{{$}}
  gpu.func @through_the_read_only_cache(%A: memref<32x16xf32>, %B: memref<32x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x16xf32> to !tile.buffer<32x16xf32, global>
    %b = tile.view %B : memref<32x16xf32> to !tile.buffer<32x16xf32, global>
    %r = tile.alloc : !tile.buffer<32x16xf32, local, #tile.layout<(32, 16) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp) {cache = "nc"}
      : !tile.buffer<32x16xf32, global> to !tile.buffer<32x16xf32, local, #tile.layout<(32, 16) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<32x16xf32, local, #tile.layout<(32, 16) : (1@laneid, 1)>> to !tile.buffer<32x16xf32, global>
    gpu.return
  }
}

// The same number of accesses as without the exchange, all of 128 bits, and no local memory.
// SASS-LABEL: kernel first_warp_stores
// SASS:       LDG.E.128: 2
// SASS:       STG.E.128: 2
// SASS:       SHFL: 8
// SASS-LABEL: kernel long_rows
// SASS:       LDG.E.128: 16
// SASS:       STG.E.128: 16
// SASS:       SHFL: 192
