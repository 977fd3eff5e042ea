// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Fields with their defaults are left out.
// CHECK: !tile.tensor_map<element = float32, dims = [{extent = const(32), stride = bytes(4), box = 32}, {extent = const(32), stride = bytes(128), box = 32}]>
func.func @known(%A: memref<32x32xf32>) {
  %a = tile.view %A : memref<32x32xf32>
  %m = tile.tensor_map %a : !tile.buffer<32x32xf32, global> to !tile.tensor_map<fill = zero, promotion = none, swizzle = none, base = 0,
    element = float32, dims = [{extent = const(32), stride = bytes(4), box = 32, element_stride = 1},
                               {extent = const(32), stride = bytes(128), box = 32}]>
  return
}

// CHECK: !tile.tensor_map<element = uint64, base = 64, dims = [{extent = const(16), stride = bytes(8), box = 16}, {extent = of(0), stride = times{stride = 0, bytes = 2}, box = 8}], promotion = b128>
func.func @at_run_time(%A: memref<?x64xf16, strided<[?, 1]>>) {
  %a = tile.view %A : memref<?x64xf16, strided<[?, 1]>>
  %m = tile.tensor_map %a : !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (1@s0, 1)>> to !tile.tensor_map<
    element = uint64, base = 64, dims = [{extent = const(16), stride = bytes(8), box = 16},
                                         {extent = of(0), stride = times{stride = 0, bytes = 2}, box = 8}], promotion = b128>
  return
}
