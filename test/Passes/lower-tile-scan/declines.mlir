// Every reason for which a strategy declines a scan, as a remark and in the error of a scan that no strategy accepts.
// RUN: tile-opt %s --split-input-file --lower-tile-scan --verify-diagnostics -o /dev/null
// RUN: not tile-opt %s --split-input-file --lower-tile-scan -o /dev/null --remarks-filter=tile-scan \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: [Missed] threads-not-warps | Category:tile-scan | Function=threads | Reason="got 48 threads, expected a multiple of 32 from 32 to 512", Remark="decoupled_fallback declined", Strategy=decoupled_fallback
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @threads(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+4 {{cannot be done by any strategy}}
  // expected-note-re @+3 {{decoupled_fallback declined: {{.*}} 48}}
  // expected-note-re @+2 {{decoupled_lookback declined: {{.*}} 48}}
  // expected-note-re @+1 {{reduce_then_scan declined: {{.*}} 48}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {threads = 48} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  // expected-note-re @-1 {{serial declined: {{.*}} 'threads'}}
  return
}

// -----

// REMARK: [Missed] items-not-registers | {{.*}} Reason="got 65 items per thread, expected 1 to 64 of 4 bytes"
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @items(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'reduce_then_scan': got 65 items per thread, expected 1 to 64 of 4 bytes}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {items = 65, strategy = "reduce_then_scan"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

// REMARK: [Missed] items-not-vectors | {{.*}} Reason="got 3 items per thread, expected whole vectors of 16 bytes"
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @vectors(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': got 3 items per thread, expected whole vectors of 16 bytes}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {items = 3, shape = "ring", strategy = "decoupled_fallback"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

// REMARK: [Missed] arrays-not-aligned | {{.*}} Reason="the arrays are aligned to 4 bytes, expected 16"
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @aligned(%x: memref<?xf32, strided<[1], offset: 3>>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': the arrays are aligned to 4 bytes, expected 16}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {shape = "ring", strategy = "decoupled_fallback"} : memref<?xf32, strided<[1], offset: 3>> to memref<?xf32>, memref<?xi8>
  return
}

// -----

// REMARK: [Missed] backwards-not-copied | {{.*}} Reason="copies of whole tiles keep the order of elements, expected arrays of stride 1"
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @backwards(%x: memref<?xf32, strided<[-1], offset: ?>>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': copies of whole tiles keep the order of elements, expected arrays of stride 1}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {shape = "ring", strategy = "decoupled_fallback"} : memref<?xf32, strided<[-1], offset: ?>> to memref<?xf32>, memref<?xi8>
  return
}

// -----

// REMARK: [Missed] order-not-taken | {{.*}} Reason="a block of the ring takes its tiles by its number, expected no 'order'"
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @order(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': a block of the ring takes its tiles by its number, expected no 'order'}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {shape = "ring", order = "ticket", strategy = "decoupled_fallback"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

// REMARK: [Missed] ring-too-large | {{.*}} Reason="got 8 stages of 32768 bytes, expected from 2 up to the 6 that sm_90a has room for"
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @stages(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': got 8 stages of 32768 bytes, expected from 2 up to the 6 that sm_90a has room for}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {stages = 8, strategy = "decoupled_fallback"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

// REMARK: [Missed] stages-without-ring | {{.*}} Reason="a tile in registers has no stages, expected shape {{.*}}ring
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @register(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': a tile in registers has no stages, expected shape "ring"}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {stages = 4, shape = "register", strategy = "decoupled_fallback"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

// REMARK: [Missed] option-not-taken | {{.*}} Reason="has no use for 'max_spin'"
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @option(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_lookback': has no use for 'max_spin'}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {max_spin = 4, strategy = "decoupled_lookback"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

// REMARK: [Missed] spin-out-of-range | {{.*}} Reason="got max_spin 2000000000, expected 1 to 1073741824"
gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @spin(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': got max_spin 2000000000, expected 1 to 1073741824}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {max_spin = 2000000000, strategy = "decoupled_fallback"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

// REMARK: [Missed] no-bulk-copy | {{.*}} Reason="sm_80 has no asynchronous copies of whole tiles, expected sm_90 or newer"
gpu.module @old [#nvvm.target<chip = "sm_80">] {}
func.func @chip(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{cannot be done by 'decoupled_fallback': sm_80 has no asynchronous copies of whole tiles, expected sm_90 or newer}}
  tile.scan @old::@s inclusive add %x to %y workspace(%w) epoch(%e) {shape = "ring", strategy = "decoupled_fallback"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @unknown(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{got strategy = "fastest", expected one of decoupled_fallback, decoupled_lookback, reduce_then_scan, serial}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) {strategy = "fastest"} : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

func.func @taken(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  // expected-error @+1 {{names @taken, a 'func.func', expected a gpu.module}}
  tile.scan @taken::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// -----

gpu.module @k [#nvvm.target<chip = "sm_90a">] {}
func.func @twice(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32) {
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  // expected-error @+1 {{names kernel @s, but its module has that symbol already}}
  tile.scan @k::@s inclusive add %x to %y workspace(%w) epoch(%e) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}
