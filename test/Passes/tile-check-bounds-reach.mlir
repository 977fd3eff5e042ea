// Loops that compare unsigned, loops whose variable wraps, and copies that nobody reaches.
// RUN: split-file %s %t
// RUN: not tile-opt %t/unsigned.mlir --tile-check-bounds=strict=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNPROVED
// RUN: not tile-opt %t/wraps.mlir --tile-check-bounds=strict=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNPROVED
// RUN: not tile-opt %t/step.mlir --tile-check-bounds=strict=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNPROVED
// UNPROVED: error: {{.*}}is not proved to stay inside its buffer in dimension 0
// RUN: tile-opt %t/never.mlir --tile-check-bounds=strict=true -o /dev/null
// RUN: tile-opt %t/nested.mlir --tile-check-bounds=strict=true -o /dev/null
// RUN: tile-opt %t/empty.mlir --tile-check-bounds=strict=true -o /dev/null

//--- unsigned.mlir
// The third value of %i is the least number of 64 bits.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<64x8xf32>, %n: index, %B: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x8xf32> to !tile.buffer<64x8xf32, global>
    %s = tile.alloc : !tile.buffer<16x8xf32, shared>
    %c0 = arith.constant 0 : index
    %big = arith.constant 4611686018427387904 : index
    scf.for unsigned %i = %c0 to %n step %big {
      %x = arith.minsi %i, %c0 : index
      tile.copy %a[%x, 0] [1, 8] to %s[0, 0] [1, 8] scope(warp) : !tile.buffer<64x8xf32, global> to !tile.buffer<16x8xf32, shared>
    }
    gpu.barrier
    %b = tile.view %B : memref<16x8xf32> to !tile.buffer<16x8xf32, global>
    tile.copy %s to %b scope(warp) : !tile.buffer<16x8xf32, shared> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
}

//--- wraps.mlir
// The third value of %i is the least number of 64 bits: it is still below the upper bound.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<64x8xf32>, %B: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x8xf32> to !tile.buffer<64x8xf32, global>
    %s = tile.alloc : !tile.buffer<16x8xf32, shared>
    %c0 = arith.constant 0 : index
    %most = arith.constant 9223372036854775807 : index
    %big = arith.constant 4611686018427387904 : index
    scf.for %i = %c0 to %most step %big {
      %x = arith.minsi %i, %c0 : index
      tile.copy %a[%x, 0] [1, 8] to %s[0, 0] [1, 8] scope(warp) : !tile.buffer<64x8xf32, global> to !tile.buffer<16x8xf32, shared>
    }
    gpu.barrier
    %b = tile.view %B : memref<16x8xf32> to !tile.buffer<16x8xf32, global>
    tile.copy %s to %b scope(warp) : !tile.buffer<16x8xf32, shared> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
}

//--- never.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<64x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x8xf32> to !tile.buffer<64x8xf32, global>
    %s = tile.alloc : !tile.buffer<16x8xf32, shared>
    %c15 = arith.constant 15 : index
    %c8 = arith.constant 8 : index
    %m2 = arith.constant -2 : index
    scf.for unsigned %i = %m2 to %c15 step %c8 {
      tile.copy %a[%m2, 0] [16, 8] to %s[0, 0] [16, 8] scope(warp) : !tile.buffer<64x8xf32, global> to !tile.buffer<16x8xf32, shared>
    }
    gpu.return
  }
}

//--- nested.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<64x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x8xf32> to !tile.buffer<64x8xf32, global>
    %s = tile.alloc : !tile.buffer<16x8xf32, shared>
    %c48 = arith.constant 48 : index
    %c2 = arith.constant 2 : index
    %m1 = arith.constant -1 : index
    %x = arith.addi %m1, %m1 : index
    %p = arith.cmpi slt, %x, %c48 : index
    %q = arith.cmpi slt, %x, %c2 : index
    scf.if %q {
      scf.if %p {
      } else {
        tile.copy %a[%x, 0] [16, 8] to %s[0, 0] [16, 8] scope(warp) : !tile.buffer<64x8xf32, global> to !tile.buffer<16x8xf32, shared>
      }
    }
    gpu.return
  }
}

//--- step.mlir
// The step is the largest unsigned number: the variable wraps, and is 5, 4, ..., 0.
!matrix = !tile.buffer<64x8xf32, global>
gpu.module @wrapping_step {
  gpu.func @k(%A: memref<64x8xf32>, %B: memref<64x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x8xf32> to !matrix
    %b = tile.view %B : memref<64x8xf32> to !matrix
    %c5 = arith.constant 5 : index
    %c60 = arith.constant 60 : index
    %step = arith.constant -1 : index
    scf.for unsigned %i = %c5 to %c60 step %step {
      %begin = arith.subi %i, %c5 : index
      tile.copy %a[%begin, 0] [2, 8] to %b[0, 0] [2, 8] scope(warp) : !matrix to !matrix
    }
    gpu.return
  }
}

//--- empty.mlir
// Loops without iterations, whose variables the copies do not use.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<64x8xf32>, %n: index, %m: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x8xf32> to !tile.buffer<64x8xf32, global>
    %s = tile.alloc : !tile.buffer<16x8xf32, shared>
    affine.for %i = 12 to 12 step 9 {
      tile.copy %a[%n, 0] [16, 8] to %s[0, 0] [16, 8] scope(warp) : !tile.buffer<64x8xf32, global> to !tile.buffer<16x8xf32, shared>
    }
    affine.for %i = max affine_map<(d0) -> (d0, 4)>(%m) to min affine_map<(d0) -> (d0, 90)>(%m) {
      tile.copy %a[%n, 0] [16, 8] to %s[0, 0] [16, 8] scope(warp) : !tile.buffer<64x8xf32, global> to !tile.buffer<16x8xf32, shared>
    }
    gpu.return
  }
}
