// Transposes that are one copy each, of elements of 1, 2, 4 and 8 bytes: all accesses have 128 bits, and none has a bank conflict. Each is
// compared with a copy element by element.

// RUN: tile-run %s --entry elements_i8 --arg i8[256x128]=random:1 --arg i8[128x256]=poison --write 1=%t.i8.npy
// RUN: tile-run %s --entry blocks_i8 --schedule=all --grid 2,1 --arg i8[256x128]=random:1 --arg i8[128x256]=poison --expect 1=%t.i8.npy | FileCheck %s
// RUN: tile-run %s --entry elements_f16 --arg f16[256x128]=random:1 --arg f16[128x256]=poison --write 1=%t.f16.npy
// RUN: tile-run %s --entry blocks_f16 --schedule=all --grid 2,1 --arg f16[256x128]=random:1 --arg f16[128x256]=poison --expect 1=%t.f16.npy | FileCheck %s
// RUN: tile-run %s --entry elements_f32 --arg f32[256x128]=random:1 --arg f32[128x256]=poison --write 1=%t.f32.npy
// RUN: tile-run %s --entry blocks_f32 --schedule=all --grid 4,2 --arg f32[256x128]=random:1 --arg f32[128x256]=poison --expect 1=%t.f32.npy | FileCheck %s
// RUN: tile-run %s --entry elements_i64 --arg i64[256x128]=random:1 --arg i64[128x256]=poison --write 1=%t.i64.npy
// RUN: tile-run %s --entry blocks_i64 --schedule=all --grid 8,4 --arg i64[256x128]=random:1 --arg i64[128x256]=poison --expect 1=%t.i64.npy | FileCheck %s
// CHECK: ld.global.nc.v{{2.b64|4.b32}}
// CHECK-NEXT: ld.shared.v{{2.b64|4.b32}}{{.*}} 0{{$}}
// CHECK-NEXT: st.global.v{{2.b64|4.b32}}
// CHECK-NEXT: st.shared.v{{2.b64|4.b32}}{{.*}} 0{{$}}
// CHECK-NEXT: all instructions

// Leading dimensions that are known while the kernel runs: multiples of vectors, and any.
// RUN: tile-run %s --entry strides --schedule=all --grid 4,2 --arg f32[256x128]=iota --arg u64=128 --arg f32[128x256]=poison --arg u64=256 --write 2=%t.strides.npy | FileCheck %s
// RUN: tile-run %s --entry any_strides --schedule=all --grid 4,2 --arg f32[256x128]=iota --arg u64=128 --arg f32[128x256]=poison --arg u64=256 --expect 2=%t.strides.npy \
// RUN:   | FileCheck %s --check-prefix=WORDS
// RUN: tile-run %s --entry elements_f32 --arg f32[256x128]=iota --arg f32[128x256]=poison --expect 1=%t.strides.npy
// WORDS:      ld.shared.b32 {{.*}} 0{{$}}
// WORDS-NEXT: st.global.b32 {{.*}} 4096{{$}}
// WORDS-NEXT: st.shared.b32 {{.*}} 0{{$}}

// A tile for each warp; a tile that is used again in a loop, planned with others in what may be dynamic shared memory, too.
// RUN: tile-run %s --entry warps --schedule=all --grid 8 --arg f32[256x128]=iota --arg f32[128x256]=poison --expect 1=%t.strides.npy | FileCheck %s --check-prefix=WARPS
// RUN: tile-run %s --entry loop --schedule=all --arg f32[256x128]=iota --arg f32[128x256]=poison --expect 1=%t.strides.npy | FileCheck %s
// RUN: tile-opt %s --tile-plan-memory --tile-insert-sync -o %t.planned.mlir
// RUN: tile-run %t.planned.mlir --entry loop --schedule=all --arg f32[256x128]=iota --arg f32[128x256]=poison \
// RUN:   --expect 1=%t.strides.npy | FileCheck %s
// RUN: tile-run %s --entry beside --schedule=all --grid 4,2 --arg f32[256x128]=iota --arg f32[128x256]=poison --expect 1=%t.strides.npy
// WARPS:      ld.global.nc.v{{2.b64|4.b32}} {{.*}} 4096{{$}}
// WARPS-NEXT: ld.shared.v{{2.b64|4.b32}}{{.*}} 0{{$}}

