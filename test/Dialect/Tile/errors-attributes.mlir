// Attributes of the dialect that nothing reads are errors: a misspelt one would silently do nothing.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'func.func' op got tile.no_alias, did you mean tile.noalias?}}
func.func @kernel() attributes {tile.no_alias} {
  return
}

// -----

func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.for' op got tile.stage, did you mean tile.stages?}}
  scf.for %i = %c0 to %n step %c1 {
  } {tile.stage = 3 : i64}
  return
}

// -----

// expected-error@+1 {{'func.func' op got tile.unroll_by, expected one of tile.deny, tile.dynamic_shared, tile.noalias, tile.order, tile.producer, tile.role, tile.schedule, tile.scope, tile.stages}}
func.func @other() attributes {tile.unroll_by} {
  return
}
