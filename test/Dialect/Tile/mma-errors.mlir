// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: !tile.buffer<16x8x2xf32, local>, %b: !tile.buffer<8x8xf32, local>, %c: !tile.buffer<16x8xf32, local>) {
  // expected-error @below {{got 3 dimensions of a, expected 2: rows and columns}}
  tile.mma %a, %b, %c scope(thread) : !tile.buffer<16x8x2xf32, local>, !tile.buffer<8x8xf32, local>, !tile.buffer<16x8xf32, local>
  return
}

// -----

func.func @f(%a: !tile.buffer<16x8xf32, local>, %b: !tile.buffer<16x8xf32, local>, %c: !tile.buffer<16x8xf32, local>) {
  // expected-error @below {{got 16 rows of b, expected 8, the columns of a}}
  tile.mma %a, %b, %c scope(thread) : !tile.buffer<16x8xf32, local>, !tile.buffer<16x8xf32, local>, !tile.buffer<16x8xf32, local>
  return
}

// -----

func.func @f(%a: !tile.buffer<16x8xf32, local>, %b: !tile.buffer<8x8xf32, local>, %c: !tile.buffer<8x16xf32, local>) {
  // expected-error @below {{got c of 8x16 elements, expected 16x8, the rows of a by the columns of b}}
  tile.mma %a, %b, %c scope(thread) : !tile.buffer<16x8xf32, local>, !tile.buffer<8x8xf32, local>, !tile.buffer<8x16xf32, local>
  return
}

// -----

func.func @f(%a: !tile.buffer<16x8xf32, local>, %b: !tile.buffer<8x8xf16, local>, %c: !tile.buffer<16x8xf32, local>) {
  // expected-error @below {{got elements f32 of a and f16 of b, expected the same type, or two of 8-bit floats}}
  tile.mma %a, %b, %c scope(thread) : !tile.buffer<16x8xf32, local>, !tile.buffer<8x8xf16, local>, !tile.buffer<16x8xf32, local>
  return
}

// -----

func.func @f(%a: !tile.buffer<16x8xf16, local>, %b: !tile.buffer<8x8xf16, local>, %c: !tile.buffer<16x8xf64, local>) {
  // expected-error @below {{got sums of type f64 of factors of type f16, expected f16 or f32}}
  tile.mma %a, %b, %c scope(thread) : !tile.buffer<16x8xf16, local>, !tile.buffer<8x8xf16, local>, !tile.buffer<16x8xf64, local>
  return
}

// -----

func.func @f(%a: !tile.buffer<16x8xi8, local>, %b: !tile.buffer<8x8xi8, local>, %c: !tile.buffer<16x8xi32, local>) {
  // expected-error @below {{got none for factors of type i8, expected convert(signed) or convert(unsigned)}}
  tile.mma %a, %b, %c scope(thread) : !tile.buffer<16x8xi8, local>, !tile.buffer<8x8xi8, local>, !tile.buffer<16x8xi32, local>
  return
}

// -----

func.func @f(%a: !tile.buffer<16x8xf16, local>, %b: !tile.buffer<8x8xf16, local>, %c: !tile.buffer<16x8xf16, local>) {
  // expected-error @below {{got convert(tf32) for factors of type f16, expected none}}
  tile.mma %a, %b, %c scope(thread) convert(tf32) : !tile.buffer<16x8xf16, local>, !tile.buffer<8x8xf16, local>, !tile.buffer<16x8xf16, local>
  return
}

// -----

func.func @f(%a: !tile.buffer<16x8xf32, local>, %b: !tile.buffer<8x8xf32, local>, %c: !tile.buffer<16x8xf32, local>) {
  // expected-error @below {{got convert_b(signed) for factors of type f32, expected none or convert_b(tf32)}}
  tile.mma %a, %b, %c scope(thread) convert(tf32) {convert_b = "signed"} : !tile.buffer<16x8xf32, local>, !tile.buffer<8x8xf32, local>, !tile.buffer<16x8xf32, local>
  return
}

// -----

func.func @f(%a: !tile.buffer<16x8xi64, local>, %b: !tile.buffer<8x8xi64, local>, %c: !tile.buffer<16x8xi64, local>) {
  // expected-error @below {{got factors of type i64, expected one of f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i8, i16, i32}}
  tile.mma %a, %b, %c scope(thread) : !tile.buffer<16x8xi64, local>, !tile.buffer<8x8xi64, local>, !tile.buffer<16x8xi64, local>
  return
}

// -----

func.func @same(%a: !tile.buffer<8x8xf32, local>, %b: !tile.buffer<8x8xf32, local>) {
  // expected-error @below {{got b as c, expected another tile: it is overwritten while it is read}}
  tile.mma %a, %b, %b scope(thread) : !tile.buffer<8x8xf32, local>, !tile.buffer<8x8xf32, local>, !tile.buffer<8x8xf32, local>
  return
}

// -----

