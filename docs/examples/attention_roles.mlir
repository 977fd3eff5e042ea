// O = softmax(Q K^T / sqrt(128)) V for each head, with roles written by hand: f16, any number of queries and keys; causal, or each query
// sees all keys. Arrays are heads x rows x 128, row by row. A block has 128 queries of a head, 64 in each of 2 warpgroups, which are a role.
// A warp of another one copies keys and values, 128 at a time, to rings of 2 stages.
!heads = !tile.buffer<?x?x128xf16, global>
!stages = !tile.buffer<2x128x128xf16, shared, #tile.layout<(2, 128, 2, 64) : (16384, 64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stage = !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!keys = !tile.buffer<128x128xf16, shared, #tile.layout<(2, 64, 128) : (8192, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
!s = !tile.buffer<128x128xf32, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>
!p = !tile.buffer<128x128xf16, local, #tile.fragment<wgmma.a over (2, 1) warpgroups>>
!half = !tile.buffer<128x128xf16, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>
!row = !tile.buffer<128x1xf32, local, #tile.fragment<wgmma.rows over (2, 1) warpgroups>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full_queries() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.mlir.global internal @full_keys() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty_keys() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @full_values() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty_values() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>

  // Waits for a phase of an mbarrier.
  func.func private @await(%mbarrier: !llvm.ptr<3>, %parity: i32) {
    %true = arith.constant true
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %mbarrier, %parity : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    return
  }

  // The stage of a step, its two mbarriers, and the parity of the phase in which it is filled.
  func.func private @at(%step: index, %full: !llvm.ptr<3>, %empty: !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32) {
    %c2 = arith.constant 2 : index
    %stages = arith.constant 2 : index
    %stage = arith.remui %step, %stages : index
    %lap = arith.divui %step, %stages : index
    %odd = arith.remui %lap, %c2 : index
    %number = arith.index_cast %stage : index to i32
    %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %parity = arith.index_cast %odd : index to i32
    return %stage, %f, %e, %parity : index, !llvm.ptr<3>, !llvm.ptr<3>, i32
  }

  // Copies keys or values to their stage once all warps have released it.
  func.func private @bring(%from: !heads, %head: index, %step: index, %to: !stages, %full: !llvm.ptr<3>, %empty: !llvm.ptr<3>) {
    %lanes = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f16
    %width = arith.constant 128 : index
    %stage, %f, %e, %parity = func.call @at(%step, %full, %empty)
      : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
    %before = arith.xori %parity, %one : i32
    func.call @await(%e, %before) : (!llvm.ptr<3>, i32) -> ()
    nvvm.bar.warp.sync %lanes : i32
    %first = arith.muli %step, %width : index
    tile.copy_async %from[%head, %first, 0] [1, 128, 128] to %to[%stage, 0, 0] [1, 128, 128] scope(warp) mbarrier(%f : !llvm.ptr<3>)
      masked fill(%zero : f16) {variant = "tma"} : !heads to !stages
    return
  }

  // Each warp releases a stage by itself.
  func.func private @release(%step: index, %full: !llvm.ptr<3>, %empty: !llvm.ptr<3>, %leads: i1) {
    %lanes = arith.constant -1 : i32
    %stage, %f, %e, %parity = func.call @at(%step, %full, %empty)
      : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
    nvvm.bar.warp.sync %lanes : i32
    scf.if %leads {
      nvvm.mbarrier.arrive %e : !llvm.ptr<3>
    }
    return
  }

  // S = Q K^T of a step, in flight.
  func.func private @scores(%q: !stage, %step: index, %from: !stages, %full: !llvm.ptr<3>, %s: !s) {
    %none = arith.constant 0.0 : f32
    %stage, %f, %e, %parity = func.call @at(%step, %full, %full)
      : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
    func.call @await(%f, %parity) : (!llvm.ptr<3>, i32) -> ()
    %rows = tile.subview %from[%stage, 0, 0] [1, 128, 128] : !stages to !stage
    %k = tile.permute %rows [1, 0] : !stage
    tile.fill %none to %s scope(cta) : f32 to !s
    tile.mma %q, %k, %s scope(cta) group : !stage, !keys, !s
    return
  }

  // O += P V of a step, in flight.
  func.func private @weighted(%p: !p, %step: index, %from: !stages, %full: !llvm.ptr<3>, %o: !s) {
    %stage, %f, %e, %parity = func.call @at(%step, %full, %full)
      : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
    func.call @await(%f, %parity) : (!llvm.ptr<3>, i32) -> ()
    %v = tile.subview %from[%stage, 0, 0] [1, 128, 128] : !stages to !stage
    tile.mma %p, %v, %o scope(cta) group : !p, !stage, !s
    return
  }

  // S becomes powers of two of what is below the row's maximum; `factors` are by what earlier sums shrink where that has grown.
  func.func private @softmax(%s: !s, %step: index, %first: index, %n: index, %whole: index, %causal: i1, %max: !row, %sum: !row, %factors: !row) {
    %nothing = arith.constant 0xFF800000 : f32
    %scale = arith.constant 0.12751743 : f32          // log2(e) / sqrt(128)
    %width = arith.constant 128 : index
    %from = arith.muli %step, %width : index
    %behind = arith.addi %from, %width : index
    %masks = arith.cmpi ugt, %behind, %whole : index
    scf.if %masks {
      tile.map %s to %s scope(cta) : !s to !s {
      ^bb0(%e: f32, %i: index, %j: index):
        %key = arith.addi %from, %j : index
        %query = arith.addi %first, %i : index
        %later = arith.cmpi ugt, %key, %query : index
        %unseen = arith.andi %later, %causal : i1
        %beyond = arith.cmpi uge, %key, %n : index
        %hidden = arith.ori %unseen, %beyond : i1
        %r = arith.select %hidden, %nothing, %e : f32
        tile.yield %r : f32
      }
    }
    tile.reduce max %s to %factors dim(1) scope(cta) : !s to !row
    tile.map %factors, %max, %sum to %factors, %max, %sum scope(cta) : !row, !row, !row to !row, !row, !row {
    ^bb0(%largest: f32, %before: f32, %l: f32):
      %scaled = arith.mulf %largest, %scale : f32
      %m = arith.maximumf %scaled, %before : f32
      %less = arith.subf %before, %m : f32
      %factor = math.exp2 %less fastmath<fast> : f32
      %kept = arith.mulf %l, %factor : f32
      tile.yield %factor, %m, %kept : f32, f32, f32
    }
    tile.map %s, %max to %s scope(cta) : !s, !row to !s {
    ^bb0(%e: f32, %m: f32):
      %minus = arith.negf %m : f32
      %less = math.fma %e, %scale, %minus : f32
      %r = math.exp2 %less fastmath<fast> : f32
      tile.yield %r : f32
    }
    %more = tile.alloc : !row
    tile.reduce add %s to %more dim(1) scope(cta) : !s to !row
    tile.map %sum, %more to %sum scope(cta) : !row, !row to !row {
    ^bb0(%l: f32, %added: f32):
      %r = arith.addf %l, %added : f32
      tile.yield %r : f32
    }
    return
  }

  gpu.func @attention(%Q: memref<?x?x128xf16>, %K: memref<?x?x128xf16>, %V: memref<?x?x128xf16>, %O: memref<?x?x128xf16>,
                       %is_causal: i32) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %width = arith.constant 128 : index
    %height = arith.constant 128 : index
    %stages = arith.constant 2 : index
    %one = arith.constant 1 : i32
    %readers = arith.constant 8 : i32
    %zero = arith.constant 0.0 : f16
    %queries = tile.view %Q : memref<?x?x128xf16>
    %keys = tile.view %K : memref<?x?x128xf16>
    %values = tile.view %V : memref<?x?x128xf16>
    %results = tile.view %O : memref<?x?x128xf16>
    %n = memref.dim %K, %c1 : memref<?x?x128xf16>
    %q = tile.alloc : !stage
    %sk = tile.alloc : !stages
    %sv = tile.alloc : !stages

    %head = gpu.block_id y
    %block = gpu.block_id x
    %first = arith.muli %block, %height : index

    // Up to where keys are seen by any query of the block, and by all.
    %no = arith.constant 0 : i32
    %causal = arith.cmpi ne, %is_causal, %no : i32
    %behind = arith.addi %first, %height : index
    %some = arith.select %causal, %behind, %n : index
    %end = arith.minui %some, %n : index
    %every = arith.select %causal, %first, %n : index
    %whole = arith.minui %every, %n : index
    %needed = arith.ceildivui %end, %width : index
    // Without keys, one step of hidden ones.
    %steps = arith.maxui %needed, %c1 : index
    %more = arith.subi %steps, %c1 : index

    %fq = llvm.mlir.addressof @full_queries : !llvm.ptr<3>
    %fk = llvm.mlir.addressof @full_keys : !llvm.ptr<3>
    %ek = llvm.mlir.addressof @empty_keys : !llvm.ptr<3>
    %fv = llvm.mlir.addressof @full_values : !llvm.ptr<3>
    %ev = llvm.mlir.addressof @empty_values : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      nvvm.mbarrier.init %fq, %one : !llvm.ptr<3>, i32
      scf.for %i = %c0 to %stages step %c1 {
        %stage, %full_k, %empty_k, %even = func.call @at(%i, %fk, %ek)
          : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
        %same, %full_v, %empty_v, %too = func.call @at(%i, %fv, %ev)
          : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
        nvvm.mbarrier.init %full_k, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %empty_k, %readers : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %full_v, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %empty_v, %readers : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
    }
    gpu.barrier

    %consumers = arith.constant 256 : index
    %consumes = arith.cmpi ult, %thread, %consumers : index
    scf.if %consumes {
      nvvm.setmaxregister increase 232
      %lane = arith.remui %thread, %c32 : index
      %leads = arith.cmpi eq, %lane, %c0 : index
      %s = tile.alloc : !s
      %p = tile.alloc : !p
      %o = tile.alloc : !s
      %max = tile.alloc : !row
      %sum = tile.alloc : !row
      %factors = tile.alloc : !row
      %none = arith.constant 0.0 : f32
      %low = arith.constant -1.0e30 : f32
      tile.fill %none to %o scope(cta) : f32 to !s
      tile.fill %none to %sum scope(cta) : f32 to !row
      tile.fill %low to %max scope(cta) : f32 to !row
      func.call @await(%fq, %no) : (!llvm.ptr<3>, i32) -> ()
      func.call @scores(%q, %c0, %sk, %fk, %s) : (!stage, index, !stages, !llvm.ptr<3>, !s) -> ()
      nvvm.wgmma.wait.group.sync.aligned 0
      func.call @release(%c0, %fk, %ek, %leads) : (index, !llvm.ptr<3>, !llvm.ptr<3>, i1) -> ()
      func.call @softmax(%s, %c0, %first, %n, %whole, %causal, %max, %sum, %factors)
        : (!s, index, index, index, index, i1, !row, !row, !row) -> ()
      tile.copy %s to %p scope(cta) : !s to !p
      // The scores of the next step and the product with the values of this one are in flight together.
      scf.for %step = %c0 to %more step %c1 {
        %next = arith.addi %step, %c1 : index
        func.call @scores(%q, %next, %sk, %fk, %s) : (!stage, index, !stages, !llvm.ptr<3>, !s) -> ()
        func.call @weighted(%p, %step, %sv, %fv, %o) : (!p, index, !stages, !llvm.ptr<3>, !s) -> ()
        nvvm.wgmma.wait.group.sync.aligned 1
        func.call @release(%next, %fk, %ek, %leads) : (index, !llvm.ptr<3>, !llvm.ptr<3>, i1) -> ()
        func.call @softmax(%s, %next, %first, %n, %whole, %causal, %max, %sum, %factors)
          : (!s, index, index, index, index, i1, !row, !row, !row) -> ()
        nvvm.wgmma.wait.group.sync.aligned 0
        func.call @release(%step, %fv, %ev, %leads) : (index, !llvm.ptr<3>, !llvm.ptr<3>, i1) -> ()
        tile.map %o, %factors to %o scope(cta) : !s, !row to !s {
        ^bb0(%e: f32, %factor: f32):
          %r = arith.mulf %e, %factor : f32
          tile.yield %r : f32
        }
        tile.copy %s to %p scope(cta) : !s to !p
      }
      func.call @weighted(%p, %more, %sv, %fv, %o) : (!p, index, !stages, !llvm.ptr<3>, !s) -> ()
      nvvm.wgmma.wait.group.sync.aligned 0
      %half = tile.alloc : !half
      tile.map %o, %sum to %half scope(cta) : !s, !row to !half {
      ^bb0(%e: f32, %l: f32):
        %r = arith.divf %e, %l fastmath<arcp> : f32
        %h = arith.truncf %r : f32 to f16
        tile.yield %h : f16
      }
      // The rows of the queries take the results, once no warp reads them any more.
      gpu.barrier
      tile.copy %half to %q scope(cta) : !half to !stage
      gpu.barrier
      tile.copy %q to %results[%head, %first, 0] [1, 128, 128] scope(cta) masked : !stage to !heads
    } else {
      nvvm.setmaxregister decrease 40
      %behind_consumers = arith.constant 8 : index
      %warp = arith.divui %thread, %c32 : index
      %is_one = arith.cmpi eq, %warp, %behind_consumers : index
      scf.if %is_one {
        tile.copy_async %queries[%head, %first, 0] [1, 128, 128] to %q scope(warp) mbarrier(%fq : !llvm.ptr<3>) masked fill(%zero : f16)
          {variant = "tma"} : !heads to !stage
        func.call @bring(%keys, %head, %c0, %sk, %fk, %ek) : (!heads, index, index, !stages, !llvm.ptr<3>, !llvm.ptr<3>) -> ()
        scf.for %step = %c0 to %more step %c1 {
          %next = arith.addi %step, %c1 : index
          func.call @bring(%keys, %head, %next, %sk, %fk, %ek) : (!heads, index, index, !stages, !llvm.ptr<3>, !llvm.ptr<3>) -> ()
          func.call @bring(%values, %head, %step, %sv, %fv, %ev) : (!heads, index, index, !stages, !llvm.ptr<3>, !llvm.ptr<3>) -> ()
        }
        func.call @bring(%values, %head, %more, %sv, %fv, %ev) : (!heads, index, index, !stages, !llvm.ptr<3>, !llvm.ptr<3>) -> ()
      }
    } {tile.role = 256 : i64}
    gpu.return
  }
}
