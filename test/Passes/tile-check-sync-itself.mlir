// Threads that touch a byte in one execution of an operation, one of them with a write: nothing can order these. A kernel with a
// ring of mbarriers is executed, one without is not.

// RUN: tile-opt %s --tile-check-sync --split-input-file --verify-diagnostics -o /dev/null

// -----

// Threads of one warp fill the same bytes, without a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fill(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      tile.fill %own to %s scope(thread) : f32 to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// Threads of two warps, without a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fill_of_warps(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      tile.fill %own to %s scope(thread) : f32 to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// Threads of one warp copy different data to the same bytes, without a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      tile.copy %a[%t] [4] to %s scope(thread) : !tile.buffer<64xf32, global> to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// Threads of one warp copy the same data to the same bytes, without a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @same_data(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      tile.copy %a[0] [4] to %s scope(thread) : !tile.buffer<64xf32, global> to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// A store, without a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @store(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      memref.store %own, %z[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// It is not known where threads store, without a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @anywhere(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    gpu.barrier
    scf.if %others {
      %at = memref.load %N[%t] : memref<64xindex>
      // expected-error @below {{writes shared memory that the same operation may write, and nothing orders the two: too little is known of their offsets}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      memref.store %own, %z[%at] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// One thread alone, without a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one_thread(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    gpu.barrier
    scf.if %first {
      %at = memref.load %N[%t] : memref<64xindex>
      memref.store %own, %z[%at] : memref<64xf32, #gpu.address_space<workgroup>>
      tile.fill %own to %s scope(thread) : f32 to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// Atomic accesses, without a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @atomic(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    gpu.barrier
    scf.if %others {
      %at = memref.load %N[%t] : memref<64xindex>
      %old = memref.atomic_rmw addf %own, %z[%at] : (f32, memref<64xf32, #gpu.address_space<workgroup>>) -> f32
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// Each thread stores to bytes of its own, without a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @own_bytes(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    gpu.barrier
    scf.if %others {
      memref.store %own, %z[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// Threads of one warp fill the same bytes, with a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @fill(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %all = arith.constant 32 : i32
    %true = arith.constant true
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      tile.fill %own to %s scope(thread) : f32 to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    scf.for %j = %c0 to %m step %c1 {
      %odd = arith.andi %j, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Threads of two warps, with a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @fill_of_warps(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %all = arith.constant 64 : i32
    %true = arith.constant true
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      tile.fill %own to %s scope(thread) : f32 to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    scf.for %j = %c0 to %m step %c1 {
      %odd = arith.andi %j, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Threads of one warp copy different data to the same bytes, with a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @copy(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %all = arith.constant 32 : i32
    %true = arith.constant true
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      tile.copy %a[%t] [4] to %s scope(thread) : !tile.buffer<64xf32, global> to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    scf.for %j = %c0 to %m step %c1 {
      %odd = arith.andi %j, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Threads of one warp copy the same data to the same bytes, with a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @same_data(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %all = arith.constant 32 : i32
    %true = arith.constant true
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      tile.copy %a[0] [4] to %s scope(thread) : !tile.buffer<64xf32, global> to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    scf.for %j = %c0 to %m step %c1 {
      %odd = arith.andi %j, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// A store, with a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @store(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %all = arith.constant 32 : i32
    %true = arith.constant true
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %others {
      // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      memref.store %own, %z[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %j = %c0 to %m step %c1 {
      %odd = arith.andi %j, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// It is not known where threads store, with a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @anywhere(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %all = arith.constant 32 : i32
    %true = arith.constant true
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %others {
      %at = memref.load %N[%t] : memref<64xindex>
      // expected-error @below {{writes shared memory that the same operation may write, and nothing orders the two: too little is known of their offsets}}
      // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
      memref.store %own, %z[%at] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %j = %c0 to %m step %c1 {
      %odd = arith.andi %j, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// One thread alone, with a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @one_thread(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %all = arith.constant 32 : i32
    %true = arith.constant true
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %first {
      %at = memref.load %N[%t] : memref<64xindex>
      memref.store %own, %z[%at] : memref<64xf32, #gpu.address_space<workgroup>>
      tile.fill %own to %s scope(thread) : f32 to !tile.buffer<4xf32, shared>
    }
    gpu.barrier
    scf.for %j = %c0 to %m step %c1 {
      %odd = arith.andi %j, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Atomic accesses, with a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @atomic(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %all = arith.constant 32 : i32
    %true = arith.constant true
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %others {
      %at = memref.load %N[%t] : memref<64xindex>
      %old = memref.atomic_rmw addf %own, %z[%at] : (f32, memref<64xf32, #gpu.address_space<workgroup>>) -> f32
    }
    gpu.barrier
    scf.for %j = %c0 to %m step %c1 {
      %odd = arith.andi %j, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Each thread stores to bytes of its own, with a ring.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  gpu.func @own_bytes(%A: memref<64xf32>, %N: memref<64xindex>, %m: index)
      workgroup(%z: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %others = arith.cmpi ne, %t, %c0 : index
    %a = tile.view %A : memref<64xf32>
    %s = tile.alloc : !tile.buffer<4xf32, shared>
    %number = arith.index_cast %t : index to i32
    %own = arith.sitofp %number : i32 to f32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %all = arith.constant 32 : i32
    %true = arith.constant true
    scf.if %first {
      nvvm.mbarrier.init %bar, %all : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %others {
      memref.store %own, %z[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %j = %c0 to %m step %c1 {
      %odd = arith.andi %j, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      gpu.barrier
    }
    gpu.return
  }
}
