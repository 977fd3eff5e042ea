// RUN: tile-opt %s --split-input-file --verify-diagnostics

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>

func.func @filter_alone(%a: !images, %s: !tile.buffer<7x32xf16, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got filter of a copy without im2col, expected both}}
  tile.copy_async %a[0, 0, 0, 0] [1, 1, 7, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) filter(%i, %i)
    : !images to !tile.buffer<7x32xf16, shared>
  return
}

// -----

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>

func.func @steps_alone(%a: !images, %s: !tile.buffer<7x32xf16, shared>, %b: !llvm.ptr<3>) {
  // expected-error @below {{got steps of a copy without im2col, expected both}}
  tile.copy_async %a[0, 0, 0, 0] [1, 1, 7, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) steps [1, 1]
    : !images to !tile.buffer<7x32xf16, shared>
  return
}

// -----

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>

func.func @corners(%a: !images, %s: !shared, %b: !llvm.ptr<3>, %i: index, %zero: f16) {
  // expected-error @below {{got 1 number as a corner of im2col, expected 2, one for each dimension of pixels}}
  tile.copy_async %a[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) im2col [-1, -1] to [-1] filter(%i, %i)
    masked fill(%zero : f16) : !images to !shared
  return
}

// -----

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>

func.func @steps(%a: !images, %s: !shared, %b: !llvm.ptr<3>, %i: index, %zero: f16) {
  // expected-error @below {{got 3 numbers as steps of im2col, expected 2, one for each dimension of pixels}}
  tile.copy_async %a[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) im2col [-1, -1] to [-1, -1]
    steps [1, 2, 1] filter(%i, %i) masked fill(%zero : f16) : !images to !shared
  return
}

// -----

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>

func.func @rows_of_pixels(%a: !images, %s: !shared, %b: !llvm.ptr<3>, %i: index, %zero: f16) {
  // expected-error @below {{got a region of pixels of size 2 in dimension 1, expected 1: dimension 2 counts pixels}}
  tile.copy_async %a[0, 0, 0, 0] [1, 2, 32, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) im2col [-1, -1] to [-1, -1]
    filter(%i, %i) masked fill(%zero : f16) : !images to !shared
  return
}

// -----

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>

func.func @offsets(%a: !images, %s: !shared, %b: !llvm.ptr<3>, %i: index, %zero: f16) {
  // expected-error @below {{got 1 offset of a filter, expected 2, one for each dimension of pixels}}
  tile.copy_async %a[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) im2col [-1, -1] to [-1, -1]
    filter(%i) masked fill(%zero : f16) : !images to !shared
  return
}

// -----

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>

func.func @filter_of_a_store(%a: !images, %s: !shared, %i: index) {
  // expected-error @below {{got 2 offsets of a filter, expected 0, as stores have no filter}}
  tile.copy_async %s to %a[0, 0, 0, 0] [1, 1, 64, 32] scope(cta) bulk_group im2col [0, 0] to [0, 0] filter(%i, %i) masked
    : !shared to !images
  return
}

// -----

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>

func.func @unmasked(%a: !images, %s: !tile.buffer<7x32xf16, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got im2col of a copy that is not masked, expected masked: pixels may be outside}}
  tile.copy_async %a[0, 0, 0, 0] [1, 1, 7, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) im2col [0, 0] to [0, 0] filter(%i, %i)
    : !images to !tile.buffer<7x32xf16, shared>
  return
}

// -----

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>

func.func @unfilled(%a: !images, %s: !shared, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got im2col of a load without fill, expected masked fill(…): pixels may be outside}}
  tile.copy_async %a[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) im2col [0, 0] to [0, 0] filter(%i, %i)
    masked : !images to !shared
  return
}

// -----

func.func @matrix(%a: !tile.buffer<64x32xf16, global>, %s: !tile.buffer<64x32xf16, shared>, %b: !llvm.ptr<3>, %zero: f16) {
  // expected-error @below {{got im2col of a tile of rank 2, expected 3 to 5: images, their pixels, channels}}
  tile.copy_async %a to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) im2col [] to [] masked fill(%zero : f16)
    : !tile.buffer<64x32xf16, global> to !tile.buffer<64x32xf16, shared>
  return
}

// -----

!shared = !tile.buffer<2x4x32xf16, shared>

func.func @nowhere(%s: !shared, %b: !llvm.ptr<3>, %zero: f16) {
  // expected-error @below {{got im2col of 0 tiles in global memory, expected one}}
  tile.copy_async %s to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) im2col [0] to [0] masked fill(%zero : f16) : !shared to !shared
  return
}

// -----

!images = !tile.buffer<2x9x32xf16, global>

func.func @until(%a: !images, %s: !tile.buffer<7x32xf16, shared>, %b: !llvm.ptr<3>, %i: index, %zero: f16) {
  // expected-error @below {{got until of a tile of rank 3, expected a matrix}}
  tile.copy_async %a[0, 0, 0] [1, 7, 32] to %s scope(cta) mbarrier(%b : !llvm.ptr<3>) im2col [0] to [0] filter(%i)
    masked until(%i) fill(%zero : f16) : !images to !tile.buffer<7x32xf16, shared>
  return
}

// -----

// expected-error @below {{a corner is -129 in dimension 1; needed -128 to 127 for a map of 4 dimensions}}
func.func private @far(!tile.tensor_map<element = float16, dims = [{extent = const(32), stride = bytes(2), box = 32},
  {extent = const(7), stride = bytes(64), box = 1, lower = -129}, {extent = const(9), stride = bytes(448), box = 1},
  {extent = const(2), stride = bytes(4032), box = 1}], pixels = 64>)

// -----

!map = !tile.tensor_map<element = float16, dims = [{extent = const(32), stride = bytes(2), box = 32},
  {extent = of(1), stride = bytes(64), box = 1}, {extent = of(0), stride = bytes(576), box = 1}], pixels = 64>

func.func @changed(%m: !map, %a: !tile.buffer<?x9x32xf16, global>, %w: !tile.buffer<128xi8, global>, %s: !tile.buffer<128xi8, shared>) {
  // expected-error @below {{got a map of 64 pixels, expected one of boxes: tensormap.replace changes no other}}
  %n = tile.update_map %m to %a in(%w : !tile.buffer<128xi8, global>) scratch(%s : !tile.buffer<128xi8, shared>) scope(cta)
    : !map to !tile.buffer<?x9x32xf16, global>
  return
}

// -----

func.func @offsets_of_a_bulk_plan(%a: !tile.buffer<32x32xf32, global>, %s: !tile.buffer<32x32xf32, shared>, %b: !llvm.ptr<3>, %i: index) {
  // expected-error @below {{got 1 offset of a filter, expected the plan's 0}}
  tile.planned_copy %a to %s scope(thread) mbarrier(%b : !llvm.ptr<3>) filter(%i)
    plan<bulk "bulk", chunk = 4096, bits = 32,
         src = {layout = (1024) : (1), space = global, align = 16},
         dst = {layout = (1024) : (1), space = shared, align = 16}>
    : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
  return
}
