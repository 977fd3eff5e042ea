// The number of stages of a loop: every tool refuses any other in the same words, when it reads the file.
// RUN: tile-opt %s --split-input-file --verify-diagnostics
// RUN: sed '/^\/\/ -----/,$d' %s > %t.mlir
// RUN: not tile-opt %t.mlir --tile-build -o /dev/null 2>&1 | FileCheck %s
// RUN: not tile-opt %t.mlir --tile-pipeline -o /dev/null 2>&1 | FileCheck %s
// RUN: not tile-translate %t.mlir --tile-to-ptx -o /dev/null 2>&1 | FileCheck %s
// RUN: not tile-run %t.mlir 2>&1 | FileCheck %s
// CHECK: error: 'scf.for' op has tile.stages, expected an integer from 1 to 8

// None.
func.func @loop(%from: index, %to: index, %step: index) {
  // expected-error@below {{has tile.stages, expected an integer from 1 to 8}}
  scf.for %i = %from to %to step %step {
  } {tile.stages = 0 : i64}
  return
}

// -----

// Fewer than none.
func.func @loop(%from: index, %to: index, %step: index) {
  // expected-error@below {{has tile.stages, expected an integer from 1 to 8}}
  scf.for %i = %from to %to step %step {
  } {tile.stages = -1 : i64}
  return
}

// -----

// A text.
func.func @loop(%from: index, %to: index, %step: index) {
  // expected-error@below {{has tile.stages, expected an integer from 1 to 8}}
  scf.for %i = %from to %to step %step {
  } {tile.stages = "3"}
  return
}

// -----

// A float.
func.func @loop(%from: index, %to: index, %step: index) {
  // expected-error@below {{has tile.stages, expected an integer from 1 to 8}}
  scf.for %i = %from to %to step %step {
  } {tile.stages = 3.0 : f32}
  return
}

// -----

// More than the check compares.
func.func @loop(%from: index, %to: index, %step: index) {
  // expected-error@below {{has tile.stages, expected an integer from 1 to 8}}
  scf.for %i = %from to %to step %step {
  } {tile.stages = 9 : i64}
  return
}

// -----

// As many as a number can say.
func.func @loop(%from: index, %to: index, %step: index) {
  // expected-error@below {{has tile.stages, expected an integer from 1 to 8}}
  scf.for %i = %from to %to step %step {
  } {tile.stages = 9223372036854775807 : i64}
  return
}

// -----

// No number.
func.func @loop(%from: index, %to: index, %step: index) {
  // expected-error@below {{has tile.stages, expected an integer from 1 to 8}}
  scf.for %i = %from to %to step %step {
  } {tile.stages = unit}
  return
}
