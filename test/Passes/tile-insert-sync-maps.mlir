// A map that is changed again waits for the stores through it.
// RUN: tile-opt %s --tile-insert-sync | FileCheck %s

!matrix = !tile.buffer<?x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>
!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}], promotion = b256>
!bytes = !tile.buffer<128xi8, global>
!scratch = !tile.buffer<128xi8, shared>

// The maps are changed by the block, which then needs no barrier before its first thread goes through them.
// CHECK:      tile.update_map
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: nvvm.cp.async.bulk.wait_group 0{{$}}
// CHECK-NEXT: tile.update_map
// CHECK-NEXT: tile.copy_async
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @again(%A: memref<?x64xf16>, %W: memref<128xi8>, %m: !map) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x64xf16>
    %w = tile.view %W : memref<128xi8>
    %s = tile.alloc : !shared
    %scratch = tile.alloc : !scratch
    %n = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    tile.copy_async %s to %a[0, 0] [32, 64] scope(cta) bulk_group through(%n : !map) : !shared to !matrix
    %o = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    tile.copy_async %s to %a[32, 0] [32, 64] scope(cta) bulk_group through(%o : !map) : !shared to !matrix
    gpu.return
  }
}
