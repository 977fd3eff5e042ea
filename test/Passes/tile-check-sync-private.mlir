// Registers of a thread, as a memref: whatever accesses them alone, no other thread has to do with it. The same operations on memory
// that threads share may race.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null

!part = !tile.buffer<16xf32, local>
!all = !tile.buffer<1024xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @registers(%A: memref<1024xf32>, %i: index, %mask: vector<4xi1>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024xf32> to !all
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %own = arith.muli %t, %c16 : index
    %r = tile.alloc : !part
    %m = tile.local_view %r : !part to memref<16xf32>
    tile.copy %a[%own] [16] to %r scope(thread) : !all to !part
    affine.for %k = 0 to 4 {
      %e = affine.load %m[%k * 4] : memref<16xf32>
      affine.store %e, %m[%k] : memref<16xf32>
    }
    %u = affine.vector_load %m[4] : memref<16xf32>, vector<4xf32>
    affine.vector_store %u, %m[8] : memref<16xf32>, vector<4xf32>
    %v = vector.load %m[%c0] : memref<16xf32>, vector<4xf32>
    vector.store %v, %m[%i] : memref<16xf32>, vector<4xf32>
    %w = vector.transfer_read %m[%i], %zero : memref<16xf32>, vector<4xf32>
    vector.transfer_write %w, %m[%i] : vector<4xf32>, memref<16xf32>
    %x = vector.maskedload %m[%c0], %mask, %w : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %m[%c0], %mask, %x : memref<16xf32>, vector<4xi1>, vector<4xf32>
    tile.copy %r to %a[%own] [16] scope(thread) : !part to !all
    gpu.return
  }

  gpu.func @shared(%A: memref<1024xf32>) workgroup(%S : memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %e = memref.load %A[%t] : memref<1024xf32>
    // expected-note@below {{'memref.store' writes it here}}
    memref.store %e, %S[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-error@+2 {{'vector.load' op reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 4 and thread 0, byte 16}}
    // expected-note@+1 {{between the two, this orders them: gpu.barrier}}
    %u = affine.vector_load %S[4] : memref<64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.return
  }
}
