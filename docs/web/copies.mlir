// Kernels with tile copies, a scan and a pass, for PTX, SPIR-V and WGSL. The page copies.html runs them and compares the results with
// the PTX simulator's; test/Run/portable-targets.test does so for all three languages. test/tools/jobs.py reads the JOB lines.
//
// Through shared memory: vectors of 16 bytes; run-time extents, masked at the edges; a fill value, from before the first row.
// JOB: round_trip --arg f32[32x32]=random --arg f32[32x32]=poison
// JOB: transpose --grid 2,3 --arg f32[37x70]=random --arg f32[70x37]=poison
// JOB: window --arg i32[40x24]=random --arg i32[16x32]=poison --arg i64=-3
// Registers of each thread, in a loop with barriers whose bound is a run-time extent.
// JOB: columns --grid 2 --arg f32[48x64]=random --arg f32[64]=poison
// Elements of 2, 8 and 1 bytes: converted, used in arithmetic, and stored one by one by threads that share words.
// JOB: halves --arg f16[32x16]=random --arg f32[32x16]=poison
// JOB: longs --arg i64[64]=random --arg i64[64]=random:7 --arg i64[64]=poison --arg i64=-5
// JOB: bytes --arg i8[8x32]=random --arg i8[32x8]=poison --arg f16[4x64]=random --arg f16[64x4]=poison
// JOB: integers --arg i32[256]=random --arg i32[256]=random:1 --arg i32[256]=poison --arg i16=-2
// JOB: conversions --arg i32[64]=random --arg i8[64]=random --arg f32[4x64]=poison --arg f16[64]=poison --arg i32[4x64]=poison
// A loop whose exit condition depends on its values.
// JOB: collatz --arg i32[32]=poison
// Sums, with a different block size on each target.
// JOB: sums --arg i32[5000]=random --arg i32[5000]=poison --arg u8[512]=zeros --arg i64=5000 --arg i32=1 | --shared 196608 | --grid 3
// Sums by key, of the elements up to each one: payloads of two numbers, neighbours, a total, a number that launches pass.
// JOB: runs --arg i8[5000]=random --arg i32[5000]=random --arg i64[5000]=poison --arg i32[1]=poison --arg u8[4096]=zeros --arg i64=5000 --arg i32=1 --arg i8=3 | --shared 229760 | --grid 10

func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @kernels::@sums inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
  return
}

func.func @passes(%keys: memref<?xi8>, %x: memref<?xi32>, %y: memref<?xi64>, %count: memref<1xi32>, %w: memref<?xi8>, %epoch: i32,
                  %mask: i8) {
  tile.chained @kernels::@runs ins(%keys, %x : memref<?xi8>, memref<?xi32>) outs(%y : memref<?xi64>)
    totals(%count : memref<1xi32>) with(%mask : i8) init [0 : i32, 0 : i64] workspace(%w : memref<?xi8>) epoch(%epoch) {halo}
  summary {
  ^bb0(%i: i64, %k: i8, %v: i32, %lk: i8, %lv: i32, %rk: i8, %rv: i32, %first: i1, %last: i1, %m: i8):
    %key = arith.andi %k, %m : i8
    %left = arith.andi %lk, %m : i8
    %differs = arith.cmpi ne, %key, %left : i8
    %begins = arith.ori %differs, %first : i1
    %runs = arith.extui %begins : i1 to i32
    %value = arith.extsi %v : i32 to i64
    tile.yield %runs, %value : i32, i64
  } combine {
  ^bb0(%lruns: i32, %lsum: i64, %rruns: i32, %rsum: i64):
    %zero = arith.constant 0 : i32
    %runs = arith.addi %lruns, %rruns : i32
    %both = arith.addi %lsum, %rsum : i64
    %begins = arith.cmpi ne, %rruns, %zero : i32
    %sum = arith.select %begins, %rsum, %both : i64
    tile.yield %runs, %sum : i32, i64
  } emit {
  ^bb0(%i: i64, %bruns: i32, %bsum: i64, %runs: i32, %sum: i64, %k: i8, %v: i32, %lk: i8, %lv: i32, %rk: i8, %rv: i32, %first: i1,
       %last: i1, %m: i8):
    %kept = arith.constant true
    tile.yield %kept, %i, %sum : i1, i64, i64
  } finish {
  ^bb0(%runs: i32, %sum: i64, %m: i8):
    tile.yield %runs : i32
  }
  return
}