func.func @global(%a: !tile.buffer<8x8xf32, global>, %b: !tile.buffer<8x8xf32, local>, %c: !tile.buffer<8x8xf32, local>) {
  // expected-error @below {{operand #0 must be}}
  tile.mma %a, %b, %c scope(thread) : !tile.buffer<8x8xf32, global>, !tile.buffer<8x8xf32, local>, !tile.buffer<8x8xf32, local>
  return
}

// -----

func.func @one_tile_of_scales(%a: !tile.buffer<128x64xf8E4M3FN, shared>, %b: !tile.buffer<64x32xf8E4M3FN, shared>, %c: !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>, %s0: !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got scales of 1 tile, expected 2: of a and of b}}
  tile.mma %a, %b, %c scales(%s0 : !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>) scope(cta) : !tile.buffer<128x64xf8E4M3FN, shared>, !tile.buffer<64x32xf8E4M3FN, shared>, !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @scales_of_another_type(%a: !tile.buffer<128x64xf8E4M3FN, shared>, %b: !tile.buffer<64x32xf8E4M3FN, shared>, %c: !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>, %s0: !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>, %s1: !tile.buffer<2x32xf8E4M3FN, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got scales of b of type f8E4M3FN, expected f8E8M0FNU}}
  tile.mma %a, %b, %c scales(%s0, %s1 : !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>, !tile.buffer<2x32xf8E4M3FN, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) scope(cta) : !tile.buffer<128x64xf8E4M3FN, shared>, !tile.buffer<64x32xf8E4M3FN, shared>, !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @scales_of_another_size(%a: !tile.buffer<128x64xf8E4M3FN, shared>, %b: !tile.buffer<64x32xf8E4M3FN, shared>, %c: !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>, %s0: !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>, %s1: !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got 128x4 scales of a, expected 128x2: one for 32 of the 64 terms}}
  tile.mma %a, %b, %c scales(%s0, %s1 : !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>, !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) scope(cta) : !tile.buffer<128x64xf8E4M3FN, shared>, !tile.buffer<64x32xf8E4M3FN, shared>, !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @scales_by_columns(%a: !tile.buffer<128x64xf8E4M3FN, shared>, %b: !tile.buffer<64x32xf8E4M3FN, shared>, %c: !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>, %s0: !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>, %s1: !tile.buffer<32x2xf8E8M0FNU, tmem, #tile.layout<(32, 2) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got 32x2 scales of b, expected 2x32: one for 32 of the 64 terms}}
  tile.mma %a, %b, %c scales(%s0, %s1 : !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>, !tile.buffer<32x2xf8E8M0FNU, tmem, #tile.layout<(32, 2) : (1@TLane, 1@TCol)>>) scope(cta) : !tile.buffer<128x64xf8E4M3FN, shared>, !tile.buffer<64x32xf8E4M3FN, shared>, !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @scales_of_halves(%a: !tile.buffer<128x64xf16, shared>, %b: !tile.buffer<64x32xf16, shared>, %c: !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>, %s0: !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>, %s1: !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got scales of factors of type f16, expected f8E4M3FN or f8E5M2}}
  tile.mma %a, %b, %c scales(%s0, %s1 : !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>, !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) scope(cta) : !tile.buffer<128x64xf16, shared>, !tile.buffer<64x32xf16, shared>, !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @part_of_a_step(%a: !tile.buffer<128x48xf8E4M3FN, shared>, %b: !tile.buffer<48x32xf8E4M3FN, shared>, %c: !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>, %s0: !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>, %s1: !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got scales with 48 columns of a, expected a multiple of 32}}
  tile.mma %a, %b, %c scales(%s0, %s1 : !tile.buffer<128x2xf8E8M0FNU, tmem, #tile.layout<(128, 2) : (1@TLane, 1@TCol)>>, !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) scope(cta) : !tile.buffer<128x48xf8E4M3FN, shared>, !tile.buffer<48x32xf8E4M3FN, shared>, !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @scales_in_shared_memory(%a: !tile.buffer<128x64xf8E4M3FN, shared>, %b: !tile.buffer<64x32xf8E4M3FN, shared>, %c: !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>, %s0: !tile.buffer<128x2xf8E8M0FNU, shared>, %s1: !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{operand #3 must be variadic of}}
  tile.mma %a, %b, %c scales(%s0, %s1 : !tile.buffer<128x2xf8E8M0FNU, shared>, !tile.buffer<2x32xf8E8M0FNU, tmem, #tile.layout<(2, 32) : (1@TLane, 1@TCol)>>) scope(cta) : !tile.buffer<128x64xf8E4M3FN, shared>, !tile.buffer<64x32xf8E4M3FN, shared>, !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @four_bits(%a: !tile.buffer<128x64xf4E2M1FN, shared>, %b: !tile.buffer<64x32xf4E2M1FN, shared>, %c: !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>) {
  // expected-error @below {{got factors of type f4E2M1FN, expected one of f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i8, i16, i32: tiles of less than 8 bits an element cannot be copied}}
  tile.mma %a, %b, %c scope(cta) : !tile.buffer<128x64xf4E2M1FN, shared>, !tile.buffer<64x32xf4E2M1FN, shared>, !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
  return
}
