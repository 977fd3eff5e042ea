// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{got 'half', expected one of uint8, uint16, uint32, int32, uint64, int64, float16, bfloat16, float32, tfloat32, float64}}
func.func private @element(!tile.tensor_map<element = half, dims = []>)

// -----

// expected-error @below {{the map has 0 dimensions; needed 1 to 5}}
func.func private @rank(!tile.tensor_map<element = float16, dims = []>)

// -----

// expected-error @below {{the stride of dimension 1 is 40 bytes; needed a multiple of 16}}
func.func private @stride(!tile.tensor_map<element = float16, dims = [{extent = const(16), stride = bytes(2), box = 16},
  {extent = const(16), stride = bytes(40), box = 16}]>)

// -----

// expected-error @below {{the box has 257 elements in dimension 0; needed 1 to 256}}
func.func private @box(!tile.tensor_map<element = float16, dims = [{extent = const(512), stride = bytes(2), box = 257}]>)

// -----

// expected-error @below {{the innermost dimension of the box has 8 bytes; needed a multiple of 16}}
func.func private @inner(!tile.tensor_map<element = float16, dims = [{extent = const(512), stride = bytes(2), box = 4}]>)

// -----

// expected-error @below {{the innermost dimension of the box has 256 bytes; needed at most the 128 of its swizzle}}
func.func private @span(!tile.tensor_map<element = float16, dims = [{extent = const(512), stride = bytes(2), box = 128}], swizzle = b128>)

// -----

// expected-error @below {{the map fills with NaN and has elements of type UINT16; needed floating-point ones}}
func.func private @fill(!tile.tensor_map<element = uint16, dims = [{extent = const(512), stride = bytes(2), box = 8}], fill = nan>)

// -----

func.func @extent(%A: memref<32x64xf16>) {
  %a = tile.view %A : memref<32x64xf16>
  // expected-error @below {{got the extent of dimension 0, expected a dimension '?' of !tile.buffer<32x64xf16, global>}}
  %m = tile.tensor_map %a : !tile.buffer<32x64xf16, global> to !tile.tensor_map<element = float16,
    dims = [{extent = const(64), stride = bytes(2), box = 64}, {extent = of(0), stride = bytes(128), box = 8}]>
  return
}

// -----

func.func @times(%A: memref<32x64xf16>) {
  %a = tile.view %A : memref<32x64xf16>
  // expected-error @below {{got run-time stride 0, expected one of 0 run-time strides of}}
  %m = tile.tensor_map %a : !tile.buffer<32x64xf16, global> to !tile.tensor_map<element = float16,
    dims = [{extent = const(64), stride = bytes(2), box = 64}, {extent = const(32), stride = times{stride = 0, bytes = 2}, box = 8}]>
  return
}

// -----

func.func @elements(%A: memref<32x64xf32>) {
  %a = tile.view %A : memref<32x64xf32>
  // expected-error @below {{got a map with elements of 16 bits, expected those of f32, or several as one}}
  %m = tile.tensor_map %a : !tile.buffer<32x64xf32, global> to !tile.tensor_map<element = float16,
    dims = [{extent = const(64), stride = bytes(2), box = 64}]>
  return
}

// -----

func.func @shared() {
  %s = tile.alloc : !tile.buffer<64xf16, shared>
  // expected-error @below {{operand #0 must be tile.buffer in space Global}}
  %m = tile.tensor_map %s : !tile.buffer<64xf16, shared> to !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64}]>
  return
}
