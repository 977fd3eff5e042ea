// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = times{stride = 0, bytes = 2}, box = 32}], swizzle = b128>
!matrix = !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (1@s0, 1)>>

// Neither is erased, nor are two of them made one: each writes its workspace.
// CHECK-COUNT-2: tile.update_map %{{.*}} to %{{.*}} in(%{{.*}} : !tile.buffer<128xi8, global>) scratch(%{{.*}} : !tile.buffer<128xi8, shared>) scope(warp) : !tile.tensor_map<{{.*}}> to !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (?, 1)>>
// CHECK: tile.update_map {{.*}} scope(cta)
func.func @update(%m: !map, %A: memref<?x64xf16, strided<[?, 1]>>, %W: memref<128xi8>) -> !map {
  %a = tile.view %A : memref<?x64xf16, strided<[?, 1]>>
  %w = tile.view %W : memref<128xi8>
  %s = tile.alloc : !tile.buffer<128xi8, shared>
  %0 = tile.update_map %m to %a in(%w : !tile.buffer<128xi8, global>) scratch(%s : !tile.buffer<128xi8, shared>) scope(warp) : !map to !matrix
  %1 = tile.update_map %m to %a in(%w : !tile.buffer<128xi8, global>) scratch(%s : !tile.buffer<128xi8, shared>) scope(warp) : !map to !matrix
  %2 = tile.update_map %m to %a in(%w : !tile.buffer<128xi8, global>) scratch(%s : !tile.buffer<128xi8, shared>) scope(cta) : !map to !matrix
  return %2 : !map
}