// Regions of more than 48 KiB leave in parts, through one tile, with run-time begins.
// RUN: tile-run %s --entry parts --schedule=all --grid 2 --arg f32[256x128]=iota --arg f32[128x256]=poison --expect 1=%t.strides.npy | FileCheck %s

// Edges: both branches of a masked copy go through one tile. What is outside is filled, or left as it was.
// RUN: tile-run %s --entry masked --schedule=all --grid 3,2 --arg f32[128x192]=iota --arg f32[192x128]=poison --write 1=%t.whole.npy | FileCheck %s --check-prefix=MASKED
// RUN: tile-run %s --entry masked_apart --grid 3,2 --arg f32[128x192]=iota --arg f32[192x128]=poison --expect 1=%t.whole.npy
// RUN: tile-run %s --entry masked --schedule=all --grid 3,2 --arg f32[70x131]=iota --arg f32[131x70]=poison --write 1=%t.edges.npy | FileCheck %s --check-prefix=MASKED
// RUN: tile-run %s --entry masked_apart --grid 3,2 --arg f32[70x131]=iota --arg f32[131x70]=poison --expect 1=%t.edges.npy
// RUN: tile-run %s --entry masked_f16 --schedule=all --grid 2,2 --arg f16[200x136]=random:1 --arg f16[136x200]=poison --write 1=%t.halves.npy
// RUN: tile-run %s --entry masked_f16_apart --grid 2,2 --arg f16[200x136]=random:1 --arg f16[136x200]=poison --expect 1=%t.halves.npy
// RUN: tile-run %s --entry filled --schedule=all --arg f32[40x50]=iota --arg f32[64x64]=poison --write 1=%t.filled.npy
// RUN: tile-run %s --entry filled_apart --arg f32[40x50]=iota --arg f32[64x64]=poison --expect 1=%t.filled.npy
// RUN: tile-run %s --entry smaller --schedule=all --arg f32[40x50]=iota --arg f32[3840]=zeros --write 1=%t.smaller.npy
// RUN: tile-run %s --entry smaller_apart --arg f32[40x50]=iota --arg f32[3840]=zeros --expect 1=%t.smaller.npy
// MASKED:      ld.global.nc.b32
// MASKED-NEXT: ld.shared.b32 {{.*}} 0{{$}}
// MASKED-NEXT: st.global.b32
// MASKED-NEXT: st.shared.b32 {{.*}} 0{{$}}

// Pairs of halves to two planes: from registers, in whole lines.
// RUN: tile-run %s --entry fields --schedule=all --arg f16[1024x2]=iota --arg f16[2x1024]=poison --write 1=%t.fields.npy | FileCheck %s --check-prefix=FIELDS
// RUN: tile-run %s --entry fields_apart --arg f16[1024x2]=iota --arg f16[2x1024]=poison --expect 1=%t.fields.npy
// FIELDS:      ld.global.nc.v{{2.b64|4.b32}} {{.*}} 128{{$}}
// FIELDS-NEXT: st.global.{{b64|v2.b32|v4.b16}} {{.*}} 128{{$}}
// FIELDS-NEXT: all instructions

