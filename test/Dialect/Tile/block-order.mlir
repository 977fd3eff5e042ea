// RUN: tile-opt %s --split-input-file --verify-diagnostics | tile-opt --split-input-file | FileCheck %s
// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-generic | tile-opt --split-input-file | FileCheck %s
// RUN: tile-opt %s --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s --check-prefix=ONCE
// The tiles of blocks. An op that nothing uses is dead, and two alike are one.

// CHECK-LABEL: func.func @orders
// ONCE-LABEL:  func.func @orders
func.func @orders(%b: index, %m: index, %n: index) -> (index, index, index, index, index) {
  // CHECK: tile.block_order %{{.*}} of (%{{.*}}, %{{.*}}) rows
  %i, %j = tile.block_order %b of (%m, %n) rows
  // CHECK: tile.block_order %{{.*}} of (%{{.*}}, %{{.*}}) columns
  %k, %l = tile.block_order %b of (%m, %n) columns
  // CHECK: tile.block_order %{{.*}} of (%{{.*}}, %{{.*}}) grouped(8)
  %o, %p = tile.block_order %b of (%m, %n) grouped(8)
  // ONCE-COUNT-2: tile.block_order
  // ONCE-NOT:     tile.block_order
  %same, %as = tile.block_order %b of (%m, %n) rows
  // ONCE: return
  return %i, %j, %o, %same, %as : index, index, index, index, index
}

// -----

func.func @open(%b: index, %m: index, %n: index) {
  // expected-error@below {{got grouped without a number of rows, expected grouped(8) or another}}
  %i, %j = tile.block_order %b of (%m, %n) grouped
  return
}

// -----

func.func @grouped_rows(%b: index, %m: index, %n: index) {
  // expected-error@below {{got groups of 4 rows for an order without groups, expected grouped(4)}}
  %i, %j = tile.block_order %b of (%m, %n) rows(4)
  return
}

// -----

func.func @none(%b: index, %m: index, %n: index) {
  // expected-error@below {{attribute 'group' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %i, %j = tile.block_order %b of (%m, %n) grouped(0)
  return
}

// -----

func.func @other(%b: index, %m: index, %n: index) {
  // expected-error@below {{expected string or keyword containing one of the following enum values for attribute 'order' [rows, columns, grouped]}}
  %i, %j = tile.block_order %b of (%m, %n) squares
  return
}
