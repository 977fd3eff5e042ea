// A map that the kernel changes: what is replaced, and what is not lowered.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --lower-tile-copy | FileCheck %s

!map = !tile.tensor_map<element = float16, base = 128, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}, {extent = of(1), stride = times{stride = 0, bytes = 2}, box = 1}]>
!matrices = !tile.buffer<?x?x64xf16, global, #tile.layout<(?, ?, 64) : (64, 1@s0, 1)>>
!bytes = !tile.buffer<128xi8, global>
!scratch = !tile.buffer<128xi8, shared>

// The base is 128 bytes behind the tile's, and constants stay as they are. The lanes of the block's first warp copy the map.
// CHECK-LABEL: gpu.func @fields(
// CHECK-SAME:    %[[MAP:[^:]*]]: !tile.tensor_map<
// CHECK:         %[[BASE:.*]] = arith.addi %{{.*}}, %c128_i64
// CHECK:         %[[PLACE:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<1> to !llvm.ptr
// CHECK:         %[[FROM:.*]] = builtin.unrealized_conversion_cast %[[MAP]] : {{.*}} to !llvm.ptr
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK-COUNT-8:     llvm.store %{{.*}} : vector<2xi64>, !llvm.ptr<3>
// CHECK:             llvm.inline_asm has_side_effects "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [$0], $1;", "l,l,~{memory}" %{{.*}}, %[[BASE]] :
// CHECK-NEXT:        arith.trunci
// CHECK-NEXT:        llvm.inline_asm has_side_effects "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 1, $1;"
// CHECK-NEXT:        arith.trunci
// CHECK-NEXT:        llvm.inline_asm has_side_effects "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 2, $1;"
// CHECK-NEXT:        llvm.inline_asm has_side_effects "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [$0], 1, $1;"
// CHECK-NOT:         tensormap.replace
// CHECK:           nvvm.bar.warp.sync
// CHECK-NEXT:      llvm.inline_asm has_side_effects "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;"
// CHECK:           nvvm.fence.proxy.acquire <gpu> %[[PLACE]]
// CHECK:         gpu.barrier
// CHECK:         nvvm.prefetch tensormap
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fields(%m: !map, %A: memref<?x?x64xf16, strided<[64, ?, 1]>>, %W: memref<128xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?x64xf16, strided<[64, ?, 1]>> to !matrices
    %w = tile.view %W : memref<128xi8>
    %s = tile.alloc : !tile.buffer<128xi8, shared>
    %n = tile.update_map %m to %a in(%w : !bytes) scratch(%s : !scratch) scope(cta) : !map to !matrices
    %used = builtin.unrealized_conversion_cast %n : !map to !llvm.ptr
    nvvm.prefetch tensormap, %used : !llvm.ptr
    gpu.return
  }
}

// -----

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}], promotion = b256>
!matrix = !tile.buffer<?x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>
!bytes = !tile.buffer<128xi8, global>
!scratch = !tile.buffer<128xi8, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
  gpu.func @plain_chip(%m: !map, %A: memref<?x64xf16>, %W: memref<128xi8>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x64xf16>
    %w = tile.view %W : memref<128xi8>
    %scratch = tile.alloc : !scratch
    // expected-error @below {{needs sm_90a or a later chip or family, as sm_100a, with PTX 8.3 or later; got sm_90}}
    %n = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    gpu.return
  }
}

// -----

!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}], promotion = b256>
!matrix = !tile.buffer<?x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>
!bytes = !tile.buffer<128xi8, global>
!scratch = !tile.buffer<128xi8, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @other_tile(%m: !map, %A: memref<?x64xf16>, %B: memref<?x64xf16>, %W: memref<128xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x64xf16>
    %b = tile.view %B : memref<?x64xf16>
    %w = tile.view %W : memref<128xi8>
    %s = tile.alloc : !shared
    %scratch = tile.alloc : !scratch
    // expected-note @below {{the map describes another tile here}}
    %n = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    // expected-error @below {{goes through the map of another tile, expected that of its tile in global memory}}
    tile.copy_async %s to %b[0, 0] [32, 64] scope(cta) bulk_group through(%n : !map) : !shared to !matrix
    gpu.return
  }
}