!open = !tile.buffer<?x24xi32, global>
!tile = !tile.buffer<16x32xi32, shared>
!out = !tile.buffer<16x32xi32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(cta) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  gpu.func @transpose(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %x, %c32 : index
    %column = arith.muli %y, %c32 : index
    %a = tile.view %A : memref<?x?xf32> to !tile.buffer<?x?xf32, global>
    %b = tile.view %B : memref<?x?xf32> to !tile.buffer<?x?xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %t = tile.permute %s [1, 0] : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
    tile.copy %a[%row, %column] [32, 32] to %s scope(cta) masked : !tile.buffer<?x?xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %t to %b[%column, %row] [32, 32] scope(cta) masked
      : !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>> to !tile.buffer<?x?xf32, global>
    gpu.return
  }

  gpu.func @window(%A: memref<?x24xi32>, %B: memref<16x32xi32>, %row: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %fill = arith.constant -7 : i32
    %a = tile.view %A : memref<?x24xi32> to !open
    %b = tile.view %B : memref<16x32xi32> to !out
    %s = tile.alloc : !tile
    tile.copy %a[%row, -5] [16, 32] to %s scope(cta) masked fill(%fill : i32) : !open to !tile
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile to !out
    gpu.return
  }

  gpu.func @columns(%A: memref<?x64xf32>, %B: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %half = arith.constant 0.5 : f32
    %a = tile.view %A : memref<?x64xf32> to !tile.buffer<?x64xf32, global>
    %s = tile.alloc : !tile.buffer<8x32xf32, shared>
    %mine = tile.alloc : !tile.buffer<8x32xf32, local, #tile.layout<(8, 32) : (1, 1@laneid)>>
    %block = gpu.block_id x
    %first = arith.muli %block, %c32 : index
    %lane = gpu.thread_id x
    %rows = memref.dim %A, %c0 : memref<?x64xf32>
    %registers = tile.local_view %mine : !tile.buffer<8x32xf32, local, #tile.layout<(8, 32) : (1, 1@laneid)>> to memref<8xf32>
    %sum = scf.for %row = %c0 to %rows step %c8 iter_args(%before = %zero) -> f32 {
      tile.copy %a[%row, %first] [8, 32] to %s scope(cta) : !tile.buffer<?x64xf32, global> to !tile.buffer<8x32xf32, shared>
      gpu.barrier
      tile.copy %s to %mine scope(cta) : !tile.buffer<8x32xf32, shared>
        to !tile.buffer<8x32xf32, local, #tile.layout<(8, 32) : (1, 1@laneid)>>
      gpu.barrier
      %one = arith.constant 1 : index
      %after = scf.for %r = %c0 to %c8 step %one iter_args(%sum = %before) -> f32 {
        %x = memref.load %registers[%r] : memref<8xf32>
        %scaled = arith.mulf %sum, %half : f32
        %next = arith.addf %scaled, %x : f32
        scf.yield %next : f32
      }
      scf.yield %after : f32
    }
    %place = arith.addi %first, %lane : index
    memref.store %sum, %B[%place] : memref<64xf32>
    gpu.return
  }

  gpu.func @halves(%A: memref<32x16xf16>, %B: memref<32x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %s = tile.alloc : !tile.buffer<32x16xf16, shared>
    tile.copy %a to %s scope(cta) : !tile.buffer<32x16xf16, global> to !tile.buffer<32x16xf16, shared>
    gpu.barrier
    %b = tile.view %B : memref<32x16xf32> to !tile.buffer<32x16xf32, global>
    tile.copy %s to %b scope(cta) : !tile.buffer<32x16xf16, shared> to !tile.buffer<32x16xf32, global>
    gpu.return
  }

  gpu.func @longs(%A: memref<64xi64>, %B: memref<64xi64>, %C: memref<64xi64>, %x: i64) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %lane = gpu.thread_id x
    %a = memref.load %A[%lane] : memref<64xi64>
    %b = memref.load %B[%lane] : memref<64xi64>
    %product = arith.muli %a, %b : i64
    %sum = arith.addi %product, %x : i64
    %least = arith.minsi %sum, %b : i64
    %wide = arith.index_cast %lane : index to i64
    %moved = arith.subi %least, %wide : i64
    memref.store %moved, %C[%lane] : memref<64xi64>
    gpu.return
  }

  gpu.func @integers(%A: memref<256xi32>, %B: memref<256xi32>, %C: memref<256xi32>, %x: i16) kernel
      attributes {known_block_size = array<i32: 32, 2, 1>} {
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c3 = arith.constant 3 : i32
    %c-5 = arith.constant -5 : i32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %rows = arith.muli %ty, %c32 : index
    %linear = arith.addi %tx, %rows : index
    %place = arith.muli %linear, %c4 : index
    %a = vector.load %A[%place] {alignment = 16 : i64} : memref<256xi32>, vector<4xi32>
    %b = vector.load %B[%place] : memref<256xi32>, vector<4xi32>
    %by = vector.broadcast %c3 : i32 to vector<4xi32>
    %n = vector.broadcast %c-5 : i32 to vector<4xi32>
    %wide = arith.extsi %x : i16 to i32
    %w = vector.broadcast %wide : i32 to vector<4xi32>
    %v0 = arith.shrsi %a, %by : vector<4xi32>
    %v1 = arith.divsi %v0, %n : vector<4xi32>
    %v2 = arith.remsi %b, %n : vector<4xi32>
    %v3 = arith.divui %a, %by : vector<4xi32>
    %v4 = arith.remui %b, %by : vector<4xi32>
    %v5 = arith.xori %v1, %v3 : vector<4xi32>
    %v6 = arith.subi %v2, %v4 : vector<4xi32>
    %less = arith.cmpi slt, %v5, %v6 : vector<4xi32>
    %v7 = arith.select %less, %v5, %w : vector<4xi1>, vector<4xi32>
    %v8 = arith.shli %v7, %by : vector<4xi32>
    %v9 = vector.shuffle %v8, %v6 [0, 5, 2, 7] : vector<4xi32>, vector<4xi32>
    vector.store %v9, %C[%place] : memref<256xi32>, vector<4xi32>
    gpu.return
  }

  gpu.func @bytes(%A: memref<8x32xi8>, %B: memref<32x8xi8>, %C: memref<4x64xf16>, %D: memref<64x4xf16>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x32xi8> to !tile.buffer<8x32xi8, global>
    %b = tile.view %B : memref<32x8xi8> to !tile.buffer<32x8xi8, global>
    %s = tile.alloc : !tile.buffer<8x32xi8, shared>
    %u = tile.alloc : !tile.buffer<8x32xi8, shared, #tile.layout<(8, 32) : (1, 8)>>
    tile.copy %a to %s scope(cta) : !tile.buffer<8x32xi8, global> to !tile.buffer<8x32xi8, shared>
    gpu.barrier
    tile.copy %s to %u scope(cta) : !tile.buffer<8x32xi8, shared> to !tile.buffer<8x32xi8, shared, #tile.layout<(8, 32) : (1, 8)>>
    gpu.barrier
    %t = tile.permute %u [1, 0] : !tile.buffer<8x32xi8, shared, #tile.layout<(8, 32) : (1, 8)>> to !tile.buffer<32x8xi8, shared>
    tile.copy %t to %b scope(cta) : !tile.buffer<32x8xi8, shared> to !tile.buffer<32x8xi8, global>

    // Half-word stores to global memory as well.
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %row = %c0 to %c4 step %c1 {
      %half = memref.load %C[%row, %tx] : memref<4x64xf16>
      memref.store %half, %D[%tx, %row] : memref<64x4xf16>
    }
    gpu.return
  }

  gpu.func @conversions(%A: memref<64xi32>, %S: memref<64xi8>, %F: memref<4x64xf32>, %H: memref<64xf16>, %I: memref<4x64xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %i = gpu.thread_id x
    %a = memref.load %A[%i] : memref<64xi32>
    %s = memref.load %S[%i] : memref<64xi8>
    %signed = arith.sitofp %a : i32 to f32
    %unsigned = arith.uitofp %a : i32 to f32
    %small = arith.sitofp %s : i8 to f32
    %h = arith.uitofp %s : i8 to f16
    memref.store %signed, %F[%c0, %i] : memref<4x64xf32>
    memref.store %unsigned, %F[%c1, %i] : memref<4x64xf32>
    memref.store %h, %H[%i] : memref<64xf16>
    // Values between integers, of both signs.
    %eighth = arith.constant 0.125 : f32
    %x = arith.mulf %small, %eighth : f32
    %floor = math.floor %x : f32
    %ceil = math.ceil %x : f32
    %trunc = math.trunc %x : f32
    %size = math.absf %x : f32
    %difference = arith.subf %ceil, %floor : f32
    %with = math.copysign %difference, %x : f32
    memref.store %with, %F[%c2, %i] : memref<4x64xf32>
    %rest = arith.subf %x, %trunc : f32
    memref.store %rest, %F[%c3, %i] : memref<4x64xf32>
    %whole = arith.fptosi %x : f32 to i32
    %short = arith.fptosi %x : f32 to i8
    %natural = arith.fptoui %size : f32 to i32
    memref.store %whole, %I[%c0, %i] : memref<4x64xi32>
    %wide = arith.extsi %short : i8 to i32
    memref.store %wide, %I[%c1, %i] : memref<4x64xi32>
    memref.store %natural, %I[%c2, %i] : memref<4x64xi32>
    %positive = math.absi %a : i32
    memref.store %positive, %I[%c3, %i] : memref<4x64xi32>
    gpu.return
  }

  // The number of Collatz steps that each thread's number takes to reach 1.
  gpu.func @collatz(%A: memref<32xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %i = gpu.thread_id x
    %number = arith.index_cast %i : index to i32
    %first = arith.addi %number, %one : i32
    %last, %steps = scf.while (%n = %first, %count = %zero) : (i32, i32) -> (i32, i32) {
      %goes_on = arith.cmpi ne, %n, %one : i32
      scf.condition(%goes_on) %n, %count : i32, i32
    } do {
    ^bb0(%n: i32, %count: i32):
      %half = arith.shrui %n, %one : i32
      %tripled = arith.muli %n, %three : i32
      %next = arith.addi %tripled, %one : i32
      %bit = arith.andi %n, %one : i32
      %is_odd = arith.cmpi eq, %bit, %one : i32
      %after = arith.select %is_odd, %next, %half : i32
      %more = arith.addi %count, %one : i32
      scf.yield %after, %more : i32, i32
    }
    %both = arith.addi %steps, %last : i32
    memref.store %both, %A[%i] : memref<32xi32>
    gpu.return
  }
}
