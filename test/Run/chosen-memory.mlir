// Memory that is chosen at run time: by selects, branches and loops, or through pointers of unknown origin. What threads and
// iterations choose differently is not one object; what all threads choose alike is, and overlaps with each that may be chosen.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry selects --arg f32[64]=zeros 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry branches --arg f32[64]=zeros 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry carries --arg f32[64]=zeros 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry points --arg f32[64]=zeros 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry loads --arg f32[64]=zeros 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry steps --arg f32[64]=zeros 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry tiles --arg f32[64]=zeros --schedule all 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry either_is_read --arg f32[64]=random --arg f32[64]=poison --arg i32=1 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: race
// RUN: tile-opt %s --tile-insert-sync -o %t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t.mlir --entry selects --schedule all --arg f32[64]=zeros
// RUN: tile-run %t.mlir --entry branches --schedule all --arg f32[64]=zeros
// RUN: tile-run %t.mlir --entry carries --schedule all --arg f32[64]=zeros
// RUN: tile-run %t.mlir --entry points --schedule all --arg f32[64]=zeros
// RUN: tile-run %t.mlir --entry loads --schedule all --arg f32[64]=zeros
// RUN: tile-run %t.mlir --entry steps --schedule all --arg f32[64]=zeros
// RUN: tile-run %t.mlir --entry tiles --schedule all --arg f32[64]=zeros
// RUN: tile-run %t.mlir --entry either_is_read --schedule all --arg f32[64]=random --arg f32[64]=poison --arg i32=0 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry either_is_read --schedule all --arg f32[64]=random --arg f32[64]=poison --arg i32=1 --expect-equal 0,1
// RUN: tile-run %s --entry either --schedule all --arg f32[64]=random --arg f32[64]=poison --arg i32=0 --expect-equal 0,1
// RUN: tile-run %s --entry either --schedule all --arg f32[64]=random --arg f32[64]=poison --arg i32=1 --expect-equal 0,1
// RUN: tile-run %s --entry turns --schedule all --arg f32[4x64]=random --arg f32[4x64]=poison --expect-equal 0,1
// RUN: tile-run %s --entry exchanges --schedule all --arg f32[4x64]=random --arg f32[4x64]=poison --expect-equal 0,1
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry exchanges_early --schedule all --arg f32[4x64]=random --arg f32[4x64]=poison 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: tile-run %t.mlir --entry exchanges_early --schedule all --arg f32[4x64]=random --arg f32[4x64]=poison --expect-equal 0,1
// RUN: tile-run %s --entry own --schedule all --arg f32[64]=zeros

