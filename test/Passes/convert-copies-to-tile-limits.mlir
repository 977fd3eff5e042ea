// Transfers that several things limit: the end of the memref, that of a subview, and masks of both transfers. The smallest counts.
// RUN: tile-opt --convert-copies-to-tile %s -o %t.mlir
// RUN: grep -c tile.copy %t.mlir | FileCheck %s --check-prefix=CONVERTED
// CONVERTED: {{^}}13{{$}}

// The memref ends before the mask, or the mask before the memref.
// RUN: tile-run %t.mlir --schedule=all --entry read --arg f32[4x8]=iota --arg f32[2x4]=poison --arg i64=3 --arg i64=6 --arg i64=2 --arg i64=4 \
// RUN:   --print 1 | FileCheck %s --check-prefix=READ-END
// READ-END: {{^}}30.0 31.0 5.0 5.0{{$}}
// READ-END-NEXT: {{^}}5.0 5.0 5.0 5.0{{$}}
// RUN: tile-run %t.mlir --schedule=all --entry read --arg f32[4x8]=iota --arg f32[2x4]=poison --arg i64=2 --arg i64=4 --arg i64=1 --arg i64=3 \
// RUN:   --print 1 | FileCheck %s --check-prefix=READ-MASK
// READ-MASK: {{^}}20.0 21.0 22.0 5.0{{$}}
// READ-MASK-NEXT: {{^}}5.0 5.0 5.0 5.0{{$}}

// A mask may be negative, or larger than its vector.
// RUN: tile-run %t.mlir --schedule=all --entry read --arg f32[4x8]=iota --arg f32[2x4]=poison --arg i64=1 --arg i64=2 --arg i64=9223372036854775807 \
// RUN:   --arg i64=9223372036854775807 --print 1 | FileCheck %s --check-prefix=READ-ALL
// READ-ALL: {{^}}10.0 11.0 12.0 13.0{{$}}
// READ-ALL-NEXT: {{^}}18.0 19.0 20.0 21.0{{$}}
// RUN: tile-run %t.mlir --schedule=all --entry read --arg f32[4x8]=iota --arg f32[2x4]=poison --arg i64=1 --arg i64=2 --arg i64=-1 --arg i64=2 \
// RUN:   --print 1 | FileCheck %s --check-prefix=READ-NONE
// READ-NONE-COUNT-2: {{^}}5.0 5.0 5.0 5.0{{$}}

// RUN: tile-run %t.mlir --schedule=all --entry write --arg f32[2x4]=iota --arg f32[3x6]=zeros --arg i64=2 --arg i64=4 --arg i64=2 --arg i64=4 \
// RUN:   --print 1 | FileCheck %s --check-prefix=WRITE
// WRITE: {{^}}0.0 0.0 0.0 0.0 0.0 0.0{{$}}
// WRITE-NEXT: {{^}}0.0 0.0 0.0 0.0 0.0 0.0{{$}}
// WRITE-NEXT: {{^}}0.0 0.0 0.0 0.0 0.0 1.0{{$}}

// What is read may be any value beyond the end, so that only what both limits leave is copied.
// RUN: tile-run %t.mlir --schedule=all --entry joined --arg f32[16]=iota --arg f32[8]=zeros --arg i64=12 --arg i64=7 --print 1 \
// RUN:   | FileCheck %s --check-prefix=JOINED
// JOINED: {{^}}12.0 13.0 14.0 15.0 0.0 0.0 0.0 0.0{{$}}
// RUN: tile-run %t.mlir --schedule=all --entry joined --arg f32[16]=iota --arg f32[8]=zeros --arg i64=12 --arg i64=2 --print 1 \
// RUN:   | FileCheck %s --check-prefix=JOINED-MASK
// JOINED-MASK: {{^}}12.0 13.0 0.0 0.0 0.0 0.0 0.0 0.0{{$}}

// RUN: tile-run %t.mlir --schedule=all --entry part --arg f32[32]=iota --arg f32[8]=poison --arg i64=3 --arg i64=8 --print 1 \
// RUN:   | FileCheck %s --check-prefix=PART
// PART: {{^}}11.0 12.0 13.0 14.0 15.0 5.0 5.0 5.0{{$}}

// A transfer may begin beyond the end, and then writes nothing.
// RUN: tile-run %t.mlir --schedule=all --entry beyond --arg f32[8]=iota --arg f32[16]=zeros --arg i64=8 --print 1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: {{^}}0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0{{$}}

// RUN: tile-run %t.mlir --schedule=all --entry two --arg f32[16]=iota --arg f32[16]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=TWO
// RUN: tile-run %t.mlir --schedule=all --entry apart --arg f32[16]=iota --arg i64=2 --print 0 | FileCheck %s --check-prefix=APART

