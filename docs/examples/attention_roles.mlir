// O = softmax(Q K^T / sqrt(128)) V for each head, with roles written by hand: f16, any number of queries and keys; causal, or each query
// sees all keys. Arrays are heads x rows x 128, row by row; a head of keys is that of as many heads of queries as there are more of these.
// A block has 192 queries of a head, 64 in each of 3 warpgroups, which are a role. A warp of another one copies keys and values, 64 at a
// time, to rings of 4 stages.
!heads = !tile.buffer<?x?x128xf16, global>
!queries = !tile.buffer<192x128xf16, shared, #tile.layout<(192, 2, 64) : (64, 12288, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stages = !tile.buffer<4x64x128xf16, shared, #tile.layout<(4, 64, 2, 64) : (8192, 64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stage = !tile.buffer<64x128xf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!keys = !tile.buffer<128x64xf16, shared, #tile.layout<(2, 64, 64) : (4096, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
!s = !tile.buffer<192x64xf32, local, auto>
!p = !tile.buffer<192x64xf16, local, auto>
!o = !tile.buffer<192x128xf32, local, auto>
!half = !tile.buffer<192x128xf16, local, auto>
!row = !tile.buffer<192x1xf32, local, auto>
// Each lane's share of the sum of a row.
!groups = !tile.buffer<192x8x8xf32, local, auto>
!shares = !tile.buffer<192x1x8xf32, local, auto>
!limits = !tile.buffer<192x1xi32, local, auto>
!each = !tile.buffer<192x1x1xf32, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full_queries() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.mlir.global internal @full_keys() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @empty_keys() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @full_values() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @empty_values() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>

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
    %stages = arith.constant 4 : index
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
    %width = arith.constant 64 : index
    %stage, %f, %e, %parity = func.call @at(%step, %full, %empty)
      : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
    %before = arith.xori %parity, %one : i32
    func.call @await(%e, %before) : (!llvm.ptr<3>, i32) -> ()
    nvvm.bar.warp.sync %lanes : i32
    %first = arith.muli %step, %width : index
    tile.copy_async %from[%head, %first, 0] [1, 64, 128] to %to[%stage, 0, 0] [1, 64, 128] scope(warp) mbarrier(%f : !llvm.ptr<3>)
      masked fill(0.0) {variant = "tma"} : !heads to !stages
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
  func.func private @scores(%q: !queries, %step: index, %from: !stages, %full: !llvm.ptr<3>, %s: !s) {
    %stage, %f, %e, %parity = func.call @at(%step, %full, %full)
      : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
    func.call @await(%f, %parity) : (!llvm.ptr<3>, i32) -> ()
    %rows = tile.subview %from[%stage, 0, 0] [1, 64, 128] : !stages to !stage
    %k = tile.permute %rows [1, 0] : !stage
    tile.fill 0.0 to %s scope(cta) : !s
    tile.mma %q, %k, %s scope(cta) group : !queries, !keys, !s
    return
  }

  // O += P V of a step, in flight.
  func.func private @weighted(%p: !p, %step: index, %from: !stages, %full: !llvm.ptr<3>, %o: !o) {
    %stage, %f, %e, %parity = func.call @at(%step, %full, %full)
      : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
    func.call @await(%f, %parity) : (!llvm.ptr<3>, i32) -> ()
    %v = tile.subview %from[%stage, 0, 0] [1, 64, 128] : !stages to !stage
    tile.mma %p, %v, %o scope(cta) group : !p, !stage, !o
    return
  }

  // Powers of two of the scores below the row's reference, and each lane's sums of them.
  func.func private @weights(%s: !s, %max: !row, %e: !p, %more: !shares) {
    %scale = arith.constant 0.12751743 : f32          // log2(e) / sqrt(128)
    %x = tile.alloc : !s
    tile.map %s, %max to %x, %e scope(cta) : !s, !row to !s, !p {
    ^bb0(%score: f32, %m: f32):
      %minus = arith.negf %m : f32
      %less = math.fma %score, %scale, %minus : f32
      %r = math.exp2 %less fastmath<fast> : f32
      %h = arith.truncf %r : f32 to f16
      tile.yield %r, %h : f32, f16
    }
    %groups = tile.reshape %x : !s to !groups
    tile.reduce add %groups to %more dim(1) scope(cta) : !groups to !shares
    return
  }

  // Any reference of a row is right as long as nothing overflows: a warp raises those of its rows where a power of two is large.
  func.func private @softmax(%s: !s, %step: index, %first: index, %n: index, %whole: index, %causal: i1, %max: !row, %sum: !shares,
                             %factors: !row, %e: !p) -> i1 {
    %nothing = arith.constant 0xFF800000 : f32
    %scale = arith.constant 0.12751743 : f32          // log2(e) / sqrt(128)
    %most = arith.constant 16384.0 : f32
    %width = arith.constant 64 : index
    %from = arith.muli %step, %width : index
    %behind = arith.addi %from, %width : index
    %masks = arith.cmpi ugt, %behind, %whole : index
    %c1 = arith.constant 1 : index
    %behind_first = arith.addi %first, %c1 : index
    scf.if %masks {
      %limits = tile.alloc : !limits
      tile.map %max to %limits scope(cta) : !row to !limits {
      ^bb0(%m: f32, %i: index, %zeroth: index):
        %query = arith.addi %behind_first, %i : index
        %seen = arith.select %causal, %query, %n : index
        %end = arith.minui %seen, %n : index
        %left = arith.subi %end, %from : index
        %limit = arith.index_cast %left : index to i32
        tile.yield %limit : i32
      }
      tile.map %s, %limits to %s scope(cta) : !s, !limits to !s {
      ^bb0(%score: f32, %limit: i32, %i: index, %j: index):
        %key = arith.index_cast %j : index to i32
        %hidden = arith.cmpi sge, %key, %limit : i32
        %r = arith.select %hidden, %nothing, %score : f32
        tile.yield %r : f32
      }
    }
    %more = tile.alloc : !shares
    func.call @weights(%s, %max, %e, %more) : (!s, !row, !p, !shares) -> ()
    %grows = tile.total or %more scope(cta) per_warp : !shares to i1 of {
    ^bb0(%l: f32):
      %large = arith.cmpf uge, %l, %most : f32
      tile.yield %large : i1
    }
    scf.if %grows {
      tile.reduce max %s to %factors dim(1) scope(cta) : !s to !row
      tile.map %factors, %max to %factors, %max scope(cta) : !row, !row to !row, !row {
      ^bb0(%largest: f32, %before: f32):
        %scaled = arith.mulf %largest, %scale : f32
        %m = arith.maximumf %scaled, %before : f32
        %less = arith.subf %before, %m : f32
        %factor = math.exp2 %less fastmath<fast> : f32
        tile.yield %factor, %m : f32, f32
      }
      %each = tile.reshape %factors : !row to !each
      tile.map { arith.mulf } %sum, %each to %sum scope(cta) : !shares, !each to !shares
      func.call @weights(%s, %max, %e, %more) : (!s, !row, !p, !shares) -> ()
    }
    tile.map { arith.addf } %sum, %more to %sum scope(cta) : !shares, !shares to !shares
    return %grows : i1
  }

  gpu.func @attention(%Q: memref<?x?x128xf16>, %K: memref<?x?x128xf16>, %V: memref<?x?x128xf16>, %O: memref<?x?x128xf16>,
                       %is_causal: i32) kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %width = arith.constant 64 : index
    %height = arith.constant 192 : index
    %one = arith.constant 1 : i32
    %readers = arith.constant 12 : i32
    %zero = arith.constant 0.0 : f16
    %queries = tile.view %Q : memref<?x?x128xf16>
    %keys = tile.view %K : memref<?x?x128xf16>
    %values = tile.view %V : memref<?x?x128xf16>
    %results = tile.view %O : memref<?x?x128xf16>
    %n = memref.dim %K, %c1 : memref<?x?x128xf16>
    %q, %sk, %sv = tile.allocs : !queries, !stages, !stages

    // Heads in groups of 8, whose keys and values are in L2 together; the last rows first, which see most keys.
    %m = memref.dim %Q, %c1 : memref<?x?x128xf16>
    %heads = memref.dim %Q, %c0 : memref<?x?x128xf16>
    %rows = arith.ceildivui %m, %height : index
    %number = gpu.block_id x
    %head, %turned = tile.block_order %number of (%heads, %rows) grouped(8)
    %behind_turned = arith.addi %turned, %c1 : index
    %block = arith.subi %rows, %behind_turned : index
    %key_heads = memref.dim %K, %c0 : memref<?x?x128xf16>
    %shared_by = arith.divui %heads, %key_heads : index
    %key_head = arith.divui %head, %shared_by : index
    %first = arith.muli %block, %height : index

    // Up to where keys are seen by any query of the block.
    %no = arith.constant 0 : i32
    %causal = arith.cmpi ne, %is_causal, %no : i32
    %behind = arith.addi %first, %height : index
    %some = arith.select %causal, %behind, %n : index
    %end = arith.minui %some, %n : index
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
      affine.for %i = 0 to 4 {
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

    %consumers = arith.constant 384 : index
    %consumes = arith.cmpi ult, %thread, %consumers : index
    scf.if %consumes {
      nvvm.setmaxregister increase 160
      %lane = arith.remui %thread, %c32 : index
      %leads = arith.cmpi eq, %lane, %c0 : index
      // The rows of the warp, and up to where all of them see keys.
      %c16 = arith.constant 16 : index
      %warp = arith.divui %thread, %c32 : index
      %own = arith.muli %warp, %c16 : index
      %row = arith.addi %first, %own : index
      %seen = arith.addi %row, %c1 : index
      %every = arith.select %causal, %seen, %n : index
      %whole = arith.minui %every, %n : index
      %s, %p, %o, %e, %max, %sum, %factors = tile.allocs : !s, !p, !o, !p, !row, !shares, !row
      tile.fill 0.0 to %o scope(cta) : !o
      tile.fill 0.0 to %sum scope(cta) : !shares
      tile.fill -1.0e30 to %max scope(cta) : !row
      func.call @await(%fq, %no) : (!llvm.ptr<3>, i32) -> ()
      func.call @scores(%q, %c0, %sk, %fk, %s) : (!queries, index, !stages, !llvm.ptr<3>, !s) -> ()
      nvvm.wgmma.wait.group.sync.aligned 0
      func.call @release(%c0, %fk, %ek, %leads) : (index, !llvm.ptr<3>, !llvm.ptr<3>, i1) -> ()
      %begins = func.call @softmax(%s, %c0, %first, %n, %whole, %causal, %max, %sum, %factors, %e)
        : (!s, index, index, index, index, i1, !row, !shares, !row, !p) -> i1
      tile.copy %e to %p scope(cta) : !p to !p
      // The scores of the next step and the product with the values of this one are in flight together.
      scf.for %step = %c0 to %more step %c1 {
        %next = arith.addi %step, %c1 : index
        func.call @scores(%q, %next, %sk, %fk, %s) : (!queries, index, !stages, !llvm.ptr<3>, !s) -> ()
        func.call @weighted(%p, %step, %sv, %fv, %o) : (!p, index, !stages, !llvm.ptr<3>, !o) -> ()
        nvvm.wgmma.wait.group.sync.aligned 1
        func.call @release(%next, %fk, %ek, %leads) : (index, !llvm.ptr<3>, !llvm.ptr<3>, i1) -> ()
        %grows = func.call @softmax(%s, %next, %first, %n, %whole, %causal, %max, %sum, %factors, %e)
          : (!s, index, index, index, index, i1, !row, !shares, !row, !p) -> i1
        nvvm.wgmma.wait.group.sync.aligned 0
        func.call @release(%step, %fv, %ev, %leads) : (index, !llvm.ptr<3>, !llvm.ptr<3>, i1) -> ()
        scf.if %grows {
          tile.map { arith.mulf } %o, %factors to %o scope(cta) : !o, !row to !o
        }
        // No weight is negative, so this copies; a plain copy is none to LLVM, which would round to registers that the product reads.
        tile.map %e to %p scope(cta) : !p to !p {
        ^bb0(%weight: f16):
          %r = arith.maximumf %weight, %zero : f16
          tile.yield %r : f16
        }
      }
      func.call @weighted(%p, %more, %sv, %fv, %o) : (!p, index, !stages, !llvm.ptr<3>, !o) -> ()
      nvvm.wgmma.wait.group.sync.aligned 0
      %half, %shares = tile.allocs : !half, !each
      tile.reduce add %sum to %shares dim(2) scope(cta) : !shares to !each
      %sums = tile.reshape %shares : !each to !row
      tile.map %o, %sums to %half scope(cta) : !o, !row to !half {
      ^bb0(%value: f32, %l: f32):
        %r = arith.divf %value, %l fastmath<arcp> : f32
        %h = arith.truncf %r : f32 to f16
        tile.yield %h : f16
      }
      // The rows of the queries take the results, once no warp reads them any more. Each warp stores its own.
      gpu.barrier
      tile.copy %half to %q scope(cta) : !half to !queries
      %lanes = arith.constant -1 : i32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.bar.warp.sync %lanes : i32
      tile.copy_async %q[%own, 0] [16, 128] to %results[%head, %row, 0] [1, 16, 128] scope(warp) bulk_group masked
        {variant = "tma"} : !queries to !heads
      nvvm.cp.async.bulk.wait_group 0 {read}
    } else {
      nvvm.setmaxregister decrease 32
      %behind_consumers = arith.constant 12 : index
      %warp = arith.divui %thread, %c32 : index
      %is_one = arith.cmpi eq, %warp, %behind_consumers : index
      scf.if %is_one {
        tile.copy_async %queries[%head, %first, 0] [1, 192, 128] to %q scope(warp) mbarrier(%fq : !llvm.ptr<3>) masked fill(%zero : f16)
          {variant = "tma"} : !heads to !queries
        func.call @bring(%keys, %key_head, %c0, %sk, %fk, %ek) : (!heads, index, index, !stages, !llvm.ptr<3>, !llvm.ptr<3>) -> ()
        scf.for %step = %c0 to %more step %c1 {
          %next = arith.addi %step, %c1 : index
          func.call @bring(%keys, %key_head, %next, %sk, %fk, %ek) : (!heads, index, index, !stages, !llvm.ptr<3>, !llvm.ptr<3>) -> ()
          func.call @bring(%values, %key_head, %step, %sv, %fv, %ev) : (!heads, index, index, !stages, !llvm.ptr<3>, !llvm.ptr<3>) -> ()
        }
        func.call @bring(%values, %key_head, %more, %sv, %fv, %ev) : (!heads, index, index, !stages, !llvm.ptr<3>, !llvm.ptr<3>) -> ()
      }
    } {tile.role = 384 : i64}
    gpu.return
  }
}
