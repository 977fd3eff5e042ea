// What orders changes of tensor maps and copies through them.
// RUN: tile-opt %s --tile-check-sync --split-input-file --verify-diagnostics

!matrix = !tile.buffer<?x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>
!map = !tile.tensor_map<element = float16, dims = [{extent = const(64), stride = bytes(2), box = 64},
  {extent = of(0), stride = bytes(128), box = 32}], promotion = b256>
!bytes = !tile.buffer<128xi8, global>
!scratch = !tile.buffer<128xi8, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A map stays until the stores through it have read what they store.
  gpu.func @again(%A: memref<?x64xf16>, %W: memref<128xi8>, %m: !map) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x64xf16>
    %w = tile.view %W : memref<128xi8>
    %s = tile.alloc : !shared
    %scratch = tile.alloc : !scratch
    %n = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    // expected-note @below {{'tile.copy_async' reads it here}}
    tile.copy_async %s to %a[0, 0] [32, 64] scope(cta) bulk_group through(%n : !map) : !shared to !matrix
    // expected-error @below {{writes global memory that an earlier operation reads, and nothing orders the two: for example thread 0 and thread 0, byte 0}}
    // expected-note @below {{between the two, this orders them: nvvm.cp.async.bulk.wait_group 0}}
    %o = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    tile.copy_async %s to %a[32, 0] [32, 64] scope(cta) bulk_group through(%o : !map) : !shared to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  gpu.func @waited(%A: memref<?x64xf16>, %W: memref<128xi8>, %m: !map) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x64xf16>
    %w = tile.view %W : memref<128xi8>
    %s = tile.alloc : !shared
    %scratch = tile.alloc : !scratch
    %n = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    tile.copy_async %s to %a[0, 0] [32, 64] scope(cta) bulk_group through(%n : !map) : !shared to !matrix
    nvvm.cp.async.bulk.wait_group 0 {read}
    %o = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    tile.copy_async %s to %a[32, 0] [32, 64] scope(cta) bulk_group through(%o : !map) : !shared to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // Two warps change their maps in the same bytes of shared memory.
  gpu.func @other(%A: memref<?x64xf16>, %W: memref<4x128xi8>, %m: !map) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<?x64xf16>
    %w = tile.view %W : memref<4x128xi8>
    %s = tile.alloc : !shared
    %scratch = tile.alloc : !scratch
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %slot = tile.subview %w[%warp, 0] [1, 128] : !tile.buffer<4x128xi8, global> to !bytes
    // expected-error @below {{writes shared memory that the same operation writes, and nothing orders the two: for example thread 0 and thread 32, byte 0}}
    // expected-note @below {{no barrier comes between them: expected different bytes, or one thread that does it, in an scf.if}}
    %n = tile.update_map %m to %a in(%slot : !bytes) scratch(%scratch : !scratch) scope(warp) : !map to !matrix
    gpu.return
  }

  // Some threads do not take part.
  gpu.func @some(%A: memref<?x64xf16>, %W: memref<128xi8>, %m: !map) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<?x64xf16>
    %w = tile.view %W : memref<128xi8>
    %scratch = tile.alloc : !scratch
    %thread = gpu.thread_id x
    %few = arith.cmpi ult, %thread, %c16 : index
    // expected-note @below {{threads diverge at 'scf.if'}}
    scf.if %few {
      // expected-error @below {{may be reached by only some threads of a warp, expected whole warps}}
      %n = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(warp) : !map to !matrix
    }
    gpu.return
  }

  // A load reads its map until its mbarrier says that it is complete.
  gpu.func @load(%A: memref<?x64xf16>, %W: memref<128xi8>, %m: !map) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %a = tile.view %A : memref<?x64xf16>
    %w = tile.view %W : memref<128xi8>
    %s = tile.alloc : !shared
    %scratch = tile.alloc : !scratch
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %n = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    // expected-note @below {{'tile.copy_async' reads it here}}
    tile.copy_async %a[0, 0] [32, 64] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) through(%n : !map) : !matrix to !shared
    // expected-error @below {{writes global memory that an earlier operation reads, and nothing orders the two}}
    // expected-note @below {{orders them}}
    %o = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    gpu.return
  }

  // A map that another warp has changed is changed again.
  gpu.func @chain(%A: memref<?x64xf16>, %W: memref<128xi8>, %V: memref<128xi8>, %m: !map) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf16>
    %w = tile.view %W : memref<128xi8>
    %v = tile.view %V : memref<128xi8>
    %scratch = tile.alloc : !scratch
    %n = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    %o = tile.update_map %n to %a in(%v : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_second = arith.cmpi uge, %thread, %c32 : index
    scf.if %is_second {
      // expected-note @below {{'tile.update_map' writes it here}}
      %p = tile.update_map %o to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(warp) : !map to !matrix
    }
    // expected-error @below {{reads global memory that an earlier operation writes, and nothing orders the two: for example thread 32 and thread 0, byte 0}}
    // expected-note @below {{orders them}}
    %q = tile.update_map %n to %a in(%v : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
    gpu.return
  }

  // Which map it is depends on a branch.
  gpu.func @either(%A: memref<?x64xf16>, %W: memref<128xi8>, %m: !map, %which: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x64xf16>
    %w = tile.view %W : memref<128xi8>
    %s = tile.alloc : !shared
    %scratch = tile.alloc : !scratch
    %n = scf.if %which -> !map {
      %o = tile.update_map %m to %a in(%w : !bytes) scratch(%scratch : !scratch) scope(cta) : !map to !matrix
      scf.yield %o : !map
    } else {
      scf.yield %m : !map
    }
    // expected-error @below {{is not followed: which operation makes its tensor map is not known}}
    tile.copy_async %s to %a[0, 0] [32, 64] scope(cta) bulk_group through(%n : !map) : !shared to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}
