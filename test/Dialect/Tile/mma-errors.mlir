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
