// Accesses of masked copies, which take one of two paths, and of loops with a run-time trip count.
// RUN: tile-opt %s --tile-check-sync --split-input-file --verify-diagnostics -o /dev/null

!global = !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (72, 1)>>
!result = !tile.buffer<16x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>
gpu.module @masked [#nvvm.target<chip = "sm_90a">] {
  // Vectors inside, single elements at the edge, which other threads copy: the whole block takes one of the two paths.
  gpu.func @right(%A: memref<?x?xf16, strided<[72, 1]>>, %B: memref<16x64xf16>, %row: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16, strided<[72, 1]>> to !global
    %b = tile.view %B : memref<16x64xf16> to !result
    %s = tile.alloc : !shared
    tile.copy %a[%row, 0] [32, 64] to %s scope(cta) masked : !global to !shared
    gpu.barrier
    tile.copy %s[4, 0] [16, 64] to %b[0, 0] [16, 64] scope(cta) : !shared to !result
    gpu.return
  }

  gpu.func @wrong(%A: memref<?x?xf16, strided<[72, 1]>>, %B: memref<16x64xf16>, %row: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16, strided<[72, 1]>> to !global
    %b = tile.view %B : memref<16x64xf16> to !result
    %s = tile.alloc : !shared
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %a[%row, 0] [32, 64] to %s scope(cta) masked : !global to !shared
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{between the two, this orders them: gpu.barrier}}
    tile.copy %s[4, 0] [16, 64] to %b[0, 0] [16, 64] scope(cta) : !shared to !result
    gpu.return
  }

  // One iteration may be inside and the next one at the edge.
  gpu.func @around(%A: memref<?x?xf16, strided<[72, 1]>>, %rows: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<?x?xf16, strided<[72, 1]>> to !global
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      // expected-error @below {{writes shared memory that an earlier operation writes, and nothing orders the two}}
      // expected-note @below {{between the two, this orders them: gpu.barrier}}
      tile.copy %a[%row, 0] [32, 64] to %s scope(cta) masked : !global to !shared
    }
    gpu.return
  }
}

// -----

!row = !tile.buffer<64x64xf16, shared>
!global = !tile.buffer<64x64xf16, global>
gpu.module @moving [#nvvm.target<chip = "sm_90a">] {
  // Each iteration reads row 0; rows from 1 on are written.
  gpu.func @right(%A: memref<64x64xf16>, %rows: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : index
    %a = tile.view %A : memref<64x64xf16> to !global
    %s = tile.alloc : !row
    scf.for %row = %c1 to %rows step %c1 {
      tile.copy %s[0, 0] [1, 64] to %a[0, 0] [1, 64] scope(cta) : !row to !global
      tile.copy %a[1, 0] [1, 64] to %s[%row, 0] [1, 64] scope(cta) : !global to !row
      gpu.barrier
    }
    gpu.return
  }

  gpu.func @wrong(%A: memref<64x64xf16>, %rows: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.view %A : memref<64x64xf16> to !global
    %s = tile.alloc : !row
    scf.for %row = %c0 to %rows step %c1 {
      // expected-note @below {{'tile.copy' reads it here}}
      tile.copy %s[4, 0] [1, 64] to %a[0, 0] [1, 64] scope(cta) : !row to !global
      // expected-error @below {{writes shared memory that an earlier operation reads, and nothing orders the two}}
      // expected-note @below {{between the two, this orders them: gpu.barrier}}
      tile.copy %a[1, 0] [1, 32] to %s[%row, 8] [1, 32] scope(cta) : !global to !row
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// The result of a loop is what it carries after as many iterations as all threads make, or nothing is known of it.
gpu.module @results [#nvvm.target<chip = "sm_90a">] {
  gpu.func @alike() workgroup(%s: memref<192xf32, 3>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %c32 : index
    %trips = arith.select %low, %c3, %c3 : index
    scf.if %low {
      %high = arith.addi %t, %c32 : index
      memref.store %one, %s[%high] : memref<192xf32, 3>
    }
    %odd = scf.for %i = %c0 to %trips step %c1 iter_args(%parity = %c0) -> (index) {
      %next = arith.xori %parity, %c1 : index
      scf.yield %next : index
    }
    %first = arith.muli %odd, %c64 : index
    %at = arith.addi %first, %t : index
    memref.store %one, %s[%at] : memref<192xf32, 3>
    gpu.return
  }

  gpu.func @half_of_the_threads() workgroup(%s: memref<192xf32, 3>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %c32 : index
    %trips = arith.select %low, %c3, %c0 : index
    scf.if %low {
      %high = arith.addi %t, %c32 : index
      // expected-note @below {{writes it here}}
      memref.store %one, %s[%high] : memref<192xf32, 3>
    }
    %odd = scf.for %i = %c0 to %trips step %c1 iter_args(%parity = %c0) -> (index) {
      %next = arith.xori %parity, %c1 : index
      scf.yield %next : index
    }
    %first = arith.muli %odd, %c64 : index
    %at = arith.addi %first, %t : index
    // expected-error @below {{writes shared memory that an earlier operation may write, and nothing orders the two}}
    // expected-note @below {{this orders them: gpu.barrier}}
    // expected-error @below {{writes shared memory that the same operation may write}}
    // expected-note @below {{no barrier comes between them}}
    memref.store %one, %s[%at] : memref<192xf32, 3>
    gpu.return
  }
}
