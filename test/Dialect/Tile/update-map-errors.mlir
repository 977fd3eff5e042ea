// RUN: tile-opt %s --split-input-file --verify-diagnostics

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}]>

func.func @extent(%m: !map, %A: memref<32x64xf16>, %W: memref<128xi8>) {
  %a = tile.view %A : memref<32x64xf16>
  %w = tile.view %W : memref<128xi8>
  %s = tile.alloc : !tile.buffer<128xi8, shared>
  // expected-error @below {{got the extent of dimension 0, expected a dimension '?' of !tile.buffer<32x64xf16, global>}}
  %n = tile.update_map %m to %a in(%w : !tile.buffer<128xi8, global>) scratch(%s : !tile.buffer<128xi8, shared>) scope(warp)
    : !map to !tile.buffer<32x64xf16, global>
  return
}

// -----

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}]>
!matrix = !tile.buffer<?x64xf32, global>

func.func @element(%m: !map, %A: memref<?x64xf32>, %W: memref<128xi8>) {
  %a = tile.view %A : memref<?x64xf32>
  %w = tile.view %W : memref<128xi8>
  %s = tile.alloc : !tile.buffer<128xi8, shared>
  // expected-error @below {{got a map with elements of 16 bits, expected those of f32, or several as one}}
  %n = tile.update_map %m to %a in(%w : !tile.buffer<128xi8, global>) scratch(%s : !tile.buffer<128xi8, shared>) scope(warp) : !map to !matrix
  return
}

// -----

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}]>
!matrix = !tile.buffer<?x64xf16, global>

func.func @workspace(%m: !map, %A: memref<?x64xf16>, %W: memref<64xi16>) {
  %a = tile.view %A : memref<?x64xf16>
  %w = tile.view %W : memref<64xi16>
  %s = tile.alloc : !tile.buffer<128xi8, shared>
  // expected-error @below {{got a workspace of type !tile.buffer<64xi16, global>, expected !tile.buffer<128xi8, global>}}
  %n = tile.update_map %m to %a in(%w : !tile.buffer<64xi16, global>) scratch(%s : !tile.buffer<128xi8, shared>) scope(warp) : !map to !matrix
  return
}

// -----

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}]>
!matrix = !tile.buffer<?x64xf16, global>

func.func @scratch(%m: !map, %A: memref<?x64xf16>, %W: memref<128xi8>) {
  %a = tile.view %A : memref<?x64xf16>
  %w = tile.view %W : memref<128xi8>
  %s = tile.alloc : !tile.buffer<2x128xi8, shared>
  // expected-error @below {{got a scratch of type !tile.buffer<2x128xi8, shared>, expected !tile.buffer<128xi8, shared>}}
  %n = tile.update_map %m to %a in(%w : !tile.buffer<128xi8, global>) scratch(%s : !tile.buffer<2x128xi8, shared>) scope(warp) : !map to !matrix
  return
}

// -----

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}]>
!matrix = !tile.buffer<?x64xf16, global>

func.func @space(%m: !map, %A: memref<?x64xf16>, %W: memref<128xi8>) {
  %a = tile.view %A : memref<?x64xf16>
  %w = tile.view %W : memref<128xi8>
  // expected-error @below {{operand #3 must be tile.buffer in space Shared}}
  %n = tile.update_map %m to %a in(%w : !tile.buffer<128xi8, global>) scratch(%w : !tile.buffer<128xi8, global>) scope(warp) : !map to !matrix
  return
}

// -----

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}]>
!matrix = !tile.buffer<?x64xf16, global>

func.func @scope(%m: !map, %A: memref<?x64xf16>, %W: memref<128xi8>) {
  %a = tile.view %A : memref<?x64xf16>
  %w = tile.view %W : memref<128xi8>
  %s = tile.alloc : !tile.buffer<128xi8, shared>
  // expected-error @below {{got scope(thread), expected scope(warp) or scope(cta)}}
  %n = tile.update_map %m to %a in(%w : !tile.buffer<128xi8, global>) scratch(%s : !tile.buffer<128xi8, shared>) scope(thread) : !map to !matrix
  return
}