!whole = memref<256xf32, #gpu.address_space<workgroup>>
!part = memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
!global = !tile.buffer<64xf32, global>
!four = !tile.buffer<4x64xf32, global>
!shared = !tile.buffer<256xf32, shared>
!half = !tile.buffer<128xf32, shared>
!row = !tile.buffer<64xf32, shared>
!turned = !tile.buffer<8x8xf32, shared, #tile.layout<(8, 8) : (1, 8)>>
!square = !tile.buffer<8x8xf32, shared>
!values = !tile.buffer<64xf32, local, #tile.layout<(64) : (1@tx)>>
!one = !tile.buffer<1x64xf32, shared>
!spread = !tile.buffer<1x64xf32, local, #tile.layout<(1, 8, 8) : (1, 1@tx, 8@tx)>>
!mixed = !tile.buffer<64xf32, local, #tile.layout<(8, 8) : (1@tx, 8@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Thread 0 writes element 33 of %S, thread 33 reads it.
  gpu.func @selects(%B: memref<64xf32>) workgroup(%S : !whole {llvm.align = 16 : i64}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %t, %c0 : index
    memref.store %z, %S[%t] : !whole
    gpu.barrier
    %a = memref.subview %S[0] [64] [1] : !whole to memref<64xf32, strided<[1]>, #gpu.address_space<workgroup>>
    %b = memref.subview %S[33] [64] [1] : !whole to memref<64xf32, strided<[1], offset: 33>, #gpu.address_space<workgroup>>
    %p = memref.cast %a : memref<64xf32, strided<[1]>, #gpu.address_space<workgroup>> to !part
    %q = memref.cast %b : memref<64xf32, strided<[1], offset: 33>, #gpu.address_space<workgroup>> to !part
    %own = arith.select %is_first, %q, %p : !part
    scf.if %is_first {
      // expected-note @below {{writes it here}}
      memref.store %z, %own[%c0] : !part
    }
    // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two}}
    // expected-note @below {{gpu.barrier}}
    %v = memref.load %own[%t] : !part
    memref.store %v, %B[%t] : memref<64xf32>
    gpu.return
  }

  gpu.func @branches(%B: memref<64xf32>) workgroup(%S : !whole {llvm.align = 16 : i64}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %t, %c0 : index
    memref.store %z, %S[%t] : !whole
    gpu.barrier
    %own = scf.if %is_first -> !part {
      %b = memref.subview %S[33] [64] [1] : !whole to memref<64xf32, strided<[1], offset: 33>, #gpu.address_space<workgroup>>
      %q = memref.cast %b : memref<64xf32, strided<[1], offset: 33>, #gpu.address_space<workgroup>> to !part
      scf.yield %q : !part
    } else {
      %a = memref.subview %S[0] [64] [1] : !whole to memref<64xf32, strided<[1]>, #gpu.address_space<workgroup>>
      %p = memref.cast %a : memref<64xf32, strided<[1]>, #gpu.address_space<workgroup>> to !part
      scf.yield %p : !part
    }
    scf.if %is_first {
      // expected-note @below {{writes it here}}
      memref.store %z, %own[%c0] : !part
    }
    // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two}}
    // expected-note @below {{gpu.barrier}}
    %v = memref.load %own[%t] : !part
    memref.store %v, %B[%t] : memref<64xf32>
    gpu.return
  }

  // The memref is another one in the second iteration: element 0 there is element 33 of the first.
  gpu.func @carries(%B: memref<64xf32>) workgroup(%S : !whole {llvm.align = 16 : i64}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %z = arith.constant 1.0 : f32
    %is_first = arith.cmpi eq, %t, %c0 : index
    %beyond = arith.addi %t, %c64 : index
    memref.store %z, %S[%t] : !whole
    memref.store %z, %S[%beyond] : !whole
    gpu.barrier
    %a = memref.subview %S[0] [64] [1] : !whole to memref<64xf32, strided<[1]>, #gpu.address_space<workgroup>>
    %b = memref.subview %S[33] [64] [1] : !whole to memref<64xf32, strided<[1], offset: 33>, #gpu.address_space<workgroup>>
    %p = memref.cast %a : memref<64xf32, strided<[1]>, #gpu.address_space<workgroup>> to !part
    %q = memref.cast %b : memref<64xf32, strided<[1], offset: 33>, #gpu.address_space<workgroup>> to !part
    %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%own = %p, %sum = %z) -> (!part, f32) {
      // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-note @below {{gpu.barrier}}
      // expected-note @below {{reads it here}}
      %v = memref.load %own[%t] : !part
      %more = arith.addf %sum, %v : f32
      scf.if %is_first {
        // expected-error @below {{writes shared memory that an earlier operation may read, and nothing orders the two in a later iteration}}
        // expected-note @below {{gpu.barrier}}
        // expected-note @below {{writes it here}}
        memref.store %z, %own[%c0] : !part
      }
      scf.yield %q, %more : !part, f32
    }
    memref.store %last#1, %B[%t] : memref<64xf32>
    gpu.return
  }

  // A pointer that each thread computes from a number.
  gpu.func @points(%B: memref<64xf32>) workgroup(%S : !whole {llvm.align = 16 : i64}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : i64
    %z = arith.constant 1.0 : f32
    %s = tile.view %S : !whole to !shared
    %begin = tile.parts %s : !shared to !llvm.ptr<3>
    %number = llvm.ptrtoint %begin : !llvm.ptr<3> to i64
    %thread = arith.index_cast %t : index to i64
    %bytes = arith.muli %thread, %c4 : i64
    %address = arith.addi %number, %bytes : i64
    %own = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    memref.store %z, %S[%t] : !whole
    gpu.barrier
    %is_first = arith.cmpi eq, %t, %c0 : index
    scf.if %is_first {
      %other = llvm.getelementptr %own[33] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      // expected-note @below {{writes it here}}
      llvm.store %z, %other : f32, !llvm.ptr<3>
    }
    // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two}}
    // expected-note @below {{gpu.barrier}}
    %v = llvm.load %own : !llvm.ptr<3> -> f32
    memref.store %v, %B[%t] : memref<64xf32>
    gpu.return
  }

  // A pointer that each thread loads.
  gpu.func @loads(%B: memref<64xf32>)
      workgroup(%S : !whole {llvm.align = 16 : i64}, %P : memref<64xi64, #gpu.address_space<workgroup>>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 1.0 : f32
    %s = tile.view %S : !whole to !shared
    %begin = tile.parts %s : !shared to !llvm.ptr<3>
    %thread = arith.index_cast %t : index to i64
    %at = llvm.getelementptr %begin[%thread] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    %address = llvm.ptrtoint %at : !llvm.ptr<3> to i64
    memref.store %address, %P[%t] : memref<64xi64, #gpu.address_space<workgroup>>
    memref.store %z, %S[%t] : !whole
    gpu.barrier
    %loaded = memref.load %P[%t] : memref<64xi64, #gpu.address_space<workgroup>>
    gpu.barrier
    %own = llvm.inttoptr %loaded : i64 to !llvm.ptr<3>
    %is_first = arith.cmpi eq, %t, %c0 : index
    scf.if %is_first {
      %other = llvm.getelementptr %own[33] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      // expected-note @below {{writes it here}}
      llvm.store %z, %other : f32, !llvm.ptr<3>
    }
    // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two}}
    // expected-note @below {{gpu.barrier}}
    %v = llvm.load %own : !llvm.ptr<3> -> f32
    memref.store %v, %B[%t] : memref<64xf32>
    gpu.return
  }

  // A pointer that a loop moves on: element 8 of an iteration is element 0 of the next.
  gpu.func @steps(%B: memref<64xf32>) workgroup(%S : !whole {llvm.align = 16 : i64}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %z = arith.constant 1.0 : f32
    %s = tile.view %S : !whole to !shared
    %begin = tile.parts %s : !shared to !llvm.ptr<3>
    memref.store %z, %S[%t] : !whole
    gpu.barrier
    %is_first = arith.cmpi eq, %t, %c0 : index
    %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%own = %begin, %sum = %z) -> (!llvm.ptr<3>, f32) {
      %next = llvm.getelementptr %own[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      scf.if %is_first {
        // expected-error @below {{writes shared memory that an earlier operation may read, and nothing orders the two in a later iteration}}
        // expected-note @below {{gpu.barrier}}
        // expected-note @below {{writes it here}}
        llvm.store %z, %next : f32, !llvm.ptr<3>
      }
      // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-note @below {{gpu.barrier}}
      // expected-note @below {{reads it here}}
      %v = llvm.load %own : !llvm.ptr<3> -> f32
      %more = arith.addf %sum, %v : f32
      scf.yield %next, %more : !llvm.ptr<3>, f32
    }
    memref.store %last#1, %B[%t] : memref<64xf32>
    gpu.return
  }

  // Two windows of one tile, which change places.
  gpu.func @tiles(%B: memref<64xf32>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %z = arith.constant 1.0 : f32
    %b = tile.view %B : memref<64xf32> to !global
    %s = tile.alloc : !shared
    %r = tile.alloc : !values
    tile.fill %z to %s scope(cta) : f32 to !shared
    gpu.barrier
    %first = tile.subview %s[0] [128] : !shared to !half
    %second = tile.subview %s[32] [128] : !shared to !half
    %last:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %first, %q = %second) -> (!half, !half) {
      // expected-error @below {{writes shared memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-error @below {{writes shared memory that an earlier operation may read, and nothing orders the two in a later iteration}}
      // expected-note @below {{gpu.barrier}}
      // expected-note @below {{writes it here}}
      tile.fill %z to %p[0] [64] scope(cta) : f32 to !half
      // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-note @below {{gpu.barrier}}
      // expected-note @below {{reads it here}}
      tile.copy %p[64] [64] to %r scope(cta) : !half to !values
      scf.yield %q, %p : !half, !half
    }
    tile.copy %r to %b scope(cta) : !values to !global
    gpu.return
  }

  // All threads choose the same tile.
  gpu.func @either(%A: memref<64xf32>, %B: memref<64xf32>, %number: i32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %which = arith.trunci %number : i32 to i1
    %a = tile.view %A : memref<64xf32> to !global
    %b = tile.view %B : memref<64xf32> to !global
    %s = tile.alloc : !square
    %t = tile.alloc : !square
    %p = scf.if %which -> !square { scf.yield %s : !square } else { scf.yield %t : !square }
    %row = tile.reshape %p : !square to !row
    tile.copy %a to %row scope(cta) : !global to !row
    gpu.barrier
    %turned = tile.permute %p [1, 0] : !square to !turned
    %back = tile.permute %turned [1, 0] : !turned to !square
    %same = tile.reshape %back : !square to !row
    tile.copy %same to %b scope(cta) : !row to !global
    gpu.return
  }

  // One of the two is written directly, and read as one of the two.
  gpu.func @either_is_read(%A: memref<64xf32>, %B: memref<64xf32>, %number: i32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %which = arith.trunci %number : i32 to i1
    %a = tile.view %A : memref<64xf32> to !global
    %b = tile.view %B : memref<64xf32> to !global
    %r = tile.alloc : !mixed
    %s = tile.alloc : !row
    %t = tile.alloc : !row
    // expected-note @below {{writes it here}}
    tile.copy %a to %s scope(cta) : !global to !row
    // expected-note @below {{writes it here}}
    tile.copy %a to %t scope(cta) : !global to !row
    %p = arith.select %which, %s, %t : !row
    // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two}}
    // expected-note @below {{gpu.barrier}}
    tile.copy %p to %r scope(cta) : !row to !mixed
    tile.copy %r to %b scope(cta) : !mixed to !global
    gpu.return
  }

  // Two tiles in turn: within an iteration they are distinct.
  gpu.func @turns(%A: memref<4x64xf32>, %B: memref<4x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = tile.view %A : memref<4x64xf32> to !four
    %b = tile.view %B : memref<4x64xf32> to !four
    %s = tile.alloc : !row
    %t = tile.alloc : !row
    %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %s, %q = %t) -> (!row, !row) {
      %from = tile.subview %a[%i, 0] [1, 64] : !four to !tile.buffer<1x64xf32, global, #tile.layout<(1, 64) : (64, 1)>>
      %row = tile.reshape %from : !tile.buffer<1x64xf32, global, #tile.layout<(1, 64) : (64, 1)>> to !global
      tile.copy %row to %p scope(cta) : !global to !row
      gpu.barrier
      %to = tile.subview %b[%i, 0] [1, 64] : !four to !tile.buffer<1x64xf32, global, #tile.layout<(1, 64) : (64, 1)>>
      %out = tile.reshape %to : !tile.buffer<1x64xf32, global, #tile.layout<(1, 64) : (64, 1)>> to !global
      tile.copy %p to %out scope(cta) : !row to !global
      gpu.barrier
      scf.yield %q, %p : !row, !row
    }
    gpu.return
  }

  // Two tiles that the loop exchanges are distinct in each iteration: one is written while the other is read.
  gpu.func @exchanges(%A: memref<4x64xf32>, %B: memref<4x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a = tile.view %A : memref<4x64xf32> to !four
    %b = tile.view %B : memref<4x64xf32> to !four
    %s = tile.alloc : !one
    %t = tile.alloc : !one
    %r = tile.alloc : !spread
    tile.copy %a[0, 0] [1, 64] to %s scope(cta) : !four to !one
    gpu.barrier
    %last:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %s, %q = %t) -> (!one, !one) {
      %j = arith.addi %i, %c1 : index
      tile.copy %a[%j, 0] [1, 64] to %q scope(cta) : !four to !one
      tile.copy %p to %r scope(cta) : !one to !spread
      tile.copy %r to %b[%i, 0] [1, 64] scope(cta) : !spread to !four
      gpu.barrier
      scf.yield %q, %p : !one, !one
    }
    gpu.barrier
    tile.copy %last#0 to %r scope(cta) : !one to !spread
    tile.copy %r to %b[3, 0] [1, 64] scope(cta) : !spread to !four
    gpu.return
  }

  // The next iteration reads what this one writes.
  gpu.func @exchanges_early(%A: memref<4x64xf32>, %B: memref<4x64xf32>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a = tile.view %A : memref<4x64xf32> to !four
    %b = tile.view %B : memref<4x64xf32> to !four
    %s = tile.alloc : !one
    %t = tile.alloc : !one
    %r = tile.alloc : !spread
    tile.copy %a[0, 0] [1, 64] to %s scope(cta) : !four to !one
    gpu.barrier
    %last:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %s, %q = %t) -> (!one, !one) {
      %j = arith.addi %i, %c1 : index
      // expected-error @below {{writes shared memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-error @below {{writes shared memory that an earlier operation may read, and nothing orders the two in a later iteration}}
      // expected-note @below {{gpu.barrier}}
      // expected-note @below {{writes it here}}
      tile.copy %a[%j, 0] [1, 64] to %q scope(cta) : !four to !one
      // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-note @below {{gpu.barrier}}
      // expected-note @below {{reads it here}}
      tile.copy %p to %r scope(cta) : !one to !spread
      tile.copy %r to %b[%i, 0] [1, 64] scope(cta) : !spread to !four
      scf.yield %q, %p : !one, !one
    }
    gpu.barrier
    tile.copy %last#0 to %r scope(cta) : !one to !spread
    tile.copy %r to %b[3, 0] [1, 64] scope(cta) : !spread to !four
    gpu.return
  }

  // Private memory, whichever it is.
  gpu.func @private(%B: memref<64xf32>, %number: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %which = arith.trunci %number : i32 to i1
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %z = arith.constant 1.0 : f32
    gpu.barrier
    %first = memref.alloca() : memref<4xf32>
    %second = memref.alloca() : memref<4xf32>
    %own = arith.select %which, %first, %second : memref<4xf32>
    memref.store %z, %own[%c0] : memref<4xf32>
    %v = memref.load %own[%c0] : memref<4xf32>
    memref.store %v, %B[%t] : memref<64xf32>
    gpu.return
  }

  // A pointer that the loop hands on unchanged is that pointer.
  gpu.func @own(%B: memref<64xf32>) workgroup(%S : !whole {llvm.align = 16 : i64}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %z = arith.constant 1.0 : f32
    %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%own = %S, %sum = %z) -> (!whole, f32) {
      memref.store %sum, %own[%t] : !whole
      %v = memref.load %S[%t] : !whole
      %more = arith.addf %sum, %v : f32
      scf.yield %own, %more : !whole, f32
    }
    memref.store %last#1, %B[%t] : memref<64xf32>
    gpu.return
  }
}
