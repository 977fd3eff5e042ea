// Passes over arrays, executed under all schedules: bytes selected by flags, with tiles in registers, and sums of doubles by keys of
// 64 bits, with tiles that pass through a ring.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/chained.py
// RUN: cd %t && tile-run %s --entry flagged --grid 2 --schedule=all --arg i8[9000]=bytes.npy --arg i8[9000]=flags.npy \
// RUN:   --arg i8[9000]=zeros --arg i32[1]=poison --arg u8[512]=zeros --arg i64=9000 --arg i32=1 \
// RUN:   --expect 2=kept.npy --expect 3=kept_count.npy
// RUN: cd %t && tile-run %s --entry sums --grid 5 --shared 40960 --schedule=all --arg i64[9000]=keys.npy --arg f64[9000]=values.npy \
// RUN:   --arg i64[9000]=zeros --arg f64[9000]=zeros --arg i32[1]=poison --arg u8[2048]=zeros --arg i64=9000 --arg i32=1 \
// RUN:   --expect 2=unique.npy --expect 3=sums.npy --expect 4=unique_count.npy

// Writes of vectors whose elements are all kept meet in no bank, and what is collected leaves by stores of 16 bytes.
// RUN: tile-run %s --entry flagged --grid 1 --arg i8[8192]=ones --arg i8[8192]=ones --arg i8[8192]=zeros --arg i32[1]=zeros \
// RUN:   --arg u8[512]=zeros --arg i64=8192 --arg i32=1 --print 3 | FileCheck %s
// CHECK: 8192
// CHECK: opcode issued bytes sectors wavefronts conflicts
// CHECK: st.global.v4.b32 16 8192 256
// CHECK: st.shared.b8 256 8192 256 0

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {}

func.func @select(%x: memref<?xi8>, %f: memref<?xi8>, %y: memref<?xi8>, %count: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @kernels::@flagged ins(%x, %f : memref<?xi8>, memref<?xi8>) outs(%y : memref<?xi8>) totals(%count : memref<1xi32>)
    init [0 : i32] workspace(%w : memref<?xi8>) epoch(%e) {shape = "register"}
  summary {
  ^bb0(%i: i64, %v: i8, %flag: i8):
    %zero = arith.constant 0 : i8
    %kept = arith.cmpi ne, %flag, %zero : i8
    %one = arith.extui %kept : i1 to i32
    tile.yield %one : i32
  } combine {
  ^bb0(%l: i32, %r: i32):
    %sum = arith.addi %l, %r : i32
    tile.yield %sum : i32
  } emit {
  ^bb0(%i: i64, %before: i32, %after: i32, %v: i8, %flag: i8):
    %kept = arith.cmpi ne, %before, %after : i32
    tile.yield %kept, %before, %v : i1, i32, i8
  } finish {
  ^bb0(%total: i32):
    tile.yield %total : i32
  }
  return
}

func.func @reduce(%keys: memref<?xi64>, %values: memref<?xf64>, %unique: memref<?xi64>, %sums: memref<?xf64>,
                  %count: memref<1xi32>, %w: memref<?xi8>, %e: i32) {
  tile.chained @kernels::@sums ins(%keys, %values : memref<?xi64>, memref<?xf64>)
    outs(%unique, %sums : memref<?xi64>, memref<?xf64>) totals(%count : memref<1xi32>)
    init [0 : i64, 0.0 : f64] workspace(%w : memref<?xi8>) epoch(%e) {halo, threads = 64, items = 8, stages = 3}
  summary {
  ^bb0(%i: i64, %key: i64, %value: f64, %left: i64, %lv: f64, %right: i64, %rv: f64, %first: i1, %last: i1):
    %differs = arith.cmpi ne, %key, %left : i64
    %begins = arith.ori %differs, %first : i1
    %runs = arith.extui %begins : i1 to i64
    tile.yield %runs, %value : i64, f64
  } combine {
  ^bb0(%lruns: i64, %lsum: f64, %rruns: i64, %rsum: f64):
    %zero = arith.constant 0 : i64
    %runs = arith.addi %lruns, %rruns : i64
    %both = arith.addf %lsum, %rsum : f64
    %begins = arith.cmpi ne, %rruns, %zero : i64
    %sum = arith.select %begins, %rsum, %both : f64
    tile.yield %runs, %sum : i64, f64
  } emit {
  ^bb0(%i: i64, %bruns: i64, %bsum: f64, %runs: i64, %sum: f64,
       %key: i64, %value: f64, %left: i64, %lv: f64, %right: i64, %rv: f64, %first: i1, %last: i1):
    %one = arith.constant 1 : i64
    %differs = arith.cmpi ne, %key, %right : i64
    %ends = arith.ori %differs, %last : i1
    %place = arith.subi %runs, %one : i64
    tile.yield %ends, %place, %key, %ends, %place, %sum : i1, i64, i64, i1, i64, f64
  } finish {
  ^bb0(%runs: i64, %sum: f64):
    %count32 = arith.trunci %runs : i64 to i32
    tile.yield %count32 : i32
  }
  return
}
