// Ops that no step converts are errors at their location that say what to do: ops of the tile dialect, and ops for which
// upstream has no conversion.
// RUN: split-file %s %t
// RUN: not tile-opt %t/tile.mlir --tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not tile-opt %t/tile.mlir --tile-align-layouts --tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=ALIGNED
// RUN: not tile-opt %t/scan.mlir --tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=SCAN
// RUN: not tile-opt %t/left.mlir --tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=LEFT --implicit-check-not=unrealized
// RUN: not tile-translate %t/left.mlir --tile-to-ptx 2>&1 | FileCheck %s --check-prefix=LEFT

// TILE:    tile.mlir:5:5: error: 'tile.copy' op is not lowered; run --lower-tile-copy before --tile-to-nvvm
// ALIGNED: tile.mlir:5:5: error: 'tile.planned_copy' op is not lowered; run --tile-vectorize-copy and --tile-expand-copy before --tile-to-nvvm
// SCAN:    scan.mlir:2:3: error: 'tile.scan' op is not lowered; run --lower-tile-scan before --tile-to-nvvm
// LEFT:    left.mlir:5:10: error: 'vector.extract' op is left in a kernel
// Of an op with a body, only the op itself is named.
// RUN: not tile-opt %t/body.mlir --tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=BODY --implicit-check-not=linalg.yield
// One that is written out for each element of a map is reported once.
// RUN: not tile-opt %t/map.mlir --tile-build -o /dev/null 2>&1 | FileCheck %s --check-prefix=MAP
// MAP:     map.mlir:8:12: error: 'vector.extract' op is left in a kernel
// MAP-NOT: error:
// BODY:    body.mlir:3:5: error: 'linalg.copy' op is left in a kernel

//--- tile.mlir
gpu.module @kernels {
  gpu.func @copy(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.return
  }
}

//--- scan.mlir
func.func @main(%x: memref<100xi32>, %y: memref<100xi32>, %w: memref<512xi8>, %epoch: i32) {
  tile.scan @kernels::@sums inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<100xi32> to memref<100xi32>, memref<512xi8>
  return
}

//--- body.mlir
gpu.module @kernels {
  gpu.func @copy(%A: memref<32xf32>, %B: memref<32xf32>) kernel {
    linalg.copy ins(%A : memref<32xf32>) outs(%B : memref<32xf32>)
    gpu.return
  }
}

//--- map.mlir
!x = !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@tx, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @pick(%i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = tile.alloc : !x
    tile.map %x to %x scope(cta) : !x to !x {
    ^bb0(%e: f32):
      %v = vector.broadcast %e : f32 to vector<4x8xf32>
      %s = vector.extract %v[%i] : vector<8xf32> from vector<4x8xf32>
      %r = vector.extract %s[0] : f32 from vector<8xf32>
      tile.yield %r : f32
    }
    gpu.return
  }
}

//--- left.mlir
gpu.module @kernels {
  gpu.func @pick(%A: memref<4x8xf32>, %B: memref<8xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %v = vector.load %A[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    %s = vector.extract %v[%i] : vector<8xf32> from vector<4x8xf32>
    vector.store %s, %B[%c0] : memref<8xf32>, vector<8xf32>
    gpu.return
  }
}
