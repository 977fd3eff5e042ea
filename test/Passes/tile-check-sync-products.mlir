// Products of wgmma: diagnostics name the missing ordering, and say why an operand cannot be analysed.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null

!a = !tile.buffer<64x16xf16, global>
!b = !tile.buffer<8x16xf16, global>
!as = !tile.buffer<64x16xf16, shared, #tile.layout<(64, 16) : (16, 1), swizzle<base = 3, bits = 1, shift = 3>>>
!bs = !tile.buffer<8x16xf16, shared, #tile.layout<(8, 16) : (16, 1), swizzle<base = 3, bits = 1, shift = 3>>>
!struct = !llvm.struct<(f32, f32, f32, f32)>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // With every ordering.
  gpu.func @ordered(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvvm.wgmma.fence.aligned
    %d = nvvm.wgmma.mma_async %da, %db, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    %e0 = nvvm.wgmma.mma_async %da, %db, %d, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %e0[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    gpu.return
  }

  // No barrier.
  gpu.func @unmet(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    // expected-note@+1 {{'tile.copy' writes it here}}
    tile.copy %a to %as scope(cta) : !a to !as
    // expected-note@+1 {{'tile.copy' writes it here}}
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.wgmma.fence.aligned
    // expected-error@+2 {{'nvvm.wgmma.mma_async' op reads shared memory that an earlier operation writes}}
    // expected-note@+1 {{between the two, this orders them: gpu.barrier}}
    %d = nvvm.wgmma.mma_async %da, %db, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %d[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    gpu.return
  }

  // No fence.
  gpu.func @unfenced(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    // expected-note@+1 {{'tile.copy' writes it here}}
    tile.copy %a to %as scope(cta) : !a to !as
    // expected-note@+1 {{'tile.copy' writes it here}}
    tile.copy %b to %bs scope(cta) : !b to !bs
    gpu.barrier
    nvvm.wgmma.fence.aligned
    // expected-error@+2 {{'nvvm.wgmma.mma_async' op reads shared memory that an earlier operation writes}}
    // expected-note@+1 {{between the two, this orders them: nvvm.fence.proxy of the async proxy}}
    %d = nvvm.wgmma.mma_async %da, %db, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %d[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    gpu.return
  }

  // No wait.
  gpu.func @unawaited(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvvm.wgmma.fence.aligned
    // expected-note@+2 {{'nvvm.wgmma.mma_async' writes it here}}
    // expected-error@+1 {{may be in flight when the block ends, and its shared memory with it; expected nvvm.wgmma.wait.group.sync.aligned 0 after it}}
    %d = nvvm.wgmma.mma_async %da, %db, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.commit.group.sync.aligned
    // expected-error@+2 {{'llvm.extractvalue' op reads registers that an earlier operation writes, and nothing orders the two: for example those of thread 0}}
    // expected-note@+1 {{between the two, this orders them: nvvm.wgmma.wait.group.sync.aligned 0}}
    %e = llvm.extractvalue %d[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    // expected-note@+1 {{the block ends here}}
    gpu.return
  }

  // A wait without effect: the group is not committed.
  gpu.func @open(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvvm.wgmma.fence.aligned
    // expected-note@+2 {{'nvvm.wgmma.mma_async' writes it here}}
    // expected-error@+1 {{may be in flight when the block ends}}
    %d = nvvm.wgmma.mma_async %da, %db, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.wait.group.sync.aligned 0
    // expected-error@+2 {{'llvm.extractvalue' op reads registers that an earlier operation writes, and nothing orders the two: for example those of thread 0}}
    // expected-note@+1 {{between the two, this orders them: nvvm.wgmma.commit.group.sync.aligned, then nvvm.wgmma.wait.group.sync.aligned 0}}
    %e = llvm.extractvalue %d[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    // expected-note@+1 {{the block ends here}}
    gpu.return
  }

  // Other warps still read the tile.
  gpu.func @overwritten(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvvm.wgmma.fence.aligned
    // expected-note@+1 {{'nvvm.wgmma.mma_async' reads it here}}
    %d = nvvm.wgmma.mma_async %da, %db, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    // expected-error@+2 {{writes shared memory that an earlier operation reads}}
    // expected-note@+1 {{between the two, this orders them: gpu.barrier}}
    tile.copy %a to %as scope(cta) : !a to !as
    %e = llvm.extractvalue %d[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    gpu.return
  }

  // The start address is not known: the whole tile is taken to be read.
  gpu.func @somewhere(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>, %from: i64) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %ra = arith.ori %sa, %from : i64
    %da = arith.ori %ra, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    // expected-note@+1 {{'tile.copy' writes it here}}
    tile.copy %a to %as scope(cta) : !a to !as
    // expected-note@+1 {{'tile.copy' writes it here}}
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.wgmma.fence.aligned
    // expected-error@+3 {{'nvvm.wgmma.mma_async' op reads shared memory that an earlier operation writes}}
    // expected-error@+2 {{reads shared memory that an earlier operation may write}}
    // expected-note@+1 {{between the two, this orders them: gpu.barrier}}
    %d = nvvm.wgmma.mma_async %da, %db, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %d[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    gpu.return
  }

  // It is not known which tile is read, either.
  gpu.func @nowhere(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>, %from: i64) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvvm.wgmma.fence.aligned
    // expected-error@+1 {{is not followed: the descriptor of A does not come from the pointer of one tile, expected llvm.ptrtoint of it, shifted right by 4}}
    %d = nvvm.wgmma.mma_async %from, %db, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %d[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    gpu.return
  }

  // The address is not divided by 16.
  gpu.func @whole(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvvm.wgmma.fence.aligned
    // expected-error@+1 {{is not followed: the descriptor of B has an address that is not divided by 16}}
    %d = nvvm.wgmma.mma_async %da, %ib, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %d[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    gpu.return
  }

  // The pointer of an unknown tile.
  gpu.func @pointer(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>, %slot: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %zero = llvm.mlir.zero : !struct
    %q = llvm.load %slot : !llvm.ptr<3> -> !llvm.ptr<3>
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %q : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvvm.wgmma.fence.aligned
    // expected-error@+1 {{is not followed: the descriptor of B comes from a pointer whose tile is not known}}
    %d = nvvm.wgmma.mma_async %da, %db, %zero, <m = 64, n = 8, k = 16>, D[<f32>, <one>],
      A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %e = llvm.extractvalue %d[0] : !struct
    memref.store %e, %C[%t] : memref<128xf32>
    gpu.return
  }

  // Three of four warps.
  gpu.func @some(%A: memref<64x16xf16>, %B: memref<8x16xf16>, %C: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !a
    %b = tile.view %B : memref<8x16xf16> to !b
    %as = tile.alloc {alignment = 1024 : i64} : !as
    %bs = tile.alloc {alignment = 1024 : i64} : !bs
    %four = arith.constant 4 : i64
    %mode = arith.constant -4611685949707845632 : i64
    %t = gpu.thread_id x
    %pa = tile.parts %as : !as to !llvm.ptr<3>
    %ia = llvm.ptrtoint %pa : !llvm.ptr<3> to i64
    %sa = arith.shrui %ia, %four : i64
    %da = arith.ori %sa, %mode : i64
    %pb = tile.parts %bs : !bs to !llvm.ptr<3>
    %ib = llvm.ptrtoint %pb : !llvm.ptr<3> to i64
    %sb = arith.shrui %ib, %four : i64
    %db = arith.ori %sb, %mode : i64
    tile.copy %a to %as scope(cta) : !a to !as
    tile.copy %b to %bs scope(cta) : !b to !bs
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %c96 = arith.constant 96 : index
    %some = arith.cmpi ult, %t, %c96 : index
    scf.if %some {
      // expected-error@+1 {{may be reached by only some threads of a warpgroup, expected whole warpgroups}}
      nvvm.wgmma.commit.group.sync.aligned
    }
    gpu.return
  }
}