// The threads copy together to workgroup memory whose end is one limit, and a constant mask the other.
// RUN: tile-run %t.mlir --schedule=all --entry shared --arg f32[4x8]=iota --arg f32[4x8]=poison --print 1 | FileCheck %s --check-prefix=SHARED
// SHARED: {{^}}0.0 1.0 2.0 5.0 5.0 5.0 5.0 5.0{{$}}
// SHARED-NEXT: {{^}}8.0 9.0 10.0 5.0 5.0 5.0 5.0 5.0{{$}}
// SHARED-NEXT: {{^}}5.0 5.0 5.0 5.0 5.0 5.0 5.0 5.0{{$}}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @read(%A: memref<4x8xf32>, %B: memref<2x4xf32>, %i: index, %j: index, %m: index, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %five = arith.constant 5.0 : f32
    %mask = vector.create_mask %m, %n : vector<2x4xi1>
    %v = vector.transfer_read %A[%i, %j], %five, %mask : memref<4x8xf32>, vector<2x4xf32>
    vector.transfer_write %v, %B[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xf32>, memref<2x4xf32>
    gpu.return
  }

  gpu.func @write(%A: memref<2x4xf32>, %B: memref<3x6xf32>, %i: index, %j: index, %m: index, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %five = arith.constant 5.0 : f32
    %mask = vector.create_mask %m, %n : vector<2x4xi1>
    %v = vector.transfer_read %A[%c0, %c0], %five {in_bounds = [true, true]} : memref<2x4xf32>, vector<2x4xf32>
    vector.transfer_write %v, %B[%i, %j], %mask : vector<2x4xf32>, memref<3x6xf32>
    gpu.return
  }

  gpu.func @joined(%A: memref<16xf32>, %B: memref<8xf32>, %i: index, %m: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %any = ub.poison : f32
    %mask = vector.create_mask %m : vector<8xi1>
    %v = vector.transfer_read %A[%i], %any : memref<16xf32>, vector<8xf32>
    vector.transfer_write %v, %B[%c0], %mask {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    gpu.return
  }

  gpu.func @part(%A: memref<32xf32>, %B: memref<8xf32>, %i: index, %m: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %five = arith.constant 5.0 : f32
    %mask = vector.create_mask %m : vector<8xi1>
    %part = memref.subview %A[8] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: 8>>
    %v = vector.transfer_read %part[%i], %five, %mask : memref<8xf32, strided<[1], offset: 8>>, vector<8xf32>
    vector.transfer_write %v, %B[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    gpu.return
  }

  gpu.func @beyond(%A: memref<8xf32>, %B: memref<16xf32>, %m: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %any = ub.poison : f32
    %mask = vector.create_mask %m : vector<8xi1>
    %part = memref.subview %B[2] [3] [1] : memref<16xf32> to memref<3xf32, strided<[1], offset: 2>>
    %v = vector.transfer_read %A[%c0], %any {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    vector.transfer_write %v, %part[%c4], %mask : vector<8xf32>, memref<3xf32, strided<[1], offset: 2>>
    gpu.return
  }

  // A write to other memory, here to that of the workgroup, does not change what is read.
  // TWO: argument 1 holds what argument 0 holds
  gpu.func @two(%A: memref<16xf32>, %B: memref<16xf32>)
      workgroup(%w: memref<8xf32, 3>, %x: memref<8xf32, 3>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 32, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %any = ub.poison : f32
    %a = vector.transfer_read %A[%c0], %any {in_bounds = [true]} : memref<16xf32>, vector<8xf32>
    %b = vector.transfer_read %A[%c8], %any {in_bounds = [true]} : memref<16xf32>, vector<8xf32>
    vector.transfer_write %a, %w[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32, 3>
    vector.transfer_write %b, %x[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32, 3>
    gpu.barrier
    %d = vector.transfer_read %w[%c0], %any {in_bounds = [true]} : memref<8xf32, 3>, vector<8xf32>
    %e = vector.transfer_read %x[%c0], %any {in_bounds = [true]} : memref<8xf32, 3>, vector<8xf32>
    vector.transfer_write %d, %B[%c0] {in_bounds = [true]} : vector<8xf32>, memref<16xf32>
    vector.transfer_write %e, %B[%c8] {in_bounds = [true]} : vector<8xf32>, memref<16xf32>
    gpu.return
  }

  // Regions of one memref whose begins are a known number apart.
  // APART: {{^}}0.0 1.0 2.0 3.0 4.0 5.0 2.0 3.0 4.0 5.0 10.0 11.0 12.0 13.0 14.0 15.0{{$}}
  gpu.func @apart(%A: memref<16xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c4 = arith.constant 4 : index
    %any = ub.poison : f32
    %j = arith.addi %i, %c4 : index
    %v = vector.transfer_read %A[%i], %any {in_bounds = [true]} : memref<16xf32>, vector<4xf32>
    vector.transfer_write %v, %A[%j] {in_bounds = [true]} : vector<4xf32>, memref<16xf32>
    gpu.return
  }

  gpu.func @shared(%A: memref<4x8xf32>, %B: memref<4x8xf32>)
      workgroup(%w: memref<4x8xf32, #gpu.address_space<workgroup>>, %x: memref<4x8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 32, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %five = arith.constant 5.0 : f32
    %rows = vector.constant_mask [3, 3] : vector<4x8xi1>
    %p = vector.transfer_read %A[%c2, %c0], %five {in_bounds = [false, true]} : memref<4x8xf32>, vector<4x8xf32>
    vector.transfer_write %p, %w[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %q = vector.transfer_read %A[%c0, %c0], %five {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    vector.transfer_write %q, %w[%c2, %c0], %rows {in_bounds = [false, true]}
      : vector<4x8xf32>, memref<4x8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %s = vector.transfer_read %w[%c2, %c0], %five, %rows {in_bounds = [false, true]}
      : memref<4x8xf32, #gpu.address_space<workgroup>>, vector<4x8xf32>
    vector.transfer_write %s, %B[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }
}
