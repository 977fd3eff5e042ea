// What ops of other dialects do to memory, by their own account.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics --split-input-file -o /dev/null

!t = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared>
!wg = memref<32x32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // None of these has to do with shared memory.
  gpu.func @apart(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %p: !llvm.ptr<1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !t
    %b = tile.view %B : memref<32x32xf32> to !t
    %s = tile.alloc : !s
    %c0 = arith.constant 0 : index
    %e = arith.constant 1.0 : f32
    %mask = arith.constant dense<true> : vector<4xi1>
    %places = arith.constant dense<[3, 1, 2, 0]> : vector<4xindex>
    %pass = arith.constant dense<0.0> : vector<4xf32>
    nvvm.setmaxregister increase 232
    tile.copy %a to %s scope(cta) : !t to !s
    %begin = nvvm.read.ptx.sreg.clock64 : i64
    %time = nvvm.read.ptx.sreg.globaltimer : i64
    gpu.printf "block %lld\n", %time : i64
    %pause = arith.constant 20 : i32
    nvvm.nanosleep %pause
    %m = vector.maskedload %A[%c0, %c0], %mask, %pass : memref<32x32xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %g = vector.gather %A[%c0, %c0] [%places], %mask, %pass
      : memref<32x32xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %w = gpu.subgroup_mma_load_matrix %A[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    %own = memref.alloca() : memref<4x4xf32>
    linalg.fill ins(%e : f32) outs(%own : memref<4x4xf32>)
    %slot = llvm.alloca %time x f32 : (i64) -> !llvm.ptr<5>
    %tanh = llvm.inline_asm "tanh.approx.f32 $0, $1;", "=f,f" %e : (f32) -> f32
    %one = llvm.inline_asm has_side_effects "mov.u32 $0, 1;", "=r" : () -> i32
    %loaded = llvm.inline_asm "ld.global.nc.f32 $0, [$1];", "=f,l" %p : (!llvm.ptr<1>) -> f32
    gpu.barrier
    tile.copy %s to %b scope(cta) : !s to !t
    nvvm.griddepcontrol launch_dependents
    gpu.return
  }
}

// -----

// Reads and writes of shared memory, wherever in it.
!t = !tile.buffer<32x32xf32, global>
!wg = memref<32x32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @reads(%A: memref<32x32xf32>) workgroup(%W: !wg) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %e = arith.constant 1.0 : f32
    %mask = arith.constant dense<true> : vector<4xi1>
    %pass = arith.constant dense<0.0> : vector<4xf32>
    // expected-note@+1 {{'memref.store' writes it here}}
    memref.store %e, %W[%t, %t] : !wg
    // expected-error@+2 {{'vector.maskedload' op reads shared memory that an earlier operation may write, and nothing orders the two}}
    // expected-note@+1 {{between the two, this orders them: nvvm.bar.warp.sync}}
    %m = vector.maskedload %W[%c0, %c0], %mask, %pass : !wg, vector<4xi1>, vector<4xf32> into vector<4xf32>
    gpu.return
  }

  gpu.func @fills(%A: memref<32x32xf32>) workgroup(%W: !wg) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %e = arith.constant 1.0 : f32
    // expected-error@+2 {{'linalg.fill' op writes shared memory that the same operation may write, and nothing orders the two}}
    // expected-note@+1 {{no barrier comes between them}}
    linalg.fill ins(%e : f32) outs(%W : !wg)
    gpu.return
  }

  // Lanes of a warp store a matrix together.
  gpu.func @matrix(%A: memref<32x32xf32>) workgroup(%W: !wg) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %w = gpu.subgroup_mma_load_matrix %A[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    // expected-note@+1 {{'gpu.subgroup_mma_store_matrix' writes it here}}
    gpu.subgroup_mma_store_matrix %w, %W[%c0, %c0] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, !wg
    // expected-error@+2 {{'memref.load' op reads shared memory that an earlier operation may write, and nothing orders the two}}
    // expected-note@+1 {{between the two, this orders them: nvvm.bar.warp.sync}}
    %l = memref.load %W[%c0, %c0] : !wg
    gpu.return
  }
}

// -----

// What may do anything is not followed.
!wg = memref<32x32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown(%A: memref<32x32xf32>, %p: !llvm.ptr) workgroup(%W: !wg) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %e = arith.constant 1.0 : f32
    memref.store %e, %W[%t, %t] : !wg
    // expected-error@below {{is not followed: the effect of 'llvm.inline_asm' on memory and order is not known}}
    llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
    // expected-error@below {{is not followed: the effect of 'llvm.inline_asm' on memory and order is not known}}
    %c = llvm.inline_asm "ld.shared.f32 $0, [0];", "=f,~{memory}" : () -> f32
    // expected-error@below {{is not followed: the effect of 'nvvm.exit' on memory and order is not known}}
    nvvm.exit
    gpu.return
  }

  // Some threads of a warpgroup do not reach it.
  gpu.func @part() workgroup(%W: !wg) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %first = arith.cmpi ult, %t, %c64 : index
    scf.if %first {
      // expected-error@below {{may be reached by only some threads of a warpgroup, expected whole warpgroups}}
      nvvm.setmaxregister decrease 40
    }
    gpu.barrier
    gpu.return
  }
}
