// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s | FileCheck %s

// What the definitions prove about a run-time offset limits the vector width. Each copy takes 8x32 elements of rows of
// 64 f32 elements: four elements (128 bits) where the offset is proven a multiple of four, else two, else one.
// remarks-narrowing.mlir tests the remarks about the narrower ones.

!global = !tile.buffer<64x64xf32, global>
!shared = !tile.buffer<8x32xf32, shared>

gpu.module @definitions [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @arith
  // CHECK-SAME: (%{{.*}}: memref<64x64xf32> {llvm.align = 256 : i64}, %[[O:.*]]: index)
  gpu.func @arith(%A: memref<64x64xf32>, %o: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %s = tile.alloc : !shared
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %cm4 = arith.constant -4 : index

    // Nothing is known.
    // CHECK: tile.planned_copy %{{.*}}[%[[O]]] {{.*}} plan<vectors "gmem_smem", {{.*}}vector = 1,
    tile.copy %a[0, %o] [8, 32] to %s scope(warp) : !global to !shared

    // CHECK: %[[V:.*]] = arith.muli
    // CHECK-NEXT: tile.planned_copy %{{.*}}[%[[V]]] {{.*}} plan<vectors "gmem_smem", {{.*}}vector = 4,
    %times_8 = arith.muli %o, %c8 : index
    tile.copy %a[0, %times_8] [8, 32] to %s scope(warp) : !global to !shared

    // CHECK: vector = 2,
    %times_2 = arith.muli %c2, %o : index
    tile.copy %a[0, %times_2] [8, 32] to %s scope(warp) : !global to !shared

    // 8 i + 4 is a multiple of 4, 8 i - 2 only of 2, and 8 i + 3 of neither.
    // CHECK: vector = 4,
    %plus_4 = arith.addi %times_8, %c4 : index
    tile.copy %a[0, %plus_4] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 1,
    %plus_3 = arith.addi %times_8, %c3 : index
    tile.copy %a[0, %plus_3] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 2,
    %minus_2 = arith.subi %times_8, %c2 : index
    tile.copy %a[0, %minus_2] [8, 32] to %s scope(warp) : !global to !shared
    // A second addition restores the multiple: 8 i + 3 + 1.
    // CHECK: vector = 4,
    %plus_3_plus_1 = arith.addi %plus_3, %c1 : index
    tile.copy %a[0, %plus_3_plus_1] [8, 32] to %s scope(warp) : !global to !shared

    // CHECK: vector = 4,
    %shifted = arith.shli %o, %c2 : index
    tile.copy %a[0, %shifted] [8, 32] to %s scope(warp) : !global to !shared

    // CHECK: vector = 4,
    %masked = arith.andi %o, %cm4 : index
    tile.copy %a[0, %masked] [8, 32] to %s scope(warp) : !global to !shared
    // A mask of low bits keeps the low bits.
    // CHECK: vector = 1,
    %low = arith.andi %o, %c3 : index
    tile.copy %a[0, %low] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 2,
    %with_2 = arith.ori %times_8, %c2 : index
    tile.copy %a[0, %with_2] [8, 32] to %s scope(warp) : !global to !shared

    // 8 i / 2 is 4 i; 8 i / 3 may be anything.
    // CHECK: vector = 4,
    %half = arith.divui %times_8, %c2 : index
    tile.copy %a[0, %half] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 1,
    %third = arith.divui %times_8, %c3 : index
    tile.copy %a[0, %third] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 2,
    %right = arith.shrui %times_8, %c2 : index
    tile.copy %a[0, %right] [8, 32] to %s scope(warp) : !global to !shared

    // CHECK: vector = 4,
    %c32 = arith.constant 32 : index
    %rest = arith.remui %times_8, %c32 : index
    tile.copy %a[0, %rest] [8, 32] to %s scope(warp) : !global to !shared

    // Either of two values: 8 i or 4, and 8 i or 2.
    // CHECK: vector = 4,
    %least = arith.minui %times_8, %c4 : index
    tile.copy %a[0, %least] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 2,
    %is_3 = arith.cmpi eq, %o, %c3 : index
    %one = arith.select %is_3, %times_8, %c2 : index
    tile.copy %a[0, %one] [8, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }

  // CHECK-LABEL: gpu.func @index
  gpu.func @index(%A: memref<64x64xf32>, %o: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %s = tile.alloc : !shared
    %c3 = index.constant 3
    %c8 = index.constant 8
    // CHECK: vector = 4,
    %times_8 = index.mul %o, %c8
    tile.copy %a[0, %times_8] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 4,
    %shifted = index.shl %o, %c3
    tile.copy %a[0, %shifted] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 1,
    %minus_3 = index.sub %times_8, %c3
    tile.copy %a[0, %minus_3] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 4,
    %greater = index.maxu %times_8, %shifted
    tile.copy %a[0, %greater] [8, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }

  // CHECK-LABEL: gpu.func @affine
  gpu.func @affine(%A: memref<64x64xf32>, %o: index, %p: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %s = tile.alloc : !shared
    // CHECK: vector = 4,
    %sum = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0 * 12 + 4)>(%o)[%p]
    tile.copy %a[0, %sum] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 4,
    %rounded = affine.apply affine_map<(d0) -> ((d0 floordiv 4) * 4)>(%o)
    tile.copy %a[0, %rounded] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 4,
    %whole = affine.apply affine_map<(d0) -> (d0 * 8 - (d0 * 8) mod 4)>(%o)
    tile.copy %a[0, %whole] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 2,
    %up = affine.apply affine_map<(d0) -> ((d0 * 8) ceildiv 4)>(%o)
    tile.copy %a[0, %up] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 1,
    %odd = affine.apply affine_map<(d0) -> (d0 mod 4)>(%o)
    tile.copy %a[0, %odd] [8, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }

  // CHECK-LABEL: gpu.func @assume
  gpu.func @assume(%A: memref<64x64xf32>, %o: index, %narrow: i32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %s = tile.alloc : !shared
    // CHECK: vector = 4,
    %o16 = tile.assume %o divisible_by 16 : index
    tile.copy %a[0, %o16] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 2,
    %o6 = tile.assume %o divisible_by 6 : index
    tile.copy %a[0, %o6] [8, 32] to %s scope(warp) : !global to !shared
    // A weaker promise takes nothing away.
    // CHECK: vector = 4,
    %still_16 = tile.assume %o16 divisible_by 2 : index
    tile.copy %a[0, %still_16] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 4,
    %n4 = tile.assume %narrow divisible_by 4 : i32
    %cast = arith.index_cast %n4 : i32 to index
    tile.copy %a[0, %cast] [8, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }

  // Casts keep the facts that hold in both types.
  // CHECK-LABEL: gpu.func @casts
  gpu.func @casts(%A: memref<64x64xf32>, %i: i32, %j: i64) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %s = tile.alloc : !shared
    %c4_i32 = arith.constant 4 : i32
    %c4_i64 = arith.constant 4 : i64
    // CHECK: vector = 4,
    %i4 = arith.muli %i, %c4_i32 : i32
    %i4_64 = arith.extsi %i4 : i32 to i64
    %i4_index = arith.index_cast %i4_64 : i64 to index
    tile.copy %a[0, %i4_index] [8, 32] to %s scope(warp) : !global to !shared
    // CHECK: vector = 4,
    %j4 = arith.muli %j, %c4_i64 : i64
    %j4_32 = arith.trunci %j4 : i64 to i32
    %j4_64 = arith.extui %j4_32 : i32 to i64
    %j4_index = arith.index_castui %j4_64 : i64 to index
    tile.copy %a[0, %j4_index] [8, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }

  // CHECK-LABEL: gpu.func @loops
  gpu.func @loops(%A: memref<64x64xf32>, %from: index, %to: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %s = tile.alloc : !shared
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    // CHECK: scf.for
    // CHECK: vector = 4,
    scf.for %i = %c0 to %to step %c8 {
      tile.copy %a[0, %i] [8, 32] to %s scope(warp) : !global to !shared
    }
    // CHECK: scf.for
    // CHECK: vector = 2,
    scf.for %i = %c2 to %to step %c8 {
      tile.copy %a[0, %i] [8, 32] to %s scope(warp) : !global to !shared
    }
    // From an unknown lower bound in steps of 8.
    // CHECK: scf.for
    // CHECK: vector = 1,
    scf.for %i = %from to %to step %c8 {
      tile.copy %a[0, %i] [8, 32] to %s scope(warp) : !global to !shared
    }
    // CHECK: scf.for
    // CHECK: vector = 4,
    affine.for %i = 8 to 32 step 4 {
      tile.copy %a[0, %i] [8, 32] to %s scope(warp) : !global to !shared
    }
    // A value that a loop carries: 2, 10, 18, … And twice the value before: 2, 4, 8, …
    // CHECK: scf.for
    // CHECK: vector = 2,
    // CHECK: scf.for
    // CHECK: vector = 4,
    // CHECK: scf.for
    // CHECK: vector = 2,
    scf.for %i = %from to %to step %c8 iter_args(%next = %c2) -> index {
      tile.copy %a[0, %next] [8, 32] to %s scope(warp) : !global to !shared
      %more = arith.addi %next, %c8 : index
      scf.yield %more : index
    }
    scf.for %i = %from to %to step %c8 iter_args(%next = %c8) -> index {
      tile.copy %a[0, %next] [8, 32] to %s scope(warp) : !global to !shared
      %more = arith.addi %next, %c8 : index
      scf.yield %more : index
    }
    scf.for %i = %from to %to step %c8 iter_args(%next = %c2) -> index {
      tile.copy %a[0, %next] [8, 32] to %s scope(warp) : !global to !shared
      %more = arith.addi %next, %next : index
      scf.yield %more : index
    }
    gpu.return
  }

  // A value that its definitions determine is treated as a constant: no operand is left.
  // CHECK-LABEL: gpu.func @constants
  gpu.func @constants(%A: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %s = tile.alloc : !shared
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c250 = arith.constant -6 : i8
    // CHECK: tile.planned_copy %{{[0-9]+}} to {{.*}} plan<vectors "gmem_smem", {{.*}}vector = 4, {{.*}}src = {layout = {{.*}} + 12, space = global, {{.*}}dst
    %twelve = arith.muli %c3, %c4 : index
    tile.copy %a[0, %twelve] [8, 32] to %s scope(warp) : !global to !shared
    // -6 as an unsigned byte is 250; minus 218, that is 32.
    // CHECK: tile.planned_copy %{{[0-9]+}} to {{.*}} plan<vectors "gmem_smem", {{.*}}vector = 4, {{.*}}src = {layout = {{.*}} + 32, space = global, {{.*}}dst
    %wide = arith.extui %c250 : i8 to i64
    %c218 = arith.constant 218 : i64
    %difference = arith.subi %wide, %c218 : i64
    %thirty_two = arith.index_cast %difference : i64 to index
    tile.copy %a[0, %thirty_two] [8, 32] to %s scope(warp) : !global to !shared
    gpu.return
  }
}
