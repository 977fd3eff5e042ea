// Reductions over a block and over warps exchange registers, and order no memory. All threads of the block, or of the warp, have to
// reach them.
// RUN: tile-opt %s --tile-check-sync --split-input-file --verify-diagnostics -o /dev/null

gpu.module @right [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums(%A: memref<?xf32>) workgroup(%S : memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %A[%t] : memref<?xf32>
    %sum = gpu.all_reduce add %v uniform {} : (f32) -> (f32)
    %part = gpu.subgroup_reduce add %v : (f32) -> (f32)
    memref.store %sum, %S[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %own = memref.load %S[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %both = arith.addf %own, %part : f32
    memref.store %both, %A[%t] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @between [#nvvm.target<chip = "sm_90a">] {
  // What it waits for is up to its lowering: in a block of one warp there is no barrier.
  gpu.func @no_barrier(%A: memref<?xf32>) workgroup(%S : memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %other = arith.subi %c63, %t : index
    %v = memref.load %A[%t] : memref<?xf32>
    // expected-note@below {{writes it here}}
    memref.store %v, %S[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %sum = gpu.all_reduce add %v uniform {} : (f32) -> (f32)
    // expected-error@below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
    // expected-note@below {{this orders them: gpu.barrier}}
    %far = memref.load %S[%other] : memref<64xf32, #gpu.address_space<workgroup>>
    %both = arith.addf %far, %sum : f32
    memref.store %both, %A[%t] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @parted [#nvvm.target<chip = "sm_90a">] {
  gpu.func @some(%A: memref<?xf32>) workgroup(%S : memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %v = memref.load %A[%t] : memref<?xf32>
    memref.store %v, %S[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %few = arith.cmpi ult, %t, %c32 : index
    // expected-note@below {{threads diverge at 'scf.if'}}
    scf.if %few {
      // expected-error@below {{is reached by 32 of 64 threads, expected all of the block}}
      %sum = gpu.all_reduce add %v uniform {} : (f32) -> (f32)
      memref.store %sum, %A[%t] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @by_hand [#nvvm.target<chip = "sm_90a">] {
  gpu.func @region(%A: memref<?xf32>) workgroup(%S : memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %A[%t] : memref<?xf32>
    memref.store %v, %S[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-error@below {{is not followed: the effect of 'gpu.all_reduce' on memory and order is not known}}
    %sum = gpu.all_reduce %v uniform {
    ^bb(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      gpu.yield %c : f32
    } : (f32) -> (f32)
    memref.store %sum, %A[%t] : memref<?xf32>
    gpu.return
  }
}