!matrix_i8 = !tile.buffer<256x128xi8, global>
!whole_i8 = !tile.buffer<128x256xi8, global>
!turned_i8 = !tile.buffer<256x128xi8, global, #tile.layout<(256, 128) : (1, 256)>>
!matrix_f16 = !tile.buffer<256x128xf16, global>
!whole_f16 = !tile.buffer<128x256xf16, global>
!turned_f16 = !tile.buffer<256x128xf16, global, #tile.layout<(256, 128) : (1, 256)>>
!matrix_f32 = !tile.buffer<256x128xf32, global>
!whole_f32 = !tile.buffer<128x256xf32, global>
!turned_f32 = !tile.buffer<256x128xf32, global, #tile.layout<(256, 128) : (1, 256)>>
!matrix_i64 = !tile.buffer<256x128xi64, global>
!whole_i64 = !tile.buffer<128x256xi64, global>
!turned_i64 = !tile.buffer<256x128xi64, global, #tile.layout<(256, 128) : (1, 256)>>
!rows = !tile.buffer<256x128xf32, global, #tile.layout<(256, 128) : (1@s0, 1)>>
!columns = !tile.buffer<256x128xf32, global, #tile.layout<(256, 128) : (1, 1@s0)>>
!open = !tile.buffer<?x?xf32, global>
!open_turned = !tile.buffer<?x?xf32, global, #tile.layout<(?, ?) : (1, 1@s0)>>
!edges = !tile.buffer<200x136xf16, global>
!edges_turned = !tile.buffer<200x136xf16, global, #tile.layout<(200, 136) : (1, 200)>>
!part = !tile.buffer<40x50xf32, global>
!square = !tile.buffer<64x64xf32, global, #tile.layout<(64, 64) : (1, 64)>>
!less = !tile.buffer<30x60xf32, global, #tile.layout<(30, 60) : (1, 64)>>
!pairs = !tile.buffer<1024x2xf16, global>
!planes = !tile.buffer<1024x2xf16, global, #tile.layout<(1024, 2) : (1, 1024)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @blocks_i8(%A: memref<256x128xi8>, %B: memref<128x256xi8>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<256x128xi8> to !matrix_i8
    %whole = tile.view %B : memref<128x256xi8> to !whole_i8
    %b = tile.permute %whole [1, 0] : !whole_i8 to !turned_i8
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 128 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [128, 128] to %b[%row, %column] [128, 128] scope(cta) : !matrix_i8 to !turned_i8
    gpu.return
  }
  gpu.func @elements_i8(%A: memref<256x128xi8>, %B: memref<128x256xi8>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xi8> to !matrix_i8
    %whole = tile.view %B : memref<128x256xi8> to !whole_i8
    %b = tile.permute %whole [1, 0] : !whole_i8 to !turned_i8
    tile.copy %a to %b scope(cta) {variant = "same_memory"} : !matrix_i8 to !turned_i8
    gpu.return
  }
  gpu.func @blocks_f16(%A: memref<256x128xf16>, %B: memref<128x256xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf16> to !matrix_f16
    %whole = tile.view %B : memref<128x256xf16> to !whole_f16
    %b = tile.permute %whole [1, 0] : !whole_f16 to !turned_f16
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 128 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [128, 128] to %b[%row, %column] [128, 128] scope(cta) : !matrix_f16 to !turned_f16
    gpu.return
  }
  gpu.func @elements_f16(%A: memref<256x128xf16>, %B: memref<128x256xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf16> to !matrix_f16
    %whole = tile.view %B : memref<128x256xf16> to !whole_f16
    %b = tile.permute %whole [1, 0] : !whole_f16 to !turned_f16
    tile.copy %a to %b scope(cta) {variant = "same_memory"} : !matrix_f16 to !turned_f16
    gpu.return
  }
  gpu.func @blocks_f32(%A: memref<256x128xf32>, %B: memref<128x256xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf32> to !matrix_f32
    %whole = tile.view %B : memref<128x256xf32> to !whole_f32
    %b = tile.permute %whole [1, 0] : !whole_f32 to !turned_f32
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 64 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta) : !matrix_f32 to !turned_f32
    gpu.return
  }
  gpu.func @elements_f32(%A: memref<256x128xf32>, %B: memref<128x256xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf32> to !matrix_f32
    %whole = tile.view %B : memref<128x256xf32> to !whole_f32
    %b = tile.permute %whole [1, 0] : !whole_f32 to !turned_f32
    tile.copy %a to %b scope(cta) {variant = "same_memory"} : !matrix_f32 to !turned_f32
    gpu.return
  }
  gpu.func @blocks_i64(%A: memref<256x128xi64>, %B: memref<128x256xi64>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xi64> to !matrix_i64
    %whole = tile.view %B : memref<128x256xi64> to !whole_i64
    %b = tile.permute %whole [1, 0] : !whole_i64 to !turned_i64
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 32 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [32, 32] to %b[%row, %column] [32, 32] scope(cta) : !matrix_i64 to !turned_i64
    gpu.return
  }
  gpu.func @elements_i64(%A: memref<256x128xi64>, %B: memref<128x256xi64>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xi64> to !matrix_i64
    %whole = tile.view %B : memref<128x256xi64> to !whole_i64
    %b = tile.permute %whole [1, 0] : !whole_i64 to !turned_i64
    tile.copy %a to %b scope(cta) {variant = "same_memory"} : !matrix_i64 to !turned_i64
    gpu.return
  }
  gpu.func @strides(%A: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %m: index,
      %B: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %n: index) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %lda = tile.assume %m divisible_by 4 : index
    %ldb = tile.assume %n divisible_by 4 : index
    %a = tile.view %A strides(%lda) : !llvm.ptr<1> to !rows
    %b = tile.view %B strides(%ldb) : !llvm.ptr<1> to !columns
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c64 : index
    tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta) : !rows to !columns
    gpu.return
  }
  gpu.func @any_strides(%A: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %m: index,
      %B: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %n: index) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A strides(%m) : !llvm.ptr<1> to !rows
    %b = tile.view %B strides(%n) : !llvm.ptr<1> to !columns
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c64 : index
    tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta) : !rows to !columns
    gpu.return
  }
  gpu.func @warps(%A: memref<256x128xf32>, %B: memref<128x256xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<256x128xf32> to !matrix_f32
    %whole = tile.view %B : memref<128x256xf32> to !whole_f32
    %b = tile.permute %whole [1, 0] : !whole_f32 to !turned_f32
    %x = gpu.block_id x
    %thread = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %row = arith.muli %x, %c32 : index
    %column = arith.muli %warp, %c32 : index
    tile.copy %a[%row, %column] [32, 32] to %b[%row, %column] [32, 32] scope(warp) : !matrix_f32 to !turned_f32
    gpu.return
  }
  gpu.func @loop(%A: memref<256x128xf32>, %B: memref<128x256xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf32> to !matrix_f32
    %whole = tile.view %B : memref<128x256xf32> to !whole_f32
    %b = tile.permute %whole [1, 0] : !whole_f32 to !turned_f32
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    scf.for %row = %c0 to %c256 step %c64 {
      scf.for %column = %c0 to %c128 step %c64 {
        tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta) : !matrix_f32 to !turned_f32
      }
    }
    gpu.return
  }
  gpu.func @fields(%A: memref<1024x2xf16>, %B: memref<1024x2xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<1024x2xf16> to !pairs
    %b = tile.view %B : memref<1024x2xf16> to !planes
    tile.copy %a to %b scope(cta) : !pairs to !planes
    gpu.return
  }
  gpu.func @fields_apart(%A: memref<1024x2xf16>, %B: memref<1024x2xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<1024x2xf16> to !pairs
    %b = tile.view %B : memref<1024x2xf16> to !planes
    tile.copy %a to %b scope(cta) {variant = "same_memory"} : !pairs to !planes
    gpu.return
  }
  gpu.func @masked(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<?x?xf32> to !open
    %whole = tile.view %B : memref<?x?xf32> to !open
    %b = tile.permute %whole [1, 0] : !open to !open_turned
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %column = arith.muli %x, %c64 : index
    tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta) masked : !open to !open_turned
    gpu.return
  }
  gpu.func @masked_f16(%A: memref<200x136xf16>, %B: memref<200x136xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<200x136xf16> to !edges
    %b = tile.view %B : memref<200x136xf16> to !edges_turned
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c128 = arith.constant 128 : index
    %row = arith.muli %y, %c128 : index
    %column = arith.muli %x, %c128 : index
    tile.copy %a[%row, %column] [128, 128] to %b[%row, %column] [128, 128] scope(cta) masked : !edges to !edges_turned
    gpu.return
  }
  gpu.func @filled(%A: memref<40x50xf32>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<40x50xf32> to !part
    %b = tile.view %B : memref<64x64xf32> to !square
    %one = arith.constant 1.0 : f32
    tile.copy %a[0, 0] [64, 64] to %b scope(cta) masked fill(%one : f32) : !part to !square
    gpu.return
  }
  // Each side ends where the other goes on.
  gpu.func @smaller(%A: memref<40x50xf32>, %B: memref<3840xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<40x50xf32> to !part
    %b = tile.view %B : memref<3840xf32> to !less
    tile.copy %a[0, 0] [64, 64] to %b[0, 0] [64, 64] scope(cta) masked : !part to !less
    gpu.return
  }
  gpu.func @masked_apart(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<?x?xf32> to !open
    %whole = tile.view %B : memref<?x?xf32> to !open
    %b = tile.permute %whole [1, 0] : !open to !open_turned
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %column = arith.muli %x, %c64 : index
    tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta) masked {variant = "same_memory"} : !open to !open_turned
    gpu.return
  }
  gpu.func @masked_f16_apart(%A: memref<200x136xf16>, %B: memref<200x136xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<200x136xf16> to !edges
    %b = tile.view %B : memref<200x136xf16> to !edges_turned
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c128 = arith.constant 128 : index
    %row = arith.muli %y, %c128 : index
    %column = arith.muli %x, %c128 : index
    tile.copy %a[%row, %column] [128, 128] to %b[%row, %column] [128, 128] scope(cta) masked {variant = "same_memory"} : !edges to !edges_turned
    gpu.return
  }
  gpu.func @filled_apart(%A: memref<40x50xf32>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<40x50xf32> to !part
    %b = tile.view %B : memref<64x64xf32> to !square
    %one = arith.constant 1.0 : f32
    tile.copy %a[0, 0] [64, 64] to %b scope(cta) masked fill(%one : f32) {variant = "same_memory"} : !part to !square
    gpu.return
  }
  // Each side ends where the other goes on.
  gpu.func @smaller_apart(%A: memref<40x50xf32>, %B: memref<3840xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<40x50xf32> to !part
    %b = tile.view %B : memref<3840xf32> to !less
    tile.copy %a[0, 0] [64, 64] to %b[0, 0] [64, 64] scope(cta) masked {variant = "same_memory"} : !part to !less
    gpu.return
  }
  // The tile of the copy, beside one that leaves it no static memory.
  gpu.func @beside(%A: memref<256x128xf32>, %B: memref<128x256xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf32> to !matrix_f32
    %whole = tile.view %B : memref<128x256xf32> to !whole_f32
    %b = tile.permute %whole [1, 0] : !whole_f32 to !turned_f32
    %s = tile.alloc : !tile.buffer<160x64xf32, shared>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c64 : index
    tile.copy %a[%row, %column] [64, 64] to %s[0, 0] [64, 64] scope(cta) : !matrix_f32 to !tile.buffer<160x64xf32, shared>
    tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta) : !matrix_f32 to !turned_f32
    tile.copy %s[0, 0] [64, 64] to %b[%row, %column] [64, 64] scope(cta) : !tile.buffer<160x64xf32, shared> to !turned_f32
    gpu.return
  }
  gpu.func @parts(%A: memref<256x128xf32>, %B: memref<128x256xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf32> to !matrix_f32
    %whole = tile.view %B : memref<128x256xf32> to !whole_f32
    %b = tile.permute %whole [1, 0] : !whole_f32 to !turned_f32
    %x = gpu.block_id x
    %c128 = arith.constant 128 : index
    %row = arith.muli %x, %c128 : index
    tile.copy %a[%row, 0] [128, 128] to %b[%row, 0] [128, 128] scope(cta) : !matrix_f32 to !turned_f32
    gpu.return
  }
}
